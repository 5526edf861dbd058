//! What the tests of several kernels share: canvases that notice a stray write, and placements to try.

use crate::isa::Isa;

/// The instruction sets this machine runs, the lesser ones first; only the forced one if one is forced.
pub(crate) fn isas() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| *isa <= crate::isa::active())
}

/// Bytes on either side of a canvas that nobody may write to.
const MARGIN: usize = 128;
const CANARY: u8 = 0xC5;

/// A buffer at a chosen distance from a cache line, between margins that must stay as they are.
pub(crate) struct Canvas {
    memory: Vec<u8>,
    start: usize,
    len: usize,
}

impl Canvas {
    /// `len` bytes of filling, `shift` bytes behind a 64-byte border.
    fn new(len: usize, shift: usize, fill: impl FnMut() -> u8) -> Canvas {
        let mut memory = vec![CANARY; MARGIN + 64 + 64 + len + MARGIN];
        let start = MARGIN + memory[MARGIN..].as_ptr().align_offset(64) + shift % 64;
        memory[start..start + len].fill_with(fill);
        Canvas { memory, start, len }
    }

    /// Bytes without a pattern, the same in every run.
    pub(crate) fn noise(len: usize, shift: usize) -> Canvas {
        let mut random = Random::new(len as u64 * 64 + shift as u64);
        Canvas::new(len, shift, || random.next() as u8)
    }

    /// These bytes.
    pub(crate) fn of(bytes: &[u8], shift: usize) -> Canvas {
        let mut bytes_left = bytes.iter();
        Canvas::new(bytes.len(), shift, || *bytes_left.next().unwrap())
    }

    /// To be written to.
    pub(crate) fn blank(len: usize, shift: usize) -> Canvas {
        Canvas::new(len, shift, || 0xEE)
    }

    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.bytes().as_ptr()
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut u8 {
        // From the whole memory, so that a kernel that strays hits a margin that is checked.
        self.memory.as_mut_ptr().wrapping_add(self.start)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.memory[self.start..self.start + self.len]
    }

    /// The canvas holds `expected` and its margins were left alone.
    #[track_caller]
    pub(crate) fn expect(&self, expected: &[u8], case: &str) {
        if let Some(at) = self.bytes().iter().zip(expected).position(|(is, should)| is != should) {
            panic!("{case}: byte {at} is {} and should be {}", self.bytes()[at], expected[at]);
        }
        assert_eq!(self.len, expected.len(), "{case}: length");
        let outside = self.memory[..self.start].iter().chain(&self.memory[self.start + self.len..]);
        assert!(outside.copied().all(|byte| byte == CANARY), "{case}: wrote outside its output");
    }
}

/// Calls `case(len, source shift, target shift)` for all lengths up to `longest`: each with every alignment of the
/// source and with every alignment of the target within a cache line.
pub(crate) fn each_placement(longest: usize, mut case: impl FnMut(usize, usize, usize)) {
    for len in 0..=longest {
        for shift in 0..64 {
            case(len, shift, (len * 7) % 64);
            case(len, (len * 11) % 64, shift);
        }
    }
}

/// xorshift64*: enough for test data, and the same everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// One of 0, 1, … `n` - 1.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16) as usize % n
    }
}
