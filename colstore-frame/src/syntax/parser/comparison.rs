//! Comparisons that chain, and `in` with its list.

use std::sync::Arc;

use super::{COMPARISON, Item, ItemKind, Operator, Parser};
use crate::error::{Error, Result};
use crate::expr::{Expr, Function, Literal, Node, ValueSet};
use crate::syntax::lexer::TokenKind;

impl<'a> Parser<'a> {
    /// `left` and what it is compared with, one after the other.
    pub(super) fn comparisons(&mut self, left: Item<'a>) -> Result<Item<'a>> {
        let start = left.span.start;
        let mut left = left;
        let mut all: Option<Expr> = None;
        while let Some(Operator::Compare) = self.operator()? {
            let from = left.span.start;
            let operator_span = self.span();
            let (one, right) = match self.take() {
                TokenKind::Keyword("in") => self.membership(left, false)?,
                TokenKind::Keyword("not") => {
                    if self.peek() != &TokenKind::Keyword("in") {
                        return self.fail(operator_span, "'not' between two values is followed by 'in'");
                    }
                    self.at += 1;
                    self.membership(left, true)?
                }
                TokenKind::Keyword(_) => {
                    let message = "unsupported comparison 'is': values are compared by '==' and '!='";
                    return Err(Error::query(message).at(self.text, operator_span));
                }
                symbol => {
                    let left = self.operand(left)?;
                    let right = self.item(COMPARISON + 1)?;
                    let right_span = right.span.clone();
                    let right = self.operand(right)?;
                    let function = comparison(&symbol);
                    let one = Expr::of(function, vec![left, right.clone()]);
                    (one, Item { kind: ItemKind::Expr(right), span: right_span })
                }
            };
            self.spans.insert(one.id(), from..self.end());
            all = Some(match all {
                None => one,
                Some(before) => {
                    let both = Expr::of(Function::LogicalAnd, vec![before, one]);
                    self.spans.insert(both.id(), start..self.end());
                    both
                }
            });
            left = right;
        }
        let span = start..self.end();
        Ok(match all {
            Some(expr) => Item { kind: ItemKind::Expr(expr), span },
            None => left,
        })
    }

    /// The right side of `in` and the test; the right side may go on as the left one of the next comparison.
    fn membership(&mut self, left: Item<'a>, negated: bool) -> Result<(Expr, Item<'a>)> {
        let left_span = left.span.clone();
        let value = self.operand(left)?;
        let right = self.item(COMPARISON + 1)?;
        let set = self.set(&right)?;
        let uses_column = value.post_order().iter().any(|part| matches!(part.node(), Node::Column(_)));
        if !uses_column {
            let message = "the left side of 'in' must use a column";
            return Err(Error::query(message).at(self.text, left_span));
        }
        Ok((Expr::from_node(Node::IsIn { value, set: Arc::new(set), negated }), right))
    }

    /// What stands to the right of `in`.
    fn set(&self, item: &Item<'a>) -> Result<ValueSet> {
        match &item.kind {
            ItemKind::Set(set, _) => Ok((*set).clone()),
            ItemKind::List(items) => {
                let literals: Result<Vec<Literal>> = items.iter().map(|item| self.literal(item)).collect();
                Ok(ValueSet::Literals(literals?))
            }
            ItemKind::Expr(_) => Ok(ValueSet::Literals(vec![self.literal(item)?])),
        }
    }

    /// A literal, which may have a sign.
    fn literal(&self, item: &Item<'a>) -> Result<Literal> {
        let refused = || {
            Error::query(
                "unsupported expression element to the right of 'in': it takes literals and @parameters, no columns and \
                 nothing that is computed",
            )
            .at(self.text, item.span.clone())
        };
        let ItemKind::Expr(expr) = &item.kind else { return Err(refused()) };
        match expr.node() {
            Node::Literal(literal) => Ok(literal.clone()),
            Node::Call { function, args } => match (function, args.first().map(Expr::node)) {
                (
                    Function::Positive,
                    Some(Node::Literal(literal @ (Literal::Int(_) | Literal::Float(_)))),
                ) => Ok(literal.clone()),
                (Function::Negative, Some(Node::Literal(Literal::Int(value)))) => {
                    Ok(Literal::Int(value.negated()))
                }
                (Function::Negative, Some(Node::Literal(Literal::Float(value)))) => {
                    Ok(Literal::Float(-value))
                }
                _ => Err(refused()),
            },
            _ => Err(refused()),
        }
    }
}

/// The function of a comparison sign.
fn comparison(token: &TokenKind<'_>) -> Function {
    match token {
        TokenKind::Symbol("<") => Function::Less,
        TokenKind::Symbol("<=") => Function::LessEqual,
        TokenKind::Symbol(">") => Function::Greater,
        TokenKind::Symbol(">=") => Function::GreaterEqual,
        TokenKind::Symbol("!=") => Function::NotEqual,
        _ => Function::Equal,
    }
}
