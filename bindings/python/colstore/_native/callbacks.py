"""Python functions that the library calls for blocks of rows, and memory of Python's that it holds.

The library knows a number, `context`, for each; what it stands for is in a table here until the library releases it.
"""

from __future__ import annotations

from ctypes import PYFUNCTYPE, c_char, c_void_p, py_object, pythonapi
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from . import expr
from .library import lib
from .structs import ExprFunction, ReleaseFunction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

#: Bits of floating-point conditions, here, in NumPy and in the library.
DIVIDE, OVERFLOW, UNDERFLOW, INVALID = 1, 2, 4, 8


class BlockFunction(Protocol):
    """What is computed for a block: `call(arrays, out)` fills `out`, of `dtype`, from one array for each operand."""

    @property
    def dtypes(self) -> Sequence[np.dtype[Any]]:
        """Of the operands."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the results."""

    def __call__(self, arrays: list[NDArray[Any]], out: NDArray[Any]) -> None: ...


_numbers = count(1)
_held: dict[int, Any] = {}
_failures: dict[int, BaseException] = {}
#: Conditions that functions met since they were last taken.
_met: set[int] = set()


# The library uses its blocks of memory again, and making an array over one takes longer than many a function.
_wrappers: dict[tuple[int | None, int, np.dtype[Any]], NDArray[Any]] = {}
_KEPT_WRAPPERS = 256


def _wrapped(address: int | None, n_rows: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array over memory that is there during a call, and only then used."""
    key = (address, n_rows, dtype)
    array = _wrappers.get(key)
    if array is None:
        size = n_rows * dtype.itemsize
        if not size:
            return np.empty(n_rows, dtype)
        memory: Any = (c_char * size).from_address(address or 0)
        array = np.ndarray(n_rows, dtype, memory)
        if len(_wrappers) >= _KEPT_WRAPPERS:
            _wrappers.clear()
        _wrappers[key] = array
    return array


def _meet(kind: str, flags: int) -> None:
    _met.add(flags)


def _make_settings() -> tuple[Any, Any]:
    """NumPy's settings that report to `_meet`, and where they are set for a thread."""
    from numpy._core.umath import _extobj_contextvar, _make_extobj

    return _extobj_contextvar, _make_extobj(all="call", call=_meet)


# NumPy's settings are those of a thread, and the library may call from any: what is met is told where the result is
# asked for. `errstate` takes longer than many a block; it is for a NumPy that keeps its settings elsewhere.
try:
    _settings, _reporting = _make_settings()
except Exception:
    _settings = None


def _run(context: int, args: Any, n_args: int, n_rows: int, out: int | None, code: Any) -> int:
    try:
        function: BlockFunction = _held[context]
        arrays = [_wrapped(args[at], n_rows, dtype) for at, dtype in enumerate(function.dtypes)]
        result = _wrapped(out, n_rows, function.dtype)
        if _settings is None:
            with np.errstate(all="call", call=_meet):
                function(arrays, result)
        else:
            before = _settings.set(_reporting)
            try:
                function(arrays, result)
            finally:
                _settings.reset(before)
    except BaseException as exception:
        # What stays of the traceback is the user's: the first two frames have arrays over memory of the library's.
        trace = exception.__traceback__
        for _ in range(2):
            trace = trace and trace.tb_next
        _failures[context] = exception.with_traceback(trace)
        code[0] = context
        return 1
    return 0


def _release(context: int, held: Any = _held, failures: Any = _failures) -> None:
    held.pop(context, None)
    failures.pop(context, None)


_run_pointer = ExprFunction(_run)
_release_pointer = ReleaseFunction(_release)
for _pointer in (_run_pointer, _release_pointer):
    # The library may release something when the modules are gone already: these stay for good.
    PYFUNCTYPE(None, py_object)(("Py_IncRef", pythonapi))(_pointer)


def failure(code: int) -> BaseException | None:
    """The exception that a function ended with."""
    return _failures.pop(code, None)


def take_met() -> int:
    """The conditions that functions met since the last call."""
    flags = 0
    while _met:
        try:
            flags |= _met.pop()
        except KeyError:  # another thread was faster
            break
    return flags


def call_back(function: BlockFunction, args: Sequence[expr.Expr]) -> expr.Expr:
    """The expression that `function` computes of these operands."""
    context, dtype = next(_numbers), function.dtype.str.encode()
    _held[context] = function
    return expr.made(
        lib.colstore_expr_callback,
        _run_pointer,
        context,
        _release_pointer,
        dtype,
        len(dtype),
        expr.pointers(args),
        len(args),
    )


def hold(frame: int, typestr: str, array: NDArray[Any], address: int) -> expr.Expr:
    """The values of an array, which is kept and not copied, as a column for the frame at this address."""
    context, dtype = next(_numbers), typestr.encode()
    _held[context] = array
    return expr.made(
        lib.colstore_frame_memory,
        frame,
        dtype,
        len(dtype),
        address,
        len(array),
        array.strides[0],
        _release_pointer,
        c_void_p(context),
    )
