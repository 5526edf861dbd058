//! Settings of the whole process.
//!
//! | name | values | what it decides |
//! |---|---|---|
//! | `max_threads` | `auto`, 1, 2, … | the most threads that work on one call, where the call does not say |
//! | `read_backend` | `mmap`, `pread` | how files are read that are opened without saying how |
//! | `write_method` | `auto`, `pwrite`, `mmap` | how a new file is filled whose size is known |
//! | `huge_pages` | `auto`, `off` | whether large outputs that are allocated here ask for huge pages |
//! | `numa_policy` | `auto`, `interleave`, `local` | where the pages of large outputs lie on machines of several memory nodes |
//! | `mask_density_gate` | `auto`, 0, 0.01, … | share of rows below which the rows of a mask are jumped to one by one |
//! | `prefetch_distance` | `auto`, 0 … 16384 | how many rows ahead a gather asks for what it will need |
//! | `lock_policy` | `auto`, `require`, `off` | what a writer does about the lock on its file, where it is not told |
//!
//! Until it is [`set`], a setting is what the environment variable says that is called like it, in capitals and
//! with `COLSTORE_` before it (`COLSTORE_MAX_THREADS`); a variable whose value is not allowed is ignored. Settings
//! never change results.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, ErrorKind, Result};
use crate::options::Backend;
use crate::write::LockPolicy;

/// Gives the setting `name` the value `value`, from the next call on, in all threads.
///
/// # Errors
///
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a name or a value that there is not, saying which there are.
///
/// ```
/// colstore_core::config::set("max_threads", "2")?;
/// assert_eq!(colstore_core::config::get("max_threads")?, "2");
/// colstore_core::config::set("max_threads", "auto")?;
/// # Ok::<(), colstore_core::Error>(())
/// ```
pub fn set(name: &str, value: &str) -> Result<()> {
    let setting = find(name)?;
    let Some(code) = (setting.parse)(value) else {
        let message = format!("{} cannot be '{value}': it must be {}", spaced(name), setting.allowed);
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    };
    setting.code.store(code, Ordering::Relaxed);
    Ok(())
}

/// The value of the setting `name`, as [`set`] takes it.
///
/// # Errors
///
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a name that there is not, saying which there are.
pub fn get(name: &str) -> Result<String> {
    let setting = find(name)?;
    Ok((setting.show)(setting.get()))
}

/// The names of all settings.
pub fn names() -> impl ExactSizeIterator<Item = &'static str> {
    SETTINGS.iter().map(|setting| setting.name)
}

/// Where the pages of a large output lie, on machines of several memory nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumaPolicy {
    /// Spread, unless the process was started with a policy of its own.
    Auto,
    /// Spread.
    Interleave,
    /// Where the system puts them.
    Local,
}

pub(crate) fn max_threads() -> Option<NonZeroUsize> {
    // A number that a usize cannot hold is as good as no bound.
    match MAX_THREADS.get() {
        AUTO => None,
        code => usize::try_from(code).ok().and_then(NonZeroUsize::new),
    }
}

pub(crate) fn read_backend() -> Backend {
    if READ_BACKEND.get() == 0 { Backend::Mmap } else { Backend::Pread }
}

pub(crate) fn huge_pages() -> bool {
    HUGE_PAGES.get() == AUTO
}

pub(crate) fn numa_policy() -> NumaPolicy {
    match NUMA_POLICY.get() {
        0 => NumaPolicy::Interleave,
        1 => NumaPolicy::Local,
        _ => NumaPolicy::Auto,
    }
}

/// A share of rows; 0, as long as nothing is known that makes jumping to single rows the faster way.
pub(crate) fn mask_density_gate() -> f64 {
    match MASK_DENSITY_GATE.get() {
        AUTO => 0.0,
        code => f64::from_bits(code),
    }
}

pub(crate) fn prefetch_distance() -> Option<usize> {
    match PREFETCH_DISTANCE.get() {
        AUTO => None,
        code => usize::try_from(code).ok(),
    }
}

/// How a new file is filled whose size is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteMethod {
    Pwrite,
    Mmap,
}

pub(crate) fn write_method() -> WriteMethod {
    if WRITE_METHOD.get() == 1 { WriteMethod::Mmap } else { WriteMethod::Pwrite }
}

pub(crate) fn lock_policy() -> LockPolicy {
    match LOCK_POLICY.get() {
        0 => LockPolicy::Require,
        1 => LockPolicy::Off,
        _ => LockPolicy::Auto,
    }
}

/// Stands for `auto` in every setting. As a float it is a NaN, which no setting can be.
const AUTO: u64 = u64::MAX;
/// Of a setting that has not been asked for: another NaN.
const UNKNOWN: u64 = u64::MAX - 1;

struct Setting {
    name: &'static str,
    allowed: &'static str,
    default: u64,
    parse: fn(&str) -> Option<u64>,
    show: fn(u64) -> String,
    code: AtomicU64,
}

impl Setting {
    const fn new(
        name: &'static str,
        allowed: &'static str,
        default: u64,
        parse: fn(&str) -> Option<u64>,
        show: fn(u64) -> String,
    ) -> Setting {
        Setting { name, allowed, default, parse, show, code: AtomicU64::new(UNKNOWN) }
    }

    fn get(&self) -> u64 {
        match self.code.load(Ordering::Relaxed) {
            UNKNOWN => self.first(),
            code => code,
        }
    }

    #[cold]
    fn first(&self) -> u64 {
        let variable = std::env::var(format!("COLSTORE_{}", self.name.to_ascii_uppercase())).ok();
        let code = self.initial(variable.as_deref());
        // Should it have been set meanwhile, that counts.
        match self.code.compare_exchange(UNKNOWN, code, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => code,
            Err(set) => set,
        }
    }

