"""Reductions of a column view."""

import math

import numpy as np
import pytest
from layouts import LAYOUTS, open_layout, selections

import colstore

NUMERIC = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
SUMS = {"b": np.int64, "i": np.int64, "u": np.uint64, "f": np.float64}


def numbers(rng, n):
    columns = {"b1": rng.random(n) < 0.4}
    for dtype in NUMERIC[1:9]:
        limits = np.iinfo(dtype)
        columns[dtype] = rng.integers(limits.min, limits.max, n, dtype=dtype, endpoint=True)
    for dtype in NUMERIC[9:]:
        columns[dtype] = (rng.standard_normal(n) * 10).astype(dtype)
    columns["when"] = rng.integers(-(2**40), 2**40, n).view("M8[us]")
    columns["took"] = rng.integers(-(2**40), 2**40, n).view("m8[25s]")
    return columns


@pytest.mark.parametrize("layout", LAYOUTS)
def test_against_numpy(layout, tmp_path):
    rng = np.random.default_rng(LAYOUTS.index(layout))
    n = 3001
    columns = numbers(rng, n)
    with open_layout(layout, columns, tmp_path, rng) as ds:
        for key, numpy_key in list(selections(rng, n))[::3]:
            rows = np.asarray(key) if numpy_key is None else numpy_key
            for name in rng.choice(list(columns), 4):
                values, view = columns[name][rows], ds[key, name]
                assert view.count() == len(values)
                assert type(view.count()) is int
                if not len(values):
                    continue
                for function in ("min", "max"):
                    found, wanted = getattr(view, function)(), getattr(values, function)()
                    assert type(found) is type(wanted) and found.dtype == wanted.dtype
                    assert found == wanted
                if name not in NUMERIC:
                    continue
                total = view.sum()
                assert type(total) is SUMS[values.dtype.kind]
                if values.dtype.kind == "f":
                    assert total == pytest.approx(values.sum(dtype="f8"), rel=1e-12, abs=1e-9)
                else:
                    with np.errstate(over="ignore"):
                        assert total == values.sum(dtype=type(total)), "wraps"
                wide = values.astype("f8")
                assert type(view.mean()) is np.float64
                assert view.mean() == pytest.approx(wide.mean(), rel=1e-12, abs=1e-9)
                for ddof in (0, 1, 0.5, -1):
                    if len(values) > ddof:
                        assert type(view.std(ddof=ddof)) is type(view.var(ddof=ddof)) is float
                        wanted = float(np.sum((wide - wide.mean()) ** 2) / (len(wide) - ddof))
                        assert view.var(ddof=ddof) == pytest.approx(wanted, rel=1e-9, abs=1e-9)
                        assert view.std(ddof=ddof) == pytest.approx(math.sqrt(wanted), rel=1e-9, abs=1e-9)


def test_no_rows(tmp_path):
    columns = numbers(np.random.default_rng(0), 5)
    with colstore.store(columns, tmp_path / "x") as reader:
        for name, values in columns.items():
            view = reader[:0, name]
            assert view.count() == 0
            assert type(view.min()) is type(view.max()) is float
            assert math.isnan(view.min()) and math.isnan(view.max())
            if name in NUMERIC:
                assert view.sum() == 0 and type(view.sum()) is SUMS[values.dtype.kind]
                for result in (view.mean(), view.std(), view.var()):
                    assert type(result) is float and math.isnan(result)
                one = reader[0, name]
                assert one.std() == one.var() == 0.0
                assert math.isnan(one.std(ddof=1)) and math.isnan(one.var(ddof=2))


