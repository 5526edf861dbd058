//! The one boundary between C and Rust: every exported function runs its whole body in here, so that a panic
//! never crosses into the caller's frames and never aborts the process.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{Error, ErrorOut, Failure};
use crate::status::Status;

/// Runs the body of the fallible `function`; a failure goes to `err`, a panic becomes [`Status::Internal`].
pub(crate) fn guard(
    function: &'static str,
    err: ErrorOut,
    body: impl FnOnce() -> Result<(), Failure>,
) -> Status {
    // AssertUnwindSafe: what the body borrows is either its own or behind a handle, and handles are never
    // left half changed (they are immutable but for atomics, the caller's callback, and what is replaced as a whole
    // under a lock).
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(failure)) => failure.into_error(function),
        Err(payload) => Error::new(
            Status::Internal,
            format!(
                "internal error in {function}: {}. This is a defect of colstore; please report it",
                message_of(payload)
            ),
        ),
    };
    let status = failure.status();
    err.set(failure);
    status
}

/// Runs the body of a function that cannot fail; `otherwise` is the answer after a panic.
pub(crate) fn guard_value<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        message_of(payload);
        otherwise
    })
}

/// The message of a panic. The payload is dropped under a guard of its own, as its `drop` may be anybody's.
fn message_of(payload: Box<dyn Any + Send>) -> String {
    let message = if let Some(text) = payload.downcast_ref::<&'static str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without a message".to_owned()
    };
    let mut payload = Some(payload);
    while let Some(current) = payload.take() {
        payload = catch_unwind(AssertUnwindSafe(move || drop(current))).err();
    }
    message
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;
    use crate::error::{colstore_error_free, colstore_error_message};
    use crate::slice;

    fn run(body: impl FnOnce() -> Result<(), Failure>) -> (Status, Option<String>) {
        let mut err: *mut Error = ptr::null_mut();
        // SAFETY: `err` is a local variable that outlives the guard.
        let status = guard("colstore_test", unsafe { ErrorOut::new(&raw mut err) }, body);
        if err.is_null() {
            return (status, None);
        }
        let mut len = 0;
        // SAFETY: `err` is the error that the guard has just made, `len` a local variable; the message is
        // `len` bytes of the error, which is freed last.
        let message = unsafe {
            let text = colstore_error_message(err, &raw mut len);
            let text = slice::bytes(text, len, "text").map(<[u8]>::to_vec);
            colstore_error_free(err);
            text
        };
        let message = message.unwrap_or_else(|_| panic!("the message is a valid slice"));
        (status, Some(String::from_utf8(message).unwrap()))
    }

    #[test]
    fn success_leaves_the_error_alone() {
        assert_eq!(run(|| Ok(())), (Status::Ok, None));
    }

    #[test]
    fn a_failure_names_the_function_and_the_argument() {
        let (status, message) = run(|| Err(Failure::null("path")));
        assert_eq!(status, Status::InvalidArgument);
        let message = message.unwrap();
        assert!(message.contains("colstore_test") && message.contains("path"), "{message}");
    }

    #[test]
    fn panics_become_internal_with_their_message() {
        let (status, message) = run(|| panic!("what {}", "happened"));
        assert_eq!(status, Status::Internal);
        let message = message.unwrap();
        assert!(message.contains("what happened") && message.contains("colstore_test"), "{message}");
        assert_eq!(run(|| panic!("static")).0, Status::Internal);
        let (status, message) = run(|| std::panic::panic_any(17_u8));
        assert_eq!(status, Status::Internal);
        assert!(message.unwrap().contains("without a message"));
    }

    #[test]
    fn a_payload_that_panics_when_dropped_is_contained() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("dropped");
            }
        }
        assert_eq!(run(|| std::panic::panic_any(Bomb)).0, Status::Internal);
        assert_eq!(guard_value(3, || std::panic::panic_any(Bomb)), 3);
    }

    #[test]
    fn nobody_has_to_take_the_error() {
        // SAFETY: NULL is allowed.
        let err = unsafe { ErrorOut::new(ptr::null_mut()) };
        assert_eq!(guard("colstore_test", err, || Err(Failure::null("x"))), Status::InvalidArgument);
    }
}
