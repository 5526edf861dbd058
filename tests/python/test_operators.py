"""Operators, ufuncs and NumPy functions on a column view."""

import operator

import numpy as np
import pytest
from conftest import assert_same

import colstore


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(1)
    columns = {
        "i": rng.integers(1, 9, 50),
        "j": rng.integers(1, 9, 50).astype("i4"),
        "f": rng.standard_normal(50),
        "b": rng.random(50) < 0.5,
        "u": np.array(["SR", "CR"] * 25),
        "s": np.array([b"SR", b"C"] * 25),
        "t": np.arange(50).astype("M8[s]"),
    }
    with colstore.testing.write_columns(tmp_path / "x", columns, records=3) as reader:
        yield reader, columns


ARITHMETIC = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "ne", "lt", "le", "gt", "ge"]
BITS = ["and_", "or_", "xor", "lshift", "rshift"]


def view_of(reader, name):
    return reader[10:40, name]


@pytest.mark.parametrize("name", ARITHMETIC + BITS)
def test_binary(table, name):
    reader, columns = table
    function = getattr(operator, name)
    i, j = columns["i"][10:40], columns["j"][10:40]
    view, other = view_of(reader, "i"), view_of(reader, "j")
    assert_same(function(view, other), function(i, j))
    assert_same(function(view, j), function(i, j))
    assert_same(function(j, view), function(j, i))
    assert_same(function(view, 3), function(i, 3))
    assert_same(function(3, view), function(3, i))
    assert_same(function(view, view), function(i, i))
    assert_same(function(view, np.arange(1, 3)[:, None]), function(i, np.arange(1, 3)[:, None]))


def test_the_others(table):
    reader, columns = table
    i, f = columns["i"][10:40], columns["f"][10:40]
    view = view_of(reader, "i")
    for function in (operator.neg, operator.pos, operator.invert, abs):
        assert_same(function(view), function(i))
    for ours, wanted in zip(divmod(view, 4), divmod(i, 4)):
        assert_same(ours, wanted)
    for ours, wanted in zip(divmod(50, view), divmod(50, i)):
        assert_same(ours, wanted)
    assert view @ view == i @ i
    assert np.ones(30) @ view == i.sum()
    assert_same(np.hypot(view, view_of(reader, "f")), np.hypot(i, f))
    assert_same(np.add(view, 1, dtype="f4"), np.add(i, 1, dtype="f4"))
    assert_same(np.modf(view_of(reader, "f"))[1], np.modf(f)[1])
    assert_same(view_of(reader, "t") + np.timedelta64(1, "m"), columns["t"][10:40] + np.timedelta64(1, "m"))
    assert_same(view_of(reader, "u") == "SR", columns["u"][10:40] == "SR")
    assert_same(view_of(reader, "s") == b"SR", columns["s"][10:40] == b"SR")


def test_numpy_functions(table):
    reader, columns = table
    view, i = view_of(reader, "i"), columns["i"][10:40]
    assert np.median(view) == np.median(i)
    assert_same(np.sort(view), np.sort(i))
    assert_same(np.cumsum(view), np.cumsum(i))
    assert_same(np.concatenate([view, view]), np.concatenate([i, i]))
    assert np.count_nonzero(view_of(reader, "b")) == np.count_nonzero(columns["b"][10:40])
    assert_same(np.where(view > 4, view, 0), np.where(i > 4, i, 0))
    assert_same(np.unique(view), np.unique(i))


def test_what_is_refused(table):
    reader, _ = table
    view = view_of(reader, "i")
    for attempt in (
        lambda: np.add(view, 1, out=np.zeros(30)),
        lambda: np.add(np.zeros(30), 1, out=view),
        lambda: operator.iadd(view, 1),
        lambda: operator.iand(view, 1),
        lambda: np.add.reduce(view),
        lambda: np.add.accumulate(view),
        lambda: np.multiply.outer(view, view),
        lambda: np.prod(view),
        lambda: np.any(view),
        lambda: np.all(view),
        lambda: np.ptp(view),
    ):
        with pytest.raises(TypeError):
            attempt()
    with pytest.raises(ValueError):
        view + np.arange(29)
