//! Conditions to the rows they hold for.
//!
//! ```text
//! for each stretch of rows:         those of a chunk, but what statistics tell that a condition holds for none of
//!     all rows:     for each of the first conditions that can be looked at in place: and its bits with those so far
//!     for each block of rows:
//!         all rows: for each other condition: compute it; and its bits with those so far
//!     none left: done                                     what later conditions need is not even read
//!     few left:  go on with these rows only:
//!                for each condition that is left: compute it for these; keep those it holds for
//! ```

use std::ops::Range;

use colstore_core::{ReadOptions, Reduction, Rows, Scalar, reduce_parts};
use colstore_kernels::compute::{self, Flags};
use colstore_kernels::mask;

use super::direct::Direct;
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
                for stretch in predicate.stretches(&rows) {
                    let words = words_of(&stretch, rows.start, words);
                    predicate.stretch(machine, stretch, words, &mut scratch)?;
                }
                Ok(())
            })
        })?;
        Ok((rows, predicate.flags()))
    })
}

/// Those of the words of rows from `first` on that are of `rows`, which begin at a word.
fn words_of<'a>(rows: &Range<u64>, first: u64, words: &'a mut [u64]) -> &'a mut [u64] {
    let n_words = ((rows.end - rows.start) as usize).div_ceil(64);
    &mut words[(rows.start - first) as usize / 64..][..n_words]
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
    // For rows that are picked, each by itself: what was computed for all rows is of no use to it.
    let alone = results.iter().map(|&result| Program::new(graph, &[result])).collect::<Result<Vec<_>>>()?;
    let sources_alone =
        alone.iter().map(|program| Sources::new(graph, program, map)).collect::<Result<Vec<_>>>()?;
    let each = conditions.iter().zip(alone.iter().zip(&sources_alone));
    let direct: Vec<Direct<'_>> = match value {
        None => each.map_while(|(&id, (program, sources))| Direct::of(graph, id, program, sources)).collect(),
        // Conditions and value share what they compute, and what they read.
        Some(_) => Vec::new(),
    };
    let together = Program::new(graph, &results[direct.len()..])?;
    let sources = Sources::new(graph, &together, map)?;
    let directly_read = alone[..direct.len()].iter();
    work(&Predicate {
        n_conditions: conditions.len(),
        direct,
        machines: Machines::new(&together, &sources),
        alone: alone
            .iter()
            .zip(&sources_alone)
            .map(|(program, sources)| Machines::new(program, sources))
            .collect(),
        skipped: skip::rows(graph, conditions, map)?,
        block_rows: Machine::block_rows(&together) as u64,
        row_bytes: directly_read
            .chain([&together])
            .flat_map(|program| &program.steps)
            .map(|step| step.width as u64)
            .sum(),
    })
}

struct Predicate<'a> {
    n_conditions: usize,
    /// The first conditions, looked at in place.
    direct: Vec<Direct<'a>>,
    /// The others, and the value.
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
    /// Leaves those bits set that are set here, too; how many.
    fn and_to(&self, words: &mut [u64]) -> u64 {
        words.iter_mut().zip(&self.words).for_each(|(word, other)| *word &= other);
        mask::count(words)
    }

    /// Notes the rows of a block of `n` whose bits are set.
    fn pick(&mut self, words: &[u64], n: usize) {
        let set = mask::count(words) as usize;
        self.positions.resize(set + 64, 0);
        let found = mask::positions(words, 0, n, 0, &mut self.positions);
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

    /// Blocks side by side that are not skipped, of `rows`.
    fn stretches(&self, rows: &Range<u64>) -> Vec<Range<u64>> {
        let mut stretches: Vec<Range<u64>> = Vec::new();
        for block in self.blocks(rows).filter(|block| !self.is_skipped(block)) {
            match stretches.last_mut() {
                Some(last) if last.end == block.start => last.end = block.end,
                _ => stretches.push(block),
            }
        }
        stretches
    }

    /// Sets the bits of a stretch's rows that all conditions hold for; the words are zero.
    fn stretch(
        &self,
        machine: &mut Machine<'_>,
        stretch: Range<u64>,
        words: &mut [u64],
        scratch: &mut Scratch,
    ) -> Result<()> {
        let n = stretch.end - stretch.start;
        for (condition, direct) in self.direct.iter().enumerate() {
            let left = if condition == 0 {
                direct.run(stretch.clone(), words);
                mask::count(words)
            } else {
                scratch.words.clear();
                scratch.words.resize(words.len(), 0);
                direct.run(stretch.clone(), &mut scratch.words);
                scratch.and_to(words)
            };
            if left == 0 || condition + 1 == self.n_conditions {
                return Ok(());
            }
            if left <= n / FEW {
                return self.picked(condition + 1, stretch, words, scratch);
            }
        }
        for block in self.blocks(&stretch) {
            let words = words_of(&block, stretch.start, words);
            self.block(machine, block, words, scratch)?;
        }
        Ok(())
    }

    /// Sets the bits of a block's rows that all conditions hold for. The words are zero, or have those set that the
    /// conditions that were looked at in place hold for.
    fn block(
        &self,
        machine: &mut Machine<'_>,
        block: Range<u64>,
        words: &mut [u64],
        scratch: &mut Scratch,
    ) -> Result<()> {
        let n = (block.end - block.start) as usize;
        let first = self.direct.len();
        let mut left = if first == 0 { n as u64 } else { mask::count(words) };
        for condition in first..self.n_conditions {
            if left == 0 {
                break;
            }
            if condition > 0 && left <= n as u64 / FEW {
                return self.picked(condition, block, words, scratch);
            }
            let result = condition - first;
            machine.run(result..result + 1, block.clone(), None)?;
            let truths = machine.result(result, n);
            left = if condition == 0 {
                compute::pack(truths, words)
            } else {
                scratch.words.resize(words.len(), 0);
                compute::pack(truths, &mut scratch.words);
                scratch.and_to(words)
            };
        }
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
