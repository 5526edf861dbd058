"""`info` and `schema`: what the header of a file says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._native.schema import describe_columns
from ._native.table import read_info
from .paths import path_text

if TYPE_CHECKING:
    from .paths import StrPath


@dataclass(frozen=True, repr=False)
class ColStoreInfo:
    """The header of one `.cstore` file."""

    path: Path
    format_version: int
    n_rows: int
    n_records: int
    #: One dict for each column: `name`, `dtype` (a NumPy typestr), `encoding` (`"raw"`), `nullable` (`False`).
    columns: list[dict[str, Any]]
    #: In bytes.
    file_size: int

    # Equal by value and holding a list.
    __hash__ = None  # type: ignore[assignment]

    @property
    def needs_compaction(self) -> bool:
        """Whether the rows are spread over more than one record."""
        return self.n_records > 1

    def __repr__(self) -> str:
        columns = ", ".join(f"{column['name']}:{column['dtype']}" for column in self.columns)
        compaction = ", needs_compaction=True" if self.needs_compaction else ""
        text = (
            f"ColStoreInfo(path={self.path.name!r}, n_rows={self.n_rows}, n_records={self.n_records}, "
            f"columns=[{columns}], file_size={self.file_size:,}B{compaction})"
        )
        # A name may hold a lone surrogate, which could not be printed.
        return text.encode("utf-8", "backslashreplace").decode("utf-8")


def info(path: StrPath) -> ColStoreInfo:
    """Read the header of the file at `path`, and nothing else of it.

    Raises `FileNotFoundError` if there is no such file and `FormatError` if it has no valid header.
    """
    text = path_text(path)
    figures, schema_handle = read_info(text)
    columns = [
        {"name": column.name, "dtype": column.dtype_text, "encoding": "raw", "nullable": False}
        for column in describe_columns(schema_handle)
    ]
    return ColStoreInfo(
        path=Path(text),
        format_version=figures.format_version,
        n_rows=figures.n_rows,
        n_records=figures.n_records,
        columns=columns,
        file_size=figures.file_size,
    )


def schema(path: StrPath) -> list[dict[str, Any]]:
    """The columns of the file at `path`: what :func:`info` has as `columns`."""
    return info(path).columns
