"""What NumPy gives for values that are apt to go wrong, for the tests of the kernels.

    python tests/numpy/kernels.py > colstore-kernels/tests/data/numpy.txt

Lines of words: `values DTYPE HEX` (little-endian values one after the other), then `binary NAME DTYPE HEX` for all pairs of
them in order, `unary NAME DTYPE HEX` and `cast FROM TO HEX` for all of them.
"""

import sys

import numpy as np

FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.5, 7.25, -5e-7, 1e4, np.inf, -np.inf, np.nan, 65519.0]
BINARY = {
    "floor_divide": "fiu",
    "remainder": "fiu",
    "fmod": "fiu",
    "true_divide": "f",
    "maximum": "fiu",
    "minimum": "fiu",
    "heaviside": "f",
    "copysign": "f",
    "nextafter": "f",
    "gcd": "iu",
    "left_shift": "iu",
    "right_shift": "iu",
}
UNARY = {
    "sign": "fiu",
    "rint": "f",
    "floor": "f",
    "ceil": "f",
    "trunc": "f",
    "sqrt": "f",
    "square": "fiu",
    "absolute": "fiu",
    "negative": "fiu",
    "reciprocal": "fiu",
    "spacing": "f",
    "isnan": "f",
    "isfinite": "f",
    "signbit": "f",
    "degrees": "f",
    "radians": "f",
}
DTYPES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


def values(dtype):
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return np.array(FLOATS + [np.finfo(kind).max, np.finfo(kind).smallest_subnormal], dtype)
    low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    return np.array([0, 1, 2, 3, 7, 8, 31, 64, 100, high, high - 1, low, low + 1, high // 2], dtype)


def line(*words):
    print(*words[:-1], np.ascontiguousarray(words[-1]).tobytes().hex())


def main():
    np.seterr(all="ignore")
    for dtype in DTYPES:
        column = values(dtype)
        line("values", dtype, column)
        left, right = np.repeat(column, len(column)), np.tile(column, len(column))
        for name, kinds in BINARY.items():
            if np.dtype(dtype).kind in kinds:
                line("binary", name, dtype, getattr(np, name)(left, right))
        for name, kinds in UNARY.items():
            if np.dtype(dtype).kind in kinds:
                line("unary", name, dtype, getattr(np, name)(column))
        # Many times over, as the last few values of an array may go another way.
        many = np.tile(column, 16)
        for to in [*DTYPES, "?"]:
            line("cast", dtype, to, many.astype(to)[: len(column)])


if __name__ == "__main__":
    sys.exit(main())
