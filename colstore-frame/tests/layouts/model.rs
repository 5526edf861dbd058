//! Rows that are known by their number, in files of any layout.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use colstore_core::{OnMismatch, OpenOptions, Table, concat};
use colstore_format::{Column, Counters, DType, Header, Manifest, RecordHeader, Schema};

/// The values of one row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) z: f32,
    pub(crate) id: i64,
    pub(crate) tag: i32,
    pub(crate) flag: bool,
    pub(crate) name: [u8; 3],
}

impl Row {
    /// The name without its padding.
    pub(crate) fn name(&self) -> &[u8] {
        let len = self.name.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
        &self.name[..len]
    }

    fn fields(&self, big: bool) -> [Vec<u8>; 7] {
        let order = |mut bytes: Vec<u8>| {
            if big {
                bytes.reverse();
            }
            bytes
        };
        [
            order(self.x.to_le_bytes().to_vec()),
            order(self.y.to_le_bytes().to_vec()),
            order(self.z.to_le_bytes().to_vec()),
            order(self.id.to_le_bytes().to_vec()),
            order(self.tag.to_le_bytes().to_vec()),
            vec![if self.flag { 1 } else { 0 }],
            self.name.to_vec(),
        ]
    }
}

/// Row `i` of every table.
pub(crate) fn row(i: u64) -> Row {
    let mut state = i.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    };
    let mut unit = || next() as f64 / (1_u64 << 53) as f64;
    let (mut x, y, z) = (unit() * 6.0 - 3.0, unit() * 6.0 - 3.0, (unit() * 2.0 - 1.0) as f32);
    if i % 97 == 13 {
        x = [f64::NAN, 0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY][(i / 97 % 5) as usize];
    }
    let (tag, flag, letter) = ((unit() * 50.0) as i32, unit() < 0.5, (unit() * 3.0) as u8);
    let name = match i % 4 {
        0 => [b'a' + letter, 0, 0],
        1 => [b'a' + letter, b'b', 0],
        2 => [b'a' + letter, b'b', b'c'],
        _ => [0; 3],
    };
    Row { x, y, z, id: i as i64, tag, flag, name }
}

/// Rows of the records of each file.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) files: Vec<Vec<u64>>,
    pub(crate) big: bool,
}

/// One record and many, empty ones, many files, either byte order.
pub(crate) fn layouts() -> Vec<Layout> {
    let mut all = Vec::new();
    for files in [
        vec![vec![0]],
        vec![vec![1]],
        vec![vec![4096]],
        vec![vec![3000, 0, 1, 0, 0, 1500, 77]],
        vec![vec![50; 40], vec![0], vec![700], vec![1; 64]],
        vec![vec![70_000], vec![65_536, 9], vec![1, 4095]],
    ] {
        all.push(Layout { files: files.clone(), big: false });
        if files.len() < 3 {
            all.push(Layout { files, big: true });
        }
    }
    all
}

impl Layout {
    pub(crate) fn n_rows(&self) -> u64 {
        self.files.iter().flatten().sum()
    }

    /// A table of new files under `directory`.
    pub(crate) fn open(&self, directory: &Path, options: &OpenOptions) -> Table {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let order = if self.big { '>' } else { '<' };
        let dtypes = ["f8", "f8", "f4", "i8", "i4"].map(|dtype| format!("{order}{dtype}"));
        let names = ["x", "y", "z", "id", "tag", "flag", "name"];
        let dtypes = dtypes.iter().map(String::as_str).chain(["|b1", "|S3"]);
        let columns = names.iter().zip(dtypes);
        let columns =
            columns.map(|(name, dtype)| Column::new(*name, dtype.parse::<DType>().unwrap())).collect();
        let schema = Schema::new(columns).unwrap();
        let mut first = 0;
        let tables: Vec<Table> = self
            .files
            .iter()
            .map(|records| {
                let counters = Counters {
                    n_records: records.len() as u64,
                    committed_rows: records.iter().sum(),
                    stats_offset: 0,
                };
                let mut bytes = Header::encode(&Manifest::new(schema.clone()), counters);
                for (index, &n_rows) in (0..).zip(records) {
                    bytes.extend_from_slice(&RecordHeader { index, n_rows }.encode());
                    let rows: Vec<[Vec<u8>; 7]> =
                        (first..first + n_rows).map(|i| row(i).fields(self.big)).collect();
                    for j in 0..names.len() {
                        rows.iter().for_each(|row| bytes.extend_from_slice(&row[j]));
                    }
                    bytes.resize(bytes.len().next_multiple_of(8), 0);
                    first += n_rows;
                }
                let number = NUMBER.fetch_add(1, Ordering::Relaxed);
                let path = directory.join(format!("layout-{number}.cstore"));
                std::fs::write(&path, bytes).unwrap();
                Table::open_with(path, options).unwrap()
            })
            .collect();
        match &tables[..] {
            [table] => table.clone(),
            tables => concat(tables, OnMismatch::Strict).unwrap().0,
        }
    }
}
