"""Many files as one table."""

import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from conftest import assert_same

import colstore
from colstore import ColStoreDataset, ColStoreReader


@pytest.fixture
def parts(tmp_path):
    """Three files of 4, 0 and 6 rows."""
    paths, start = [], 0
    for i, n in enumerate((4, 0, 6)):
        paths.append(tmp_path / f"run_{i + 1}.cstore")
        colstore.store({"x": np.arange(start, start + n), "y": np.arange(n) * 0.5}, paths[-1]).close()
        start += n
    return paths


def test_description(parts):
    with colstore.open(parts) as ds:
        assert type(ds) is ColStoreDataset
        assert ds.paths == tuple(parts)
        assert (ds.n_rows, len(ds), ds.count(), ds.shape) == (10, 10, 10, (10, 2))
        assert ds.columns == list(ds) == ["x", "y"]
        assert ds.dtypes == {"x": np.dtype("i8"), "y": np.dtype("f8")}
        assert "x" in ds and "q" not in ds and 5 not in ds
        assert repr(ds) == "ColStoreDataset(files=3, shape=(10, 2), columns=['x', 'y'])"
        assert ds.needs_compaction
        assert not hasattr(ds, "path")
        assert_same(ds.array("x"), np.arange(10))
        assert_same(ds.recarray()["x"].copy(), np.arange(10))
        assert_same(np.asarray(ds)["x"].copy(), np.arange(10))
        assert_same(ds[8:2:-3]["x"].array(), np.arange(10)[8:2:-3])
        assert ds["x"].sum() == 45
        assert ds.tail(2)["x"].tolist() == [8, 9]


def test_what_can_be_opened(parts, tmp_path):
    directory = str(tmp_path)
    with colstore.open(parts[0]) as reader, colstore.open(parts[1:]) as dataset:
        for sources, names in (
            (directory, "123"),
            (tmp_path, "123"),
            (directory + "/*.cstore", "123"),
            (directory + "/run_[13].cstore", "13"),
            (directory + "/run_?.cstore", "123"),
            (parts, "123"),
            (tuple(parts), "123"),
            ([str(parts[2]), parts[0]], "31"),
            ([parts[1]], "2"),
            ([reader, dataset], "123"),
            ([dataset, reader, parts[0], directory + "/*3.cstore", tmp_path], "23113123"),
            ([[parts[0]], [parts[1], [parts[2]]]], "123"),
            (reader, "1"),
            (dataset, "23"),
            ([], ""),
            (None, ""),
        ):
            for opened in (colstore.open(sources), ColStoreDataset(sources)):
                assert type(opened) is ColStoreDataset
                assert [path.name for path in opened.paths] == [f"run_{n}.cstore" for n in names]
                opened.close()
        assert reader.array("x").tolist() == [0, 1, 2, 3], "borrowed, not closed"
        assert dataset.n_rows == 6 and dataset.array("x").tolist() == [4, 5, 6, 7, 8, 9]
    assert type(colstore.open(parts[0])) is ColStoreReader
    assert type(colstore.open(str(parts[0]), on_mismatch="whatever")) is ColStoreReader


def test_natural_order(tmp_path):
    for i in (10, 2, 1, 33, 3):
        colstore.store({"x": [i]}, tmp_path / f"run_{i}.cstore").close()
    (tmp_path / ".hidden.cstore").write_bytes(b"no table")
    (tmp_path / "notes.txt").write_bytes(b"no table")
    for source in (tmp_path, str(tmp_path / "*.cstore"), str(tmp_path / "run_*")):
        with colstore.open(source) as ds:
            assert ds.array("x").tolist() == [1, 2, 3, 10, 33]


def test_golden_directories(golden):
    with colstore.open(golden / "shards3") as ds:
        assert [path.name for path in ds.paths] == [f"shard_0000{i}.cstore" for i in range(3)]
    with pytest.raises(ValueError, match="Schema mismatch"):
        colstore.open(golden / "shards_mismatch")


def test_what_cannot(tmp_path, parts):
    with pytest.raises(FileNotFoundError, match="no files matched"):
        colstore.open(str(tmp_path / "none*.cstore"))
    with pytest.raises(FileNotFoundError):
        colstore.open([parts[0], tmp_path / "none.cstore"])
    with pytest.raises(FileNotFoundError):
        colstore.open(tmp_path / "*.cstore")  # a path that is no str is taken literally
    (tmp_path / "empty").mkdir()
    with colstore.open(tmp_path / "empty") as ds:
        assert ds.paths == ()
    for bad in (5, 1.5, {"x"}, b"x", object()):
        with pytest.raises(TypeError, match="accepts a path"):
            colstore.open(bad)
        with pytest.raises(TypeError, match="accepts a path"):
            ColStoreDataset([parts[0], bad])
    with pytest.raises(ValueError, match="on_mismatch"):
        colstore.open(parts, on_mismatch="ignore")
    with pytest.raises(TypeError):
        colstore.open(parts, anything=1)
    with pytest.raises(ValueError, match="madvise"):
        colstore.open(parts, madvise="often")
    with colstore.open(parts[0]) as reader:
        pass
    with pytest.raises(ValueError, match="closed"):
        colstore.open([reader])


