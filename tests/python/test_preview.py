"""`head`, `tail`, and what tables look like."""

import warnings

import numpy as np
import pytest

import colstore
from colstore._render import Preview


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")


@pytest.fixture
def reader(tmp_path):
    n = 1000
    columns = {
        "a": np.arange(n),
        "f": np.arange(n) * 1.5,
        "b": np.arange(n) % 2 == 0,
        "s": np.array([b"x", b"yy"] * 500),
        "t": np.arange(n).astype("M8[s]"),
    }
    with colstore.store(columns, tmp_path / "x.cstore") as reader:
        yield reader


def show(path, **columns):
    """The cells of each column."""
    with colstore.store(columns, path, mode="recreate") as reader:
        lines = repr(reader.head(100)).splitlines()
        # Each column alone, because cells may hold blanks.
        found = {name: repr(reader[name].head(100)).splitlines()[1:-1] for name in columns}
    assert len(lines) == 2 + len(next(iter(columns.values())))
    return {name: [cell[1:].strip() for cell in cells] for name, cells in found.items()}


def test_text(reader):
    assert repr(reader.head(2)) == (
        "   a    f      b   s                    t\n"
        "0  0  0.0   True   x  1970-01-01 00:00:00\n"
        "1  1  1.5  False  yy  1970-01-01 00:00:01\n"
        "[ColStoreReader: showing 2 rows x 5 columns]"
    )
    assert repr(reader[[12, 7], ["a"]]) == ("     a\n12  12\n 7   7\n[TableView: showing 2 rows x 1 columns]")
    assert repr(reader[990:, "a"].tail(1)) == "       a\n999  999\n[ColumnView: showing 1 rows x 1 columns]"
    assert repr(reader["a"]).splitlines()[0].split() == ["a"]
    assert repr(reader[:0]) == "[TableView: empty, 5 columns]"
    assert str(reader.head(0)) == "[ColStoreReader: empty, 5 columns]"


def test_labels_are_rows_of_the_source(reader):
    def labels(preview):
        return [line.split()[0] for line in repr(preview).splitlines()[1:-1]]

    mask = np.zeros(1000, "?")
    mask[[3, 500, 998]] = True
    assert labels(reader.tail(3)) == ["997", "998", "999"]
    assert labels(reader[100:200:50]) == ["100", "150"]
    assert labels(reader[::-1].head(2)) == ["999", "998"]
    assert labels(reader[mask].tail(2)) == ["500", "998"]
    assert labels(reader[[5, 1, 5], "a"]) == ["5", "1", "5"]
    assert labels(reader[100:][mask[100:]]["a"].head(1)) == ["500"]


def test_rows(reader, settings):
    assert reader.head().shape == (10,)
    settings.set_preview_rows(3)
    assert reader.head().shape == reader.tail().shape == reader["a"].head().shape == (3,)
    assert len(repr(reader[5:])) and len(repr(reader[5:]).splitlines()) == 5
    assert len(repr(reader[5:].head(20)).splitlines()) == 22
    for n, count in ((0, 0), (-5, 0), (7, 7), (5000, 1000), (np.int64(2), 2)):
        assert len(reader.head(n)) == len(reader.tail(n)) == len(reader["a"].head(n)) == count
    assert reader[3:5].head()["a"].tolist() == [3, 4]
    with pytest.raises(TypeError):
        reader.head("x")


def test_preview_behaves_like_its_data(reader):
    preview = reader.head(3)
    assert type(preview) is Preview
    assert preview["a"].tolist() == [0, 1, 2]
    assert preview[1]["f"] == 1.5 and preview[-1]["a"] == 2
    assert (preview.shape, len(preview), preview.ndim) == ((3,), 3, 1)
    assert preview.dtype.names == ("a", "f", "b", "s", "t")
    assert type(preview.values) is np.ndarray
    assert np.asarray(preview) is preview.values
    assert np.array(preview) is not preview.values
    assert len(preview.tolist()) == len(list(preview)) == 3
    assert (preview == preview.values).all()
    with pytest.raises(AttributeError):
        preview.nonsense  # noqa: B018
    column = reader["a"].tail(2)
    assert (column.tolist(), column.shape, column.max()) == ([998, 999], (2,), 999)


def test_width(reader, monkeypatch):
    for width, names in (
        (10, ["a", "..."]), (1, ["a", "..."]), (20, ["a", "f", "..."]), (21, ["a", "f", "b", "..."]),
        (41, ["a", "f", "b", "s", "t"]), (40, ["a", "f", "b", "s", "..."]), (500, ["a", "f", "b", "s", "t"]),
    ):  # fmt: skip
        monkeypatch.setenv("COLUMNS", str(width))
        lines = repr(reader.head(2)).splitlines()
        assert lines[0].split() == names, width
        assert len({len(line) for line in lines[:-1]}) == 1
        if width >= 20:
            assert len(lines[0]) <= width


