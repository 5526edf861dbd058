"""One package under test, in a process of its own: commands come in on standard input, one JSON line each, and so
do the answers go out on standard output."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

import numpy  # noqa: F401  its import is not the package's

started = time.perf_counter()
import colstore  # noqa: E402

import_seconds = time.perf_counter() - started
import operations  # noqa: E402

# Whatever the package prints must not get between the answers.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def answer(**fields: Any) -> None:
    answers.write(json.dumps(fields) + "\n")
    answers.flush()


def limit_threads(threads: int) -> None:
    """Settings of the whole package, where it has them; `open` is told as well."""
    for name in ("set_max_workers", "set_gather_thread_cap"):
        if hasattr(colstore, name):
            getattr(colstore, name)(threads)


def main() -> None:
    if operations.THREADS:
        limit_threads(operations.THREADS)
    context = None
    answer(
        version=colstore.__version__,
        file=colstore.__file__,
        import_ms=round(import_seconds * 1e3, 1),
        operations=[[o.name, o.missing(), o.limit] for o in operations.OPERATIONS],
    )
    for line in sys.stdin:
        command, *arguments = json.loads(line)
        try:
            if command == "inputs":
                operations.make_inputs()
                answer()
            elif command == "open":
                context = operations.Context()
                answer()
            elif command == "digest":
                answer(digest=operations.digest(operations.OPERATIONS[arguments[0]].run(context)))
            elif command == "time":
                operation = operations.OPERATIONS[arguments[0]]
                start = time.perf_counter()
                for _ in range(operation.repeat):
                    result = operation.run(context)
                seconds = (time.perf_counter() - start) / operation.repeat
                # Giving the memory back is not timed.
                del result
                answer(ms=seconds * 1e3)
        except Exception as error:  # the operation failed; the other side must hear of it
            answer(error=f"{type(error).__name__}: {error}"[:300])


main()
