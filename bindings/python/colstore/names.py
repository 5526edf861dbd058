"""Names of columns: which are asked for, and which are not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

# How many names an error message lists.
_LISTED_NAMES = 100


def is_names(key: object) -> bool:
    """Whether `key` is a list or tuple of names, and not empty."""
    if not isinstance(key, (list, tuple)) or not key or not isinstance(key[0], str):
        return False
    return all(isinstance(name, str) for name in key)


def check_known(names: Sequence[object], known: Collection[str], where: str) -> None:
    """`KeyError` unless all `names` are `known`; `TypeError` for what could not be a key at all."""
    unknown = [name for name in names if name not in known]
    if unknown:
        raise unknown_columns(unknown, known, where)


def unknown_columns(unknown: Sequence[object], known: Collection[str], where: str) -> KeyError:
    """The error for names that are not there."""
    listed = list(known)
    more = f", and {len(listed) - _LISTED_NAMES} more" if len(listed) > _LISTED_NAMES else ""
    what = f"column {unknown[0]!r}" if len(unknown) == 1 else f"columns {list(unknown)}"
    return KeyError(f"Unknown {what} in {where}; it has {listed[:_LISTED_NAMES]}{more}")


def selected_names(names: Sequence[str], known: Collection[str], where: str) -> tuple[str, ...]:
    """The names for `select`: known, at least one, none twice."""
    if not names:
        raise ValueError("select() needs at least one column name")
    check_known(names, known, where)
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"Duplicate column in select(): {', '.join(map(repr, twice))}; name each once")
    return tuple(names)


def remaining_names(dropped: Sequence[str], known: Collection[str], where: str) -> tuple[str, ...]:
    """The names that `drop` leaves, in their order."""
    check_known(dropped, known, where)
    gone = set(dropped)
    return tuple(name for name in known if name not in gone)


def split_key(key: tuple[object, ...]) -> tuple[object, str | tuple[str, ...] | None]:
    """`(rows, columns)` of an indexing tuple; the names are not looked up."""
    if len(key) != 2:
        raise IndexError(f"an index has at most 2 elements, rows and columns; got {len(key)}")
    rows, columns = key
    if columns is None or isinstance(columns, str):
        return rows, columns
    if isinstance(columns, (list, tuple)) and all(isinstance(name, str) for name in columns):
        return rows, tuple(columns)
    raise IndexError(f"columns are selected by a string or a list of strings; got {columns!r}")
