"""`store`: what it takes, and what it refuses before anything is created."""

import types

import numpy as np
import pytest
from conftest import assert_same

import colstore


def test_every_kind_comes_back(reader, columns):
    assert reader.columns == list(columns)
    for name, values in columns.items():
        assert_same(reader.array(name), values)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([1, 2, 3], np.array([1, 2, 3])),
        (range(3), np.arange(3)),
        (5, np.array([5])),
        (np.float32(2.5), np.array([2.5], "f4")),
        ("text", np.array(["text"])),
        ([True, False], np.array([True, False])),
        ([b"x", b"yy"], np.array([b"x", b"yy"])),
        ([], np.array([])),
        ([np.datetime64("2020-02-29")], np.array(["2020-02-29"], "M8[D]")),
    ],
    ids=repr,
)
def test_anything_array_like(path, given, expected):
    with colstore.store({"x": given}, path) as reader:
        assert_same(reader.array("x"), expected)


@pytest.mark.parametrize("mapping", [dict, types.MappingProxyType, __import__("collections").OrderedDict])
def test_any_mapping_in_its_order(path, mapping):
    with colstore.store(mapping({"b": [1], "a": [2]}), path) as reader:
        assert reader.columns == ["b", "a"]


@pytest.mark.parametrize("step", [1, 2, 3, -1, -2])
def test_strided_input_is_packed(path, step):
    values = np.arange(50, dtype="i4")[::step]
    with colstore.store({"x": values}, path) as reader:
        assert_same(reader.array("x"), values.copy())


def test_broadcast_input(path):
    with colstore.store({"x": np.broadcast_to(np.int16(7), 5)}, path) as reader:
        assert_same(reader.array("x"), np.full(5, 7, "i2"))


@pytest.mark.parametrize(
    "dtype", ["i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8", "M8[ms]", "m8[D]", "M8", "m8", "U3"]
)
def test_big_endian_input_becomes_native(path, dtype):
    values = np.arange(9).astype("i8").astype(dtype)
    swapped = values.astype(values.dtype.newbyteorder(">"))
    with colstore.store({"x": swapped}, path) as reader:
        assert reader.dtypes["x"].isnative
        assert_same(reader.array("x"), values)
    assert colstore.schema(path)[0]["dtype"] == values.dtype.str


@pytest.mark.parametrize("units", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "25s", "7D"])
def test_every_unit(path, units):
    columns = {kind: np.array([0, 1, -1, np.iinfo("i8").min], "i8").view(f"{kind}8[{units}]") for kind in "Mm"}
    with colstore.store(columns, path) as reader:
        for name, values in columns.items():
            assert_same(reader.array(name), values)


def test_structured_array_is_one_column_a_field(path):
    records = np.zeros(4, [("a", "i4"), ("b", "S3"), ("c", ">f8")])
    records["a"], records["b"], records["c"] = range(4), b"xy", np.pi
    with colstore.store(records, path) as reader:
        assert reader.columns == ["a", "b", "c"]
        assert_same(reader.array("a"), np.arange(4, dtype="i4"))
        assert_same(reader.array("b"), np.full(4, b"xy", "S3"))
        assert_same(reader.array("c"), np.full(4, np.pi))
    with colstore.store(records.view(np.recarray), path, mode="recreate") as reader:
        assert reader.columns == ["a", "b", "c"]


@pytest.mark.parametrize("n_records", [0, 1, 5])
def test_aligned_structured_array(path, n_records):
    records = np.zeros(n_records, np.dtype([("a", "u1"), ("b", "f8")], align=True))
    with colstore.store(records, path) as reader:
        assert reader.shape == (n_records, 2)


def test_names_are_made_text(path):
    with colstore.store({5: [1], None: [2], b"x": [3], "": [4]}, path) as reader:
        assert reader.columns == ["5", "None", "b'x'", ""]
        assert reader.array("").tolist() == [4]


ODD_NAMES = [
    "",
    " ",
    "é",
    "e\u0301",
    "日本語",
    "\U0001f600",
    'quote"back\\slash/',
    "ctl\0\x01\x1f",
    "\b\f\n\r\t",
    "del\x7f",
    "\x80\x9f",
    "\u2028",
    "\ufeff",
    "\uffff",
    "x" * 70000,
    "\ud800",
    "a\udfffb",
]


def test_odd_names(path):
    with colstore.store({name: [i] for i, name in enumerate(ODD_NAMES)}, path) as reader:
        assert reader.columns == ODD_NAMES
        assert [reader.array(name)[0] for name in ODD_NAMES] == list(range(len(ODD_NAMES)))
        assert reader.recarray().tolist() == [tuple(range(len(ODD_NAMES)))]
        repr(reader).encode()
    repr(colstore.info(path)).encode()


def test_zero_rows(path, columns):
    with colstore.store({name: values[:0] for name, values in columns.items()}, path) as reader:
        assert len(reader) == 0
        for name, values in columns.items():
            assert_same(reader.array(name), values[:0])


def refused(path, data, exception, fragment, **options):
    with pytest.raises(exception) as caught:
        colstore.store(data, path, **options)
    assert type(caught.value) is exception
    assert fragment in str(caught.value)
    assert not list(path.parent.iterdir())


