"""Expressions against NumPy: every operator and function, every pair of dtypes, scalars of every kind, special values.

Dtypes and bits must be equal. The one exception is by design: 64-bit integers are compared with floats exactly.
"""

import operator
import time

import numpy as np
import pytest
from numpy_cases import (
    BINARY_OPERATORS,
    BINARY_UFUNCS,
    COMPARISONS,
    DTYPES,
    NUMBERS,
    UNARY_OPERATORS,
    UNARY_UFUNCS,
    difference,
    expected,
    operand_columns,
    outcome,
    same,
    specials,
)

import colstore
from colstore.testing import write_columns


@pytest.fixture(scope="module")
def columns():
    return operand_columns()


@pytest.fixture(scope="module")
def frame(columns, tmp_path_factory):
    path = tmp_path_factory.mktemp("exact") / "operands.cstore"
    with colstore.store(columns, path) as reader:
        yield reader.edit()


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


@pytest.fixture
def mismatches():
    collected = Mismatches()
    yield collected
    collected.check()


@pytest.mark.parametrize("function", [*UNARY_OPERATORS, *UNARY_UFUNCS], ids=lambda f: f.__name__)
def test_unary(frame, columns, mismatches, function):
    for dtype in DTYPES:
        x = columns[f"x {dtype}"]
        mismatches.compare(
            f"{function.__name__}({dtype})", lambda: function(frame[f"x {dtype}"]).compute(), lambda: function(x), [x]
        )


@pytest.mark.parametrize("function", [*BINARY_OPERATORS, *COMPARISONS, *BINARY_UFUNCS], ids=lambda f: f.__name__)
def test_binary(frame, columns, mismatches, function):
    for left in DTYPES:
        for right in DTYPES if left in NUMBERS[-4:] or left not in NUMBERS else NUMBERS:
            x, y = columns[f"x {left}"], columns[f"y {right}"]
            mismatches.compare(
                f"{function.__name__}({left}, {right})",
                lambda: function(frame[f"x {left}"], frame[f"y {right}"]).compute(),
                lambda: expected(function, x, y),
                [x, y],
            )


SCALARS = [
    True,
    0,
    1,
    2,
    -1,
    3,
    -2,
    300,
    2**40,
    2**63,
    -(2**63),
    2**64,
    2**70,
    0.0,
    -0.0,
    0.5,
    2.0,
    -1.0,
    1e300,
    float("nan"),
    float("inf"),
    np.bool_(True),
    np.int8(-3),
    np.uint8(200),
    np.int64(7),
    np.uint64(2**64 - 1),
    np.float16(1.5),
    np.float32(0.1),
    np.float64(0.1),
    np.array(3, "i2"),
    np.datetime64("1970-01-02"),
    np.timedelta64(3, "s"),
    np.timedelta64("NaT"),
]


@pytest.mark.parametrize(
    "function",
    [*BINARY_OPERATORS, *COMPARISONS, np.maximum, np.fmin, np.arctan2, np.hypot, np.copysign, np.logical_and],
    ids=lambda f: f.__name__,
)
def test_scalars(frame, columns, mismatches, function):
    for dtype in [*NUMBERS, "M8[s]", "M8[ns]", "m8[s]", "m8[ms]"]:
        x = columns[f"x {dtype}"]
        for scalar in SCALARS:
            if (
                type(scalar) is int
                and abs(scalar) >= 2**63
                and (function is np.logical_and or (dtype == "b1" and function in COMPARISONS))
            ):
                continue  # an error of NumPy's, an answer of ours
            if function is np.fmin and not np.any(scalar):
                continue  # of 0.0 and -0.0, NumPy gives either
            value = scalar[()] if isinstance(scalar, np.ndarray) else scalar
            shown = f"{type(value).__name__} {value!r}"
            mismatches.compare(
                f"{function.__name__}({dtype}, {shown})",
                lambda: function(frame[f"x {dtype}"], scalar).compute(),
                lambda: expected(function, x, value),
                [x, value],
            )
            mismatches.compare(
                f"{function.__name__}({shown}, {dtype})",
                lambda: function(scalar, frame[f"x {dtype}"]).compute(),
                lambda: expected(function, value, x),
                [value, x],
            )


def test_texts_beside_scalars(frame, columns, mismatches):
    for dtype in ("S3", "S5", "U2", "U4"):
        x = columns[f"x {dtype}"]
        for text in ("", "a", "ab", "abcdef", "é"):
            value = text.encode() if dtype[0] == "S" else text
            for function in COMPARISONS:
                mismatches.compare(
                    f"{function.__name__}({dtype}, {text!r})",
                    lambda: function(frame[f"x {dtype}"], text).compute(),
                    lambda: function(x, value),
                    [x],
                )


