//! Expressions bound to columns: every operation with its dtypes, every conversion explicit, everything once.
//!
//! ```text
//!     a < 2 and (a < 2 or b > 1)          a: int32, b: float32
//!
//!     0  Input(0)                 int32
//!     1  Constant 2               int32
//!     2  less(0, 1)               bool
//!     3  Input(1)                 float32
//!     4  Constant 1.0             float32
//!     5  greater(3, 4)            bool
//!     6  logical_or(2, 5)         bool
//!     7  logical_and(2, 6)        bool      root
//! ```
//!
//! Nodes stand in an order in which operands come first, and equal nodes are one. [`Graph::bind`] (in `bind.rs`) makes
//! them.

use std::fmt;
use std::sync::Arc;

use colstore_format::{DType, Kind};

use super::functions::Function;
use super::input::Input;
use super::literal::Constant;
use super::node::Callback;

/// Expressions over the rows of some columns, typed.
#[derive(Debug, Clone)]
pub struct Graph {
    pub(crate) nodes: Vec<TypedNode>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) roots: Vec<NodeId>,
}

/// The position of a node in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The position in [`Graph::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operation and the dtype of its result.
#[derive(Clone, Debug)]
pub struct TypedNode {
    /// Of the result, little-endian.
    pub dtype: DType,
    /// What is done.
    pub op: Op,
}

/// What a node of a [`Graph`] does.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Op {
    /// The values of `inputs[i]`.
    Input(usize),
    /// The same value for every row, of the node's dtype.
    Constant(Constant),
    /// NumPy's `astype` from the operand's dtype to the node's. Between times of different units the count is converted as
    /// NumPy does; NaT stays NaT.
    Cast(NodeId),
    /// A loop of a function.
    ///
    /// The operands have exactly the dtypes that the loop of NumPy's ufunc takes, so that no conversion is left to do:
    ///
    /// - arithmetic, bitwise and minimum-like functions: the same dtype for all operands and the result. `where` and `clip`
    ///   too, but for the condition of `where`, which is boolean;
    /// - comparisons: the same dtype twice, times in the same unit, `S` or `U` of possibly different widths (shorter ones
    ///   are as if padded with NULs). `(int64, uint64)` and `(uint64, int64)`, and either with float64 on the other side,
    ///   are compared exactly, without rounding;
    /// - `logical_*`: booleans;
    /// - float functions (`sqrt`, `sin`, `hypot`, …): float16, float32 or float64 throughout;
    /// - `add` of `S` or `U`: texts, without their padding, one after the other, in the sum of the widths;
    /// - times (`M` datetime, `m` timedelta, all of one unit): `add` M+m, m+M, m+m; `subtract` M−M→m, M−m→M, m−m;
    ///   `multiply` m·int64, int64·m, m·float64, float64·m; `true_divide` m/int64→m, m/float64→m, m/m→float64;
    ///   `floor_divide` m//int64→m, m//float64→m, m//m→int64; `remainder` m%m→m; `negative`, `positive`, `absolute`,
    ///   `sign`→m (1, 0 or −1 as a timedelta) of m; `minimum`-like functions of two M or two m;
    /// - `ldexp`: a float and an int64 (float16 and float32 too).
    Call {
        /// The function.
        function: Function,
        /// The operands, as many as it takes.
        args: Vec<NodeId>,
    },
    /// Whether the value is in the set, which is of the value's dtype; or not, if negated.
    IsIn {
        /// What is looked up.
        value: NodeId,
        /// What it is looked up in.
        set: Arc<SortedSet>,
        /// Whether it is `not in`.
        negated: bool,
    },
    /// `numpy.round` of a float to float of the same dtype, or of an integer with negative decimals.
    Round {
        /// What is rounded.
        value: NodeId,
        /// Digits after the point; before it if negative.
        decimals: i32,
    },
    /// A function of the host; the operands have the dtypes that their nodes say.
    Callback {
        /// The function.
        callback: Arc<dyn Callback>,
        /// The operands.
        args: Vec<NodeId>,
    },
}

