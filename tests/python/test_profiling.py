"""`colstore.profiling`."""

import math
import threading
import time
from dataclasses import FrozenInstanceError

import pytest

from colstore import profiling
from colstore.profiling import ProfileResult, peak_thread_watcher, profile, profile_interleaved


def test_names():
    assert set(profiling.__all__) == {"ProfileResult", "peak_thread_watcher", "profile", "profile_interleaved"}


def test_result():
    result = ProfileResult("q", 4.0, 1.0, 3, 0, 7, 5)
    assert result.cpu_wall_ratio == 0.25
    assert result.throughput(1000) == 250_000
    assert result.report() == "q wall=4.00ms cpu=1.0ms ratio=0.25x threads=3 pf=0/7"
    assert ProfileResult("q", 4.0, 1.0, 3, None, None, 5).report().endswith("pf=n/a")
    with pytest.raises(FrozenInstanceError):
        result.label = "x"
    nothing = ProfileResult("q", 0.0, 0.0, 1, 0, 0, 1)
    assert math.isnan(nothing.cpu_wall_ratio) and nothing.throughput(5) == math.inf
    assert "ratio=nan" in nothing.report()


def test_calls():
    calls = []
    result = profile(
        lambda: calls.append("f"), repeat=3, warmup=2, setup=lambda: calls.append("s") or time.sleep(0.02), label="x"
    )
    assert calls == ["s", "f"] * 5
    assert (result.label, result.repeat) == ("x", 3)
    assert result.wall_ms < 20, "the setup is not timed"
    assert result.peak_threads >= 1


def test_interleaved():
    calls = []
    results = profile_interleaved(
        ["a", "b"], [lambda: calls.append("a"), lambda: time.sleep(0.002)], repeat=2, warmup=0,
        setups=[None, lambda: calls.append("s")],
    )  # fmt: skip
    assert [result.label for result in results] == ["a", "b"]
    assert calls == ["a", "s", "a", "s"]
    assert results[1].wall_ms >= 2


def test_wrong_arguments():
    for arguments in ({"repeat": 0}, {"warmup": -1}):
        with pytest.raises(ValueError):
            profile(int, **arguments)
    with pytest.raises(ValueError):
        profile_interleaved(["a"], [int, int])
    with pytest.raises(ValueError):
        profile_interleaved(["a"], [int], setups=[])


def test_threads_are_seen():
    with peak_thread_watcher() as peak:
        go = threading.Event()
        threads = [threading.Thread(target=go.wait) for _ in range(5)]
        for thread in threads:
            thread.start()
        time.sleep(0.05)
        go.set()
        for thread in threads:
            thread.join()
        assert peak() >= 6
    assert peak() >= 6
