"""What is timed: one table in several layouts, and what users do with it through the public Python interface.

The same code drives both packages, so it uses nothing but `import colstore`. An operation names the parts of the
interface that it needs; where a package lacks one, the operation is "not there yet" and is left out.
"""

from __future__ import annotations

import os
import tempfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Callable

import numpy as np

import colstore

ROWS = int(os.environ.get("COMPARE_ROWS", "20000000"))
THREADS = int(os.environ.get("COMPARE_THREADS", "0"))
DATA = Path(os.environ.get("COMPARE_DIR") or Path(tempfile.gettempdir()) / "colstore-compare") / str(ROWS)
PARTS = 20

#: Parts of the interface, each with the attribute that shows whether a package has it.
PARTS_OF_INTERFACE: dict[str, Callable[[], bool]] = {
    "selections": lambda: hasattr(colstore.ColStoreReader, "__getitem__"),
    "queries": lambda: hasattr(colstore, "col") and hasattr(colstore.ColStoreReader, "query"),
    "frames": lambda: hasattr(colstore.ColStoreReader, "edit"),
    "datasets": lambda: hasattr(colstore, "ColStoreDataset"),
    "streaming": lambda: hasattr(colstore, "create"),
    "concat": lambda: hasattr(colstore, "concat"),
    "compact": lambda: hasattr(colstore, "compact"),
}


@dataclass(frozen=True)
class Operation:
    name: str
    run: Callable[["Context"], Any]
    #: How often it runs within one timing.
    repeat: int
    #: Parts of the interface it uses.
    needs: tuple[str, ...]
    #: The machine's limit it is held against: a figure of `limit.c` and how many times that work it does.
    limit: tuple[str, float] | None

    def missing(self) -> list[str]:
        return [part for part in self.needs if not PARTS_OF_INTERFACE[part]()]


OPERATIONS: list[Operation] = []


def operation(
    name: str,
    run: Callable[["Context"], Any],
    *,
    repeat: int = 1,
    needs: tuple[str, ...] = (),
    limit: tuple[str, float] | None = None,
) -> None:
    OPERATIONS.append(Operation(name, run, repeat, needs, limit))


# ---------------------------------------------------------------------------------------------------- input files


def make_inputs() -> None:
    """Write the files that are not there yet: one record, 1,000 and 10,000 records, 20 files.

    A file appears under its name only when it is complete.
    """
    DATA.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(20260)
    table = {
        "x": random.standard_normal(ROWS),
        "y": random.standard_normal(ROWS),
        "z": random.standard_normal(ROWS).astype("f4"),
        "id": np.arange(ROWS, dtype="i8"),
        "tag": random.integers(0, 50, ROWS).astype("i4"),
    }

    def rows(first: int, last: int) -> dict[str, np.ndarray]:
        return {name: values[first:last] for name, values in table.items()}

    def publish(name: str, write: Callable[[str], None]) -> None:
        final, partial = DATA / name, DATA / f"{name}.part"
        if not final.exists():
            write(str(partial))
            partial.rename(final)

    def one(path: str) -> None:
        colstore.store(table, path, mode="recreate", show_progress=False).close()

    def many(records: int) -> Callable[[str], None]:
        def write(path: str) -> None:
            size = ROWS // records
            with colstore.recreate(path) as writer:
                for record in range(records):
                    writer.write(rows(record * size, (record + 1) * size))

        return write

    def part(index: int) -> Callable[[str], None]:
        def write(path: str) -> None:
            size = ROWS // PARTS
            piece = rows(index * size, (index + 1) * size)
            colstore.store(piece, path, mode="recreate", show_progress=False).close()

        return write

    publish("one.cstore", one)
    publish("rec1000.cstore", many(1000))
    publish("rec10000.cstore", many(10000))
    for index in range(PARTS):
        publish(f"part{index:02d}.cstore", part(index))


def file(name: str) -> str:
    return str(DATA / name)


def part_files() -> list[str]:
    return [file(f"part{index:02d}.cstore") for index in range(PARTS)]


# -------------------------------------------------------------------------------------------- what operations share


