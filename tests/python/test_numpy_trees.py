"""Random expressions against NumPy: of all dtypes over special values, and over many rows of several files."""

import operator
import time

import numpy as np
import pytest
from numpy_cases import (
    BINARY_OPERATORS,
    BINARY_UFUNCS,
    COMPARISONS,
    NUMBERS,
    SCALARS,
    UNARY_OPERATORS,
    UNARY_UFUNCS,
    expected,
    group,
    outcome,
    plain,
    specials,
)

import colstore
from colstore.testing import write_columns

N_TREES = 10_000
N_ROWS = 131
TREE_DTYPES = [*NUMBERS, "M8[s]", "M8[ns]", "M8[D]", "m8[s]", "m8[ms]", "S3", "S5", "U2"]
# Integers without a dtype that any of the dtypes can hold, and numbers and times that have one.
CONSTANTS = [scalar for scalar in SCALARS if type(scalar) is not int or 0 <= scalar < 128]
EXTREMES = (np.fmin, np.fmax, np.minimum, np.maximum)
FUNCTIONS = [*UNARY_OPERATORS, *UNARY_UFUNCS, *3 * [*BINARY_OPERATORS, *COMPARISONS], *BINARY_UFUNCS, *15 * [np.where]]


class Tree:
    """A function of subtrees with the values that NumPy gives it; or a column by name, or a constant."""

    def __init__(self, function, parts, value):
        self.function, self.parts, self.value = function, parts, value

    def __str__(self):
        if self.function is None:
            return str(self.parts)
        return f"{self.function.__name__}({', '.join(map(str, self.parts))})"

    def of(self, frame):
        """The same as an expression of the frame."""
        if self.function is None:
            return frame[self.parts] if isinstance(self.parts, str) else self.parts
        return self.function(*(part.of(frame) for part in self.parts))


def value_of(function, operands):
    """What NumPy gives, an error included; `None` where it is not what is wanted."""
    if function is np.where:
        groups = {group(operand) for operand in operands[1:]}
        return outcome(lambda: np.where(*operands)) if len(groups) == 1 else None
    value = outcome(lambda: expected(function, *operands) if len(operands) == 2 else function(*operands))
    if function in EXTREMES and isinstance(value, np.ndarray) and value.dtype.kind == "f":
        x, y = (np.asarray(operand, "f8") for operand in operands)
        if np.any((x == 0) & (y == 0) & (np.signbit(x) != np.signbit(y))):
            return None  # of 0.0 and -0.0, NumPy gives either
    return value


def constant(rng):
    value = CONSTANTS[rng.integers(len(CONSTANTS))]
    return Tree(None, value, plain(value))


def grown(rng, table, depth):
    """A random tree of so many levels that NumPy has values for, one for every row."""
    if depth == 0:
        name = TREE_DTYPES[rng.integers(len(TREE_DTYPES))]
        return Tree(None, name, table[name])
    while True:
        function = FUNCTIONS[rng.integers(len(FUNCTIONS))]
        n_parts = 3 if function is np.where else getattr(function, "nin", 1 if function in UNARY_OPERATORS else 2)
        deep = rng.integers(n_parts)
        for _ in range(5):
            # One part is as deep as can be, and has rows; others may be constants.
            parts = [
                constant(rng)
                if at != deep and rng.random() < 0.2
                else grown(rng, table, depth - 1 if at == deep else rng.integers(depth))
                for at in range(n_parts)
            ]
            value = value_of(function, [part.value for part in parts])
            if isinstance(value, np.ndarray) and value.dtype.kind in "biufmMSU":
                return Tree(function, parts, value)


def test_trees_of_all_dtypes(tmp_path, mismatches):
    rng = np.random.default_rng(24)
    table = {dtype: rng.choice(specials(dtype), N_ROWS) for dtype in TREE_DTYPES}
    with write_columns(tmp_path / "table.cstore", table, records=3) as reader:
        frame = reader.edit()
        for number in range(N_TREES):
            tree = grown(np.random.default_rng([24, number]), table, 1 + number % 4)
            mismatches.compare(f"{number}: {tree}", lambda: tree.of(frame).compute(), lambda: tree.value)
            if len(mismatches.found) > 20:
                break


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
def many(operands, tmp_path_factory):
    """The operands in another order, many blocks of them, in several files of several records; as arrays, too."""
    rng = np.random.default_rng(1)
    n_rows = 30_000
    # Without wide integers, whose comparisons with floats are exact here.
    names = [name for name in operands if name[2:] in NUMBERS and name[2:] not in ("i8", "u8", "u4", "i4")]
    table = {name: rng.choice(operands[name], n_rows) for name in names}
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
