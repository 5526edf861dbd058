"""Lists of texts that the library gives out, and the files that a path stands for."""

from __future__ import annotations

import os
from ctypes import byref, c_size_t, c_void_p, string_at

from .errors import raise_error
from .handles import Handle
from .library import lib


def take_names(pointer: c_void_p) -> list[bytes]:
    """The texts of a `colstore_names`, which is freed."""
    names = Handle(pointer.value or 0, lib.colstore_names_free)
    error, count, text, length = c_void_p(), c_size_t(), c_void_p(), c_size_t()
    status = lib.colstore_names_count(names.pointer, byref(count), byref(error))
    if status:
        raise_error(status, error)
    texts = []
    for index in range(count.value):
        status = lib.colstore_names_get(names.pointer, index, byref(text), byref(length), byref(error))
        if status:
            raise_error(status, error)
        texts.append(string_at(text, length.value) if length.value else b"")
    return texts


def expand_path(path: str) -> list[str]:
    """The files that `path` stands for: a directory's shards, a pattern's matches, or the path itself."""
    error, out, encoded = c_void_p(), c_void_p(), os.fsencode(path)
    status = lib.colstore_paths_expand(encoded, len(encoded), byref(out), byref(error))
    if status:
        raise_error(status, error)
    return [os.fsdecode(text) for text in take_names(out)]
