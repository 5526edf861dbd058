"""`colstore.recover`: records that a writer did not get to commit."""

import fcntl
import shutil
from pathlib import Path

import pytest

import colstore

GOLDEN = Path(__file__).parent.parent / "data" / "golden"


@pytest.fixture
def torn(tmp_path):
    """Two committed records, a whole one behind them, and the beginning of another."""
    return shutil.copy(GOLDEN / "crashed_update_torn.cstore", tmp_path / "torn.cstore")


def n_rows(path):
    with colstore.open(path) as reader:
        return len(reader.array("x"))


def test_looking_changes_nothing(torn):
    before = torn.read_bytes()
    found = colstore.recover(torn)
    assert (found.action, found.counters, found.path) == ("listed", "intact", torn)
    assert (found.committed.n_records, found.committed.n_rows, found.committed.end) == (2, 11, 368)
    assert (found.whole.n_records, found.whole.n_rows, found.whole.end) == (3, 20, 440)
    assert (found.n_recoverable_records, found.n_recoverable_rows, found.tail_bytes) == (1, 9, 27)
    assert torn.read_bytes() == before and not found.may_lose_committed


def test_into_a_new_file(torn, tmp_path):
    before = torn.read_bytes()
    assert colstore.recover(torn, tmp_path / "new.cstore").action == "copied"
    assert torn.read_bytes() == before and n_rows(torn) == 11
    assert n_rows(tmp_path / "new.cstore") == 20
    assert colstore.verify(tmp_path / "new.cstore", deep=True).findings == ()
    with pytest.raises(FileExistsError):
        colstore.recover(torn, tmp_path / "new.cstore")


def test_in_place_with_a_reader(torn):
    with colstore.open(torn) as reader:
        values = reader.array("x")
        assert colstore.recover(torn, commit=True).action == "committed"
        assert len(values) == 11 and (reader.array("x") == values).all()
    assert n_rows(torn) == 20
    assert colstore.recover(torn, commit=True).action == "unchanged"


def test_torn_counters(torn):
    data = bytearray(torn.read_bytes()[:-27])
    data[9] ^= 0xFF
    torn.write_bytes(data)
    with pytest.raises(colstore.FormatError):
        colstore.open(torn)
    found = colstore.recover(torn)
    assert (found.counters, found.committed, found.n_recoverable_records) == ("damaged", None, 3)
    colstore.recover(torn, commit=True)
    assert n_rows(torn) == 20


def test_a_file_that_was_cut(tmp_path):
    path = shutil.copy(GOLDEN / "corrupt" / "truncated_body.cstore", tmp_path / "cut.cstore")
    found = colstore.recover(path)
    assert found.counters == "wrong" and found.may_lose_committed
    with pytest.raises(colstore.FormatError, match="new file"):
        colstore.recover(path, commit=True)
    colstore.recover(path, tmp_path / "rest.cstore")
    assert colstore.info(tmp_path / "rest.cstore").n_records == found.whole.n_records == 1


def test_what_cannot_be_done(torn, tmp_path):
    with pytest.raises(ValueError, match="not both"):
        colstore.recover(torn, tmp_path / "new.cstore", commit=True)
    with pytest.raises(FileNotFoundError):
        colstore.recover(tmp_path / "missing.cstore")
    with pytest.raises(colstore.FormatError):
        colstore.recover(GOLDEN / "corrupt" / "manifest_bitflip.cstore")
    with open(torn, "rb") as writer:
        fcntl.flock(writer, fcntl.LOCK_EX)
        with pytest.raises(OSError, match="another writer"):
            colstore.recover(torn, commit=True)
        assert colstore.recover(torn).action == "listed"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["torn.cstore"]
