#!/usr/bin/env python3
"""Random tables through this package and through the reference (colstore 0.5.1), side by side.

    python tests/compat/run.py --ours PYTHON --ref PYTHON [--tables 200] [--seed N] [--only INDEX]

PYTHON is an interpreter in which `import colstore` gives the implementation. Both store every table: the files must be
equal byte for byte. Both run random sequences of writers on a file, each alone and the two in turn: again the files
must be equal, but for what `streams.py` says. A writer of either must find the lock of the other's. The reference reads
ours; we read the reference's, of one record and of several. Both read random selections of one record, of several, and
of two files: values, previews and errors must be equal. Both compact the reference's files and put them
together: bytes must be equal. Both add shards to a directory in random sequences: names, errors and bytes must be equal.
The exit code is 1 if anything differs.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from selections import same
from streams import with_positive_zeros

HERE = os.path.dirname(os.path.abspath(__file__))


class Worker:
    """An implementation in its own interpreter, kept alive for all tables."""

    def __init__(self, label, python):
        self.label = label
        environment = {key: value for key, value in os.environ.items() if label == "ours" or key != "COLSTORE_LIBRARY"}
        # The package comes from the interpreter, unless it is ours and PYTHONPATH says where.
        path = [HERE, environment.get("PYTHONPATH", "")] if label == "ours" else [HERE]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, path))
        self.process = subprocess.Popen(
            [python, os.path.join(HERE, "worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.hello = self._answer()

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.label}: the process ended with code {self.process.wait()}")
        return json.loads(line)

    def ask(self, do, seed, index, path="", **more):
        command = {"do": do, "seed": seed, "index": index, "path": path, "more": more}
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        answer = self._answer()
        if "error" in answer:
            raise Different(f"{self.label}: {do}: {answer['error']}")
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def compare_answers(ours, theirs):
    assert len(ours["answers"]) == len(theirs["answers"])
    wrong = [
        f"{what}: {found} instead of {wanted}"
        for (what, found), (_, wanted) in zip(ours["answers"], theirs["answers"])
        if not same(what, found, wanted)
    ]
    if wrong:
        raise Different(f"{len(wrong)} of {len(ours['answers'])} answers differ, the first: {wrong[0][:600]}")


class Different(Exception):
    """What was found is not what was expected."""


def compare_streams(ours, theirs):
    compare_files(ours, theirs, with_positive_zeros)


def compare_files(ours, theirs, prepare=bytes):
    with open(ours, "rb") as a, open(theirs, "rb") as b:
        first, second = prepare(a.read()), prepare(b.read())
    if first != second:
        at = next((i for i, (x, y) in enumerate(zip(first, second)) if x != y), min(len(first), len(second)))
        found, wanted = first[at : at + 16].hex(), second[at : at + 16].hex()
        raise Different(f"{len(first)} and {len(second)} bytes, different from byte {at}: {found} instead of {wanted}")


def compare_values(answer, expected):
    if answer["differing"]:
        raise Different(f"dict() and {', '.join(answer['differing'])} disagree")
    if answer["columns"] != expected:
        wrong = [(found, wanted) for found, wanted in zip(answer["columns"], expected) if found != wanted]
        raise Different(
            f"{len(wrong)} columns differ, the first: {wrong[:1]}; {len(answer['columns'])} of {len(expected)} columns"
        )


def compare_directories(ours, theirs):
    """Names and bytes of everything in two directories, which may both be missing."""
    listed = [sorted(os.listdir(path)) if os.path.isdir(path) else None for path in (ours, theirs)]
    if listed[0] != listed[1]:
        raise Different(f"{listed[0]} instead of {listed[1]}")
    for name in listed[0] or ():
        compare_files(os.path.join(ours, name), os.path.join(theirs, name))


def compare_steps(ours, theirs):
    for index, (found, wanted) in enumerate(zip(ours["answers"], theirs["answers"])):
        if found != wanted:
            raise Different(f"step {index}: {found} instead of {wanted}")


def compare_shards(ours, ref, seed, index, paths):
    directories = [paths["ref"] + "." + label for label in ("ours", "theirs")]
    try:
        answers = [
            worker.ask("change_shards", seed, index, os.pathsep.join([directory, paths["ref"], paths["ref_records"]]))
            for worker, directory in zip((ours, ref), directories)
        ]
        compare_steps(*answers)
        compare_directories(*directories)
    finally:
        for directory in directories:
            shutil.rmtree(directory, ignore_errors=True)


def check_directory_locks(ours, ref, directory):
    """That a writer of one keeps writers of the other out, and lets them in when it is closed."""
    for holder, other in ((ours, ref), (ref, ours)):
        holder.ask("hold_directory", 0, 0, directory)
        refused = other.ask("is_locked", 0, 0, directory)["locked"]
        holder.ask("release_directory", 0, 0)
        admitted = other.ask("is_locked", 0, 0, directory)["locked"]
        if refused != [True, True] or admitted != [False, False]:
            raise Different(f"{other.label} beside {holder.label}: locked {refused}, then {admitted}")


def check_table(ours, ref, seed, index, directory):
    """The outcome of each check of one table: (name, None or what differs)."""
    names = ("ours", "ref", "ref_records", "ours_copy", "ref_copy", "ours_stream", "ref_stream", "mixed_stream")
    paths = {name: os.path.join(directory, name + ".cstore") for name in names}

    def copied_alike(do, *sources):
        # The reference gives the result of concat other permissions, and drops symbolic links: bytes are compared.
        files = os.pathsep.join(sources)
        ours.ask(do, seed, index, files + os.pathsep + paths["ours_copy"])
        ref.ask(do, seed, index, files + os.pathsep + paths["ref_copy"])
        compare_files(paths["ours_copy"], paths["ref_copy"])

    expected = ref.ask("describe", seed, index)
    if ours.ask("describe", seed, index) != expected:
        sys.exit(f"table {index}: the two interpreters make different inputs; their NumPy versions are too far apart")
    checks = {
        "stored alike": lambda: (
            ours.ask("store", seed, index, paths["ours"]),
            ref.ask("store", seed, index, paths["ref"]),
            compare_files(paths["ours"], paths["ref"]),
        ),
        "reference reads ours": lambda: compare_values(
            ref.ask("read", seed, index, paths["ours"]), expected["columns"]
        ),
        "ours reads the reference's": lambda: compare_values(
            ours.ask("read", seed, index, paths["ref"]), expected["columns"]
        ),
        "ours reads the reference's records": lambda: (
            ref.ask("write_records", seed, index, paths["ref_records"]),
            compare_values(ours.ask("read", seed, index, paths["ref_records"]), expected["columns"]),
        ),
        "several records compacted alike": lambda: copied_alike("compact", paths["ref_records"]),
        "one record compacted alike": lambda: copied_alike("compact", paths["ref"]),
        "files put together alike": lambda: copied_alike("concat", paths["ref"], paths["ref_records"], paths["ours"]),
        "streamed alike": lambda: (
            ours.ask("stream", seed, index, paths["ours_stream"]),
            ref.ask("stream", seed, index, paths["ref_stream"]),
            compare_streams(paths["ours_stream"], paths["ref_stream"]),
        ),
        "streamed in turn": lambda: (
            [
                (ours, ref)[step % 2].ask("stream", seed, index, paths["mixed_stream"], step=step)
                for step in range(ours.ask("stream", seed, index, paths["mixed_stream"], step=-1)["sessions"])
            ],
            compare_streams(paths["mixed_stream"], paths["ref_stream"]),
        ),
        **{
            f"selections of {what}": lambda files=files: compare_answers(
                ours.ask("select", seed, index, files), ref.ask("select", seed, index, files)
            )
            for what, files in (
                ("one record", paths["ref"]),
                ("several records", paths["ref_records"]),
                ("two files", os.pathsep.join([paths["ref"], paths["ref_records"]])),
            )
        },
        "shards": lambda: compare_shards(ours, ref, seed, index, paths),
    }
    for name, check in checks.items():
        try:
            check()
            yield name, None
        except Different as difference:
            yield name, str(difference)
    for path in paths.values():
        if os.path.exists(path):
            os.unlink(path)


def check_locks(ours, ref, seed, directory):
    """A writer of either keeps out writers of the other, which change nothing: (name, None or what differs)."""
    path = os.path.join(directory, "locked.cstore")
    ours.ask("open_writer", seed, 0, path)
    for holder, other in ((ours, ref), (ref, ours)):
        holder.ask("hold", seed, 0, path)
        before = os.path.getsize(path)
        messages = other.ask("open_writer", seed, 0, path)["messages"]
        wrong = [mode for mode, message in messages.items() if "lock" not in message]
        # The recreate of 0.5.1 empties the file before it finds that it is locked.
        if other is ours and os.path.getsize(path) != before:
            wrong.append("changed")
        holder.ask("release", seed, 0, path)
        ours.ask("open_writer", seed, 0, path)
        yield f"{other.label} finds the lock of {holder.label}", f"{wrong}: {messages}" if wrong else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, metavar="PYTHON")
    parser.add_argument("--ref", "--reference", required=True, metavar="PYTHON")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20260)
    parser.add_argument("--only", type=int, help="the one table with this index")
    arguments = parser.parse_args()
    ours, ref = Worker("ours", arguments.ours), Worker("reference", arguments.ref)
    for worker in (ours, ref):
        print(f"{worker.label:9}  {worker.hello['version']:8}  {worker.hello['file']}")
    if ours.hello["file"] == ref.hello["file"]:
        sys.exit("both are the same package")
    indices = range(arguments.tables) if arguments.only is None else [arguments.only]
    passed = failed = 0
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="colstore-compat-") as directory:
        try:
            check_directory_locks(ours, ref, os.path.join(directory, "locks"))
            passed += 1
        except Different as difference:
            failed += 1
            print(f"locks of directories: {difference}", flush=True)
        for name, difference in check_locks(ours, ref, arguments.seed, directory):
            if difference is None:
                passed += 1
            else:
                failed += 1
                print(f"{name}: {difference}", flush=True)
        for index in indices:
            for name, difference in check_table(ours, ref, arguments.seed, index, directory):
                if difference is None:
                    passed += 1
                else:
                    failed += 1
                    text = f"table {index} (seed {arguments.seed}): {name}: {difference}"
                    print(text.encode("utf-8", "backslashreplace").decode(), flush=True)
    ours.close()
    ref.close()
    print(f"{len(indices)} tables, {time.monotonic() - begin:.1f} s")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
