"""Arrays for large results, over memory that earlier results gave back.

NumPy lets a program choose the allocator of an array's data (NEP 49). `empty` makes an ordinary array, which owns its
data, with the allocator of libcolstore; the choice holds for that one array. Where NumPy has no such hook, it is
`numpy.empty`.
"""

from __future__ import annotations

import ctypes
from ctypes import PYFUNCTYPE, POINTER, c_char, c_char_p, c_uint8, c_void_p, py_object, pythonapi
from typing import TYPE_CHECKING, Any

import numpy as np

from .library import lib

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

#: Smaller arrays are as quickly had from NumPy's own allocator.
LEAST_BYTES = 4 << 20

#: The place of `PyDataMem_SetHandler` in NumPy's table of C functions, since 1.22.
_SET_HANDLER = 304


class _Allocator(ctypes.Structure):
    """`PyDataMemAllocator`"""

    _fields_ = [(name, c_void_p) for name in ("context", "malloc", "calloc", "realloc", "free")]


class _Handler(ctypes.Structure):
    """`PyDataMem_Handler`"""

    _fields_ = [("name", c_char * 127), ("version", c_uint8), ("allocator", _Allocator)]


def _make_chooser() -> tuple[Callable[[Any], Any], Any]:
    """The function that sets NumPy's allocator and gives the one before, and the allocator of libcolstore."""
    try:
        from numpy._core._multiarray_umath import _ARRAY_API as table
    except ImportError:  # NumPy 1.x
        from numpy.core._multiarray_umath import _ARRAY_API as table
    pointer_of = PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", pythonapi))
    new_capsule = PYFUNCTYPE(py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", pythonapi))
    functions = ctypes.cast(pointer_of(table, None), POINTER(c_void_p))
    set_handler = PYFUNCTYPE(py_object, py_object)(functions[_SET_HANDLER])
    names = ("malloc", "calloc", "realloc", "free")
    addresses = [ctypes.cast(getattr(lib, f"colstore_allocator_{name}"), c_void_p).value for name in names]
    handler = _Handler(b"colstore", 1, _Allocator(None, *addresses))
    # At exit, NumPy may free arrays by this struct when the module is gone already: it stays for good.
    PYFUNCTYPE(None, py_object)(("Py_IncRef", pythonapi))(handler)
    return set_handler, new_capsule(ctypes.addressof(handler), b"mem_handler", None)


_chooser: tuple[Callable[[Any], Any], Any] | None = None
_tried = False


def empty(n_rows: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """An uninitialised 1-D array."""
    global _chooser, _tried
    if n_rows * dtype.itemsize < LEAST_BYTES:
        return np.empty(n_rows, dtype)
    if not _tried:
        try:
            _chooser = _make_chooser()
        except Exception:  # another NumPy, or another Python, without the hook
            _chooser = None
        _tried = True
    if _chooser is None:
        return np.empty(n_rows, dtype)
    set_handler, ours = _chooser
    before = set_handler(ours)
    try:
        return np.empty(n_rows, dtype)
    finally:
        set_handler(before)
