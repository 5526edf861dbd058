//! Conditions to the rows they hold for.
//!
//! ```text
//! for each block of rows:
//!     skip it if statistics tell that a condition holds for none of its records' rows
//!     all rows:    for each condition that must hold: compute it; and its bits with those so far
//!                  none left: done                        what later conditions need is not even read
//!                  few left:  go on with these rows only
//!     rows picked: for each condition that is left: compute it for these; keep those it holds for
//! ```

use std::ops::Range;

use colstore_core::{ReadOptions, Reduction, Rows, Scalar, reduce_parts};
use colstore_kernels::compute::{self, Flags};

use super::machine::{Machine, Machines};
use super::program::Program;
use super::skip;
use super::sources::{RowMap, Sources};
use crate::error::{Error, Result};
use crate::expr::{Graph, NodeId};

/// A block goes on with the rows that are left if they are at most one in so many.
const FEW: u64 = 8;

/// The rows that a condition holds for, as positions among those of `map`; and what went on.
pub(crate) fn select(
    graph: &Graph,
    condition: NodeId,
    map: &RowMap<'_>,
    options: &ReadOptions<'_>,
) -> Result<(Rows<'static>, Flags)> {
    let conditions = graph.conjuncts(condition);
    with_predicate(graph, &conditions, None, map, |predicate| {
        let n_rows = map.len();
        let bytes = n_rows.saturating_mul(predicate.row_bytes);
        let rows = Rows::filled::<Error>(n_rows, bytes, options, &|rows, words| {
            predicate.machines.with(|machine| {
                let mut scratch = Scratch::default();
                for block in predicate.blocks(&rows) {
                    let (n, from) =
                        ((block.end - block.start) as usize, (block.start - rows.start) as usize / 64);
                    let words = &mut words[from..from + n.div_ceil(64)];
                    if !predicate.is_skipped(&block) {
                        predicate.block(machine, block, words, &mut scratch)?;
                    }
                }
                Ok(())
            })
        })?;
        Ok((rows, predicate.flags()))
    })
}

/// Rows that one thread computes, and reduces what is left of them, before it takes the next.
const PART_ROWS: u64 = 1 << 15;
/// Parts at most; beyond that they are made larger.
const MOST_PARTS: u64 = 1 << 16;

/// Rows of a part of `n_rows` rows. Parts that keep all their rows are those that a column is reduced by.
pub(crate) fn part_rows(n_rows: u64) -> u64 {
    PART_ROWS.max(n_rows.div_ceil(MOST_PARTS).next_power_of_two())
}

/// `value` for the rows that `condition` holds for, reduced to one value in one pass.
pub(crate) fn reduce(
    graph: &Graph,
    [condition, value]: [NodeId; 2],
    map: &RowMap<'_>,
    (reduction, ddof): (Reduction, f64),
    options: &ReadOptions<'_>,
) -> Result<(Scalar, Flags)> {
    let conditions = graph.conjuncts(condition);
    let dtype = graph.node(value).dtype;
    let width = dtype.itemsize();
    with_predicate(graph, &conditions, Some(value), map, |predicate| {
        let n_rows = map.len();
        let part_rows = part_rows(n_rows);
        let size = (n_rows.div_ceil(part_rows) as usize, n_rows.saturating_mul(predicate.row_bytes));
        let scalar = reduce_parts::<Error>(dtype, size, reduction, ddof, options, &|part, out| {
            let first = part as u64 * part_rows;
            let rows = first..n_rows.min(first + part_rows);
            predicate.machines.with(|machine| {
                let mut scratch = Scratch::default();
                let mut words = Vec::new();
                for block in predicate.blocks(&rows).filter(|block| !predicate.is_skipped(block)) {
                    words.clear();
                    words.resize(((block.end - block.start) as usize).div_ceil(64), 0);
                    predicate.block(machine, block.clone(), &mut words, &mut scratch)?;
                    predicate.values(machine, block, &words, width, &mut scratch, out)?;
                }
                Ok(())
            })
        })?;
        Ok((scalar, predicate.flags()))
    })
}