@pytest.mark.parametrize("source", DTYPES)
def test_astype(frame, columns, mismatches, source):
    x = columns[f"x {source}"]
    for target in [*DTYPES, "S", "U", "M8[ms]", "m8[ns]", ">i4", ">f8"]:
        kinds = {np.dtype(source).kind, np.dtype(target).kind}
        if kinds & set("Mm") and kinds & set("SU"):
            continue  # NumPy may crash at text that is no time
        if np.dtype(source).kind == "f" and np.dtype(target).kind in "iu":
            # What no integer of the dtype can be is undefined in C, and so in NumPy.
            limits = np.iinfo(target)
            with np.errstate(all="ignore"):
                keep = (np.trunc(x) >= float(limits.min)) & (np.trunc(x) < float(limits.max))
        else:
            keep = slice(None)
        mismatches.compare(
            f"astype({source} -> {target})",
            lambda: frame[f"x {source}"].astype(target).compute()[keep],
            lambda: x[keep].astype(np.dtype(target).newbyteorder("=")),
            [x[keep]],
        )


def rounded(x, decimals):
    values = np.round(x, decimals)
    # Integers become floats where there are decimals.
    return values.astype("f8") if x.dtype.kind in "iu" and decimals > 0 else values


@pytest.mark.parametrize("dtype", NUMBERS)
def test_round(frame, columns, mismatches, dtype):
    x = columns[f"x {dtype}"]
    for decimals in (0, 1, 2, 5, -1, -2):
        mismatches.compare(
            f"round({dtype}, {decimals})",
            lambda: frame[f"x {dtype}"].round(decimals).compute(),
            lambda: rounded(x, decimals),
            [x],
        )


@pytest.mark.parametrize("dtype", [*NUMBERS, "M8[s]", "m8[s]"])
def test_clip(frame, columns, mismatches, dtype):
    x = columns[f"x {dtype}"]
    others = [*NUMBERS, None, 1, 2.5, -1, np.float32(0.5), np.int8(3)] if dtype in NUMBERS else [dtype, None]
    for low in others:
        for high in others:
            if low is None and high is None:
                continue
            ours = [frame[f"y {v}"] if isinstance(v, str) else v for v in (low, high)]
            theirs = [columns[f"y {v}"] if isinstance(v, str) else v for v in (low, high)]
            mismatches.compare(
                f"clip({dtype}, {low!r}, {high!r})",
                lambda: np.clip(frame[f"x {dtype}"], *ours).compute(),
                lambda: np.clip(x, *theirs),
                [x, *theirs],
            )


def group(dtype):
    return "number" if dtype in NUMBERS else np.dtype(dtype).kind


@pytest.mark.parametrize("left", DTYPES)
def test_where(frame, columns, mismatches, left):
    flag = columns["y b1"]
    scalars = [1, 2.5, True, np.float64(1.5), np.int8(1), np.nan] if left in NUMBERS else []
    for right in [*DTYPES, *scalars]:
        if isinstance(right, str) and (group(left) != group(right)):
            continue  # NumPy makes text of numbers and of byte strings, and times of durations
        x = columns[f"x {left}"]
        ours = frame[f"y {right}"] if isinstance(right, str) else right
        theirs = columns[f"y {right}"] if isinstance(right, str) else right
        mismatches.compare(
            f"where({left}, {right!r})",
            lambda: np.where(frame["y b1"], frame[f"x {left}"], ours).compute(),
            lambda: np.where(flag, x, theirs),
            [flag, x],
        )


@pytest.mark.parametrize("dtype", DTYPES)
def test_isin(frame, columns, mismatches, dtype):
    x = columns[f"x {dtype}"]
    rng = np.random.default_rng(3)
    values = specials(dtype)
    sets = [values[:0], values[:1], values[1:4], rng.permutation(values)]
    if np.dtype(dtype).kind in "bi":
        sets += [[-1, 2], [1, 2**40], [0.5, 1.0], np.array([1, 2], "f4"), [True]]
    if np.dtype(dtype).kind == "f":
        sets += [[0.1, 0.5], [1, 2], np.array([1, 3], "i2"), [np.nan]]
    for members in sets:
        mismatches.compare(
            f"isin({dtype}, {members!r})",
            lambda: frame[f"x {dtype}"].isin(members).compute(),
            lambda: np.isin(x, members),
            [x],
        )


