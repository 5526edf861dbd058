//! Expressions into graphs: names looked up, dtypes worked out, literals made values, every conversion a node.
//!
//! Literals stay literals until they meet something that has a dtype. Then they become constants of the dtype that NumPy
//! gives them there, or are refused as NumPy refuses them. What differs from NumPy, on purpose:
//!
//! - comparisons are exact. An integer literal outside the range of an integer column decides the comparison; int64 and
//!   uint64 are compared with floats without rounding them to float64 first;
//! - text literals beside a bytes column are encoded in UTF-8;
//! - `where` raises `OverflowError` for an integer that the other branch's dtype cannot hold, where NumPy takes the low
//!   bits of it.

mod operations;

use std::collections::HashMap;

use colstore_format::Kind;

use super::consing::Nodes;
use super::convert::{self, own_dtype};
use super::graph::{Graph, NodeId, Op};
use super::literal::Literal;
use super::node::{Expr, ExprId, Node};
use super::scope::{self, Scope};
use super::types::{BOOL, Name};
use crate::error::{Error, Result};
use crate::syntax::Parsed;

impl Graph {
    /// The graph of the values of these expressions, one root each.
    ///
    /// Dtypes are NumPy's, literals weak. Comparisons are exact where NumPy's are not: an integer literal outside the range
    /// of an integer column decides them, int64 and uint64 meet floats unrounded, and text is encoded in UTF-8 beside a
    /// bytes column. `where` refuses an integer that the other branch's dtype cannot hold.
    ///
    /// # Errors
    ///
    /// [`Query`](crate::ErrorKind::Query) for a name that is not in `scope`, [`Type`](crate::ErrorKind::Type) for operands that a function
    /// has no loop for, [`Overflow`](crate::ErrorKind::Overflow) for an integer literal that its column's dtype cannot hold,
    /// [`Value`](crate::ErrorKind::Value) for an integer to a negative power.
    pub fn bind(exprs: &[Expr], scope: &(impl Scope + ?Sized)) -> Result<Graph> {
        let mut binder = Binder { scope, text: None, nodes: Nodes::default(), done: HashMap::new() };
        let mut roots = Vec::with_capacity(exprs.len());
        for expr in exprs {
            let bound = binder.expr(expr)?;
            roots.push(binder.own(&bound)?);
        }
        Ok(binder.nodes.into_graph(roots))
    }

    /// The graph of a condition on rows, with one boolean root.
    ///
    /// # Errors
    ///
    /// As [`bind`](Graph::bind), and [`Query`](crate::ErrorKind::Query) if the result is not boolean or if no column is used.
    pub fn bind_condition(condition: &Expr, scope: &(impl Scope + ?Sized)) -> Result<Graph> {
        bind_condition(condition, None, scope)
    }
}

impl Parsed {
    /// The graph of the condition that the text is, as [`Graph::bind_condition`].
    ///
    /// # Errors
    ///
    /// The same; messages show the place in the text.
    pub fn bind_condition(&self, scope: &(impl Scope + ?Sized)) -> Result<Graph> {
        bind_condition(self.expr(), Some(self), scope)
    }
}

fn bind_condition(condition: &Expr, text: Option<&Parsed>, scope: &(impl Scope + ?Sized)) -> Result<Graph> {
    let located = |error: Error| match text {
        Some(parsed) => {
            error.at(parsed.text(), parsed.span(condition.id()).unwrap_or(0..parsed.text().len()))
        }
        None => error,
    };
    let uses_column =
        condition.post_order().iter().any(|part| matches!(part.node(), Node::Column(_) | Node::Input(_)));
    if !uses_column {
        return Err(located(Error::query(
            "a condition must use at least one column; this one is the same for all rows",
        )));
    }
    let mut binder = Binder { scope, text, nodes: Nodes::default(), done: HashMap::new() };
    let bound = binder.expr(condition)?;
    let root = binder.own(&bound).map_err(&located)?;
    let dtype = binder.nodes.dtype(root);
    if dtype != BOOL {
        let hint = match dtype.kind() {
            Kind::Int | Kind::UInt | Kind::Float => "; compare it, as in 'x != 0'",
            _ => "",
        };
        return Err(located(Error::query(format!(
            "a boolean condition is needed, this gives {}{hint}",
            Name(dtype)
        ))));
    }
    Ok(binder.nodes.into_graph(vec![root]))
}