/// Compiles conditions, and a value that is wanted where they hold, and hands them to `work`.
fn with_predicate<R>(
    graph: &Graph,
    conditions: &[NodeId],
    value: Option<NodeId>,
    map: &RowMap<'_>,
    work: impl FnOnce(&Predicate<'_>) -> Result<R>,
) -> Result<R> {
    let results: Vec<NodeId> = conditions.iter().copied().chain(value).collect();
    let together = Program::new(graph, &results)?;
    // For rows that are picked, each by itself: what was computed for all rows is of no use to it.
    let alone = results.iter().map(|&result| Program::new(graph, &[result])).collect::<Result<Vec<_>>>()?;
    let sources = Sources::new(graph, &together, map)?;
    let sources_alone =
        alone.iter().map(|program| Sources::new(graph, program, map)).collect::<Result<Vec<_>>>()?;
    work(&Predicate {
        n_conditions: conditions.len(),
        machines: Machines::new(&together, &sources),
        alone: alone
            .iter()
            .zip(&sources_alone)
            .map(|(program, sources)| Machines::new(program, sources))
            .collect(),
        skipped: skip::rows(graph, conditions, map)?,
        block_rows: Machine::block_rows(&together) as u64,
        row_bytes: together.steps.iter().map(|step| step.width as u64).sum(),
    })
}

struct Predicate<'a> {
    n_conditions: usize,
    machines: Machines<'a>,
    alone: Vec<Machines<'a>>,
    /// Runs of rows for which it does not hold, in order.
    skipped: Vec<Range<u64>>,
    block_rows: u64,
    /// Bytes that are moved for a row, about.
    row_bytes: u64,
}

#[derive(Default)]
struct Scratch {
    words: Vec<u64>,
    positions: Vec<u64>,
    picks: Vec<u32>,
}

impl Scratch {
    /// Notes the rows of a block of `n` whose bits are set.
    fn pick(&mut self, words: &[u64], n: usize) {
        self.positions.resize(n + 64, 0);
        let found = colstore_kernels::mask::positions(words, 0, n, 0, &mut self.positions);
        self.picks.clear();
        self.picks.extend(self.positions[..found].iter().map(|&position| position as u32));
    }
}

impl Predicate<'_> {
    fn blocks(&self, rows: &Range<u64>) -> impl Iterator<Item = Range<u64>> + use<> {
        let (end, block_rows) = (rows.end, self.block_rows);
        rows.clone().step_by(block_rows as usize).map(move |start| start..end.min(start + block_rows))
    }

    fn flags(&self) -> Flags {
        self.alone.iter().fold(self.machines.flags(), |flags, alone| flags | alone.flags())
    }

    /// Appends the value of a block's rows whose bits are set, after its conditions.
    fn values(
        &self,
        machine: &mut Machine<'_>,
        block: Range<u64>,
        words: &[u64],
        width: usize,
        scratch: &mut Scratch,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let n = (block.end - block.start) as usize;
        let left = words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let value = self.n_conditions;
        if left == 0 {
            return Ok(());
        }
        if left <= n as u64 / FEW || !machine.run_unnoticed(value, block.clone()) {
            scratch.pick(words, n);
            return self.alone[value].with(|machine| {
                machine.run(0..1, block, Some(&scratch.picks))?;
                out.extend_from_slice(machine.result(0, scratch.picks.len()));
                Ok(())
            });
        }
        // So many are left only where all conditions were computed for all rows.
        compute::compress(width, machine.result(value, n), words, n, out);
        Ok(())
    }

    fn is_skipped(&self, block: &Range<u64>) -> bool {
        let at = self.skipped.partition_point(|run| run.end < block.end);
        self.skipped.get(at).is_some_and(|run| run.start <= block.start)
    }

    /// Sets the bits of a block's rows that all conditions hold for; the words are zero.
    fn block(
        &self,
        machine: &mut Machine<'_>,
        block: Range<u64>,
        words: &mut [u64],
        scratch: &mut Scratch,
    ) -> Result<()> {
        let n = (block.end - block.start) as usize;
        let mut left = n as u64;
        for condition in 0..self.n_conditions {
            machine.run(condition..condition + 1, block.clone(), None)?;
            let truths = machine.result(condition, n);
            if condition == 0 {
                left = compute::pack(truths, words);
            } else {
                scratch.words.resize(words.len(), 0);
                compute::pack(truths, &mut scratch.words);
                left = 0;
                for (word, &other) in words.iter_mut().zip(&scratch.words) {
                    *word &= other;
                    left += u64::from(word.count_ones());
                }
            }
            if left == 0 {
                return Ok(());
            }
            if left <= n as u64 / FEW && condition + 1 < self.n_conditions {
                return self.picked(condition + 1, block, words, scratch);
            }
        }
        let _ = left;
        Ok(())
    }

    /// Goes on with the rows whose bits are set.
    fn picked(
        &self,
        first: usize,
        block: Range<u64>,
        words: &mut [u64],
        scratch: &mut Scratch,
    ) -> Result<()> {
        scratch.pick(words, (block.end - block.start) as usize);
        for alone in &self.alone[first..self.n_conditions] {
            alone.with(|machine| {
                machine.run(0..1, block.clone(), Some(&scratch.picks))?;
                let mut truths = machine.result(0, scratch.picks.len()).iter();
                scratch.picks.retain(|_| truths.next().is_some_and(|&truth| truth != 0));
                Ok::<(), Error>(())
            })?;
            if scratch.picks.is_empty() {
                break;
            }
        }
        words.fill(0);
        for &pick in &scratch.picks {
            words[pick as usize / 64] |= 1 << (pick % 64);
        }
        Ok(())
    }
}
