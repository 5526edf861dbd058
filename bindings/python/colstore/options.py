"""The keywords that every way of opening files takes: checked, and as the library wants them."""

from __future__ import annotations

from operator import index
from typing import Any

from . import config
from ._native.table import open_options, read_options

#: Stands for the hint of `config`.
DEFAULT_MADVISE = "__default__"

# `colstore_open_options.advice`
_ADVICE = {None: 1, "normal": 1, "sequential": 2, "random": 3, "willneed": 4, "dontneed": 5}


class ReaderOptions:
    """`madvise`, `mlock`, `backend` and `max_workers` of a reader.

    `ValueError` or `TypeError` for what is not allowed. `opening` and `reading` are arguments of the library's
    functions; `None` stands for its defaults.
    """

    __slots__ = ("backend", "max_workers", "opening", "reading")

    def __init__(
        self,
        madvise: str | None = DEFAULT_MADVISE,
        mlock: bool = False,
        backend: str | None = None,
        max_workers: int | None = None,
    ) -> None:
        if madvise == DEFAULT_MADVISE:
            # Until the hint has been set, the engine advises read by read.
            advice = _ADVICE[config.get_default_madvise()] if config.has_default_madvise() else 0
        elif madvise is not None and madvise not in config.MADVISE:
            raise ValueError(f"madvise must be None or one of {', '.join(map(repr, config.MADVISE))}; got {madvise!r}")
        else:
            advice = _ADVICE[madvise]
        if backend is not None and backend not in config.BACKENDS:
            raise ValueError(f"backend must be None, 'cpp' or 'numpy'; got {backend!r}")
        self.backend: str = backend or config.get_default_backend()
        self.max_workers = None if max_workers is None else _checked_workers(max_workers)
        self.opening: Any = open_options(advice, bool(mlock)) if advice or mlock else None
        self.reading: Any = None
        if self.backend == "numpy" or self.max_workers is not None:
            self.reading = read_options(1 if self.backend == "numpy" else self.max_workers or 0)


def _checked_workers(max_workers: object) -> int:
    if isinstance(max_workers, bool):
        raise TypeError("max_workers must be None or an int; got bool")
    try:
        count = index(max_workers)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"max_workers must be None or an int; got {type(max_workers).__name__}") from None
    if not 1 <= count < 2**31:
        raise ValueError(f"max_workers must be at least 1; got {count}")
    return count
