//! What operators stand between: literals, names, parameters, brackets, and the signs before them.

use std::ops::Range;

use super::{Item, ItemKind, NOT, Parser, UNARY};
use crate::error::{Error, Result};
use crate::expr::{Expr, Function, Literal, col, lit};
use crate::syntax::lexer::TokenKind;
use crate::syntax::params::Parameter;

impl<'a> Parser<'a> {
    /// A value with what stands before it.
    pub(super) fn prefix(&mut self) -> Result<Item<'a>> {
        let start = self.span().start;
        let (function, power) = match self.peek() {
            TokenKind::Keyword("not") => (Function::LogicalNot, NOT),
            TokenKind::Symbol("-") => {
                if let Some(literal) = self.negative_number() {
                    return Ok(self.placed(lit(literal), start..self.end()));
                }
                (Function::Negative, UNARY)
            }
            TokenKind::Symbol("+") => (Function::Positive, UNARY),
            TokenKind::Symbol("~") => (Function::Invert, UNARY),
            _ => return self.atom(),
        };
        if power == NOT && !self.may_begin_with_not() {
            return Err(self.unexpected());
        }
        self.at += 1;
        let item = self.item(power)?;
        let operand = self.operand(item)?;
        let span = start..self.end();
        Ok(self.placed(Expr::of(function, vec![operand]), span))
    }

    /// Whether `not` may stand after the token before: `a + not b` is no expression.
    fn may_begin_with_not(&self) -> bool {
        match self.at.checked_sub(1).map(|before| &self.tokens[before].kind) {
            Some(TokenKind::Keyword(keyword)) => matches!(*keyword, "and" | "or" | "not"),
            Some(TokenKind::Symbol(symbol)) => matches!(*symbol, "(" | "[" | ","),
            _ => true,
        }
    }

    /// `-1` as one number, unless it is raised to a power first.
    fn negative_number(&mut self) -> Option<Literal> {
        let literal = match &self.tokens.get(self.at + 1)?.kind {
            TokenKind::Int(value) => Literal::Int(value.negated()),
            TokenKind::Float(value) => Literal::Float(-value),
            _ => return None,
        };
        if self.tokens.get(self.at + 2)?.kind == TokenKind::Symbol("**") {
            return None;
        }
        self.at += 2;
        Some(literal)
    }

    fn atom(&mut self) -> Result<Item<'a>> {
        let span = self.span();
        let literal = match self.peek().clone() {
            TokenKind::Name(name) => {
                self.at += 1;
                return Ok(self.placed(col(name), span));
            }
            TokenKind::Parameter(name) => {
                self.at += 1;
                return self.parameter(name, span);
            }
            TokenKind::Symbol("(") => return self.brackets(")"),
            TokenKind::Symbol("[") => return self.brackets("]"),
            TokenKind::Str(_) | TokenKind::Bytes(_) | TokenKind::Formatted => return self.strings(),
            TokenKind::Int(value) => Literal::Int(value),
            TokenKind::Float(value) => Literal::Float(value),
            TokenKind::Imaginary(value) => Literal::Imaginary(value),
            TokenKind::Keyword("True") => Literal::Bool(true),
            TokenKind::Keyword("False") => Literal::Bool(false),
            TokenKind::Keyword("None") => Literal::None,
            TokenKind::Symbol("{" | "...") => return Err(self.unsupported(span)),
            _ => return Err(self.unexpected()),
        };
        self.at += 1;
        Ok(self.placed(lit(literal), span))
    }

    fn parameter(&mut self, name: &'a str, span: Range<usize>) -> Result<Item<'a>> {
        match self.parameters.get(name) {
            Some(Parameter::Value(literal)) => Ok(self.placed(lit(literal.clone()), span)),
            Some(Parameter::Set(set)) => Ok(Item { kind: ItemKind::Set(set, name), span }),
            None => {
                let mut known: Vec<&str> = self.parameters.names().collect();
                known.sort_unstable();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                Err(Error::query(format!("undefined parameter '@{name}'; given are: {known}"))
                    .at(self.text, span))
            }
        }
    }

    /// A value in brackets, a tuple or a list.
    fn brackets(&mut self, close: &str) -> Result<Item<'a>> {
        let start = self.span().start;
        self.at += 1;
        let mut items = Vec::new();
        let mut comma = false;
        while !self.take_symbol(close) {
            if !items.is_empty() && !comma {
                return Err(self.unexpected());
            }
            if self.peek() == &TokenKind::Symbol("*") {
                return Err(self.unsupported(self.span()));
            }
            items.push(self.item(0)?);
            comma = self.take_symbol(",");
        }
        let span = start..self.end();
        if close == ")"
            && !comma
            && items.len() == 1
            && let Some(item) = items.pop()
        {
            return Ok(Item { kind: item.kind, span });
        }
        Ok(Item { kind: ItemKind::List(items), span })
    }

    /// Literals that stand side by side are one.
    fn strings(&mut self) -> Result<Item<'a>> {
        let start = self.span().start;
        let (mut text, mut bytes): (Vec<u32>, Vec<u8>) = (Vec::new(), Vec::new());
        let (mut has_text, mut has_bytes) = (false, false);
        loop {
            match self.peek() {
                TokenKind::Str(value) => {
                    text.extend_from_slice(value);
                    has_text = true;
                }
                TokenKind::Bytes(value) => {
                    bytes.extend_from_slice(value);
                    has_bytes = true;
                }
                TokenKind::Formatted => return Err(self.unsupported(self.span())),
                _ => break,
            }
            self.at += 1;
        }
        let span = start..self.end();
        if has_text && has_bytes {
            return self.fail(span, "bytes and text cannot be joined");
        }
        let literal = if has_bytes { Literal::Bytes(bytes.into()) } else { Literal::Str(text.into()) };
        Ok(self.placed(lit(literal), span))
    }
}
