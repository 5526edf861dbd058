"""`append`, `appender` and `Appender`: what shards are called and hold, what is refused, and who may write."""

import gc
import inspect
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import assert_same

import colstore

X = {"x": np.arange(5, dtype="i4")}


def rows(n, first=0):
    return {"x": np.arange(first, first + n, dtype="i4")}


def shards(directory):
    return sorted(name for name in os.listdir(directory) if name.endswith(".cstore"))


@pytest.fixture
def directory(tmp_path):
    """A place for a directory of shards, which is not there yet."""
    return tmp_path / "shards"


# ------------------------------------------------------------------------------------------------ append


def test_signatures():
    parameters = inspect.signature(colstore.append).parameters
    assert list(parameters) == ["directory", "data", "name", "statistics", "batch_size", "show_progress"]
    assert [p.default for p in list(parameters.values())[2:]] == ["shard_{index:05d}.cstore", False, "auto", False]
    parameters = inspect.signature(colstore.appender).parameters
    assert list(parameters) == ["directory", "name", "shard_size", "statistics"]
    assert [p.default for p in list(parameters.values())[1:]] == ["shard_{index:05d}.cstore", None, False]


def test_directories_are_created_and_shards_numbered(directory):
    deep = directory / "a" / "b"
    first = colstore.append(deep, X)
    assert type(first) is type(Path()) and first == deep / "shard_00000.cstore"
    assert colstore.append(str(deep), X) == deep / "shard_00001.cstore"
    assert sorted(os.listdir(deep)) == [".colstore.lock", "shard_00000.cstore", "shard_00001.cstore"]
    assert_same(colstore.open(deep).array("x"), np.tile(X["x"], 2))


def test_relative_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert colstore.append("d", X) == Path("d/shard_00000.cstore")
    assert colstore.append(".", X, name="x{index}.cstore") == Path("x0.cstore")


def test_gaps_are_not_filled(directory):
    for _ in range(3):
        colstore.append(directory, X)
    os.remove(directory / "shard_00001.cstore")
    assert colstore.append(directory, X).name == "shard_00003.cstore"
    # Other templates and files count for nothing.
    assert colstore.append(directory, X, name="other_{index:03d}.cstore").name == "other_000.cstore"
    assert colstore.append(directory, X, name="other_{index}.cstore").name == "other_1.cstore"


@pytest.mark.parametrize("name", ["foo", "foo.CSTORE", "{index}", "", "{index}.cstore.gz"])
def test_names_end_in_cstore(directory, name):
    for make in (lambda: colstore.append(directory, X, name=name), lambda: colstore.appender(directory, name=name)):
        with pytest.raises(ValueError, match="cstore"):
            make()
    assert not directory.exists()


@pytest.mark.parametrize(
    "name", [".h.cstore", ".{index}.cstore", "a/b{index}.cstore", "{a}.cstore", "{index:x}.cstore"]
)
def test_names_that_would_never_be_listed_or_are_none(directory, name):
    with pytest.raises(ValueError, match="template"):
        colstore.append(directory, X, name=name)
    with pytest.raises(TypeError):
        colstore.append(directory, X, name=5)
    assert not directory.exists()


def test_literal_names(directory):
    assert colstore.append(directory, X, name="all.cstore") == directory / "all.cstore"
    before = (directory / "all.cstore").read_bytes()
    with pytest.raises(FileExistsError, match=r"all\.cstore"):
        colstore.append(directory, rows(9), name="all.cstore")
    assert (directory / "all.cstore").read_bytes() == before


def test_bytes_are_those_of_store(directory, columns, path):
    for statistics in (False, True):
        colstore.store(columns, path, mode="recreate", statistics=statistics).close()
        assert colstore.append(directory, columns, statistics=statistics).read_bytes() == path.read_bytes()


def test_everything_that_store_takes(directory):
    records = np.zeros(3, [("x", ">i4")])
    records["x"] = 7
    colstore.append(directory, X)
    colstore.append(directory, records)
    pandas = pytest.importorskip("pandas")
    colstore.append(directory, pandas.DataFrame(rows(2)))
    assert_same(colstore.open(directory).array("x"), np.array([0, 1, 2, 3, 4, 7, 7, 7, 0, 1], "i4"))


@pytest.mark.parametrize("data", [[1, 2], None, 5, np.arange(3), [X]])
def test_what_cannot_be_appended(directory, data):
    with pytest.raises(TypeError):
        colstore.append(directory, data)
    assert not directory.exists()


