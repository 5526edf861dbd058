"""Ownership of what the library gives out."""

from __future__ import annotations

from collections.abc import Callable


class Handle:
    """One pointer owned by Python, freed exactly once, when the last reference to this object goes.

    There is no `close`: whoever uses a handle holds a reference to it during the call, so that a reader closed
    in one thread never takes the memory away from a read in another.
    """

    __slots__ = ("_free", "pointer")

    def __init__(self, pointer: int, free: Callable[[int], None]) -> None:
        self.pointer = pointer
        # Kept here, because module globals may be gone when the interpreter exits.
        self._free = free

    def __del__(self) -> None:
        self._free(self.pointer)
