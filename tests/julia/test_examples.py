"""The examples for Fortran and R, as their first lines say, where the compilers are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest
from test_replay import RELEASE, ROOT

ENVIRONMENT = {**os.environ, "LD_LIBRARY_PATH": str(RELEASE)}


def run(command, **environment):
    return subprocess.run(
        [str(part) for part in command],
        env={**ENVIRONMENT, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.fixture(scope="module")
def doubles(tmp_path_factory):
    """A file of the columns x (doubles) and i (not), made by the C interface."""
    folder = tmp_path_factory.mktemp("doubles")
    source = folder / "make.c"
    source.write_text(
        """
        #include "check.h"
        int main(int argc, char **argv)
        {
            double x[1000];
            int32_t i[1000];
            for (int row = 0; row < 1000; row++) {
                x[row] = row * 0.25;
                i[row] = row;
            }
            colstore_column_data columns[] = {
                column_of("i", "<i4", i, 1000, 4), column_of("x", "<f8", x, 1000, 8)};
            store_or_exit(argv[argc - 1], columns, 2);
            return 0;
        }
        """
    )
    paths = ["-I", ROOT / "include", "-I", ROOT / "tests" / "c", "-L", RELEASE]
    made = run(["cc", "-std=c11", source, *paths, "-lcolstore", "-o", folder / "make"])
    assert made.returncode == 0, made.stderr
    assert run([folder / "make", folder / "doubles.cstore"]).returncode == 0
    return folder / "doubles.cstore"


def check_runs(command, doubles, output):
    done = run([*command, doubles, "x"])
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.fullmatch(r"rows: (\d+), sum: ([\d.]+)", done.stdout.strip())
    assert found, done.stdout
    assert (int(found[1]), float(found[2])) == (1000, 124875.0)
    for path, column, part in [
        (doubles, "no", "no"),
        (doubles, "i", output),
        (doubles.with_name("missing.cstore"), "x", "missing.cstore"),
    ]:
        failed = run([*command, path, column])
        assert failed.returncode == 1
        assert part in failed.stdout + failed.stderr


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="gfortran is not installed")
def test_fortran(doubles, tmp_path):
    program = tmp_path / "read"
    flags = ["-std=f2018", "-Wall", "-Wextra", "-Werror", "-fcheck=all", "-g", "-J", tmp_path]
    source = "examples/fortran/read.f90"
    made = run(["gfortran", *flags, source, "-L", RELEASE, "-lcolstore", "-o", program])
    assert made.returncode == 0, made.stderr
    check_runs([program], doubles, "4000")


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_r(doubles, tmp_path):
    shutil.copy(ROOT / "examples" / "r" / "read.c", tmp_path)
    made = run(
        ["R", "CMD", "SHLIB", "-o", tmp_path / "read.so", tmp_path / "read.c"],
        PKG_CPPFLAGS=f"-I{ROOT / 'include'}",
        PKG_CFLAGS="-Wall -Wextra",
        PKG_LIBS=f"-L{RELEASE} -lcolstore",
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert "warning" not in made.stderr
    check_runs(["Rscript", "examples/r/read.R", tmp_path / "read.so"], doubles, "does not hold doubles")
