"""RColstoreDS through ROOT's interpreter. Started by run.py as

    python interpreted.py LIBRARY THREADS OUTPUT.npz PATH...

The results for every path, and all its columns, go to OUTPUT.npz, for run.py to compare with NumPy.
"""

import sys
import warnings
from pathlib import Path

import numpy as np

warnings.filterwarnings("ignore", message=".*alpha stage")
import ROOT  # noqa: E402

TOP = Path(__file__).resolve().parent.parent.parent


def prepare(library, threads):
    ROOT.gROOT.SetBatch(True)
    if threads > 1:
        ROOT.EnableImplicitMT(threads)
    for path in [TOP / "include", TOP / "bindings" / "cpp" / "include"]:
        ROOT.gInterpreter.AddIncludePath(str(path))
    if ROOT.gSystem.Load(library) < 0:
        sys.exit(f"{library} cannot be loaded")
    if not ROOT.gInterpreter.Declare("#include <colstore/root/RColstoreDS.hxx>"):
        sys.exit("the interpreter does not take RColstoreDS.hxx")


def measure(path):
    """The actions of compiled.cpp, as strings, and all columns."""
    frame = ROOT.colstore.root.FromColstore(path)
    names = [str(name) for name in frame.GetColumnNames()]
    types = [str(frame.GetColumnType(name)) for name in names]
    results = {"names": np.array(names), "types": np.array(types)}
    lazy = {}
    if "i4" in names:
        some = frame.Filter("x > 0.5 && i4 % 2 == 0")
        lazy = {
            "count": some.Count(),
            "sum": some.Sum("x"),
            "mean": some.Mean("f2"),
            "defined": frame.Define("y", "b1 ? x * 2 + i4 : 0.0").Sum("y"),
            "small": frame.Filter("i1 < 0 && u1 > 7").Count(),
        }
        histogram = frame.Histo1D(("h", "h", 50, -3, 3), "x")
    elif "distance" in names:
        far = frame.Filter("distance > 1000 && dep_delay == dep_delay")
        lazy = {"count": far.Count(), "sum": far.Sum("dep_delay"), "mean": far.Mean("dep_delay")}
        histogram = far.Histo1D(("h", "h", 50, -60, 240), "dep_delay")
    # ROOT cannot make arrays of what C++ has as characters.
    wider = {"Char_t": "int", "UChar_t": "unsigned"}
    whole = frame
    wide = {name: f"wide_{name}" if kind in wider else name for name, kind in zip(names, types)}
    for name, kind in zip(names, types):
        if kind in wider:
            whole = whole.Define(wide[name], f"{wider[kind]}({name})")
    arrays = whole.AsNumpy(list(wide.values()))
    columns = {name: arrays[taken] for name, taken in wide.items()}
    for name, result in lazy.items():
        results[name] = np.array(result.GetValue())
    if lazy:
        results["bins"] = np.array([histogram.GetBinContent(bin) for bin in range(1, 51)])
    return results | {f"column {name}": np.asarray(values) for name, values in columns.items()}


def main():
    library, threads, output, *paths = sys.argv[1:]
    prepare(library, int(threads))
    found = {f"{i} {name}": value for i, path in enumerate(paths) for name, value in measure(path).items()}
    np.savez(output, **found)


if __name__ == "__main__":
    main()
