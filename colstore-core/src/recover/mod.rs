//! What a writer that died has left, and how to get at it.
//!
//! ```text
//!  0      8          72       80          D          committed end        whole end
//!  ├──────┼──────────┼────────┼───────────┼───────────┬──────────────────┬───────────┐
//!  │magic │ counters │ length │ manifest  │ records   │ whole records    │ rest of   │
//!  │      │          │        │           │           │ beyond the end   │ another   │
//!  └──────┴──────────┴────────┴───────────┴───────────┴──────────────────┴───────────┘
//!            say how many ─────────────────► readers see these
//!            after recovery ─────────────────────────────────────────────► and these
//! ```
//!
//! Magic and manifest must be intact. The records are then walked by what they say of themselves, from the first
//! on; the counters only tell how many of them readers are to see, and may be damaged.

mod inspect;
mod run;

pub use inspect::{CountersState, Counts, FoundRecord, Recoverable, Tail, TailKind, inspect};
pub use run::{RecoverOptions, Recovery, RecoveryAction, recover};

pub(crate) use inspect::{TAIL_START, tail_kind};

#[cfg(test)]
mod tests;
