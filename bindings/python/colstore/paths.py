"""Paths as the caller gives them: `str` or `os.PathLike[str]`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeAlias

    StrPath: TypeAlias = str | os.PathLike[str]


def path_text(path: object) -> str:
    """`path` as text; `TypeError` for anything but `str` and `os.PathLike[str]`."""
    if isinstance(path, str):
        return path
    if isinstance(path, os.PathLike):
        text = os.fspath(path)
        if isinstance(text, str):
            return text
    raise TypeError(f"a path must be str or os.PathLike[str]; got {type(path).__name__}")


def is_pattern(path: str) -> bool:
    """Whether `path` stands for the files that match it."""
    return "*" in path or "?" in path or "[" in path
