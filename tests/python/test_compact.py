"""`compact`: the same rows in one record, in place or elsewhere."""

import fcntl
import inspect
import io
import os
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import colstore
from colstore import config, progress
from colstore.testing import write_columns


@pytest.fixture
def columns():
    rng = np.random.default_rng(7)
    n = 1000
    return {
        "x": rng.normal(size=n),
        "id": np.arange(n, dtype=np.int64),
        "flag": rng.integers(0, 2, n).astype(bool),
        "name": rng.integers(0, 99, n).astype("U4"),
        "when": np.arange(n).astype("M8[s]"),
    }


@pytest.fixture
def segmented(tmp_path, columns):
    """A file of five records of 200 rows."""
    path = tmp_path / "t.cstore"
    write_columns(path, columns, records=5).close()
    return path


def stored(tmp_path, columns, **options):
    path = tmp_path / "stored.cstore"
    colstore.store(columns, path, mode="recreate", **options).close()
    content = path.read_bytes()
    path.unlink()
    return content


def names(directory):
    return sorted(os.listdir(directory))


def test_signature():
    parameters = inspect.signature(colstore.compact).parameters
    assert list(parameters)[:3] == ["path", "out", "show_progress"]
    assert all(p.kind is p.KEYWORD_ONLY for name, p in parameters.items() if name != "path")


@pytest.mark.parametrize("method", ["auto", "pwrite", "mmap"])
def test_in_place_gives_the_bytes_of_store(segmented, tmp_path, columns, method):
    config.set_write_method(method)
    try:
        size = segmented.stat().st_size
        assert colstore.info(segmented).needs_compaction
        assert colstore.compact(segmented) == segmented
    finally:
        config.set_write_method("auto")
    assert segmented.read_bytes() == stored(tmp_path, columns)
    # The bodies need no padding here: 32 bytes go with each record.
    assert segmented.stat().st_size == size - 4 * 32
    assert colstore.info(segmented).n_records == 1
    assert names(tmp_path) == ["t.cstore"]
    with colstore.open(segmented) as reader:
        for name, values in columns.items():
            np.testing.assert_array_equal(reader.array(name), values)
            assert not reader.array(name, copy=False).flags.writeable


def test_elsewhere_leaves_the_source(segmented, tmp_path, columns):
    before = segmented.read_bytes()
    out = tmp_path / "out.cstore"
    result = colstore.compact(str(segmented), out=str(out))
    assert result == out and isinstance(result, Path)
    assert segmented.read_bytes() == before
    assert out.read_bytes() == stored(tmp_path, columns)
    out.write_bytes(b"something else")
    colstore.compact(segmented, out=out, show_progress=False)
    assert out.read_bytes() == stored(tmp_path, columns)


def test_one_record_stays(tmp_path, columns):
    path = tmp_path / "t.cstore"
    colstore.store(columns, path, statistics=True).close()
    with path.open("ab") as file:
        file.write(b"behind the end")
    before, inode = path.read_bytes(), path.stat().st_ino
    for out in (None, path, str(path), tmp_path / "." / "t.cstore"):
        assert colstore.compact(path, out=out).name == "t.cstore"
        assert path.stat().st_ino == inode and path.read_bytes() == before
    copy = colstore.compact(path, out=tmp_path / "copy.cstore")
    assert copy.read_bytes() == before


