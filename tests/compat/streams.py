"""Random sequences of writers on one file: what each session writes, the same for the same table.

Two things that the reference does are left out of the comparison:

- An update that writes nothing rewrites the file: it cuts off a footer, or writes it anew. Ours leaves the file alone.
- Where the least or greatest value of a float column is zero and both signs occur, its sign depends on how NumPy went
  through the array. Ours is that of the last one.
"""

import struct
import zlib

import numpy as np


def sessions(table, seed, index):
    """A list of sessions: mode, whether with statistics, and the rows of each record."""
    rng = np.random.default_rng([seed, index, 1])
    names = list(table.expected)
    encodable = all(_is_encodable(name) for name in names)
    made, has_footer, exists = [], False, False
    for _ in range(int(rng.integers(1, 6))):
        mode = str(rng.choice(["update", "update", "recreate"])) if exists else str(rng.choice(["create", "recreate"]))
        records = []
        # A first session that writes nothing leaves no file, which is tested elsewhere.
        for _ in range(int(rng.integers(0 if mode == "update" else 1, 7))):
            start, stop = np.sort(rng.integers(0, table.n_rows + 1, 2))
            records.append((int(start), int(stop)))
        statistics = bool(encodable and rng.random() < 0.5)
        if not records:
            # An update that writes nothing leaves the file alone; 0.5.1 writes its footer anew, or cuts it off.
            statistics = has_footer
        made.append((mode, statistics, records))
        has_footer, exists = statistics, True
    return made


def run(table, path, session):
    """One session of a sequence, through whichever implementation there is."""
    import colstore

    mode, statistics, records = session
    with getattr(colstore, mode)(path, statistics=statistics) as writer:
        for start, stop in records:
            writer.write({name: table.data[name][start:stop] for name in table.expected})
        writer.write({})


def with_positive_zeros(data):
    """The bytes of a file, with every zero among the extremes of float columns made positive."""
    (offset,) = struct.unpack_from("<q", data, 24)
    if offset == 0:
        return data
    footer = bytearray(data[offset:])
    n_columns, n_records = struct.unpack_from("<II", footer, 12)
    at, dtypes = 20, []
    for _ in range(n_columns):
        texts = []
        for _ in range(2):
            (length,) = struct.unpack_from("<H", footer, at)
            texts.append(bytes(footer[at + 2 : at + 2 + length]))
            at += 2 + length
        dtypes.append(np.dtype(texts[1].decode()))
    for dtype in dtypes:
        extremes = np.frombuffer(footer, dtype, 2 * n_records, at)
        if dtype.kind == "f":
            extremes[extremes == 0] = 0
        at += extremes.nbytes + n_records
    footer[at:] = struct.pack("<I", zlib.crc32(footer[:at]))
    return data[:offset] + bytes(footer)


def _is_encodable(name):
    try:
        return len(name.encode()) <= 65535
    except UnicodeEncodeError:
        return False
