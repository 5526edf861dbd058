//! Files written record by record straight from the format crate, and what reads of them must give.

#![allow(dead_code, clippy::unwrap_used, reason = "for tests, each of which uses a part of it")]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use colstore_core::{ColumnOutput, ReadOptions, Rows, Table};
use colstore_format::{Column, Counters, DType, Header, Manifest, RecordHeader, Schema};

/// A table in memory: per column its bytes as the file holds them, all records end to end.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) schema: Schema,
    pub(crate) record_rows: Vec<u64>,
    pub(crate) stored: Vec<Vec<u8>>,
}

impl Model {
    /// Fills columns of the given dtypes with bytes of a generator.
    pub(crate) fn new(dtypes: &[&str], record_rows: &[u64], seed: u64) -> Model {
        let columns: Vec<Column> = dtypes
            .iter()
            .enumerate()
            .map(|(j, dtype)| Column::new(format!("c{j}"), dtype.parse::<DType>().unwrap()))
            .collect();
        let n_rows: u64 = record_rows.iter().sum();
        let mut state = seed | 1;
        let mut byte = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        };
        let stored = columns
            .iter()
            .map(|c| (0..n_rows as usize * c.dtype().itemsize()).map(|_| byte()).collect())
            .collect();
        Model { schema: Schema::new(columns).unwrap(), record_rows: record_rows.to_vec(), stored }
    }

    pub(crate) fn n_rows(&self) -> u64 {
        self.record_rows.iter().sum()
    }

    /// The whole file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let counters = Counters {
            n_records: self.record_rows.len() as u64,
            committed_rows: self.n_rows(),
            stats_offset: 0,
        };
        let mut bytes = Header::encode(&Manifest::new(self.schema.clone()), counters);
        let mut first = 0usize;
        for (index, &n_rows) in (0..).zip(&self.record_rows) {
            bytes.extend_from_slice(&RecordHeader { index, n_rows }.encode());
            for (column, stored) in self.schema.columns().iter().zip(&self.stored) {
                let itemsize = column.dtype().itemsize();
                bytes.extend_from_slice(&stored[first * itemsize..(first + n_rows as usize) * itemsize]);
            }
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            first += n_rows as usize;
        }
        bytes
    }

    /// The values of a column in native order, which a read must give.
    pub(crate) fn native(&self, column: usize) -> Vec<u8> {
        let dtype = self.schema.columns()[column].dtype();
        let mut bytes = self.stored[column].clone();
        if dtype.needs_swap() {
            bytes.chunks_mut(dtype.word_size()).for_each(<[u8]>::reverse);
        }
        bytes
    }

    /// Compares every kind of read of rows `start..stop` with the model.
    pub(crate) fn check(&self, table: &Table, start: u64, stop: u64, options: &ReadOptions<'_>) {
        let positions: Vec<u64> = (start..stop).collect();
        self.check_rows(table, &Rows::from(start..stop), &positions, options);
    }

    /// Compares every kind of read of `rows`, which are those at `positions`, with the model.
    pub(crate) fn check_rows(
        &self,
        table: &Table,
        rows: &Rows<'_>,
        positions: &[u64],
        options: &ReadOptions<'_>,
    ) {
        let n_columns = self.schema.len();
        let n_rows = positions.len();
        assert_eq!(rows.len(), n_rows as u64);
        let mut natives = Vec::new();
        for j in 0..n_columns {
            let itemsize = self.schema.columns()[j].dtype().itemsize();
            let native = self.native(j);
            let picked: Vec<u8> = positions
                .iter()
                .flat_map(|&row| &native[row as usize * itemsize..(row as usize + 1) * itemsize])
                .copied()
                .collect();
            assert!(table.column_bytes(j, rows, options).unwrap() == picked, "c{j} of {rows:?}");
            natives.push((itemsize, picked));
        }
        // All columns in one call, the last one twice, at odd addresses, and nothing written around them.
        let wanted: Vec<usize> = (0..n_columns).chain(n_columns.checked_sub(1)).collect();
        let mut memory: Vec<Vec<u8>> = wanted.iter().map(|&j| vec![0xEE; natives[j].1.len() + 2]).collect();
        let mut outputs: Vec<ColumnOutput<'_>> = wanted
            .iter()
            .zip(&mut memory)
            .map(|(&column, memory)| {
                let len = memory.len();
                ColumnOutput { column, out: as_uninit(&mut memory[1..len - 1]) }
            })
            .collect();
        table.read_columns(&mut outputs, rows, options).unwrap();
        for (&j, memory) in wanted.iter().zip(&memory) {
            assert!(memory[1..memory.len() - 1] == natives[j].1, "c{j} of all, {rows:?}");
            assert_eq!((memory[0], memory[memory.len() - 1]), (0xEE, 0xEE));
        }
        // Records, in the same and in another order of columns.
        for columns in [wanted.clone(), wanted.iter().rev().copied().collect()] {
            let record_size: usize = columns.iter().map(|&j| natives[j].0).sum();
            let mut memory = vec![0xEE; n_rows * record_size + 2];
            let len = memory.len();
            table.read_records(&columns, rows, as_uninit(&mut memory[1..len - 1]), options).unwrap();
            let mut expected = vec![0xEE];
            for row in 0..n_rows {
                for &j in &columns {
                    let (itemsize, native) = &natives[j];
                    expected.extend_from_slice(&native[row * itemsize..(row + 1) * itemsize]);
                }
            }
            expected.push(0xEE);
            assert!(memory == expected, "records of {columns:?}, {rows:?}");
        }
    }

    /// The model of a table of this one's rows and then `other`'s, which has the same columns.
    pub(crate) fn concat(&self, other: &Model) -> Model {
        let mut model = self.clone();
        model.record_rows.extend(&other.record_rows);
        model.stored.iter_mut().zip(&other.stored).for_each(|(a, b)| a.extend(b));
        model
    }
}

/// A table over `bytes`, in a new file under `dir`.
pub(crate) fn open(dir: &Path, bytes: &[u8]) -> Table {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let path = dir.join(format!("model-{}.cstore", NUMBER.fetch_add(1, Ordering::Relaxed)));
    std::fs::write(&path, bytes).unwrap();
    Table::open(path).unwrap()
}

pub(crate) fn as_uninit(bytes: &mut [u8]) -> &mut [std::mem::MaybeUninit<u8>] {
    // SAFETY: same memory, same layout; whoever gets it only writes initialised bytes.
    unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}