@pytest.mark.parametrize(
    ("data", "exception", "fragment"),
    [
        ({}, ValueError, "empty column mapping"),
        (np.zeros(3, []), ValueError, "empty column mapping"),
        ({"a": [1, 2], "b": [1]}, ValueError, "has 1 rows; expected 2"),
        ({"a": [[1, 2]]}, ValueError, "1D"),
        (np.zeros((3, 2), [("a", "i4")]), ValueError, "1D"),
        (np.zeros(3, [("a", "i4", (2,))]), ValueError, "1D"),
        ({"a": [1], 5: [1], "5": [1]}, ValueError, "'5'"),
        ({"a": [None, "x"]}, TypeError, "object dtype"),
        ({"a": [2**70]}, TypeError, "object dtype"),
        ({"name": [1j]}, TypeError, "name"),
        ({"a": np.zeros(3, "V3")}, TypeError, "V3"),
        ({"a": np.zeros(3, [("q", "i4")])}, TypeError, "'a'"),
        (np.zeros(3, [("a", [("q", "i4")])]), TypeError, "'a'"),
        (np.arange(3), TypeError, "plain ndarray"),
        ([1, 2], TypeError, "does not know how to handle list"),
        (None, TypeError, "does not know how to handle"),
        ("abc", TypeError, "does not know how to handle"),
        (np.zeros(3, [("a", "S0"), ("b", "i4")]), ValueError, "a"),
        ({"a": [1], "pair": [1], "\ud83d\ude00": [2]}, ValueError, ""),
    ],
    ids=lambda value: None if isinstance(value, type) else repr(value)[:40],
)
def test_refused_data(path, data, exception, fragment):
    refused(path, data, exception, fragment)


def test_refused_reader_and_ragged(path, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "x.cstore"
    with colstore.store({"a": [1]}, other) as reader:
        refused(path, reader, TypeError, "does not know how to handle")
    refused(path, {"a": [[1], [1, 2]]}, ValueError, "")
    if hasattr(np.dtypes, "StringDType"):
        refused(path, {"a": np.array(["x"], np.dtypes.StringDType())}, TypeError, "'a'")


@pytest.mark.parametrize(
    ("options", "exception", "fragment"),
    [
        ({"mode": "w"}, ValueError, "mode"),
        ({"mode": None}, ValueError, "mode"),
        ({"batch_size": 1.5}, TypeError, "batch_size"),
        ({"batch_size": True}, TypeError, "batch_size"),
        ({"batch_size": np.int64(4)}, TypeError, "batch_size"),
        ({"batch_size": [1]}, TypeError, "batch_size"),
        ({"batch_size": 0}, ValueError, "positive"),
        ({"batch_size": "much"}, ValueError, "much"),
        ({"batch_size": "0"}, ValueError, "0"),
        ({"durability": "forever"}, ValueError, "durability"),
        ({"backend": "fortran"}, ValueError, "backend"),
        ({"max_workers": 0}, ValueError, "max_workers"),
        ({"max_workers": 1.5}, TypeError, "max_workers"),
        ({"madvise": "please"}, ValueError, "madvise"),
        ({"unknown": 1}, TypeError, "unknown"),
    ],
    ids=repr,
)
def test_refused_options(path, options, exception, fragment):
    refused(path, {"a": [1]}, exception, fragment, **options)


@pytest.mark.parametrize("bad", [5, None, b"bytes.cstore", ["x.cstore"]])
def test_refused_paths(bad):
    with pytest.raises(TypeError, match="path"):
        colstore.store({"a": [1]}, bad)


def test_missing_directory(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        colstore.store({"a": [1]}, tmp_path / "no" / "x.cstore")
    assert caught.value.errno == 2


def test_create_refuses_what_is_there(path):
    path.touch()
    with pytest.raises(FileExistsError) as caught:
        colstore.store({"a": [1]}, path)
    assert path.name in str(caught.value)
    assert caught.value.errno == 17
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b""


def test_recreate_replaces(path):
    colstore.store({"a": np.arange(1000)}, path).close()
    old = colstore.open(path)
    with colstore.store({"b": [7]}, path, mode="recreate") as reader:
        assert reader.dict() == {"b": np.array([7])}
    assert old.array("a").tolist() == list(range(1000)), "a reader keeps what it opened"
    assert [p.name for p in path.parent.iterdir()] == [path.name], "no temporary file is left"


@pytest.mark.parametrize("batch_size", [None, 1, 10**30, "auto", "AUTO", "1", "1 KiB", "1.5 gb", "3PiB"])
def test_batch_size_gives_the_same_file(path, tmp_path, columns, batch_size):
    colstore.store(columns, path).close()
    colstore.store(columns, tmp_path / "other", batch_size=batch_size, durability="disk").close()
    assert (tmp_path / "other").read_bytes() == path.read_bytes()


def test_options_reach_the_reader(path):
    with colstore.store({"a": [1]}, path, backend="numpy", max_workers=3) as reader:
        assert (reader.backend, reader.max_workers) == ("numpy", 3)


def test_statistics_change_only_the_footer(path, tmp_path, columns):
    colstore.store(columns, path).close()
    with colstore.store(columns, tmp_path / "stats", statistics=True) as reader:
        for name, values in columns.items():
            assert_same(reader.array(name), values)
    plain, extended = path.read_bytes(), (tmp_path / "stats").read_bytes()
    assert len(extended) > len(plain)
    assert extended[72 : len(plain)] == plain[72:]
    assert extended[len(plain) :].startswith(b"CSTAT")


def test_a_large_table(path):
    rng = np.random.default_rng(5)
    columns = {
        "x": rng.standard_normal(2_000_001),
        "i": rng.integers(0, 255, 2_000_001).astype("u1"),
        "s": rng.integers(0, 9, 2_000_001).astype("S5"),
    }
    with colstore.store(columns, path) as reader:
        for name, values in reader.dict().items():
            assert_same(values, columns[name])
