"""Checking files, and recovering what a writer that died has left."""

from __future__ import annotations

import os
from ctypes import byref, c_void_p, string_at
from typing import TYPE_CHECKING, Any

from .errors import raise_error
from .handles import Handle
from .library import lib
from .structs import (
    FINDING_SIZE,
    RECOVER_OPTIONS_SIZE,
    RECOVERY_SIZE,
    VERIFY_OPTIONS_SIZE,
    VERIFY_SUMMARY_SIZE,
    Finding,
    RecoverOptions,
    Recovery,
    VerifyOptions,
    VerifySummary,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .progress import Progress

#: `colstore_severity`
SEVERITIES = ("note", "warning", "error")
#: `colstore_recovery_action`
ACTIONS = ("listed", "unchanged", "committed", "copied")
#: `colstore_counters_state`
COUNTERS = ("intact", "wrong", "damaged")


def verify(path: str, deep: bool, progress: Progress | None) -> tuple[VerifySummary, list[dict[str, Any]]]:
    """What a check of `path` came to, and what it found."""
    encoded, pointer = os.fsencode(path), None if progress is None else progress.pointer
    options = VerifyOptions(VERIFY_OPTIONS_SIZE, int(deep), 0, pointer)
    error, out = c_void_p(), c_void_p()
    status = lib.colstore_verify(encoded, len(encoded), byref(options), byref(out), byref(error))
    _raise(status, error, progress)
    report = Handle(out.value or 0, lib.colstore_verify_report_free)
    summary = VerifySummary(VERIFY_SUMMARY_SIZE)
    status = lib.colstore_verify_report_describe(report.pointer, byref(summary), byref(error))
    if status:
        raise_error(status, error)
    return summary, list(_findings(report, summary.n_findings))


def _findings(report: Handle, count: int) -> Iterator[dict[str, Any]]:
    error, finding = c_void_p(), Finding(FINDING_SIZE)
    for index in range(count):
        status = lib.colstore_verify_report_finding(report.pointer, index, byref(finding), byref(error))
        if status:
            raise_error(status, error)
        yield {
            "severity": SEVERITIES[finding.severity],
            "code": _text(finding.code, finding.code_len),
            "message": _text(finding.message, finding.message_len),
            "path": os.fsdecode(string_at(finding.path, finding.path_len)),
            "column": _text(finding.column, finding.column_len) if finding.column else None,
            "offset": None if finding.offset < 0 else finding.offset,
            "record": None if finding.record < 0 else finding.record,
        }


def recover(path: str, out: str | None, commit: bool, progress: Progress | None) -> Recovery:
    """Find whole records, and commit them in the file or write them to `out`."""
    encoded, target = os.fsencode(path), None if out is None else os.fsencode(out)
    options = RecoverOptions(RECOVER_OPTIONS_SIZE, int(commit), 0, None if progress is None else progress.pointer)
    error, recovery = c_void_p(), Recovery(RECOVERY_SIZE)
    status = lib.colstore_recover(
        encoded, len(encoded), target, len(target or b""), byref(options), byref(recovery), byref(error)
    )
    _raise(status, error, progress)
    return recovery


def _raise(status: int, error: c_void_p, progress: Progress | None) -> None:
    if progress is not None and progress.exception is not None:
        lib.colstore_error_free(error)
        raise progress.exception
    if status:
        raise_error(status, error)


def _text(start: int | None, length: int) -> str:
    return string_at(start, length).decode("utf-8", "replace") if start else ""
