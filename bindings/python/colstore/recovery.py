"""`recover`: records that a writer did not get to commit."""

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
class Records:
    """A run of records from the first one on."""

    n_records: int
    n_rows: int
    #: Where the last of them ends, in bytes from the start of the file.
    end: int


@dataclass(frozen=True)
class Recovery:
    """What :func:`recover` found before it did anything, and what it did."""

    path: Path
    #: `"listed"`, `"unchanged"`, `"committed"` or `"copied"`.
    action: str
    #: Whether the counters of the file could be relied on: `"intact"`, `"wrong"` or `"damaged"`.
    counters: str
    #: What readers saw; `None` if the counters were not intact, so that readers refused the file.
    committed: Records | None
    #: All whole records, committed or not.
    whole: Records
    #: Bytes behind the last whole record.
    tail_bytes: int
    file_size: int
    #: Whether records may have been committed that are not whole any more: then only `out` can take the others.
    may_lose_committed: bool

    @property
    def n_recoverable_records(self) -> int:
        """Whole records that readers did not see."""
        return self.whole.n_records - (self.committed.n_records if self.committed else 0)

    @property
    def n_recoverable_rows(self) -> int:
        """Rows in them."""
        return self.whole.n_rows - (self.committed.n_rows if self.committed else 0)


def recover(path: StrPath, out: StrPath | None = None, *, commit: bool = False) -> Recovery:
    """Find the whole records of the file at `path` that a writer did not get to commit, or whose counters are damaged.

    With `out`, they go to a new file there, together with those that were committed, and `path` stays as it is. With
    `commit`, they are committed in `path` itself; nothing is cut off, and readers that have it open go on as before.
    With neither, nothing is changed.

    A record is whole if its header is intact and its values lie inside the file. They have no checksum: after a power
    cut (not after the end of a process) a whole record may hold values that never reached the disk.

    Raises `FormatError` if header and manifest are damaged, if there is no whole record, or if `commit` might give up
    records that were committed (`out` is the way then), `OSError` if a writer is at work on the file,
    `FileExistsError` if there is something at `out`, and `ValueError` for both `out` and `commit`.
    """
    text = path_text(path)
    target = None if out is None else path_text(out)
    # Being called is enough for Python to run its signal handlers.
    progress = Progress(lambda done, total: None) if target is not None else None
    found = native.recover(text, target, bool(commit), progress)
    committed = None
    if found.committed_records >= 0:
        committed = Records(found.committed_records, found.committed_rows, found.committed_end)
    return Recovery(
        path=Path(text),
        action=native.ACTIONS[found.action],
        counters=native.COUNTERS[found.counters],
        committed=committed,
        whole=Records(found.whole_records, found.whole_rows, found.whole_end),
        tail_bytes=found.tail_bytes,
        file_size=found.file_size,
        may_lose_committed=bool(found.may_lose_committed),
    )
