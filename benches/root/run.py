#!/usr/bin/env python3
"""Builds and runs the benchmark of RDataFrame over colstore against RDataFrame over a TTree.

    make bench-root [ROWS=20000000]

The files stay in the folder given, and are in the page cache when they are read.
"""

import argparse
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "root"))
from run import compile_program  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--library", required=True, type=lambda text: Path(text).resolve())
    parser.add_argument("--folder", required=True, type=lambda text: Path(text).resolve())
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--compiler", default="c++")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    program = compile_program(
        options.library, options.folder, Path(__file__).parent / "rdataframe.cpp", options.compiler
    )
    files = [options.folder / f"{options.rows}.{suffix}" for suffix in ("cstore", "root")]
    for threads in (1, 2):
        command = [program, *files, str(options.rows), str(threads), str(options.rounds)]
        subprocess.run(list(map(str, command)), check=True)


if __name__ == "__main__":
    main()
