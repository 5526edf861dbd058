//! Blocks in pieces that lie anywhere are those of the column.

use super::*;
use crate::testing::Random;

/// A column in pieces that lie apart, at any alignment.
pub(in super::super) struct Scattered {
    _memory: Vec<Vec<u8>>,
    addresses: Vec<*const u8>,
    breaks: Vec<Break>,
    rows: usize,
}

impl Scattered {
    /// Of values of `width` bytes, in [`MOST_BLOCKS`] blocks or less.
    pub(in super::super) fn of(column: &[u8], width: usize, random: &mut Random) -> Scattered {
        let rows = column.len() / width;
        let (mut memory, mut addresses, mut breaks) = (Vec::new(), Vec::new(), Vec::new());
        for (block, values) in column.chunks(BLOCK_ROWS * width).enumerate() {
            let n = values.len() / width;
            let steps = if n == BLOCK_ROWS { BLOCK_ROWS / BREAK_ROWS } else { 1 };
            let mut cuts: Vec<usize> =
                (0..random.below(4)).map(|_| random.below(steps) * BREAK_ROWS).collect();
            cuts.push(0);
            cuts.sort_unstable();
            cuts.dedup();
            for (i, &row) in cuts.iter().enumerate() {
                let end = cuts.get(i + 1).copied().unwrap_or(n);
                let lead = random.below(64);
                let mut piece = vec![0xEE; lead];
                piece.extend_from_slice(&values[row * width..end * width]);
                let address = piece.as_ptr().wrapping_add(lead);
                memory.push(piece);
                match row {
                    0 => addresses.push(address),
                    _ => breaks.push(Break { block, row, address }),
                }
            }
        }
        Scattered { _memory: memory, addresses, breaks, rows }
    }

    pub(in super::super) fn blocks(&self) -> Blocks<'_> {
        Blocks::new(&self.addresses, self.rows, &self.breaks)
    }
}

fn at(row: usize) -> *const u8 {
    ptr::without_provenance(0x1_0000 + row * 8)
}

#[test]
fn stretches_join_what_lies_side_by_side() {
    let addresses = [at(0), at(BLOCK_ROWS), at(5 * BLOCK_ROWS), at(6 * BLOCK_ROWS), at(0)];
    let found: Vec<_> = Blocks::new(&addresses, 4 * BLOCK_ROWS + 10, &[]).stretches(8).collect();
    assert_eq!(found, [(at(0), 2 * BLOCK_ROWS), (at(5 * BLOCK_ROWS), 2 * BLOCK_ROWS), (at(0), 10)]);
    let breaks = [
        Break { block: 1, row: 32, address: at(7) },
        Break { block: 1, row: 48, address: at(23) },
        Break { block: 3, row: 16, address: at(1) },
    ];
    let found: Vec<_> = Blocks::new(&addresses, 4 * BLOCK_ROWS + 10, &breaks).stretches(8).collect();
    assert_eq!(
        found,
        [
            (at(0), BLOCK_ROWS + 32),
            (at(7), BLOCK_ROWS - 32),
            (at(5 * BLOCK_ROWS), BLOCK_ROWS + 16),
            (at(1), BLOCK_ROWS - 16),
            (at(0), 10)
        ]
    );
    assert_eq!(Blocks::new(&[], 0, &[]).stretches(8).count(), 0);
}

#[test]
fn breaks_are_where_blocks_may_break() {
    let new = |block, row, second| {
        let breaks = [block, second].map(|block| Break { block, row, address: at(0) });
        std::panic::catch_unwind(|| Blocks::new(&[at(0); 3], 2 * BLOCK_ROWS + 32, &breaks).rows())
    };
    assert!(new(0, 16, 1).is_ok());
    for (block, row, second) in [(1, 16, 0), (1, 16, 1), (0, 0, 1), (0, 8, 1), (0, BLOCK_ROWS, 1), (1, 16, 2)]
    {
        assert!(new(block, row, second).is_err(), "{block} {row} {second}");
    }
}

#[test]
fn side_by_side_is_all_values_in_order() {
    for rows in [0, 1, BLOCK_ROWS, MOST_BLOCKS * BLOCK_ROWS, 2 * MOST_BLOCKS * BLOCK_ROWS + 17] {
        let mut next = 0;
        Blocks::side_by_side(ptr::null(), rows, 4, |blocks| {
            for (address, n) in blocks.stretches(4) {
                assert_eq!((address.addr(), n), (next * 4, blocks.rows()));
                next += n;
            }
        });
        assert_eq!(next, rows);
    }
}

/// Where a block is, and its rows.
struct Addresses;

impl Reduce for Addresses {
    type Value = u8;
    type Result = (usize, usize);

    unsafe fn whole<const N: usize>(blocks: Whole<'_, u8, N>) -> [(usize, usize); N] {
        blocks.heads().map(|block| (block.addr(), BLOCK_ROWS))
    }

    unsafe fn short(values: *const u8, rows: usize) -> (usize, usize) {
        (values.addr(), rows)
    }
}

#[test]
fn results_come_in_order_however_blocks_are_walked() {
    for n in 0..=MOST_BLOCKS {
        for rest in [0, 5] {
            if n == MOST_BLOCKS && rest > 0 {
                continue;
            }
            let all = n + usize::from(rest > 0);
            let addresses: Vec<_> = (0..all).map(|block| ptr::without_provenance::<u8>(block + 1)).collect();
            let mut found = Vec::new();
            let blocks = Blocks::new(&addresses, n * BLOCK_ROWS + rest, &[]);
            // SAFETY: of addresses nothing is read.
            unsafe { blocks.abreast::<Addresses>(&mut |result| found.push(result)) };
            let rows = |block| if block == n { rest } else { BLOCK_ROWS };
            assert_eq!(found, (0..all).map(|block| (block + 1, rows(block))).collect::<Vec<_>>());
        }
    }
}

#[test]
fn blocks_in_pieces_are_walked_over_and_brought_together_whole() {
    let mut random = Random::new(7);
    let column: Vec<u8> = (0..4 * BLOCK_ROWS as u32).flat_map(u32::to_le_bytes).collect();
    for _ in 0..200 {
        let scattered = Scattered::of(&column, 4, &mut random);
        let mut blocks: Whole<'_, u32, 4> = scattered.blocks().whole(|n| n);
        let untouched = blocks;
        let mut at = 0;
        while let Some((end, bases)) = blocks.span(at) {
            for (n, base) in bases.into_iter().enumerate() {
                for row in at..end {
                    // SAFETY: the block has that row, in a piece that lies there.
                    let value = unsafe { base.wrapping_add(row).read_unaligned() };
                    assert_eq!(value as usize, n * BLOCK_ROWS + row);
                }
            }
            assert!(end.is_multiple_of(BREAK_ROWS) && end > at);
            at = end;
        }
        assert_eq!(at, BLOCK_ROWS);
        for n in 0..4 {
            // SAFETY: the block is readable.
            let values = unsafe { untouched.together(n) };
            assert!(values.iter().copied().eq((n * BLOCK_ROWS) as u32..((n + 1) * BLOCK_ROWS) as u32));
        }
    }
}
