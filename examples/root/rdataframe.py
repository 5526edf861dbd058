#!/usr/bin/env python3
"""The flights in ROOT's RDataFrame, from Python.

    COLSTORE_LIBRARY=target/release/libcolstore.so python examples/root/rdataframe.py demo/flights.cstore

Needs ROOT 6.32 or newer. An installed library (`make install`) is found without COLSTORE_LIBRARY.
"""

import os
import sys
from pathlib import Path

import ROOT

top = Path(__file__).resolve().parent.parent.parent
for path in [top / "include", top / "bindings" / "cpp" / "include"]:
    ROOT.gInterpreter.AddIncludePath(str(path))
ROOT.gSystem.Load(os.environ.get("COLSTORE_LIBRARY", "libcolstore"))
ROOT.gInterpreter.Declare("#include <colstore/root/RColstoreDS.hxx>")

flights = ROOT.colstore.root.FromColstore(sys.argv[1])  # a file, a directory, or a pattern
departed = flights.Filter("dep_delay == dep_delay")  # NaN: it did not leave
speed = departed.Filter("air_time > 0").Define("speed", "distance / (air_time / 60)")

# Nothing has been read yet: all of it is computed in one loop when the first result is looked at.
count = departed.Count()
delay = departed.Mean("dep_delay")
late = departed.Filter("dep_delay > 60").Count()
fastest = speed.Max("speed")
histogram = departed.Histo1D(("delay", "departure delay", 5, -60, 240), "dep_delay")

print(f"{count.GetValue()} flights left, on average {delay.GetValue():.3f} minutes late")
print(f"{late.GetValue()} by more than an hour; the fastest flew {fastest.GetValue():.1f} miles an hour")
for bin in range(1, 6):
    low = histogram.GetXaxis().GetBinLowEdge(bin)
    print(f"{low:4.0f} minutes and more: {histogram.GetBinContent(bin):6.0f} flights")
