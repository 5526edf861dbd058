"""What indexing gives, and what a view has to offer."""

import numpy as np
import pytest
from conftest import assert_same

import colstore
from colstore import ColumnView, TableView


@pytest.fixture
def small(tmp_path):
    columns = {"a": np.arange(10), "f": np.arange(10) * 1.5, "s": np.array([b"x", b"yy"] * 5)}
    with colstore.store(columns, tmp_path / "small.cstore") as reader:
        yield reader


def test_kinds_of_keys(small):
    for key in ("a", np.str_("a"), (slice(3), "a"), (None, "a"), ([1, 2], "a")):
        assert type(small[key]) is ColumnView
        assert small[key].column == "a"
    for key, names in (
        (["f", "a"], ["f", "a"]),
        (slice(3), ["a", "f", "s"]),
        (3, ["a", "f", "s"]),
        ([], ["a", "f", "s"]),
        (None, ["a", "f", "s"]),
        ((3, ["s", "a"]), ["s", "a"]),
        ((3, ("s", "a")), ["s", "a"]),
        ((3, []), []),
        ((3, None), ["a", "f", "s"]),
        ((3, ["a", "a"]), ["a", "a"]),
    ):
        view = small[key]
        assert type(view) is TableView
        assert view.columns == names
        assert view.n_columns == len(names)
        assert view.dtypes == {name: small.dtypes[name] for name in names}


@pytest.mark.parametrize("key", [(), (1,), (1, 2, 3), (1, "a", "f")])
def test_tuples_of_another_length(small, key):
    with pytest.raises(IndexError, match="2 elements"):
        small[key]


@pytest.mark.parametrize("part", [1, slice(None), np.array([0]), 1.5, ["a", 1], {"a"}])
def test_columns_of_another_type(small, part):
    for source in (small, small[:3]):
        with pytest.raises(IndexError, match="string"):
            source[0, part]


def test_unknown_columns(small):
    for attempt in (
        lambda: small["q"],
        lambda: small[["a", "q"]],
        lambda: small[99, "q"],
        lambda: small[:, ["q", "a"]],
        lambda: small.select("a", "q"),
        lambda: small.drop("q"),
        lambda: small[:3]["q"],
        lambda: small[:3].select("q"),
        lambda: small[["a"]]["f"],
        lambda: small[["a"]].array("f"),
        lambda: small[["a"]].drop("f"),
        lambda: small.select(1),
    ):
        with pytest.raises(KeyError, match="Unknown column") as caught:
            attempt()
        assert "'a'" in str(caught.value), "the names that there are"


def test_two_strings(small):
    with pytest.raises(IndexError, match="integer or boolean"):
        small["a", "f"].array()
    assert small[:4]["a", "f"].columns == ["a", "f"]
    assert small[:4][("f",)].columns == ["f"]


def test_columns_that_occur_twice(small):
    view = small[:2, ["a", "a"]]
    assert list(view.dict()) == ["a"]
    with pytest.raises(ValueError):
        view.recarray()
    assert repr(view) == "<TableView: 2 columns>"


def test_int_rows_keep_the_dimension(small):
    for row in (3, -7, np.int8(3), np.array(3), True + 2):
        assert small[row, "a"].array().tolist() == [3]
        assert small[row].recarray().shape == (1,)
    assert small[True, "a"].array().tolist() == [1]
    assert small[:5]["a"][False].array().tolist() == [0]


def test_select_and_drop(small):
    for source in (small, small[2:4], small[["s", "f", "a"]]):
        assert source.select("f", "a").columns == ["f", "a"]
        assert source.drop("f").columns == [name for name in source.columns if name != "f"]
        assert source.drop("f", "f").columns == source.drop("f").columns
        assert source.drop().columns == source.columns
        assert source.drop("a", "f", "s").dict() == {}
        with pytest.raises(ValueError, match="Duplicate"):
            source.select("a", "f", "a")
        with pytest.raises(ValueError, match="at least one"):
            source.select()
        with pytest.raises(TypeError):
            source.select(["a"])
    assert small[2:4].select("f").dict()["f"].tolist() == [3.0, 4.5]


def test_materialised_forms(small):
    view = small[[7, 2, 2], ["f", "a"]]
    assert view.count() == 3
    assert {name: values.tolist() for name, values in view.dict().items()} == {"f": [10.5, 3, 3], "a": [7, 2, 2]}
    records = view.recarray()
    assert type(records) is np.ndarray
    assert records.dtype == [("f", "f8"), ("a", "i8")]
    assert records.tolist() == [(10.5, 7), (3, 2), (3, 2)]
    assert_same(np.asarray(view), records)
    assert_same(np.array(view[["a"]], dtype=[("a", "i4")]), np.array([(7,), (2,), (2,)], [("a", "i4")]))
    with pytest.raises(TypeError):
        view.array()
    assert view.array("a").tolist() == [7, 2, 2]


def test_without_columns(small):
    for key, count in ((slice(None), 10), (slice(3), 3), ([1, 1], 2), (4, 1)):
        view = small[key, []]
        assert (view.columns, view.n_columns, view.count(), view.dict()) == ([], 0, count, {})
        assert view.recarray().shape == (count,)
        assert view.recarray().dtype.names == ()


