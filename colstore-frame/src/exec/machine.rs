//! The registers of one thread, and the steps of a block.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use colstore_kernels::compute::{self, Flags, Lanes, Operand};

use super::program::{Program, Source, Work};
use super::sources::{Cursors, Sources};
use crate::error::{Error, Result};

/// Rows of a block: registers of eight bytes a row stay in the second-level cache, and most in the first.
const BLOCK_ROWS: usize = 4096;

/// Rows of a block for programs that call functions of the caller's, which may cost as much to call as some thousand
/// rows.
const CALLBACK_ROWS: usize = 4 * BLOCK_ROWS;

/// Bytes of a register at most, if its values are wide.
const REGISTER_BYTES: usize = 256 << 10;

/// Registers and cursors of one thread.
pub(crate) struct Machine<'a> {
    program: &'a Program,
    registers: Vec<Lanes>,
    cursors: Cursors<'a>,
    flags: Flags,
}

/// Machines for all threads, made when needed and used again.
pub(crate) struct Machines<'a> {
    program: &'a Program,
    sources: &'a Sources<'a>,
    idle: Mutex<Vec<Machine<'a>>>,
    flags: AtomicU32,
}

impl<'a> Machines<'a> {
    pub(crate) fn new(program: &'a Program, sources: &'a Sources<'a>) -> Machines<'a> {
        Machines { program, sources, idle: Mutex::default(), flags: AtomicU32::new(0) }
    }

    /// Lends a machine to `work`.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut Machine<'a>) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut machine = taken.unwrap_or_else(|| Machine::new(self.program, self.sources));
        let result = work(&mut machine);
        self.flags.fetch_or(machine.flags.bits(), Ordering::Relaxed);
        machine.flags = Flags::NONE;
        idle().push(machine);
        result
    }

    /// What went on so far.
    pub(crate) fn flags(&self) -> Flags {
        Flags::from_bits_truncate(self.flags.load(Ordering::Relaxed))
    }
}

