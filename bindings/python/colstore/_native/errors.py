"""From a status of the library to a Python exception."""

from __future__ import annotations

import errno
import os
from ctypes import byref, c_size_t, c_void_p, string_at
from typing import NoReturn

from .library import lib

OK = 0
INVALID_ARGUMENT = 1
UNSUPPORTED_TYPE = 2
NOT_FOUND = 3
ALREADY_EXISTS = 4
PERMISSION_DENIED = 5
IO = 6
NO_SPACE = 7
FORMAT = 8
UNKNOWN_COLUMN = 9
OUT_OF_BOUNDS = 10
NOT_CONTIGUOUS = 11
CANCELLED = 12
OUT_OF_MEMORY = 13
INTERNAL = 14
LOCKED = 15
QUERY = 16
TYPE = 17
KEY = 18
VALUE = 19
OVERFLOW = 20
CALLBACK = 21


class FormatError(Exception):
    """The bytes of a file are not a valid `.cstore`."""


class QueryError(ValueError):
    """A query or an expression that cannot be understood, or is none that rows can be selected by."""


FormatError.__module__ = QueryError.__module__ = "colstore"


_EXCEPTIONS: dict[int, type[Exception]] = {
    INVALID_ARGUMENT: ValueError,
    UNSUPPORTED_TYPE: TypeError,
    FORMAT: FormatError,
    UNKNOWN_COLUMN: KeyError,
    OUT_OF_BOUNDS: IndexError,
    NOT_CONTIGUOUS: ValueError,
    OUT_OF_MEMORY: MemoryError,
    QUERY: QueryError,
    TYPE: TypeError,
    KEY: KeyError,
    VALUE: ValueError,
    OVERFLOW: OverflowError,
}

# For these statuses the exception is chosen by Python from the error number.
_ERROR_NUMBERS = {
    NOT_FOUND: errno.ENOENT,
    ALREADY_EXISTS: errno.EEXIST,
    PERMISSION_DENIED: errno.EACCES,
    IO: errno.EIO,
    NO_SPACE: errno.ENOSPC,
    LOCKED: errno.EWOULDBLOCK,
}
_OS_CLASSES: dict[int, type[OSError]] = {
    NOT_FOUND: FileNotFoundError,
    ALREADY_EXISTS: FileExistsError,
    PERMISSION_DENIED: PermissionError,
}


def raise_error(status: int, error: c_void_p) -> NoReturn:
    """Raise the exception for a failed call, and free `error`."""
    try:
        exception = _exception(status, error)
    finally:
        lib.colstore_error_free(error)
    raise exception


def _exception(status: int, error: c_void_p) -> BaseException:
    message = _text(lib.colstore_error_message, error) or f"status {status} of libcolstore"
    if status in _ERROR_NUMBERS:
        return _os_error(status, message, lib.colstore_error_os_code(error), _text(lib.colstore_error_path, error))
    if status == CANCELLED:
        return KeyboardInterrupt(message)
    if status == CALLBACK:
        from .callbacks import failure

        return failure(lib.colstore_error_callback_code(error)) or RuntimeError(message)
    if status == NOT_CONTIGUOUS:
        # It ends in "read a copy", and here this is how.
        message += " (copy=True)"
    return _EXCEPTIONS.get(status, RuntimeError)(message)


def _os_error(status: int, message: str, os_code: int, path: str | None) -> OSError:
    """The exception that Python itself would raise, where the operating system had the last word."""
    number = os_code or _ERROR_NUMBERS[status]
    text = message if os_code == 0 or status in (ALREADY_EXISTS, LOCKED) else os.strerror(os_code)
    arguments = (number, text) if path is None else (number, text, path)
    made = OSError(*arguments)
    wanted = _OS_CLASSES.get(status)
    if wanted is not None and not isinstance(made, wanted):
        made = wanted(*arguments)
    if text is not message and hasattr(made, "add_note"):
        made.add_note(message)
    return made


def _text(accessor: object, error: c_void_p) -> str | None:
    length = c_size_t()
    start = accessor(error, byref(length))  # type: ignore[operator]
    if not start:
        return None
    data = string_at(start, length.value)
    # A path may hold any bytes; a message is UTF-8.
    return os.fsdecode(data) if accessor is lib.colstore_error_path else data.decode("utf-8", "replace")