def test_floats(path, settings):
    assert show(path, f=[1.0, 2.5, 3], g=[1 / 3, 1, 2], h=[np.nan, np.inf, -np.inf], i=[0.0, -1e-9, 1.25]) == {
        "f": ["1.0", "2.5", "3.0"],
        "g": ["0.333333", "1.000000", "2.000000"],
        "h": ["NaN", "inf", "-inf"],
        "i": ["0.00", "-0.00", "1.25"],
    }
    assert show(path, f=np.array([1, 2, 3], "f4"), g=np.array([0.1, 1, 2], "f2")) == {
        "f": ["1.0", "2.0", "3.0"],
        "g": ["0.099976", "1.000000", "2.000000"],
    }
    assert show(path, f=[1e15, 0.5], g=[1e300, np.nan]) == {"f": ["1000000000000000.0", "0.5"], "g": ["1e+300", "NaN"]}
    settings.set_preview_precision(0)
    assert show(path, f=[1.0, 2.4]) == {"f": ["1", "2"]}
    settings.set_preview_precision(2)
    assert show(path, f=[1 / 3, 1.5]) == {"f": ["0.33", "1.50"]}


def test_texts(path):
    assert show(path, s=[b"ab", b"\xc3\xa9", b"\xff"], u=["SR", "a<b", "日"], e=np.array(["", "x", ""])) == {
        "s": ["ab", "é", r"b'\xff'"],
        "u": ["SR", "a<b", "日"],
        "e": ["", "x", ""],
    }


def test_times(path):
    def times(values, unit):
        return np.array(values).astype(f"M8[{unit}]")

    assert show(
        path,
        s=times([0, 86399], "s"), midnight=times([0, 86400], "s"), ms=times([1, 0], "ms"), D=times([0, 366], "D"),
        Y=times([0, 50], "Y"), M=times([0, 13], "M"), m=times([0, 61], "m"),
        nat=np.array(["NaT", "2020-01-01"], "M8[ns]"), ns=np.array(["NaT", "2020-01-01T00:00:00.000000001"], "M8[ns]"),
        g=np.array([5, -(2**63)]).view("M8"),
    ) == {
        "s": ["1970-01-01 00:00:00", "1970-01-01 23:59:59"],
        "midnight": ["1970-01-01", "1970-01-02"],
        "ms": ["1970-01-01 00:00:00.001", "1970-01-01 00:00:00.000"],
        "D": ["1970-01-01", "1971-01-02"],
        "Y": ["1970", "2020"],
        "M": ["1970-01", "1971-02"],
        "m": ["1970-01-01 00:00", "1970-01-01 01:01"],
        "nat": ["NaT", "2020-01-01"],
        "ns": ["NaT", "2020-01-01 00:00:00.000000001"],
        "g": ["5", "NaT"],
    }  # fmt: skip
    assert show(path, s=np.array([1, "NaT", -1], "m8[s]"), ns=np.array([1, "NaT", 5], "m8[ns]")) == {
        "s": ["0:00:01", "NaT", "-1 day, 23:59:59"],
        "ns": ["1", "NaT", "5"],
    }


def test_html(reader, path):
    for shown in (reader.head(2), reader, reader[:2], reader["a"], reader[[1], ["s"]]):
        html = shown._repr_html_()
        assert html.startswith("<div")
        assert '<table class="cstore-tbl">' in html
        assert f"<b>{type(shown).__name__ if shown is not reader else 'ColStoreReader'}</b>" in html or isinstance(
            shown, Preview
        )
    html = reader._repr_html_()
    assert "1000 rows" in html and "5 columns" in html and "showing 10" in html and "&middot;" in html
    assert "<td>0.0</td>" in html and "<th>a</th>" in html and "<td>yy</td>" in html
    with colstore.store({"<x>": ["a<b", "&"]}, path) as other:
        html = other._repr_html_()
        assert "<td>a&lt;b</td>" in html and "<td>&amp;</td>" in html and "<th>&lt;x&gt;</th>" in html
    with colstore.open([path, path]) as ds:
        assert "ColStoreDataset" in ds._repr_html_() and "4 rows" in ds._repr_html_()


def test_memory_guard(reader, settings):
    settings.set_preview_memory_limit(100)
    for attempt in (
        lambda: reader.head(20),
        lambda: repr(reader[:20]),
        lambda: reader._repr_html_(),
        lambda: reader[:]._repr_html_(),
    ):
        with pytest.warns(UserWarning, match="materialize"):
            assert attempt() is not None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(reader.head(2)) == 2
        settings.set_preview_memory_limit(0)
        assert len(reader.head(1000)) == 1000


def test_names_that_cannot_be_printed(golden):
    with colstore.open(golden / "quirk_surrogate_name.cstore") as reader:
        repr(reader.head()).encode("utf-8")
        reader._repr_html_().encode("utf-8")


def test_every_golden_file_can_be_shown(golden):
    for path in sorted(golden.glob("*.cstore")):
        with colstore.open(path) as reader:
            assert repr(reader.head())
            assert reader._repr_html_() is not None, path.name
