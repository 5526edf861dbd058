"""What frames, `apply`, batches, new files and reports refuse: every case, its error, and what the message says."""

import numpy as np
import pytest

import colstore
from colstore import QueryError, col
from colstore.testing import write_columns

N = 50


@pytest.fixture
def columns():
    return {
        "a": np.arange(N) - 5,
        "f": np.arange(N) / 4,
        "b": np.arange(N) % 2 == 0,
        "s": np.array([b"SR", b"CR"] * (N // 2)),
        "t": np.arange(N).astype("M8[s]"),
    }


@pytest.fixture
def frame(columns, path):
    with write_columns(path, columns, records=3) as ds:
        yield ds.edit()


def refuses(error, fragment, use):
    with pytest.raises(error, match=fragment):
        use()


KEYS = [0, np.int64(0), slice(3), np.arange(3), np.ones(N, bool), ("a", "f"), ["a"], None, 1.5, b"a"]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: type(key).__name__)
def test_keys(frame, key):
    refuses(TypeError, "does not slice or index rows or columns", lambda: frame[key])
    refuses(TypeError, "whole columns", lambda: frame.__setitem__(key, 1))


def test_names(frame):
    refuses(TypeError, "does not slice or index rows or columns", lambda: frame[frame["a"] > 3])
    refuses(TypeError, "does not slice or index rows or columns", lambda: frame[col("a")])
    for use in (
        lambda: frame["z"],
        lambda: frame.array("z"),
        lambda: frame.__delitem__("z"),
        lambda: frame.drop("z"),
        lambda: frame.drop("a", "z"),
        lambda: frame.select("a", "z"),
        lambda: frame.rename({"z": "y"}),
        lambda: frame.astype({"a": "f4", "z": "f4"}),
        lambda: frame.sum("z"),
    ):
        refuses(KeyError, "not in the frame|no column", use)
    for use in (
        lambda: frame.select("a", "a"),
        lambda: frame.rename({"a": "b"}),
        lambda: frame.rename({"a": "x", "b": "x"}),
    ):
        refuses(ValueError, "duplicate", use)


def test_a_refused_edit_changes_nothing(frame, columns):
    for use in (
        lambda: frame.drop("a", "z", inplace=True),
        lambda: frame.select("a", "z", inplace=True),
        lambda: frame.rename({"a": "x", "z": "y"}, inplace=True),
        lambda: frame.astype({"a": "f4", "z": "f4"}, inplace=True),
        lambda: frame.astype({"a": "f4", "f": "nonsense"}, inplace=True),
        lambda: frame.assign(x=1, y=col("x"), inplace=True),
        lambda: frame.assign(x=1, y=np.arange(3), inplace=True),
        lambda: frame.where("a + 1", inplace=True),
    ):
        with pytest.raises((KeyError, TypeError, ValueError)):
            use()
        assert frame.columns == list(columns) and frame.n_rows == N
        assert frame.array("a").dtype == columns["a"].dtype


def test_what_there_is_not(frame):
    for name in ("head", "tail", "saveas", "query", "arrow"):
        assert not hasattr(frame, name), name


def assign(frame, value):
    refused = []
    for use in (lambda: frame.assign(x=value), lambda: frame.__setitem__("x", value)):
        with pytest.raises(Exception) as caught:
            use()
        refused.append(caught)
    assert refused[0].type is refused[1].type
    return refused[0]


def test_values_that_do_not_fit(frame, tmp_path):
    with colstore.store({"z": np.arange(3)}, tmp_path / "short.cstore") as short:
        for wrong in (
            np.arange(N - 1),
            np.arange(N + 1),
            np.arange(1),
            np.arange(0),
            [1],
            (1, 2),
            short.edit()["z"],
            short.edit()["z"] + 1,
            short["z"],
        ):
            caught = assign(frame, wrong)
            assert issubclass(caught.type, ValueError) and "does not match" in str(caught.value)
    for wrong in (np.ones((N, 1)), np.ones((1, N)), [[1]] * N):
        caught = assign(frame, wrong)
        assert issubclass(caught.type, ValueError) and "1D" in str(caught.value)


def test_values_that_no_column_holds(frame):
    for wrong in (None, object(), 1j, np.array([None] * N), np.ones(N, complex), [object()] * N):
        caught = assign(frame, wrong)
        assert issubclass(caught.type, TypeError) and "cannot be in a frame" in str(caught.value), wrong


def test_arrays_beside_a_selection(frame, columns):
    store = frame._store
    for cut in (
        frame.where("a > 3"),
        frame.where("a > -100"),
        store[10:20].edit(),
        store[::-1].edit(),
        store[columns["b"]].edit(),
        store[[3, 4]].edit(),
        store.query("a > 3").edit(),
    ):
        for value in (np.arange(N), np.arange(cut.n_rows), list(range(N))):
            caught = assign(cut, value)
            assert issubclass(caught.type, ValueError) and "row selection" in str(caught.value)
        # What is no array fits.
        assert cut.assign(x=col("a"), y=1).columns[-2:] == ["x", "y"]


def test_names_of_values(frame):
    for use in (
        lambda: frame.assign(x=col("nothing")),
        lambda: frame.assign(x=1, y=col("x")),
        lambda: frame.assign(x=np.sin(col("nothing")) + 1),
    ):
        refuses(KeyError, "not a column of this frame", use)


def test_casts(frame):
    for wrong in ("nonsense", "O", "c16", "V3"):
        with pytest.raises(TypeError):
            frame.astype({"a": wrong})


CONDITIONS = [
    ("a >", QueryError, "could not parse"),
    ("zz > 3", QueryError, "unknown"),
    (col("zz") > 3, QueryError, "unknown column"),
    ("a + 1", QueryError, "boolean condition"),
    (col("a"), QueryError, "boolean condition"),
    (col("f") * 2, QueryError, "boolean condition"),
    ("a > @x", QueryError, "undefined parameter"),
    (np.ones(N, bool), TypeError, "a cut is text or a col"),
    ([True] * N, TypeError, "a cut is text or a col"),
    (3, TypeError, "a cut is text or a col"),
    (None, TypeError, "a cut is text or a col"),
    (b"a > 3", TypeError, "a cut is text or a col"),
]


@pytest.mark.parametrize(("condition", "error", "fragment"), CONDITIONS)
def test_conditions(frame, condition, error, fragment):
    for cut in (frame.where, frame.filter):
        refuses(error, fragment, lambda: cut(condition))
    assert frame.n_rows == N


def test_conditions_of_other_kinds(frame):
    for wrong in (frame["a"] > 3, frame["b"]):
        refuses(TypeError, "a cut is text or a col", lambda: frame.where(wrong))
    refuses(TypeError, "raw array", lambda: frame.where("a > @x", params={"x": np.arange(N)}))
    dropped = frame.assign(x=1).drop("a").rename({"f": "g"})
    for text in ("a > 3", "f > 3"):
        refuses(QueryError, "unknown", lambda: dropped.where(text))
    for name in ("a", "f"):
        refuses(QueryError, "unknown column", lambda: dropped.where(col(name) > 3))


def test_reductions(frame):
    for wrong in (3, None, np.arange(N), object(), [1, 2]):
        for name in ("sum", "mean", "min", "max", "std", "var"):
            refuses(TypeError, "by name, or an expression", lambda: getattr(frame, name)(wrong))
    refuses(TypeError, "numeric", lambda: frame.sum("s"))
    refuses(TypeError, "axis", lambda: frame["f"].sum(axis=1))
    refuses(TypeError, "keepdims", lambda: frame["f"].sum(keepdims=True))


BATCH_SIZES = [
    (0, ValueError, "must be positive"),
    (-3, ValueError, "must be positive"),
    ("x", ValueError, "byte size"),
    ("3 parsecs", ValueError, "byte size"),
    (2.0, TypeError, "None, int or str"),
    (True, TypeError, "None, int or str"),
    (np.int64(3), TypeError, "None, int or str"),
]


@pytest.mark.parametrize(("size", "error", "fragment"), BATCH_SIZES)
def test_batch_sizes(frame, size, error, fragment):
    batches = frame.iter_batches(size)  # refused when the first one is drawn
    refuses(error, fragment, lambda: next(batches))


def test_writing(frame, tmp_path):
    target = tmp_path / "new.cstore"
    refuses(ValueError, "empty column mapping", lambda: frame.select().write(target))
    for budget in (0, -1):
        refuses(ValueError, "memory_budget", lambda: frame.write(target, memory_budget=budget))
    with pytest.raises(FileNotFoundError):
        frame.write(tmp_path / "missing" / "new.cstore")
    assert not target.exists()


# ------------------------------------------------------------------------------------------------ apply


def test_operands_of_apply(frame):
    refuses(TypeError, "at least one column", lambda: frame.apply(np.sin))
    for name in ("nothing", col("nothing"), col("nothing") + col("f")):
        refuses(KeyError, "not a column of this frame", lambda: frame.apply(np.sin, name))
    for wrong in (3, 2.5, None, np.arange(N)):
        refuses(TypeError, "names and expressions", lambda: frame.apply(np.hypot, "f", wrong))


def raising(x):
    raise RuntimeError("no values")


FIRST_CALLS = [
    (raising, "out_dtype"),
    (lambda x: x[0], "out_dtype"),
    (lambda x: x.sum(), "1-D|dimensions"),
    (lambda x: 3.0, "1-D|dimensions"),
    (lambda x: np.ones((len(x), 2)), "1-D|dimensions"),
    (lambda x: x.astype(object), "object"),
    (lambda x: x + 1j, "complex"),
]


@pytest.mark.parametrize(("function", "fragment"), FIRST_CALLS)
def test_functions_that_no_dtype_is_learnt_of(frame, function, fragment):
    refuses(TypeError, fragment, lambda: frame.apply(function, "f"))


def test_results_of_functions(frame):
    for function in (lambda x: x[:1], lambda x: np.append(x, 1), lambda x: x.reshape(-1, 1) if len(x) else x):
        for dtype in (None, "f8"):
            refuses(ValueError, "1-D array", lambda: frame.apply(function, "f", out_dtype=dtype).compute())
    other = frame.apply(lambda x: x.astype("f4") if len(x) else x, "f")
    refuses(ValueError, "dtype", other.compute)
    with pytest.raises(TypeError):
        frame.apply(lambda x: x, "f", out_dtype="nonsense")


# ------------------------------------------------------------------------------------------------ reports


def test_reports(frame):
    cut = frame.where("a > 3", "big", weight="f")
    for wrong in ("all", "RAW", "", 1, True):
        refuses(ValueError, "show must be", lambda: cut.report(wrong))
    report = cut.report()
    refuses(KeyError, "no cut labeled", lambda: report["nothing"])
    with pytest.raises(IndexError):
        report[1]
    for name in ("nothing", col("nothing")):
        with pytest.raises(KeyError):
            frame.where("a > 3", weight=name)
    for wrong in ("b", "s", "t", col("a") > 3, frame["b"], frame["a"] > 3):
        refuses(TypeError, "numeric", lambda: frame.where("a > 3", weight=wrong))
    for wrong in (3, 2.5, np.ones(N), [1.0] * N, object()):
        refuses(TypeError, "numeric", lambda: frame.where("a > 3", weight=wrong))
    refuses(TypeError, "must be a string", lambda: frame.where("a > 3", label=3))
