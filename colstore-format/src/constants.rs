//! Magic numbers, fixed sizes and limits of format version 1.

/// The first eight bytes of every `.cstore` file.
pub const FILE_MAGIC: [u8; 8] = *b"CSTORE\0\x01";

/// The first four bytes of every record header.
pub const RECORD_MAGIC: [u8; 4] = *b"REC\x01";

/// The first eight bytes of a statistics footer.
pub const STATISTICS_MAGIC: [u8; 8] = *b"CSTAT\0\x01\0";

/// The `format_version` of the manifest that this crate reads and writes.
pub const FORMAT_VERSION: u32 = 1;

/// The version of the statistics footer that this crate reads and writes.
pub const STATISTICS_VERSION: u32 = 1;

/// Offset of the counters block, the only bytes of a file that are rewritten in place.
pub const COUNTERS_OFFSET: u64 = 8;

/// The first record starts at a multiple of this many bytes.
pub const HEADER_ALIGNMENT: u64 = 64;

/// A record body is padded to a multiple of this many bytes.
pub const RECORD_ALIGNMENT: u64 = 8;

/// The longest manifest that is read, in bytes: room for some 800,000 columns.
pub const MAX_MANIFEST_LEN: u64 = 64 << 20;

/// How deep arrays and objects of a manifest may be nested, the outermost object included.
pub const MAX_MANIFEST_DEPTH: usize = 64;

/// The longest column name, in bytes of UTF-8, that a statistics footer can hold.
pub const MAX_STATISTICS_NAME_LEN: usize = u16::MAX as usize;

/// The largest item size, in bytes, of a column.
pub const MAX_ITEMSIZE: usize = i32::MAX as usize;

/// The extension by which a directory's files are taken for shards of one table.
pub const SHARD_EXTENSION: &str = ".cstore";
