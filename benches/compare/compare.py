#!/usr/bin/env python3
"""Times this project's Python package against colstore 0.5.1, operation by operation, in one run.

Both packages run in processes of their own and take turns (ours, reference, ours, ...), so that a change of the
machine's speed hits both. The figure is the median over the rounds of reference time / our time: above 1, ours is
faster. A result that differs from the reference's is a failure, whatever its speed. Where the machine sets a limit
(see limit.c), it stands beside the times.

`make compare` calls this with the right interpreters; README.md in this directory says how to read the output.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


class Worker:
    """A process of `worker.py` under one interpreter."""

    def __init__(self, python: str, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [python, str(HERE / "worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.hello = self._answer()
        if "error" in self.hello:
            sys.exit(f"compare: {python} cannot run the operations: {self.hello['error']}")

    def ask(self, *command: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(command) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": f"process ended ({self.process.wait()})"}


def machine_limit(rows: int, threads: int) -> dict[str, float]:
    """The figures of limit.c in milliseconds; empty without a C compiler."""
    with tempfile.TemporaryDirectory() as directory:
        program = os.path.join(directory, "limit")
        compiler = os.environ.get("CC", "cc").split()
        build = [*compiler, "-O3", "-march=native", "-pthread", str(HERE / "limit.c"), "-o", program]
        try:
            subprocess.run(build, check=True)
            return json.loads(subprocess.check_output([program, str(rows), str(threads)]))
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"compare: no machine limit: {error}", file=sys.stderr)
            return {}


def physical_cores() -> int:
    """Cores this process may run on, counting threads of one core once."""
    cores = set()
    for cpu in os.sched_getaffinity(0):
        siblings = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        cores.add(siblings.read_text() if siblings.exists() else cpu)
    return len(cores)


def compare(ours: Worker, reference: Worker, arguments: argparse.Namespace, limit: dict[str, float]) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    failures, missing = 0, []
    print(f"{'operation':36} {'ours ms':>10} {'reference':>10} {'ratio':>7} {'limit ms':>9}")
    for index, (name, lacking, held_against) in enumerate(ours.hello["operations"]):
        if not re.search(arguments.only, name):
            continue
        if lacking:
            missing.append((name, lacking))
            continue
        mine, theirs = ours.ask("digest", index), reference.ask("digest", index)
        if "error" in mine or "error" in theirs:
            print(f"{name:36} FAILED  ours: {mine.get('error', 'ok')}  reference: {theirs.get('error', 'ok')}")
            failures += 1
            if "process ended" in mine.get("error", "") + theirs.get("error", ""):
                break
            continue
        if mine["digest"] != theirs["digest"]:
            print(f"{name:36} RESULT DIFFERS  ours {mine['digest']}  reference {theirs['digest']}"[:300])
            failures += 1
        times: list[tuple[float, float]] = []
        for _ in range(arguments.rounds):
            one, two = ours.ask("time", index), reference.ask("time", index)
            if "ms" in one and "ms" in two:
                times.append((one["ms"], two["ms"]))
        if not times:
            print(f"{name:36} FAILED while it was timed")
            failures += 1
            continue
        row = {
            "operation": name,
            "ours_ms": min(one for one, _ in times),
            "reference_ms": min(two for _, two in times),
            "ratio": statistics.median(two / one for one, two in times),
            "limit_ms": limit[held_against[0]] * held_against[1] if held_against and limit else None,
        }
        rows.append(row)
        beside = f"{row['limit_ms']:9.1f}" if row["limit_ms"] else ""
        print(
            f"{name:36} {row['ours_ms']:10.3f} {row['reference_ms']:10.3f} {row['ratio']:7.2f} {beside}".rstrip(),
            flush=True,
        )
    if missing:
        parts = sorted({part for _, lacking in missing for part in lacking})
        print(f"not there yet ({len(missing)} operations left out): {', '.join(parts)}")
        if arguments.verbose:
            for name, lacking in missing:
                print(f"    {name:36} needs {', '.join(lacking)}")
    if rows:
        ratios = [row["ratio"] for row in rows]
        print(
            f"{len(rows)} operations, {failures} wrong or failing; ratio: least {min(ratios):.2f}, geometric mean "
            f"{statistics.geometric_mean(ratios):.2f}, most {max(ratios):.2f}; slower than the reference: "
            f"{sum(ratio < 1 for ratio in ratios)}"
        )
    return {"rows": rows, "failures": failures, "not_there_yet": [name for name, _ in missing]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, metavar="PYTHON", help="interpreter that imports this project")
    parser.add_argument("--reference", required=True, metavar="PYTHON", help="interpreter that imports colstore 0.5.1")
    parser.add_argument("--rows", type=int, default=20_000_000, help="rows of the table (default %(default)s)")
    parser.add_argument("--threads", type=int, default=0, help="threads for both; 0: each at its default")
    parser.add_argument("--rounds", type=int, default=5, help="timings of each (default %(default)s)")
    parser.add_argument("--only", default="", metavar="REGEX", help="only operations whose name matches")
    parser.add_argument("--dir", default="", help="where the input files are kept (2.6 GB at 20 million rows)")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    parser.add_argument("-v", "--verbose", action="store_true", help="list the operations that are not there yet")
    arguments = parser.parse_args()

    environment = dict(os.environ, COMPARE_ROWS=str(arguments.rows), COMPARE_THREADS=str(arguments.threads))
    if arguments.dir:
        environment["COMPARE_DIR"] = arguments.dir
    if arguments.threads:
        environment["OMP_NUM_THREADS"] = str(arguments.threads)
    reference = Worker(arguments.reference, environment)
    ours = Worker(arguments.ours, environment)
    for label, worker in (("ours", ours), ("reference", reference)):
        hello = worker.hello
        print(f"{label:10} colstore {hello['version']}, import {hello['import_ms']} ms, {hello['file']}")
    # The reference writes the files, so that what ours reads does not depend on what ours writes.
    for worker, command in ((reference, "inputs"), (reference, "open"), (ours, "open")):
        answer = worker.ask(command)
        if "error" in answer:
            sys.exit(f"compare: cannot start: {answer['error']}")
    threads = arguments.threads or physical_cores()
    limit = machine_limit(arguments.rows, threads)
    if limit:
        print(
            f"limit      {threads} threads, {arguments.rows} doubles: copy {limit['copy']:.1f} ms, into fresh memory "
            f"{limit['copy_fresh']:.1f} ms; a quarter of them gathered at random {limit['gather']:.1f} ms"
        )
    result = compare(ours, reference, arguments, limit)
    if arguments.json:
        Path(arguments.json).write_text(
            json.dumps({"rows_of_table": arguments.rows, "threads": arguments.threads, "limit": limit, **result}, indent=1)
        )
    sys.exit(1 if result["failures"] else 0)


if __name__ == "__main__":
    main()
