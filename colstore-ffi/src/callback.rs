//! Functions and memory of the host in expressions.

use std::ffi::{c_char, c_void};
use std::ptr;

use colstore_format::{DType, Kind};
use colstore_frame::{Callback, CallbackError, Expr as CoreExpr, MemoryColumn};

use crate::error::Error;
use crate::expr::{self, Expr};
use crate::status::Status;
use crate::text_array;

/// A function of the caller's over many rows at once. `args` has `n_args` pointers, each to `n_rows` values of the
/// dtype of that operand, one after the other in native byte order and aligned for their type; `out` takes as many
/// results of the declared dtype. It returns 0; anything else fails the call that computes the expression, with
/// `CALLBACK`, and `*code`, which was 0, is kept for `colstore_error_callback_code`.
///
/// It is called for blocks of rows, in no order, from any thread and from several at once, while no lock of the
/// library is held; for a row whose result is not needed it may be called or not. It must not throw or jump out.
pub type ExprFunction = Option<
    unsafe extern "C" fn(
        context: *mut c_void,
        args: *const *const c_void,
        n_args: usize,
        n_rows: i64,
        out: *mut c_void,
        code: *mut i64,
    ) -> i32,
>;

/// Says that a context is not needed any more. It is called once, from any thread, while no lock of the library is
/// held, and must not throw or jump out.
pub type ReleaseFunction = Option<unsafe extern "C" fn(context: *mut c_void)>;

/// A context of the caller's, released when it is dropped.
pub(crate) struct Context {
    pointer: *mut c_void,
    release: ReleaseFunction,
}

// SAFETY: the library never looks at what it points to; it gives it to functions that may be called from any
// thread, by the promise that `new` demands.
unsafe impl Send for Context {}
// SAFETY: as for Send; and several threads at once only give it to a function that may be called so.
unsafe impl Sync for Context {}

impl Context {
    /// # Safety
    ///
    /// `release` is NULL or may be called once with `pointer`, from any thread, at any time until it has been.
    pub(crate) unsafe fn new(pointer: *mut c_void, release: ReleaseFunction) -> Context {
        Context { pointer, release }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some(release) = self.release.take() {
            // SAFETY: called once, by the promise made to `new`.
            unsafe { release(self.pointer) };
        }
    }
}

/// A function of the host as the engine calls it.
struct HostFunction {
    function:
        unsafe extern "C" fn(*mut c_void, *const *const c_void, usize, i64, *mut c_void, *mut i64) -> i32,
    context: Context,
    dtype: DType,
}

impl Callback for HostFunction {
    fn dtype(&self) -> DType {
        self.dtype
    }

    fn call(
        &self,
        args: &[&[u8]],
        _dtypes: &[DType],
        n_rows: usize,
        out: &mut [u8],
    ) -> Result<(), CallbackError> {
        let pointers: Vec<*const c_void> = args.iter().map(|arg| arg.as_ptr().cast()).collect();
        let mut code = 0;
        // SAFETY: a function that may be called with the context from any thread, by the promise made to
        // `colstore_expr_callback`; every operand has `n_rows` values and `out` room for as many results, as the
        // engine promises; the code is a local variable. A block has far fewer rows than 2^63.
        let came_to = unsafe {
            (self.function)(
                self.context.pointer,
                pointers.as_ptr(),
                pointers.len(),
                n_rows as i64,
                out.as_mut_ptr().cast(),
                &raw mut code,
            )
        };
        if came_to != 0 {
            let message = format!("a function of rows failed: it returned {came_to} with the code {code}");
            return Err(CallbackError { message, code });
        }
        if self.dtype.kind() == Kind::Bool {
            out.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
        }
        Ok(())
    }
}

/// A function of the caller's over `n_args` operands, at least one; `dtype` is the text of the dtype of its results,
/// little-endian.
///
/// `context` is handed to the function as it is. Once neither this expression nor anything made of it needs the
/// function any more, `release`, unless it is NULL, is called with the context: exactly once, also if this call fails
/// (before it returns then).
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// Fails with `UNSUPPORTED_TYPE` if the text names no dtype, with `VALUE` without operands or for a big-endian dtype.
///
/// # Safety
///
/// `function` is NULL, or can be called with `context` as `colstore_expr_function` says until the context is
/// released; `release` is NULL or can be called with it once, from any thread; `dtype` has `dtype_len` bytes;
/// `args` has `n_args` elements, each NULL or a live expression; `out` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_callback(
    function: ExprFunction,
    context: *mut c_void,
    release: ReleaseFunction,
    dtype: *const c_char,
    dtype_len: usize,
    args: *const *const Expr,
    n_args: usize,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe {
        // Before anything can fail: it is released in every case.
        let context = Context::new(context, release);
        expr::make("colstore_expr_callback", out, err, move || {
            let context = context;
            let function = function.ok_or_else(|| crate::error::Failure::null("function"))?;
            let dtype = text_array::dtype(dtype, dtype_len, "dtype")?;
            let args = expr::lend_all(args, n_args, "args")?;
            let callback = std::sync::Arc::new(HostFunction { function, context, dtype });
            Ok(CoreExpr::callback(callback, args)?)
        })
    }
}

/// Values of the caller's as a column.
pub(crate) struct HostMemory {
    data: *const u8,
    stride: isize,
    dtype: DType,
    n_rows: u64,
    _context: Context,
}

// SAFETY: the memory is only read, from any thread, by the promise that `new` demands.
unsafe impl Send for HostMemory {}
// SAFETY: as for Send.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    /// # Safety
    ///
    /// `n_rows` values of `dtype` lie at `data`, `stride` bytes apart, within the address space, readable and
    /// unchanged until the context is released.
    pub(crate) unsafe fn new(
        data: *const c_void,
        stride: isize,
        dtype: DType,
        n_rows: u64,
        context: Context,
    ) -> HostMemory {
        HostMemory { data: data.cast(), stride, dtype, n_rows, _context: context }
    }
}

impl MemoryColumn for HostMemory {
    fn dtype(&self) -> DType {
        self.dtype.to_little()
    }

    fn n_rows(&self) -> u64 {
        self.n_rows
    }

    fn read(&self, first: u64, out: &mut [u8]) {
        let width = self.dtype.itemsize();
        if width == 0 || out.is_empty() {
            return;
        }
        let n = out.len() / width;
        assert!(first.checked_add(n as u64).is_some_and(|end| end <= self.n_rows), "rows of the column");
        // Within the address space, as all the values are.
        let start = self.data.wrapping_offset((first as isize).wrapping_mul(self.stride));
        if self.stride == width as isize {
            // SAFETY: the values of these rows are readable, by the promise made to `new`; `out` is other memory.
            unsafe { ptr::copy_nonoverlapping(start, out.as_mut_ptr(), n * width) };
        } else {
            for (at, value) in out.chunks_exact_mut(width).enumerate() {
                let source = start.wrapping_offset((at as isize).wrapping_mul(self.stride));
                // SAFETY: as above, for one value.
                unsafe { ptr::copy_nonoverlapping(source, value.as_mut_ptr(), width) };
            }
        }
        if self.dtype.needs_swap() {
            out.chunks_exact_mut(self.dtype.word_size().max(1)).for_each(<[u8]>::reverse);
        }
    }
}
