//! Where a run of a mask puts its values.
//!
//! ```text
//! direct   a vector goes over what the one before it wrote too much:     dst  a b c d . . . .
//!                                                                                     e f g . . . . .
//! staged   the same, in a stage; whole lines of that are streamed past the cache
//! ```
//!
//! Vectors that overlap cannot be streamed, as each would be written to memory by itself.

use std::mem::MaybeUninit;
use std::ptr;

/// Bytes of a cache line.
const LINE: usize = 64;
/// Bytes in a stage from which on its lines are streamed.
const FULL: usize = 2048;
/// What may be put behind them: 64 values of 16 bytes.
const MORE: usize = 64 * 16;

/// Takes the values of a run, in order.
pub(super) trait Sink<T> {
    /// Words of which all values may be put to [`place`](Sink::place) at once.
    const MOST_WORDS: usize;

    /// Where the next values go. There is room for 64, if that many are to come.
    fn place(&mut self) -> *mut T;

    /// The next `n` values were put there.
    fn advance(&mut self, n: usize);

    /// All values were.
    fn finish(&mut self);
}

/// Straight into the output.
pub(super) struct Direct<T>(pub(super) *mut T);

impl<T> Sink<T> for Direct<T> {
    const MOST_WORDS: usize = usize::MAX;

    #[inline(always)]
    fn place(&mut self) -> *mut T {
        self.0
    }

    #[inline(always)]
    fn advance(&mut self, n: usize) {
        self.0 = self.0.wrapping_add(n);
    }

    #[inline(always)]
    fn finish(&mut self) {}
}

/// Into a stage, from which `stream` brings lines to the output.
pub(super) struct Staged<'a, S> {
    stage: &'a mut Stage,
    /// Bytes in the stage, with those at its front that are none.
    len: usize,
    /// Bytes at the front of the stage that belong to others.
    lead: usize,
    /// Where the stage's first line goes.
    line: *mut u8,
    stream: S,
}

/// Room for what is not streamed yet.
#[repr(C, align(64))]
pub(super) struct Stage([MaybeUninit<u8>; FULL + MORE]);

impl Stage {
    pub(super) const EMPTY: Stage = Stage([MaybeUninit::uninit(); FULL + MORE]);
}

impl<'a, S: Fn(*const u8, *mut u8)> Staged<'a, S> {
    /// The output begins at `dst`.
    ///
    /// # Safety
    /// For as many values as it is given, `dst` is writable, and nobody else writes there while this lives. `stream`
    /// copies a line between addresses that are multiples of one.
    #[inline(always)]
    pub(super) unsafe fn new(stage: &'a mut Stage, dst: *mut u8, stream: S) -> Staged<'a, S> {
        let lead = dst.addr() % LINE;
        Staged { stage, len: lead, lead, line: dst.wrapping_sub(lead), stream }
    }

    /// Streams the lines that are whole.
    #[inline(always)]
    fn flush(&mut self) {
        let stage = self.stage.0.as_mut_ptr().cast::<u8>();
        let whole = self.len / LINE;
        // SAFETY: the stage holds these lines, and `line` is where they go, by the promise to `new`. The first one's
        // lead is another's. What moves to the front is within the stage.
        unsafe {
            if self.lead > 0 && whole > 0 {
                ptr::copy_nonoverlapping(stage.add(self.lead), self.line.add(self.lead), LINE - self.lead);
            }
            for line in usize::from(self.lead > 0)..whole {
                (self.stream)(stage.add(LINE * line), self.line.wrapping_add(LINE * line));
            }
            if whole > 0 {
                ptr::copy_nonoverlapping(stage.add(LINE * whole), stage, LINE);
                self.lead = 0;
            }
        }
        self.line = self.line.wrapping_add(LINE * whole);
        self.len -= LINE * whole;
    }
}

impl<T, S: Fn(*const u8, *mut u8)> Sink<T> for Staged<'_, S> {
    const MOST_WORDS: usize = 1;

    #[inline(always)]
    fn place(&mut self) -> *mut T {
        self.stage.0.as_mut_ptr().wrapping_add(self.len).cast()
    }

    #[inline(always)]
    fn advance(&mut self, n: usize) {
        self.len += n * size_of::<T>();
        if self.len >= FULL {
            self.flush();
        }
    }

    /// What is left goes through the cache: others write to the same line.
    #[inline(always)]
    fn finish(&mut self) {
        self.flush();
        // SAFETY: as in `flush`, for less than a line.
        unsafe {
            let stage = self.stage.0.as_ptr().cast::<u8>();
            let len = self.len - self.lead;
            ptr::copy_nonoverlapping(stage.add(self.lead), self.line.wrapping_add(self.lead), len);
        }
    }
}
