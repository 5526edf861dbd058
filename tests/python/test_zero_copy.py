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


def test_a_file_that_is_not_mapped(path, settings):
    colstore.store({"x": np.arange(5)}, path).close()
    settings.set_read_backend("pread")
    with colstore.open(path) as reader:
        for attempt in (lambda: reader.array("x", copy=False), lambda: reader[1:3, "x"].array(copy=False)):
            with pytest.raises(ValueError, match=r"backend pread.*; open it mapped or read a copy \(copy=True\)$"):
                attempt()


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
        for key, count in ((0, 1), (-1, 1), (slice(1), 1), ([2, 0], 2), (np.ones(3, "?"), 3)):
            assert (reader[key, "e"].array().dtype.itemsize, reader[key, "e"].array().shape) == (0, (count,))


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


@pytest.fixture
def table(path):
    columns = {"x": np.arange(20), "s": np.array([b"abc"] * 20), "f": np.arange(20, dtype="f4")}
    with colstore.store(columns, path) as reader:
        yield reader, columns


@pytest.mark.parametrize(
    "key",
    [
        slice(None), slice(3, 9), slice(9, 3), slice(None, None, 3), slice(None, None, -1), slice(15, 2, -4), 0, -1, 7,
        slice(0, 0), slice(5, 100), np.int16(3), range(3, 9), range(9, 3, -2),
    ],
    ids=str,
)  # fmt: skip
def test_views_of_rows(table, key):
    reader, columns = table
    whole = reader.dict(copy=False)
    for name, values in columns.items():
        wanted = values[[key] if isinstance(key, (int, np.integer)) else key]
        for view in (reader[key, name], reader[key][name], reader[:][name][key], reader[-20:][name][key]):
            lent = view.array(copy=False)
            assert lent_properly(lent)
            assert_same(lent, wanted)
            assert not len(lent) or np.shares_memory(lent, whole[name])
    lent = reader[key].dict(copy=False)
    assert list(lent) == list(columns) and all(map(lent_properly, lent.values()))


def test_gathered_rows(table):
    reader, _ = table
    for key in ([1, 2], np.arange(5), np.ones(20, "?"), np.zeros(20, "?"), [3]):
        for attempt in (
            lambda: reader[key, "x"].array(copy=False),
            lambda: reader[key].dict(copy=False),
            lambda: reader[5:][[0, 1]]["x"].array(copy=False),
        ):
            with pytest.raises(ValueError, match="copy=True"):
                attempt()


def test_rows_of_several_records(tmp_path):
    with colstore.testing.write_columns(tmp_path / "x", {"x": np.arange(20)}, records=4) as reader:
        for key in (slice(None), slice(0, 2), 3, slice(None, None, 2), [1], np.ones(20, "?")):
            with pytest.raises(ValueError, match="compact") as caught:
                reader[key, "x"].array(copy=False)
            assert "copy=True" in str(caught.value)


def test_rows_in_another_byte_order(golden):
    with colstore.open(golden / "foreign" / "big_endian_dtypes.cstore") as reader:
        for key in (0, slice(0, 1), slice(None, None, -1)):
            with pytest.raises(ValueError, match="native byte order"):
                reader[key, "a"].array(copy=False)


def test_rows_of_several_files(tmp_path):
    for i in range(3):
        colstore.store({"x": np.arange(10 * i, 10 * i + 10)}, tmp_path / str(i)).close()
    with colstore.open([tmp_path / str(i) for i in range(3)]) as ds:
        for attempt in (lambda: ds.array("x", copy=False), lambda: ds["x"].array(copy=False), lambda: ds.dict(False)):
            with pytest.raises(ValueError, match="not contiguous in memory"):
                attempt()
        for key in (slice(0, 10), slice(10, 20, 3), slice(13, 17), 0, 25, -1, slice(20, None), slice(5, 5)):
            lent = ds[key, "x"].array(copy=False)
            assert lent_properly(lent)
            assert_same(lent, np.arange(30)[[key] if isinstance(key, int) else key])
        for key in (slice(0, 11), slice(9, 11), slice(0, 30, 15)):
            with pytest.raises(ValueError, match="spans multiple files"):
                ds[key, "x"].array(copy=False)
        for key in ([1], np.ones(30, "?")):
            with pytest.raises(ValueError, match="fancy and boolean"):
                ds[key, "x"].array(copy=False)
        for key in (slice(None, None, -1), slice(5, 2, -1)):
            with pytest.raises(ValueError, match="reversed"):
                ds[key, "x"].array(copy=False)
    with colstore.open([tmp_path / "1"]) as ds:  # one file, as a reader
        assert lent_properly(ds.array("x", copy=False))
        assert_same(ds[::-2, "x"].array(copy=False), np.arange(10, 20)[::-2])
