"""Random sequences of what can be done to a directory of shards, and what came of each step."""

import os

import numpy as np

import colstore

NAMES = ["shard_{index:05d}.cstore", "run_{index}.cstore", "x_{index:03d}_y.cstore", "one.cstore"]


def sequence(table, directory, sources):
    """Do to `directory` what the table's random numbers say; a list of [step, name of the shard or type of the error].

    `sources` are files with the table's columns: of one record, and of several.
    """
    rng = np.random.default_rng([table.n_rows, len(table.expected)])
    return [_step(rng, table, directory, sources) for _ in range(int(rng.integers(4, 12)))]


def _step(rng, table, directory, sources):
    steps = [_columns, _columns, _source, _appender, _appender, _other_columns, _itself, _remove]
    step = steps[rng.integers(len(steps))]
    # Drawn before anything can fail, so that both implementations draw the same.
    draws = np.random.default_rng(rng.integers(2**32))
    try:
        outcome = step(draws, table, directory, sources)
    except Exception as error:
        outcome = type(error).__name__
    return [step.__name__, outcome]


def _piece(rng, table):
    start, stop = sorted(rng.integers(0, table.n_rows + 1, 2))
    return {name: _without_zeros(values[start:stop]) for name, values in table.expected.items()}


def _without_zeros(values):
    # Which of two zeros of unlike sign becomes an extreme of the statistics is not defined, and cutting a column can
    # make them its extremes.
    return np.where(values == 0, values.dtype.type(1.5), values) if values.dtype.kind == "f" else values


def _options(rng, table):
    # Statistics cannot name every column.
    statistics = bool(table.statistics and rng.random() < 0.5)
    return {"name": str(rng.choice(NAMES)), "statistics": statistics}


def _columns(rng, table, directory, sources):
    data = table.data if rng.random() < 0.3 else _piece(rng, table)
    return colstore.append(directory, data, **_options(rng, table)).name


def _source(rng, table, directory, sources):
    one, several = sources
    kind = rng.integers(5)
    with colstore.open(several) as reader, colstore.open([one, several, one]) as dataset:
        data = [one, several, reader, dataset, colstore.open([several])][kind]
        return colstore.append(directory, data, **_options(rng, table)).name


def _appender(rng, table, directory, sources):
    options = _options(rng, table)
    n = int(rng.integers(1, 2 * table.n_rows + 2))
    options["shard_size"] = [None, n, f"{n * 20} B"][rng.integers(3)]
    found = []
    with colstore.appender(directory, **options) as appender:
        for _ in range(int(rng.integers(0, 8))):
            appender.write([_piece(rng, table), sources[0]][int(rng.random() < 0.1)])
            if rng.random() < 0.2:
                path = appender.flush()
                found.append(path and path.name)
            found.append([appender.n_shards, appender.pending_rows])
    return [*found, appender.n_shards, appender.pending_rows, appender.closed]


def _other_columns(rng, table, directory, sources):
    columns = dict(table.expected)
    name = list(columns)[rng.integers(len(columns))]
    values = columns.pop(name)
    kind = rng.integers(3)
    if kind == 0:
        columns["another name"] = values
    elif kind == 1:
        columns[name] = np.zeros(table.n_rows, "S31")
    else:
        columns[name] = values
        columns["one more"] = values
    if not os.path.isdir(directory) or not any(entry.endswith(".cstore") for entry in os.listdir(directory)):
        return "nothing there"
    return colstore.append(directory, columns).name


def _itself(rng, table, directory, sources):
    if not os.path.isdir(directory):
        return "nothing there"
    return colstore.append(directory, directory, statistics=bool(rng.random() < 0.5)).name


def _remove(rng, table, directory, sources):
    shards = sorted(entry for entry in os.listdir(directory) if entry.endswith(".cstore"))
    if len(shards) < 2:
        return "too few"
    name = shards[rng.integers(len(shards))]
    os.remove(os.path.join(directory, name))
    return name
