"""`info` and `schema`."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import colstore


def test_info(path, columns, reader):
    info = colstore.info(path)
    assert info.path == path and isinstance(info.path, Path)
    assert (info.format_version, info.n_rows, info.n_records) == (1, 7, 1)
    assert info.file_size == path.stat().st_size
    assert info.columns == [
        {"name": name, "dtype": values.dtype.str, "encoding": "raw", "nullable": False}
        for name, values in columns.items()
    ]
    assert not info.needs_compaction
    assert colstore.schema(path) == info.columns
    assert colstore.info(str(path)) == info


def test_dtypes_are_typestrs(path):
    wanted = ["<f8", "<i4", "|b1", "|u1", "|S3", "<U2", "<M8[ns]", "<m8[s]"]
    colstore.store({dtype: np.zeros(2, dtype) for dtype in wanted}, path).close()
    assert [column["dtype"] for column in colstore.schema(path)] == wanted


def test_it_is_a_frozen_dataclass(path, reader):
    info = colstore.info(path)
    assert [field.name for field in dataclasses.fields(info)] == [
        "path",
        "format_version",
        "n_rows",
        "n_records",
        "columns",
        "file_size",
    ]
    with pytest.raises(dataclasses.FrozenInstanceError):
        info.n_rows = 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(info)
    assert colstore.ColStoreInfo(path, 1, 7, 1, info.columns, info.file_size) == info
    assert dataclasses.replace(info, n_rows=8) != info


def test_repr():
    columns = [{"name": "a", "dtype": "<f4"}, {"name": "b", "dtype": "<i8"}]
    info = colstore.ColStoreInfo(Path("/some/NAME"), 1, 10, 1, columns, 1152)
    assert repr(info) == "ColStoreInfo(path='NAME', n_rows=10, n_records=1, columns=[a:<f4, b:<i8], file_size=1,152B)"
    assert repr(dataclasses.replace(info, n_records=2)).endswith("file_size=1,152B, needs_compaction=True)")


def test_several_records(golden):
    info = colstore.info(golden / "many_records.cstore")
    assert (info.n_records, info.needs_compaction) == (100, True)
    assert "needs_compaction=True" in repr(info)


def test_as_the_file_spells_it(golden):
    assert [c["dtype"] for c in colstore.schema(golden / "foreign" / "dtype_aliases.cstore")] == [
        "i4",
        "int16",
        "?",
        "|f8",
        "=u2",
    ]
    assert [c["dtype"] for c in colstore.schema(golden / "foreign" / "big_endian_dtypes.cstore")] == [
        ">i4",
        ">U1",
        ">M8[s]",
    ]


def test_header_only(path, columns):
    """A damaged body does not matter: it is not read."""
    colstore.store(columns, path).close()
    whole = colstore.info(path)
    data = path.read_bytes()
    path.write_bytes(data[:-100])
    assert colstore.info(path).columns == whole.columns
    with pytest.raises(colstore.FormatError):
        colstore.open(path)


@pytest.mark.parametrize("bad", [5, None, b"x"])
def test_paths(bad):
    with pytest.raises(TypeError):
        colstore.info(bad)