def test_views_cannot_be_appended(directory, reader):
    for view in (reader["i4"], reader[:3], reader[["i4"]]):
        with pytest.raises(TypeError, match="does not know how to handle"):
            colstore.append(directory, view)
    with pytest.raises(ValueError, match="empty column mapping"):
        colstore.append(directory, {})
    with pytest.raises(ValueError, match="byte size"):
        colstore.append(directory, X, batch_size="foo")
    with pytest.raises(ValueError, match="rows"):
        colstore.append(directory, {"a": [1], "b": [1, 2]})
    assert not directory.exists()


def make_source(path, statistics):
    """A file with a footer or without, and bytes behind it that nobody committed."""
    colstore.store(rows(5), path, statistics=statistics).close()
    with open(path, "ab") as file:
        file.write(b"left by a writer that died")
    return path.read_bytes()


@pytest.mark.parametrize("statistics", [False, True])
def test_one_file_is_copied_byte_for_byte(directory, path, tmp_path, statistics):
    expected = make_source(path, statistics)
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "only.cstore").write_bytes(expected)
    with colstore.open(path) as reader:
        sources = [path, str(path), reader, colstore.open([path]), tmp_path / "one", str(tmp_path / "o*" / "*.cstore")]
        for source in sources:
            assert colstore.append(directory, source).read_bytes() == expected
        assert reader.n_rows == 5
    # With statistics there is one record of the rows that count.
    colstore.store(rows(5), path, mode="recreate", statistics=True).close()
    for source in sources[:2]:
        assert colstore.append(directory, source, statistics=True).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("statistics", [False, True])
def test_several_files_become_one_record(directory, tmp_path, path, statistics):
    for i in range(3):
        colstore.append(tmp_path / "many", rows(4, 4 * i))
    colstore.store(rows(12), path, statistics=statistics).close()
    for source in (tmp_path / "many", str(tmp_path / "many" / "*.cstore"), colstore.open(tmp_path / "many")):
        shard = colstore.append(directory, source, statistics=statistics)
        assert shard.read_bytes() == path.read_bytes()


def test_sources_that_are_not_there(directory, tmp_path):
    with pytest.raises(FileNotFoundError):
        colstore.append(directory, tmp_path / "nothing.cstore")
    with pytest.raises(FileNotFoundError, match="no files matched"):
        colstore.append(directory, str(tmp_path / "*.nothing"))
    with pytest.raises(ValueError, match="schema"):
        colstore.append(directory, colstore.open([]))
    bad = tmp_path / "bad.cstore"
    bad.write_bytes(b"no table")
    with pytest.raises(colstore.FormatError, match=r"bad\.cstore"):
        colstore.append(directory, bad)
    assert not directory.exists()


def test_a_closed_reader(directory, path):
    reader = colstore.store(X, path)
    reader.close()
    with pytest.raises(ValueError, match="closed"):
        colstore.append(directory, reader)


def test_a_file_in_the_place_of_the_directory(path):
    path.write_bytes(b"")
    with pytest.raises(FileExistsError):
        colstore.append(path, X)


@pytest.mark.parametrize("statistics", [False, True])
def test_not_to_itself(directory, statistics):
    for _ in range(3):
        colstore.append(directory, X)
    before = os.listdir(directory)
    first = directory / "shard_00000.cstore"
    sources = [
        directory,
        str(directory),
        str(directory / "*.cstore"),
        first,
        colstore.open(directory),
        colstore.open(first),
        colstore.open([directory / "shard_00002.cstore"]),
    ]
    for source in sources:
        with pytest.raises(ValueError, match="itself"):
            colstore.append(directory, source, statistics=statistics)
    assert os.listdir(directory) == before
    with colstore.appender(directory, statistics=statistics) as appender:
        for source in sources:
            with pytest.raises(ValueError, match="itself"):
                appender.write(source)
    assert sorted(os.listdir(directory)) == sorted(before)


def test_an_empty_directory_is_not_appended_to_itself(directory):
    directory.mkdir()
    with pytest.raises(ValueError, match="itself"):
        colstore.append(directory, str(directory))
    assert os.listdir(directory) == []


