//! Tokens into expressions: a Pratt parser.
//!
//! ```text
//! binding power    1  or            5  |         9  * / // %
//!                  2  and           6  ^        10  unary + - ~
//!                  3  not           7  &        11  **
//!                  4  comparisons   8  + -      12  atoms
//! ```
//!
//! Operators of one level group from the left, `**` from the right, and comparisons chain: `a < b < c` is
//! `a < b and b < c`. Long sums make deep trees but no deep calls; brackets and prefixes do, and are counted.

mod atom;
mod comparison;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::lexer::{Token, TokenKind, syntax_error, tokens};
use super::params::Parameters;
use crate::error::{Error, ErrorKind, Result};
use crate::expr::node::ExprId;
use crate::expr::{Expr, Function, ValueSet};

/// How deep brackets, prefixes and right operands may lie in each other.
const MAX_DEPTH: u32 = 400;

const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const UNARY: u8 = 10;
const POWER: u8 = 11;

/// An expression that was given as text.
#[derive(Debug, Clone)]
pub struct Parsed {
    expr: Expr,
    text: Arc<str>,
    spans: HashMap<ExprId, Range<usize>>,
}

impl Parsed {
    /// The expression.
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// The text it was parsed from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where in the text a part of the expression stands.
    pub(crate) fn span(&self, part: ExprId) -> Option<Range<usize>> {
        self.spans.get(&part).cloned()
    }
}

/// Reads an expression in Python's syntax, with `@name` for parameters.
///
/// Names are looked up when the expression is bound. Calls, attributes, subscripts and the like are no part of the
/// language.
///
/// # Errors
///
/// [`Query`](ErrorKind::Query) with the place: a text that is no expression (`could not parse`), an element or operator
/// that is not supported, a parameter without value; [`Type`](ErrorKind::Type) for a parameter that is an array where one
/// value is needed.
pub fn parse(text: &str, parameters: &Parameters) -> Result<Parsed> {
    let mut parser =
        Parser { text, tokens: tokens(text)?, at: 0, depth: 0, parameters, spans: HashMap::new() };
    if parser.peek() == &TokenKind::End {
        return Err(syntax_error(text, 0..text.len(), "it is empty"));
    }
    let item = parser.item(0)?;
    if parser.peek() == &TokenKind::Symbol(",") {
        return Err(parser.not_a_condition(item.span.start..text.len()));
    }
    if parser.peek() != &TokenKind::End {
        return Err(parser.unexpected());
    }
    let expr = parser.operand(item)?;
    Ok(Parsed { expr, text: text.into(), spans: parser.spans })
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: u32,
    parameters: &'a Parameters,
    spans: HashMap<ExprId, Range<usize>>,
}

/// What stands between operators.
struct Item<'a> {
    kind: ItemKind<'a>,
    span: Range<usize>,
}

