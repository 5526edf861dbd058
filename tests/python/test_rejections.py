"""What conditions and expressions refuse: every case, its kind of error, and what the message says."""

import math
import warnings

import numpy as np
import pytest

import colstore
from colstore import QueryError, col
from colstore.testing import write_columns

N = 50


@pytest.fixture(scope="module")
def columns():
    return {
        "a": np.arange(N) - 5,
        "f": np.arange(N) / 4,
        "b": np.arange(N) % 2 == 0,
        "s": np.array([b"SR", b"CR"] * (N // 2)),
        "t": np.arange(N).astype("M8[s]"),
        "u": np.arange(N, dtype="u1"),
        "g": np.arange(N, dtype="f4"),
        "d": np.arange(N).astype("m8[s]"),
    }


@pytest.fixture(scope="module", params=["reader", "dataset"])
def ds(request, columns, tmp_path_factory):
    directory = tmp_path_factory.mktemp("rejections")
    for number, rows in enumerate((slice(0, 20), slice(20, N))):
        part = {name: values[rows] for name, values in columns.items()}
        write_columns(directory / f"part_{number}.cstore", part).close()
    if request.param == "reader":
        opened = write_columns(directory / "whole.cstore", columns, records=3)
    else:
        opened = colstore.open(f"{directory}/part_*.cstore")
    with opened:
        yield opened


@pytest.fixture
def frame(ds):
    return ds.edit()


def ids(cases):
    return [f"{number}-{case[-1] or case[-2].__name__}" for number, case in enumerate(cases)]


# ------------------------------------------------------------------------------------------------ conditions as text


TEXTS = [
    *((text, "could not parse") for text in ("a >", "", " ", "import os", "x = a > 1", "(x := a) > 1", "a := 3")),
    *((text, "could not parse") for text in ("a > 3; b", "a > 3 b", "a > 3\nb", "a > 3)", "a > (3", "a = 3")),
    *((text, "could not parse") for text in ("a > 0777", "a >", "not", "a not 3", "'a")),
    *((text, "unknown name") for text in ("zz > 3", "len", "print", "abs > a", "inf > a", "a == nan", "__builtins__")),
    *((text, "unsupported expression element") for text in ("abs(a) > 3", "a.real > 3", "a[0] > 3", "lambda: b")),
    *((text, "unsupported expression element") for text in ("b if b else b", "{1, 2}", "a in {1, 2}", "{1: 2}")),
    *((text, "unsupported expression element") for text in ("f'{a}' == a", "[x for x in b]", "(yield)")),
    *((text, "unsupported comparison") for text in ("a is None", "a is not None", "b is True", "a is a")),
    *((text, "unsupported operator") for text in ("a << 1 > 2", "a >> 1 > 2", "a @ a > 2")),
    *((text, "undefined parameter") for text in ("a > @x", "a in @x", "@x")),
    *((text, "boolean condition") for text in ("a + 1", "~a", "a", "f", "s", "t", "-f")),
    *((text, "at least one column") for text in ("True", "3 > 2", "[a]", "a>3,", "'x' == 'x'")),
    *((text, "left side") for text in ("1 in [1]", "1 + 1 in [2]", "'x' in ['x']")),
    *((text, "in") for text in ("3 in a", "a in [f]", "a in f", "a in [1 + 1]", "a in [a + 1]", "a in [[1]]")),
]


@pytest.mark.parametrize(("text", "fragment"), TEXTS)
def test_texts(ds, frame, text, fragment):
    for use in (ds.query, frame.where):
        with pytest.raises(QueryError, match=fragment):
            use(text)


def test_signs_in_lists_are_accepted(ds, columns):
    assert ds.query("a in [-1, +2]").count() == np.isin(columns["a"], [-1, 2]).sum()


#: What there is no operation for; the errors are of both kinds.
MISFITS = ["a == 'x'", "t > '2020'", "a > 3 & f < 9", "b - b", "-b", "s == 1", "a < None", "a == 1j", "not t", "s < 1"]


@pytest.mark.parametrize("text", MISFITS)
def test_operations_that_there_are_not(ds, frame, text):
    for use in (lambda: ds.query(text).count(), lambda: frame.where(text).count()):
        with pytest.raises(TypeError) as caught:
            use()
        assert isinstance(caught.value, QueryError)


def test_arguments_of_queries(ds, columns):
    for text in ("a > @x", "@x + 1 > a"):
        with pytest.raises(TypeError, match="raw array"):
            ds.query(text, params={"x": np.arange(3)})
    with pytest.raises(OverflowError, match="out of bounds"):
        ds.query("u + 300 > 1").count()
    with pytest.raises(ValueError, match="negative integer powers"):
        ds.query("a ** -1 > 1").count()
    with pytest.raises(KeyError, match="nothing"):
        ds.query("a > 3", columns=["f", "nothing"])
    with pytest.raises(KeyError):
        ds.where("a > 3")
    assert ds.where(columns["b"]).count() == columns["b"].sum()
    with pytest.raises(TypeError):
        ds.query(None)


# ------------------------------------------------------------------------------------------------ col()


def test_names_of_col():
    for wrong in (1, None, b"a", ["a"], 1.5):
        with pytest.raises(TypeError, match="must be a string"):
            col(wrong)


ELEMENTWISE = [
    (lambda e: np.add.reduce(e), "reduction or accumulation"),
    (lambda e: np.add.accumulate(e), "reduction or accumulation"),
    (lambda e: np.add.outer(e, e), "reduction or accumulation"),
    (lambda e: np.add.at(e, 0, 1), "reduction or accumulation"),
    (lambda e: np.add.reduceat(e, [0]), "reduction or accumulation"),
    (lambda e: np.modf(e), "multiple outputs"),
    (lambda e: np.frexp(e), "multiple outputs"),
    (lambda e: np.divmod(e, 2), "multiple outputs"),
    (lambda e: np.matmul(e, e), "generalized ufunc"),
    (lambda e: np.add(e, 1, out=np.zeros(N)), "out="),
    (lambda e: np.clip(e, 0, 1, out=np.zeros(N)), "out="),
    (lambda e: np.add(e, 1, dtype="f4"), "dtype="),
    (lambda e: np.add(e, 1, where=True), "where="),
    (lambda e: np.add(e, 1, casting="unsafe"), "casting="),
    (lambda e: np.where(e), "requires both branches"),
    (lambda e: np.where(e, 1), "requires both branches"),
    (lambda e: np.round(e), "not supported in a column expression"),
    (lambda e: np.isin(e, [1]), "not supported in a column expression"),
    (lambda e: np.nan_to_num(e), "not supported in a column expression"),
    (lambda e: np.cumsum(e), "not supported in a column expression"),
    (lambda e: np.concatenate([e, e]), "not supported in a column expression"),
    (lambda e: np.median(e), "not supported in a column expression"),
]


@pytest.mark.parametrize(("use", "fragment"), ELEMENTWISE, ids=ids(ELEMENTWISE))
def test_functions_that_are_not_elementwise(frame, use, fragment):
    for expression in (col("f"), col("f") + 1, frame["f"], frame["f"] + 1):
        with pytest.raises(TypeError, match=fragment):
            use(expression)


@pytest.mark.parametrize("function", [np.sum, np.mean, np.min, np.max, np.std, np.var, np.prod, np.any, np.all])
def test_reductions_by_numpy(frame, function):
    with pytest.raises(TypeError, match="not supported in a column expression"):
        function(col("f"))
    with pytest.raises(TypeError, match="reduces over rows"):
        function(frame["f"] + 1)


TRUTHS = [
    lambda e: bool(e),
    lambda e: e and e,
    lambda e: e or e,
    lambda e: not e,
    lambda e: 0 < e < 3,
]


@pytest.mark.parametrize("use", TRUTHS)
def test_there_is_no_truth(frame, use):
    with pytest.raises(QueryError, match="no truth value"):
        use(col("a"))
    for expression in (frame["a"], frame["a"] > 3):
        with pytest.raises(TypeError, match="truth value"):
            use(expression)


def test_a_list_does_not_hold_an_expression(frame):
    with pytest.raises(QueryError, match="no truth value"):
        col("a") in [1, 2]  # noqa: B015
    with pytest.raises(TypeError, match="truth value"):
        frame["a"] in [1, 2]  # noqa: B015


ARRAYS = [
    lambda e, array: e + array,
    lambda e, array: array + e,
    lambda e, array: e > array,
    lambda e, array: array == e,
    lambda e, array: np.hypot(e, array),
    lambda e, array: np.hypot(array, e),
    lambda e, array: np.where(e, array, 0),
    lambda e, array: np.clip(e, array, None),
]


@pytest.mark.parametrize("use", ARRAYS)
@pytest.mark.parametrize("array", [np.arange(N), np.ones((2, 2)), np.ones(1)], ids=["rows", "matrix", "one"])
def test_arrays_beside_expressions(frame, use, array):
    with pytest.raises(TypeError, match="raw array"):
        use(col("f"), array)
    with pytest.raises(TypeError, match="raw ndarray"):
        use(frame["f"], array)


NOT_PROVIDED = [
    *(lambda e: e << 1, lambda e: e >> 1, lambda e: 1 << e, lambda e: e @ e, lambda e: divmod(e, 2)),
    *(round, math.floor, lambda e: e[0], len, iter, hash, float, int),
]


@pytest.mark.parametrize("use", NOT_PROVIDED)
def test_what_expressions_do_not_do(frame, use):
    for expression in (col("f"), col("f") + 1, frame["f"], frame["f"] + 1):
        with pytest.raises(TypeError):
            use(expression)


def test_attributes_that_expressions_do_not_have(frame):
    for name in ("astype", "where", "round", "clip", "sum", "mean", "name", "compute", "array", "dtype"):
        assert not hasattr(col("f"), name), name
    for name in ("dtype", "name", "shape"):
        assert not hasattr(frame["f"], name), name
    for name in ("array", "sum", "mean", "min", "max", "std", "var", "count"):
        assert hasattr(frame["f"], name) and not hasattr(frame["f"] + 1, name), name


def test_using_expressions(ds, frame):
    for use in (lambda e: ds[e], ds.where, ds.query, frame.where, lambda e: ds["f"][e], lambda e: ds[3:9][e]):
        with pytest.raises(QueryError, match="unknown column"):
            use(col("nothing") > 3)
        with pytest.raises(QueryError, match="boolean condition"):
            use(col("a") + 1)
    for use in (lambda e: frame.assign(x=e), lambda e: frame.__setitem__("x", e), lambda e: frame.apply(np.sin, e)):
        with pytest.raises(KeyError, match="not a column of this frame"):
            use(col("nothing") * 2)


# ------------------------------------------------------------------------------------------------ expressions of frames


OPERANDS = ["x", b"x", None, object(), 1j, np.complex128(1), {1}, np.str_("x"), slice(3)]


@pytest.mark.parametrize("wrong", OPERANDS, ids=lambda value: type(value).__name__)
def test_operands(frame, wrong):
    for use in (lambda: frame["f"] + wrong, lambda: wrong * frame["f"], lambda: np.hypot(frame["f"], wrong)):
        with pytest.raises(TypeError, match="unsupported operand"):
            use()


def test_operands_with_rows_of_their_own(ds, frame):
    for use in (lambda: frame["f"] + [1, 2], lambda: [1, 2] + frame["f"], lambda: frame["f"] + ds["f"]):
        with pytest.raises(TypeError, match=r"raw ndarray|unsupported operand"):
            use()


def test_col_after_a_column_of_a_frame(frame, columns):
    for use in (
        lambda: frame["f"] + col("f"),
        lambda: frame["f"] < col("f"),
        lambda: np.add(frame["f"], col("f")),
        lambda: np.where(frame["b"], col("f"), 1),
        lambda: np.clip(frame["f"], col("f"), None),
    ):
        with pytest.raises(TypeError, match="entirely with col"):
            use()
    assert np.array_equal(frame.assign(x=col("f") + frame["a"]).array("x"), columns["f"] + columns["a"])


def test_arrays_of_expressions(frame, columns):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(np.asarray(frame["f"]), columns["f"])
        assert np.asarray(frame["f"], dtype="f4").dtype == "f4"
        with pytest.raises(ValueError, match="without copying"):
            np.array(frame["f"], copy=False)
        with pytest.raises(ValueError, match="without copying"):
            np.array(frame, copy=False)
        for expression in (frame["f"] + 1, col("f")):
            with pytest.raises(TypeError, match="cannot be converted to an array"):
                np.asarray(expression)


def test_methods_of_expressions(frame):
    for wrong in ("nonsense", "O", "c16"):
        with pytest.raises(TypeError):
            frame["f"].astype(wrong)
    for constant in (frame.assign(k=5)["k"], frame.assign(k=5)["k"] + 1):
        with pytest.raises(ValueError, match="all-constant"):
            constant.compute()


#: Of which dtype an expression is, or which error computing it gives.
RESULTS = [
    (lambda f: f["a"] / f["a"], "f8"),
    (lambda f: f["g"] * 2, "f4"),
    (lambda f: f["g"] * 2.5, "f4"),
    (lambda f: f["g"] * np.float64(2), "f8"),
    (lambda f: f["g"] + np.int64(1), "f8"),
    (lambda f: f["u"] + 1, "u1"),
    (lambda f: f["u"] + 300, OverflowError),
    (lambda f: f["u"] + f["a"], "i8"),
    (lambda f: f["b"] + f["b"], "?"),
    (lambda f: f["b"] * 2, "i8"),
    (lambda f: f["b"] - f["b"], TypeError),
    (lambda f: -f["b"], TypeError),
    (lambda f: f["b"] & f["a"], "i8"),
    (lambda f: f["a"] | f["f"], TypeError),
    (lambda f: f["a"] // f["f"], "f8"),
    (lambda f: f["a"] ** -1, ValueError),
    (lambda f: np.sqrt(f["u"]), "f2"),
    (lambda f: np.log(f["b"]), "f2"),
    (lambda f: np.floor(f["a"]), "i8"),
    (lambda f: f["t"] - f["t"], "m8[s]"),
    (lambda f: f["t"] - np.datetime64(0, "ms"), "m8[ms]"),
    (lambda f: f["t"] + f["d"], "M8[s]"),
    (lambda f: f["d"] / f["d"], "f8"),
    (lambda f: f["s"] + f["s"], "S4"),
    (lambda f: f["a"] + f["s"], TypeError),
    (lambda f: f["a"] > 3, "?"),
    (lambda f: f["a"].isin([1]), "?"),
    (lambda f: np.logical_and(f["a"], f["f"]), "?"),
    (lambda f: np.isnan(f["f"]), "?"),
    (lambda f: f["a"].where(f["b"]), "f8"),
    (lambda f: f["g"].where(f["b"]), "f4"),
    (lambda f: np.where(f["b"], f["g"], 1), "f4"),
    (lambda f: np.where(f["b"], 1, 0), "i8"),
]


@pytest.mark.parametrize(("make", "result"), RESULTS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_dtypes_of_results(frame, make, result):
    if isinstance(result, str):
        assert make(frame).compute().dtype == result
        return
    with pytest.raises(result):
        make(frame).compute()
