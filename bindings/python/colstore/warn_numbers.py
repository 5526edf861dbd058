"""What NumPy says of divisions by zero and the like, said of computations of the engine."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ._native.callbacks import DIVIDE, INVALID, OVERFLOW, UNDERFLOW
from .user_warning import warn_user

_KINDS = (
    (DIVIDE, "divide", "divide by zero"),
    (OVERFLOW, "over", "overflow"),
    (UNDERFLOW, "under", "underflow"),
    (INVALID, "invalid", "invalid value"),
)


def warn_met(flags: int) -> None:
    """Do about the conditions in `flags` what `numpy.errstate` says: mostly a `RuntimeWarning` for each."""
    if not flags:
        return
    wanted: Mapping[str, str] = np.geterr()  # type: ignore[assignment]
    for bit, kind, name in _KINDS:
        if flags & bit:
            _handle(wanted[kind], bit, name)


def _handle(action: str, bit: int, name: str) -> None:
    message = f"{name} encountered in an expression"
    if action == "warn":
        warn_user(message, RuntimeWarning)
    elif action == "raise":
        raise FloatingPointError(message)
    elif action == "print":
        print(f"Warning: {message}")
    elif action in ("call", "log"):
        handler = np.geterrcall()
        if action == "call" and callable(handler):
            handler(name, bit)
        elif handler is not None and hasattr(handler, "write"):
            handler.write(f"Warning: {message}\n")
