"""What frames come to: reductions, new files, and what goes wrong on the way."""

import filecmp
import threading

import numpy as np
import pytest

import colstore
from colstore import col
from colstore.testing import write_columns

N = 500


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(2)
    return {
        "a": rng.integers(-5, 20, N),
        "f": rng.normal(size=N),
        "g": rng.random(N).astype("f4"),
        "b": rng.random(N) < 0.5,
        "s": rng.choice([b"SR", b"CR"], N),
        "t": rng.integers(0, 10**6, N).astype("M8[s]"),
    }


@pytest.fixture(scope="module", params=["one record", "records", "files"])
def ds(request, table, tmp_path_factory):
    directory = tmp_path_factory.mktemp("frame")
    if request.param == "files":
        for i, start in enumerate(range(0, N, 180)):
            write_columns(directory / f"{i}.cstore", {k: v[start : start + 180] for k, v in table.items()}).close()
        opened = colstore.open(f"{directory}/*.cstore")
    else:
        opened = write_columns(directory / "one.cstore", table, records=1 if request.param == "one record" else 6)
    with opened:
        yield opened


@pytest.fixture
def frame(ds):
    return ds.edit()


def check(found, expected):
    assert type(found) is np.ndarray and found.flags.owndata and found.flags.writeable
    assert found.dtype == expected.dtype and found.shape == expected.shape
    assert found.tobytes() == expected.tobytes()


def test_reductions_see_only_the_rows_that_are_left(frame, table):
    """Functions are not called with others, and others are worth no warning."""
    positive = table["f"] > 0
    cut = frame.where("f > 0")

    def root(values):
        assert (values > 0).all()
        return np.sqrt(values)

    assert cut.sum(cut.apply(root, "f")) == pytest.approx(np.sqrt(table["f"][positive]).sum())
    assert cut.mean(np.sqrt(col("f"))) == pytest.approx(np.sqrt(table["f"][positive]).mean())
    left = table["a"] != 0
    assert frame.where("a != 0").sum(10 // col("a")) == (10 // table["a"][left]).sum()


def test_a_column_that_is_the_same_for_all_rows_can_be_cut_on(frame, table):
    constant = frame.assign(k=5)
    assert constant.where("k > 3").n_rows == N and constant.where("k > 5").n_rows == 0
    report = constant.where("k > 3").where("a > 3 and k == 5").report()
    assert [cut.passing for cut in report] == [N, (table["a"] > 3).sum()]


def test_reductions(frame, table):
    mask = table["a"] > 3
    cut = frame.where("a > 3")
    for name in ("a", "f", "g", "b"):
        values = table[name][mask]
        column = cut[name]
        assert column.count() == len(values)
        for method in ("sum", "mean", "std", "var", "min", "max"):
            expected = getattr(values.astype("f8") if method not in ("min", "max") else values, method)()
            assert getattr(column, method)() == pytest.approx(expected, rel=1e-12)
            assert getattr(cut, method)(name) == getattr(column, method)()
            assert type(getattr(column, method)()) is type(getattr(frame._store[mask, name], method)())
    assert cut.sum(col("f") * 2) == pytest.approx((table["f"][mask] * 2).sum())
    assert cut.std("f", ddof=1) == pytest.approx(table["f"][mask].std(ddof=1))
    assert cut["f"].var(ddof=2) == pytest.approx(table["f"][mask].var(ddof=2))
    assert np.mean(cut["f"]) == cut.mean("f") and np.std(cut["f"], ddof=1) == cut.std("f", ddof=1)
    assert cut["t"].max() == table["t"][mask].max()
    assert frame.where("a > 100").sum("f") == 0.0 and np.isnan(frame.where("a > 100").mean("f"))


def test_refused_reductions(frame):
    with pytest.raises(TypeError, match="numeric"):
        frame.sum("s")
    with pytest.raises(TypeError, match="axis"):
        frame["f"].sum(axis=1)
    with pytest.raises(TypeError, match="keepdims"):
        frame["f"].sum(keepdims=True)
    with pytest.raises(KeyError):
        frame.sum("z")
    for wrong in (3, None, np.arange(N)):
        with pytest.raises(TypeError):
            frame.mean(wrong)


# ------------------------------------------------------------------------------------------------ writing


def test_writing(frame, table, path):
    mask = table["a"] > 3
    edited = frame.assign(x=np.tanh(frame["f"]), k=np.int8(3)).where("a > 3").drop("t")
    with edited.write(path, memory_budget=64) as written:
        assert type(written) is colstore.ColStoreReader
        assert written.columns == ["a", "f", "g", "b", "s", "x", "k"]
        for name in ("a", "f", "g", "b", "s"):
            check(written.array(name), table[name][mask])
        check(written.array("x"), np.tanh(table["f"])[mask])
        check(written.array("k"), np.full(mask.sum(), 3, "i1"))
    assert colstore.info(path).n_records == 1
    frame.where("a > 100").write(path).close()
    assert colstore.info(path).n_rows == 0
    with pytest.raises(ValueError, match="empty column mapping"):
        frame.select().write(path)
    for wrong in (0, -1):
        with pytest.raises(ValueError):
            frame.write(path, memory_budget=wrong)
    with pytest.raises(FileNotFoundError):
        frame.write(path.parent / "missing" / "x.cstore")
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_copy_is_byte_identical(table, tmp_path):
    with write_columns(tmp_path / "a.cstore", table) as ds:
        ds.edit().write(tmp_path / "b.cstore").close()
        assert filecmp.cmp(tmp_path / "a.cstore", tmp_path / "b.cstore", shallow=False)


def test_writing_onto_the_source(table, path):
    with write_columns(path, table) as ds:
        frame = ds.edit().assign(a=col("a") * 2).where("b")
        frame.write(path).close()
        check(ds.array("a"), table["a"])
    with colstore.open(path) as again:
        check(again.array("a"), table["a"][table["b"]] * 2)


def test_a_failing_write_leaves_nothing(frame, path):
    def fail(x):
        if len(x):
            raise RuntimeError("mine")
        return x

    with pytest.raises(RuntimeError, match="mine"):
        frame.assign(x=frame.apply(fail, "f")).write(path)
    assert list(path.parent.iterdir()) == []


def test_closed(table, path):
    ds = write_columns(path, table)
    frame = ds.edit().where("a > 3").assign(x=col("a"))
    ds.close()
    for use in (
        frame.dict,
        frame.recarray,
        frame.count,
        lambda: frame.array("a"),
        lambda: frame["a"].array(),
        frame.report,
    ):
        with pytest.raises(ValueError, match="closed"):
            use()
    assert frame.columns[-1] == "x"


def test_threads_share_a_frame(frame, table):
    cut = frame.assign(x=np.tanh(frame["f"])).where(np.exp(col("x")) > 1)
    expected = np.tanh(table["f"])[np.exp(np.tanh(table["f"])) > 1]
    found = []
    threads = [threading.Thread(target=lambda: found.append(cut.array("x"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(np.array_equal(values, expected) for values in found)


def test_an_empty_dataset():
    with colstore.open([]) as ds:
        frame = ds.edit()
        assert frame.columns == [] and frame.n_rows == 0 and frame.dict() == {}
