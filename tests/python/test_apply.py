"""`apply`: Python functions in expressions, called for blocks of rows from any thread."""

import sys
import threading

import numpy as np
import pytest

import colstore
from colstore import col

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


def check(found, expected):
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected, equal_nan=expected.dtype.kind in "fMm")


def test_apply(frame, columns):
    check(frame.apply(lambda x: x * 2, "g").compute(), columns["g"] * 2)
    check((frame.apply(np.add, "f", col("g") + 1) * 2).compute(), (columns["f"] + (columns["g"] + 1)) * 2)
    check(frame.apply(lambda x, y: x > y, frame["f"] + 1, "g").compute(), columns["f"] + 1 > columns["g"])
    check(frame.apply(lambda x: x.astype("f8"), "i", out_dtype="f4").compute(), columns["i"].astype("f4"))
    check(frame.apply(lambda s: np.char.upper(s), "s").compute(), np.char.upper(columns["s"]))
    check(frame.apply(lambda t: t.astype("M8[D]"), "t").compute(), columns["t"].astype("M8[D]"))
    kept = []
    frame.apply(lambda x: kept.append(x) or x, "f").compute()
    check(np.sort(np.concatenate(kept)), np.sort(columns["f"]))  # theirs, for good


def test_what_columns_have_in_common_is_computed_once(frame, columns):
    calls = []
    common = frame.apply(lambda x: calls.append(len(x)) or x + 1, "f", out_dtype="f8")
    edited = frame.assign(once=common * 2, twice=np.sqrt(common * common) + common).where("once > 1")
    edited.select("once", "twice").dict()
    assert sum(calls) <= 2 * N  # for the cut, then for both columns
    calls.clear()
    both = np.tanh(common) + np.tanh(common)
    assert (both.compute() == 2 * np.tanh(columns["f"] + 1)).all() and sum(calls) == N


def test_apply_refuses(frame):
    with pytest.raises(TypeError, match="at least one column"):
        frame.apply(lambda: 1)
    with pytest.raises(KeyError, match="not a column of this frame"):
        frame.apply(lambda x: x, "nothing")
    with pytest.raises(KeyError, match="not a column of this frame"):
        frame.apply(lambda x: x, col("nothing") + 1)
    with pytest.raises(TypeError):
        frame.apply(lambda x, y: x, "f", 3)
    with pytest.raises(TypeError, match="out_dtype"):
        frame.apply(lambda x: x[0], "f")
    for function in (lambda x: 3.0, lambda x: np.ones((2, 2)), lambda x: np.array([None])):
        with pytest.raises(TypeError):
            frame.apply(function, "f")
    with pytest.raises(ValueError, match="1-D array"):
        frame.apply(lambda x: x[:1], "f").compute()
    with pytest.raises(ValueError, match="dtype"):
        frame.apply(lambda x: x.astype("f4") if len(x) else x, "f").compute()
    with pytest.raises(TypeError):
        frame.apply(lambda x: x, "f", out_dtype="nonsense")


def test_exceptions_of_a_function_come_through(frame):
    class Own(Exception):
        pass

    def fail(x):
        if len(x):
            raise Own("mine")
        return x

    expression = frame.apply(fail, "f")
    for use in (expression.compute, lambda: frame.sum(expression), frame.assign(z=expression).dict):
        with pytest.raises(Own, match="mine") as caught:
            use()
    assert any(entry.name == "fail" for entry in caught.traceback)

    def stop(x):
        if len(x):
            raise KeyboardInterrupt
        return x

    with pytest.raises(KeyboardInterrupt):
        frame.apply(stop, "f").compute()


def test_a_function_that_uses_the_frame(frame, columns):
    inner = frame.apply(lambda x: x + frame.mean("f"), "f")
    assert np.allclose(inner.compute(), columns["f"] + columns["f"].mean())


def test_many_threads(frame, columns):
    expected = np.tanh(columns["f"]) * 2
    wrong = []

    def work():
        for _ in range(10):
            if not np.array_equal((np.tanh(frame["f"]) * 2).compute(), expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_references_are_given_back(frame):
    def function(x):
        return x

    before = sys.getrefcount(function)
    for _ in range(10):
        expression = frame.apply(function, "f")
        expression.compute()
    del expression
    assert sys.getrefcount(function) == before
