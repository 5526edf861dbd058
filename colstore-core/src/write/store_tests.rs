//! What a crash or a failure at any step of a store leaves.

use std::path::Path;

use super::*;
use crate::storage::crash::{CrashTest, Newborn};

fn columns(bytes: &[u8]) -> [ColumnData<'_>; 1] {
    [ColumnData::from_slice("x".into(), "<u2".parse().unwrap(), bytes).unwrap()]
}

#[test]
fn store_survives_every_crash() {
    let (old, new) = ([1; 6000], [2; 9000]);
    let path = |dir: &Path| dir.join("t.cstore");
    for statistics in [false, true] {
        for durability in [Durability::Process, Durability::Disk] {
            let options = StoreOptions { statistics, durability, ..StoreOptions::default() };
            let newborn = if durability == Durability::Disk { Newborn::Whole } else { Newborn::Unflushed };
            CrashTest::new(|_| (), |s, dir, _| store_in(s, &path(dir), &columns(&new), &options))
                .newborn(newborn)
                .check();
            let recreate = StoreOptions { mode: StoreMode::Recreate, ..options };
            let setup = |dir: &Path| store(path(dir), &columns(&old), &options).unwrap();
            CrashTest::new(setup, |s, dir, _| store_in(s, &path(dir), &columns(&new), &recreate)).check();
            CrashTest::new(|_| (), |s, dir, _| store_in(s, &path(dir), &columns(&new), &recreate))
                .newborn(newborn)
                .check();
        }
    }
}
