"""`open` and the reader: description, whole reads, NumPy protocol, closing."""

import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import assert_same

import colstore


def test_description(reader, columns, path):
    assert reader.path == path
    assert reader.paths == (path,)
    assert isinstance(reader.path, Path)
    assert reader.columns == list(reader) == list(columns)
    assert reader.dtypes == {name: values.dtype for name, values in columns.items()}
    assert list(reader.dtypes) == list(columns)
    assert reader.n_rows == len(reader) == reader.count() == 7
    assert reader.shape == (7, len(columns))
    assert "i4" in reader
    assert "none" not in reader
    assert 5 not in reader
    assert None not in reader


def test_description_cannot_be_changed_from_outside(reader):
    reader.columns.clear()
    reader.dtypes.clear()
    assert reader.columns and reader.dtypes


def test_repr(tmp_path):
    for names, end in (
        ("ab", "columns=['a', 'b'])"),
        ("abcde", "'e'])"),
        ("abcdef", "columns=['a', 'b', 'c', 'd', 'e']...)"),
    ):
        with colstore.store({name: [1, 2] for name in names}, tmp_path / "x.cstore", mode="recreate") as reader:
            assert repr(reader).startswith(f"ColStoreReader(path='x.cstore', shape=(2, {len(names)}), columns=")
            assert repr(reader).endswith(end)


def test_dict(reader, columns):
    result = reader.dict()
    assert type(result) is dict
    assert list(result) == list(columns)
    for name, values in columns.items():
        assert_same(result[name], values)
        assert result[name].flags.owndata and result[name].flags.writeable


def test_array_owns_its_memory(reader):
    first = reader.array("i4")
    first[:] = 99
    assert first.flags.owndata
    assert reader.array("i4").tolist() != first.tolist()


def test_recarray(reader, columns):
    records = reader.recarray()
    assert type(records) is np.ndarray
    assert records.dtype == np.dtype([(name, values.dtype) for name, values in columns.items()])
    assert records.dtype.itemsize == sum(values.itemsize for values in columns.values()), "packed"
    assert records.flags.writeable
    for name, values in columns.items():
        assert_same(records[name].copy(), values)


def test_numpy_protocol(reader):
    assert_same(np.asarray(reader), reader.recarray())
    assert np.array(reader, copy=True).flags.writeable
    numbers = [("a", "i8"), ("b", "f8")]
    with colstore.store({"a": [1, 2], "b": [3.5, 4.5]}, reader.path.with_name("numbers")) as other:
        assert np.array(other, dtype=numbers).tolist() == [(1, 3.5), (2, 4.5)]
        assert np.array(other, dtype=[("a", "f4"), ("b", "f4")])["a"].dtype == "f4"
    with pytest.raises(ValueError, match="without copying"):
        reader.__array__(copy=False)
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        with pytest.raises(ValueError, match="without copying"):
            np.array(reader, copy=False)


@pytest.mark.parametrize("name", ["none", 5, None, ("i4",)])
def test_unknown_column(reader, name):
    with pytest.raises(KeyError, match="Unknown column") as caught:
        reader.array(name)
    assert "i4" in str(caught.value)
    with pytest.raises(KeyError, match="Unknown column"):
        reader.array(name, copy=False)


def test_array_needs_a_name(reader):
    with pytest.raises(TypeError):
        reader.array()


def test_unknown_column_of_a_wide_table(path):
    with colstore.store({f"c{i}": [i] for i in range(2000)}, path) as reader:
        assert reader.array("c1999")[0] == 1999
        assert len(reader.dict()) == 2000
        with pytest.raises(KeyError, match="and 1900 more"):
            reader.array("x")


@pytest.mark.parametrize("form", [str, Path])
def test_open_takes_paths(reader, path, form, tmp_path, monkeypatch):
    with colstore.open(form(path)) as other:
        assert other.columns == reader.columns
    monkeypatch.chdir(tmp_path)
    assert colstore.open(form(path.name)).path == Path(path.name)


def test_open_any_extension_and_odd_names(tmp_path):
    for name in ("x", "x.dat", "é 日本.cstore", os.fsdecode(b"raw\xff.cstore"), "star*[1].cstore"):
        colstore.store({"a": [1]}, tmp_path / name).close()
        with colstore.open(tmp_path / name) as reader:
            assert reader.path.name == name


@pytest.mark.parametrize("bad", [5, b"x.cstore", {"x"}, 1.5])
def test_open_refuses_other_things(bad):
    with pytest.raises(TypeError):
        colstore.open(bad)
    with pytest.raises(TypeError):
        colstore.ColStoreReader(bad)


def test_open_ignores_on_mismatch(path, reader):
    colstore.open(path, on_mismatch="whatever").close()