def random_tree(rng, leaves, depth, constants=True):
    """A function of a mapping of columns: expressions or arrays alike."""
    if depth == 0 or rng.random() < 0.15:
        if constants and rng.random() < 0.25:
            constant = [2, 3.5, -1, 0, True, np.float32(0.3), np.int16(-7), np.uint8(9)][rng.integers(8)]
            return lambda _: constant
        name = leaves[rng.integers(len(leaves))]
        return lambda table: table[name]
    choice = rng.integers(10)
    # A branch of `where` that is an integer which the other one's dtype cannot hold is an error of ours.
    parts = [random_tree(rng, leaves, depth - 1, constants and choice < 8) for _ in range(3)]
    if choice < 5:
        functions = [*BINARY_OPERATORS[:6], np.copysign, np.hypot, np.arctan2, *BINARY_OPERATORS[7:], *COMPARISONS]
        function = functions[rng.integers(len(functions))]
        return lambda table: function(parts[0](table), parts[1](table))
    if choice < 8:
        functions = [operator.neg, abs, np.sqrt, np.exp, np.floor, np.isnan, np.sin, np.square, np.logical_not, np.sign]
        function = functions[rng.integers(len(functions))]
        return lambda table: function(parts[0](table))
    return lambda table: np.where(parts[0](table), parts[1](table), parts[2](table))


@pytest.fixture(scope="module")
def many(columns, tmp_path_factory):
    """The operands in another order, many blocks of them, in several files of several records; as arrays, too."""
    rng = np.random.default_rng(1)
    n_rows = 30_000
    # Without wide integers, whose comparisons with floats are exact here.
    names = [name for name in columns if name[2:] in NUMBERS and name[2:] not in ("i8", "u8", "u4", "i4")]
    table = {name: rng.choice(columns[name], n_rows) for name in names}
    directory = tmp_path_factory.mktemp("many")
    for at, start in enumerate(range(0, n_rows, 11_000)):
        part = {name: values[start : start + 11_000] for name, values in table.items()}
        write_columns(directory / f"{at}.cstore", part, records=3).close()
    with colstore.open(directory) as ds:
        yield ds, table


def trees(table, seconds):
    """Random expressions and what they give of arrays, until the time is over."""
    rng, begin, n_trees = np.random.default_rng(20), time.monotonic(), 0
    while time.monotonic() - begin < seconds:
        seed = int(rng.integers(2**40))
        tree = random_tree(np.random.default_rng(seed), list(table), int(rng.integers(2, 6)))
        wanted = outcome(lambda: tree(table))
        if isinstance(wanted, np.ndarray) and wanted.ndim:
            n_trees += 1
            yield seed, tree, wanted
    assert n_trees > 30


def test_random_trees(many, mismatches):
    ds, table = many
    frame = ds.edit()
    for seed, tree, wanted in trees(table, 10):
        mismatches.compare(f"tree {seed}", lambda: tree(frame).compute(), lambda: wanted)
        if len(mismatches.found) > 20:
            break


class Names(dict):
    """A table of `col()` expressions."""

    def __missing__(self, name):
        return colstore.col(name)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_random_conditions(many, mismatches):
    ds, table = many
    numbers = np.arange(len(ds))
    frame = ds.edit().assign(number=numbers)
    earlier, kept = frame, numbers
    for seed, tree, wanted in trees(table, 10):
        if wanted.dtype != bool:
            wanted = wanted > 0
            condition = tree(Names()) > 0
        else:
            condition = tree(Names())
        view = ds[condition]
        mismatches.compare(f"count {seed}", lambda: np.asarray(view.count()), lambda: np.asarray(wanted.sum()))
        mismatches.compare(f"values {seed}", lambda: view.array("x f4"), lambda: table["x f4"][wanted])
        mismatches.compare(f"cut {seed}", lambda: frame.where(condition).array("number"), lambda: numbers[wanted])
        # A second cut after another one, and a part of the rows.
        mismatches.compare(f"cuts {seed}", lambda: earlier.where(condition).array("number"), lambda: kept[wanted[kept]])
        mismatches.compare(
            f"among rows {seed}",
            lambda: ds[25_000:3:-7][condition].array("y f8"),
            lambda: table["y f8"][25_000:3:-7][wanted[25_000:3:-7]],
        )
        if wanted.sum() > 10:
            earlier, kept = frame.where(condition), numbers[wanted]
        if len(mismatches.found) > 20:
            break
