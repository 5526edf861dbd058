#!/usr/bin/env python3
"""Compares ROOT's RDataFrame over RColstoreDS with NumPy: on random tables of all layouts and on the flights, through
the interpreter and compiled, with one thread and two.

    .venv-root/bin/python tests/root/run.py --library TARGET/release [--flights demo/flights.cstore]

Run it by the Python that has ROOT; colstore itself is taken from bindings/python.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

TOP = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(TOP / "bindings" / "python"))

import colstore  # noqa: E402
from colstore.testing import write_columns  # noqa: E402

TYPES = {
    "b1": "bool", "i1": "Char_t", "u1": "UChar_t", "i2": "Short_t", "u2": "UShort_t", "i4": "Int_t", "u4": "UInt_t",
    "id": "Long64_t", "u8": "ULong64_t", "f2": "float", "f4": "float", "x": "double", "t": "Long64_t", "d": "Long64_t",
}  # fmt: skip


def random_columns(n, seed):
    """A column of every dtype; texts among them, which RDataFrame does not see, and which misalign what follows."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(-(2**31), 2**31, n)
    return {
        "tag": np.array([b"abc", b"d"])[numbers % 2],
        "x": rng.normal(size=n),
        "b1": numbers % 3 == 0,
        "i1": numbers.astype("i1"),
        "u1": numbers.astype("u1"),
        "i2": numbers.astype("i2"),
        "u2": numbers.astype("u2"),
        "i4": numbers.astype("i4"),
        "u4": numbers.astype("u4"),
        "id": np.arange(n),
        "u8": rng.integers(0, 2**64, n, dtype="u8"),
        "f2": rng.normal(size=n).astype("f2"),
        "f4": rng.normal(size=n).astype("f4"),
        "t": rng.integers(0, 2**40, n).astype("M8[s]"),
        "d": rng.integers(-1000, 1000, n).astype("m8[ms]"),
    }


def make_tables(folder):
    """Paths, each with the columns that it holds: one record; many of all sizes; a directory; no rows."""
    tables = {}
    whole = random_columns(100_003, 1)
    colstore.store(whole, folder / "single.cstore").close()
    tables[folder / "single.cstore"] = whole

    sizes = [1000, 0, 7, 40_001, *[63] * 100, 1, *[64] * 100, 20_000]
    records = random_columns(sum(sizes), 2)
    write_columns(folder / "records.cstore", records, records=sizes).close()
    tables[folder / "records.cstore"] = records

    (folder / "many").mkdir()
    parts = [random_columns(n, 3 + n) for n in (5000, 1, 30_000)]
    for number, part in enumerate(parts):
        part["id"] += sum(len(earlier["id"]) for earlier in parts[:number])
        colstore.store(part, folder / "many" / f"part_{number + 8}.cstore").close()
    tables[folder / "many"] = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return tables


def expected_of(columns):
    """What the programs compute, by NumPy."""
    x, i4, b1 = columns["x"], columns["i4"], columns["b1"]
    some = (x > 0.5) & (np.fmod(i4, 2) == 0)
    return {
        "count": int(some.sum()),
        "sum": float(x[some].sum()),
        "mean": float(columns["f2"][some].astype("f8").mean()),
        "defined": float(np.where(b1, x * 2 + i4, 0).sum()),
        "small": int(((columns["i1"] < 0) & (columns["u1"] > 7)).sum()),
        "t": int(columns["t"].view("i8").max()),
        "ids": int(columns["id"].sum()),
        "u8": int(columns["u8"].max()),
        "bins": np.histogram(x, 50, (-3, 3))[0],
    }


def expected_of_flights(columns):
    delay = columns["dep_delay"]
    far = (columns["distance"] > 1000) & ~np.isnan(delay)
    return {
        "count": int(far.sum()),
        "sum": float(delay[far].sum()),
        "mean": float(delay[far].mean()),
        "bins": np.histogram(delay[far & (delay < 240)], 50, (-60, 240))[0],
    }


class Comparison:
    def __init__(self):
        self.count = 0
        self.wrong = []

    def that(self, holds, what):
        self.count += 1
        if not holds:
            self.wrong.append(what)

    def results(self, what, found, expected):
        for name, value in expected.items():
            if name in found:
                close = np.allclose(np.asarray(found[name], dtype="f8"), value, rtol=1e-9, atol=1e-9)
                self.that(close, f"{what}: {name} is {found[name]}, not {value}")

    def columns(self, what, found, columns, order):
        """Every column that RDataFrame gave equals the array, once both are in the order of the rows."""
        for name, values in columns.items():
            if values.dtype.kind == "S":
                self.that(f"column {name}" not in found, f"{what}: the text {name} is a column")
                continue
            given = found[f"column {name}"]
            if order is not None:
                given = given[order]
            wanted = values.view("i8") if values.dtype.kind in "mM" else values
            same = given.dtype.kind in (wanted.dtype.kind, "O") and np.array_equal(
                given.astype(wanted.dtype), wanted, equal_nan=wanted.dtype.kind == "f"
            )
            self.that(same, f"{what}: column {name} differs ({given.dtype}, {values.dtype})")


