"""Calibration and the files it keeps."""

import json
import os
import subprocess
import sys

import pytest

import colstore
from colstore import autotune, calibration_cache


@pytest.fixture
def cache(tmp_path, monkeypatch, settings):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    autotune._loaded.clear()
    yield tmp_path / "colstore"
    autotune._loaded.clear()


def put(cache, name, **content):
    cache.mkdir(exist_ok=True)
    (cache / name).write_text(json.dumps({"fingerprint": calibration_cache.fingerprint(), **content}))


def test_calibrate(cache, capsys):
    cap = colstore.calibrate(rounds=1)
    assert type(cap) is int and cap >= 1
    assert colstore.get_gather_thread_cap() == cap
    assert capsys.readouterr().out == ""
    kept = json.loads((cache / "threads.json").read_text())
    assert set(kept) == {"fingerprint", "thread_cap", "throughput_gbps", "calibration_version", "timestamp"}
    assert kept["thread_cap"] == cap
    assert kept["throughput_gbps"][str(cap)] > 0
    assert os.listdir(cache) == ["threads.json"]
    assert colstore.calibrate(rounds=1, persist=False, verbose=True) >= 1
    assert "GB/s" in capsys.readouterr().out
    for rounds, error in ((0, ValueError), (-1, ValueError), (1.5, TypeError), (True, TypeError)):
        with pytest.raises(error):
            colstore.calibrate(rounds=rounds)


def test_ensure_calibrated(cache, monkeypatch):
    put(cache, "threads.json", thread_cap=7)
    assert colstore.ensure_calibrated() == 7
    assert colstore.get_gather_thread_cap() == 7
    calls = []
    monkeypatch.setattr(autotune, "calibrate", lambda **keywords: calls.append(keywords) or 3)
    for content in (
        '{"thread_cap": 7}', "[]", "not json", "", '{"thread_cap": 7, "fingerprint": "v1|other"}', "[" * 100_000,
        json.dumps({"fingerprint": calibration_cache.fingerprint(), "thread_cap": 0}),
        json.dumps({"fingerprint": calibration_cache.fingerprint(), "thread_cap": "7"}),
    ):  # fmt: skip
        (cache / "threads.json").write_text(content)
        assert colstore.ensure_calibrated() == 3
    (cache / "threads.json").write_bytes(b"\xff\xfe")
    assert colstore.ensure_calibrated() == 3
    (cache / "threads.json").unlink()
    assert colstore.ensure_calibrated() == 3
    assert len(calls) == 10


def test_fingerprint():
    parts = calibration_cache.fingerprint().split("|")
    assert parts[0] == "v1" and parts[2].startswith("phys=") and parts[3].startswith("log=") and len(parts) == 5


IMPORT = "import colstore; print(colstore.get_gather_thread_cap())"


def test_importing_applies_what_was_measured(cache):
    def imported():
        done = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, timeout=60)
        assert done.stderr == ""
        return int(done.stdout)

    default = imported()
    put(cache, "threads.json", thread_cap=23)
    assert imported() == 23
    put(cache, "threads.json", thread_cap=23, fingerprint="v1|another machine")
    assert imported() == default
    (cache / "threads.json").write_text("{")
    assert imported() == default


def test_prefetch(cache, monkeypatch):
    from colstore import autotune_measure

    monkeypatch.setattr(autotune_measure, "_PICKS", 1000)
    monkeypatch.setattr(autotune_measure, "_LARGEST_SOURCE", 1 << 20)
    monkeypatch.setattr(autotune_measure, "last_level_cache_bytes", lambda: 1 << 16)
    distances = autotune.calibrate_prefetch(rounds=1)
    assert sorted(distances) == ["dram_sorted", "dram_unsorted", "resident_sorted", "resident_unsorted"]
    assert json.loads((cache / "prefetch.json").read_text())["prefetch_distances"] == distances
    assert autotune.load_cached_prefetch() == distances
    put(cache, "prefetch.json", prefetch_distances={"resident_sorted": 1, "dram_unsorted": 5})
    autotune._loaded.clear()
    assert colstore.config.resolve_prefetch_distance(100, True) == 1
    assert colstore.config.resolve_prefetch_distance(1 << 40, False) == 5
    assert colstore.config.resolve_prefetch_distance(1 << 40, True) == 8
    assert colstore.config.get_prefetch_distance() == "auto"


def test_mask_density(cache, monkeypatch):
    from colstore import autotune_measure

    monkeypatch.setattr(autotune_measure, "_MASKED_ROWS", 10_000)
    gate = autotune.calibrate_mask_density(rounds=1)
    assert gate >= 0
    assert json.loads((cache / "mask_density.json").read_text())["gate"] == gate
    put(cache, "mask_density.json", gate=0.125)
    autotune._loaded.clear()
    assert colstore.config.resolve_mask_density_gate() == 0.125


def test_clear(cache):
    assert autotune.clear_calibration() == {"threads": False, "prefetch": False, "mask-density": False}
    default = colstore.get_gather_thread_cap()
    put(cache, "threads.json", thread_cap=7)
    put(cache, "mask_density.json", gate=0.5)
    assert colstore.ensure_calibrated() == 7
    assert colstore.config.resolve_mask_density_gate() == 0.5
    assert autotune.clear_calibration() == {"threads": True, "prefetch": False, "mask-density": True}
    assert colstore.get_gather_thread_cap() == default
    assert colstore.config.resolve_mask_density_gate() == 0.0
    assert os.listdir(cache) == []


def test_a_cache_that_cannot_be_written(tmp_path, monkeypatch, settings):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert colstore.calibrate(rounds=1) >= 1
