"""`create`, `recreate`, `update` and `ColStoreWriter`: modes, schema, commits, locks, and what is left behind."""

import gc
import os
import shutil
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from record_file import header, record

import colstore
from colstore import config


def columns(first=0, n=3):
    return {"a": np.arange(first, first + n), "b": np.arange(first, first + n) * 0.5}


def rows(path):
    with colstore.open(path) as reader:
        return reader.dict()


def assert_rows(path, expected):
    found = rows(path)
    assert list(found) == ["a", "b"]
    np.testing.assert_array_equal(found["a"], expected)
    np.testing.assert_array_equal(found["b"], np.asarray(expected) * 0.5)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "w.cstore"


# ------------------------------------------------------------------------------------------ modes


def test_create_writes_records_and_refuses_what_exists(path):
    with colstore.create(path) as writer:
        assert (writer.path, writer.mode, writer.closed) == (path, "create", False)
        writer.write(columns(0, 3))
        writer.write(columns(3, 2))
        assert (writer.n_records, writer.committed_rows, len(writer)) == (2, 5, 5)
    assert writer.closed
    assert (writer.n_records, writer.committed_rows) == (2, 5)
    assert_rows(path, range(5))
    assert colstore.info(path).n_records == 2
    before = path.read_bytes()
    with pytest.raises(FileExistsError, match=r"w\.cstore"):
        colstore.create(path)
    assert path.read_bytes() == before
    path.write_bytes(b"")
    with pytest.raises(FileExistsError):
        colstore.create(path)


def test_recreate_creates_and_replaces(path):
    for first in (0, 10):
        with colstore.recreate(path) as writer:
            writer.write(columns(first))
        assert_rows(path, range(first, first + 3))


def test_update_appends_and_needs_a_file(path):
    with pytest.raises(FileNotFoundError):
        colstore.update(path)
    colstore.store(columns(), path).close()
    with colstore.update(path) as writer:
        assert (writer.n_records, writer.committed_rows) == (1, 3)
        writer.write(columns(3))
        assert (writer.n_records, len(writer)) == (2, 6)
    assert_rows(path, range(6))
    path.write_bytes(b"something else")
    with pytest.raises(colstore.FormatError):
        colstore.update(path)


def test_modes_are_checked(path):
    with pytest.raises(ValueError, match="mode"):
        colstore.ColStoreWriter(path, "append")
    with pytest.raises(TypeError):
        colstore.create(3)
    assert not path.exists()


def test_nothing_written_leaves_no_file(path):
    for make in (colstore.create, colstore.recreate):
        with make(path) as writer:
            assert path.exists()
            writer.write({})
        assert not path.exists()
    colstore.store(columns(), path).close()
    colstore.recreate(path).close()
    assert list(path.parent.iterdir()) == []


def test_an_update_that_writes_nothing_changes_nothing(path):
    colstore.store(columns(), path, statistics=True).close()
    with open(path, "ab") as file:
        file.write(b"orphans")
    before, stat = path.read_bytes(), os.stat(path)
    for statistics in (False, True):
        colstore.update(path, statistics=statistics).close()
    assert path.read_bytes() == before
    assert os.stat(path).st_mtime_ns == stat.st_mtime_ns


def test_an_update_cuts_what_a_dead_writer_left(path):
    colstore.store(columns(), path).close()
    good = path.read_bytes()
    with open(path, "ab") as file:
        file.write(os.urandom(5000))
    with colstore.update(path) as writer:
        writer.write(columns(3))
    assert_rows(path, range(6))
    assert path.read_bytes()[80 : len(good)] == good[80:]


def test_a_file_without_records_can_be_updated(path):
    start = header([("a", "<i8"), ("b", "<f8")], 0, 0)
    path.write_bytes(start + record(0, 1, bytes(16)))
    with colstore.update(path) as writer:
        assert (writer.n_records, len(writer)) == (0, 0)
        writer.write(columns())
    assert_rows(path, range(3))


def test_counters_are_not_trusted_over_the_records(path):
    for claimed in (2, 4):
        path.write_bytes(header([("a", "<i8")], 1, claimed) + record(0, 3, bytes(24)))
        with pytest.raises(colstore.FormatError):
            colstore.update(path)


# ------------------------------------------------------------------------------------------ records