def test_nan_nat_and_infinities(tmp_path):
    columns = {
        "f": np.array([1.0, np.nan, 3.0]),
        "g": np.array([1.0, np.inf, 3.0], "f4"),
        "t": np.array(["2020-01-01", "NaT", "2021-01-01"], "M8[D]"),
        "d": np.array([1, "NaT", 2], "m8[s]"),
    }
    with colstore.store(columns, tmp_path / "x") as reader:
        for function in ("sum", "mean", "min", "max", "std", "var"):
            assert math.isnan(getattr(reader["f"], function)()), function
        assert type(reader["g"].max()) is np.float32
        assert (reader["g"].max(), reader["g"].min(), reader["g"].sum()) == (np.inf, 1.0, np.inf)
        for name in "td":
            for value in (reader[name].min(), reader[name].max()):
                assert np.isnat(value) and value.dtype == columns[name].dtype
        assert reader[::2, "t"].max() == np.datetime64("2021-01-01")


def test_mean_of_large_integers(tmp_path):
    """The sum wraps; the mean does not."""
    values = np.full(4, 2**62)
    with colstore.store({"x": values}, tmp_path / "x") as reader:
        assert reader["x"].sum() == 0
        assert reader["x"].mean() == 2.0**62


def test_stable(tmp_path):
    rng = np.random.default_rng(2)
    values = (rng.standard_normal(100_000) + 1e9).astype("f8")
    singles = rng.random(1_000_000).astype("f4")
    with colstore.testing.write_columns(tmp_path / "x", {"x": values}, records=7) as reader:
        assert reader["x"].var() == pytest.approx(values.var(), rel=1e-7), "not the difference of large squares"
    with colstore.testing.write_columns(tmp_path / "y", {"x": singles}, records=7) as reader:
        assert reader["x"].sum() == pytest.approx(singles.sum(dtype="f8"), rel=1e-12)


def test_the_same_bits_for_any_number_of_threads(tmp_path):
    rng = np.random.default_rng(3)
    colstore.store({"x": rng.standard_normal(3_000_000)}, tmp_path / "x").close()
    index, found = rng.integers(0, 3_000_000, 1_000_000), set()
    for options in ({"max_workers": 1}, {"max_workers": 2}, {"max_workers": 5}, {"backend": "numpy"}, {}):
        with colstore.open(tmp_path / "x", **options) as reader:
            for view in (reader["x"], reader[index, "x"]):
                found.add((view.count(), float(view.sum()), float(view.mean()), view.std(), view.var()))
    assert len(found) == 2


def test_by_numpy_functions(tmp_path):
    with colstore.store({"x": np.arange(10) * 1.0}, tmp_path / "x") as reader:
        view = reader[2:8, "x"]
        values = view.array()
        for name in ("sum", "mean", "min", "max", "std", "var"):
            function = getattr(np, name)
            for axis in (None, 0):
                assert function(view, axis=axis) == getattr(view, name)(axis) == function(values)
        assert np.std(view, ddof=1) == pytest.approx(np.std(values, ddof=1))
        assert np.var(view, ddof=2) == pytest.approx(np.var(values, ddof=2))


@pytest.mark.parametrize("name", ["sum", "mean", "min", "max", "std", "var"])
def test_parameters_that_are_refused(tmp_path, name):
    with colstore.store({"x": np.arange(10)}, tmp_path / "x") as reader:
        method = getattr(reader["x"], name)
        for keyword, value in (
            ("axis", 1), ("axis", -1), ("axis", (0,)), ("dtype", "f4"), ("out", np.zeros(())), ("keepdims", False),
            ("keepdims", True), ("where", True), ("initial", 0), ("nonsense", 1),
        ):  # fmt: skip
            with pytest.raises(TypeError, match=keyword):
                method(**{keyword: value})
        with pytest.raises(TypeError, match="keepdims"):
            getattr(np, name)(reader["x"], keepdims=True)


def test_columns_without_a_number(tmp_path):
    columns = {"s": np.array([b"a"]), "u": np.array(["a"]), "t": np.zeros(1, "M8[s]"), "d": np.zeros(1, "m8[s]")}
    with colstore.store(columns, tmp_path / "x") as reader:
        for column in columns:
            for name in ("sum", "mean", "std", "var"):
                with pytest.raises(TypeError, match="numeric column; column"):
                    getattr(reader[column], name)()
        for column in "su":
            for name in ("min", "max"):
                with pytest.raises(TypeError, match="numeric or datetime column"):
                    getattr(reader[column], name)()
