//! Finding a column by its name.
//!
//! Up to [`SCAN_LIMIT`] columns are compared one by one, which is faster than hashing. Beyond, an open-addressed
//! table holds column numbers (not names, which stay where they are). Its hash is keyed with
//! a random number, so that a file cannot choose names that collide.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use crate::schema::Column;

const SCAN_LIMIT: usize = 8;

pub(crate) struct NameIndex {
    hasher: Option<RandomState>,
    /// 0 is free, else the number of a column plus one. A power of two in length, at most half full; empty if there are few columns.
    slots: Box<[usize]>,
}

impl NameIndex {
    /// An index of the columns, or the numbers of two that have the same name.
    pub(crate) fn new(columns: &[Column]) -> Result<NameIndex, [usize; 2]> {
        if columns.len() <= SCAN_LIMIT {
            for (second, column) in columns.iter().enumerate() {
                if let Some(first) = scan(&columns[..second], column.name().as_bytes()) {
                    return Err([first, second]);
                }
            }
            return Ok(NameIndex { hasher: None, slots: Box::default() });
        }
        let hasher = RandomState::new();
        let mut slots = vec![0usize; (2 * columns.len()).next_power_of_two()].into_boxed_slice();
        for (second, column) in columns.iter().enumerate() {
            let slot = probe(&hasher, &slots, columns, column.name().as_bytes());
            match slots[slot].checked_sub(1) {
                Some(first) => return Err([first, second]),
                None => slots[slot] = second + 1,
            }
        }
        Ok(NameIndex { hasher: Some(hasher), slots })
    }

    /// The number of the column of this name, among the columns that the index was made of.
    pub(crate) fn find(&self, columns: &[Column], name: &[u8]) -> Option<usize> {
        match &self.hasher {
            None => scan(columns, name),
            Some(hasher) => self.slots[probe(hasher, &self.slots, columns, name)].checked_sub(1),
        }
    }
}

fn scan(columns: &[Column], name: &[u8]) -> Option<usize> {
    columns.iter().position(|column| column.name().as_bytes() == name)
}

/// The slot that holds the column of this name, or the free one where it belongs.
fn probe(hasher: &RandomState, slots: &[usize], columns: &[Column], name: &[u8]) -> usize {
    let mask = slots.len() - 1;
    let mut slot = hasher.hash_one(name) as usize & mask;
    while let Some(column) = slots[slot].checked_sub(1) {
        if columns[column].name().as_bytes() == name {
            break;
        }
        slot = (slot + 1) & mask;
    }
    slot
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::{DType, Kind};

    fn columns(names: impl Iterator<Item = String>) -> Vec<Column> {
        names.map(|name| Column::new(name, DType::plain(Kind::Int, 4))).collect()
    }

    #[test]
    fn every_name_is_found_at_its_place() {
        for n in [0, 1, SCAN_LIMIT, SCAN_LIMIT + 1, 16, 17, 1000] {
            let columns = columns((0..n).map(|i| format!("c{i}")));
            let index = NameIndex::new(&columns).map_err(|_| "twice").unwrap();
            for i in 0..n {
                assert_eq!(index.find(&columns, format!("c{i}").as_bytes()), Some(i));
            }
            for absent in ["", "c", "c01", &format!("c{n}")] {
                assert_eq!(index.find(&columns, absent.as_bytes()), None);
            }
        }
    }

    #[test]
    fn the_first_repetition_is_named() {
        for n in [3, SCAN_LIMIT, SCAN_LIMIT + 1, 500] {
            let columns = columns((0..n).map(|i| format!("{}", if i == n - 1 { 1 } else { i })));
            assert_eq!(NameIndex::new(&columns).err(), Some([1, n - 1]));
        }
    }
}
