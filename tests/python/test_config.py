"""`colstore.config`: defaults, validation, and what settings do."""

import numpy as np
import pytest

import colstore
from colstore import config

DEFAULTS = {
    "max_workers": colstore.max_threads(),
    "convert_auto_workers": 8,
    "default_backend": "cpp",
    "default_madvise": "sequential",
    "default_memory_budget": 33554432,
    "numa_policy": "auto",
    "write_method": "auto",
    "prefetch_distance": "auto",
    "mask_density_gate": "auto",
    "multifile_mask_density_gate": 0.0,
    "gather_binding": False,
    "gather_bind_llc_margin": 1.0,
    "preview_rows": 10,
    "preview_memory_limit": 268435456,
    "preview_precision": 6,
    "read_backend": "mmap",
}

GOOD = {
    "max_workers": [1, 7, 10**6, np.int64(3)],
    "convert_auto_workers": [1, 99],
    "gather_thread_cap": [1, 3],
    "default_backend": ["numpy", "cpp"],
    "default_madvise": ["normal", "random", "willneed", "dontneed", "sequential", None],
    "default_memory_budget": [1, 2**40],
    "numa_policy": ["interleave", "local", "auto"],
    "write_method": ["pwrite", "mmap", "auto"],
    "prefetch_distance": [0, 1, 16384, "auto"],
    "mask_density_gate": [0, 0.25, 2, "auto"],
    "multifile_mask_density_gate": [0, 0.5, 3],
    "gather_binding": [True, False],
    "gather_bind_llc_margin": [0.1, 5],
    "preview_rows": [0, 100],
    "preview_memory_limit": [0, 1],
    "preview_precision": [0, 15],
    "read_backend": ["pread", "mmap"],
}

BAD = {
    "max_workers": [0, -1, "x", None],
    "convert_auto_workers": [0, "x"],
    "gather_thread_cap": [0, -3, "x"],
    "default_backend": ["rust", None, 1],
    "default_madvise": ["often", 1],
    "default_memory_budget": [0, -1],
    "numa_policy": ["remote", None],
    "write_method": ["aio", None],
    "prefetch_distance": [-1, 16385, 1.5, True, "far", None],
    "mask_density_gate": [-0.1, True, "x", None, float("nan")],
    "multifile_mask_density_gate": [-1, "x", True],
    "gather_bind_llc_margin": [0, -1, "x"],
    "preview_rows": [-1, "x"],
    "preview_memory_limit": [-1],
    "preview_precision": [-1],
    "read_backend": ["aio", None],
}


def getter(name):
    return getattr(config, "get_" + name)


def setter(name):
    return getattr(config, "set_" + name)


def test_defaults():
    for name, value in DEFAULTS.items():
        assert getter(name)() == value, name
    assert colstore.get_gather_thread_cap() >= 1


@pytest.mark.parametrize("name", sorted(GOOD))
def test_good_values(name, settings):
    for value in GOOD[name]:
        setter(name)(value)
        assert getter(name)() == value


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_values(name, settings):
    before = getter(name)()
    for value in BAD[name]:
        with pytest.raises(ValueError):
            setter(name)(value)
        assert getter(name)() == before


def test_texts_of_errors(settings):
    for name, value, fragment in (
        ("gather_thread_cap", 0, ">= 1"),
        ("numa_policy", "x", "numa policy"),
        ("preview_rows", -1, ">= 0"),
        ("preview_memory_limit", -1, ">= 0"),
        ("preview_precision", -1, ">= 0"),
    ):
        with pytest.raises(ValueError, match=fragment):
            setter(name)(value)


def test_top_level_names():
    for name in ("convert_auto_workers", "default_backend", "default_madvise", "gather_thread_cap", "max_workers"):
        assert getattr(colstore, "get_" + name) is getter(name)
        assert getattr(colstore, "set_" + name) is setter(name)


def test_literals():
    from typing import get_args

    assert get_args(config.GatherBackend) == config.BACKENDS
    assert get_args(config.MadviseOption) == config.MADVISE
    assert get_args(config.NumaPolicy) and get_args(config.WriteMethod)


def test_resolving(settings):
    assert config.resolve_gather_thread_cap(None) == config.get_gather_thread_cap()
    assert [config.resolve_gather_thread_cap(cap) for cap in (-1, 0, 1, 5)] == [1, 1, 1, 5]
    assert config.resolve_prefetch_distance(1 << 30, False) == 8
    config.set_prefetch_distance(3)
    assert config.resolve_prefetch_distance(1, True) == 3
    assert config.resolve_mask_density_gate() == 0.0
    config.set_mask_density_gate(0.5)
    assert config.resolve_mask_density_gate() == 0.5


def test_the_engine_knows(settings):
    from colstore._native.settings import get_setting

    config.set_gather_thread_cap(3)
    config.set_numa_policy("local")
    config.set_prefetch_distance(12)
    config.set_mask_density_gate(0.25)
    config.set_read_backend("pread")
    assert get_setting("max_threads") == "3"
    assert get_setting("numa_policy") == "local"
    assert get_setting("prefetch_distance") == "12"
    assert float(get_setting("mask_density_gate")) == 0.25
    assert get_setting("read_backend") == "pread"
    with pytest.raises(ValueError):
        get_setting("nonsense")


def test_defaults_of_readers(settings, path):
    colstore.store({"x": [1]}, path).close()
    config.set_default_backend("numpy")
    config.set_max_workers(5)
    with colstore.open(path) as reader:
        assert (reader.backend, reader.max_workers) == ("numpy", 5)
        assert reader.array("x").tolist() == [1]
    with colstore.open(path, backend="cpp", max_workers=2) as reader:
        assert (reader.backend, reader.max_workers) == ("cpp", 2)
    for option in config.MADVISE:
        config.set_default_madvise(option)
        with colstore.open(path) as reader:
            assert reader.array("x").tolist() == [1]
