"""`colstore.verify`: every damaged file is found, every sound one is called so."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import colstore

GOLDEN = Path(__file__).parent.parent / "data" / "golden"

CORRUPT = json.loads((GOLDEN / "corrupt" / "corrupt.json").read_text())["files"]
#: What contradicts no checksum, and what is normal after a crash.
NO_ERROR = {
    "body_bitflip.cstore": None,
    "reserved_nonzero.cstore": "reserved",
    "footer_missing.cstore": "statistics-missing",
    "footer_offset_zero.cstore": "trailing-bytes",
    "trailing_after_footer.cstore": "trailing-bytes",
    "trailing_no_footer.cstore": "trailing-bytes",
}


@pytest.mark.parametrize("deep", [False, True])
def test_a_sound_file(deep):
    report = colstore.verify(GOLDEN / "stats_multi.cstore", deep=deep)
    assert report and report.sound and report.findings == ()
    assert (report.n_files, report.n_records, report.n_rows) == (1, 5, 13)
    assert report.n_bytes == (GOLDEN / "stats_multi.cstore").stat().st_size
    assert (report.n_value_bytes > 0) == deep


@pytest.mark.parametrize("file", CORRUPT, ids=lambda file: file["file"])
def test_every_damaged_file(file):
    name = file["file"]
    report = colstore.verify(GOLDEN / "corrupt" / name, deep=True)
    codes = [finding.code for finding in report.findings]
    if name in NO_ERROR:
        assert report.sound and codes == ([NO_ERROR[name]] if NO_ERROR[name] else [])
    else:
        assert not report and report.n_errors > 0
        first = next(finding for finding in report.findings if finding.severity == "error")
        assert first.message and first.path == GOLDEN / "corrupt" / name
        assert isinstance(first.offset, int)
    if file["expect"] == "FormatError":
        assert not report


def test_where_it_is(tmp_path):
    path = tmp_path / "t.cstore"
    colstore.store({"a": np.arange(5), "é": np.arange(5.0)}, path, statistics=True).close()
    with open(path, "r+b") as file:
        data = file.read()
        at = data.index(np.arange(5.0).tobytes()) + 16
        file.seek(at)
        file.write(np.float64(-3).tobytes())
    assert colstore.verify(path)
    report = colstore.verify(path, deep=True)
    (finding,) = report.findings
    assert (finding.severity, finding.code, finding.record, finding.column) == ("error", "extremes", 0, "é")
    assert finding.offset == at - 16
    assert "checksum" in colstore.verify.__doc__


def test_directories(tmp_path):
    for name in ("a_1", "a_2"):
        colstore.store({"x": np.arange(3)}, tmp_path / f"{name}.cstore").close()
    assert colstore.verify(tmp_path).findings == ()
    assert colstore.verify(str(tmp_path / "a_*.cstore")).n_files == 2
    colstore.store({"x": np.arange(3.0)}, tmp_path / "a_3.cstore").close()
    (tmp_path / "notes.txt").write_text("x")
    report = colstore.verify(tmp_path, deep=True)
    assert [(finding.code, finding.severity) for finding in report.findings] == [
        ("foreign-file", "note"),
        ("schema", "error"),
    ]


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError):
        colstore.verify(tmp_path / "missing.cstore")
    with pytest.raises(TypeError):
        colstore.verify(b"bytes")
    shutil.copy(GOLDEN / "corrupt" / "empty_file.cstore", tmp_path / "empty.cstore")
    assert not colstore.verify(tmp_path)


def test_it_is_beyond_the_listed_names():
    assert "verify" not in colstore.__all__ and "recover" not in colstore.__all__
    assert callable(colstore.verify) and callable(colstore.recover)
