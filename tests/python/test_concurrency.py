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


@pytest.fixture
def big(tmp_path):
    """A table of 17 records, and unsorted rows of it that take a while to gather."""
    columns = {"x": np.arange(3_000_000), "y": np.arange(3_000_000) * 0.5}
    index = np.random.default_rng(0).integers(0, 3_000_000, 4_000_000)
    with colstore.testing.write_columns(tmp_path / "big", columns, records=17) as reader:
        yield reader, columns, index


def test_the_gil_is_released_during_gathers(big):
    reader, _, index = big
    mask = index[:3_000_000] % 3 == 0
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
        views = [reader[index, "x"], reader[mask, "x"], reader[::-1, "x"]]
        for read in (*[view.array for view in views], reader[index].dict, reader[index].recarray, views[0].std):
            for _ in range(100):
                before = beats[0]
                read()
                if beats[0] > before:
                    break
            else:
                pytest.fail(f"no other thread ran during a hundred of {read}")
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        thread.join()


def test_threads_gather_from_one_reader(big):
    reader, columns, _ = big
    shared = reader[np.arange(0, 3_000_000, 7)[::-1]]  # one view, resolved by whoever comes first
    wrong = []

    def work(seed):
        rng = np.random.default_rng(seed)
        try:
            for _ in range(4):
                index = rng.integers(-3_000_000, 3_000_000, 50_000)
                if not np.array_equal(reader[index, "x"].array(), columns["x"][index]):
                    wrong.append("gather")
                start = int(rng.integers(0, 2_900_000))
                mask = rng.random(100_000) < 0.3
                if not np.array_equal(
                    reader[start : start + 100_000][mask, "y"].array(), columns["y"][start : start + 100_000][mask]
                ):
                    wrong.append("mask")
                for row in rng.integers(0, 3_000_000, 300).tolist():
                    if reader[row, "x"].array()[0] != row:
                        wrong.append("row")
                if not np.array_equal(shared.dict()["y"], columns["y"][np.arange(0, 3_000_000, 7)[::-1]]):
                    wrong.append("shared")
                if reader["x"].max() != 2_999_999:
                    wrong.append("max")
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


GATHER_AND_FORK = """
import os, sys, warnings
import numpy as np, colstore
warnings.simplefilter("ignore")
reader = colstore.open(sys.argv[1])
index = np.random.default_rng(1).integers(0, reader.n_rows, 1_000_000)
mask = index % 2 == 0
view = reader[index]
def right():
    return (
        np.array_equal(view.array("x"), index)
        and np.array_equal(view.dict()["y"], index * 0.5)
        and np.array_equal(view[mask]["x"].array(), index[mask])
        and view["x"].sum() == index.sum()
    )
assert right()
for _ in range(3):
    pid = os.fork()
    if pid == 0:
        os._exit(0 if right() else 1)
    assert right()
    assert os.waitpid(pid, 0)[1] == 0
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_gather_fork_gather(big):
    subprocess.run([sys.executable, "-c", GATHER_AND_FORK, str(big[0].path)], check=True, timeout=100)


CUT_AND_FORK = """
import os, pathlib, sys, warnings
import numpy as np, colstore
warnings.simplefilter("ignore")
folder = pathlib.Path(sys.argv[1])
dataset = colstore.open(sorted(folder.glob("*.cstore")))
index = np.random.default_rng(1).integers(0, len(dataset), 500)
def read():
    return dataset[index, "x"].array()
def is_refused():
    for _ in range(3):
        try:
            read()
            return False
        except OSError as error:
            if "3.cstore" not in str(error):
                raise
    return True
for _ in range(int(sys.argv[2])):
    assert np.array_equal(read(), index)
reader, writer = os.pipe()
pid = os.fork()
if pid == 0:
    os.read(reader, 1)
    os._exit(0 if is_refused() else 1)
for _ in range(100):
    assert np.array_equal(read(), index)
os.truncate(folder / "3.cstore", 5000)
assert is_refused()
os.write(writer, b"x")
assert os.waitpid(pid, 0)[1] == 0
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
@pytest.mark.parametrize("n_reads", [0, 100])
def test_a_file_of_a_dataset_is_cut(n_reads, tmp_path):
    """However often it was read, and in the child of a process that read it: an error, and no signal."""
    for i in range(6):
        colstore.store({"x": np.arange(i * 20_000, (i + 1) * 20_000)}, tmp_path / f"{i}.cstore").close()
    command = [sys.executable, "-c", CUT_AND_FORK, str(tmp_path), str(n_reads)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


EXIT_WHILE_GATHERING = """
import sys, threading, time
import numpy as np, colstore
reader = colstore.open(sys.argv[1])
index = np.random.default_rng(1).integers(0, reader.n_rows, 4_000_000)
begun = threading.Event()
def work():
    view = reader[index]
    while True:
        begun.set()
        view.dict()
for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep(0.2)
print(time.time(), flush=True)
"""


def test_exit_while_gathering(big):
    """The interpreter does not wait for reads of other threads, nor for the threads of the engine."""
    done = subprocess.run(
        [sys.executable, "-c", EXIT_WHILE_GATHERING, str(big[0].path)], capture_output=True, text=True, timeout=60
    )
    took = time.time() - float(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert took < 5, "not the time of a gather after the other, for ever"
