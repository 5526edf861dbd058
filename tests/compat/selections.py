"""Random selections of an open table, and what each way of reading them gives."""

import hashlib
import math

import numpy as np


def answers(ds, rng):
    """A list of [what was asked, what came out]: digests, numbers, texts, or the type of an error."""
    found = []
    names = ds.columns
    if not ds.n_rows:
        return []  # the reference cannot read every table without rows
    for label, key in _keys(rng, ds.n_rows):
        name = names[rng.integers(len(names))]
        several = [names[i] for i in rng.permutation(len(names))[:3]]
        inner = [key for _, key in _keys(rng, 5)][int(rng.integers(8))]
        asked = {
            "array": lambda: _digest(ds[key, name].array()),
            "count": lambda: ds[key].count(),
            "column first": lambda: _digest(ds[name][key].array()),
            "dict": lambda: [[n, _digest(v)] for n, v in ds[key, several].dict().items()],
            "records": lambda: _digest(ds[key, several].recarray()),
            "inner": lambda: _digest(ds[key, name][inner].array()),
            "asarray": lambda: _digest(np.asarray(ds[key, name])),
            "zero-copy": lambda: _digest(ds[key, name].array(copy=False)),
            "min": lambda: _number(ds[key, name].min()),
            "max": lambda: _number(ds[key, name].max()),
            "sum": lambda: _of_bounded(ds[key, name], "sum"),
            "std": lambda: _of_bounded(ds[key, name], "std"),
            "tail": lambda: _digest(ds[key, name].tail(3).values),
            "text": lambda: _text(ds[key, name]),
        }
        kind = ds.dtypes[name].kind
        if kind in "SUMm":  # no such numbers; which error comes first is nobody's business
            del asked["sum"], asked["std"]
        if kind in "SU":
            del asked["min"], asked["max"]
        if "" in several:  # the reference makes no records of these
            del asked["records"]
        for what, ask in asked.items():
            try:
                answer = ask()
            except Exception as error:
                answer = type(error).__name__
            found.append([f"{label} {what} of {name!r}", answer])
    return found


def same(what, ours, theirs):
    """Equal; numbers to nine digits, because sums may be put together in another order."""
    if theirs == "ValueError" and " zero-copy of " in what:
        return True  # rows that lie together can be lent, whatever other records there are
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if ours["type"] != theirs["type"]:
            return False
        a, b = ours["value"], theirs["value"]
        return a == b or (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    return ours == theirs


def _keys(rng, n):
    yield "all", slice(None)
    for _ in range(3):
        bounds = [None if rng.random() < 0.2 else int(rng.integers(-n - 2, n + 3)) for _ in range(2)]
        key = slice(*bounds, int(rng.choice([-3, -1, 1, 2, 7])))
        # The reference cannot always read a slice of several records that selects nothing.
        yield "slice", key if len(range(*key.indices(n))) else slice(None, None, -1)
    yield "row", int(rng.integers(-n - 1, n + 2))
    yield "mask", rng.random(n) < rng.choice([0.0, 0.02, 0.5, 1.0])
    yield "nothing", []
    if n:
        picks = rng.integers(-n, n, int(rng.integers(1, 3 * n + 2)))
        yield "unsorted", picks
        yield "sorted", np.sort(picks % n).astype(rng.choice(["i4", "u4", "i8", "u8"]))
        yield "list", picks[:5].tolist()
    yield "short mask", np.ones(n + 1, "?")
    yield "beyond", np.array([0, n])
    yield "floats", [0.5]


def _digest(array):
    return [array.dtype.str, str(array.dtype), len(array), hashlib.sha1(array.tobytes()).hexdigest()]


def _number(value):
    kind = type(value).__name__
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return [kind, str(value.dtype), str(value)]
    return {"type": kind, "value": value.item() if isinstance(value, np.generic) else value}


def _of_bounded(view, name):
    # Of numbers whose sums or squares are beyond any double, infinity and NaN are equally right.
    with np.errstate(all="ignore"):
        if np.abs(view.array().astype("f8")).max(initial=0) >= 1e100:
            return None
    return _number(getattr(view, name)())


def _text(view):
    # What is shown alike: see the tests of previews for the rest.
    if view.dtype.kind not in "biu" or len(view.column) > 30 or not view.column.isprintable():
        return None
    return repr(view)