@pytest.mark.parametrize(
    "other",
    [
        {"y": np.arange(5, dtype="i4"), "z": np.zeros(5)},
        {"z": np.zeros(5), "x": np.arange(5, dtype="i4")},
        {"x": np.arange(5, dtype="i4")},
        {"x": np.arange(5, dtype="i8"), "z": np.zeros(5)},
        {"x": np.arange(5, dtype="i4"), "z": np.zeros(5), "more": np.zeros(5)},
    ],
    ids=["names", "order", "fewer", "dtype", "more"],
)
def test_other_columns_are_refused(directory, path, other):
    directory.mkdir()
    colstore.store({"x": np.arange(2, dtype="i4"), "z": np.zeros(2)}, directory / "first.cstore").close()
    before = {name: (directory / name).read_bytes() for name in os.listdir(directory)}
    with colstore.store(other, path) as reader:
        for source in (other, reader, path, colstore.open([path, path])):
            with pytest.raises(ValueError, match="schema") as caught:
                colstore.append(directory, source)
            assert "first.cstore" in str(caught.value)
    assert {name: (directory / name).read_bytes() for name in os.listdir(directory)} == before


def test_a_damaged_first_shard(directory):
    colstore.append(directory, X)
    (directory / "a.cstore").write_bytes(b"damaged")
    for _ in range(2):
        with pytest.raises(colstore.FormatError, match=r"a\.cstore"):
            colstore.append(directory, X)
        with pytest.raises(colstore.FormatError, match=r"a\.cstore"):
            colstore.appender(directory)
    os.remove(directory / "a.cstore")
    # Nobody holds the lock.
    colstore.append(directory, X)


def test_temporary_and_foreign_files_are_not_listed(directory):
    colstore.append(directory, X)
    for name in (".shard_00001.cstore.abcdefgh.tmp", ".hidden.cstore", "notes.txt", "upper.CSTORE"):
        (directory / name).write_bytes(b"no table")
    (directory / "directory.cstore").mkdir()
    (directory / ".shard_00001.cstore.append-abcdefgh.tmp").write_bytes(b"of a writer that died")
    assert colstore.append(directory, X).name == "shard_00001.cstore"
    with colstore.open(directory) as dataset:
        assert [p.name for p in dataset.paths] == ["shard_00000.cstore", "shard_00001.cstore"]
    assert sorted(os.listdir(directory)) == sorted(
        [
            ".colstore.lock",
            ".hidden.cstore",
            ".shard_00001.cstore.abcdefgh.tmp",
            "directory.cstore",
            "notes.txt",
            "shard_00000.cstore",
            "shard_00001.cstore",
            "upper.CSTORE",
        ]
    )


def test_permissions_are_those_of_new_files(directory):
    before = os.umask(0o027)
    try:
        shard = colstore.append(directory, X)
    finally:
        os.umask(before)
    assert shard.stat().st_mode & 0o777 == 0o640
    assert (directory / ".colstore.lock").stat().st_mode & 0o777 == 0o640
    assert (directory / ".colstore.lock").stat().st_size == 0


# ---------------------------------------------------------------------------------------------- Appender


def test_batches_are_not_split(directory):
    with colstore.appender(directory, shard_size=25) as appender:
        for i, (pending, n_shards) in enumerate([(10, 0), (20, 0), (0, 1), (10, 1)]):
            appender.write(rows(10, 10 * i))
            assert (appender.pending_rows, appender.n_shards) == (pending, n_shards)
    assert [colstore.info(directory / name).n_rows for name in shards(directory)] == [30, 10]
    assert [colstore.info(directory / name).n_records for name in shards(directory)] == [1, 1]
    assert_same(colstore.open(directory).array("x"), np.arange(40, dtype="i4"))


def test_sizes_in_bytes(directory):
    with colstore.appender(directory, shard_size="40B") as appender:
        appender.write(rows(9))
        assert appender.n_shards == 0
        appender.write(rows(1))
        assert (appender.n_shards, appender.pending_rows) == (1, 0)
        appender.write(rows(1000))
        assert appender.n_shards == 2
    assert len(shards(directory)) == 2


@pytest.mark.parametrize("shard_size", [0, -1, "0", "x", "-4 MB"])
def test_wrong_sizes(directory, shard_size):
    with pytest.raises(ValueError):
        colstore.appender(directory, shard_size=shard_size)
    assert not directory.exists()


@pytest.mark.parametrize("shard_size", [1.5, True, b"4", [4]])
def test_sizes_of_wrong_types(directory, shard_size):
    with pytest.raises(TypeError, match="shard_size"):
        colstore.appender(directory, shard_size=shard_size)
    assert not directory.exists()


