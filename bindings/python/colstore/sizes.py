"""Byte sizes written as text ("64 MiB"), and batch sizes."""

from __future__ import annotations

import re

_UNITS = {"": 1, "B": 1}
for _power, _letter in enumerate("KMGTP", start=1):
    _UNITS[_letter] = _UNITS[_letter + "B"] = 1000**_power
    _UNITS[_letter + "I"] = _UNITS[_letter + "IB"] = 1024**_power

_SIZE = re.compile(r"\s*([0-9]+)(?:\.([0-9]*))?\s*([A-Za-z]*)\s*", re.ASCII)


def parse_byte_size(text: str) -> int:
    """The number of bytes that `text` names: a number, then optionally a unit.

    Units (any case): `B`; `K KB M MB … P PB`, powers of 1000; `KI KIB … PI PIB`, powers of 1024. The number
    may have a fraction, but neither sign nor exponent. `ValueError` for anything else, or below one byte.
    """
    match = _SIZE.fullmatch(text)
    unit = _UNITS.get(match.group(3).upper()) if match else None
    if match is None or unit is None:
        raise ValueError(
            f"cannot read {text!r} as a byte size; write a number and a unit, such as '64 MiB' or '1.5 GB'"
        )
    whole, fraction = match.group(1), match.group(2) or ""
    # Exact integers: no rounding for sizes beyond 2**53.
    size: int = int(whole + fraction) * unit // 10 ** len(fraction)
    if size < 1:
        raise ValueError(f"the byte size {text!r} is below one byte")
    return size


def check_batch_size(batch_size: object) -> None:
    """Accept `None`, a positive row count, `"auto"` or a byte size as text; raise for anything else."""
    if batch_size is None:
        return
    if isinstance(batch_size, str):
        if batch_size.strip().lower() != "auto":
            parse_byte_size(batch_size)
        return
    if isinstance(batch_size, bool) or not isinstance(batch_size, int):
        raise TypeError(f"batch_size must be None, int or str; got {type(batch_size).__name__}")
    if batch_size < 1:
        raise ValueError(f"batch_size must be positive; got {batch_size}")
