//! `colstore calibration`: measure what suits this machine, keep it, show what is kept, forget it.

use colstore_core::calibrate_threads;

use crate::args::{CalibrationAction, CalibrationArguments, RunArguments, Target, TargetsArguments};
use crate::calibration_cache::{self as cache, Kept};
use crate::failure::Failure;
use crate::output::Output;
use crate::value::text::printable;

pub(crate) fn run(arguments: &CalibrationArguments, output: &mut Output) -> Result<(), Failure> {
    match &arguments.action {
        CalibrationAction::Run(options) => measure(options, output),
        CalibrationAction::Show(options) => show(options, output),
        CalibrationAction::Clear(options) => clear(options, output),
    }
}

/// Measures, prints every figure, and keeps the result.
pub(crate) fn measure(arguments: &RunArguments, output: &mut Output) -> Result<(), Failure> {
    let rounds = arguments.threads_rounds.unwrap_or(arguments.rounds);
    output.line(&format!("Calibrating threads (rounds={rounds})..."))?;
    // Shown before it takes its time.
    output.flush()?;
    let measured = calibrate_threads(rounds, None)?;
    for (threads, speed) in &measured.measured {
        output.line(&format!("  threads {threads:>3}: {speed:.2} GB/s"))?;
    }
    output.line(&format!("  -> {}", measured.threads))?;
    if arguments.no_persist {
        return output.line("not kept (--no-persist)");
    }
    let path = cache::write_threads(&measured).map_err(|(path, error)| {
        Failure::Request(format!("cannot keep the result in {}: {error}", path.display()))
    })?;
    let directory = path.parent().unwrap_or(&path);
    output.line(&format!("cache: {}", printable(&directory.to_string_lossy())))
}

fn show(arguments: &TargetsArguments, output: &mut Output) -> Result<(), Failure> {
    output.line(&format!("fingerprint: {}", printable(&cache::fingerprint())))?;
    for target in arguments.in_order() {
        let path = cache::path_of(target).map_or("(no directory)".into(), |path| path.display().to_string());
        output.line(&format!("{} cache: {}", target.name(), printable(&path)))?;
        let applied = match cache::read(target) {
            Kept::Absent => {
                output.line("  (absent)")?;
                continue;
            }
            Kept::Unreadable => {
                output.line("  (no calibration, or one that cannot be read)")?;
                None
            }
            Kept::Here(value) => {
                output.line("  fingerprint: MATCHES this machine")?;
                value
            }
            Kept::Elsewhere(fingerprint) => {
                output.line(&format!("  fingerprint: DIFFERENT machine ({})", printable(&fingerprint)))?;
                None
            }
        };
        output.line(&format!("  applied value: {}", printable(applied.as_deref().unwrap_or("None"))))?;
    }
    Ok(())
}

fn clear(arguments: &TargetsArguments, output: &mut Output) -> Result<(), Failure> {
    for target in arguments.in_order() {
        let was_there = cache::remove(target).map_err(|error| {
            Failure::Request(format!("cannot remove what is kept for {}: {error}", target.name()))
        })?;
        let outcome = if was_there { "removed" } else { "no cache present" };
        output.line(&format!("{}: {outcome}", target.name()))?;
    }
    Ok(())
}

impl Target {
    /// As it is written on the command line.
    fn name(self) -> &'static str {
        match self {
            Target::Threads => "threads",
            Target::Prefetch => "prefetch",
            Target::MaskDensity => "mask-density",
        }
    }
}

impl TargetsArguments {
    /// Those asked for, all if none is, each once and always in the same order.
    fn in_order(&self) -> impl Iterator<Item = Target> + use<'_> {
        [Target::Threads, Target::Prefetch, Target::MaskDensity]
            .into_iter()
            .filter(|target| self.targets.is_empty() || self.targets.contains(target))
    }
}
