"""The same table in every layout that files can have, and selections of its rows."""

import numpy as np
import record_file

import colstore
from colstore.testing import write_columns

LAYOUTS = ["one", "equal", "ragged", "empties", "files", "mixed", "order", "big_endian"]

UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "25s"]


def make_table(rng, n):
    """One column of every kind and width, of random bytes where those have a meaning."""
    columns = {"b1": rng.random(n) < 0.4}
    for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
        columns[dtype] = rng.integers(0, 256, n * np.dtype(dtype).itemsize).astype("u1").view(dtype)
    for dtype in ("f2", "f4", "f8"):
        values = rng.standard_normal(n).astype(dtype)
        values[rng.random(n) < 0.05] = np.nan
        columns[dtype] = values
    columns["when"] = rng.integers(-(2**40), 2**40, n).view(f"M8[{rng.choice(UNITS)}]")
    columns["took"] = rng.integers(-(2**40), 2**40, n).view(f"m8[{rng.choice(UNITS)}]")
    for width in (1, 3, 8, 16, 21):
        columns[f"S{width}"] = rng.integers(0, 256, n * width).astype("u1").view(f"S{width}")
    columns["U2"] = rng.integers(32, 0x3000, n * 2).astype("u4").view("U2")
    names = list(columns)
    rng.shuffle(names)
    return {name: columns[name] for name in names[: int(rng.integers(4, len(names) + 1))]}


def open_layout(layout, columns, directory, rng):
    """The table with these columns as a reader or a dataset."""
    n = len(next(iter(columns.values())))
    if layout == "one":
        return write_columns(directory / "one", columns)
    if layout == "equal":
        return write_columns(directory / "equal", columns, records=int(rng.integers(2, 9)))
    if layout == "ragged":
        return write_columns(directory / "ragged", columns, records=cut(rng, n, int(rng.integers(2, 40))))
    if layout == "empties":
        rows = [0, *(part for size in cut(rng, n, 5) for part in (size, 0)), 0]
        return write_columns(directory / "empties", columns, records=rows)
    if layout == "big_endian":
        write_big_endian(directory / "big", columns, cut(rng, n, 3))
        return colstore.open(directory / "big")
    paths, start = [], 0
    for i, size in enumerate(cut(rng, n, int(rng.integers(2, 9)))):
        part = {name: values[start : start + size] for name, values in columns.items()}
        start += size
        if layout == "order" and i:
            names = list(part)
            rng.shuffle(names)
            part = {name: part[name] for name in names}
        paths.append(directory / f"part_{i}")
        write_columns(paths[-1], part, records=cut(rng, size, 3) if layout == "mixed" else 1).close()
    return colstore.open(paths)


def cut(rng, n, parts):
    """`n` rows in `parts` pieces, some of which may be empty."""
    cuts = np.sort(rng.integers(0, n + 1, parts - 1))
    return np.diff([0, *cuts, n]).tolist()


def write_big_endian(path, columns, records):
    """A file whose columns of more than one byte are big-endian."""
    big = [(name, values.astype(values.dtype.newbyteorder(">"))) for name, values in columns.items()]
    with open(path, "wb") as file:
        file.write(record_file.header([(name, v.dtype.str) for name, v in big], len(records), sum(records)))
        start = 0
        for number, rows in enumerate(records):
            body = b"".join(values[start : start + rows].tobytes() for _, values in big)
            file.write(record_file.record(number, rows, body))
            start += rows


def selections(rng, n):
    """Pairs of a selector and what NumPy takes for the same rows."""

    def slice_of():
        def bound():
            return None if rng.random() < 0.2 else int(rng.integers(-n - 3, n + 4))

        step = int(rng.choice([-7, -3, -2, -1, 1, 2, 3, 5, n + 1, -n - 1]))
        return slice(bound(), bound(), step)

    def picks(size):
        return rng.integers(-n, n, size) if n else np.zeros(0, "i8")

    yield None, slice(None)
    yield slice(None), slice(None)
    for _ in range(6):
        key = slice_of()
        yield key, key
    yield [], slice(0, 0)
    yield np.zeros(0), slice(0, 0)
    for density in (0.0, 0.01, 0.3, 0.9, 1.0):
        mask = rng.random(n) < density
        yield mask, mask
    mask = rng.random(2 * n) < 0.5
    yield mask[::2], mask[::2]
    yield mask[::-2], mask[::-2]
    yield (rng.random(n) < 0.5).tolist() or np.zeros(0, "?"), None
    if n == 0:
        return
    for row in (0, n - 1, -1, -n, int(rng.integers(-n, n))):
        yield row, [row]
    row = int(rng.integers(n))
    for scalar in (np.int64(row), np.uint16(row), np.array(row), np.int8(-1)):
        yield scalar, [int(scalar)]
    one = np.zeros(n, "?")
    one[row] = True
    yield one, one
    for size in (1, 2, 17, n, 3 * n + 5):
        key = picks(size)
        yield key, key
        yield np.sort(key), np.sort(key)
    key = picks(40)
    yield key.tolist(), key
    yield key.astype(">i8"), key
    yield key[::-3], key[::-3]
    unaligned = np.frombuffer(b"x" + key.tobytes(), "u1")[1:].view("i8")
    yield unaligned, key
    for dtype in ("i1", "i2", "i4", "u1", "u2", "u4", "u8", ">u4"):
        limits = np.iinfo(dtype)
        small = rng.integers(max(-n, limits.min), min(n - 1, limits.max) + 1, 20)
        yield small.astype(dtype), small
    contiguous = np.arange(row, n)
    yield contiguous, contiguous
    yield contiguous[::-1], contiguous[::-1]
    yield contiguous[::3].copy(), contiguous[::3]
    for key in (range(n), range(n - 1, -1, -2), range(-n, 0), range(0, n, 4), range(-1, min(2, n))):
        yield key, list(key)


def bad_selections(rng, n):
    """Pairs of a selector and what its error says."""
    for row in (n, n + 5, -n - 1, 2**40, -(2**40)):
        yield row, "out of bounds"
        yield [row], "out of bounds"
        yield np.array([0, row, 0] if n else [row]), "out of bounds"
    yield np.uint64(2**64 - 1), "out of bounds"
    yield np.array([2**64 - 1], "u8"), "out of bounds"
    yield np.array([n], "u4"), "out of bounds"
    yield np.r_[np.arange(n), n], "out of bounds"
    yield range(n + 1), "out of bounds"
    yield range(-n - 1, 0), "out of bounds"
    yield np.ones(n + 1, "?"), "mask length"
    yield [True] * (n + 2), "mask length"
    if n:
        yield np.ones(n - 1, "?"), "mask length"
        yield np.zeros(0, "?"), "mask length"
    for key in ([1.5], np.array(["a"]), ["a", 1], np.array([None]), 1.5, [2**70], b"x", {1}):
        yield key, "integer or boolean"
    yield np.bool_(True), "boolean"
    yield np.zeros((2, 2), "i8"), "one dimension"
    yield [[1, 2], [3]], "one dimension"