def test_out_that_is_the_file_means_in_place(segmented, tmp_path, columns):
    (tmp_path / "link").symlink_to("t.cstore")
    os.link(segmented, tmp_path / "hard")
    old = segmented.read_bytes()
    assert colstore.compact(segmented, out=tmp_path / "hard") == tmp_path / "hard"
    new = stored(tmp_path, columns)
    assert (tmp_path / "hard").read_bytes() == segmented.read_bytes() == new
    segmented.write_bytes(old)
    colstore.compact(segmented, out=tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and segmented.read_bytes() == new
    assert names(tmp_path) == ["hard", "link", "t.cstore"]


def test_permissions_and_links_stay(segmented, tmp_path):
    segmented.chmod(0o640)
    (tmp_path / "link").symlink_to("t.cstore")
    colstore.compact(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert segmented.stat().st_mode & 0o777 == 0o640
    assert colstore.info(segmented).n_records == 1


def test_empty_records_vanish(tmp_path):
    empty = {"x": np.empty(0), "y": np.empty(0, "S3")}
    path = tmp_path / "t.cstore"
    write_columns(path, {"x": np.arange(3.0), "y": np.array([b"a", b"b", b"c"])}, records=[0, 3, 0]).close()
    colstore.compact(path)
    assert colstore.info(path).n_records == 1
    with colstore.open(path) as reader:
        assert reader.array("x").tolist() == [0, 1, 2] and reader.array("y").tolist() == [b"a", b"b", b"c"]
    path.unlink()
    write_columns(path, empty, records=[0, 0]).close()
    colstore.compact(path)
    assert (colstore.info(path).n_records, colstore.info(path).n_rows) == (1, 0)
    assert path.read_bytes() == stored(tmp_path, empty)


def test_statistics_are_dropped_or_made_anew(segmented, tmp_path, columns):
    out = colstore.compact(segmented, out=tmp_path / "out.cstore", statistics=True)
    assert out.read_bytes() == stored(tmp_path, columns, statistics=True)


def test_failures_leave_everything(tmp_path, segmented):
    with pytest.raises(FileNotFoundError):
        colstore.compact(tmp_path / "missing.cstore")
    with pytest.raises(FileNotFoundError):
        colstore.compact(segmented, out=tmp_path / "missing" / "out.cstore")
    with pytest.raises(IsADirectoryError):
        colstore.compact(tmp_path)
    for wrong in (5, b"t.cstore", None):
        with pytest.raises(TypeError):
            colstore.compact(wrong)
    with pytest.raises(TypeError):
        colstore.compact(segmented, out=5)
    damaged = tmp_path / "damaged.cstore"
    content = bytearray(segmented.read_bytes())
    content[20] ^= 1
    damaged.write_bytes(content)
    out = tmp_path / "out.cstore"
    out.write_bytes(b"old")
    for target in (None, out):
        with pytest.raises(colstore.FormatError):
            colstore.compact(damaged, out=target)
    assert damaged.read_bytes() == content and out.read_bytes() == b"old"
    assert names(tmp_path) == ["damaged.cstore", "out.cstore", "t.cstore"]


def test_a_locked_file_is_refused(segmented, tmp_path):
    before = segmented.read_bytes()
    with segmented.open("rb") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for out in (None, tmp_path / "out.cstore"):
            with pytest.raises(OSError, match="lock") as failure:
                colstore.compact(segmented, out=out)
            assert failure.value.filename == str(segmented)
    assert segmented.read_bytes() == before and names(tmp_path) == ["t.cstore"]
    colstore.compact(segmented)


def test_an_open_reader_keeps_its_rows(segmented, columns):
    with colstore.open(segmented) as reader:
        lent = reader.array("x")[200:400]
        colstore.compact(segmented)
        np.testing.assert_array_equal(lent, columns["x"][200:400])
        np.testing.assert_array_equal(reader.array("name"), columns["name"])


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("records", [2, 1])
def test_an_interrupt_leaves_nothing(tmp_path, monkeypatch, records):
    path, out = tmp_path / "t.cstore", tmp_path / "out.cstore"
    write_columns(path, {"x": np.arange(6_000_000.0)}, records=records).close()
    before = path.stat()
    shown = []

    class Bar:
        def __init__(self, **options):
            self.n = 0
            shown.append(options["desc"])

        def update(self, count):
            raise KeyboardInterrupt

        def close(self):
            shown.append("closed")

    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(tqdm=Bar))
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress, "LARGE", 1)
    with pytest.raises(KeyboardInterrupt):
        colstore.compact(path, out=out)
    assert shown == ["compact", "closed"]
    assert path.stat() == before and names(tmp_path) == ["t.cstore"]
    # Without a bar nobody interrupts.
    colstore.compact(path, out=out, show_progress=False)
    assert colstore.info(out).n_records == 1
