"""Finds `libcolstore`, loads it, and makes sure that it is the one this package was written for."""

from __future__ import annotations

import ctypes
import os
import sys

from .prototypes import PROTOTYPES

#: Version of the C interface that the prototypes describe.
ABI_VERSION = 1

#: Names the file to load; nothing else is tried when it is set.
VARIABLE = "COLSTORE_LIBRARY"

_FILE_NAMES = {"darwin": "libcolstore.dylib", "win32": "colstore.dll"}


def find() -> str:
    """The path of the library: `$COLSTORE_LIBRARY`, else the one beside this module."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return chosen
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), _FILE_NAMES.get(sys.platform, "libcolstore.so"))


def load(path: str) -> ctypes.CDLL:
    """Load the library at `path` and declare its functions; `ImportError` naming the file if it cannot be used."""
    # CDLL, not PyDLL: every call releases the GIL.
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"the native library of colstore could not be loaded from {path!r}: {error}. "
            f"Install the package with pip, or set {VARIABLE} to the path of libcolstore.",
            path=path,
        ) from None
    try:
        library.colstore_abi_version.restype = ctypes.c_uint32
        found = library.colstore_abi_version()
    except AttributeError:
        raise ImportError(f"{path!r} is not libcolstore: it has no function colstore_abi_version.", path=path) from None
    if found != ABI_VERSION:
        raise ImportError(
            f"the native library that was loaded, {path!r}, has ABI version {found}; this package needs {ABI_VERSION}. "
            f"Reinstall colstore, or correct {VARIABLE}.",
            path=path,
        )
    try:
        for name, (result, arguments) in PROTOTYPES.items():
            function = getattr(library, name)
            function.restype = result
            function.argtypes = arguments
    except AttributeError:
        raise ImportError(
            f"the native library that was loaded, {path!r}, lacks the function {name}.", path=path
        ) from None
    return library


#: The file that was loaded.
path = find()
lib = load(path)
