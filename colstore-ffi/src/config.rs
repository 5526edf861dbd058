//! Settings of the whole process, by name and as text.

use std::ffi::c_char;

use colstore_core::config;

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::guard;
use crate::handle::Out;
use crate::slice;
use crate::status::Status;

/// Gives a setting of the whole process a value, both as text; it holds from the next call on, in all threads.
/// Settings change how calls are carried out, never what they result in.
///
/// - `max_threads` (`auto`, `1`, `2`, …): the most threads of a call that does not say
/// - `read_backend` (`mmap`, `pread`): how files are read that are opened without saying how
/// - `write_method` (`auto`, `pwrite`, `mmap`): how a new file is filled whose size is known
/// - `huge_pages` (`auto`, `off`): whether outputs that the library allocates ask for huge pages
/// - `numa_policy` (`auto`, `interleave`, `local`): where large outputs lie if there are several memory nodes
/// - `mask_density_gate` (`auto`, `0`, `0.01`, …): the share of rows below which the rows of a mask are jumped to
/// - `prefetch_distance` (`auto`, `0` to `16384`): how many rows ahead a gather asks for what it will need
/// - `lock_policy` (`auto`, `require`, `off`): what a writer does about the lock on its file, where it is not told
///
/// Until it is set, a setting has the value of the environment variable with its name in capitals, such as
/// `COLSTORE_MAX_THREADS`, or else the first one listed.
///
/// Fails with `INVALID_ARGUMENT` for a name or a value that there is not; the message says which there are.
///
/// # Safety
///
/// `name` has `name_len` bytes and `value` `value_len`; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_config_set(
    name: *const c_char,
    name_len: usize,
    value: *const c_char,
    value_len: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_config_set", err, || {
        // SAFETY: NULL, or readable during the call, by the promise of the caller.
        let (name, value) =
            unsafe { (slice::text(name, name_len, "name")?, slice::text(value, value_len, "value")?) };
        config::set(name, value)?;
        Ok(())
    })
}

/// The value of a setting, as `colstore_config_set` takes it: `*len` bytes of text, without a NUL, at `out`.
///
/// `capacity` is the size of `out`. If it is 0, only the length is given, and `out` may be NULL.
///
/// Fails with `INVALID_ARGUMENT` for a name that there is not, and if the text is longer than `capacity`; no value
/// is longer than 64 bytes.
///
/// # Safety
///
/// `name` has `name_len` bytes; `out` has `capacity` bytes that nobody else uses during the call; `len` is NULL or
/// writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_config_get(
    name: *const c_char,
    name_len: usize,
    out: *mut c_char,
    capacity: usize,
    len: *mut usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_config_get", err, || {
        // SAFETY: NULL, or readable and ours to write during the call, by the promise of the caller.
        let (name, out, len) = unsafe {
            (
                slice::text(name, name_len, "name")?,
                slice::output(out.cast(), capacity, "out")?,
                Out::new(len, "len")?,
            )
        };
        let value = config::get(name)?;
        if capacity > 0 {
            let Some(out) = out.get_mut(..value.len()) else {
                return Err(Failure::Argument(format!(
                    "the capacity of out is {capacity}, but the value has {} bytes",
                    value.len()
                )));
            };
            for (out, byte) in out.iter_mut().zip(value.bytes()) {
                out.write(byte);
            }
        }
        len.set(value.len());
        Ok(())
    })
}