def check_interpreted(library, threads, folder, tables, flights, compare, **environment):
    paths = [str(path) for path in [*tables, *([flights] if flights else [])]]
    output = folder / "interpreted.npz"
    command = [sys.executable, HERE / "interpreted.py", library / "libcolstore.so", str(threads), output, *paths]
    subprocess.run(list(map(str, command)), check=True, timeout=900, env=os.environ | environment)
    with np.load(output) as found_all:
        for i, path in enumerate(paths):
            what = f"{Path(path).name}, interpreted, {threads} threads {environment or ''}"
            found = {key.partition(" ")[2]: found_all[key] for key in found_all.files if key.startswith(f"{i} ")}
            types = dict(zip(found["names"].tolist(), found["types"].tolist()))
            if flights and path == str(flights):
                with colstore.open(path) as reader:
                    columns = reader.dict()
                compare.results(what, found, expected_of_flights(columns))
                if threads == 1:
                    compare.columns(what, found, columns, None)
            else:
                columns = tables[Path(path)]
                compare.results(what, found, expected_of(columns))
                compare.that(types == TYPES, f"{what}: the types are {types}")
                # Threads append in their own order.
                compare.columns(what, found, columns, np.argsort(found["column id"], kind="stable"))


def compile_program(library, folder, source, compiler):
    """Built with what the installation of ROOT has, not with root-config: in a wheel that names other directories."""
    import ROOT

    root = Path(ROOT.__file__).parent
    program = folder / source.stem
    libraries = ["Core", "RIO", "Tree", "TreePlayer", "Hist", "MathCore", "Imt", "ROOTVecOps", "ROOTDataFrame"]
    command = [
        compiler, "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", source,
        f"-I{TOP / 'include'}", f"-I{TOP / 'bindings/cpp/include'}", "-isystem", root / "include",
        f"-L{library}", "-lcolstore", f"-Wl,-rpath,{library}",
        f"-L{root / 'lib'}", *[f"-l{name}" for name in libraries], f"-Wl,-rpath,{root / 'lib'}",
        # What the wheel brings of other libraries.
        f"-Wl,-rpath-link,{root.parent / 'root.libs'}", "-pthread",
        "-o", program,
    ]  # fmt: skip
    subprocess.run(list(map(str, command)), check=True, timeout=900)
    return program


def check_compiled(program, threads, tables, compare, **environment):
    command = [program, str(threads), *tables]
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=900, env=os.environ | environment, check=False
    )
    compare.that(done.returncode == 0, f"compiled.cpp ends with {done.returncode}: {done.stdout}{done.stderr}")
    lines = done.stdout.splitlines()
    compare.that(len(lines) == len(tables), f"compiled.cpp prints {len(lines)} lines: {done.stdout}{done.stderr}")
    for line, (path, columns) in zip(lines, tables.items()):
        found = json.loads(line)
        what = f"{path.name}, compiled, {threads} threads {environment or ''}"
        compare.results(what, found, expected_of(columns))
        compare.that(found["loops"] == 1, f"{what}: {found['loops']} loops for what one can do")


def check_examples(library, flights, folder, compiler, compare):
    """Both examples print the same."""
    environment = os.environ | {"COLSTORE_LIBRARY": str(library / "libcolstore.so")}
    script = [sys.executable, TOP / "examples" / "root" / "rdataframe.py", flights]
    interpreted = subprocess.run(list(map(str, script)), capture_output=True, text=True, env=environment, check=True)
    program = compile_program(library, folder, TOP / "examples" / "root" / "rdataframe.cpp", compiler)
    compiled = subprocess.run([str(program), str(flights)], capture_output=True, text=True, check=True)
    compare.that(
        interpreted.stdout == compiled.stdout and compiled.stdout.count("\n") > 3,
        f"the examples print different things:\n{interpreted.stdout}\n{compiled.stdout}",
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--library", required=True, type=lambda text: Path(text).resolve())
    parser.add_argument("--flights", type=lambda text: Path(text).resolve())
    parser.add_argument("--compiler", default="c++")
    options = parser.parse_args()
    compare = Comparison()
    with tempfile.TemporaryDirectory(prefix="colstore-root-") as name:
        folder = Path(name)
        tables = make_tables(folder)
        program = compile_program(options.library, folder, HERE / "compiled.cpp", options.compiler)
        for threads in (1, 2):
            check_compiled(program, threads, tables, compare)
            check_compiled(program, threads, tables, compare, COLSTORE_READ_BACKEND="pread")
            check_interpreted(options.library, threads, folder, tables, options.flights, compare)
        if options.flights:
            check_examples(options.library, options.flights, folder, options.compiler, compare)
    for wrong in compare.wrong:
        print(f"WRONG: {wrong}")
    print(f"tests/root: {compare.count - len(compare.wrong)} of {compare.count} comparisons agree with NumPy")
    sys.exit(1 if compare.wrong or compare.count < 100 else 0)


if __name__ == "__main__":
    main()