def test_life(directory):
    appender = colstore.appender(directory)
    assert appender.directory == directory and isinstance(appender.directory, Path)
    assert (appender.n_shards, appender.pending_rows, appender.closed) == (0, 0, False)
    assert repr(appender) == "Appender(directory='shards', n_shards=0, pending_rows=0)"
    assert appender.flush() is None
    appender.write(rows(3))
    appender.write(rows(4))
    assert appender.pending_rows == 7
    assert appender.flush() == directory / "shard_00000.cstore"
    assert appender.flush() is None
    appender.write(rows(2))
    assert appender.close() is None
    appender.close()
    assert (appender.n_shards, appender.pending_rows, appender.closed) == (2, 0, True)
    assert repr(appender) == "Appender(directory='shards', n_shards=2, pending_rows=0, closed)"
    for use in (lambda: appender.write(X), appender.flush):
        with pytest.raises(ValueError, match="closed"):
            use()
    assert shards(directory) == ["shard_00000.cstore", "shard_00001.cstore"]
    with pytest.raises(TypeError):
        pickle.dumps(appender)


def test_columns_are_checked_before_they_are_held(directory):
    with colstore.appender(directory) as appender:
        with pytest.raises(ValueError, match="empty column mapping"):
            appender.write({})
        appender.write(X)
        for wrong, exception in [
            ({"y": X["x"]}, ValueError),
            ({"x": np.arange(3.0)}, ValueError),
            ({"x": [1], "y": [2]}, ValueError),
            ({"x": np.array([object()])}, TypeError),
            ([1, 2], TypeError),
        ]:
            with pytest.raises(exception):
                appender.write(wrong)
        assert appender.pending_rows == 5
    assert_same(colstore.open(directory).array("x"), X["x"])
    # Now the shard says what the columns are.
    with colstore.appender(directory) as appender, pytest.raises(ValueError, match="schema"):
        appender.write({"y": X["x"]})


def test_rows_without_any(directory):
    with colstore.appender(directory) as appender:
        appender.write(rows(0))
        assert appender.pending_rows == 0
    assert shards(directory) == ["shard_00000.cstore"]
    assert colstore.open(directory).shape == (0, 1)


def test_the_caller_may_change_arrays_after_a_write(directory):
    values = np.arange(5, dtype="i4")
    with colstore.appender(directory) as appender:
        for _ in range(2):
            appender.write({"x": values})
            values += 10
    assert_same(colstore.open(directory).array("x"), np.array([*range(5), *range(10, 15)], "i4"))


def test_tables_are_held_like_arrays(directory, tmp_path, path):
    colstore.store(rows(4), path).close()
    for i in range(2):
        colstore.append(tmp_path / "many", rows(3, 3 * i))
    with colstore.appender(directory) as appender, colstore.open(path) as reader:
        for source in (reader, path, str(path), tmp_path / "many", colstore.open(tmp_path / "many"), rows(1)):
            appender.write(source)
        assert (appender.pending_rows, appender.n_shards) == (25, 0)
    info = colstore.info(directory / "shard_00000.cstore")
    assert (info.n_rows, info.n_records) == (25, 1)
    four, six = range(4), range(6)
    assert_same(colstore.open(directory).array("x"), np.array([*four, *four, *four, *six, *six, 0], "i4"))


def test_literal_names_of_appenders(directory):
    for size in (3, "1 MB"):
        with pytest.raises(ValueError, match="literal"):
            colstore.appender(directory, name="one.cstore", shard_size=size)
    assert not directory.exists()
    appender = colstore.appender(directory, name="one.cstore")
    appender.write(X)
    assert appender.flush() == directory / "one.cstore"
    appender.write(X)
    with pytest.raises(ValueError, match="literal"):
        appender.flush()
    with pytest.raises(ValueError, match="literal"), appender:
        pass
    assert appender.closed
    with colstore.appender(directory, name="two.cstore") as appender:
        appender.write(X)
    with pytest.raises(FileExistsError) as kept, colstore.appender(directory, name="one.cstore") as appender:
        appender.write(X)
    # The lock is gone, though the traceback keeps everything alive.
    colstore.append(directory, X)
    assert kept.traceback and appender.closed


def test_statistics(directory, path):
    with colstore.appender(directory, shard_size=6, statistics=True) as appender:
        appender.write(rows(3))
        appender.write(rows(3, 3))
        appender.write(rows(6))
    colstore.store(rows(6), path, statistics=True).close()
    assert [(directory / name).read_bytes() for name in shards(directory)] == [path.read_bytes()] * 2


def test_leaving_by_an_exception_writes_what_there_is(directory):
    with pytest.raises(KeyError), colstore.appender(directory) as appender:
        appender.write(X)
        raise KeyError("x")
    assert appender.closed
    assert_same(colstore.open(directory).array("x"), X["x"])


def test_collected_without_being_closed(directory):
    appender = colstore.appender(directory)
    appender.write(X)
    with pytest.warns(ResourceWarning, match="shards"):
        del appender
        gc.collect()
    assert_same(colstore.open(directory).array("x"), X["x"])
    colstore.append(directory, X)


