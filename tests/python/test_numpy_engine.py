"""The library's own functions against NumPy, also those for which the package goes through NumPy.

Those that the library calls exact must be equal to the bit. Others are within one unit in the last place of NumPy's
result, or of the true one where NumPy's is further from it.
"""

import numpy as np
import pytest
from numpy_cases import BINARY_UFUNCS, DTYPES, UNARY_UFUNCS, difference, expected, outcome, same

import colstore
from colstore._native.expr import is_exact
from colstore.expressions.nodes import Engine

#: What the library has no function for.
MISSING = {"bitwise_count", "conjugate"}
KNOWN = [function for function in [*UNARY_UFUNCS, *BINARY_UFUNCS] if function.__name__ not in MISSING]
WIDER = {"f2": np.float64, "f4": np.float64, "f8": np.longdouble}


def in_library(function, *operands):
    """The function computed by the library, whatever the package would do."""
    return operands[0]._combine(Engine(function.__name__, function.__name__, takes_text=True), *operands)


def order(values):
    """Floats as integers, of which neighbours differ by one; both zeros are one."""
    bits = values.view(f"i{values.itemsize}")
    # Python's integers, as distances may be larger than any of 64 bits.
    return np.where(bits < 0, np.iinfo(bits.dtype).min - bits, bits).astype(object if values.itemsize == 8 else "i8")


def is_close(found, wanted):
    """Where results are one unit in the last place apart at most; NaN is next to NaN alone."""
    missing = np.isnan(found) & np.isnan(wanted)
    close = np.asarray(np.abs(order(found) - order(wanted)) <= 1, bool)
    return missing | close & (np.isnan(found) == np.isnan(wanted))


def true_value(function, operands, dtype):
    """The result as a wider float has it, rounded once."""
    wider = WIDER[dtype.str[1:]]
    with np.errstate(all="ignore"):
        return function(*(operand.astype(dtype).astype(wider) for operand in operands)).astype(dtype)


def compare(mismatches, what, function, frame, operands, names):
    ours = outcome(lambda: in_library(function, *(frame[name] for name in names)).compute())
    numpys = outcome(lambda: expected(function, *operands) if len(operands) == 2 else function(*operands))
    if same(ours, numpys):
        return
    is_float = isinstance(ours, np.ndarray) and isinstance(numpys, np.ndarray) and ours.dtype == numpys.dtype
    if not is_float or ours.dtype.kind != "f" or is_exact(function.__name__.encode(), "<f8"):
        mismatches.found.append(f"{what}: {difference(numpys, ours)[0]} (in place of NumPy's)")
        return
    far = ~is_close(ours, numpys)
    if far.any():
        far[far] = ~is_close(ours, true_value(function, operands, ours.dtype))[far]
    for row in np.flatnonzero(far)[:3]:
        values = ", ".join(repr(operand[row]) for operand in operands)
        mismatches.found.append(f"{what}: expected {numpys[row]!r}, found {ours[row]!r} for {values}")


@pytest.mark.parametrize("function", KNOWN, ids=lambda f: f.__name__)
def test_special_values(operand_frame, operands, mismatches, function):
    for left in DTYPES:
        for right in DTYPES if function.nin == 2 else [None]:
            names = [f"x {left}", f"y {right}"][: function.nin]
            what = f"{function.__name__}({left}, {right})"
            compare(mismatches, what, function, operand_frame, [operands[name] for name in names], names)


@pytest.fixture(scope="module")
def columns():
    """Every float16 there is, float32 and float64 of any size, and moderate ones."""
    rng = np.random.default_rng(7)
    n = 2**16
    columns = {"x f2": np.arange(n, dtype="u2").view("f2")}
    columns["x f4"] = rng.integers(0, 2**32, n, dtype="u4").view("f4")
    columns["x f8"] = rng.integers(0, 2**64, n, dtype="u8").view("f8")
    columns["y f2"] = rng.permutation(columns["x f2"])
    for dtype in ("f4", "f8"):
        columns[f"y {dtype}"] = rng.normal(0, 10, n).astype(dtype)
        columns[f"z {dtype}"] = rng.normal(0, 1, n).astype(dtype)
    return columns


@pytest.mark.parametrize("function", KNOWN, ids=lambda f: f.__name__)
def test_many_floats(columns, tmp_path, mismatches, function):
    pairs = [("x f2", "y f2"), ("x f4", "y f4"), ("y f4", "z f4"), ("z f4", "x f4")]
    pairs += [("x f8", "y f8"), ("y f8", "z f8"), ("z f8", "x f8")]
    used = {name: columns[name] for pair in pairs for name in pair}
    with colstore.store(used, tmp_path / "floats.cstore") as reader:
        frame = reader.edit()
        for pair in pairs:
            names = pair[: function.nin]
            what = f"{function.__name__}({', '.join(names)})"
            compare(mismatches, what, function, frame, [columns[name] for name in names], names)