impl Op {
    /// The nodes whose results it takes.
    pub fn operands(&self) -> &[NodeId] {
        match self {
            Op::Input(_) | Op::Constant(_) => &[],
            Op::Cast(value) | Op::IsIn { value, .. } | Op::Round { value, .. } => std::slice::from_ref(value),
            Op::Call { args, .. } | Op::Callback { args, .. } => args,
        }
    }
}

impl Op {
    /// The same with other operands.
    pub(crate) fn map_operands(mut self, map: impl Fn(NodeId) -> NodeId) -> Op {
        match &mut self {
            Op::Input(_) | Op::Constant(_) => {}
            Op::Cast(value) | Op::IsIn { value, .. } | Op::Round { value, .. } => *value = map(*value),
            Op::Call { args, .. } | Op::Callback { args, .. } => {
                args.iter_mut().for_each(|arg| *arg = map(*arg));
            }
        }
        self
    }
}

impl Graph {
    /// The nodes; operands come before what takes them.
    pub fn nodes(&self) -> &[TypedNode] {
        &self.nodes
    }

    /// The node at a position.
    pub fn node(&self, id: NodeId) -> &TypedNode {
        &self.nodes[id.index()]
    }

    /// The columns it takes values from, each once.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The results, in the order in which the expressions were given.
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// The dtype of a result.
    pub fn dtype(&self, root: usize) -> DType {
        self.node(self.roots[root]).dtype
    }

    /// The conditions that all must hold for `condition` to hold: the operands of `logical_and` (and `bitwise_and` of
    /// booleans), and theirs, from left to right. A condition that is none of these stands for itself.
    pub fn conjuncts(&self, condition: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut stack = vec![condition];
        while let Some(id) = stack.pop() {
            match &self.node(id).op {
                Op::Call { function: Function::LogicalAnd | Function::BitwiseAnd, args }
                    if args.iter().all(|arg| self.node(*arg).dtype.kind() == Kind::Bool) =>
                {
                    stack.extend(args.iter().rev());
                }
                _ if !found.contains(&id) => found.push(id),
                _ => {}
            }
        }
        found
    }
}

/// One node a line, as in the module's picture: position, dtype, what is done; roots are marked.
impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, node) in self.nodes.iter().enumerate() {
            write!(f, "{at:3}  {:8}  ", node.dtype.to_string())?;
            match &node.op {
                Op::Input(input) => write!(f, "input {input}")?,
                Op::Constant(constant) => write!(f, "{constant:?}")?,
                Op::Cast(_) => f.write_str("cast")?,
                Op::Call { function, .. } => write!(f, "{function}")?,
                Op::IsIn { set, negated, .. } => {
                    write!(f, "{}in {set:?}", if *negated { "not " } else { "" })?;
                }
                Op::Round { decimals, .. } => write!(f, "round to {decimals}")?,
                Op::Callback { callback, .. } => write!(f, "{callback:?}")?,
            }
            for operand in node.op.operands() {
                write!(f, " {}", operand.0)?;
            }
            let is_root = self.roots.iter().any(|root| root.index() == at);
            f.write_str(if is_root { "  <\n" } else { "\n" })?;
        }
        Ok(())
    }
}

/// Values of one dtype in ascending order, none twice.
///
/// Numbers and times are ordered as such, `S` by bytes and `U` by code points. There is no NaN and no NaT, and zero is
/// positive: a negative zero that is looked up must be found at zero.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SortedSet {
    pub(crate) dtype: DType,
    pub(crate) len: usize,
    pub(crate) bytes: Box<[u8]>,
}

impl SortedSet {
    /// The dtype, little-endian.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none, so that nothing is found.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The little-endian values one after the other.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for SortedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SortedSet({} of {})", self.len, self.dtype)
    }
}
