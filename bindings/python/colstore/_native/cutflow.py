"""What each cut of a frame leaves."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p, string_at
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import raise_error
from .handles import Handle
from .library import lib
from .structs import CUT_RECORD_SIZE, CutRecord

if TYPE_CHECKING:
    from .frame import Frame


class Cut(NamedTuple):
    """One cut: rows, and sums of weights where it has one."""

    label: str | None
    entering: int
    passing: int
    weighted_entering: float | None
    weighted_passing: float | None
    weighted_variance: float | None


def read_cutflow(frame: Frame, options: Any) -> tuple[list[Cut], int]:
    """The cuts of a frame in order; flags."""
    out, error, count, record = c_void_p(), c_void_p(), c_size_t(), CutRecord()
    record.size = CUT_RECORD_SIZE
    flags = frame._read(lib.colstore_frame_cutflow, options, byref(out))
    cutflow = Handle(out.value or 0, lib.colstore_cutflow_free)
    status = lib.colstore_cutflow_count(cutflow.pointer, byref(count), byref(error))
    if status:
        raise_error(status, error)
    cuts = []
    for index in range(count.value):
        status = lib.colstore_cutflow_get(cutflow.pointer, index, byref(record), byref(error))
        if status:
            raise_error(status, error)
        label = None
        if record.label is not None:
            label = string_at(record.label, record.label_len).decode("utf-8", "replace")
        cut = Cut(label, record.entering, record.passing, None, None, None)
        if record.weighted:
            cut = cut._replace(
                weighted_entering=record.weighted_entering,
                weighted_passing=record.weighted_passing,
                weighted_variance=record.weighted_variance,
            )
        cuts.append(cut)
    return cuts, flags
