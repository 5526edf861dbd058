"""`ColStoreFrame`: columns computed, replaced, renamed and dropped, cuts, and reading."""

import numpy as np
import pytest

import colstore
from colstore import ColStoreFrame, QueryError, col
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


def test_reading_what_was_not_edited(frame, table):
    assert type(frame) is ColStoreFrame
    assert frame.columns == list(table) == list(frame) and len(frame) == len(table)
    assert frame.n_rows == frame.count() == N
    assert "a" in frame and "z" not in frame and 3 not in frame
    for name, values in frame.dict().items():
        check(values, table[name])
        check(frame.array(name), table[name])
        check(frame[name].array(), table[name])
        check(frame[name].compute(), table[name])
    records = frame.recarray()
    assert records.dtype.names == tuple(table) and records.dtype.itemsize == sum(v.itemsize for v in table.values())
    for name in table:
        assert np.array_equal(records[name], table[name])
    assert np.array_equal(np.asarray(frame), records)
    with pytest.raises(ValueError, match="without copying"):
        np.array(frame, copy=False)
    data = frame.frame()
    assert list(data) == list(table) and len(data._mgr.blocks) == len(table)
    assert data["g"].dtype == np.float32 and np.array_equal(data["a"], table["a"])


def test_assigning(frame, table):
    edited = frame.assign(
        x=frame["a"] * 2, f=col("f") + 1, k=5, name="abc", half=np.float32(0.5), day=np.datetime64("2020-01-01")
    )
    assert edited.columns == [*table, "x", "k", "name", "half", "day"]
    assert frame.columns == list(table)
    check(edited.array("x"), table["a"] * 2)
    check(edited.array("f"), table["f"] + 1)
    check(edited.array("k"), np.full(N, 5))
    check(edited.array("name"), np.full(N, "abc"))
    check(edited.array("half"), np.full(N, 0.5, "f4"))
    check(edited.array("day"), np.full(N, np.datetime64("2020-01-01")))
    for value, dtype in ((True, "?"), (np.int8(1), "i1"), (2.5, "f8"), (b"xy", "S2"), (np.array(3, "u2"), "u2")):
        assert frame.assign(v=value).array("v").dtype == dtype
    check((edited["k"] + edited["a"]).compute(), table["a"] + 5)
    with pytest.raises(ValueError, match="all-constant"):
        edited["k"].compute()
    with pytest.raises(ValueError, match="all-constant"):
        (edited["k"] + 1).compute()
    check(edited["k"].array(), np.full(N, 5))
    assert frame.with_columns(z=1).columns[-1] == "z"


def test_assigning_in_place(frame, table):
    assert frame.assign(x=1, inplace=True) is frame
    frame["y"] = frame["a"] + 1
    frame["a"] = frame["a"] * 0
    check(frame.array("y"), table["a"] + 1)  # the column it was
    frame["c"] = frame["f"]
    frame["f"] = 0
    check(frame.array("c"), table["f"])
    del frame["x"]
    with pytest.raises(KeyError):
        del frame["x"]
    assert frame.columns == [*table, "y", "c"]


def test_all_values_are_over_the_columns_before(frame, table):
    swapped = frame.assign(a=col("f"), f=col("a"))
    check(swapped.array("a"), table["f"])
    check(swapped.array("f"), table["a"])
    with pytest.raises(KeyError, match="not a column of this frame"):
        frame.assign(x=1, y=col("x"))
    assert frame.columns == list(table)


def test_assigning_arrays(frame, table):
    values = np.arange(N, dtype="i4")
    edited = frame.assign(x=values)
    snapshot = frame.assign(x=values, copy=True)
    values[0] = -1
    assert edited.array("x")[0] == -1 and snapshot.array("x")[0] == 0
    check(frame.assign(x=values[::-1]).array("x"), values[::-1].copy())
    check(frame.assign(x=list(range(N))).array("x"), np.arange(N))
    check(frame.assign(x=values.astype(">i4")).array("x"), values)
    check(frame.assign(x=np.arange(N).astype("U")).array("x"), np.arange(N).astype("U"))
    for wrong in (np.arange(N - 1), np.arange(1), [1], np.arange(N + 1)):
        with pytest.raises(ValueError, match="does not match"):
            frame.assign(x=wrong)
    with pytest.raises(ValueError):
        frame.assign(x=np.ones((N, 1)))
    with pytest.raises(TypeError):
        frame.assign(x=np.array([None] * N))
    for cut in (frame.where("a > 3"), frame._store[10:20].edit(), frame._store[np.ones(N, bool)].edit().where("b")):
        with pytest.raises(ValueError, match="row selection"):
            cut.assign(x=values)
    check(frame._store[:].edit().assign(x=values).array("x"), values)
    with pytest.raises(TypeError):
        frame.assign(x=None)


