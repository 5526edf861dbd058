"""Operations of expressions and NumPy's, side by side: operands with special values, and what NumPy makes of them."""

import operator
import warnings

import numpy as np

NUMBERS = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
OTHERS = ["M8[s]", "M8[ns]", "M8[D]", "m8[s]", "m8[ms]", "S3", "S5", "U2", "U4"]
DTYPES = NUMBERS + OTHERS

UNARY_OPERATORS = [operator.neg, operator.pos, operator.invert, operator.abs]
BINARY_OPERATORS = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    operator.and_,
    operator.or_,
    operator.xor,
]
COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
UNARY_UFUNCS = [
    *(np.sqrt, np.cbrt, np.exp, np.exp2, np.expm1, np.log, np.log2),
    *(np.log10, np.log1p, np.sin, np.cos, np.tan, np.arcsin, np.arccos),
    *(np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh, np.arctanh),
    *(np.floor, np.ceil, np.trunc, np.rint, np.sign, np.isnan, np.isinf),
    *(np.isfinite, np.isnat, np.logical_not, np.invert, np.degrees, np.radians, np.deg2rad),
    *(np.rad2deg, np.absolute, np.fabs, np.spacing, np.signbit, np.square, np.reciprocal),
    *(np.negative, np.positive),
]
BINARY_UFUNCS = [
    *(np.arctan2, np.hypot, np.fmin, np.fmax, np.minimum, np.maximum, np.copysign),
    *(np.fmod, np.remainder, np.floor_divide, np.power, np.logical_and, np.logical_or, np.logical_xor),
    *(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.left_shift, np.right_shift, np.logaddexp, np.logaddexp2),
    *(np.heaviside, np.nextafter, np.ldexp, np.gcd, np.lcm, np.float_power, np.add),
    *(np.subtract, np.multiply, np.true_divide, np.equal, np.less),
]


def specials(dtype):
    """The values of a dtype at which something may go wrong."""
    dtype = np.dtype(dtype)
    kind = dtype.kind
    if kind == "b":
        return np.array([False, True])
    if kind in "iu":
        limits = np.iinfo(dtype)
        values = {limits.min, limits.min + 1, limits.max, limits.max - 1, 0, 1, 2, 3, 7, 64}
        if kind == "i":
            values |= {-1, -2, -3, -7}
        values |= {value for value in (2**24 + 1, 2**53 + 1, 2**31, 2**63 - 1025, 200) if value <= limits.max}
        return np.array(sorted(values), dtype)
    if kind == "f":
        limits = np.finfo(dtype)
        values = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, 2.0, 3.0, -3.0, 7.25, 0.1, -0.3, 100.0, 1e4, -6e4]
        values += [np.inf, -np.inf, np.nan, limits.max, limits.min, limits.tiny, limits.smallest_subnormal, limits.eps]
        if dtype.itemsize > 2:
            values += [2.0**31, 2.0**53, -(2.0**63), 2.0**63, 2.0**64, 1e10, -255.0, 300.5]
        return np.array(values, dtype)
    if kind in "Mm":
        counts = [np.iinfo("i8").min, -(2**40), -86_401, -7, -1, 0, 1, 2, 3, 1000, 86_400, 2**33]
        return np.array(counts).view(dtype)
    texts = ["", "a", "b", "ab", "abc", "é", "zz", "a b", "B", "ba"]
    if kind == "S":
        texts = [text.encode()[: dtype.itemsize] for text in texts]
    return np.array(texts, dtype)


def operand_columns():
    """Every dtype twice, `x` and `y`: in the rows, every special value of any stands beside every one of any other."""
    n_values = max(len(specials(dtype)) for dtype in DTYPES)
    columns = {}
    for dtype in DTYPES:
        values = specials(dtype)
        cycle = values[np.arange(n_values) % len(values)]
        columns[f"x {dtype}"] = np.repeat(cycle, n_values)
        columns[f"y {dtype}"] = np.tile(cycle, n_values)
    return columns


ERRORS = (TypeError, OverflowError, ZeroDivisionError, ValueError)


def outcome(compute):
    """What a computation gives: an array, or the kind of its error."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return np.asarray(compute())
        except ERRORS as error:
            return next(kind for kind in ERRORS if isinstance(error, kind))


def canonical(values):
    """The bytes of the values; one NaN is as good as another."""
    if values.dtype.kind == "f":
        values = np.where(np.isnan(values), np.array(np.nan, values.dtype), values)
    return values.tobytes()


def same(found, expected):
    """Whether two outcomes are equal: dtype, shape and bits, or the kind of error."""
    if isinstance(found, type) or isinstance(expected, type):
        return found is expected
    return found.dtype == expected.dtype and found.shape == expected.shape and canonical(found) == canonical(expected)


def difference(found, expected):
    """A short text on how outcomes differ, with the first row in which they do."""
    if isinstance(found, type) or isinstance(expected, type):
        names = [one.__name__ if isinstance(one, type) else f"{one.dtype} array" for one in (expected, found)]
        return f"expected {names[0]}, found {names[1]}", None
    if found.dtype != expected.dtype:
        return f"expected dtype {expected.dtype.str}, found {found.dtype.str}", None
    for row in range(len(expected)):
        if canonical(found[row : row + 1]) != canonical(expected[row : row + 1]):
            return f"expected {expected[row]!r}, found {found[row]!r}", row
    return "shapes differ", None


#: NumPy's functions for the operators: of what cannot be compared, `==` is false, and `np.equal` an error, as ours.
COMPARING = dict(zip(COMPARISONS, (np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal)))
COMPARING.update({function: function for function in list(COMPARING.values())})


def expected(function, x, y):
    """What NumPy makes of numbers; comparisons do not round, where NumPy would round 64-bit integers to floats."""
    if function not in COMPARING:
        return function(x, y)
    kinds = [np.asarray(value).dtype for value in (x, y)]
    if {dtype.kind for dtype in kinds} in ({"i", "f"}, {"u", "f"}) and any(
        dtype.kind in "iu" and dtype.itemsize == 8 and hasattr(value, "dtype") for dtype, value in zip(kinds, (x, y))
    ):
        x, y = (np.asarray(np.asarray(value).tolist(), object) for value in (x, y))
        return np.asarray(COMPARING[function](x, y), bool)
    return COMPARING[function](x, y)
