"""Building expressions: what may stand beside what, which of NumPy's functions make nodes, and which are refused."""

import datetime
import operator

import numpy as np
import pytest

import colstore
from colstore import QueryError, col

N = 20_000


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(5)
    return {
        "i": rng.integers(-9, 9, N),
        "u": rng.integers(0, 255, N).astype("u1"),
        "f": rng.normal(size=N),
        "g": rng.normal(size=N).astype("f4"),
        "b": rng.random(N) < 0.5,
        "s": rng.choice([b"a", b"bb", b"c"], N),
        "t": rng.integers(0, 10**6, N).astype("M8[s]"),
        "d": rng.integers(0, 10**6, N).astype("m8[s]"),
    }


@pytest.fixture(scope="module")
def frame(columns, tmp_path_factory):
    with colstore.store(columns, tmp_path_factory.mktemp("expressions") / "t.cstore") as reader:
        yield reader.edit()


def value(frame, expression):
    """The values of a `col()` expression."""
    return frame.assign(result=expression).array("result")


def check(found, expected):
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected, equal_nan=expected.dtype.kind in "fMm")


# ------------------------------------------------------------------------------------------------ both kinds


OPERATORS = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
]


@pytest.mark.parametrize("function", OPERATORS, ids=lambda f: f.__name__)
def test_operators_and_their_reflections(frame, columns, function):
    x, y = columns["f"], columns["g"]
    for scalar in (2, 2.5, np.float32(0.1), np.int16(3), np.array(1.5), True):
        plain = scalar[()] if isinstance(scalar, np.ndarray) else scalar
        check(function(frame["g"], scalar).compute(), function(y, plain))
        check(function(scalar, frame["g"]).compute(), function(plain, y))
        check(value(frame, function(col("g"), scalar)), function(y, plain))
        check(value(frame, function(scalar, col("g"))), function(plain, y))
    check(function(frame["f"], frame["g"]).compute(), function(x, y))
    check(value(frame, function(col("f"), col("g"))), function(x, y))
    check(value(frame, function(col("f"), frame["g"])), function(x, y))


def test_unary_operators(frame, columns):
    for function in (operator.neg, operator.pos, abs):
        check(function(frame["f"]).compute(), function(columns["f"]))
        check(value(frame, function(col("f"))), function(columns["f"]))
    check((~frame["b"]).compute(), ~columns["b"])
    check(value(frame, ~col("i")), ~columns["i"])
    check((frame["i"] & 3 | frame["i"] ^ 1).compute(), columns["i"] & 3 | columns["i"] ^ 1)
    check((5 & frame["i"]).compute(), 5 & columns["i"])


def test_powers_have_numpys_short_cuts(frame, columns):
    for name in ("f", "g", "i", "b"):
        for exponent in (2, 2.0, 1, 0, 3, 0.5, -1.0, np.float64(2)):
            with np.errstate(all="ignore"):
                check((frame[name] ** exponent).compute(), columns[name] ** exponent)
    check((2 ** frame["g"]).compute(), 2 ** columns["g"])


def test_weak_and_strong_scalars(frame):
    def dtype(expression):
        with np.errstate(all="ignore"):
            return str(expression.compute().dtype)

    assert dtype(frame["g"] * 2) == dtype(frame["g"] * 2.5) == "float32"
    assert dtype(frame["g"] * np.float64(2)) == dtype(frame["g"] + np.int64(1)) == "float64"
    assert dtype(frame["u"] + 1) == "uint8"
    assert dtype(frame["b"] * 2) == "int64" and dtype(frame["b"] + frame["b"]) == "bool"
    assert dtype(np.sqrt(frame["u"])) == dtype(np.log(frame["b"])) == "float16"
    assert dtype(frame["t"] - frame["t"]) == "timedelta64[s]" and dtype(frame["d"] / frame["d"]) == "float64"
    assert dtype(np.where(frame["b"], frame["g"], 1)) == "float32" and dtype(np.where(frame["b"], 1, 0)) == "int64"
    with pytest.raises(OverflowError):
        (frame["u"] + 300).compute()
    for wrong in (lambda: frame["b"] - frame["b"], lambda: frame["i"] | frame["f"], lambda: frame["i"] + frame["s"]):
        with pytest.raises(TypeError):
            wrong().compute()
    with pytest.raises(ValueError):
        (frame["i"] ** -1).compute()


