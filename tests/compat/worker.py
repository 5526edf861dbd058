"""One implementation, in an interpreter of its own: commands on stdin, one JSON answer a line on stdout."""

import json
import os
import shutil
import sys
import warnings

import numpy as np
import selections
import shards
import streams
from tables import Table, digest

import colstore

warnings.simplefilter("ignore")


def store(table, path):
    colstore.store(table.data, path, mode="recreate", statistics=table.statistics, show_progress=False).close()
    return {}


def write_records(table, path):
    with colstore.recreate(path, statistics=table.statistics) as writer:
        for start, stop in zip(table.cuts, table.cuts[1:]):
            writer.write({name: values[start:stop] for name, values in table.expected.items()})
    return {}


def read(table, path):
    """The columns as every way of reading gives them, which must be one."""
    with colstore.open(path) as reader:
        columns = reader.dict()
        found = digest(columns)
        ways = {"array": {name: reader.array(name) for name in reader.columns}}
        if reader.columns and "" not in reader.columns:  # NumPy may rename such a field
            records = reader.recarray()
            ways["recarray"] = {name: np.ascontiguousarray(records[name]) for name in records.dtype.names}
        if colstore.info(path).n_records == 1:
            ways["zero-copy"] = reader.dict(copy=False)
    differing = [way for way, others in ways.items() if digest(others) != found]
    return {"columns": found, "differing": differing}


def select(table, path):
    """Selections from the file at `path`, or from all of several."""
    paths = path.split(os.pathsep)
    with colstore.open(paths[0] if len(paths) == 1 else paths) as ds:
        return {"answers": selections.answers(ds, np.random.default_rng(table.n_rows))}


def compact(table, path):
    """The file at the first of two paths, compacted to the second, and in place to the same bytes."""
    source, out = path.split(os.pathsep)
    colstore.compact(source, out=out, show_progress=False)
    in_place = out + ".in_place"
    shutil.copyfile(source, in_place)
    colstore.compact(in_place, show_progress=False)
    with open(out, "rb") as a, open(in_place, "rb") as b:
        same = a.read() == b.read()
    os.unlink(in_place)
    if not same:
        raise AssertionError("compacted in place it has other bytes")
    return {}


def concat(table, path):
    """All files but the last to the last."""
    *sources, out = path.split(os.pathsep)
    colstore.concat(sources, out=out).close()
    return {}


def change_shards(table, path):
    directory, *sources = path.split(os.pathsep)
    return {"answers": shards.sequence(table, directory, sources)}


held_directories = []


def hold_directory(table, path):
    held_directories.append(colstore.appender(path))
    return {}


def release_directory(table, path):
    held_directories.pop().close()
    return {}


def is_locked(table, path):
    """What becomes of a writer while another holds the directory."""
    found = []
    for write in (lambda: colstore.append(path, {"x": np.arange(3)}), lambda: colstore.appender(path).close()):
        try:
            write()
            found.append(False)
        except OSError as error:
            found.append("lock" in str(error))
    return {"locked": found}


def describe(table, path):
    return {"columns": table.digest(), "statistics": table.statistics, "rows": table.n_rows}


def stream(table, path, step=None):
    """All sessions of a table's sequence, or one of them."""
    made = streams.sessions(table, *key)
    for session in made if step is None else made[step : step + 1]:
        streams.run(table, path, session)
    return {"sessions": len(made), "records": sum(len(records) for _, _, records in made)}


def hold(table, path):
    """Keeps a writer open, and writes nothing."""
    held.append(colstore.update(path))
    return {}


def release(table, path):
    held.pop().close()
    return {}


def open_writer(table, path):
    """Why no writer can be had; nothing, if one can."""
    messages = {}
    for mode in ("update", "recreate"):
        try:
            writer = getattr(colstore, mode)(path)
            writer.write({"x": np.arange(3)})
            writer.close()
            messages[mode] = ""
        except Exception as error:
            messages[mode] = str(error)
    return {"messages": messages}


held = []
COMMANDS = {
    "store": store,
    "write_records": write_records,
    "read": read,
    "select": select,
    "compact": compact,
    "concat": concat,
    "describe": describe,
    "change_shards": change_shards,
    "hold_directory": hold_directory,
    "release_directory": release_directory,
    "is_locked": is_locked,
    "stream": stream,
    "hold": hold,
    "release": release,
    "open_writer": open_writer,
}

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # whatever else is printed does not mix with the answers
print(
    json.dumps({"file": colstore.__file__, "version": colstore.__version__, "numpy": np.__version__}),
    file=answers,
    flush=True,
)
table, key = None, None
for line in sys.stdin:
    command = json.loads(line)
    try:
        if key != (command["seed"], command["index"]):
            key = (command["seed"], command["index"])
            table = Table(*key)
        answer = COMMANDS[command["do"]](table, command["path"], **command["more"])
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:500]}
    print(json.dumps(answer), file=answers, flush=True)
