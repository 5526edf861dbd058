"""Writers that are killed, and readers beside writers: whoever opens the file sees whole commits, and no errors."""

import os
import shutil
import signal
import sys
import tempfile
import time

import numpy as np
import pytest

import colstore

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

#: Rows of a record.
ROWS = 3


@pytest.fixture
def directory():
    """A directory in memory, where there is one: flushes are what takes the time here, and none is needed."""
    parent = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    made = tempfile.mkdtemp(prefix="colstore-stress-", dir=parent)
    yield made
    shutil.rmtree(made, ignore_errors=True)


def fork(work):
    """A process of its own that does `work`; its exit code is 0 if that raises nothing."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except BaseException as error:
        os.write(2, f"in the child: {type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(code)


def ended(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def record(number):
    start = number * ROWS
    return {"a": np.arange(start, start + ROWS), "b": np.arange(start, start + ROWS) * 0.25}


def whole_records(path):
    """The number of records in the file, after a look at every value."""
    with colstore.open(path) as reader:
        n = len(reader)
        a, b = reader.array("a"), reader.array("b")
    assert n % ROWS == 0
    np.testing.assert_array_equal(a, np.arange(n))
    np.testing.assert_array_equal(b, np.arange(n) * 0.25)
    return n // ROWS


def read_until(path, is_done, allow_missing=False):
    """Open and check the file again and again; the number of records never falls."""
    before = 0
    while not is_done(before):
        try:
            found = whole_records(path)
        except FileNotFoundError:
            if allow_missing:
                continue
            raise
        assert found >= before, (found, before)
        before = found


def test_kill_9(directory):
    """200 writers in a row, each killed somewhere on its way; every commit that has returned is there afterwards."""
    path, stop = os.path.join(directory, "t.cstore"), os.path.join(directory, "stop")
    colstore.store(record(0), path).close()
    reader = fork(lambda: read_until(path, lambda _: os.path.exists(stop)))
    rng = np.random.default_rng(9)
    for round in range(200):
        begin = whole_records(path)
        receive, send = os.pipe()

        def write(mode="recreate" if round % 10 == 9 else "update"):
            writer = getattr(colstore, mode)(path, statistics=round % 3 == 0)
            number = begin
            if mode == "recreate":
                for number in range(begin):
                    writer.write(record(number))
                number = begin
            while True:
                for _ in range(int(rng.integers(1, 5))):
                    writer.write(record(number))
                    number += 1
                writer.commit()
                os.write(send, number.to_bytes(8, "little"))

        child = fork(write)
        os.close(send)
        if round % 2:
            os.read(receive, 8)
        time.sleep(float(rng.random()) * 0.004)
        os.kill(child, signal.SIGKILL)
        assert ended(child) == -signal.SIGKILL
        acknowledged = begin
        with open(receive, "rb") as pipe:
            data = pipe.read()
            if data:
                acknowledged = int.from_bytes(data[-8:], "little")
        assert whole_records(path) >= acknowledged
        if whole_records(path) > 3000:
            # The reader's numbers must not fall, so it starts anew with the file.
            open(stop, "w").close()
            assert ended(reader) == 0
            os.unlink(stop)
            colstore.store(record(0), path, mode="recreate").close()
            reader = fork(lambda: read_until(path, lambda _: os.path.exists(stop)))
    open(stop, "w").close()
    assert ended(reader) == 0
    left = {name for name in os.listdir(directory) if not name.endswith(".tmp")}
    assert left == {"t.cstore", "stop"}
    with colstore.update(path) as writer:
        writer.write(record(writer.n_records))


def test_10000_commits_beside_a_reader(directory):
    path = os.path.join(directory, "t.cstore")
    writer = colstore.create(path)
    writer.write(record(0))
    writer.commit()
    n = 10_000
    readers = [fork(lambda: read_until(path, lambda found: found == n)) for _ in range(2)]
    for number in range(1, n):
        writer.write(record(number))
        writer.commit()
    writer.close()
    assert [ended(reader) for reader in readers] == [0, 0]
    assert colstore.info(path).n_records == n


def test_files_replaced_beside_a_reader(directory):
    """Every reader has the old file or the new one, and keeps what it has mapped."""
    path, stop = os.path.join(directory, "t.cstore"), os.path.join(directory, "stop")

    def table(generation):
        return {"x": np.full(1 + (generation * 7919) % 3000, generation)}

    colstore.store(table(0), path).close()

    def read():
        held, before = [], 0
        while not os.path.exists(stop):
            reader = colstore.open(path)
            view = reader["x"].array(copy=False)
            generation = int(view[0])
            assert generation >= before and len(view) == len(table(generation)["x"])
            before = generation
            held = [*held[-20:], (generation, view)]
            for generation, view in held:
                assert (view == generation).all()

    child = fork(read)
    for generation in range(1, 600):
        if generation % 2:
            with colstore.recreate(path) as writer:
                writer.write(table(generation))
        else:
            colstore.store(table(generation), path, mode="recreate").close()
    open(stop, "w").close()
    assert ended(child) == 0
    assert set(os.listdir(directory)) == {"t.cstore", "stop"}


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a file system")
def test_a_full_file_system(tmp_path):
    """A small file system that fills up: every write that succeeded counts, and the one that failed says why."""
    mount = tmp_path / "small"
    mount.mkdir()
    if os.geteuid() != 0 or os.system(f"mount -t tmpfs -o size=256k none '{mount}' 2> /dev/null") != 0:
        pytest.skip("no permission to mount a file system")
    try:
        path = mount / "t.cstore"
        with colstore.create(path) as writer:
            number = 0
            with pytest.raises(OSError, match="No space left"):
                while True:
                    writer.write(record(number))
                    number += 1
                    if number % 100 == 0:
                        writer.commit()
        assert whole_records(path) == number > 1000
        with pytest.raises(OSError, match="No space left"), colstore.recreate(path) as writer:
            writer.write({"x": np.zeros(100_000)})
        assert os.listdir(mount) == ["t.cstore"]
        assert whole_records(path) == number
    finally:
        os.system(f"umount '{mount}'")