def test_times(frame, columns):
    second = datetime.timedelta(seconds=90)
    check((frame["t"] + second).compute(), columns["t"] + np.timedelta64(second))
    check((frame["t"] > datetime.datetime(1970, 1, 5)).compute(), columns["t"] > np.datetime64("1970-01-05"))
    check((frame["t"] + np.timedelta64(1, "ms")).compute(), columns["t"] + np.timedelta64(1, "ms"))


def test_membership(frame, columns):
    for values in (
        [1, -2],
        (1, -2),
        {1, -2},
        frozenset({1, -2}),
        np.array([1, -2]),
        range(-2, 2, 3),
        np.array([1.0, -2.0]),
    ):
        check(frame["i"].isin(values).compute(), np.isin(columns["i"], [1, -2]))
        check(value(frame, col("i").isin(values)), np.isin(columns["i"], [1, -2]))
    check(frame["i"].isin(3).compute(), columns["i"] == 3)
    check(frame["i"].isin([]).compute(), np.zeros(N, bool))
    check(frame["i"].isin(list(range(-3, 200))).compute(), columns["i"] >= -3)
    check(frame["s"].isin(["a", "zz"]).compute(), columns["s"] == b"a")
    check(frame["s"].isin([f"x{i}" for i in range(50)] + ["bb"]).compute(), columns["s"] == b"bb")
    check(
        frame["g"].isin([0.1, float(columns["g"][7])]).compute(), np.isin(columns["g"], [0.1, float(columns["g"][7])])
    )
    check(frame["t"].isin(columns["t"][:5]).compute(), np.isin(columns["t"], columns["t"][:5]))
    with pytest.raises(TypeError):
        frame["i"].isin([object()])


def test_text_beside_byte_strings(frame, columns):
    check((frame["s"] == "bb").compute(), columns["s"] == b"bb")
    check((frame["s"] < "bb").compute(), columns["s"] < b"bb")
    check((frame["s"] != b"bb").compute(), columns["s"] != b"bb")
    check(value(frame, col("s") == "bb"), columns["s"] == b"bb")


