"""Writes values.tsv: how NumPy prints values, as an oracle for the unit tests of `src/value.rs`.

    python make_values.py > values.tsv

One value a line: dtype, the bytes as stored (hex), what `str()` of the NumPy value gives. Years -999 to -1 are left
out, where NumPy prints three digits; so are counts that NumPy's own 64-bit arithmetic cannot turn into a date.
"""

import re
import struct

import numpy as np

COUNTS = [0, 1, -1, 59, 60, 86399, -86400, 12345, 951782400, 951868800, 1357017300, -12219292800]
BIG_COUNTS = [10**12, 999_999_999_999, -(10**12), 1_700_000_000_123_456_789, -(2**63), 2**63 - 1, -(2**63) + 1]
SMALL_UNITS = ["s", "ms", "us", "ns", "ps", "fs", "as", "25s", "10ms", "100ns"]
LARGE_UNITS = ["Y", "M", "W", "D", "h", "m", "7D", "3M", "15m"]


def show(dtype: str, raw: bytes) -> None:
    value = np.frombuffer(raw, dtype)[0]
    if re.match(r"-\d{3}-", str(value)):
        return
    print(f"{dtype}\t{raw.hex()}\t{value!s}")


def counts(dtype: str, values) -> None:
    for value in values:
        show(dtype, struct.pack("<q", value))


def main() -> None:
    rng = np.random.default_rng(1)
    for size, integers in ((2, "u2"), (4, "u4"), (8, "u8")):
        special = np.array([0.0, -0.0, 1, -1.5, 0.1, 1 / 3, 1e-4, 9.99e-5, 65504, np.inf, -np.inf, np.nan])
        for value in special.astype(f"f{size}"):
            show(f"<f{size}", value.tobytes())
        bits = rng.integers(0, 1 << (8 * size), 400, dtype=np.uint64).astype(integers)
        for value in bits.view(f"f{size}"):
            show(f"<f{size}", value.tobytes())
        # Powers of two: the gap below is half the gap above, where shortest digits go wrong first.
        for exponent in range(-24, 16):
            show(f"<f{size}", np.array([2.0**exponent], f"f{size}").tobytes())
    for value in (1e15, 1e16, 123456789012345678.0, 1e22, 5e-324, 1.7976931348623157e308):
        show("<f8", struct.pack("<d", value))
    for size in (1, 2, 4, 8):
        for kind in "iu":
            info = np.iinfo(f"{kind}{size}")
            mark = "|" if size == 1 else "<"
            for value in (info.min, info.min + 1, 0, 1, info.max - 1, info.max):
                show(f"{mark}{kind}{size}", int(value).to_bytes(size, "little", signed=kind == "i"))
    for unit in SMALL_UNITS:
        values = COUNTS + BIG_COUNTS
        if unit[0].isdigit():  # the count times the multiplier must fit 64 bits in NumPy
            values = [v for v in values if abs(v) < 2**53 or v == -(2**63)]
        counts(f"<M8[{unit}]", values)
    for unit in LARGE_UNITS:
        counts(f"<M8[{unit}]", [v for v in COUNTS + [-730485, 2932896, -(2**63)] if abs(v) < 10**6 or v == -(2**63)])
    counts("<M8[D]", [11016, -25509, 146097, -146097, 2932896, 4 * 10**9])


if __name__ == "__main__":
    main()