def test_literal_names_with_magic_characters(tmp_path):
    odd = tmp_path / "a[1]*.cstore"
    colstore.store({"x": [1]}, odd).close()
    assert colstore.open(odd).array("x").tolist() == [1]
    with colstore.open([odd]) as ds:
        assert ds.array("x").tolist() == [1]
        assert pickle.loads(pickle.dumps(ds)).paths == (odd,)


def test_order_of_columns(tmp_path):
    colstore.store({"a": [1], "b": [2.0]}, tmp_path / "1").close()
    colstore.store({"b": [3.0], "a": [4]}, tmp_path / "2").close()
    for order, names in (("12", ["a", "b"]), ("21", ["b", "a"])):
        with colstore.open([tmp_path / name for name in order]) as ds:
            assert ds.columns == names
            assert sorted(ds.array("a").tolist()) == [1, 4]
            assert sorted(ds.array("b").tolist()) == [2.0, 3.0]
            assert list(ds.recarray().dtype.names) == names


def test_mismatch(tmp_path):
    for name, columns in {
        "1": {"a": [1], "b": [1.0], "c": [1]},
        "2": {"a": [2], "b": [2]},
        "3": {"d": [2]},
        "4": {"c": [3], "b": [3.0], "a": [3]},
    }.items():
        colstore.store(columns, tmp_path / name).close()

    def paths(names):
        return [tmp_path / name for name in names]

    for names in ("12", "21", "13"):
        with pytest.raises(ValueError, match="Schema mismatch"):
            colstore.open(paths(names))
    with pytest.warns(RuntimeWarning, match="dropped column") as caught:
        ds = colstore.open(paths("12"), on_mismatch="drop")
    assert len(caught) == 1
    assert "'b'" in str(caught[0].message) and "'c'" in str(caught[0].message)
    assert caught[0].filename == __file__
    assert (ds.columns, ds.array("a").tolist()) == (["a"], [1, 2])
    with pytest.raises(KeyError):
        ds["b"]
    with pytest.raises(ValueError, match="no columns"):
        colstore.open(paths("13"), on_mismatch="drop")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert colstore.open(paths("14"), on_mismatch="drop").columns == ["a", "b", "c"]
    with colstore.open(paths("1"), on_mismatch="drop") as ds, pytest.warns(RuntimeWarning, match="dropped column"):
        ds.append(tmp_path / "2")
    assert ds.columns == ["a"]


def test_append(parts):
    ds = ColStoreDataset()
    assert ds.append(parts[0]) is ds
    view = ds["x"]
    sliced = ds[-2:, "x"]
    assert sliced.array().tolist() == [2, 3]
    assert ds.append(parts[1]).append([parts[2]]).n_rows == 10
    assert view.array().tolist() == list(range(10)), "views see the longer table"
    assert sliced.array().tolist() == [8, 9]
    with colstore.open(parts[0]) as reader, colstore.open(parts) as other:
        assert ds.append(reader).append(other).n_rows == 24
        assert ds.array("x").tolist() == [*range(10), *range(4), *range(10)]
        ds.close()
        assert reader.array("x").size == 4 and other.array("x").size == 10
    for source in (parts[0], []):
        with pytest.raises(ValueError, match="closed"):
            ds.append(source)


def test_append_that_fails_changes_nothing(parts, tmp_path):
    colstore.store({"z": [1]}, tmp_path / "other").close()
    (tmp_path / "damaged").write_bytes(b"no table")
    with colstore.open(parts) as ds:
        for source, error in (
            (tmp_path / "other", ValueError),
            ([parts[0], tmp_path / "other"], ValueError),
            (tmp_path / "none", FileNotFoundError),
            ([parts[0], tmp_path / "damaged"], colstore.FormatError),
            (5, TypeError),
        ):
            with pytest.raises(error):
                ds.append(source)
            assert (ds.n_rows, ds.paths, ds.array("x").tolist()) == (10, tuple(parts), list(range(10)))


def test_joining(parts):
    first, second, third = map(colstore.open, parts)
    joined = first | second | third
    assert type(joined) is ColStoreDataset
    assert joined.paths == tuple(parts)
    assert joined.array("x").tolist() == list(range(10))
    assert (third | joined).n_rows == 16
    same = joined
    joined |= third
    assert joined is same and joined.n_rows == 16
    joined |= joined
    assert joined.n_rows == 32
    joined.close()
    assert first.array("x").size == 4
    for bad in (5, str(parts[0]), None, {}):
        for attempt in (lambda: first | bad, lambda: bad | first, lambda: same | bad):
            with pytest.raises(TypeError, match="Unsupported operand"):
                attempt()
        with pytest.raises(TypeError, match="Unsupported operand for"):
            same |= bad