FUNCTIONS = [
    *(np.log, np.sqrt, np.sin, np.exp, np.tanh, np.floor, np.isnan, np.sign, np.square, np.absolute, np.logical_not),
    *(np.cbrt, np.rint, np.negative, np.log1p, np.deg2rad, np.spacing),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_unary_functions(frame, columns, function):
    with np.errstate(all="ignore"):
        for name in ("f", "g", "i", "u", "b"):
            try:
                expected = function(columns[name])
            except TypeError:
                continue
            check(function(frame[name]).compute(), expected)
            check(value(frame, function(col(name))), expected)


def test_binary_functions(frame, columns):
    for function in (
        np.hypot,
        np.arctan2,
        np.maximum,
        np.logaddexp,
        np.copysign,
        np.fmod,
        np.logical_and,
        np.heaviside,
    ):
        check(function(frame["f"], frame["g"]).compute(), function(columns["f"], columns["g"]))
        check(function(frame["g"], 0.25).compute(), function(columns["g"], 0.25))
        check(value(frame, function(2, col("g"))), function(2, columns["g"]))


def test_functions_that_the_engine_does_not_have(frame, columns):
    plus_one = np.frompyfunc(lambda x: x + 1, 1, 1)
    with pytest.raises(TypeError, match="object"):
        plus_one(frame["i"]).compute()
    check(np.float_power(frame["g"], 2).compute(), np.float_power(columns["g"], 2))
    check(np.conjugate(frame["f"]).compute(), np.conjugate(columns["f"]))


def test_where_and_clip(frame, columns):
    b, f, g = columns["b"], columns["f"], columns["g"]
    check(np.where(frame["b"], frame["f"], 0).compute(), np.where(b, f, 0))
    check(np.where(frame["f"] > 0, 1.5, frame["g"]).compute(), np.where(f > 0, 1.5, g))
    check(value(frame, np.where(col("b"), col("f"), col("g"))), np.where(b, f, g))
    check(np.clip(frame["f"], -0.5, 0.5).compute(), np.clip(f, -0.5, 0.5))
    check(np.clip(frame["g"], None, 0.5).compute(), np.clip(g, None, 0.5))
    check(np.clip(frame["g"], min=0.5).compute(), np.clip(g, 0.5, None))
    check(np.clip(frame["g"], max=0.5).compute(), np.clip(g, None, 0.5))
    check(value(frame, np.clip(col("f"), 0, col("g"))), np.clip(f, 0, g))
    check(frame["f"].clip(0).compute(), np.clip(f, 0, None))
    check(frame["f"].clip(high=frame["g"]).compute(), np.clip(f, None, g))
    expression = frame["f"] + 1
    assert expression.clip() is expression
    check(frame["i"].where(frame["b"]).compute(), np.where(b, columns["i"], np.nan))
    check(frame["g"].where(frame["b"]).compute(), np.where(b, g, np.float32(np.nan)))
    check(frame["i"].where(frame["b"], -1).compute(), np.where(b, columns["i"], -1))


def test_methods(frame, columns):
    check(frame["f"].astype("f4").compute(), columns["f"].astype("f4"))
    check((frame["i"] + 1).astype("u2").compute(), (columns["i"] + 1).astype("u2"))
    check(frame["i"].astype("S").compute(), columns["i"].astype("S"))
    check(frame["s"].astype("U").compute(), columns["s"].astype("U"))
    check(frame["t"].astype("M8[ms]").compute(), columns["t"].astype("M8[ms]"))
    check(frame["i"].astype("S3").astype("i4").compute(), columns["i"].astype("i4"))
    check(frame["f"].round(2).compute(), columns["f"].round(2))
    check((frame["f"] * 100).round(-1).compute(), (columns["f"] * 100).round(-1))
    for wrong in ("nonsense", "O", "c16"):
        with pytest.raises(TypeError):
            frame["f"].astype(wrong)


def test_values_of_an_expression_are_not_kept(frame):
    expression = frame["f"] + 1
    first = expression.compute()
    first[:] = 0
    assert expression.compute().any()
    assert first.flags.owndata and first.flags.writeable


def test_deep_and_wide_expressions(frame, columns):
    deep = frame["f"]
    for _ in range(5000):
        deep = deep + 1
    assert np.allclose(deep.compute(), columns["f"] + 5000)
    deep = col("f")
    for _ in range(3000):
        deep = np.exp(-abs(deep)) if _ % 1000 == 0 else deep + 0.5
    assert len(value(frame, deep)) == N
    shared = frame["f"]
    for _ in range(60):  # 2**60 nodes if parts were not shared
        shared = (shared + shared) / 2
    check(shared.compute(), columns["f"])


def test_what_they_look_like(frame):
    expression = np.hypot(col("f"), 2) + abs(-col("g")) > np.where(col("b"), 1, col("i").isin([1]))
    assert repr(expression) == (
        "<ColumnExpression: ((hypot(col('f'), 2) + abs(-col('g'))) > where(col('b'), 1, isin(col('i'))))>"
    )
    assert repr(frame["f"] + 1) == "<FrameExpression: (col('f') + 1)>"
    assert len(repr(frame["f"])) < 300
    deep = col("f")
    for _ in range(5000):
        deep = deep + deep
    assert "..." in repr(deep)


# ------------------------------------------------------------------------------------------------ col()


def test_col_takes_a_name():
    for wrong in (1, None, b"a", ["a"]):
        with pytest.raises(TypeError, match="must be a string"):
            col(wrong)


def test_truth_of_col():
    c = col("a")
    for use in (
        lambda: bool(c),
        lambda: c and c,
        lambda: c or c,
        lambda: not c,
        lambda: 0 < c < 3,
        lambda: c in [1, 2],
    ):
        with pytest.raises(QueryError, match="no truth value"):
            use()


@pytest.mark.parametrize("array", [np.arange(3), [1, 2], np.ones((2, 2))], ids=["array", "list", "matrix"])
def test_arrays_beside_col(array):
    for use in (
        lambda: col("a") + array,
        lambda: array + col("a"),
        lambda: col("a") > array,
        lambda: np.hypot(array, col("a")),
    ):
        with pytest.raises(TypeError, match="raw array"):
            use()


REFUSED = [
    (lambda e: np.add.reduce(e), "reduction or accumulation"),
    (lambda e: np.add.accumulate(e), "reduction or accumulation"),
    (lambda e: np.add.outer(e, e), "reduction or accumulation"),
    (lambda e: np.multiply.at(e, 0, e), "reduction or accumulation"),
    (lambda e: np.matmul(e, e), "generalized ufunc"),
    (lambda e: np.modf(e), "multiple outputs"),
    (lambda e: np.divmod(e, 2), "multiple outputs"),
    (lambda e: np.add(e, 1, out=np.zeros(3)), "out="),
    (lambda e: np.add(e, 1, dtype="f4"), "dtype="),
    (lambda e: np.add(e, 1, where=True), "where="),
    (lambda e: np.add(e, 1, casting="unsafe"), "casting="),
    (lambda e: np.where(e), "requires both branches"),
    (lambda e: np.cumsum(e), "not supported in a column expression"),
    (lambda e: np.round(e), "not supported in a column expression"),
    (lambda e: np.isin(e, [1]), "not supported in a column expression"),
    (lambda e: np.concatenate([e, e]), "not supported in a column expression"),
    (lambda e: np.median(e), "not supported in a column expression"),
    (lambda e: np.asarray(e), "cannot be converted to an array"),
]


@pytest.mark.parametrize(("use", "fragment"), REFUSED)
def test_refused(frame, use, fragment):
    for expression in (col("f"), col("f") + 1, frame["f"] + 1):
        with pytest.raises(TypeError, match=fragment):
            use(expression)


def test_what_col_has_not(frame):
    with pytest.raises(TypeError, match="not supported in a column expression"):
        np.sum(col("f"))
    for use in (len, iter, hash, float, lambda c: c[0], lambda c: c << 1, lambda c: c @ c, lambda c: divmod(c, 2)):
        for expression in (col("f"), frame["f"], frame["f"] + 1):
            with pytest.raises(TypeError):
                use(expression)
    for wrong in (object(), 1j, ..., slice(None)):
        with pytest.raises(TypeError):
            col("f") + wrong


# ------------------------------------------------------------------------------------------------ frame columns


def test_operands_of_frame_expressions(frame):
    for use in (
        lambda: frame["f"] + np.arange(3),
        lambda: np.arange(3) + frame["f"],
        lambda: np.hypot(frame["f"], [1.0]),
    ):
        with pytest.raises(TypeError, match="raw ndarray"):
            use()
    for use in (
        lambda: frame["f"] + col("f"),
        lambda: frame["f"] < col("f"),
        lambda: np.add(frame["f"], col("f")),
        lambda: np.where(frame["b"], col("f"), 1),
    ):
        with pytest.raises(TypeError, match="entirely with col"):
            use()
    for wrong in ("x", b"x", None, object(), 1j):
        with pytest.raises(TypeError, match="unsupported operand"):
            frame["f"] + wrong
    with pytest.raises(TypeError):
        frame["f"] + [1, 2]


def test_truth_of_frame_expressions(frame):
    for use in (lambda: bool(frame["f"]), lambda: not (frame["f"] > 0), lambda: 0 < frame["f"] < 1):
        with pytest.raises(TypeError, match="truth value"):
            use()


def test_reductions_of_expressions(frame, columns):
    for function in (np.sum, np.mean, np.min, np.max, np.std, np.var):
        with pytest.raises(TypeError, match="reduces over rows"):
            function(frame["f"] + 1)
        assert function(frame["f"]) == pytest.approx(function(columns["f"]))
    assert frame.sum(frame["i"] * 2) == columns["i"].sum() * 2
    assert frame.max(col("i") + 1) == columns["i"].max() + 1


# ------------------------------------------------------------------------------------------------ conditions of numbers


def test_warnings_are_numpys(frame):
    zero = frame["i"] * 0
    with pytest.warns(RuntimeWarning, match="divide by zero") as caught:
        assert not (frame["i"] // zero).compute().any()
    assert caught[0].filename == __file__
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        (1 / (frame["f"] * 0)).compute()
    with pytest.warns(RuntimeWarning, match="invalid value"):
        np.log(frame["f"]).compute()
    with np.errstate(all="ignore"):
        (frame["i"] // zero).compute()
        np.log(frame["f"]).compute()
    with np.errstate(all="raise"):
        with pytest.raises(FloatingPointError, match="divide by zero"):
            (frame["i"] // zero).compute()
        with pytest.raises(FloatingPointError, match="invalid"):
            np.log(frame["f"]).compute()
    met = []
    with np.errstate(divide="call"):
        before = np.seterrcall(lambda kind, flag: met.append((kind, flag)))
        try:
            (frame["i"] // zero).compute()
        finally:
            np.seterrcall(before)
    assert met == [("divide by zero", 1)]
