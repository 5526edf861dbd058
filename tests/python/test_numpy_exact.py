"""Expressions against NumPy: every operator and function, every pair of dtypes, special values.

Dtypes and bits must be equal. The one exception is by design: 64-bit integers are compared with floats exactly.
"""

import numpy as np
import pytest
from numpy_cases import (
    BINARY_OPERATORS,
    BINARY_UFUNCS,
    COMPARISONS,
    DTYPES,
    NUMBERS,
    TEXTS,
    TIMES,
    UNARY_OPERATORS,
    UNARY_UFUNCS,
    expected,
    group,
    specials,
)

import colstore


def test_no_function_is_left_out():
    """The functions that the package has for operators and otherwise are among those of the tests."""
    assert len(UNARY_UFUNCS) >= 40 and len(BINARY_UFUNCS) >= 30
    assert {np.sqrt, np.spacing, np.isnat, np.bitwise_count, np.conjugate} <= set(UNARY_UFUNCS)
    assert {np.hypot, np.ldexp, np.gcd, np.heaviside, np.float_power, np.greater_equal} <= set(BINARY_UFUNCS)


@pytest.mark.parametrize("function", [*UNARY_OPERATORS, *UNARY_UFUNCS], ids=lambda f: f.__name__)
def test_unary(operand_frame, operands, mismatches, function):
    for dtype in DTYPES:
        x = operands[f"x {dtype}"]
        mismatches.compare(
            f"{function.__name__}({dtype})",
            lambda: function(operand_frame[f"x {dtype}"]).compute(),
            lambda: function(x),
            [x],
        )


@pytest.mark.parametrize("function", [*BINARY_OPERATORS, *COMPARISONS, *BINARY_UFUNCS], ids=lambda f: f.__name__)
def test_binary(operand_frame, operands, mismatches, function):
    for left in DTYPES:
        for right in DTYPES:
            x, y = operands[f"x {left}"], operands[f"y {right}"]
            mismatches.compare(
                f"{function.__name__}({left}, {right})",
                lambda: function(operand_frame[f"x {left}"], operand_frame[f"y {right}"]).compute(),
                lambda: expected(function, x, y),
                [x, y],
            )


@pytest.mark.parametrize("source", DTYPES)
def test_astype(operand_frame, operands, mismatches, source):
    x = operands[f"x {source}"]
    for target in [*DTYPES, "S", "U", "M8[ms]", "m8[ns]", ">i4", ">f8", ">M8[D]", ">U3"]:
        kinds = {np.dtype(source).kind, np.dtype(target).kind}
        if kinds & set("Mm") and kinds & set("SU"):
            continue  # NumPy may crash at text that is no time
        if source == "M8" and np.dtype(target).kind == "M" and target != "M8":
            continue  # NumPy crashes where it refuses many values
        if np.dtype(source).kind == "f" and np.dtype(target).kind in "iuMm":
            # What no integer of the dtype can be is undefined in C, and so in NumPy.
            limits = np.iinfo(target if np.dtype(target).kind in "iu" else "i8")
            with np.errstate(all="ignore"):
                keep = (np.trunc(x) >= float(limits.min)) & (np.trunc(x) < float(limits.max))
        else:
            keep = slice(None)
        mismatches.compare(
            f"astype({source} -> {target})",
            lambda: operand_frame[f"x {source}"].astype(target).compute()[keep],
            lambda: x[keep].astype(np.dtype(target).newbyteorder("=")),
            [x[keep]],
        )


def rounded(x, decimals):
    values = np.round(x, decimals)
    # Integers become floats where there are decimals.
    return values.astype("f8") if x.dtype.kind in "iu" and decimals > 0 else values


@pytest.mark.parametrize("dtype", NUMBERS)
def test_round(operand_frame, operands, mismatches, dtype):
    x = operands[f"x {dtype}"]
    for decimals in (0, 1, 2, 5, -1, -2):
        mismatches.compare(
            f"round({dtype}, {decimals})",
            lambda: operand_frame[f"x {dtype}"].round(decimals).compute(),
            lambda: rounded(x, decimals),
            [x],
        )


@pytest.mark.parametrize("dtype", DTYPES)
def test_clip(operand_frame, operands, mismatches, dtype):
    x = operands[f"x {dtype}"]
    others = [*NUMBERS, None, 1, 2.5, -1, np.float32(0.5), np.int8(3)] if dtype in NUMBERS else [*TIMES, *TEXTS, None]
    for low in others:
        for high in others:
            if low is None and high is None:
                continue
            ours = [operand_frame[f"y {v}"] if isinstance(v, str) else v for v in (low, high)]
            theirs = [operands[f"y {v}"] if isinstance(v, str) else v for v in (low, high)]
            mismatches.compare(
                f"clip({dtype}, {low!r}, {high!r})",
                lambda: np.clip(operand_frame[f"x {dtype}"], *ours).compute(),
                lambda: np.clip(x, *theirs),
                [x, *(y for y in theirs if y is not None)],
            )
    # Beside values of other kinds, which may be refused.
    for other in DTYPES if dtype in NUMBERS else NUMBERS:
        for place in range(2):
            ours, theirs = [None, None], [None, None]
            ours[place], theirs[place] = operand_frame[f"y {other}"], operands[f"y {other}"]
            mismatches.compare(
                f"clip({dtype}, {other} as number {place})",
                lambda: np.clip(operand_frame[f"x {dtype}"], *ours).compute(),
                lambda: np.clip(x, *theirs),
                [x, operands[f"y {other}"]],
            )


