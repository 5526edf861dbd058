"""What NumPy gives for every function and every pair of dtypes, as a table for tests that have no NumPy.

    python tests/numpy/promotion.py            writes tests/data/query/promotion.json
    python tests/numpy/promotion.py --check    exits with 1 if the installed NumPy disagrees with it

For a function of n operands the table has a text of one entry for each combination of operands, the last one changing
fastest, separated by spaces. An entry is the dtypes that the operands are cast to and, after `>`, that of the result;
`!` stands for a TypeError and `^` for an OverflowError. `=` repeats the entry before it.
"""

import itertools
import json
import sys
import warnings
from pathlib import Path

import numpy as np

TABLE = Path(__file__).parent.parent / "data" / "query" / "promotion.json"

DTYPES = [
    *["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"],
    *["M8", "M8[Y]", "M8[D]", "M8[25s]", "M8[ms]", "M8[as]"],
    *["m8", "m8[Y]", "m8[M]", "m8[W]", "m8[D]", "m8[7m]", "m8[ns]"],
    *["S1", "S3", "S5", "U2", "U4"],
]
WEAK = {"bool": True, "int": 1, "float": 1.0}
# `clip` and `where` take three operands; all triples would be many, and say no more than these.
TERNARY = ["b1", "i1", "i8", "u8", "f2", "f8", "M8[D]", "m8[ms]", "m8", "S3", "U2", "bool", "int", "float"]

UNARY = [
    "negative",
    "positive",
    "absolute",
    "fabs",
    "sign",
    "square",
    "reciprocal",
    "logical_not",
    "invert",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "isnan",
    "isinf",
    "isfinite",
    "isnat",
    "signbit",
    "spacing",
    "sqrt",
    "cbrt",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "arcsinh",
    "arccosh",
    "arctanh",
    "degrees",
    "rad2deg",
    "radians",
    "deg2rad",
]
BINARY = [
    "add",
    "subtract",
    "multiply",
    "true_divide",
    "floor_divide",
    "remainder",
    "fmod",
    "power",
    "float_power",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "left_shift",
    "right_shift",
    "gcd",
    "lcm",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "copysign",
    "nextafter",
    "ldexp",
    "heaviside",
    "logaddexp",
    "logaddexp2",
    "arctan2",
    "hypot",
]


def operand(code):
    """A zero-length array of a dtype, or a Python scalar."""
    return WEAK[code] if code in WEAK else np.zeros(0, code)


def short(dtype):
    return dtype.str.lstrip("<|>").replace("[1", "[")


def called(function, codes):
    """The entry of one combination."""
    values = [operand(code) for code in codes]
    try:
        result = np.asarray(function(*values)).dtype
    except OverflowError:
        return "^"
    except TypeError:
        return "!"
    return ",".join(loop(function, codes)) + ">" + short(result)


def loop(function, codes):
    """What the operands are cast to."""
    if function is np.where:
        # Not a ufunc: the condition is tested for not being zero, the branches are promoted.
        return ["b1", "", ""]
    if function is np.clip:
        function = np._core.umath.clip
    dtypes = []
    for code in codes:
        dtypes.append(type(WEAK[code]) if code in ("int", "float") else np.dtype("?" if code == "bool" else code))
    return [short(dtype) for dtype in function.resolve_dtypes((*dtypes, None))[: len(codes)]]


def row(function, operands, n):
    entries, before = [], None
    for codes in itertools.product(operands, repeat=n):
        entry = called(function, codes)
        entries.append("=" if entry == before else entry)
        before = entry
    return " ".join(entries)


def table():
    everything = DTYPES + list(WEAK)
    result = {"numpy": np.__version__, "operands": everything, "ternary_operands": TERNARY, "functions": {}}
    functions = result["functions"]
    for name in UNARY:
        functions[name] = row(getattr(np, name), everything, 1)
    for name in BINARY:
        functions[name] = row(getattr(np, name), everything, 2)
    for name in ("clip", "where"):
        functions[name] = row(getattr(np, name), TERNARY, 3)
    return result


def main():
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        new = table()
    if "--check" not in sys.argv:
        TABLE.write_text(json.dumps(new, indent=1) + "\n")
        return 0
    old = json.loads(TABLE.read_text())
    different = [name for name in old["functions"] if old["functions"][name] != new["functions"].get(name)]
    if different or old["operands"] != new["operands"]:
        print(f"NumPy {new['numpy']} differs from the table of NumPy {old['numpy']}: {', '.join(different)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
