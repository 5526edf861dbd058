"""Operations of expressions and NumPy's, side by side: operands with special values, and what NumPy makes of them."""

import operator
import warnings

import numpy as np

NUMBERS = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
DATES = ["M8[s]", "M8[ns]", "M8[D]", "M8[Y]", "M8[M]", "M8[25s]", "M8[us]", "M8"]
DURATIONS = ["m8[s]", "m8[ms]", "m8[D]", "m8[7m]", "m8[Y]", "m8"]
TIMES = DATES + DURATIONS
TEXTS = ["S1", "S3", "S5", "U1", "U2", "U4"]
DTYPES = NUMBERS + TIMES + TEXTS

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


def elementwise(n_operands):
    """All of NumPy's functions of so many values that give one, each once."""
    functions = {function.__name__: function for function in vars(np).values() if isinstance(function, np.ufunc)}
    return [
        function
        for name, function in sorted(functions.items())
        if function.nin == n_operands and function.nout == 1 and function.signature is None
    ]


UNARY_UFUNCS = elementwise(1)
BINARY_UFUNCS = elementwise(2)

#: Constants of every kind, with those at which something may go wrong.
SCALARS = [
    *(False, True, 0, 1, 2, -1, 3, -2, 127, 128, 255, 256, -128, -129, 300, 65536, 2**31, 2**40, 2**53 + 1),
    *(2**63 - 1, 2**63, -(2**63), 2**64 - 1, 2**64, 2**70, -(2**70)),
    *(0.0, -0.0, 0.5, 2.0, -1.0, 1e300, 5e-324, 1e-46, 65520.0, 3.5e38, np.nan, np.inf, -np.inf),
    *(np.bool_(True), np.bool_(False)),
    *(np.int8(-3), np.int8(-128), np.int16(-300), np.int32(-(2**31)), np.int64(7), np.int64(-(2**63))),
    *(np.uint8(200), np.uint16(65535), np.uint32(2**32 - 1), np.uint64(2**64 - 1)),
    *(np.float16(1.5), np.float16(np.nan), np.float16(-0.0), np.float32(0.1), np.float32(np.inf)),
    *(np.float64(0.1), np.float64(np.nan), np.float64(-0.0)),
    *(np.array(3, "i2"), np.array(0.1, "f4"), np.array(4, ">i4"), np.array(5, "m8[h]")),
    *(np.datetime64("1970-01-02"), np.datetime64("NaT"), np.datetime64("NaT", "s"), np.datetime64(3 * 10**9, "ns")),
    *(np.datetime64(5, "M"), np.datetime64(3, "25s")),
    *(np.timedelta64(3, "s"), np.timedelta64("NaT"), np.timedelta64("NaT", "ms"), np.timedelta64(3)),
    *(np.timedelta64(-2, "D"), np.timedelta64(1, "Y")),
]


def plain(scalar):
    """What NumPy takes an array without dimensions for."""
    return scalar[()] if isinstance(scalar, np.ndarray) else scalar


def group(value):
    """What may stand in one column together: numbers, dates, durations, or texts."""
    kind = np.dtype(value).kind if isinstance(value, (str, np.dtype)) else np.asarray(value).dtype.kind
    return kind if kind in "MmSU" else "number"


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
        limits = np.iinfo("i8")
        counts = [limits.min, -(2**30), -86_401, -7, -1, 0, 1, 2, 3, 1000, 86_400, 2**30]
        # Years and months beyond what days can count are anything.
        if np.datetime_data(dtype)[0] not in ("Y", "M"):
            counts += [limits.min + 1, -(2**40), 2**33, limits.max]
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


class Mismatches:
    """Collects what differs, to tell all at the end."""

    def __init__(self):
        self.found = []

    def compare(self, what, ours, numpys, values=()):
        found, wanted = outcome(ours), outcome(numpys)
        if not same(found, wanted):
            text, row = difference(found, wanted)
            if row is not None:
                text += " for " + ", ".join(repr(value[row]) if np.ndim(value) else repr(value) for value in values)
            self.found.append(f"{what}: {text}")

    def check(self):
        assert not self.found, f"{len(self.found)} differ:\n" + "\n".join(self.found[:200])
