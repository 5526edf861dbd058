"""A `.cstore` file of any number of records, written without the engine.

magic, counters, length of the manifest, manifest, zeros up to a multiple of 64
for each record: magic, index, rows, 0, checksum; its columns back to back; zeros up to a multiple of 8
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FILE_MAGIC = b"CSTORE\0\x01"
_RECORD_MAGIC = b"REC\x01"


def write_records(path: str, columns: Sequence[tuple[str, NDArray[Any]]], record_rows: Sequence[int]) -> None:
    """Write a new file at `path`; `FileExistsError` if there is something."""
    with open(path, "xb") as file:
        try:
            for piece in _pieces(columns, record_rows):
                file.write(piece)
        except BaseException:
            os.unlink(path)
            raise


def _pieces(columns: Sequence[tuple[str, NDArray[Any]]], record_rows: Sequence[int]) -> Iterator[bytes]:
    little = [(name, np.ascontiguousarray(array, array.dtype.newbyteorder("<"))) for name, array in columns]
    yield _header([(name, array.dtype.str) for name, array in little], len(record_rows), sum(record_rows))
    start = 0
    for number, n_rows in enumerate(record_rows):
        stop, size = start + n_rows, 0
        yield _checked(_RECORD_MAGIC + struct.pack("<3q", number, n_rows, 0))
        for _, array in little:
            piece = array[start:stop].tobytes()
            size += len(piece)
            yield piece
        yield _zeros(size, 8)
        start = stop


def _header(schema: Sequence[tuple[str, str]], n_records: int, n_rows: int) -> bytes:
    described = [{"name": name, "dtype": dtype, "encoding": "raw", "nullable": False} for name, dtype in schema]
    checksum = zlib.crc32(json.dumps({"columns": described}, sort_keys=True).encode("ascii"))
    manifest = json.dumps({"format_version": 1, "columns": described, "manifest_crc32": checksum}).encode("ascii")
    counters = _checked(struct.pack("<3q", n_records, n_rows, 0)).ljust(64, b"\0")
    header = _FILE_MAGIC + counters + struct.pack("<Q", len(manifest)) + manifest
    return header + _zeros(len(header), 64)


def _checked(data: bytes) -> bytes:
    return data + struct.pack("<I", zlib.crc32(data))


def _zeros(size: int, multiple: int) -> bytes:
    return bytes(-size % multiple)
