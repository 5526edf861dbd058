"""`compact`: the records of a file into one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ._native.copying import compact_file
from .paths import path_text
from .progress import watch_copy

if TYPE_CHECKING:
    from .paths import StrPath


def compact(
    path: StrPath, *, out: StrPath | None = None, show_progress: bool = True, statistics: bool = False
) -> Path:
    """Put the records of the file at `path` together to one, in place or in a new file at `out`; gives its path.

    The rows are the same, and so are all reads; they are fastest from one record, and only then lend columns without
    a copy. A file of one record stays as it is, and is copied as it is to `out`, where any other file is replaced.

    The file is locked against writers meanwhile. The new one appears when it is complete and on the disk; readers that
    have the old one open keep it. In place, permissions and symbolic links stay, while other hard links of the file
    keep the old records. An `out` that leads to the file itself means in place.

    `statistics`: also record the smallest and largest value of each column; those that were recorded are dropped.
    `show_progress`: a bar on the terminal for large files, if `tqdm` is installed.

    Raises `FileNotFoundError` if there is no such file, `FormatError` if it is not valid, and `OSError` if it is locked.
    Whatever fails, or Ctrl-C, leaves the file as it was and nothing beside it.
    """
    source = path_text(path)
    target = None if out is None else path_text(out)
    with watch_copy(_size(source), show_progress, "compact") as progress:
        compact_file(source, target, statistics=bool(statistics), progress=progress)
    return Path(source if target is None else target)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0  # which the engine will say better
