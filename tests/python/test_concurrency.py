"""Threads, the GIL and fork."""

import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import colstore


def test_many_threads_on_one_reader(path):
    columns = {f"c{i}": np.arange(200_000) * (i + 1) for i in range(6)}
    failures = []
    with colstore.store(columns, path) as reader:

        def work(seed):
            rng = np.random.default_rng(seed)
            try:
                for _ in range(20):
                    name = f"c{rng.integers(6)}"
                    copy = bool(rng.integers(2))
                    if not np.array_equal(reader.array(name, copy=copy), columns[name]):
                        failures.append(name)
                if not np.array_equal(reader.recarray()["c3"], columns["c3"]):
                    failures.append("recarray")
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures


def test_closing_while_others_read(path):
    values = np.arange(300_000)
    colstore.store({"x": values}, path).close()
    wrong = []
    for _ in range(20):
        reader = colstore.open(path)

        def work(reader=reader):
            try:
                while True:
                    if not np.array_equal(reader.array("x"), values):
                        wrong.append("values")
            except ValueError as error:
                if "closed" not in str(error):
                    wrong.append(error)
            except BaseException as error:
                wrong.append(error)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.005)
        reader.close()
        for thread in threads:
            thread.join()
    assert not wrong


def test_the_gil_is_released(path):
    reader = colstore.store({"x": np.zeros(4_000_000)}, path)
    beats, stop = [0], threading.Event()

    def heart():
        while not stop.is_set():
            beats[0] += 1
            time.sleep(0)  # gives the GIL back at once

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=heart)
    # From here on a thread only loses the GIL by letting go of it.
    sys.setswitchinterval(1000)
    try:
        thread.start()
        for _ in range(100):
            before = beats[0]
            reader.array("x")
            if beats[0] > before:
                break
        else:
            pytest.fail("no other thread ran during a hundred reads")
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        thread.join()


FORK = """
import os, sys, multiprocessing, warnings
import numpy as np, colstore
warnings.simplefilter("ignore")
columns = {"x": np.arange(1_000_000), "y": np.arange(1_000_000) * 0.5}
reader = colstore.store(columns, sys.argv[1])
lent = reader.array("x", copy=False)
def right(reader):
    return all(np.array_equal(v, columns[n]) for n, v in reader.dict().items()) and np.array_equal(lent, columns["x"])
assert right(reader)
def child(_):
    with colstore.open(sys.argv[1]) as other:
        return right(reader) and right(other)
pid = os.fork()
if pid == 0:
    grandchild = os.fork()
    if grandchild == 0:
        os._exit(0 if child(0) else 1)
    os._exit(0 if child(0) and os.waitpid(grandchild, 0)[1] == 0 else 1)
assert os.waitpid(pid, 0)[1] == 0
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(child, range(6)) == [True] * 6
assert right(reader)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_fork(path):
    subprocess.run([sys.executable, "-c", FORK, str(path)], check=True, timeout=100)


def test_exit_with_open_readers(path):
    """Nothing is printed and nothing waits when the interpreter goes with readers and views around."""
    colstore.store({"x": np.arange(1_000_000)}, path).close()
    program = (
        "import sys, colstore\n"
        "reader = colstore.open(sys.argv[1])\n"
        "colstore.kept = reader, reader.array('x'), reader.array('x', copy=False)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