enum ItemKind<'a> {
    Expr(Expr),
    /// A list or tuple.
    List(Vec<Item<'a>>),
    /// A parameter of several values.
    Set(&'a ValueSet, &'a str),
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &TokenKind<'a> {
        &self.tokens[self.at].kind
    }

    fn span(&self) -> Range<usize> {
        self.tokens[self.at].span.clone()
    }

    /// The end of the token before.
    fn end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |at| self.tokens[at].span.end)
    }

    /// The token, and on to the next; the end is never passed.
    fn take(&mut self) -> TokenKind<'a> {
        let kind = self.peek().clone();
        if kind != TokenKind::End {
            self.at += 1;
        }
        kind
    }

    fn take_symbol(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), TokenKind::Symbol(next) if *next == symbol);
        self.at += usize::from(found);
        found
    }

    fn fail<T>(&self, span: Range<usize>, detail: &str) -> Result<T> {
        Err(syntax_error(self.text, span, detail))
    }

    /// The error for a token that cannot stand where it does.
    fn unexpected(&self) -> Error {
        let span = self.span();
        match self.peek() {
            TokenKind::End => syntax_error(self.text, span, "it ends where a value is expected"),
            TokenKind::Symbol("=") => {
                syntax_error(self.text, span, "'=' is no operator; values are compared by '=='")
            }
            TokenKind::Keyword("lambda" | "await" | "yield") => self.unsupported(span),
            TokenKind::Keyword("for") if self.at > 0 => self.unsupported(span),
            _ => {
                let shown = &self.text[span.clone()];
                syntax_error(self.text, span, &format!("{shown:?} cannot stand here"))
            }
        }
    }

    fn unsupported(&self, span: Range<usize>) -> Error {
        let shown: String = self.text[span.clone()].chars().take(40).collect();
        Error::query(format!(
            "unsupported expression element {shown:?}: expressions are made of columns, literals, @parameters, operators and \
             'in' lists"
        ))
        .at(self.text, span)
    }

    fn not_a_condition(&self, span: Range<usize>) -> Error {
        Error::query(
            "lists and tuples stand to the right of 'in' only; an expression must use at least one column as a value",
        )
        .at(self.text, span)
    }

    /// Remembers where an expression stands.
    fn placed(&mut self, expr: Expr, span: Range<usize>) -> Item<'a> {
        self.spans.insert(expr.id(), span.clone());
        Item { kind: ItemKind::Expr(expr), span }
    }

    /// The item as a value.
    fn operand(&self, item: Item<'a>) -> Result<Expr> {
        match item.kind {
            ItemKind::Expr(expr) => Ok(expr),
            ItemKind::List(_) => Err(self.not_a_condition(item.span)),
            ItemKind::Set(_, name) => Err(Error::new(
                ErrorKind::Type,
                format!(
                    "parameter '@{name}' is a raw array where one value is needed; several values stand to the right of 'in'"
                ),
            )
            .at(self.text, item.span)),
        }
    }

    /// An item of operators that bind at least as tightly as `power`.
    fn item(&mut self, power: u8) -> Result<Item<'a>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail(self.span(), &format!("it is nested more than {MAX_DEPTH} levels deep"));
        }
        let mut left = self.prefix()?;
        while let Some(operator) = self.operator()? {
            let level = operator.level();
            if level < power {
                break;
            }
            left = match operator {
                Operator::Compare => self.comparisons(left)?,
                Operator::Binary(function, level) => self.binary(left, function, level)?,
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn binary(&mut self, left: Item<'a>, function: Function, level: u8) -> Result<Item<'a>> {
        self.at += 1;
        let start = left.span.start;
        let left = self.operand(left)?;
        // `2 ** -x`: the exponent may have a sign; `**` groups from the right.
        let right = self.item(if level == POWER { UNARY } else { level + 1 })?;
        let right = self.operand(right)?;
        let span = start..self.end();
        Ok(self.placed(Expr::of(function, vec![left, right]), span))
    }

    /// The operator that the next token is, if any.
    fn operator(&self) -> Result<Option<Operator>> {
        use Operator::{Binary, Compare};
        let operator = match self.peek() {
            TokenKind::Keyword("or") => Binary(Function::LogicalOr, OR),
            TokenKind::Keyword("and") => Binary(Function::LogicalAnd, AND),
            TokenKind::Keyword("in" | "not" | "is") => Compare,
            TokenKind::Keyword("if") => return Err(self.unsupported(self.span())),
            TokenKind::Symbol("<" | "<=" | ">" | ">=" | "==" | "!=") => Compare,
            TokenKind::Symbol("|") => Binary(Function::BitwiseOr, 5),
            TokenKind::Symbol("^") => Binary(Function::BitwiseXor, 6),
            TokenKind::Symbol("&") => Binary(Function::BitwiseAnd, 7),
            TokenKind::Symbol("+") => Binary(Function::Add, 8),
            TokenKind::Symbol("-") => Binary(Function::Subtract, 8),
            TokenKind::Symbol("*") => Binary(Function::Multiply, 9),
            TokenKind::Symbol("/") => Binary(Function::TrueDivide, 9),
            TokenKind::Symbol("//") => Binary(Function::FloorDivide, 9),
            TokenKind::Symbol("%") => Binary(Function::Remainder, 9),
            TokenKind::Symbol("**") => Binary(Function::Power, POWER),
            TokenKind::Symbol(symbol @ ("<<" | ">>" | "@")) => {
                let message = format!("unsupported operator '{symbol}' in an expression");
                return Err(Error::query(message).at(self.text, self.span()));
            }
            TokenKind::Symbol("(" | "[" | ".") => return Err(self.unsupported(self.span())),
            _ => return Ok(None),
        };
        Ok(Some(operator))
    }
}

#[derive(Clone, Copy)]
enum Operator {
    Compare,
    Binary(Function, u8),
}

impl Operator {
    fn level(self) -> u8 {
        match self {
            Operator::Compare => COMPARISON,
            Operator::Binary(_, level) => level,
        }
    }
}
