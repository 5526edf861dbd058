"""Damaged and hostile files: the recommended outcome for each, within bounded memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

CORRUPT = Path(__file__).parent.parent / "data" / "golden" / "corrupt"
FILES = json.loads((CORRUPT / "corrupt.json").read_text())["files"]

# In a process of its own, so that a crash is a failure and memory can be measured.
PROBE = """
import json, resource, sys
import colstore, numpy
def outcome(function, path):
    try:
        return function(path)
    except colstore.FormatError as error:
        assert str(error)
        return "FormatError"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
def read(path):
    with colstore.open(path) as reader:
        records = reader.recarray()
        for name, values in reader.dict().items():
            assert reader.array(name).tobytes() == values.tobytes() == records[name].tobytes()
        return {name: values.tobytes().hex() for name, values in reader.dict().items()}
def describe(path):
    colstore.info(path)
    return "fine"
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
outcome(read, sys.argv[1])
before = peak()
for path in sys.argv[2:]:
    found = {"path": path, "read": outcome(read, path), "info": outcome(describe, path), "grown": peak() - before}
    print(json.dumps(found), flush=True)
"""


@pytest.fixture(scope="module")
def outcomes():
    paths = [str(CORRUPT / entry["file"]) for entry in FILES]
    base = str(CORRUPT / "_base.cstore")
    done = subprocess.run(
        [sys.executable, "-c", PROBE, base, base, *paths], stdout=subprocess.PIPE, text=True, timeout=100
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"the process ended after {lines[-1:]}"
    return {Path(line["path"]).name: line for line in lines}


def test_all_are_here():
    assert len(FILES) == 75


@pytest.mark.parametrize("entry", FILES, ids=lambda entry: entry["file"])
def test_outcome(outcomes, entry):
    found, base = outcomes[entry["file"]], outcomes["_base.cstore"]["read"]
    assert isinstance(base, dict) and base
    if entry["expect"] == "FormatError":
        assert found["read"] == "FormatError"
    elif entry["expect"] == "reads, values differ":
        assert isinstance(found["read"], dict) and found["read"] != base
    else:
        assert entry["expect"].startswith("reads as before")
        assert found["read"] == base
    assert found["info"] in ("fine", "FormatError")


def test_memory_stays_bounded(outcomes):
    assert max(line["grown"] for line in outcomes.values()) < 64 * 1024  # KiB