def test_the_first_record_decides(path):
    with colstore.create(path) as writer:
        writer.write({})
        writer.write(columns())
        for wrong, fragment in [
            ({"a": np.arange(3)}, "Schema mismatch"),
            ({**columns(), "c": np.arange(3)}, "Schema mismatch"),
            ({"a": np.arange(3), "x": np.arange(3.0)}, "Column name mismatch"),
            (dict(reversed(columns().items())), "Column name mismatch"),
            ({"a": np.arange(3.0), "b": np.arange(3.0)}, "dtype"),
            ({"a": np.arange(3), "b": np.arange(4.0)}, "rows"),
            ({"a": np.arange(3), "b": np.zeros((3, 1))}, "1D"),
            ({"a": np.zeros((3, 1), int), "b": np.zeros((3, 1))}, "1D"),
        ]:
            with pytest.raises(ValueError, match=fragment):
                writer.write(wrong)
        with pytest.raises(TypeError, match="object dtype"):
            writer.write({"a": np.array([None] * 3), "b": np.arange(3.0)})
        for wrong in ([1, 2], None, np.zeros(3, [("a", "i4")]), {"a": [1, 2], "b": [1.0, 2.0]}):
            with pytest.raises(TypeError):
                writer.write(wrong)
        assert (writer.n_records, len(writer)) == (1, 3)
        writer.write({})
        writer.write(columns(3))
    with pytest.raises(ValueError, match="closed"):
        writer.write(columns())
    with pytest.raises(ValueError, match="closed"):
        writer.commit()
    writer.close()
    assert_rows(path, range(6))


def test_a_refused_first_record_decides_nothing(path):
    with colstore.create(path) as writer:
        with pytest.raises(ValueError, match="rows"):
            writer.write({"x": np.arange(3), "y": np.arange(4)})
        with pytest.raises(TypeError, match="dtype"):
            writer.write({"x": np.zeros(3, complex)})
        assert path.stat().st_size == 0
        writer.write(columns())
    assert_rows(path, range(3))


def test_records_of_no_rows(path):
    with colstore.create(path) as writer:
        writer.write(columns(0, 0))
        writer.write(columns(0, 2))
        writer.write(columns(0, 0))
        assert (writer.n_records, len(writer)) == (3, 2)
    assert_rows(path, range(2))


def test_arrays_of_every_form(path):
    """Packed here, described to the engine, or both in turn: the values are the same."""
    n = 50
    table = {
        "f2": np.linspace(-1, 1, n).astype("f2"),
        "b": np.arange(n) % 3 == 0,
        "when": np.arange(n).astype("M8[us]"),
        "took": np.arange(n).astype("m8[D]"),
        "s": np.array([f"{i:03}" for i in range(n)], "S3"),
        "u": np.array([f"é{i:03}" for i in range(n)], "U4"),
        "i": np.arange(n, dtype="i2"),
    }
    forms = [
        lambda v: v,
        lambda v: np.ascontiguousarray(v[::-1])[::-1],
        lambda v: np.repeat(v, 3)[::3],
        lambda v: v.astype(v.dtype.newbyteorder(">")),
        lambda v: np.frombuffer(v.tobytes(), v.dtype),
    ]
    without_times = {name: values for name, values in table.items() if values.dtype.kind not in "Mm"}
    for data in (table, without_times):
        with colstore.recreate(path) as writer:
            for form in forms + forms:
                writer.write({name: form(values) for name, values in data.items()})
        found = rows(path)
        for name, values in data.items():
            assert found[name].dtype == values.dtype
            np.testing.assert_array_equal(found[name], np.tile(values, 10))


def test_records_of_every_size(path):
    rng = np.random.default_rng(5)
    sizes = [0, 1, 7, 1000, 30_000, 5, 600_000, 2, 2, 4000]
    parts = [rng.standard_normal(n) for n in sizes]
    with colstore.create(path, statistics=True) as writer:
        for part in parts:
            writer.write({"x": part})
    np.testing.assert_array_equal(rows(path)["x"], np.concatenate(parts))


def test_names_become_text(path):
    with colstore.create(path) as writer:
        writer.write({1: np.arange(2), "\ud800": np.arange(2), "": np.arange(2)})
        writer.write({1: np.arange(2), "\ud800": np.arange(2), "": np.arange(2)})
    assert list(rows(path)) == ["1", "\ud800", ""]


def test_many_small_records(path):
    table = columns(0, 5000)
    with colstore.create(path) as writer:
        for start in range(0, 5000, 2):
            writer.write({name: values[start : start + 2] for name, values in table.items()})
        assert (writer.n_records, len(writer)) == (2500, 5000)
    assert_rows(path, range(5000))
    assert colstore.info(path).n_records == 2500


# ------------------------------------------------------------------------------------------ commits


def test_readers_see_whole_commits(path):
    writer = colstore.create(path)
    assert path.stat().st_size == 0
    writer.write(columns())
    assert len(colstore.open(path)) == 0
    writer.commit()
    reader = colstore.open(path)
    writer.write(columns(3))
    assert len(colstore.open(path)) == 3
    writer.close()
    assert len(colstore.open(path)) == 6
    np.testing.assert_array_equal(reader["a"].array(), range(3))


