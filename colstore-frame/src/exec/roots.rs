//! Comparisons of a square root with a constant, without the root.
//!
//! ```text
//! sqrt(x² + y²) > c      x² + y² > the greatest number whose root, as it is rounded, is at most c
//! sqrt(x² + y²) >= c     x² + y² >= the least number whose root, as it is rounded, is at least c
//! ```
//!
//! Roots are rounded correctly and never fall, so that both sides are the same, to the last row. A root takes longer than
//! all the rest of such a condition. It is left out where nobody could tell: if what it is of cannot be below zero, which
//! would be worth a warning, and if it has not been computed for something else.

use colstore_format::{DType, Kind};
use colstore_kernels::compute::Compare;

use super::lower::comparison;
use crate::expr::{Function, Graph, NodeId, Op};

/// A comparison of a root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RootComparison {
    /// The node of the root.
    pub(super) root: NodeId,
    /// What the root is of, and is compared instead.
    pub(super) of: NodeId,
    pub(super) op: Compare,
    pub(super) limit: f64,
}

impl RootComparison {
    /// That of a node, if it is one.
    pub(super) fn of(graph: &Graph, node: NodeId) -> Option<RootComparison> {
        let Op::Call { function, args } = &graph.node(node).op else { return None };
        let &[a, b] = &args[..] else { return None };
        let op = comparison(*function)?;
        let (root, op, constant) = match (&graph.node(a).op, &graph.node(b).op) {
            (Op::Call { .. }, Op::Constant(constant)) => (a, op, constant),
            (Op::Constant(constant), Op::Call { .. }) => (b, op.swapped(), constant),
            _ => return None,
        };
        if !is_float64(graph.node(a).dtype) || !is_float64(graph.node(b).dtype) {
            return None;
        }
        let Op::Call { function: Function::Sqrt, args } = &graph.node(root).op else { return None };
        let &[of] = &args[..] else { return None };
        let limit = limit(op, constant.as_f64()?)?;
        is_never_negative(graph, of, DEPTH).then_some(RootComparison { root, of, op, limit })
    }
}

fn is_float64(dtype: DType) -> bool {
    dtype.kind() == Kind::Float && dtype.itemsize() == 8
}

/// What a number is compared with instead of its root with `constant`; `None` if that does not go.
fn limit(op: Compare, constant: f64) -> Option<f64> {
    if constant.is_nan() || constant < 0.0 {
        return None;
    }
    match op {
        Compare::Greater | Compare::LessEqual => Some(greatest_with_root_at_most(constant)),
        Compare::GreaterEqual | Compare::Less => Some(least_with_root_at_least(constant)),
        Compare::Equal | Compare::NotEqual => None,
    }
}

fn greatest_with_root_at_most(constant: f64) -> f64 {
    // Off by a few numbers at most, in either direction.
    let mut number = constant * constant;
    while number.sqrt() > constant {
        number = number.next_down();
    }
    while number < f64::INFINITY && number.next_up().sqrt() <= constant {
        number = number.next_up();
    }
    number
}

fn least_with_root_at_least(constant: f64) -> f64 {
    let mut number = constant * constant;
    while number.sqrt() < constant {
        number = number.next_up();
    }
    while number > 0.0 && number.next_down().sqrt() >= constant {
        number = number.next_down();
    }
    number
}

/// Operations that are looked through.
const DEPTH: u32 = 6;

/// Whether no value of a node is below zero, as far as a look at a few operations tells. It may be NaN.
fn is_never_negative(graph: &Graph, node: NodeId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match &graph.node(node).op {
        Op::Constant(constant) => constant.as_f64().is_some_and(|value| value >= 0.0),
        Op::Call { function, args } => match (function, &args[..]) {
            (Function::Square | Function::Absolute | Function::Fabs | Function::Sqrt, _)
            | (Function::Hypot | Function::Exp | Function::Exp2, _) => is_float64(graph.node(node).dtype),
            (Function::Multiply, &[a, b]) if a == b => true,
            (Function::Power, &[_, exponent]) => match &graph.node(exponent).op {
                Op::Constant(exponent) => exponent.as_f64() == Some(2.0),
                _ => false,
            },
            // Not so a quotient: a zero may be negative, and what is divided by that.
            (Function::Add | Function::Multiply, args) => {
                args.iter().all(|&arg| is_never_negative(graph, arg, depth))
            }
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPS: [Compare; 4] = [Compare::Greater, Compare::GreaterEqual, Compare::Less, Compare::LessEqual];

    fn holds(op: Compare, a: f64, b: f64) -> bool {
        match op {
            Compare::Greater => a > b,
            Compare::GreaterEqual => a >= b,
            Compare::Less => a < b,
            _ => a <= b,
        }
    }

    fn check(constant: f64) {
        for op in OPS {
            let limit = limit(op, constant).unwrap();
            let mut near =
                vec![limit, constant * constant, 0.0, -0.0, f64::MAX, f64::INFINITY, f64::NAN, 1.0];
            for _ in 0..5 {
                near.extend(near.clone().iter().flat_map(|n| [n.next_up(), n.next_down()]));
                near.truncate(200);
            }
            for number in near.into_iter().filter(|number| number.is_nan() || *number >= 0.0) {
                assert_eq!(
                    holds(op, number.sqrt(), constant),
                    holds(op, number, limit),
                    "sqrt({number:e}) {op:?} {constant:e}, with {limit:e}"
                );
            }
        }
    }

    #[test]
    fn limits_are_exact() {
        for constant in
            [0.0, -0.0, 1.0, 1.5, 30.0, 2_f64.sqrt(), 1e-320, 1e-200, 1e-160, 1e154, 1.4e154, 1e200]
        {
            check(constant);
        }
        for constant in [f64::MAX, f64::INFINITY, f64::MIN_POSITIVE, f64::EPSILON] {
            check(constant);
        }
        let mut state = 1_u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let constant = f64::from_bits(state >> 1);
            if constant.is_finite() {
                check(constant);
            }
        }
    }

    #[test]
    fn some_constants_have_no_limit() {
        assert_eq!(limit(Compare::Greater, f64::NAN), None);
        assert_eq!(limit(Compare::Greater, -1.0), None);
        assert_eq!(limit(Compare::Equal, 1.0), None);
    }
}
