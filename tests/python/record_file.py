"""The bytes of a `.cstore` file, made without the engine."""

import json
import struct
import zlib


def header(schema, n_records, n_rows):
    """Magic, counters and manifest for columns given as pairs of name and dtype, up to the first record."""
    described = [{"name": name, "dtype": dtype, "encoding": "raw", "nullable": False} for name, dtype in schema]
    checksum = zlib.crc32(json.dumps({"columns": described}, sort_keys=True).encode("ascii"))
    manifest = json.dumps({"format_version": 1, "columns": described, "manifest_crc32": checksum}).encode("ascii")
    counters = checked(struct.pack("<3q", n_records, n_rows, 0)).ljust(64, b"\0")
    data = b"CSTORE\0\x01" + counters + struct.pack("<Q", len(manifest)) + manifest
    return data + bytes(-len(data) % 64)


def record(number, n_rows, body):
    """One record whose columns, one after the other, are `body`."""
    return checked(b"REC\x01" + struct.pack("<3q", number, n_rows, 0)) + body + bytes(-len(body) % 8)


def checked(data):
    """`data` and its checksum."""
    return data + struct.pack("<I", zlib.crc32(data))
