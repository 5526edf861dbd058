"""`frame`, and DataFrames as input of `store`."""

import sys

import numpy as np
import pytest

import colstore

pd = pytest.importorskip("pandas")


@pytest.fixture
def numbers(path):
    columns = {
        "f": np.arange(5) / 2,
        "g": np.arange(5) / 4,
        "i": np.arange(5),
        "b": np.arange(5) > 2,
        "t": np.arange(5).astype("M8[ns]"),
        "d": np.arange(5).astype("m8[ms]"),
        "h": np.arange(5, dtype="f2"),
    }
    with colstore.store(columns, path) as reader:
        yield reader


@pytest.mark.parametrize("copy", [True, False])
def test_one_block_per_column(numbers, copy):
    frame = numbers.frame(copy=copy)
    assert isinstance(frame.index, pd.RangeIndex)
    assert len(frame._mgr.blocks) == len(numbers.columns)
    pd.testing.assert_frame_equal(frame, pd.DataFrame(numbers.dict()))


def test_text(path, columns):
    with colstore.store(columns, path) as reader:
        frame = reader.frame()
        assert len(frame._mgr.blocks) == len(columns)
        assert frame["bytes"].tolist() == columns["bytes"].tolist(), "bytes stay bytes"
        assert frame["text"].dtype == pd.DataFrame({"text": columns["text"]})["text"].dtype
        assert frame["text"].tolist() == columns["text"].tolist()
        assert (
            frame.dtypes.drop(["bytes", "text"]).tolist()
            == pd.DataFrame(columns).dtypes.drop(["bytes", "text"]).tolist()
        )
        expected = pd.DataFrame({name: values for name, values in columns.items() if name != "bytes"})
        pd.testing.assert_frame_equal(frame.drop(columns="bytes"), expected)


def test_copies_are_the_users(numbers):
    frame = numbers.frame()
    frame.loc[0, "f"] = 99.0
    assert frame["f"][0] == 99.0
    assert numbers.array("f")[0] == 0


def test_lent_blocks(numbers, path):
    frame = numbers.frame(copy=False)
    for name in numbers:
        assert np.shares_memory(frame[name].to_numpy(), numbers.array(name, copy=False))
    before = path.read_bytes()
    with pytest.raises(ValueError, match="read-only"):
        frame["f"].to_numpy()[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        frame["f"].array[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        frame.loc[0, "f"] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        frame.iloc[1:3, 2] = 7
    numbers.close()
    assert frame["i"].sum() == 10
    assert path.read_bytes() == before


def test_lent_bytes(path):
    with colstore.store({"s": [b"x", b"yy"]}, path) as reader:
        frame = reader.frame(copy=False)
        assert np.shares_memory(frame._mgr.blocks[0].values, reader.array("s", copy=False))


@pytest.mark.parametrize("values", [np.array(["x"]), np.array(["2020"], "M8[D]"), np.array([1], "m8[h]")], ids=str)
def test_what_pandas_converts_is_not_lent(path, values):
    with colstore.store({"n": [1], "x": values}, path) as reader:
        with pytest.raises(ValueError, match="copy=True"):
            reader.frame(copy=False)
        pd.testing.assert_frame_equal(reader.frame(), pd.DataFrame({"n": [1], "x": values}))


def test_several_records(golden):
    with colstore.open(golden / "stats_multi.cstore") as reader:
        with pytest.raises(ValueError, match="compact"):
            reader.frame(copy=False) if "w" not in reader else reader.dict(copy=False)
        assert reader.frame().shape == reader.shape


@pytest.mark.parametrize("copy", [True, False])
def test_fallback_warns(numbers, monkeypatch, copy):
    def refuse(*arguments, **keywords):
        raise TypeError("moved")

    monkeypatch.setattr("pandas.core.internals.managers.create_block_manager_from_column_arrays", refuse)
    with pytest.warns(UserWarning, match=r"frame\(\) optimized") as caught:
        frame = numbers.frame(copy=copy)
    assert caught[0].filename == __file__
    assert len(frame._mgr.blocks) == len(numbers.columns)
    monkeypatch.undo()
    pd.testing.assert_frame_equal(frame, numbers.frame(copy=copy))


def test_fallback_when_the_name_is_gone(numbers, monkeypatch):
    monkeypatch.delattr("pandas.core.internals.managers.create_block_manager_from_column_arrays")
    with pytest.warns(UserWarning, match=r"frame\(\) optimized"):
        assert numbers.frame().shape == numbers.shape


def test_without_pandas(numbers, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError):
        numbers.frame()


def test_empty_frames(path, golden):
    with colstore.store({"a": np.zeros(0), "u": np.zeros(0, "U3")}, path) as reader:
        assert reader.frame().shape == (0, 2)
    with colstore.open(golden / "foreign" / "zero_columns.cstore") as reader:
        assert reader.frame().shape == (4, 0)


def test_odd_names(path):
    names = ["", "a b", "\ud800", "é"]
    with colstore.store({name: [i] for i, name in enumerate(names)}, path) as reader:
        frame = reader.frame()
        assert list(frame.columns) == names
        assert frame["\ud800"][0] == 2


def test_store_a_frame(path):
    times = pd.to_datetime(["2020-01-01", None])
    frame = pd.DataFrame({"a": [1, 2], 5: [1.5, np.nan], "t": times, "q": [True, False]}, index=[7, 9])
    with colstore.store(frame, path) as reader:
        assert reader.columns == ["a", "5", "t", "q"]
        assert reader.array("a").tolist() == [1, 2]
        np.testing.assert_array_equal(reader.array("5"), [1.5, np.nan])
        assert reader.dtypes["t"].kind == "M" and np.isnat(reader.array("t")[1])
        assert reader.dtypes["q"] == "?"


def test_nullable_columns_without_nulls(path):
    frame = pd.DataFrame({"n": pd.array([1, 2], dtype="Int64"), "q": pd.array([True, False], dtype="boolean")})
    if np.asarray(frame["n"]).dtype == object:  # as older versions of pandas have it
        with pytest.raises(TypeError, match="object array"):
            colstore.store(frame, path)
    else:
        with colstore.store(frame, path) as reader:
            assert (reader.dtypes["n"], reader.dtypes["q"]) == ("i8", "?")


def test_store_a_frame_of_one_block(path):
    values = np.arange(12.0).reshape(4, 3)
    with colstore.store(pd.DataFrame(values, columns=list("abc")), path) as reader:
        assert reader.array("b").tolist() == values[:, 1].tolist()


@pytest.mark.parametrize(
    "values",
    [
        ["x", "y"],
        pd.Categorical(["x", "y"]),
        np.array([1, None], object),
        pd.to_datetime(["2020", "2021"]).tz_localize("UTC"),
        pd.array(["x", "y"], dtype="string"),
    ],
    ids=["str", "category", "object", "zone", "string"],
)
def test_object_columns_are_refused(path, values):
    with pytest.raises(TypeError, match="object array") as caught:
        colstore.store(pd.DataFrame({"good": [1, 2], "culprit": values}), path)
    assert "culprit" in str(caught.value)
    assert not path.exists()


def test_other_refusals(path):
    with pytest.raises(TypeError, match="does not know how to handle"):
        colstore.store(pd.Series([1]), path)
    with pytest.raises(ValueError, match="empty column mapping"):
        colstore.store(pd.DataFrame(), path)
    with pytest.raises(ValueError, match="'a'"):
        colstore.store(pd.DataFrame(np.ones((2, 2)), columns=["a", "a"]), path)
    assert not path.exists()