def test_assigning_a_view(ds, frame, table):
    check(frame.assign(x=ds["f"]).array("x"), table["f"])


def test_columns_of_another_store(frame, table, path):
    with colstore.store({"z": np.arange(N)}, path) as other:
        check(frame.assign(x=other.edit()["z"] + frame["a"]).array("x"), np.arange(N) + table["a"])
        cut = frame.assign(x=other.edit()["z"]).where("x % 2 == 0")
        check(cut.array("x"), np.arange(0, N, 2))
    with colstore.store({"z": np.arange(3)}, path, mode="recreate") as short, pytest.raises(ValueError, match="match"):
        frame.assign(x=short.edit()["z"])


def test_dropping_selecting_renaming(frame, table):
    assert frame.drop("a", "b").columns == ["f", "g", "s", "t"]
    assert frame.drop().columns == list(table) and frame.drop(*table).columns == []
    assert frame.select("g", "a").columns == ["g", "a"] and frame.select().columns == []
    renamed = frame.rename({"a": "f", "f": "a", "b": "flag"})
    assert renamed.columns == ["f", "a", "g", "flag", "s", "t"]
    check(renamed.array("f"), table["a"])
    check(renamed.where("flag").array("a"), table["f"][table["b"]])
    for wrong in (lambda: frame.drop("z"), lambda: frame.select("a", "z"), lambda: frame.rename({"z": "y"})):
        with pytest.raises(KeyError, match="not in the frame"):
            wrong()
    for wrong in (
        lambda: frame.select("a", "a"),
        lambda: frame.rename({"a": "b"}),
        lambda: frame.rename({"a": "x", "b": "x"}),
    ):
        with pytest.raises(ValueError, match="duplicate"):
            wrong()
    for edit in (
        lambda f: f.drop("a", inplace=True),
        lambda f: f.select("f", "g", inplace=True),
        lambda f: f.rename({"f": "x"}, inplace=True),
        lambda f: f.astype({"g": "f8"}, inplace=True),
        lambda f: f.where("x > 0", inplace=True),
    ):
        assert edit(frame) is frame
    assert frame.columns == ["x", "g"] and frame.n_rows == (table["f"] > 0).sum()


def test_casting(frame, table):
    cast = frame.astype({"f": "f4", "a": np.int16, "s": "U2"})
    assert cast.columns == list(table)
    check(cast.array("f"), table["f"].astype("f4"))
    check(cast.array("a"), table["a"].astype("i2"))
    check(cast.array("s"), table["s"].astype("U2"))
    with pytest.raises(KeyError, match="not in the frame"):
        frame.astype({"f": "f4", "z": "f4"}, inplace=True)
    with pytest.raises(TypeError):
        frame.astype({"f": "f4", "a": "nonsense"}, inplace=True)
    check(frame.array("f"), table["f"])


def test_columns_by_name_only(frame):
    with pytest.raises(KeyError, match="not in the frame"):
        frame["z"]
    for wrong in (0, slice(3), np.arange(3), frame["a"] > 3, ("a", "f"), ["a"]):
        with pytest.raises(TypeError, match="does not slice or index rows or columns"):
            frame[wrong]
    with pytest.raises(KeyError):
        frame.array("z")
    with pytest.raises(TypeError):
        frame[3] = 1
    for missing in ("head", "saveas", "query", "arrow"):
        assert not hasattr(frame, missing)
    assert frame == frame and frame != frame.copy() and hash(frame)


def test_an_expression_belongs_to_columns_not_names(frame, table):
    double = frame["a"] * 2
    edited = frame.rename({"a": "z"}).assign(a=0)
    check(edited.assign(x=double).array("x"), table["a"] * 2)
    check(edited.drop("z").assign(x=double).array("x"), table["a"] * 2)
    copied = frame.copy()
    copied["a"] = 1
    check(frame.array("a"), table["a"])


# ------------------------------------------------------------------------------------------------ cuts


