"""Random tables: every storable dtype, awkward names, sizes and memory layouts; the same for the same seed."""

import hashlib

import numpy as np

ROWS = [0, 1, 2, 3, 5, 7, 8, 9, 15, 31, 63, 64, 65, 100, 255, 257, 999, 1023, 4097, 10_007]
UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "25s", "7D", "10ms", "3M", None]
# Single characters: what JSON escapes in its own ways, what it does not, and what lies beyond 16 bits.
ALPHABET = list(
    'aZ_0 /"\\\0\x01\n\t\b\f\r\x1f\x7f\x80\xa0é\u0301ß日本\u2028\u2029\ufeff\uffff\ue000\U0001f600\U0010ffff\U0001d11e'
)
SURROGATES = ["\ud800", "\udbff", "\udc00", "\udfff"]


class Table:
    """`data` as it is given to `store`; `expected` as it must come back; `statistics` as it is asked for."""

    def __init__(self, seed, index):
        rng = np.random.default_rng([seed, index])
        self.n_rows = int(rng.choice(ROWS) if rng.random() < 0.8 else rng.integers(0, 20_000))
        self.statistics = bool(rng.random() < 0.5)
        n_columns = int(rng.integers(1, 51) if rng.random() < 0.5 else rng.integers(1, 6))
        names = _names(rng, n_columns, self.statistics)
        self.expected = {name: _values(rng, self.n_rows) for name in names}
        if rng.random() < 0.15 and "" not in names:
            self.data = _records(rng, self.expected)
        else:
            self.data = {name: _laid_out(rng, values) for name, values in self.expected.items()}
        # How the rows are cut into records, some of them without rows.
        cuts = np.sort(rng.integers(0, self.n_rows + 1, int(rng.integers(0, 6))))
        self.cuts = [0, *map(int, cuts), self.n_rows]

    def digest(self):
        """What a reader of this table must report."""
        return digest(self.expected)


def digest(columns):
    """Name, dtype, length and hash of the bytes of each column."""
    return [
        [name, values.dtype.str, len(values), hashlib.sha1(values.tobytes()).hexdigest()]
        for name, values in columns.items()
    ]


def _names(rng, count, encodable):
    names = []
    while len(names) < count:
        kind = rng.random()
        if kind < 0.5:
            name = f"column_{rng.integers(1000)}"
        elif kind < 0.9:
            name = "".join(rng.choice(ALPHABET, int(rng.integers(0, 12))))
        elif kind < 0.95:
            name = "long " * int(rng.integers(10, 200))
        else:
            # One at most: two could form a pair, which is another name. Statistics need proper UTF-8.
            name = "" if encodable else "x" + str(rng.choice(SURROGATES))
        if name not in names:
            names.append(name)
    return names


def _values(rng, n):
    kind = rng.choice(list("biiuufffMmSU"))
    if kind == "b":
        return rng.random(n) < rng.choice([0.0, 0.5, 1.0])
    if kind in "iu":
        dtype = np.dtype(f"{kind}{rng.choice([1, 2, 4, 8])}")
        if rng.random() < 0.5:
            return rng.integers(0, 256, n * dtype.itemsize).astype("u1").view(dtype)
        return rng.integers(0, 100, n).astype(dtype)
    if kind == "f":
        return _floats(rng, n, int(rng.choice([2, 4, 8])))
    if kind in "Mm":
        unit = UNITS[rng.integers(len(UNITS))]
        counts = rng.integers(-(2**62), 2**62, n) if rng.random() < 0.5 else rng.integers(-1000, 1000, n)
        if rng.random() < 0.2:
            counts[rng.random(n) < 0.1] = np.iinfo("i8").min  # NaT
        return counts.astype("i8").view(f"{kind}8" + (f"[{unit}]" if unit else ""))
    width = int(rng.integers(1, 30))
    if kind == "S":
        octets = rng.integers(0, 256, (n, width)).astype("u1")
        octets[rng.random((n, width)) < 0.3] = 0
        return octets.reshape(-1).view(f"S{width}")
    points = rng.integers(0, 0x110000, (n, width)).astype("u4")
    points[rng.random((n, width)) < 0.3] = 0
    return points.reshape(-1).view(f"U{width}")


def _floats(rng, n, size):
    unsigned = np.dtype(f"u{size}")
    how = rng.random()
    if how < 0.4:
        bits = rng.integers(0, 256, n * size).astype("u1").view(unsigned)  # NaN payloads, infinities, subnormals
        values = bits.view(f"f{size}").copy()
    else:
        values = rng.standard_normal(n).astype(f"f{size}")
        if how < 0.6 and n:
            values[rng.integers(0, n, 3)] = rng.choice([np.nan, np.inf, -np.inf])
        elif how < 0.8:
            values = np.round(values)
    # Which of two zeros of unlike sign becomes an extreme of the statistics is not defined: leave zeros in the
    # column only where they are neither its minimum nor its maximum.
    finite = values[np.isfinite(values)]
    if not ((finite > 0).any() and (finite < 0).any()):
        values[values == 0] = 1.5
    return values


def _laid_out(rng, values):
    """The same values in another order of bytes, or at some distance from each other."""
    if rng.random() < 0.25 and _may_be_big_endian(values.dtype):
        values = values.astype(values.dtype.newbyteorder(">"))
    how, n = rng.random(), len(values)
    if how < 0.5:
        return values
    if how < 0.6:
        return values[::-1].copy()[::-1]
    if how < 0.8:
        step = int(rng.integers(2, 5))
        spread = np.zeros(n * step, values.dtype)
        spread[::step] = values
        return spread[::step]
    holder = np.zeros(n, [("before", "u1"), ("values", values.dtype), ("after", "S3")])
    holder["values"] = values
    return holder["values"]


def _may_be_big_endian(dtype):
    # The reference leaves times without a unit in big-endian order, and says so in the file; we write `<M8`.
    return dtype.kind not in "bS" and dtype.str[1:] not in ("M8", "m8")


def _records(rng, columns):
    fields = [
        (
            name,
            values.dtype.newbyteorder(">") if rng.random() < 0.3 and _may_be_big_endian(values.dtype) else values.dtype,
        )
        for name, values in columns.items()
    ]
    records = np.zeros(len(next(iter(columns.values()))), np.dtype(fields, align=bool(rng.random() < 0.5)))
    for name, values in columns.items():
        records[name] = values
    return records