def test_needs_compaction(parts, tmp_path):
    colstore.testing.write_columns(tmp_path / "many", {"x": np.arange(4)}, records=2).close()
    for sources, wanted in (([], False), (parts[:1], False), (parts, True), ([tmp_path / "many"], True)):
        with colstore.open(sources) as ds:
            assert ds.needs_compaction is wanted


def test_empty(settings):
    with colstore.open([]) as ds:
        assert (ds.n_rows, ds.columns, ds.shape, ds.dtypes) == (0, [], (0, 0), {})
        assert (ds.dict(), ds.dict(copy=False)) == ({}, {})
        assert ds.recarray().shape == (0,) and ds.recarray().dtype.names == ()
        with pytest.raises(KeyError, match="Unknown column"):
            ds["x"]
        with pytest.raises(KeyError, match="Unknown column"):
            ds.array("x")
        assert ds[:].count() == 0
        assert repr(ds) == "ColStoreDataset(files=0, shape=(0, 0), columns=[])"
        assert repr(ds.head()) == "[ColStoreDataset: empty, 0 columns]"
        assert (ds.backend, ds.max_workers) == ("cpp", colstore.get_max_workers())
        colstore.set_default_backend("numpy")
        assert ds.backend == "numpy"
        pytest.importorskip("pandas")
        assert ds.frame().shape == (0, 0)


def test_files_without_rows(tmp_path):
    nothing = {"x": np.zeros(0, "i4"), "s": np.zeros(0, "S3")}
    something = {"x": np.arange(3, dtype="i4"), "s": np.array([b"abc"] * 3)}
    for i, columns in enumerate((nothing, something, nothing, nothing, something, nothing)):
        colstore.store(columns, tmp_path / str(i)).close()
    with colstore.open([tmp_path / str(i) for i in range(6)]) as ds:
        assert ds.array("x").tolist() == [0, 1, 2, 0, 1, 2]
        assert ds[[5, 0, 3]]["x"].array().tolist() == [2, 0, 0]
        assert ds[-1, "s"].array().tolist() == [b"abc"]
    with colstore.open([tmp_path / "0", tmp_path / "2"]) as ds:
        assert ds.array("s").dtype == "S3"
        assert ds.array("x", copy=True).size == 0


def test_options_of_the_files(parts):
    with colstore.open(parts, backend="numpy", max_workers=3) as ds:
        assert (ds.backend, ds.max_workers) == ("numpy", 3)
    with colstore.open(parts[0], backend="numpy") as reader, colstore.open([reader, parts[1]]) as ds:
        assert ds.backend == "numpy"


def test_closed(parts):
    ds = colstore.open(parts)
    lent = ds[0:3, "x"].array(copy=False)
    ds.close()
    ds.close()
    for read in (lambda: ds.array("x"), ds.dict, ds.recarray, lambda: np.array(ds), ds.head, lambda: ds["x"].array()):
        with pytest.raises(ValueError, match="closed"):
            read()
    assert (ds.n_rows, ds.columns, ds.paths) == (10, ["x", "y"], tuple(parts))
    assert repr(ds).startswith("ColStoreDataset(")
    assert lent.tolist() == [0, 1, 2]


def test_pickle(parts):
    with colstore.open(parts, max_workers=2) as ds:
        copy = pickle.loads(pickle.dumps(ds))
    assert copy.array("x").tolist() == list(range(10)) and copy.max_workers == 2


def test_frame(parts):
    pd = pytest.importorskip("pandas")
    with colstore.open(parts) as ds:
        pd.testing.assert_frame_equal(ds.frame(), pd.DataFrame(ds.dict()))
        pd.testing.assert_frame_equal(ds[::3].frame(), pd.DataFrame(ds[::3].dict()))
        with pytest.raises(ValueError, match="copy=True"):
            ds.frame(copy=False)


MANY = """
import resource, sys
import numpy as np, colstore
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
ds = colstore.open(sys.argv[1])
assert len(ds.paths) == 1000 and ds.n_rows == 2000
assert np.array_equal(ds.array("x"), np.arange(2000))
assert ds[[1999, 0, 1234], "x"].array().tolist() == [1999, 0, 1234]
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs setrlimit")
def test_more_files_than_descriptors(tmp_path):
    for i in range(1000):
        colstore.testing.write_columns(tmp_path / f"{i}.cstore", {"x": np.arange(2 * i, 2 * i + 2)}).close()
    subprocess.run([sys.executable, "-c", MANY, str(tmp_path)], check=True, timeout=60)


def test_relative_paths(parts, monkeypatch):
    monkeypatch.chdir(parts[0].parent)
    with colstore.open("run_*.cstore") as ds:
        assert ds.paths == (Path("run_1.cstore"), Path("run_2.cstore"), Path("run_3.cstore"))
    with colstore.open(".") as ds:
        assert [path.name for path in ds.paths] == [path.name for path in parts]