def test_a_with_block_commits_also_when_it_fails(path):
    with pytest.raises(RuntimeError, match="mine"), colstore.create(path) as writer:
        writer.write(columns())
        raise RuntimeError("mine")
    assert_rows(path, range(3))


def test_what_fails_before_the_first_record_keeps_the_old_file(path):
    colstore.store(columns(), path).close()
    before = path.read_bytes()
    with pytest.raises(ValueError, match="rows"), colstore.recreate(path) as writer:
        writer.write({"a": np.arange(3), "b": np.arange(4)})
    with pytest.raises(RuntimeError, match="mine"), colstore.recreate(path) as writer:
        raise RuntimeError("mine")
    assert writer.closed
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == ["w.cstore"]


def test_a_forgotten_writer_warns_and_commits(path):
    writer = colstore.create(path)
    writer.write(columns())
    with pytest.warns(ResourceWarning, match=r"w\.cstore"):
        del writer
        gc.collect()
    assert_rows(path, range(3))


def test_a_writer_that_could_not_be_opened_is_quiet(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for mode in ("update", "nonsense"):
            with pytest.raises((OSError, ValueError)):
                colstore.ColStoreWriter(path, mode)
            gc.collect()


def test_old_readers_keep_their_bytes(path):
    old, new = np.arange(100_000), np.arange(10) * -1
    colstore.store({"x": old}, path).close()
    readers = []
    for replace in ("recreate", "store"):
        reader = colstore.open(path)
        view = reader["x"].array(copy=False)
        readers.append((reader, view, np.array(view)))
        if replace == "recreate":
            with colstore.recreate(path) as writer:
                writer.write({"x": new})
                np.testing.assert_array_equal(colstore.open(path)["x"].array(), old)
        else:
            colstore.store({"x": new}, path, mode="recreate").close()
    np.testing.assert_array_equal(colstore.open(path)["x"].array(), new)
    for reader, view, kept in readers:
        np.testing.assert_array_equal(view, kept)
        np.testing.assert_array_equal(reader["x"].array(), kept)
    assert [entry.name for entry in path.parent.iterdir()] == ["w.cstore"]


def test_a_fork_leaves_the_writer_to_its_parent(path):
    writer = colstore.create(path)
    writer.write(columns())
    child = os.fork()
    if child == 0:
        code = 1
        try:
            try:
                writer.write(columns())
            except ValueError:
                code = 0
            del writer
            gc.collect()
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    with pytest.raises(OSError, match="lock"):
        colstore.update(path)
    writer.write(columns(3))
    writer.close()
    assert_rows(path, range(6))


def test_repr(path):
    writer = colstore.create(path)
    writer.write(columns())
    expected = "ColStoreWriter(path='w.cstore', mode='create', n_records=1, committed_rows=3"
    assert repr(writer) == expected + ")"
    writer.close()
    assert repr(writer) == expected + ", closed)"


# ------------------------------------------------------------------------------------------ statistics


def test_statistics_change_no_value_and_are_kept_by_updates(path):
    plain = path.with_name("plain.cstore")
    for target, statistics in ((path, True), (plain, False)):
        for make, first in ((colstore.create, 0), (colstore.update, 3)):
            with make(target, statistics=statistics) as writer:
                writer.write(columns(first))
    assert_rows(path, range(6))
    end = plain.stat().st_size
    assert path.read_bytes()[80:end] == plain.read_bytes()[80:]
    assert path.read_bytes()[end:].startswith(b"CSTAT\0\x01\0")
    long = path.with_name("long.cstore")
    with pytest.raises(ValueError, match="statistics"), colstore.create(long, statistics=True) as writer:
        writer.write({"n" * 70_000: np.arange(3)})
    assert not long.exists()


# ------------------------------------------------------------------------------------------ locks


def test_one_writer_at_a_time(tmp_path):
    path = tmp_path / "lock.cstore"
    first = colstore.create(path)
    for write in (lambda: None, lambda: first.write(columns()), first.commit):
        write()
        before = path.read_bytes()
        for make in (colstore.create, colstore.recreate, colstore.update):
            with pytest.raises(OSError, match="lock") as caught:
                make(path)
            assert caught.value.filename == str(path)
        assert path.read_bytes() == before
    first.close()
    with colstore.update(path) as writer:
        writer.write(columns(3))
    assert_rows(path, range(6))


def test_the_lock_holds_between_processes(path):
    colstore.store(columns(), path).close()
    program = (
        "import sys, colstore\n"
        "try:\n"
        "    colstore.update(sys.argv[1]).close()\n"
        "except OSError as error:\n"
        "    print(error)\n"
    )

    def another():
        return subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True).stdout

    with colstore.update(path):
        assert "lock" in another()
    assert another() == ""


def test_many_threads_may_use_one_writer(path):
    with colstore.create(path) as writer:
        writer.write(columns(0, 1))

        def work():
            for _ in range(200):
                writer.write(columns(0, 1))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert colstore.info(path).n_records == 801


