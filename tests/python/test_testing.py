"""`colstore.testing`."""

import numpy as np
import pytest
from conftest import assert_same

import colstore
from colstore import testing


def test_names():
    assert set(testing.__all__) == {"make_columns", "make_store", "uniform_record_rows", "write_columns"}


def test_make_columns():
    columns = testing.make_columns(5, 3)
    assert list(columns) == ["c0", "c1", "c2"]
    assert all(values.dtype == "f8" and values.shape == (5,) for values in columns.values())
    again = testing.make_columns(5, 3)
    for name, values in columns.items():
        assert_same(again[name], values)
    assert testing.make_columns(5, 3, seed=1)["c0"].tolist() != columns["c0"].tolist()
    dtypes = ["float32", "int8", "uint64", "float16"]
    columns = testing.make_columns(200, 6, dtype=dtypes, names=list("abcdef"))
    assert [values.dtype.name for values in columns.values()] == [*dtypes, "float32", "int8"]
    assert list(columns) == list("abcdef")
    assert columns["b"].min() >= -64 and columns["b"].max() < 63
    assert columns["c"].max() < 2**63
    rng = np.random.default_rng(0)
    assert_same(testing.make_columns(5, 1, rng=rng)["c0"], testing.make_columns(5, 2)["c0"])
    assert_same(testing.make_columns(5, 1, rng=rng)["c0"], testing.make_columns(5, 2)["c1"])
    rng = np.random.default_rng(4)
    assert_same(testing.make_columns(3, 1, seed=4)["c0"], rng.standard_normal(3))


@pytest.mark.parametrize(
    "arguments",
    [
        {"rows": -1}, {"cols": 0}, {"dtype": "bool"}, {"dtype": "S3"}, {"dtype": "complex128"}, {"dtype": []},
        {"names": ["a"]}, {"names": ["a", "a"]}, {"dtype": ["float64", "M8[s]"]},
    ],
)  # fmt: skip
def test_make_columns_refuses(arguments):
    with pytest.raises(ValueError):
        testing.make_columns(**{"rows": 3, "cols": 2, **arguments})


def test_uniform_record_rows():
    assert testing.uniform_record_rows(10, 3) == [3, 3, 4]
    assert testing.uniform_record_rows(2, 3) == [0, 0, 2]
    assert testing.uniform_record_rows(0, 1) == [0]
    for total, records in ((1, 0), (-1, 1)):
        with pytest.raises(ValueError):
            testing.uniform_record_rows(total, records)


def test_write_columns(tmp_path, columns):
    for i, records in enumerate((1, 3, 20, [7], [0, 3, 0, 4, 0], (1, 6), np.array([2, 5]))):
        path = tmp_path / str(i)
        with testing.write_columns(path, columns, records=records) as reader:
            for name, values in columns.items():
                assert_same(reader.array(name), values)
        assert colstore.info(path).n_records == (records if isinstance(records, int) else len(records))
    with pytest.raises(FileExistsError):
        testing.write_columns(path, columns)


@pytest.mark.parametrize("records", [0, -1, [], [3], [8, -1], [7, 1]], ids=str)
def test_write_columns_refuses(tmp_path, columns, records):
    for wrong in (columns, {}, {"a": [1], "b": [1, 2]}):
        with pytest.raises(ValueError):
            testing.write_columns(tmp_path / "x", wrong, records=records)
        assert not (tmp_path / "x").exists()


def test_one_record_is_what_store_writes(tmp_path, columns):
    testing.write_columns(tmp_path / "ours", {**columns, 'né"\\\n': np.arange(7), "\U0001f600": np.arange(7)}).close()
    colstore.store({**columns, 'né"\\\n': np.arange(7), "\U0001f600": np.arange(7)}, tmp_path / "stored").close()
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "stored").read_bytes()


def test_several_records_are_what_the_reference_wrote(golden, tmp_path):
    import json

    for name in ("all_dtypes_multi", "many_records", "empty_records_mixed", "strings_multi"):
        wanted = (golden / f"{name}.cstore").read_bytes()
        record_rows = json.loads((golden / f"{name}.json").read_text())["record_rows"]
        with colstore.open(golden / f"{name}.cstore") as reader:
            testing.write_columns(tmp_path / name, reader.dict(), records=record_rows).close()
        assert (tmp_path / name).read_bytes() == wanted


def test_make_store(tmp_path):
    with testing.make_store(tmp_path / "x", rows=100, cols=3, records=7, dtype=["int16", "float32"], seed=9) as reader:
        for name, values in testing.make_columns(100, 3, dtype=["int16", "float32"], seed=9).items():
            assert_same(reader.array(name), values)
    assert colstore.info(tmp_path / "x").n_records == 7
