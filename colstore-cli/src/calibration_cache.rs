//! Where results of calibrations are kept, for later processes on the same machine.
//!
//! JSON objects in `$XDG_CACHE_HOME/colstore`, else `~/.cache/colstore`, one file a target. The Python package reads
//! and writes the same files (`bindings/python/colstore/calibration_cache.py`); it applies them when it is
//! imported. What was measured on another machine counts for nothing, and the fingerprint tells.

use std::io;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use colstore_core::Calibration;
use serde_json::Value;

use crate::args::Target;
use crate::output::json_string;

const VERSION: u32 = 1;
/// More threads than this are taken for a damaged file.
const LARGEST_CAP: u64 = 4096;

/// What a file says.
#[derive(Debug, PartialEq)]
pub(crate) enum Kept {
    /// There is no file.
    Absent,
    /// It is no calibration, or one that cannot be read.
    Unreadable,
    /// Measured on this machine, with the value as text; `None` if that is not one that could have been measured.
    Here(Option<String>),
    /// Measured on a machine of this fingerprint.
    Elsewhere(String),
}

/// The directory of the files; `None` if nothing says where it could be.
pub(crate) fn directory() -> Option<PathBuf> {
    let base = match std::env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => std::env::home_dir()?.join(".cache"),
    };
    Some(base.join("colstore"))
}

/// The file of one target, which need not be there.
pub(crate) fn path_of(target: Target) -> Option<PathBuf> {
    let name = match target {
        Target::Threads => "threads.json",
        Target::Prefetch => "prefetch.json",
        Target::MaskDensity => "mask_density.json",
    };
    Some(directory()?.join(name))
}

/// What must be equal for a result to count: processor, cores, operating system.
pub(crate) fn fingerprint() -> String {
    let machine = colstore_core::machine();
    let system = rustix::system::uname();
    format!(
        "v{VERSION}|{}|phys={}|log={}|{}",
        system.machine().to_string_lossy(),
        machine.physical_cores,
        machine.logical_cores,
        system.sysname().to_string_lossy()
    )
}

/// What is kept for one target.
pub(crate) fn read(target: Target) -> Kept {
    let Some(path) = path_of(target) else { return Kept::Absent };
    match std::fs::read(path) {
        Ok(bytes) => parse(target, &bytes, &fingerprint()),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Kept::Absent
        }
        Err(_) => Kept::Unreadable,
    }
}

fn parse(target: Target, bytes: &[u8], here: &str) -> Kept {
    let Ok(Value::Object(kept)) = serde_json::from_slice(bytes) else { return Kept::Unreadable };
    match kept.get("fingerprint") {
        Some(Value::String(fingerprint)) if fingerprint == here => {}
        Some(Value::String(fingerprint)) => return Kept::Elsewhere(fingerprint.clone()),
        _ => return Kept::Unreadable,
    }
    Kept::Here(match target {
        Target::Threads => kept
            .get("thread_cap")
            .and_then(Value::as_u64)
            .filter(|cap| (1..=LARGEST_CAP).contains(cap))
            .map(|cap| cap.to_string()),
        Target::Prefetch => {
            kept.get("prefetch_distances").filter(|table| table.is_object()).map(Value::to_string)
        }
        Target::MaskDensity => {
            kept.get("gate").and_then(Value::as_f64).filter(|&gate| gate >= 0.0).map(|gate| gate.to_string())
        }
    })
}

/// Keeps what was measured about threads. The file is whole or not there; returns the path that could not be written.
pub(crate) fn write_threads(measured: &Calibration) -> Result<PathBuf, (PathBuf, io::Error)> {
    let nowhere =
        || (PathBuf::from("threads.json"), io::Error::other("neither XDG_CACHE_HOME nor HOME is set"));
    let path = path_of(Target::Threads).ok_or_else(nowhere)?;
    let speeds: Vec<String> =
        measured.measured.iter().map(|(threads, speed)| format!("    \"{threads}\": {speed}")).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
    let text = format!(
        "{{\n  \"fingerprint\": {},\n  \"thread_cap\": {},\n  \"throughput_gbps\": {{\n{}\n  }},\n  \
         \"calibration_version\": {VERSION},\n  \"timestamp\": {now}\n}}\n",
        json_string(&fingerprint()),
        measured.threads,
        speeds.join(",\n"),
    );
    let temporary = path.with_file_name(format!("threads.json.{}.tmp", std::process::id()));
    let written = path
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(&temporary, text))
        .and_then(|()| std::fs::rename(&temporary, &path));
    match written {
        Ok(()) => Ok(path),
        Err(error) => {
            // What is left of it is of no use; if it cannot be removed either, the first error tells more.
            let _ = std::fs::remove_file(&temporary);
            Err((path, error))
        }
    }
}

/// Removes what is kept for one target; whether there was something.
pub(crate) fn remove(target: Target) -> io::Result<bool> {
    let Some(path) = path_of(target) else { return Ok(false) };
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_that_could_have_been_measured_here_count() {
        let found = |target, text: &str| parse(target, text.as_bytes(), "v1|here");
        let here = |text: &str| format!("{{\"fingerprint\": \"v1|here\", {text}}}");
        let value = |text: &str| Kept::Here(Some(text.to_owned()));
        assert_eq!(found(Target::Threads, &here("\"thread_cap\": 7")), value("7"));
        for wrong in ["0", "4097", "-1", "\"7\"", "7.5", "1e99", "null", "123456789012345678901"] {
            assert_eq!(found(Target::Threads, &here(&format!("\"thread_cap\": {wrong}"))), Kept::Here(None));
        }
        assert_eq!(found(Target::MaskDensity, &here("\"gate\": 0.25")), value("0.25"));
        assert_eq!(found(Target::MaskDensity, &here("\"gate\": -0.25")), Kept::Here(None));
        let distances = here("\"prefetch_distances\": {\"dram_sorted\": 8}");
        assert_eq!(found(Target::Prefetch, &distances), value("{\"dram_sorted\":8}"));
        let other = "{\"fingerprint\": \"v1|there\", \"thread_cap\": 7}";
        assert_eq!(found(Target::Threads, other), Kept::Elsewhere("v1|there".to_owned()));
        for broken in
            ["", "[]", "{\"thread_cap\": 7}", "{\"fingerprint\": 1}", "{", "\u{0}", &"[".repeat(100_000)]
        {
            assert_eq!(found(Target::Threads, broken), Kept::Unreadable, "{broken:.20}");
        }
    }
}