WITHOUT_LOCKS = """
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
#define F_OFD_SETLK 37
int flock(int fd, int operation) { errno = ENOLCK; return -1; }
#define FCNTL(name)                                           \\
    int name(int fd, int command, ...)                        \\
    {                                                         \\
        va_list arguments;                                    \\
        va_start(arguments, command);                         \\
        void *argument = va_arg(arguments, void *);           \\
        va_end(arguments);                                    \\
        if (command == F_OFD_SETLK) { errno = EINVAL; return -1; } \\
        return syscall(SYS_fcntl, fd, command, argument);     \\
    }
FCNTL(fcntl)
FCNTL(fcntl64)
"""

USE_WITHOUT_LOCKS = """
import sys, warnings
import numpy as np
import colstore
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with colstore.create(sys.argv[1]) as writer:
        writer.write({"x": np.arange(3)})
print([(w.category.__name__, "not supported" in str(w.message), w.filename == __file__) for w in caught])
colstore.config.set_lock_policy("off")
warnings.simplefilter("error")
colstore.update(sys.argv[1]).close()
colstore.config.set_lock_policy("require")
try:
    colstore.update(sys.argv[1])
except OSError as error:
    print("refused")
"""


@pytest.mark.skipif(
    shutil.which("cc") is None or sys.platform != "linux" or sys.maxsize < 2**32,
    reason="needs a C compiler, and a system whose calls can be replaced",
)
def test_a_file_system_without_locks(tmp_path):
    source, library, script = tmp_path / "no_locks.c", tmp_path / "no_locks.so", tmp_path / "use.py"
    source.write_text(WITHOUT_LOCKS)
    script.write_text(USE_WITHOUT_LOCKS)
    subprocess.run(["cc", "-shared", "-fPIC", "-fno-builtin", source, "-o", library], check=True)
    result = subprocess.run(
        [sys.executable, script, tmp_path / "w.cstore"],
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == ["[('RuntimeWarning', True, True)]", "refused"]


def test_the_lock_policy_is_a_setting(path):
    assert config.get_lock_policy() == "auto"
    with pytest.raises(ValueError, match="lock policy"):
        config.set_lock_policy("maybe")
    colstore.store(columns(), path).close()
    config.set_lock_policy("off")
    try:
        with colstore.update(path), colstore.update(path):
            pass
    finally:
        config.set_lock_policy("auto")


# ------------------------------------------------------------------------------------------ disk full


def limited(program, path, limit):
    """Run a program whose files may not become larger than `limit` bytes."""
    preamble = (
        "import resource, sys\nimport numpy as np\nimport colstore\n"
        "path, limit = sys.argv[1], int(sys.argv[2])\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))\n"
    )
    return subprocess.run([sys.executable, "-c", preamble + program, path, str(limit)], capture_output=True, text=True)


def test_a_full_disk_keeps_the_records_before(path):
    """At every block: an error that says why, and a file of the records whose writes had succeeded."""
    program = """
import errno
n = [3, 40, 700, 9000, 1, 20]
for target in range(0, limit + 1, 1024):
    # In one process, since starting one takes far longer than this.
    resource.setrlimit(resource.RLIMIT_FSIZE, (target, resource.RLIM_INFINITY))
    kept, failed = [], 0
    try:
        writer = colstore.recreate(path)
        for i, rows in enumerate(n):
            try:
                writer.write({"x": np.full(rows, i)})
                kept.append(np.full(rows, i))
            except OSError as error:
                assert error.errno in (errno.EFBIG, errno.ENOSPC), error
                failed += 1
        writer.close()
    except OSError as error:
        assert error.errno in (errno.EFBIG, errno.ENOSPC), error
        failed += 1
        kept = None
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    import os
    if kept:
        np.testing.assert_array_equal(colstore.open(path)["x"].array(), np.concatenate(kept))
        os.unlink(path)
    assert os.listdir(os.path.dirname(path)) == [], target
    print(failed)
"""
    result = limited(program, path, 90_000)
    assert result.returncode == 0, result.stderr
    counts = [int(line) for line in result.stdout.split()]
    assert counts[0] > 0 and counts[-1] == 0 and 1 in counts


def test_an_update_on_a_full_disk_leaves_what_was_there(path):
    colstore.store({"x": np.arange(10_000)}, path, statistics=True).close()
    program = """
writer = colstore.update(path, statistics=True)
for n in (100, 100_000):
    try:
        writer.write({"x": np.arange(n)})
    except OSError as error:
        print(error.strerror)
writer.close()
print(writer.n_records)
"""
    result = limited(program, path, 90_000)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == ["File too large", "2"]
    np.testing.assert_array_equal(rows(path)["x"], np.r_[np.arange(10_000), np.arange(100)])
