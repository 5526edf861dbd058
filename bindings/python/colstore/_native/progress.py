"""Progress of a long call, and its cancellation."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_void_p

from .errors import raise_error
from .handles import Handle
from .library import lib
from .structs import ProgressCallback


class Progress:
    """Reports the progress of one call to `report(bytes_done, bytes_total)`, on the calling thread.

    An exception raised by `report`, or by a signal handler that ran meanwhile (Ctrl-C), cancels the call;
    `exception` holds it then, for the caller to raise.
    """

    def __init__(self, report: Callable[[int, int], None]) -> None:
        self.exception: BaseException | None = None
        self._report = report
        self._callback = ProgressCallback(self._called)
        error, out = c_void_p(), c_void_p()
        status = lib.colstore_progress_new(self._callback, None, byref(out), byref(error))
        if status:
            raise_error(status, error)
        self._handle = Handle(out.value or 0, lib.colstore_progress_free)

    @property
    def pointer(self) -> int:
        """The `colstore_progress`."""
        return self._handle.pointer

    def _called(self, context: int | None, done: int, total: int) -> None:
        try:
            if self.exception is None:
                self._report(done, total)
        except BaseException as exception:
            self.exception = exception
            lib.colstore_progress_cancel(self._handle.pointer)
