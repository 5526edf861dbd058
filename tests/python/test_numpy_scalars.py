"""Expressions against NumPy: every operator and function beside constants of every kind, on either side."""

import operator

import numpy as np
import pytest
from numpy_cases import (
    BINARY_OPERATORS,
    BINARY_UFUNCS,
    COMPARING,
    COMPARISONS,
    DTYPES,
    NUMBERS,
    SCALARS,
    expected,
    group,
    plain,
    specials,
)

import colstore


@pytest.fixture(scope="module")
def columns():
    """The special values of every dtype three times over: vectors, and what is left at their ends."""
    longest = 3 * max(len(specials(dtype)) for dtype in DTYPES)
    return {dtype: np.resize(specials(dtype), longest) for dtype in DTYPES}


@pytest.fixture(scope="module")
def frame(columns, tmp_path_factory):
    with colstore.store(columns, tmp_path_factory.mktemp("scalars") / "columns.cstore") as reader:
        yield reader.edit()


def shown(scalar):
    return f"{type(scalar).__name__} {scalar!r}"


LOGICAL = (np.logical_and, np.logical_or, np.logical_xor)


def is_left_out(function, dtype, scalar):
    """Where NumPy's answer is not the one that is wanted, or not the same everywhere."""
    if function in (np.fmin, np.fmax) and not np.any(scalar):
        return True  # of 0.0 and -0.0, NumPy gives either
    if type(scalar) is not int:
        return False
    # Integers that NumPy has no loop for, though the answer is clear.
    if function in LOGICAL:
        return not -(2**63) <= scalar < 2**63
    if function is np.ldexp:
        return not -(2**31) <= scalar < 2**31
    # An error of another kind.
    return group(dtype) in "SU" and function in (operator.mul, np.multiply) and not -(2**63) <= scalar < 2**63


def numpys(function, left, right, dtype, scalar):
    """What NumPy gives; of booleans and integers beyond 64 bits, which it has no loop for, as of other integers."""
    if dtype == "b1" and function in COMPARING and type(scalar) is int and abs(scalar) >= 2**63:
        left, right = (value.view("i1") if isinstance(value, np.ndarray) else value for value in (left, right))
    return expected(function, left, right)


@pytest.mark.parametrize("function", [*BINARY_OPERATORS, *COMPARISONS, *BINARY_UFUNCS], ids=lambda f: f.__name__)
def test_functions(frame, columns, mismatches, function):
    for dtype, x in columns.items():
        for scalar in SCALARS:
            if is_left_out(function, dtype, scalar):
                continue
            value = plain(scalar)
            mismatches.compare(
                f"{function.__name__}({dtype}, {shown(value)})",
                lambda: function(frame[dtype], scalar).compute(),
                lambda: numpys(function, x, value, dtype, scalar),
                [x, value],
            )
            mismatches.compare(
                f"{function.__name__}({shown(value)}, {dtype})",
                lambda: function(scalar, frame[dtype]).compute(),
                lambda: numpys(function, value, x, dtype, scalar),
                [value, x],
            )


@pytest.mark.parametrize("text", ["", "a", "ab", "abcdef", "é", "a b", "\0", "日本"], ids=ascii)
def test_texts(frame, columns, mismatches, text):
    for dtype, x in columns.items():
        for constant in (text, text.encode(), np.str_(text), np.bytes_(text.encode())):
            # A text beside byte strings stands for its bytes.
            value = constant.encode() if dtype[0] == "S" and isinstance(constant, str) else constant
            for function in COMPARING:
                mismatches.compare(
                    f"{function.__name__}({dtype}, {shown(constant)})",
                    lambda: function(frame[dtype], constant).compute(),
                    lambda: expected(function, x, value),
                    [x],
                )
                mismatches.compare(
                    f"{function.__name__}({shown(constant)}, {dtype})",
                    lambda: function(constant, frame[dtype]).compute(),
                    lambda: expected(function, value, x),
                    [x],
                )


def chosen(flag, x, scalar, swapped):
    """`np.where`, but that what no column can be of, or the dtype of the column cannot hold, is refused."""
    groups = {group(x.dtype), group(scalar)}
    if groups == {"M", "m"} or ("number" in groups and groups & {"S", "U"}):
        raise TypeError("NumPy makes text of numbers, and dates of durations")
    if type(scalar) is int and x.dtype.kind in "biumM":
        dtype = np.result_type(x.dtype, scalar) if x.dtype.kind == "b" else x.dtype
        limits = np.iinfo(dtype if dtype.kind in "iu" else "i8")
        if not limits.min <= scalar <= limits.max and x.dtype.kind != "M":
            raise OverflowError("NumPy takes the low bits, or a wider dtype")
    return np.where(flag, scalar, x) if swapped else np.where(flag, x, scalar)


@pytest.mark.parametrize("dtype", DTYPES)
def test_where(frame, columns, mismatches, dtype):
    flag, x = columns["b1"], columns[dtype]
    for scalar in SCALARS:
        value = plain(scalar)
        if dtype == "M8" and getattr(value, "dtype", None) == "M8[M]":
            continue  # NumPy has a common dtype, but does not cast to it
        mismatches.compare(
            f"where(b1, {dtype}, {shown(value)})",
            lambda: np.where(frame["b1"], frame[dtype], scalar).compute(),
            lambda: chosen(flag, x, value, False),
            [flag, x],
        )
        mismatches.compare(
            f"where(b1, {shown(value)}, {dtype})",
            lambda: np.where(frame["b1"], scalar, frame[dtype]).compute(),
            lambda: chosen(flag, x, value, True),
            [flag, x],
        )
        if type(scalar) is not int or -(2**63) <= scalar < 2**64:
            mismatches.compare(
                f"where({shown(value)}, {dtype}, {dtype})",
                lambda: np.where(scalar, frame[dtype], frame[dtype]).compute(),
                lambda: np.where(value, x, x),
                [x],
            )


@pytest.mark.parametrize("dtype", DTYPES)
def test_clip(frame, columns, mismatches, dtype):
    x = columns[dtype]
    for scalar in SCALARS:
        value = plain(scalar)
        limits = {"low": (scalar, None), "high": (None, scalar), "both": (scalar, scalar)}
        for name, ours in limits.items():
            theirs = [None if limit is None else value for limit in ours]
            mismatches.compare(
                f"clip({dtype}, {name}: {shown(value)})",
                lambda: np.clip(frame[dtype], *ours).compute(),
                lambda: np.clip(x, *theirs),
                [x],
            )
        if dtype in NUMBERS:
            # `np.clip` makes an array of the constant first, which has a dtype of its own.
            mismatches.compare(
                f"clip({shown(value)}, {dtype}, {dtype})",
                lambda: np.clip(scalar, frame[dtype], frame[dtype]).compute(),
                lambda: np.minimum(np.maximum(value, x), x),
                [x],
            )
