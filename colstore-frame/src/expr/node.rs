//! Expressions as they are written: trees that share what they have in common.
//!
//! An [`Expr`] is immutable and cheap to clone. Names are looked up and dtypes worked out when it is bound
//! ([`Graph`](crate::Graph)), not before.
//!
//! Expressions may be deep: a loop that adds up ten thousand columns makes a tree of that depth. Nothing here recurses
//! over it; see [`Expr::post_order`] and the `Drop` of the node.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use colstore_format::{ColumnName, DType};

use super::functions::Function;
use super::input::Input;
use super::literal::{Literal, ValueSet};
use crate::error::CallbackError;

/// A value for every row, worked out from columns of the same row.
///
/// ```
/// use colstore_frame::col;
///
/// let selected = col("pt").gt(30.0).and(col("eta").abs().lt(2.5)).and(col("charge").isin([-1, 1]));
/// assert_eq!(selected.to_string(), "pt > 30.0 and absolute(eta) < 2.5 and charge in [-1, 1]");
/// ```
#[derive(Clone)]
pub struct Expr(Arc<Inner>);

struct Inner {
    node: Node,
}

/// What an [`Expr`] is made of.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Node {
    /// A name, not looked up until the expression is bound.
    Column(ColumnName),
    /// A column object.
    Input(Input),
    /// A constant.
    Literal(Literal),
    /// A function of as many operands as it takes.
    Call {
        /// The function.
        function: Function,
        /// The operands.
        args: Vec<Expr>,
    },
    /// Whether a value is in a set.
    IsIn {
        /// What is looked up.
        value: Expr,
        /// What it is looked up in.
        set: Arc<ValueSet>,
        /// Whether it is `not in`.
        negated: bool,
    },
    /// The value as another dtype, as NumPy's `astype`.
    Cast {
        /// What is cast.
        value: Expr,
        /// The dtype it becomes.
        dtype: DType,
    },
    /// The value rounded to a number of decimals, as `numpy.round`.
    Round {
        /// What is rounded.
        value: Expr,
        /// Digits after the point; before it if negative.
        decimals: i32,
    },
    /// A function of the host.
    Callback {
        /// The function.
        callback: Arc<dyn Callback>,
        /// The operands.
        args: Vec<Expr>,
    },
}

/// A function of the host over many rows at once.
///
/// It is called for blocks of rows, by several threads at once and in no order, and must give for every row what the
/// operands of that row determine.
pub trait Callback: Send + Sync {
    /// The dtype of the results, little-endian.
    fn dtype(&self) -> DType;

    /// Computes `n_rows` results into `out`, which has exactly their bytes. `args[i]` holds as many values of `dtypes[i]`.
    ///
    /// # Errors
    ///
    /// Whatever the function of the host fails with; it becomes an error of kind [`Callback`](crate::ErrorKind::Callback).
    fn call(
        &self,
        args: &[&[u8]],
        dtypes: &[DType],
        n_rows: usize,
        out: &mut [u8],
    ) -> Result<(), CallbackError>;
}

impl fmt::Debug for dyn Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Callback({})", self.dtype())
    }
}

impl Expr {
    /// The expression of this node.
    pub(crate) fn from_node(node: Node) -> Expr {
        Expr(Arc::new(Inner { node }))
    }

    /// What it is made of.
    pub fn node(&self) -> &Node {
        &self.0.node
    }

    /// What tells it from other expressions that exist at the same time, equal ones among them.
    pub(crate) fn id(&self) -> ExprId {
        ExprId(Arc::as_ptr(&self.0).addr())
    }

    /// The expressions it is made of, without those that these are made of.
    pub fn children(&self) -> &[Expr] {
        match self.node() {
            Node::Column(_) | Node::Input(_) | Node::Literal(_) => &[],
            Node::Call { args, .. } | Node::Callback { args, .. } => args,
            Node::IsIn { value, .. } | Node::Cast { value, .. } | Node::Round { value, .. } => {
                std::slice::from_ref(value)
            }
        }
    }

    /// The same with other children, one for each there is; itself if none differs.
    pub(crate) fn with_children(&self, child: impl Fn(&Expr) -> Expr) -> Expr {
        let children: Vec<Expr> = self.children().iter().map(child).collect();
        if children.iter().zip(self.children()).all(|(new, old)| new.id() == old.id()) {
            return self.clone();
        }
        let mut node = self.node().clone();
        match &mut node {
            Node::Column(_) | Node::Input(_) | Node::Literal(_) => {}
            Node::Call { args, .. } | Node::Callback { args, .. } => *args = children,
            Node::IsIn { value, .. } | Node::Cast { value, .. } | Node::Round { value, .. } => {
                if let Some(child) = children.into_iter().next() {
                    *value = child;
                }
            }
        }
        Expr::from_node(node)
    }

    /// It and everything in it, children before parents, what is shared once.
    pub(crate) fn post_order(&self) -> Vec<&Expr> {
        let mut done = Vec::new();
        let mut seen = HashSet::new();
        let mut stack = vec![(self, false)];
        while let Some((expr, children_done)) = stack.pop() {
            if children_done {
                done.push(expr);
            } else if seen.insert(expr.id()) {
                stack.push((expr, true));
                stack.extend(expr.children().iter().rev().map(|child| (child, false)));
            }
        }
        done
    }