REFUSED = [{"M", "m"}, {"number", "S"}, {"number", "U"}]


@pytest.mark.parametrize("left", DTYPES)
def test_where(operand_frame, operands, mismatches, left):
    flag, x = operands["y b1"], operands[f"x {left}"]
    for right in DTYPES:
        y = operands[f"y {right}"]
        if {left, right} in ({"M8", "M8[Y]"}, {"M8", "M8[M]"}):
            continue  # NumPy has a common dtype, but does not cast to it

        def numpys():
            groups = {group(left), group(right)}
            if groups in REFUSED:
                raise TypeError("NumPy makes text of numbers, and dates of durations")
            # NumPy casts the values that it takes, we all of them.
            return np.where(flag, *((x.astype(str), y.astype(str)) if groups == {"S", "U"} else (x, y)))

        condition, ours, other = (operand_frame[name] for name in ("y b1", f"x {left}", f"y {right}"))
        for name, use in {
            "np.where": lambda: np.where(condition, ours, other),
            "method": lambda: ours.where(condition, other),
        }.items():
            mismatches.compare(f"{name}({left}, {right})", lambda: use().compute(), numpys, [flag, x, y])
    if left in NUMBERS:
        mismatches.compare(
            f"where({left}, nothing)",
            lambda: operand_frame[f"x {left}"].where(operand_frame["y b1"]).compute(),
            lambda: np.where(flag, x, np.nan),
            [flag, x],
        )


@pytest.mark.parametrize("condition", DTYPES)
def test_what_is_true(operand_frame, operands, mismatches, condition):
    truth = operands[f"y {condition}"]
    for left, right in [("i4", "i8"), ("f4", "f4"), ("M8[s]", "M8[D]"), ("S3", "S5"), ("U2", "U4"), ("b1", "b1")]:
        names = (f"y {condition}", f"x {left}", f"x {right}")
        mismatches.compare(
            f"where({condition}, {left}, {right})",
            lambda: np.where(*(operand_frame[name] for name in names)).compute(),
            lambda: np.where(*(operands[name] for name in names)),
            [truth],
        )


def found(values, members):
    """Which of `values` are among `members`, exactly: no two numbers are equal because of rounding."""
    kinds = group(values.dtype), group(members.dtype)
    if kinds == ("S", "U"):
        members = [member.encode() for member in members.tolist()]
    elif kinds[0] != kinds[1]:
        return np.zeros(len(values), bool)
    if kinds[0] in ("M", "m"):
        try:
            return np.logical_or.reduce([values == member for member in members])
        except TypeError:
            return np.zeros(len(values), bool)  # a year has no fixed number of days
    members = {member for member in np.asarray(members).tolist() if member == member}
    return np.array([value in members for value in values.tolist()], bool)


def near(values):
    """Where other units can count the times."""
    if group(values.dtype) not in ("M", "m"):
        return np.ones(len(values), bool)
    return np.abs(values.view("i8").astype("f8")) < 2**31


@pytest.mark.parametrize("dtype", DTYPES)
def test_isin_an_array(operand_frame, operands, mismatches, dtype):
    x = operands[f"x {dtype}"]
    rows = near(x)
    for other in DTYPES:
        members = specials(other)[near(specials(other))]
        for values in (members, list(members)):
            mismatches.compare(
                f"isin({dtype}, {other} as {type(values).__name__})",
                lambda: operand_frame[f"x {dtype}"].isin(values).compute()[rows],
                lambda: found(x, members)[rows],
                [x[rows]],
            )


@pytest.mark.parametrize("dtype", DTYPES)
def test_isin(operand_frame, operands, mismatches, dtype):
    x = operands[f"x {dtype}"]
    rng = np.random.default_rng(3)
    values = specials(dtype)
    sets = [values[:0], values[:1], values[1:4], rng.permutation(values)]
    if np.dtype(dtype).kind in "bi":
        sets += [[-1, 2], [1, 2**40], [0.5, 1.0], np.array([1, 2], "f4"), [True]]
    if np.dtype(dtype).kind == "f":
        sets += [[0.1, 0.5], [1, 2], np.array([1, 3], "i2"), [np.nan]]
    for number, members in enumerate(sets):
        mismatches.compare(
            f"isin({dtype}, set {number}: {list(map(str, members)) if dtype != 'M8' else ''})",
            lambda: operand_frame[f"x {dtype}"].isin(members).compute(),
            lambda: np.isin(x, members),
            [x],
        )


def test_big_endian_columns(tmp_path, operands, mismatches):
    swapped = {name: x.astype(x.dtype.newbyteorder(">")) for name, x in operands.items()}
    with colstore.store(swapped, tmp_path / "swapped.cstore") as reader:
        frame = reader.edit()
        for name, x in swapped.items():
            native = operands[name]
            for function in [*UNARY_OPERATORS, np.sqrt, np.sin, np.isnan, np.isnat, np.sign, np.logical_not]:
                mismatches.compare(
                    f"{function.__name__}({x.dtype.str})",
                    lambda: function(frame[name]).compute(),
                    lambda: function(native),
                    [native],
                )
            for function in [*BINARY_OPERATORS, *COMPARISONS, np.maximum, np.arctan2]:
                mismatches.compare(
                    f"{function.__name__}({x.dtype.str}, {x.dtype.str})",
                    lambda: function(frame[name], frame["y" + name[1:]]).compute(),
                    lambda: expected(function, native, operands["y" + name[1:]]),
                    [native, operands["y" + name[1:]]],
                )
