"""`concat`: many files as a dataset, or in one new file of one record."""

import inspect
import os

import numpy as np
import pytest

import colstore
from colstore.testing import write_columns
from layouts import LAYOUTS, make_table, open_layout


def table(n, seed):
    rng = np.random.default_rng(seed)
    return {"x": rng.normal(size=n), "id": rng.integers(0, 99, n), "name": rng.integers(0, 99, n).astype("S3")}


@pytest.fixture
def parts():
    return [table(n, n) for n in (5, 0, 7, 300)]


@pytest.fixture
def paths(tmp_path, parts):
    found = [tmp_path / f"part_{i}.cstore" for i in range(len(parts))]
    for path, part in zip(found, parts):
        colstore.store(part, path).close()
    return found


@pytest.fixture
def whole(parts):
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def stored(tmp_path, columns, **options):
    path = tmp_path / "stored"
    colstore.store(columns, path, mode="recreate", **options).close()
    content = path.read_bytes()
    path.unlink()
    return content


def test_signature():
    parameters = inspect.signature(colstore.concat).parameters
    assert list(parameters)[:3] == ["sources", "out", "memory_budget"]
    assert all(p.kind is not p.POSITIONAL_OR_KEYWORD for name, p in parameters.items() if name != "sources")


def test_without_out_it_is_a_dataset(paths, whole, tmp_path):
    for sources in (paths, tuple(paths), str(tmp_path / "part_*.cstore"), tmp_path, [str(tmp_path / "part_*.cstore")]):
        with colstore.concat(sources) as dataset:
            assert type(dataset) is colstore.ColStoreDataset and len(dataset.paths) == 4
            np.testing.assert_array_equal(dataset.array("x"), whole["x"])
    for sources in ([], None):
        assert colstore.concat(sources).shape == (0, 0)
    assert len(colstore.concat(paths[0]).paths) == 1


def test_out_gets_the_bytes_of_store(paths, whole, tmp_path):
    out = tmp_path / "out"
    for sources in (paths, str(tmp_path / "part_*.cstore"), [str(tmp_path / "part_*.cstore")], tmp_path):
        with colstore.concat(sources, out=out) as reader:
            assert type(reader) is colstore.ColStoreReader and reader.path == out
            assert colstore.info(out).n_records == 1 and reader.n_rows == 312
            np.testing.assert_array_equal(reader.array("name", copy=False), whole["name"])
        # An existing file is replaced.
        assert out.read_bytes() == stored(tmp_path, whole)
    colstore.concat(paths, out=str(out), statistics=True).close()
    assert out.read_bytes() == stored(tmp_path, whole, statistics=True)
    assert sorted(os.listdir(tmp_path)) == ["out", *(path.name for path in paths)]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout(layout, tmp_path):
    rng = np.random.default_rng(LAYOUTS.index(layout))
    for n in (0, 1, 77, 5000):
        columns = make_table(rng, n)
        directory = tmp_path / str(n)
        directory.mkdir()
        with open_layout(layout, columns, directory, rng) as source:
            colstore.concat(source, out=tmp_path / "out", max_workers=1 + n % 2).close()
            # By the names in the order of the first file.
            assert (tmp_path / "out").read_bytes() == stored(tmp_path, {name: columns[name] for name in source.columns})


def test_open_sources_stay_open(paths, whole, tmp_path):
    with colstore.open(paths[0]) as reader, colstore.open(paths[1:]) as dataset:
        colstore.concat([reader, dataset], out=tmp_path / "out").close()
        assert (tmp_path / "out").read_bytes() == stored(tmp_path, whole)
        np.testing.assert_array_equal(np.r_[reader.array("x"), dataset.array("x")], whole["x"])
        # Of a single source too, and without a file.
        colstore.concat(reader, out=tmp_path / "out").close()
        colstore.concat([reader, dataset]).close()
        assert reader.array("x").shape == (5,)


def test_columns_that_differ(tmp_path):
    colstore.store({"x": np.arange(3), "y": np.arange(3.0)}, tmp_path / "a").close()
    colstore.store({"y": np.arange(2.0), "x": np.arange(2)}, tmp_path / "b").close()
    colstore.store({"x": np.arange(4)}, tmp_path / "c").close()
    a, b, c, out = (tmp_path / name for name in ("a", "b", "c", "out"))
    with colstore.concat([a, b], out=out) as reader:
        assert reader.columns == ["x", "y"] and reader.array("x").tolist() == [0, 1, 2, 0, 1]
    before = out.read_bytes()
    with pytest.raises(ValueError, match="Schema mismatch"):
        colstore.concat([a, c], out=out)
    assert out.read_bytes() == before
    with pytest.warns(RuntimeWarning, match="dropped column"), colstore.concat(
        [a, c], out=out, on_mismatch="drop"
    ) as reader:
        assert reader.columns == ["x"] and reader.n_rows == 7


def test_out_among_the_sources(paths, tmp_path):
    (tmp_path / "link").symlink_to(paths[0])
    os.link(paths[0], tmp_path / "hard")
    before = paths[0].read_bytes()
    for out in (paths[0], tmp_path / "." / paths[0].name, tmp_path / "link", tmp_path / "hard"):
        with pytest.raises(ValueError, match="also one of the sources"):
            colstore.concat(paths, out=out)
    with colstore.open(paths[0]) as reader, pytest.raises(ValueError, match="also one of the sources"):
        colstore.concat([reader], out=paths[0])
    assert paths[0].read_bytes() == before


def test_nothing_to_write(tmp_path):
    (tmp_path / "empty").mkdir()
    for sources in ([], None, tmp_path / "empty", [tmp_path / "empty"]):
        with pytest.raises(ValueError, match="at least one source"):
            colstore.concat(sources, out=tmp_path / "out")
    assert os.listdir(tmp_path) == ["empty"]


def test_wrong_arguments(paths, tmp_path):
    out = tmp_path / "out"
    for budget in (0, -1):
        with pytest.raises(ValueError, match="memory_budget"):
            colstore.concat(paths, out=out, memory_budget=budget)
    for sources, options, error in [
        (5, {}, TypeError),
        ([5], {}, TypeError),
        (paths, {"nope": 1}, TypeError),
        (paths, {"out": 5}, TypeError),
        (paths, {"on_mismatch": "nope"}, ValueError),
        (paths, {"max_workers": 0}, ValueError),
        ([tmp_path / "missing"], {}, FileNotFoundError),
        (str(tmp_path / "missing*"), {}, FileNotFoundError),
        (paths, {"out": tmp_path / "missing" / "out"}, FileNotFoundError),
    ]:
        with pytest.raises(error):
            colstore.concat(sources, **{"out": out, **options})
    assert not out.exists()
    colstore.concat(paths, out=out, memory_budget=1, max_workers=1, backend="numpy").close()


def test_more_files_than_descriptors(tmp_path):
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for i in range(300):
        write_columns(tmp_path / f"p_{i}.cstore", {"x": np.full(3, i)}).close()
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
    try:
        with colstore.concat(tmp_path, out=tmp_path / "out") as reader:
            assert reader.array("x").tolist() == [i for i in range(300) for _ in range(3)]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