impl<'a> Machine<'a> {
    fn new(program: &'a Program, sources: &'a Sources<'a>) -> Machine<'a> {
        let registers = vec![Lanes::default(); program.registers.len()];
        Machine { program, registers, cursors: sources.cursors(), flags: Flags::NONE }
    }

    /// Rows of a block of this program: a power of two times 64, and a divisor of 32,768.
    pub(crate) fn block_rows(program: &Program) -> usize {
        let calls_back = program.steps.iter().any(|step| matches!(step.work, Work::Callback { .. }));
        let mut rows = if calls_back { CALLBACK_ROWS } else { BLOCK_ROWS };
        while rows > 64 && rows * program.widest > REGISTER_BYTES {
            rows /= 2;
        }
        rows
    }

    /// Runs the steps of results `results` for rows `range`, or for those of them that `picks` counts from its start.
    /// Steps of results before must have been run for the same rows.
    pub(crate) fn run(
        &mut self,
        results: Range<usize>,
        range: Range<u64>,
        picks: Option<&[u32]>,
    ) -> Result<()> {
        let program = self.program;
        let end = |result: usize| if result == 0 { 0 } else { program.results[result - 1].end };
        let n = picks.map_or((range.end - range.start) as usize, <[u32]>::len);
        for step in &program.steps[end(results.start)..end(results.end)] {
            // Taken out, so that operands can be lent while it is written.
            let mut out = std::mem::take(&mut self.registers[step.out]);
            out.grow(n * step.width);
            let done = self.step(
                &step.work,
                &step.operands,
                &mut out.bytes_mut()[..n * step.width],
                step.width,
                n,
                &range,
                picks,
            );
            self.registers[step.out] = out;
            done?;
        }
        Ok(())
    }

    /// Runs the steps of one result for rows of which some were not asked for, if nobody can tell: false, and of no
    /// consequence, if a function of the caller's would see them, or if any of them is an error or worth a warning.
    pub(crate) fn run_unnoticed(&mut self, result: usize, range: Range<u64>) -> bool {
        let first = if result == 0 { 0 } else { self.program.results[result - 1].end };
        let steps = &self.program.steps[first..self.program.results[result].end];
        if steps.iter().any(|step| matches!(step.work, Work::Callback { .. })) {
            return false;
        }
        let before = std::mem::replace(&mut self.flags, Flags::NONE);
        let is_quiet = self.run(result..result + 1, range, None).is_ok() && self.flags == Flags::NONE;
        self.flags = before;
        is_quiet
    }

    #[allow(clippy::too_many_arguments, reason = "a step's parts and where it is run")]
    fn step(
        &mut self,
        work: &Work,
        operands: &[Source],
        out: &mut [u8],
        width: usize,
        n: usize,
        range: &Range<u64>,
        picks: Option<&[u32]>,
    ) -> Result<()> {
        if let Work::Load { slot, is_bool } = *work {
            self.cursors.read(slot, range.clone(), picks, out)?;
            if is_bool {
                out.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
            }
            return Ok(());
        }
        let mut all = [Operand::Constant(&[]); 3];
        let lend = |source: Source| match source {
            Source::Register(register) => Operand::Column(self.registers[register].bytes()),
            Source::Constant(constant) => Operand::Constant(self.program.constants[constant].bytes()),
        };
        if let Work::Callback { callback, dtypes } = work {
            let spread: Vec<Vec<u8>> = operands
                .iter()
                .zip(dtypes)
                .map(|(&source, dtype)| match lend(source) {
                    Operand::Column(_) => Vec::new(),
                    Operand::Constant(value) => value[..dtype.itemsize()].repeat(n),
                })
                .collect();
            let args: Vec<&[u8]> = operands
                .iter()
                .zip(dtypes.iter().zip(&spread))
                .map(|(&source, (dtype, spread))| match lend(source) {
                    Operand::Column(bytes) => &bytes[..n * dtype.itemsize()],
                    Operand::Constant(_) => &spread[..],
                })
                .collect();
            return Ok(callback.call(&args, dtypes, n, out)?);
        }
        for (slot, &source) in all.iter_mut().zip(operands) {
            *slot = lend(source);
        }
        let operands = &all[..operands.len()];
        match work {
            Work::Kernel(kernel) => {
                self.flags |= kernel.run(operands, out, n);
                if self.flags.contains(Flags::NEGATIVE_POWER) {
                    return Err(Error::value(
                        "integers to negative integer powers are not allowed; cast to a float first",
                    ));
                }
            }
            Work::CompareText { op, unit, widths } => {
                compute::compare_text(*op, *unit, [operands[0], operands[1]], *widths, out, n);
            }
            Work::IsIn { set, negated } => match operands[0] {
                Operand::Column(values) => set.contains(values, *negated, out, n),
                Operand::Constant(value) => {
                    let mut one = [0];
                    set.contains(value, *negated, &mut one, 1);
                    out.fill(one[0]);
                }
            },
            Work::IsInText { set, unit, width, negated } => {
                let of_set = set.dtype().itemsize().max(1);
                for (i, out) in out.iter_mut().enumerate() {
                    let value = match operands[0] {
                        Operand::Column(bytes) => &bytes[i * width..(i + 1) * width],
                        Operand::Constant(bytes) => &bytes[..*width],
                    };
                    let found = is_in(set.bytes(), of_set, |other| compute::order_text(*unit, other, value));
                    *out = u8::from(found != *negated);
                }
            }
            Work::Text(text) => text.run(operands, out, width, n)?,
            Work::Time(cast) => {
                let step = usize::from(matches!(operands[0], Operand::Column(_)));
                let (Operand::Column(values) | Operand::Constant(values)) = operands[0];
                let values = values.as_chunks::<8>().0;
                for (i, out) in out.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                    *out = native(cast.apply(read(values[i * step])));
                }
            }
            Work::Broadcast => {
                let (Operand::Column(value) | Operand::Constant(value)) = operands[0];
                if width > 0 {
                    out.chunks_exact_mut(width).for_each(|out| out.copy_from_slice(&value[..width]));
                }
            }
            Work::Load { .. } | Work::Callback { .. } => {}
        }
        Ok(())
    }

    /// The `n` values of a result, after its steps.
    pub(crate) fn result(&self, result: usize, n: usize) -> &[u8] {
        let place = &self.program.results[result];
        &self.registers[place.register].bytes()[..n * place.width]
    }
}

#[allow(clippy::host_endian_bytes, reason = "registers are in native order")]
fn read(bytes: [u8; 8]) -> i64 {
    i64::from_ne_bytes(bytes)
}

#[allow(clippy::host_endian_bytes, reason = "registers are in native order")]
fn native(value: i64) -> [u8; 8] {
    value.to_ne_bytes()
}

/// Binary search among values of `width` bytes.
fn is_in(values: &[u8], width: usize, order: impl Fn(&[u8]) -> std::cmp::Ordering) -> bool {
    let (mut low, mut high) = (0, values.len() / width);
    while low < high {
        let middle = low + (high - low) / 2;
        match order(&values[middle * width..(middle + 1) * width]) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}
