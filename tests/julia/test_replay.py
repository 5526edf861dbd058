"""`replay.c`, with `replay_frames.h`, makes the calls of the Julia package: that it does, in the same order, and that
they run clean."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import check
import pytest

ROOT = check.ROOT
SOURCE = Path(__file__).parent / "replay.c"
RELEASE = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in (SOURCE, SOURCE.with_name("replay_frames.h")))
FREE = re.compile(r"colstore_\w+_free$")

#: Functions of C that Colstore.jl calls, but that no replay needs to.
NOT_REPLAYED: set[str] = set()


def replays():
    """(C function, Julia functions, calls in order) of every function that says what it replays."""
    found = []
    for part in re.split(r"\n(?=/\*)", TEXT):
        if marked := re.match(r"/\*[^/]*?replays: ([^/]*?) \*/\nstatic \w+ (\w+)\(.*?\)\n\{(.*?)\n\}", part, re.DOTALL):
            names, function, body = marked.groups()
            code = re.sub(r"/\*.*?\*/", " ", body, flags=re.DOTALL)
            calls = [name for name in re.findall(r"\b(colstore_\w+)\(", code) if not FREE.match(name)]
            found.append((function, names.replace("*", " ").split(), calls))
    return found


REPLAYS = replays()


@pytest.fixture(scope="module")
def julia():
    """name -> the calls of every Julia function of that name that makes some, in order."""
    package = check.repository()
    found = {}
    for _, definition in package.definitions():
        calls = [use.name for use in definition.uses if use.name in package.functions]
        if calls:
            found.setdefault(definition.name, []).append(calls)
    return found


def calls_of(julia, name):
    name, _, function = name.rstrip("]").partition("[")
    methods = [calls for calls in julia[name] if not function or function in calls]
    assert len(methods) == 1, f"{name} has {len(methods)} methods"
    return methods[0]


def test_every_marker_was_understood():
    assert len(REPLAYS) == TEXT.count("replays: ") > 15


@pytest.mark.parametrize("function, names, calls", REPLAYS, ids=[function for function, *_ in REPLAYS])
def test_calls_are_those_of_julia(julia, function, names, calls):
    assert calls == [call for name in names for call in calls_of(julia, name)]


def test_every_call_of_julia_is_replayed(julia):
    replayed = {call for *_, calls in REPLAYS for call in calls}
    made = {call for methods in julia.values() for calls in methods for call in calls if not FREE.match(call)}
    assert made - replayed == NOT_REPLAYED
    freed = {call for methods in julia.values() for calls in methods for call in calls if FREE.match(call)}
    assert freed == set(re.findall(r"\bcolstore_\w+_free(?=\()", TEXT))


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    built = tmp_path_factory.mktemp("replay") / "replay"
    command = ["cc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1", str(SOURCE)]
    command += ["-I", str(ROOT / "include"), "-I", str(ROOT / "tests" / "c"), "-L", str(RELEASE)]
    done = subprocess.run([*command, "-lcolstore", "-o", str(built)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return built


def run(command, scratch, **environment):
    environment = {**os.environ, "LD_LIBRARY_PATH": str(RELEASE), **environment}
    golden = ROOT / "tests" / "data" / "golden"
    done = subprocess.run(
        [*command, str(golden), str(scratch)], env=environment, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.rstrip().endswith(" passed, 0 failed"), done.stdout


def test_runs(program, tmp_path):
    run([str(program)], tmp_path)
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")}
    shards = {f"shards/run_{index}.cstore" for index in range(4)}
    assert left == {"replay.cstore", "shards", "shards/.colstore.lock", *shards}


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_runs_under_valgrind(program, tmp_path):
    valgrind = ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full"]
    valgrind += ["--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=definite,indirect"]
    # Valgrind 3.19 does not know an instruction that vector code happens to contain.
    run([*valgrind, str(program)], tmp_path, COLSTORE_TEST_VALGRIND="1", COLSTORE_ISA="scalar")