def test_open_missing(tmp_path):
    missing = tmp_path / "none.cstore"
    for function in (colstore.open, colstore.info, colstore.schema):
        with pytest.raises(FileNotFoundError) as caught:
            function(missing)
        assert caught.value.errno == 2
        assert caught.value.filename == str(missing)
        assert str(caught.value) == f"[Errno 2] No such file or directory: {str(missing)!r}"


def test_a_directory_is_no_file(tmp_path):
    with pytest.raises(OSError):
        colstore.ColStoreReader(tmp_path)
    with pytest.raises(OSError):
        colstore.info(tmp_path)


def test_open_a_path_with_a_nul():
    with pytest.raises(ValueError):
        colstore.open("a\0b")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_open_without_permission(path, reader):
    path.chmod(0)
    with pytest.raises(PermissionError):
        colstore.open(path)


def test_open_what_is_no_table(path):
    for content in (b"", b"CSTORE", b"x" * 1000):
        path.write_bytes(content)
        for function in (colstore.open, colstore.info, colstore.schema):
            with pytest.raises(colstore.FormatError):
                function(path)
    assert not issubclass(colstore.FormatError, (ValueError, OSError))


def test_options(path, reader):
    assert (reader.backend, reader.max_workers) == ("cpp", colstore.max_threads())
    for madvise in (None, "normal", "sequential", "random", "willneed", "dontneed", "__default__"):
        colstore.open(path, madvise=madvise, mlock=True).close()
    for options, exception in (
        ({"madvise": "often"}, ValueError),
        ({"backend": "rust"}, ValueError),
        ({"max_workers": 0}, ValueError),
        ({"max_workers": -1}, ValueError),
        ({"max_workers": 2**31}, ValueError),
        ({"max_workers": True}, TypeError),
        ({"max_workers": "2"}, TypeError),
        ({"anything": 1}, TypeError),
    ):
        with pytest.raises(exception):
            colstore.open(path, **options)


@pytest.mark.parametrize(
    "options",
    [{"backend": "numpy"}, {"backend": "cpp"}, {"max_workers": 1}, {"max_workers": 7}, {"max_workers": np.int32(2)}],
)
def test_options_never_change_results(path, options):
    values = np.random.default_rng(3).standard_normal(1_000_003)
    colstore.store({"x": values, "i": np.arange(1_000_003, dtype="i2")}, path).close()
    with colstore.open(path, **options) as reader:
        assert_same(reader.array("x"), values)
        assert_same(reader.dict()["x"], values)
        assert_same(reader.recarray()["x"].copy(), values)
        assert reader.backend == options.get("backend", "cpp")
        assert reader.max_workers == options.get("max_workers", colstore.max_threads())


def test_closed(path, columns):
    for described_before in (False, True):
        reader = colstore.store(columns, path, mode="recreate")
        if described_before:
            assert reader.columns
        reader.close()
        reader.close()
        for read in (
            lambda: reader.array("i4"),
            lambda: reader.array("i4", copy=False),
            lambda: reader.array("none"),
            reader.dict,
            lambda: reader.dict(copy=False),
            reader.recarray,
            reader.frame,
            lambda: np.array(reader),
        ):
            with pytest.raises(ValueError, match="closed"):
                read()
        assert reader.columns == list(columns)
        assert reader.shape == (7, len(columns))
        assert reader.dtypes["i4"] == "i4"
        assert (len(reader), reader.count(), "i4" in reader) == (7, 7, True)
        assert repr(reader).startswith("ColStoreReader(")
        assert reader.path == path


def test_context_manager_closes(path):
    with colstore.store({"a": [1]}, path) as reader:
        assert reader.array("a")[0] == 1
    with pytest.raises(ValueError, match="closed"):
        reader.array("a")
    with pytest.raises(KeyError), colstore.open(path) as reader:
        reader.array("b")
    with pytest.raises(ValueError, match="closed"):
        reader.array("a")


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="needs /proc")
def test_close_unmaps(path, columns):
    def mapped():
        return path.name in Path("/proc/self/maps").read_text()

    reader = colstore.store(columns, path)
    assert mapped()
    lent = reader.array("i8", copy=False)
    reader.close()
    assert mapped()
    del lent
    assert not mapped()
    descriptors = len(os.listdir("/proc/self/fd"))
    readers = [colstore.open(path) for _ in range(50)]
    assert len(readers) == 50
    del readers
    assert len(os.listdir("/proc/self/fd")) == descriptors
    assert not mapped()


def test_pickle(path, reader):
    with colstore.open(path, backend="numpy", max_workers=2) as original:
        copy = pickle.loads(pickle.dumps(original))
    assert (copy.backend, copy.max_workers, copy.columns) == ("numpy", 2, reader.columns)


def test_multi_record_files(golden):
    with colstore.open(golden / "all_dtypes_multi.cstore") as reader:
        records = reader.recarray()
        for name, values in reader.dict().items():
            assert_same(reader.array(name), values)
            assert records[name].tobytes() == values.tobytes()
