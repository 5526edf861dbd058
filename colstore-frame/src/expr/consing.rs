//! Nodes of a graph that is being made: each once.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use colstore_format::DType;

use super::graph::{Graph, NodeId, Op, TypedNode};
use super::input::Input;
use super::literal::Constant;

#[derive(Debug, Default)]
pub(super) struct Nodes {
    nodes: Vec<TypedNode>,
    inputs: Vec<Input>,
    known: HashMap<Key, NodeId>,
}

impl Nodes {
    /// The node that does this: the one there is, or a new one.
    pub(super) fn add(&mut self, dtype: DType, op: Op) -> NodeId {
        let next = NodeId(self.nodes.len() as u32);
        let key = Key(TypedNode { dtype, op });
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        self.nodes.push(key.0.clone());
        self.known.insert(key, next);
        next
    }

    pub(super) fn constant(&mut self, constant: Constant) -> NodeId {
        self.add(constant.dtype(), Op::Constant(constant))
    }

    pub(super) fn input(&mut self, input: &Input) -> NodeId {
        let position = self.inputs.iter().position(|known| known == input).unwrap_or_else(|| {
            self.inputs.push(input.clone());
            self.inputs.len() - 1
        });
        self.add(input.dtype(), Op::Input(position))
    }

    pub(super) fn dtype(&self, id: NodeId) -> DType {
        self.nodes[id.index()].dtype
    }

    /// The value of a node that is a constant.
    pub(super) fn value(&self, id: NodeId) -> Option<&Constant> {
        match &self.nodes[id.index()].op {
            Op::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// The graph, without the nodes and inputs that no root needs.
    pub(super) fn into_graph(self, roots: Vec<NodeId>) -> Graph {
        let mut needed = vec![false; self.nodes.len()];
        for root in &roots {
            needed[root.index()] = true;
        }
        for at in (0..self.nodes.len()).rev().filter(|at| needed[*at]).collect::<Vec<_>>() {
            mark(&self.nodes, at, &mut needed);
        }
        let mut graph = Graph { nodes: Vec::new(), inputs: Vec::new(), roots: Vec::new() };
        let mut moved: Vec<NodeId> = Vec::with_capacity(self.nodes.len());
        for (node, needed) in self.nodes.into_iter().zip(needed) {
            moved.push(NodeId(graph.nodes.len() as u32));
            if needed {
                let op = node.op.map_operands(|id| moved[id.index()]);
                let op = match op {
                    Op::Input(input) => {
                        graph.inputs.push(self.inputs[input].clone());
                        Op::Input(graph.inputs.len() - 1)
                    }
                    op => op,
                };
                graph.nodes.push(TypedNode { dtype: node.dtype, op });
            }
        }
        graph.roots = roots.into_iter().map(|root| moved[root.index()]).collect();
        graph
    }
}

/// Marks everything that a needed node takes.
fn mark(nodes: &[TypedNode], from: usize, needed: &mut [bool]) {
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        for operand in nodes[at].op.operands() {
            if !std::mem::replace(&mut needed[operand.index()], true) {
                stack.push(operand.index());
            }
        }
    }
}

/// A node as what tells it from others.
#[derive(Debug)]
struct Key(TypedNode);

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        let same = match (&self.0.op, &other.0.op) {
            (Op::Input(a), Op::Input(b)) => a == b,
            (Op::Constant(a), Op::Constant(b)) => a == b,
            (Op::Cast(_), Op::Cast(_)) => true,
            (Op::Call { function: a, .. }, Op::Call { function: b, .. }) => a == b,
            (Op::IsIn { set: a, negated: m, .. }, Op::IsIn { set: b, negated: n, .. }) => a == b && m == n,
            (Op::Round { decimals: a, .. }, Op::Round { decimals: b, .. }) => a == b,
            (Op::Callback { callback: a, .. }, Op::Callback { callback: b, .. }) => Arc::ptr_eq(a, b),
            _ => false,
        };
        same && self.0.dtype == other.0.dtype && self.0.op.operands() == other.0.op.operands()
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&self.0.op).hash(state);
        self.0.dtype.hash(state);
        self.0.op.operands().hash(state);
        match &self.0.op {
            Op::Input(position) => position.hash(state),
            Op::Constant(constant) => constant.hash(state),
            Op::Call { function, .. } => function.hash(state),
            Op::IsIn { set, negated, .. } => (set, negated).hash(state),
            Op::Round { decimals, .. } => decimals.hash(state),
            Op::Cast(_) | Op::Callback { .. } => {}
        }
    }
}