class Context:
    """The row selectors, and the table in each layout, opened when first used."""

    def __init__(self) -> None:
        random = np.random.default_rng(7)
        self.unsorted = random.integers(0, ROWS, ROWS // 4)
        self.sorted = np.sort(self.unsorted)
        self.few = self.unsorted[:1000].copy()
        self.mask = {density: random.random(ROWS) < density for density in (0.01, 0.1, 0.5, 0.9)}

    def _open(self, what: str | list[str]) -> Any:
        return colstore.open(what, max_workers=THREADS) if THREADS else colstore.open(what)

    @cached_property
    def one(self) -> Any:
        return self._open(file("one.cstore"))

    @cached_property
    def rec(self) -> Any:
        return self._open(file("rec1000.cstore"))

    @cached_property
    def parts(self) -> Any:
        return self._open(part_files())

    @cached_property
    def memory(self) -> dict[str, np.ndarray]:
        return self.one.dict()


def digest(result: Any) -> Any:
    """What a result is, in short and in order: arrays to the bit, floating-point scalars to ten digits."""
    if isinstance(result, dict):
        return [[name, digest(value)] for name, value in result.items()]
    if isinstance(result, np.ndarray):
        return [str(result.dtype), list(result.shape), zlib.crc32(np.ascontiguousarray(result).view(np.uint8))]
    if isinstance(result, (float, np.floating)):
        return f"{float(result):.9e}"
    if isinstance(result, (int, np.integer)):
        return int(result)
    return None


def written(write: Callable[[str], Any], stem: str) -> None:
    """Run `write` on a new path, and leave no file behind."""
    path = DATA / f"{stem}-{os.getpid()}.cstore"
    path.unlink(missing_ok=True)
    try:
        write(str(path))
    finally:
        path.unlink(missing_ok=True)


# ----------------------------------------------------------------------------------------------------- operations

# A row is 8 + 8 + 4 + 8 + 4 bytes: the copy of four columns of doubles.
COLUMN, ROW = 1.0, 4.0


def of_layout(layout: str) -> None:
    """The operations that exist for each layout of the table."""

    def table(context: Context) -> Any:
        return getattr(context, layout)

    def add(name: str, run: Callable[[Context], Any], **options: Any) -> None:
        needs = options.pop("needs", ())
        if layout == "parts":
            needs = ("datasets", *needs)
        operation(f"{layout}: {name}", run, needs=needs, **options)

    select, query, frame = ("selections",), ("selections", "queries"), ("queries", "frames")

    add("whole column", lambda c: table(c).array("x"), limit=("copy", COLUMN))
    add("all columns dict", lambda c: table(c).dict(), limit=("copy", ROW))
    add("recarray", lambda c: table(c).recarray(), limit=("copy", ROW))
    add("unsorted gather, 1 col", lambda c: table(c)[c.unsorted, "x"].array(), needs=select, limit=("gather", COLUMN))
    add("sorted gather, 1 col", lambda c: table(c)[c.sorted, "x"].array(), needs=select)
    add("unsorted gather, 5 cols", lambda c: table(c)[c.unsorted].dict(), needs=select, limit=("gather", 5.0))
    for density in (0.01, 0.1, 0.5, 0.9):
        add(f"mask {density}, 1 col", lambda c, d=density: table(c)[c.mask[d], "x"].array(), needs=select)
    add("mask 0.1, 5 cols", lambda c: table(c)[c.mask[0.1]].dict(), needs=select)
    add("stride 3, 1 col", lambda c: table(c)[::3, "x"].array(), needs=select)
    add("recarray of gather", lambda c: table(c)[c.sorted].recarray(), needs=select)
    add("query 2 predicates, 5 cols", lambda c: table(c).query("x > 0.5 and -1 < y < 1").dict(), needs=query)
    add("query selective, 1 col", lambda c: table(c).query("x > 3 and tag == 7").select("id").dict(), needs=query)
    add("query isin", lambda c: table(c).where(colstore.col("tag").isin([3, 5, 7])).select("x").dict(), needs=query)
    add("sum", lambda c: table(c)["x"].sum(), needs=select)
    add("std", lambda c: table(c)["x"].std(), needs=select)
    add("frame sqrt(x^2+y^2)", lambda c: radius(table(c)).array("r"), needs=frame)
    add("frame cut then sum", lambda c: radius(table(c)).where(colstore.col("r") > 1).sum("r"), needs=frame)
    add(
        "frame cut then write",
        lambda c: written(
            lambda path: radius(table(c)).where(colstore.col("r") > 1).select("x", "r").write(path).close(), "cut"
        ),
        needs=frame,
    )
    add("1000 rows, 5 cols", lambda c: table(c)[c.few].dict(), repeat=200, needs=select)
    add("one row, 1 col", lambda c: table(c)[12345, "x"].array(), repeat=5000, needs=select)


def radius(table: Any) -> Any:
    return table.edit().assign(r=np.sqrt(colstore.col("x") ** 2 + colstore.col("y") ** 2))


def store(context: Context) -> None:
    # Removing the file is part of the timing, for both packages alike.
    written(lambda path: colstore.store(context.memory, path, show_progress=False).close(), "store")


def stream(context: Context) -> None:
    def write(path: str) -> None:
        some = {name: values[:200_000] for name, values in context.memory.items()}
        rows = len(some["x"])
        with colstore.create(path) as writer:
            for first in range(0, rows, 100):
                writer.write({name: values[first : first + 100] for name, values in some.items()})

    written(write, "stream")


for layout in ("one", "rec", "parts"):
    of_layout(layout)
operation("open one", lambda c: colstore.open(file("one.cstore")).close(), repeat=50)
operation("open 1000 records", lambda c: colstore.open(file("rec1000.cstore")).close(), repeat=20)
operation("open 10000 records", lambda c: colstore.open(file("rec10000.cstore")).close(), repeat=5)
operation("zero-copy column", lambda c: c.one.array("x", copy=False), repeat=2000)
operation("store 5 columns", store, limit=("copy", ROW))
operation("stream 2000 records of 100 rows", stream, needs=("streaming",))
operation(
    "concat 20 files",
    lambda c: written(lambda path: colstore.concat(part_files(), out=path).close(), "concat"),
    needs=("concat",),
)
operation(
    "compact 1000 records",
    lambda c: written(lambda path: colstore.compact(file("rec1000.cstore"), out=path), "compact"),
    needs=("compact",),
)
