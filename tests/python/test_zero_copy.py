"""`copy=False`: views of the mapped file, or an error."""

import gc

import numpy as np
import pytest
from conftest import assert_same

import colstore


def lent_properly(array):
    return type(array) is np.ndarray and not array.flags.owndata and not array.flags.writeable


def test_view_of_every_kind(reader, columns):
    for name, values in columns.items():
        view = reader.array(name, copy=False)
        assert lent_properly(view)
        assert_same(view, values)
        assert np.shares_memory(view, reader.array(name, copy=False)), "the mapping, not a copy"
        assert not np.shares_memory(view, reader.array(name))


def test_views_at_unaligned_offsets(path):
    columns = {
        "b": np.arange(3, dtype="u1"),
        "d": np.arange(3) * 1.5,
        "s": np.array([b"q"] * 3, "S3"),
        "t": np.arange(3).astype("M8[s]"),
        "u": np.array(["é", "", "xyz"]),
    }
    with colstore.store(columns, path) as reader:
        for name, values in reader.dict(copy=False).items():
            assert lent_properly(values)
            assert_same(values, columns[name])
            assert (values == columns[name]).all()
        assert not reader.array("d", copy=False).flags.aligned
        assert reader.array("d", copy=False).sum() == columns["d"].sum()


def test_views_cannot_be_written(reader, path):
    before = path.read_bytes()
    view = reader.array("i8", copy=False)
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        view.setflags(write=True)
    with pytest.raises(ValueError):
        np.add(view, 1, out=view)
    part = view[1:]
    with pytest.raises(ValueError, match="WRITEABLE"):
        part.setflags(write=True)
    assert path.read_bytes() == before


def test_views_outlive_the_reader(path, columns):
    reader = colstore.store(columns, path)
    views = reader.dict(copy=False)
    tail = reader.array("i8", copy=False)[5:]
    reader.close()
    path.unlink()
    del reader
    gc.collect()
    for name, values in columns.items():
        assert_same(views[name], values)
    del views
    gc.collect()
    assert tail.tolist() == [2, 3]


def test_derived_arrays_keep_the_file(path):
    derived = []
    for i in range(50):
        with colstore.store({"x": np.arange(10_000) + i}, path, mode="recreate") as reader:
            derived.append(reader.array("x", copy=False)[::100].view("u8").reshape(10, 10))
    gc.collect()
    for i, array in enumerate(derived):
        assert array[0, 0] == i and array[9, 9] == 9900 + i


def test_no_rows(path, columns):
    with colstore.store({name: values[:0] for name, values in columns.items()}, path) as reader:
        for name, view in reader.dict(copy=False).items():
            assert lent_properly(view)
            assert_same(view, columns[name][:0])


def test_several_records(golden):
    with colstore.open(golden / "all_dtypes_multi.cstore") as reader:
        for attempt in (lambda: reader.array(reader.columns[0], copy=False), lambda: reader.dict(copy=False)):
            with pytest.raises(ValueError, match="compact") as caught:
                attempt()
            assert "copy=True" in str(caught.value)
            assert reader.columns[0] in str(caught.value)


def test_big_endian(golden):
    with colstore.open(golden / "foreign" / "big_endian_dtypes.cstore") as reader:
        assert reader.dtypes == {"a": np.dtype("i4"), "u": np.dtype("U1"), "t": np.dtype("M8[s]")}
        for name in reader:
            with pytest.raises(ValueError, match="native byte order"):
                reader.array(name, copy=False)
            assert reader.array(name).flags.owndata
        with pytest.raises(ValueError, match="native byte order"):
            reader.dict(copy=False)
        assert reader.array("a").tolist() == [1, -2]


def test_zero_width(golden):
    with colstore.open(golden / "quirk_zero_width.cstore") as reader:
        assert reader.dtypes == {"e": np.dtype("S0")}
        for array in (reader.array("e"), reader.array("e", copy=False), reader.dict()["e"], reader.recarray()["e"]):
            assert (array.dtype.itemsize, array.shape) == (0, (3,))


def test_zero_columns(golden):
    with colstore.open(golden / "foreign" / "zero_columns.cstore") as reader:
        assert reader.shape == (4, 0)
        assert reader.dict() == reader.dict(copy=False) == {}
        assert reader.recarray().shape == (4,)
        assert reader.recarray().dtype.names == ()


def test_unwritten_table(golden):
    with colstore.open(golden / "crashed_create.cstore") as reader:
        assert reader.shape == (0, 2)
        assert reader.array("x").dtype == "i4"
        assert reader.array("s").tolist() == []
