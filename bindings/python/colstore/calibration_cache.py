"""Results of calibrations, kept in files for later processes on the same machine.

They are JSON objects in `$XDG_CACHE_HOME/colstore`, else `~/.cache/colstore`. What was measured on another machine, or
cannot be read, counts as not there.
"""

from __future__ import annotations

import os
from typing import Any

#: The kinds of results, and their files.
THREADS = "threads.json"
PREFETCH = "prefetch.json"
MASK_DENSITY = "mask_density.json"

_VERSION = 1


def directory() -> str:
    """Where the files are."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "colstore")


def path_of(name: str) -> str:
    """The path of one file, which need not be there."""
    return os.path.join(directory(), name)


def fingerprint() -> str:
    """What must be equal for a result to count: processor, cores, operating system."""
    import platform

    from ._native.settings import machine

    cores = machine()
    return f"v{_VERSION}|{platform.machine()}|phys={cores.physical_cores}|log={cores.logical_cores}|{platform.system()}"


def read(name: str) -> dict[str, Any] | None:
    """The result in a file, if it was measured on this machine."""
    result = read_any(name)
    return result if result is not None and result.get("fingerprint") == fingerprint() else None


def read_any(name: str) -> dict[str, Any] | None:
    """The result in a file, wherever it was measured."""
    try:
        with open(path_of(name), encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return None
    import json

    try:
        result = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return result if isinstance(result, dict) else None


def write(name: str, result: dict[str, Any]) -> None:
    """Keep a result. It is complete or not there; a directory that cannot be written is no error."""
    import json
    import time

    content = {"fingerprint": fingerprint(), **result, "calibration_version": _VERSION, "timestamp": time.time()}
    path = path_of(name)
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        os.makedirs(directory(), exist_ok=True)
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(content, file, indent=2)
        os.replace(temporary, path)
    except OSError:
        pass


def remove(name: str) -> bool:
    """Remove a file; whether there was one."""
    try:
        os.unlink(path_of(name))
    except OSError:
        return False
    return True
