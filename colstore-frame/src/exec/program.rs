//! What is done for every block of rows.
//!
//! A step takes values from registers or constants and writes one register. Steps stand in the order in which they are
//! needed: first all that the first result takes, then what the second takes besides, and so on. A register is used again
//! as soon as nobody wants its values any more.

use std::collections::HashMap;
use std::sync::Arc;

use colstore_format::DType;
use colstore_kernels::compute::{Compare, Kernel, Lanes, Set, TextUnit};

use super::calendar::TimeCast;
use super::texts::TextWork;
use crate::error::Result;
use crate::expr::{Callback, Graph, NodeId, SortedSet};

/// A graph's results, compiled.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) steps: Vec<Step>,
    /// Bytes of a value in each register.
    pub(crate) registers: Vec<usize>,
    /// One value each, aligned.
    pub(crate) constants: Vec<Lanes>,
    pub(crate) results: Vec<ResultPlace>,
    /// The most bytes a row takes in one register.
    pub(crate) widest: usize,
    /// The graph's inputs that are loaded, by slot.
    pub(crate) slots: Vec<usize>,
}

/// Where a result is after its steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResultPlace {
    /// Steps up to here have to be run for it, from where those of the result before end.
    pub(crate) end: usize,
    pub(crate) register: usize,
    pub(crate) width: usize,
}

/// Where an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Register(usize),
    Constant(usize),
}

#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) work: Work,
    pub(crate) operands: Vec<Source>,
    pub(crate) out: usize,
    /// Bytes of a result.
    pub(crate) width: usize,
}

#[derive(Debug)]
pub(crate) enum Work {
    /// Values of an input; truth values become 0 or 1.
    Load {
        slot: usize,
        is_bool: bool,
    },
    Kernel(Kernel),
    CompareText {
        op: Compare,
        unit: TextUnit,
        widths: [usize; 2],
    },
    IsIn {
        set: Box<Set>,
        negated: bool,
    },
    IsInText {
        set: Arc<SortedSet>,
        unit: TextUnit,
        width: usize,
        negated: bool,
    },
    Text(TextWork),
    Time(TimeCast),
    Callback {
        callback: Arc<dyn Callback>,
        dtypes: Vec<DType>,
    },
    /// One value for every row.
    Broadcast,
}

/// A program in the making: each step has a register of its own.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) steps: Vec<Step>,
    pub(super) constants: Vec<Lanes>,
    pub(super) nodes: HashMap<NodeId, Source>,
    pub(super) slots: Vec<usize>,
}

impl Builder {
    /// Adds a step; its result.
    pub(super) fn emit(&mut self, work: Work, operands: &[Source], width: usize) -> Source {
        let out = self.steps.len();
        self.steps.push(Step { work, operands: operands.to_vec(), out, width });
        Source::Register(out)
    }

    pub(super) fn kernel(&mut self, kernel: Kernel, operands: &[Source]) -> Source {
        let width = kernel.out_width();
        self.emit(Work::Kernel(kernel), operands, width)
    }

    /// A constant of these native bytes.
    pub(super) fn constant(&mut self, bytes: &[u8]) -> Source {
        let mut lanes = Lanes::new(bytes.len());
        lanes.bytes_mut().copy_from_slice(bytes);
        self.constants.push(lanes);
        Source::Constant(self.constants.len() - 1)
    }
}

impl Program {
    /// The program of some nodes of a graph, in this order.
    pub(crate) fn new(graph: &Graph, results: &[NodeId]) -> Result<Program> {
        let mut builder = Builder::default();
        let mut places = Vec::with_capacity(results.len());
        for &id in results {
            builder.lower(graph, id)?;
            let width = graph.node(id).dtype.itemsize();
            let source = match builder.nodes[&id] {
                constant @ Source::Constant(_) => {
                    let source = builder.emit(Work::Broadcast, &[constant], width);
                    builder.nodes.insert(id, source);
                    source
                }
                register => register,
            };
            let Source::Register(register) = source else { continue };
            places.push(ResultPlace { end: builder.steps.len(), register, width });
        }
        Ok(assign(builder, places))
    }
}

/// Gives steps registers that others are done with.
fn assign(builder: Builder, mut results: Vec<ResultPlace>) -> Program {
    let Builder { mut steps, constants, slots, .. } = builder;
    // The step that takes a value last; results are wanted to the end.
    let mut last_use: Vec<usize> = (0..steps.len()).collect();
    for (at, step) in steps.iter().enumerate() {
        for operand in &step.operands {
            if let Source::Register(register) = *operand {
                last_use[register] = at;
            }
        }
    }
    for result in &results {
        last_use[result.register] = usize::MAX;
    }
    let mut registers: Vec<usize> = Vec::new();
    let mut free: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut places = vec![0; steps.len()];
    for at in 0..steps.len() {
        let width = steps[at].width;
        // Taken before operands are given back: a step does not write what it reads.
        let place = free.get_mut(&width).and_then(Vec::pop).unwrap_or_else(|| {
            registers.push(width);
            registers.len() - 1
        });
        places[at] = place;
        let mut given_back: Vec<usize> = Vec::new();
        for operand in &mut steps[at].operands {
            if let Source::Register(register) = *operand {
                *operand = Source::Register(places[register]);
                if last_use[register] == at && !given_back.contains(&register) {
                    given_back.push(register);
                }
            }
        }
        for register in given_back {
            free.entry(registers[places[register]]).or_default().push(places[register]);
        }
        if last_use[at] == at {
            free.entry(width).or_default().push(place);
        }
        steps[at].out = place;
    }
    for result in &mut results {
        result.register = places[result.register];
    }
    let widest = registers.iter().copied().max().unwrap_or(1).max(1);
    Program { steps, registers, constants, results, widest, slots }
}