def test_cuts(frame, table):
    a, f, b = table["a"], table["f"], table["b"]
    cut = frame.where("a > 3").filter(col("f") < 0.5).where("b")
    mask = (a > 3) & (f < 0.5) & b
    assert cut.n_rows == mask.sum() and frame.n_rows == N
    for name, values in cut.dict().items():
        check(values, table[name][mask])
    check(cut["f"].array(), f[mask])
    check(np.asarray(cut["f"]), f[mask])
    assert np.asarray(cut["f"], "f4").dtype == np.float32
    with pytest.raises(ValueError, match="without copying"):
        np.array(cut["f"], copy=False)
    check(cut["f"].compute(), f)
    check((cut["f"] * 2).compute(), f * 2)
    assert len(cut.frame()) == mask.sum()
    check(frame.where("s == 'SR'").array("f"), f[table["s"] == b"SR"])
    check(frame.where("a in @values", params={"values": {1, 2}}).array("f"), f[np.isin(a, [1, 2])])
    check(frame.where((col("a") > 3) & (frame["f"] < 0.5)).array("a"), a[(a > 3) & (f < 0.5)])


def test_cuts_on_derived_columns(frame, table):
    edited = frame.assign(x=frame["a"] * 2, y=np.tanh(frame["f"]))
    cut = edited.where("x > 6").where(np.exp(col("y")) > 1).drop("x").rename({"y": "z"})
    mask = (table["a"] * 2 > 6) & (np.exp(np.tanh(table["f"])) > 1)
    check(cut.array("z"), np.tanh(table["f"])[mask])
    with pytest.raises(QueryError, match="unknown"):
        cut.where("x > 3")
    with pytest.raises(QueryError, match="unknown column"):
        cut.where(col("y") > 3)
    with pytest.raises(QueryError, match="unknown column"):
        cut.where(np.exp(col("y")) > 3)
    # Derived after the cut: of the rows that are left.
    check(cut.assign(w=col("a") + 1).array("w"), table["a"][mask] + 1)


def test_refused_cuts(frame, table):
    with pytest.raises(QueryError, match="boolean condition"):
        frame.where("a + 1")
    with pytest.raises(QueryError, match="boolean condition"):
        frame.where(col("a"))
    with pytest.raises(QueryError, match="could not parse"):
        frame.where("a >")
    for wrong in (frame["a"] > 3, table["b"], 3, None):
        with pytest.raises(TypeError):
            frame.where(wrong)
    assert frame.n_rows == N


def test_editing_views(ds, table):
    n = np.arange(N)
    for rows, expected in (
        (slice(10, 200, 3), n[10:200:3]),
        ([5, 3, 3, -1], np.array([5, 3, 3, N - 1])),
        (table["b"], n[table["b"]]),
        (7, n[7:8]),
        (slice(None), n),
        (slice(None, None, -1), n[::-1]),
    ):
        frame = ds[rows, ["f", "a"]].edit()
        assert frame.columns == ["f", "a"] and frame.n_rows == len(expected)
        check(frame.array("a"), table["a"][expected])
        check(
            frame.assign(x=col("a") + 1).where("f > 0").array("x"), (table["a"] + 1)[expected][table["f"][expected] > 0]
        )
        check(frame["f"].compute(), table["f"])
        check((frame["f"] + frame["a"]).compute(), table["f"] + table["a"])
    column = ds[3:9, "a"].edit()
    assert column.columns == ["a"] and column.n_rows == 6


def test_editing_a_condition(ds, table):
    frame = ds.query("a > 3", columns=["f"]).edit()
    assert frame.columns == ["f"]
    check(frame.array("f"), table["f"][table["a"] > 3])
    check(frame["f"].compute(), table["f"])
    assert len(frame.report()) == 1 and frame.report()[0].label == "#0"
    inner = ds[100:][col("a") > 3].edit()
    check(inner.array("f"), table["f"][100:][table["a"][100:] > 3])


def test_the_constructor(ds, table):
    check(ColStoreFrame(ds).array("a"), table["a"])
    frame = ColStoreFrame(ds, columns=["f", "a"], rows=slice(5, 50), predicate=col("b"))
    assert frame.columns == ["f", "a"]
    check(frame.array("a"), table["a"][5:50][table["b"][5:50]])
    assert ColStoreFrame(ds, predicate="a > 3").n_rows == (table["a"] > 3).sum()
    with pytest.raises(KeyError):
        ColStoreFrame(ds, columns=["z"])


def test_no_columns(frame):
    empty = frame.where("a > 3").select()
    assert empty.dict() == {} and empty.recarray().shape == (empty.n_rows,) and empty.recarray().dtype.names == ()
    assert empty.frame().shape == (empty.n_rows, 0)
