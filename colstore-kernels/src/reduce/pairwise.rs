//! The order in which results of blocks become one.
//!
//! ```text
//! blocks   0   1   2   3   4   5   6
//!          └─┬─┘   └─┬─┘   └─┬─┘   │      two merges, then two of those, …:
//!            └───┬───┘       └──┬──┘      a binary counter, the carries of which are merges
//!                └──────┬───────┘
//! ```
//!
//! The error of a sum made like this grows with the logarithm of the number of blocks. The tree depends on that
//! number alone, and any 2^k blocks that begin at a multiple of 2^k are a subtree of it: so those can be merged
//! elsewhere, by another thread, and be handed in as one.

/// More results than 2^48 cannot be pushed one by one.
const SLOTS: usize = 48;

/// Merges results in the order of their blocks.
///
/// ```
/// use colstore_kernels::reduce::Pairwise;
///
/// let mut names = Pairwise::new();
/// let join = |a: &'static str, b: &'static str| -> &'static str { format!("({a}{b})").leak() };
/// for name in ["a", "b", "c", "d", "e"] {
///     names.push(name, join);
/// }
/// assert_eq!(names.finish(join), Some("(((ab)(cd))e)"));
/// ```
#[derive(Clone, Debug)]
pub struct Pairwise<T> {
    /// Slot `k` holds the result of 2^k blocks if bit `k` of `pushed` is set.
    slots: [Option<T>; SLOTS],
    pushed: u64,
}

impl<T: Copy> Pairwise<T> {
    /// Of no block.
    #[must_use]
    pub fn new() -> Pairwise<T> {
        Pairwise { slots: [None; SLOTS], pushed: 0 }
    }

    /// Adds the result of the next block. `merge` is given the results of earlier blocks first.
    ///
    /// # Panics
    /// After 2^48 results.
    pub fn push(&mut self, mut result: T, merge: impl Fn(T, T) -> T) {
        let level = self.pushed.trailing_ones() as usize;
        for slot in &mut self.slots[..level] {
            if let Some(earlier) = slot.take() {
                result = merge(earlier, result);
            }
        }
        self.slots[level] = Some(result);
        self.pushed += 1;
    }

    /// All results as one; `None` if there were none.
    #[must_use]
    pub fn finish(self, merge: impl Fn(T, T) -> T) -> Option<T> {
        self.slots.iter().flatten().copied().reduce(|later, earlier| merge(earlier, later))
    }
}

impl<T: Copy> Default for Pairwise<T> {
    fn default() -> Pairwise<T> {
        Pairwise::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(a: (u32, u32), b: (u32, u32)) -> (u32, u32) {
        assert_eq!(a.1, b.0, "blocks are merged in order");
        (a.0, b.1)
    }

    #[test]
    fn merges_in_order_whatever_the_number() {
        for n in 0..70 {
            let mut all = Pairwise::new();
            (0..n).for_each(|i| all.push((i, i + 1), add));
            assert_eq!(all.finish(add), (n > 0).then_some((0, n)));
        }
    }

    #[test]
    fn whole_subtrees_can_be_merged_elsewhere() {
        let merge = |a: f64, b: f64| a + b;
        let value = |i: u32| 1.0 / f64::from(i + 1) * if i.is_multiple_of(3) { -1e10 } else { 1.0 };
        for n in [1, 7, 8, 9, 64, 100, 129] {
            let mut all = Pairwise::new();
            (0..n).for_each(|i| all.push(value(i), merge));
            let mut of_subtrees = Pairwise::new();
            for start in (0..n).step_by(8) {
                let mut subtree = Pairwise::new();
                (start..n.min(start + 8)).for_each(|i| subtree.push(value(i), merge));
                of_subtrees.push(subtree.finish(merge).unwrap(), merge);
            }
            let (all, of_subtrees) = (all.finish(merge).unwrap(), of_subtrees.finish(merge).unwrap());
            assert_eq!(all.to_bits(), of_subtrees.to_bits(), "{n}");
        }
    }
}
