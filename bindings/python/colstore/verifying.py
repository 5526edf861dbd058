"""`verify`: what is wrong with a file, and where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ._native import verify as native
from ._native.progress import Progress
from .paths import path_text

if TYPE_CHECKING:
    from .paths import StrPath


@dataclass(frozen=True)
class Finding:
    """One thing that was found in a file."""

    #: `"error"` (damage), `"warning"` (not as writers leave a file, but readers get the right values) or `"note"`.
    severity: str
    #: A word that says what it is about, such as `"record"`.
    code: str
    #: What was expected and what was found.
    message: str
    path: Path
    #: Where, in bytes from the start of the file.
    offset: int | None
    #: In which record, counted from 0.
    record: int | None
    column: str | None


@dataclass(frozen=True)
class VerifyReport:
    """What :func:`verify` has found, and in how much. It is true if nothing is damaged."""

    #: Of each file at most a thousand, and one more that says so.
    findings: tuple[Finding, ...]
    n_errors: int
    n_warnings: int
    n_notes: int
    n_files: int
    n_records: int
    n_rows: int
    #: Of all files together.
    n_bytes: int
    #: Bytes of values that were read.
    n_value_bytes: int

    @property
    def sound(self) -> bool:
        """Whether there is no error among the findings."""
        return self.n_errors == 0

    def __bool__(self) -> bool:
        return self.sound


def verify(path: StrPath, *, deep: bool = False) -> VerifyReport:
    """Check the file at `path`, or all files of a directory or a pattern, for damage.

    Damage is reported, not raised. Any changed bit of the header, the manifest, record headers, fillers and statistics
    is found. Values have no checksum: with `deep` they are read and compared with the statistics of the file, if it has
    any, and a value that leaves their range is found, as are bytes that no bool or text holds. Other changes of values
    cannot be found.

    Raises `FileNotFoundError`, or another `OSError`, if the file or the directory cannot be read.
    """
    # A progress that does nothing lets Ctrl-C through while values are read.
    progress = Progress(lambda done, total: None) if deep else None
    summary, findings = native.verify(path_text(path), bool(deep), progress)
    return VerifyReport(
        findings=tuple(Finding(**{**finding, "path": Path(finding["path"])}) for finding in findings),
        n_errors=summary.n_errors,
        n_warnings=summary.n_warnings,
        n_notes=summary.n_notes,
        n_files=summary.n_files,
        n_records=summary.n_records,
        n_rows=summary.n_rows,
        n_bytes=summary.n_bytes,
        n_value_bytes=summary.n_value_bytes,
    )
