#!/usr/bin/env python3
"""Which late flights of 2013 made up time in the air: cuts with a report, new columns, and a file of what is left.

    python examples/python/cutflow.py [FLIGHTS [RESULT]]

FLIGHTS is the file that examples/python/flights.py writes (default: demo/flights.cstore), RESULT the new file (default:
late_flights.cstore beside it). Nothing is computed before the report, and never are all columns in memory.
The counts, sums and values are compared with those of pandas. The exit code is 1 if one differs.
Needs: pip install colstore pandas
"""

import sys
import time
from pathlib import Path

import numpy as np

import colstore
from colstore import col


def select(flights):
    """The frame: new columns, then cuts, whose report is in flights and in miles."""
    frame = flights.edit()
    frame["made_up"] = frame["dep_delay"] - frame["arr_delay"]
    frame["speed"] = np.where(frame["air_time"] > 0, frame["distance"] / frame["air_time"] * 60, np.nan)
    frame["share"] = np.tanh(frame["made_up"] / frame["air_time"])
    frame = frame.where("dep_delay > @late", "late", weight="distance", params={"late": 15})
    frame = frame.where("origin in ['JFK', 'LGA'] and not carrier == 'MQ'", "JFK or LGA")
    frame = frame.where(np.isfinite(col("speed")) & (col("distance") >= 1000), "long way")
    return frame.where(col("made_up") > 20, "made up 20 minutes")


def main():
    source = Path(sys.argv[1] if len(sys.argv) > 1 else "demo/flights.cstore")
    if not source.exists():
        sys.exit(f"{source} is not there; make it with: python examples/python/flights.py {source}")
    result = Path(sys.argv[2]) if len(sys.argv) > 2 else source.with_name("late_flights.cstore")
    with colstore.open(source) as flights:
        print(f"{len(flights):,} flights with {len(flights.columns)} columns in {source}")
        begin = time.perf_counter()
        selected = select(flights)
        report = selected.report()
        print(f"\n{report}\n\nreport after {(time.perf_counter() - begin) * 1e3:.1f} ms")
        begin = time.perf_counter()
        written = selected.drop("year", "minute", "hour").write(result)
        print(
            f"{len(written):,} flights with {len(written.columns)} columns written to {result} "
            f"in {(time.perf_counter() - begin) * 1e3:.1f} ms"
        )
        by_carrier = {
            carrier.decode(): int(written.query("carrier == @carrier", params={"carrier": carrier}).count())
            for carrier in np.unique(written["carrier"])
        }
        print("by carrier:", ", ".join(f"{carrier} {count}" for carrier, count in by_carrier.items()))
        differing = compare(flights.frame(), report, written)
        written.close()
    if differing:
        print(f"WRONG: {', '.join(differing)} differ from pandas")
        return 1
    print("right: all counts, sums and values equal those of pandas")
    return 0


def compare(flights, report, written):
    """What differs from pandas doing the same."""
    made_up = flights["dep_delay"] - flights["arr_delay"]
    speed = (flights["distance"] / flights["air_time"] * 60).where(flights["air_time"] > 0)
    cuts = [
        flights["dep_delay"] > 15,
        flights["origin"].isin([b"JFK", b"LGA"]) & (flights["carrier"] != b"MQ"),
        speed.notna() & (flights["distance"] >= 1000),
        made_up > 20,
    ]
    differing, passing = [], flights["dep_delay"].notna() | True
    for cut, found in zip(cuts, report):
        entering, passing = passing, passing & cut
        expected = (
            entering.sum(),
            passing.sum(),
            flights["distance"][entering].sum(),
            flights["distance"][passing].sum(),
        )
        if expected != (found.entering, found.passing, found.weighted_entering, found.weighted_passing):
            differing.append(f"cut {found.label!r}")
    columns = {
        **flights[passing],
        "made_up": made_up[passing],
        "speed": speed[passing],
        "share": np.tanh(made_up / flights["air_time"])[passing],
    }
    for name in written.columns:
        if not np.array_equal(written.array(name), np.asarray(columns[name], written.dtypes[name])):
            differing.append(f"column {name!r}")
    return differing


if __name__ == "__main__":
    sys.exit(main())