    /// The names of the columns it uses, each once, in the order of their first use.
    ///
    /// ```
    /// use colstore_frame::col;
    ///
    /// let ratio = (col("a") - col("b")) / col("a");
    /// let names: Vec<String> = ratio.column_names().iter().map(|name| name.to_string()).collect();
    /// assert_eq!(names, ["a", "b"]);
    /// ```
    pub fn column_names(&self) -> Vec<ColumnName> {
        let mut names: Vec<ColumnName> = Vec::new();
        let mut seen = HashSet::new();
        for expr in self.post_order() {
            if let Node::Column(name) = expr.node()
                && seen.insert(name)
            {
                names.push(name.clone());
            }
        }
        names
    }
}

/// Identity of an [`Expr`] while it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ExprId(usize);

/// Same structure; inputs and callbacks are equal if they are the same object, NaN equals NaN.
impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        let mut stack = vec![(self, other)];
        let mut seen = HashSet::new();
        while let Some((a, b)) = stack.pop() {
            // Pairs that were met before: shared parts are compared once.
            if a.id() == b.id() || !seen.insert((a.id(), b.id())) {
                continue;
            }
            if !same_shape(a.node(), b.node()) {
                return false;
            }
            stack.extend(a.children().iter().zip(b.children()));
        }
        true
    }
}

/// Whether two nodes are the same but for their children.
fn same_shape(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Column(a), Node::Column(b)) => a == b,
        (Node::Input(a), Node::Input(b)) => a == b,
        (Node::Literal(a), Node::Literal(b)) => same_literal(a, b),
        (Node::Call { function: f, args: a }, Node::Call { function: g, args: b }) => {
            f == g && a.len() == b.len()
        }
        (Node::IsIn { set: a, negated: m, .. }, Node::IsIn { set: b, negated: n, .. }) => {
            m == n && same_set(a, b)
        }
        (Node::Cast { dtype: a, .. }, Node::Cast { dtype: b, .. }) => a == b,
        (Node::Round { decimals: a, .. }, Node::Round { decimals: b, .. }) => a == b,
        (Node::Callback { callback: f, args: a }, Node::Callback { callback: g, args: b }) => {
            Arc::ptr_eq(f, g) && a.len() == b.len()
        }
        _ => false,
    }
}

fn same_literal(a: &Literal, b: &Literal) -> bool {
    match (a, b) {
        (Literal::Float(a), Literal::Float(b)) | (Literal::Imaginary(a), Literal::Imaginary(b)) => {
            a.to_bits() == b.to_bits()
        }
        _ => a == b,
    }
}

fn same_set(a: &ValueSet, b: &ValueSet) -> bool {
    match (a, b) {
        (ValueSet::Literals(a), ValueSet::Literals(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_literal(a, b))
        }
        _ => a == b,
    }
}

/// The text that it is parsed from, where there is one: parsing it gives an equal expression.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::syntax::print(self, f)
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expr({self})")
    }
}

impl Drop for Inner {
    /// Takes deep trees apart level by level: dropping them the usual way calls itself once a level.
    fn drop(&mut self) {
        let mut stack = Vec::new();
        take_children(&mut self.node, &mut stack);
        while let Some(mut child) = stack.pop() {
            if let Some(inner) = Arc::get_mut(&mut child.0) {
                take_children(&mut inner.node, &mut stack);
            }
        }
    }
}

/// Moves the children of `node` that have children themselves to `stack`, leaving leaves.
fn take_children(node: &mut Node, stack: &mut Vec<Expr>) {
    match node {
        Node::Column(_) | Node::Input(_) | Node::Literal(_) => {}
        Node::Call { args, .. } | Node::Callback { args, .. } => {
            stack.extend(args.drain(..).filter(|child| !child.children().is_empty()));
        }
        Node::IsIn { value, .. } | Node::Cast { value, .. } | Node::Round { value, .. } => {
            if !value.children().is_empty() {
                static LEAF: OnceLock<Expr> = OnceLock::new();
                let leaf = LEAF.get_or_init(|| Expr::from_node(Node::Literal(Literal::None)));
                stack.push(std::mem::replace(value, leaf.clone()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{col, lit};

    #[test]
    fn deep_trees_neither_overflow_nor_take_long() {
        let (mut sum, mut cast, mut shared) = (col("x"), col("x"), col("x"));
        for _ in 0..200_000 {
            sum = sum + 1;
            cast = cast.cast(DType::parse("<f8").unwrap());
        }
        for _ in 0..100 {
            shared = shared.clone() * shared;
        }
        assert_eq!(shared.post_order().len(), 101);
        assert_eq!(shared.column_names().len(), 1);
        assert_eq!(sum, sum.clone());
        let mut again = col("x");
        for _ in 0..200_000 {
            again = again + 1;
        }
        assert!(sum == again && sum != cast);
    }

    #[test]
    fn equality_is_structural() {
        assert_eq!(col("a") + 1, col("a") + 1);
        assert_ne!(col("a") + 1, col("a") + 1.0);
        assert_ne!(col("a") + 1, col("b") + 1);
        assert_eq!(lit(f64::NAN), lit(f64::NAN));
        assert_ne!(lit(0.0), lit(-0.0));
        assert_ne!(col("a").isin([1]), col("a").not_in([1]));
    }
}
