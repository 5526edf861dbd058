//! The states that a disk may be in after some steps: for whoever was killed, and after a power cut.

#![allow(clippy::unwrap_used, reason = "for tests")]

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;

use super::recording::{Contents, FileId, Step};

/// Blocks that a disk writes whole.
const BLOCKS: [u64; 2] = [4096, 512];
/// Random choices of what was kept, for each file and step.
const RANDOM: u64 = 6;

/// Everything that was done, and the next step half done.
pub(super) fn after_kill(before: &Contents, done: &[Step], next: Option<&Step>) -> Vec<Contents> {
    let mut contents = before.clone();
    for step in done {
        apply_data(&mut contents.files, step);
        apply_name(&mut contents, step);
    }
    let mut states = vec![contents.clone()];
    // Small writes are carried out in one go.
    if let Some(Step::Write { file, offset, bytes }) = next
        && bytes.len() > 512
    {
        let bytes = bytes[..bytes.len() / 2].to_vec();
        apply_data(&mut contents.files, &Step::Write { file: *file, offset: *offset, bytes });
        states.push(contents);
    }
    states
}

/// Every choice of what was not flushed: of the changes of names, and of each file's data.
pub(super) fn after_power_cut(before: &Contents, done: &[Step]) -> Vec<Contents> {
    let mut durable = before.clone();
    let mut data: BTreeMap<FileId, Vec<&Step>> = BTreeMap::new();
    let mut names: Vec<&Step> = Vec::new();
    for step in done {
        match step {
            Step::Write { file, .. } | Step::SetLen { file, .. } | Step::Reserve { file, .. } => {
                data.entry(*file).or_default().push(step);
            }
            Step::Flush { file } => {
                for step in data.remove(file).unwrap_or_default() {
                    apply_data(&mut durable.files, step);
                }
            }
            Step::Create { .. } | Step::Link { .. } | Step::Rename { .. } | Step::Remove { .. } => {
                names.push(step);
            }
            Step::FlushDirectory { path } => {
                names.retain(|step| {
                    let here = directory_of(step) == path;
                    if here {
                        apply_name(&mut durable, step);
                    }
                    !here
                });
            }
            Step::SetMode { .. } | Step::CreateDirectories { .. } | Step::Committed => {}
        }
    }
    for step in done {
        if let Step::Create { file, .. } = step {
            durable.files.entry(*file).or_default();
        }
    }
    let mut states = Vec::new();
    for kept_names in subsets(&names) {
        let mut contents = durable.clone();
        kept_names.iter().for_each(|step| apply_name(&mut contents, step));
        if data.is_empty() {
            states.push(contents);
            continue;
        }
        // One file in every state, the others as they were flushed and as they were written.
        for (&file, pending) in &data {
            for others_kept in [false, true] {
                let mut contents = contents.clone();
                for (other, pending) in data.iter().filter(|(other, _)| others_kept && **other != file) {
                    debug_assert!(*other != file);
                    pending.iter().for_each(|step| apply_data(&mut contents.files, step));
                }
                for kept in choices(pending) {
                    let mut contents = contents.clone();
                    kept.iter().for_each(|step| apply_data(&mut contents.files, step));
                    states.push(contents);
                }
                if data.len() == 1 {
                    break;
                }
            }
        }
    }
    states
}

/// What may be on the disk of `steps`, which were not flushed.
fn choices(steps: &[&Step]) -> Vec<Vec<Step>> {
    let whole = |steps: &[&Step]| -> Vec<Step> { steps.iter().map(|step| (*step).clone()).collect() };
    let mut choices: Vec<Vec<Step>> = subsets(steps).iter().map(|kept| whole(kept)).collect();
    for (i, step) in steps.iter().enumerate() {
        let Step::Write { file, offset, bytes } = step else { continue };
        let stop = offset + bytes.len() as u64;
        for block in BLOCKS {
            let bounds: Vec<u64> =
                (offset / block + 1..).map(|n| n * block).take_while(|b| *b < stop).collect();
            let some = [bounds.first(), bounds.get(bounds.len() / 2), bounds.last()];
            for bound in some.into_iter().flatten() {
                let at = (bound - offset) as usize;
                for (offset, bytes) in [(*offset, &bytes[..at]), (*bound, &bytes[at..])] {
                    let mut kept = whole(&steps[..i]);
                    kept.push(Step::Write { file: *file, offset, bytes: bytes.to_vec() });
                    choices.push(kept);
                }
            }
        }
        // The file is longer, but what was written is not there.
        let mut kept = whole(&steps[..i]);
        kept.push(Step::Reserve { file: *file, to: stop });
        choices.push(kept);
    }
    choices
}

/// Some subsets, in order: none, all, prefixes, each one alone and each one left out, and random ones; all of few.
fn subsets<'a>(steps: &[&'a Step]) -> Vec<Vec<&'a Step>> {
    let n = steps.len();
    let pick = |keep: &dyn Fn(usize) -> bool| (0..n).filter(|i| keep(*i)).map(|i| steps[i]).collect();
    if n <= 4 {
        return (0..1 << n).map(|bits: usize| pick(&|i| bits >> i & 1 == 1)).collect();
    }
    let mut subsets: Vec<Vec<&Step>> = (0..=n).map(|stop| pick(&|i| i < stop)).collect();
    for one in 0..n {
        subsets.push(pick(&|i| i == one));
        subsets.push(pick(&|i| i != one));
    }
    for seed in 0..RANDOM {
        let bits = hash_of(&(seed, n));
        subsets.push(pick(&|i| bits >> (i % 64) & 1 == 1));
    }
    subsets
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn directory_of(step: &Step) -> &Path {
    match step {
        Step::Create { path, .. }
        | Step::Link { path, .. }
        | Step::Remove { path }
        | Step::Rename { to: path, .. } => path.parent().unwrap(),
        _ => unreachable!("no change of a name"),
    }
}

fn apply_data(files: &mut BTreeMap<FileId, Vec<u8>>, step: &Step) {
    match step {
        Step::Write { file, offset, bytes } => {
            let contents = files.entry(*file).or_default();
            let stop = *offset as usize + bytes.len();
            contents.resize(contents.len().max(stop), 0);
            contents[*offset as usize..stop].copy_from_slice(bytes);
        }
        Step::SetLen { file, len } => files.entry(*file).or_default().resize(*len as usize, 0),
        Step::Reserve { file, to } => {
            let contents = files.entry(*file).or_default();
            contents.resize(contents.len().max(*to as usize), 0);
        }
        _ => {}
    }
}

fn apply_name(contents: &mut Contents, step: &Step) {
    match step {
        Step::Create { path, file } => {
            contents.files.entry(*file).or_default();
            contents.names.insert(path.clone(), *file);
        }
        Step::Link { path, file } => {
            contents.names.insert(path.clone(), *file);
        }
        Step::Rename { from, to, file } => {
            contents.names.remove(from);
            contents.names.insert(to.clone(), *file);
        }
        Step::Remove { path } => {
            contents.names.remove(path);
        }
        _ => {}
    }
}
