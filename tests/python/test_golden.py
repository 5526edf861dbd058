"""The golden files: every value, and every file of one record written again byte for byte."""

import json
from pathlib import Path

import numpy as np
import pytest

import colstore

GOLDEN = Path(__file__).parent.parent / "data" / "golden"
FILES = sorted(
    str(found.relative_to(GOLDEN)) for found in GOLDEN.rglob("*.json") if found.with_suffix(".cstore").exists()
)


def test_all_are_here():
    assert len(FILES) == 64


@pytest.mark.parametrize("name", FILES)
def test_values(name):
    expected = json.loads((GOLDEN / name).read_text())
    path = (GOLDEN / name).with_suffix(".cstore")
    info = colstore.info(path)
    assert (info.n_records, info.n_rows, info.file_size) == (
        expected["n_records"],
        expected["n_rows"],
        path.stat().st_size,
    )
    assert [(column["name"], column["dtype"]) for column in info.columns] == [
        (c["name"], c["dtype"]) for c in expected["schema"]
    ]
    with colstore.open(path) as reader:
        assert reader.columns == [column["name"] for column in expected["schema"]]
        assert len(reader) == expected["n_rows"]
        whole, records = reader.dict(), reader.recarray()
        for column in expected["columns"]:
            values = reader.array(column["name"])
            assert values.tobytes().hex() == column["hex"]
            assert values.dtype.isnative
            assert values.dtype == whole[column["name"]].dtype == records.dtype[column["name"]]
            assert whole[column["name"]].tobytes().hex() == column["hex"]
            assert records[column["name"]].tobytes().hex() == column["hex"]
            try:
                lent = reader.array(column["name"], copy=False)
            except ValueError:
                assert expected["n_records"] > 1 or "big_endian" in name
            else:
                assert lent.tobytes().hex() == column["hex"]


@pytest.mark.parametrize("name", FILES)
def test_rewritten(name, tmp_path):
    expected = json.loads((GOLDEN / name).read_text())
    if expected["n_records"] != 1 or expected["made_by"].startswith("hand-built") or "trailing_garbage" in expected:
        return
    columns = {
        column["name"]: np.frombuffer(bytes.fromhex(column["hex"]), "u1").view(described["dtype"])
        for column, described in zip(expected["columns"], expected["schema"])
    }
    colstore.store(columns, tmp_path / "again", statistics=expected["stats"] is not None).close()
    assert (tmp_path / "again").read_bytes() == (GOLDEN / name).with_suffix(".cstore").read_bytes()