def test_array_protocol_of_a_column(small):
    view = small[2:5, "a"]
    for array in (np.asarray(view), np.array(view), view.__array__(copy=True), view.__array__(np.dtype("i8"))):
        assert_same(array, np.arange(2, 5))
        assert array.flags.owndata and array.flags.writeable
    assert_same(np.asarray(view, dtype="f4"), np.arange(2, 5, dtype="f4"))
    lent = view.__array__(copy=False)
    assert np.shares_memory(lent, small.array("a", copy=False)) and not lent.flags.writeable
    assert np.shares_memory(view.__array__(dtype="i8", copy=False), lent)
    with pytest.raises(ValueError, match="requires a copy"):
        view.__array__(dtype="f4", copy=False)
    with pytest.raises(ValueError, match="copy=True"):
        small[[1, 2], "a"].__array__(copy=False)
    with pytest.raises(ValueError, match="without copying"):
        small[:2].__array__(copy=False)
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        assert np.shares_memory(np.array(view, copy=False), lent)


def test_results_own_their_memory(small):
    for view in (small[:3, "a"], small[[1], "a"], small[np.ones(10, "?"), "a"], small[0, "a"], small["a"]):
        first = view.array()
        assert first.flags.owndata and first.flags.writeable
        first[:] = 99
        assert view.array().max() < 99


def test_isin(small):
    view = small[:4, "a"]
    for values in ([1, 3], (1, 3), {1, 3}, frozenset([1, 3]), np.array([1, 3]), small[[1, 3], "a"], iter((1, 3))):
        if not hasattr(values, "__next__"):
            assert_same(view.isin(values), np.array([False, True, False, True]))
    assert view.isin(2).tolist() == [False, False, True, False]
    assert view.isin(set()).tolist() == view.isin([]).tolist() == [False] * 4
    assert small[:3, "s"].isin([b"yy", b"q"]).tolist() == [False, True, False]


def test_a_view_as_rows(small):
    flags = small["a"] > 6
    assert small[flags, "a"].array().tolist() == [7, 8, 9]
    assert small[small[1:3, "a"], "f"].array().tolist() == [1.5, 3.0]


def test_rows_from_pandas(small):
    pd = pytest.importorskip("pandas")
    rows = pd.Series([3, -1])
    assert small[rows, "a"].array().tolist() == small[pd.Index([3, -1])]["a"].array().tolist() == [3, 9]
    assert small[pd.Series(np.arange(10) > 7), "a"].array().tolist() == [8, 9]


def test_what_views_are_not(small):
    column, table = small["a"], small[:3]
    for view in (column, table):
        with pytest.raises(TypeError):
            len(view)
        with pytest.raises(TypeError):
            iter(view)
        for name in ("shape", "ndim", "size", "n_rows", "query", "where"):
            assert not hasattr(view, name)
        assert not hasattr(view, "__dict__")
    for name in ("dict", "recarray", "frame"):
        assert not hasattr(column, name)
    with pytest.raises(TypeError):
        hash(column)
    assert not hasattr(small, "__array_ufunc__")
    with pytest.raises(TypeError):
        small + 1


def test_evaluate(small):
    column, table = small[[3, 1], "a"].evaluate(), small[[3, 1]].evaluate()
    assert type(column) is ColumnView and type(table) is TableView
    assert column.array().tolist() == table.array("a").tolist() == [3, 1]


def test_views_of_a_closed_reader(tmp_path):
    reader = colstore.store({"a": np.arange(5)}, tmp_path / "x")
    views = [reader["a"], reader[1:3, "a"], reader[[1, 2], "a"], reader[3, "a"], reader[np.ones(5, "?"), "a"]]
    lent = reader[1:3, "a"].array(copy=False)
    reader.close()
    views += [reader["a"], reader[2, "a"], reader[[2], "a"], reader["a"][1:][1:]]  # making one still works
    for view in views:
        for read in (
            view.array, lambda: view.array(copy=False), view.sum, view.std, view.head, view.tail,
            lambda: np.asarray(view), lambda: view + 1, lambda: view.isin([1]),
        ):  # fmt: skip
            with pytest.raises(ValueError, match="closed"):
                read()
        assert view.count() >= 1
        assert repr(view) == "<ColumnView: 1 column>"
        assert view._repr_html_() is None
    for view in (reader[:2], reader[[1]], reader.select("a")):
        for read in (view.dict, lambda: view.dict(copy=False), view.recarray, view.frame, lambda: view.array("a")):
            with pytest.raises(ValueError, match="closed"):
                read()
    for read in (reader.head, reader.tail):
        with pytest.raises(ValueError, match="closed"):
            read()
    assert reader._repr_html_() is None
    assert lent.tolist() == [1, 2]


def test_frame(small):
    pd = pytest.importorskip("pandas")
    for view in (small[:4], small[[5, 1]], small[2], small[["f", "a"]], small[np.arange(10) > 6], small[:0]):
        frame = view.frame()
        numbers = view.drop("s").columns if "s" in view.columns else view.columns  # byte strings stay byte strings
        pd.testing.assert_frame_equal(frame[numbers], pd.DataFrame(view.dict())[numbers])
        assert frame._mgr.nblocks == len(view.columns)
        assert isinstance(frame.index, pd.RangeIndex)
    frame = small[2:5, ["a", "f"]].frame(copy=False)
    assert frame["a"].tolist() == [2, 3, 4]
    assert frame._mgr.nblocks == 2
    with pytest.raises(ValueError, match="read-only"):
        frame.iloc[0, 0] = 9
    with pytest.raises(ValueError, match="copy=True"):
        small[[1], ["a"]].frame(copy=False)
