//! From what a user calls a data set to the paths of its files.

use std::ffi::c_char;

use colstore_core::expand_paths;

use crate::error::{Error, ErrorOut};
use crate::guard::guard;
use crate::handle::{self, Out};
use crate::names::Names;
use crate::slice;
use crate::status::Status;

/// The paths of the files that `path` stands for, in natural order (`run_2` before `run_10`):
///
/// - a directory stands for the `.cstore` files in it, without hidden ones; there may be none,
/// - a path with `*`, `?` or `[` in it is a pattern, and stands for the files that match (`**` for directories of
///   any depth),
/// - another path stands for itself, whether there is a file or not.
///
/// `*out` is a new list of paths, bytes of the operating system: free it with `colstore_names_free`.
///
/// Fails with `NOT_FOUND` if no file matches the pattern, with `INVALID_ARGUMENT` if it is no pattern, with
/// `PERMISSION_DENIED` or `IO` if the operating system refuses.
///
/// # Safety
///
/// `path` has `path_len` bytes; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_paths_expand(
    path: *const c_char,
    path_len: usize,
    out: *mut *mut Names,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_paths_expand", err, || {
        // SAFETY: NULL, or readable and writable during the call, by the promise of the caller.
        let (path, out) = unsafe { (slice::path(path, path_len, "path")?, Out::new(out, "out")?) };
        let paths = expand_paths(path)?;
        out.set(handle::give(Names::new(paths.iter().map(|path| slice::path_bytes(path).to_vec()))));
        Ok(())
    })
}