    fn initial(&self, variable: Option<&str>) -> u64 {
        variable.and_then(|value| (self.parse)(value.trim())).unwrap_or(self.default)
    }
}

static MAX_THREADS: Setting = Setting::new(
    "max_threads",
    "auto or a number >= 1",
    AUTO,
    |value| auto_or(value, |value| value.parse().ok().filter(|n| (1..UNKNOWN).contains(n))),
    show_number,
);
static READ_BACKEND: Setting = Setting::new(
    "read_backend",
    "mmap or pread",
    0,
    |value| position(&["mmap", "pread"], value),
    |code| if code == 0 { "mmap".into() } else { "pread".into() },
);
static WRITE_METHOD: Setting = Setting::new(
    "write_method",
    "auto, pwrite or mmap",
    AUTO,
    |value| auto_or(value, |value| position(&["pwrite", "mmap"], value)),
    |code| match code {
        0 => "pwrite".into(),
        1 => "mmap".into(),
        _ => "auto".into(),
    },
);
static HUGE_PAGES: Setting = Setting::new(
    "huge_pages",
    "auto or off",
    AUTO,
    |value| auto_or(value, |value| position(&["off"], value)),
    |code| if code == AUTO { "auto".into() } else { "off".into() },
);
static NUMA_POLICY: Setting = Setting::new(
    "numa_policy",
    "auto, interleave or local",
    AUTO,
    |value| auto_or(value, |value| position(&["interleave", "local"], value)),
    |code| match code {
        0 => "interleave".into(),
        1 => "local".into(),
        _ => "auto".into(),
    },
);
static MASK_DENSITY_GATE: Setting = Setting::new(
    "mask_density_gate",
    "auto or a number >= 0",
    AUTO,
    |value| {
        auto_or(value, |value| {
            let gate: f64 = value.parse().ok()?;
            // Adding zero turns -0 into 0.
            (gate >= 0.0).then_some((gate + 0.0).to_bits())
        })
    },
    |code| if code == AUTO { "auto".into() } else { f64::from_bits(code).to_string() },
);
static PREFETCH_DISTANCE: Setting = Setting::new(
    "prefetch_distance",
    "auto or a number from 0 to 16384",
    AUTO,
    |value| auto_or(value, |value| value.parse().ok().filter(|n| *n <= 16384)),
    show_number,
);
static LOCK_POLICY: Setting = Setting::new(
    "lock_policy",
    "auto, require or off",
    AUTO,
    |value| auto_or(value, |value| position(&["require", "off"], value)),
    |code| match code {
        0 => "require".into(),
        1 => "off".into(),
        _ => "auto".into(),
    },
);

static SETTINGS: [&Setting; 8] = [
    &MAX_THREADS,
    &READ_BACKEND,
    &WRITE_METHOD,
    &HUGE_PAGES,
    &NUMA_POLICY,
    &MASK_DENSITY_GATE,
    &PREFETCH_DISTANCE,
    &LOCK_POLICY,
];

fn find(name: &str) -> Result<&'static Setting> {
    SETTINGS.into_iter().find(|setting| setting.name == name).ok_or_else(|| {
        let known: Vec<&str> = names().collect();
        let message = format!("there is no setting '{name}'; there are {}", known.join(", "));
        Error::new(ErrorKind::InvalidArgument, message)
    })
}

fn auto_or(value: &str, parse: impl FnOnce(&str) -> Option<u64>) -> Option<u64> {
    if value == "auto" { Some(AUTO) } else { parse(value) }
}

fn position(values: &[&str], value: &str) -> Option<u64> {
    values.iter().position(|one| *one == value).map(|position| position as u64)
}

fn show_number(code: u64) -> String {
    if code == AUTO { "auto".into() } else { code.to_string() }
}

/// What a setting is called in a sentence.
fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_round_trip_and_others_are_refused() {
        let cases: [(&Setting, &[&str], &[&str]); 8] = [
            (&MAX_THREADS, &["auto", "1", "12"], &["0", "-1", "x", "", "1.5", "18446744073709551615"]),
            (&READ_BACKEND, &["mmap", "pread"], &["auto", "MMAP", ""]),
            (&WRITE_METHOD, &["auto", "pwrite", "mmap"], &["aio", ""]),
            (&HUGE_PAGES, &["auto", "off"], &["on"]),
            (&NUMA_POLICY, &["auto", "interleave", "local"], &["remote"]),
            (&MASK_DENSITY_GATE, &["auto", "0", "0.25", "inf"], &["-0.1", "nan", "x"]),
            (&PREFETCH_DISTANCE, &["auto", "0", "16384"], &["16385", "-1"]),
            (&LOCK_POLICY, &["auto", "require", "off"], &["on", ""]),
        ];
        for (setting, good, bad) in cases {
            for value in good {
                assert_eq!((setting.show)((setting.parse)(value).unwrap()), *value, "{}", setting.name);
                assert_eq!(setting.initial(Some(value)), (setting.parse)(value).unwrap());
            }
            for value in bad {
                assert_eq!((setting.parse)(value), None, "{} {value}", setting.name);
                assert_eq!(setting.initial(Some(value)), setting.default);
            }
            assert_eq!(setting.initial(None), setting.default);
        }
    }

    #[test]
    fn messages_say_what_there_is() {
        let error = set("max_thread", "1").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains("max_threads, read_backend"), "{error}");
        let error = set("numa_policy", "remote").unwrap_err();
        assert!(error.message().contains("numa policy"), "{error}");
        assert!(error.message().contains("auto, interleave or local"), "{error}");
        assert!(set("max_threads", "0").unwrap_err().message().contains(">= 1"));
    }
}