/// What an expression came to.
#[derive(Clone, Debug)]
enum Bound {
    Node(NodeId),
    /// Without dtype yet.
    Literal(Literal),
}

struct Binder<'a, S: Scope + ?Sized> {
    scope: &'a S,
    /// Where the expression stands, if it was text.
    text: Option<&'a Parsed>,
    nodes: Nodes,
    done: HashMap<ExprId, Bound>,
}

impl<S: Scope + ?Sized> Binder<'_, S> {
    fn expr(&mut self, expr: &Expr) -> Result<Bound> {
        // What names stand for is walked when they are met; it holds no names itself.
        let mut captured: Vec<Expr> = Vec::new();
        for part in expr.post_order() {
            if self.done.contains_key(&part.id()) {
                continue;
            }
            let bound = match part.node() {
                Node::Column(name) => {
                    let Some(found) = self.scope.find(name) else {
                        let what = if self.text.is_some() { "unknown name" } else { "unknown column" };
                        let message = format!("{what} '{name}'{}", scope::hint(name, self.scope));
                        return Err(self.located(Error::query(message).with_column(name), part));
                    };
                    let bound = self.captured(&found).map_err(|error| self.located(error, part))?;
                    captured.push(found);
                    bound
                }
                _ => self.part(part).map_err(|error| self.located(error, part))?,
            };
            self.done.insert(part.id(), bound);
        }
        // Identities must not be reused while they are remembered.
        let bound = self.get(expr);
        for found in captured {
            for part in found.post_order() {
                self.done.remove(&part.id());
            }
        }
        Ok(bound)
    }

    /// An expression without names.
    fn captured(&mut self, expr: &Expr) -> Result<Bound> {
        for part in expr.post_order() {
            if let Node::Column(name) = part.node() {
                return Err(Error::query(format!("unknown column '{name}' in what a name stands for")));
            }
            if !self.done.contains_key(&part.id()) {
                let bound = self.part(part)?;
                self.done.insert(part.id(), bound);
            }
        }
        Ok(self.get(expr))
    }

    fn located(&self, error: Error, part: &Expr) -> Error {
        match self.text.and_then(|parsed| parsed.span(part.id()).map(|span| (parsed, span))) {
            Some((parsed, span)) => error.at(parsed.text(), span),
            None => error,
        }
    }

    fn get(&self, expr: &Expr) -> Bound {
        self.done.get(&expr.id()).cloned().unwrap_or(Bound::Literal(Literal::None))
    }

    /// A node whose children are bound.
    fn part(&mut self, expr: &Expr) -> Result<Bound> {
        let children: Vec<Bound> = expr.children().iter().map(|child| self.get(child)).collect();
        Ok(match expr.node() {
            Node::Column(_) => return Err(Error::query("a name stands for nothing")),
            Node::Input(input) => Bound::Node(self.nodes.input(input)),
            Node::Literal(Literal::Typed(constant)) => Bound::Node(self.nodes.constant(constant.clone())),
            Node::Literal(literal) => Bound::Literal(literal.clone()),
            Node::Call { function, .. } => self.call(*function, children)?,
            Node::IsIn { set, negated, .. } => Bound::Node(self.is_in(&children[0], set, *negated)?),
            Node::Cast { dtype, .. } => Bound::Node(self.cast(&children[0], *dtype)?),
            Node::Round { decimals, .. } => Bound::Node(self.round(&children[0], *decimals)?),
            Node::Callback { callback, .. } => {
                let args: Result<Vec<NodeId>> = children.iter().map(|child| self.own(child)).collect();
                Bound::Node(
                    self.nodes
                        .add(callback.dtype(), Op::Callback { callback: callback.clone(), args: args? }),
                )
            }
        })
    }

    /// The node of a value, literals as what they are by themselves.
    fn own(&mut self, bound: &Bound) -> Result<NodeId> {
        match bound {
            Bound::Node(id) => Ok(*id),
            Bound::Literal(literal @ (Literal::Str(_) | Literal::Bytes(_))) => {
                Ok(self.nodes.constant(convert::text(literal)?))
            }
            Bound::Literal(literal) => {
                let dtype = own_dtype(literal)?;
                Ok(self.nodes.constant(convert::weak(literal, dtype)?))
            }
        }
    }
}

#[cfg(test)]
mod tests;
