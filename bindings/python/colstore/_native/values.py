"""Sets of values, and the parameters of queries."""

from __future__ import annotations

from ctypes import byref, c_void_p
from typing import TYPE_CHECKING

from .errors import raise_error
from .expr import pointers
from .handles import Handle
from .library import lib

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .expr import Expr


class Values(Handle):
    """A `colstore_values`"""

    __slots__ = ()

    @classmethod
    def array(cls, typestr: str, address: int, n: int, stride: int) -> Values:
        """The values of an array, which are copied."""
        error, out, dtype = c_void_p(), c_void_p(), typestr.encode()
        status = lib.colstore_values_array(dtype, len(dtype), address, n, stride, byref(out), byref(error))
        if status:
            raise_error(status, error)
        return cls(out.value or 0, lib.colstore_values_free)

    @classmethod
    def literals(cls, literals: Sequence[Expr]) -> Values:
        """Constants, each of its own kind."""
        error, out = c_void_p(), c_void_p()
        status = lib.colstore_values_list(pointers(literals), len(literals), byref(out), byref(error))
        if status:
            raise_error(status, error)
        return cls(out.value or 0, lib.colstore_values_free)


class Params(Handle):
    """A `colstore_params`"""

    __slots__ = ()

    @classmethod
    def new(cls) -> Params:
        """No parameters yet."""
        error, out = c_void_p(), c_void_p()
        status = lib.colstore_params_new(byref(out), byref(error))
        if status:
            raise_error(status, error)
        return cls(out.value or 0, lib.colstore_params_free)

    def set(self, name: str, value: Expr | Values) -> None:
        """Give a parameter its value: a constant or a set."""
        error, encoded = c_void_p(), name.encode("utf-8", "surrogatepass")
        function = lib.colstore_params_set_values if isinstance(value, Values) else lib.colstore_params_set
        status = function(self.pointer, encoded, len(encoded), value.pointer, byref(error))
        if status:
            raise_error(status, error)
