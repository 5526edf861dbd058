//! What a call came to, as a number.

use std::ffi::{CStr, c_char};

use colstore_core::ErrorKind;

use crate::guard::guard_value;

/// What a call came to. 0 is success. A number keeps its meaning for ever and is never used again; later
/// versions may add numbers, so treat an unknown one as a failure.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The call did what it was asked to.
    Ok = 0,
    /// An argument is wrong: NULL where it must not be, a size that does not fit, a value out of its set.
    InvalidArgument = 1,
    /// The dtype cannot be stored in a `.cstore` file.
    UnsupportedType = 2,
    /// There is no file at the path.
    NotFound = 3,
    /// There is a file at the path already, and the call must not replace it.
    AlreadyExists = 4,
    /// The operating system does not allow the access.
    PermissionDenied = 5,
    /// The operating system failed to read or write.
    Io = 6,
    /// The disk is full, or a quota or the largest file size is reached.
    NoSpace = 7,
    /// The bytes of the file are no valid `.cstore` file.
    Format = 8,
    /// The table has no column of that name.
    UnknownColumn = 9,
    /// A row or an index is outside its range.
    OutOfBounds = 10,
    /// The values do not lie one after the other in the file, or not in native byte order: they cannot be
    /// viewed, only read.
    NotContiguous = 11,
    /// The call was cancelled through its progress.
    Cancelled = 12,
    /// Memory or address space ran out.
    OutOfMemory = 13,
    /// A defect of this library. The message says where; please report it.
    Internal = 14,
    /// The file or directory is locked by another writer.
    Locked = 15,
    /// A condition or expression that cannot be understood: its syntax, a name in it, a result that is not boolean.
    Query = 16,
    /// No operation for operands of these dtypes.
    Type = 17,
    /// The frame has no column of that name.
    Key = 18,
    /// A value, a length or a number of rows that is not allowed.
    Value = 19,
    /// A number that its dtype cannot hold.
    Overflow = 20,
    /// A function of the caller's failed; `colstore_error_callback_code` has its code.
    Callback = 21,
}

impl Status {
    const ALL: [Status; 22] = [
        Status::Ok,
        Status::InvalidArgument,
        Status::UnsupportedType,
        Status::NotFound,
        Status::AlreadyExists,
        Status::PermissionDenied,
        Status::Io,
        Status::NoSpace,
        Status::Format,
        Status::UnknownColumn,
        Status::OutOfBounds,
        Status::NotContiguous,
        Status::Cancelled,
        Status::OutOfMemory,
        Status::Internal,
        Status::Locked,
        Status::Query,
        Status::Type,
        Status::Key,
        Status::Value,
        Status::Overflow,
        Status::Callback,
    ];

    fn name(self) -> &'static CStr {
        match self {
            Status::Ok => c"OK",
            Status::InvalidArgument => c"INVALID_ARGUMENT",
            Status::UnsupportedType => c"UNSUPPORTED_TYPE",
            Status::NotFound => c"NOT_FOUND",
            Status::AlreadyExists => c"ALREADY_EXISTS",
            Status::PermissionDenied => c"PERMISSION_DENIED",
            Status::Io => c"IO",
            Status::NoSpace => c"NO_SPACE",
            Status::Format => c"FORMAT",
            Status::UnknownColumn => c"UNKNOWN_COLUMN",
            Status::OutOfBounds => c"OUT_OF_BOUNDS",
            Status::NotContiguous => c"NOT_CONTIGUOUS",
            Status::Cancelled => c"CANCELLED",
            Status::OutOfMemory => c"OUT_OF_MEMORY",
            Status::Internal => c"INTERNAL",
            Status::Locked => c"LOCKED",
            Status::Query => c"QUERY",
            Status::Type => c"TYPE",
            Status::Key => c"KEY",
            Status::Value => c"VALUE",
            Status::Overflow => c"OVERFLOW",
            Status::Callback => c"CALLBACK",
        }
    }
}

impl From<ErrorKind> for Status {
    fn from(kind: ErrorKind) -> Status {
        match kind {
            ErrorKind::NotFound => Status::NotFound,
            ErrorKind::AlreadyExists => Status::AlreadyExists,
            ErrorKind::PermissionDenied => Status::PermissionDenied,
            ErrorKind::NoSpace => Status::NoSpace,
            ErrorKind::Io => Status::Io,
            ErrorKind::Format => Status::Format,
            ErrorKind::UnsupportedType => Status::UnsupportedType,
            ErrorKind::InvalidArgument => Status::InvalidArgument,
            ErrorKind::UnknownColumn => Status::UnknownColumn,
            ErrorKind::OutOfBounds => Status::OutOfBounds,
            ErrorKind::NotContiguous => Status::NotContiguous,
            ErrorKind::Cancelled => Status::Cancelled,
            ErrorKind::OutOfMemory => Status::OutOfMemory,
            ErrorKind::Locked => Status::Locked,
            // A kind that has no number yet.
            _ => Status::Internal,
        }
    }
}

impl From<colstore_frame::ErrorKind> for Status {
    fn from(kind: colstore_frame::ErrorKind) -> Status {
        use colstore_frame::ErrorKind as Kind;
        match kind {
            Kind::Query => Status::Query,
            Kind::Type => Status::Type,
            Kind::Key => Status::Key,
            Kind::Value => Status::Value,
            Kind::Overflow => Status::Overflow,
            Kind::Callback => Status::Callback,
            Kind::Table(kind) => kind.into(),
            // A kind that has no number yet.
            _ => Status::Internal,
        }
    }
}

/// The name of a status without its prefix, such as `"NOT_FOUND"`; `"UNKNOWN"` for a number that is no
/// status.
///
/// The text is static: never free it.
#[unsafe(no_mangle)]
pub extern "C" fn colstore_status_name(status: i32) -> *const c_char {
    guard_value(c"UNKNOWN".as_ptr(), || {
        let known = Status::ALL.into_iter().find(|candidate| *candidate as i32 == status);
        known.map_or(c"UNKNOWN", Status::name).as_ptr()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_consecutive_and_names_differ() {
        for (number, status) in Status::ALL.into_iter().enumerate() {
            assert_eq!(status as usize, number);
            assert_eq!(Status::ALL.into_iter().filter(|other| other.name() == status.name()).count(), 1);
        }
    }
}