def test_one_that_could_not_be_made_is_collected_in_silence(directory, recwarn):
    for wrong in ({"shard_size": 0}, {"name": "x"}):
        with pytest.raises(ValueError):
            colstore.Appender(directory, **wrong)
    gc.collect()
    assert not recwarn.list


# ------------------------------------------------------------------------------------------------- locks


def run(program, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_one_writer_at_a_time(directory):
    with colstore.appender(directory) as appender:
        for make in (lambda: colstore.append(directory, X), lambda: colstore.appender(directory)):
            with pytest.raises(OSError, match="lock") as caught:
                make()
            assert str(directory) in str(caught.value)
        appender.write(X)
    colstore.append(directory, X)
    assert len(shards(directory)) == 2


def test_one_process_at_a_time(directory):
    child = run(
        """
        import sys, colstore, numpy as np
        appender = colstore.appender(sys.argv[1])
        appender.write({"x": np.arange(5, dtype="i4")})
        print("held", flush=True)
        sys.stdin.readline()
        """,
        directory,
    )
    assert child.stdout.readline() == "held\n"
    with pytest.raises(OSError, match="lock"):
        colstore.append(directory, X)
    # A process that is killed holds nothing, and its rows are gone.
    child.kill()
    child.wait()
    child.stdin.close()
    child.stdout.close()
    assert colstore.append(directory, X).name == "shard_00000.cstore"


def test_a_writer_that_is_killed_at_any_time(directory):
    n_rows = 400_000
    killed_while_writing = 0
    for i in range(12):
        child = run(
            """
            import sys, colstore, numpy as np
            print("ready", flush=True)
            while True:
                colstore.append(sys.argv[1], {"x": np.ones(int(sys.argv[2])), "y": np.ones(int(sys.argv[2]))})
            """,
            directory,
            n_rows,
        )
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.02 + 0.007 * i)
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()
        if not directory.exists():
            continue
        killed_while_writing += any(name.endswith(".tmp") for name in os.listdir(directory))
        before = shards(directory)
        with colstore.open(directory) as dataset:
            assert dataset.n_rows == n_rows * len(before)
            assert not before or dataset["x"].sum() == dataset["y"].sum() == dataset.n_rows
        # The next writer finds the lock free, and removes what the dead one left.
        new = colstore.append(directory, {"x": np.ones(n_rows), "y": np.ones(n_rows)})
        assert new.name not in before
        assert sorted(os.listdir(directory)) == [".colstore.lock", *sorted([*before, new.name])]
    assert killed_while_writing


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_of_fork_leaves_the_appender_alone(directory):
    appender = colstore.appender(directory)
    appender.write(X)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            try:
                appender.write(X)
            except ValueError:
                del appender
                gc.collect()
                try:
                    colstore.append(directory, X)
                except OSError:
                    code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with pytest.raises(OSError, match="lock"):
        colstore.append(directory, X)
    appender.close()
    assert shards(directory) == ["shard_00000.cstore"]


def test_readers_see_whole_shards_while_another_process_writes(directory):
    n_shards = 200
    directory.mkdir()
    child = run(
        """
        import sys, colstore, numpy as np
        with colstore.appender(sys.argv[1], shard_size=1000) as appender:
            for i in range(int(sys.argv[2])):
                appender.write({"x": np.full(600, i), "y": np.full(600, -i)})
                appender.write({"x": np.full(400, i), "y": np.full(400, -i)})
        """,
        directory,
        n_shards,
    )
    last = looks = 0
    deadline = time.monotonic() + 60
    while last < n_shards and time.monotonic() < deadline:
        with colstore.open(directory) as dataset:
            n = len(dataset.paths)
            assert n >= last and dataset.n_rows == 1000 * n
            if n:
                expected = np.repeat(np.arange(n), 1000)
                assert np.array_equal(dataset.array("x"), expected)
                assert np.array_equal(dataset.array("y"), -expected)
        last, looks = n, looks + 1
    child.communicate()
    assert (child.returncode, last) == (0, n_shards)
    assert looks > 5


def test_threads_take_turns(directory):
    with colstore.appender(directory, shard_size=50) as appender:

        def work(i):
            for _ in range(20):
                appender.write({"x": np.full(7, i)})

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    values = colstore.open(directory).array("x")
    assert np.array_equal(np.bincount(values), [140] * 4)
    # No batch was torn.
    assert np.array_equal(values.reshape(-1, 7), np.repeat(values[::7], 7).reshape(-1, 7))
