"""`store`: a table in memory to a file, in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._native import store as native
from .columns import columns_of
from .dtypes import address
from .options import ReaderOptions
from .paths import path_text
from .progress import watch_store
from .reader import ColStoreReader
from .sizes import check_batch_size

if TYPE_CHECKING:
    from .paths import StrPath

_MODES = {"create": native.CREATE, "recreate": native.RECREATE}
_DURABILITIES = {"process": native.PROCESS, "disk": native.DISK}


def store(
    data: object,
    path: StrPath,
    *,
    mode: str = "create",
    batch_size: int | str | None = "auto",
    show_progress: bool = True,
    statistics: bool = False,
    durability: str = "process",
    **open_kwargs: Any,
) -> ColStoreReader:
    """Write `data` to a new file of one record at `path`, and open it.

    `data`: a mapping of names to 1-D array-likes, a structured array, or a pandas DataFrame (its index is dropped).
    Values may be strided or big-endian; the file is packed and little-endian. Everything is checked before anything
    is created, and the file appears under its name when it is complete.

    `mode`: `"create"` (`FileExistsError` if there is something at `path`) or `"recreate"` (it is replaced).
    `statistics`: also record the smallest and largest value of each column.
    `durability`: `"process"` survives a crash of the program, `"disk"` one of the machine (slower).
    `show_progress`: a bar on the terminal for large data, if `tqdm` is installed.
    `batch_size`: accepted and checked; any value gives the same file.
    `open_kwargs`: keywords of :class:`ColStoreReader` for the reader that is returned.

    Raises `TypeError` for data or a dtype that cannot be stored, and `ValueError` for no columns, columns of unequal
    length or more than one dimension, a name that occurs twice, or a wrong option.
    """
    if mode not in _MODES:
        raise ValueError(f"mode must be 'create' or 'recreate'; got {mode!r}")
    if durability not in _DURABILITIES:
        raise ValueError(f"durability must be 'process' or 'disk'; got {durability!r}")
    check_batch_size(batch_size)
    ReaderOptions(**open_kwargs)
    text = path_text(path)
    arrays = columns_of(data)
    columns = [
        native.column_data(name, array.dtype.str, address(array), len(array), array.strides[0])
        for name, array in arrays
    ]
    n_bytes = sum(array.nbytes for _, array in arrays)
    with watch_store(n_bytes, show_progress) as progress:
        native.store_columns(
            text,
            columns,
            mode=_MODES[mode],
            statistics=bool(statistics),
            durability=_DURABILITIES[durability],
            progress=progress,
        )
    return ColStoreReader(text, **open_kwargs)
