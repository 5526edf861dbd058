"""Large results: ordinary arrays, over memory that is used again."""

import gc
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import colstore
from colstore._native import memory

N_ROWS = 1_000_000  # 8 MB: large enough for the allocator of libcolstore


@pytest.fixture
def store(tmp_path):
    values = np.arange(N_ROWS, dtype="f8")
    with colstore.store({"x": values, "y": -values}, tmp_path / "large.cstore") as reader:
        yield reader, values


def address(array):
    return array.__array_interface__["data"][0]


def test_results_are_ordinary_arrays(store):
    reader, values = store
    for array in (reader.array("x"), reader.dict()["x"], reader.recarray()):
        assert type(array) is np.ndarray
        assert array.flags.owndata and array.flags.writeable and array.flags.c_contiguous
        assert array.base is None
    array = reader.array("x")
    array[0] = 7
    array.resize(2 * N_ROWS, refcheck=False)
    assert array[0] == 7 and np.array_equal(array[1:N_ROWS], values[1:])
    assert not array[N_ROWS:].any()
    assert np.array_equal(pickle.loads(pickle.dumps(reader.array("y"))), -values)


def test_memory_is_used_again(store):
    reader, values = store
    first = reader.array("x")
    used = address(first)
    copy = first.copy()
    del first
    gc.collect()
    second = reader.array("y")
    assert address(second) == used
    assert np.array_equal(second, -values) and np.array_equal(copy, values)
    # While it is in use it is nobody else's.
    assert address(reader.array("x")) != used and np.array_equal(second, -values)


def test_the_allocator_is_numpys_own_again_afterwards(store):
    reader, _ = store
    from numpy._core.multiarray import get_handler_name

    array = reader.array("x")
    assert get_handler_name(array) == "colstore"
    assert get_handler_name(np.empty(10 << 20)) == "default_allocator"


def test_without_the_hook_it_is_numpy(store, monkeypatch):
    reader, values = store
    monkeypatch.setattr(memory, "_chooser", None)
    monkeypatch.setattr(memory, "_tried", True)
    assert np.array_equal(reader.array("x"), values)


def test_threads_do_not_share_blocks(store):
    reader, values = store
    failures = []

    def work():
        for _ in range(20):
            x, y = reader.array("x"), reader.array("y")
            if not (np.array_equal(x, values) and np.array_equal(y, -values)):
                failures.append("values")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_arrays_may_be_freed_at_exit(store):
    reader, _ = store
    program = (
        "import sys, numpy as np, colstore\n"
        f"kept = colstore.open({str(reader.path)!r}).array('x')\n"
        "class Late:\n"
        "    def __del__(self): self.array[0] = 1\n"
        "sys.modules['late'] = late = Late()\n"
        "late.array = kept\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
