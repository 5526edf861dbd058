"""The conditions of tests/data/query: those of every language, here through `query`."""

from pathlib import Path

import numpy as np
import pytest

import colstore
from colstore.testing import write_columns

tomllib = pytest.importorskip("tomllib")

DATA = Path(__file__).parents[1] / "data" / "query"
DOCUMENTS = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(DATA.glob("*.toml"))}
CASES = [
    pytest.param(document, case, id=f"{document}-{number}")
    for document, contents in DOCUMENTS.items()
    for number, case in enumerate(contents["case"])
    if "query" in case
]
ERRORS = {"query": colstore.QueryError, "type": TypeError, "overflow": OverflowError, "value": ValueError}
WEAK = {"bool": lambda text: text == "True", "int": int, "float": float, "str": str, "bytes": lambda t: t.encode("latin-1")}


def array(dtype, values):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([value == "True" for value in values], dtype)
    if dtype.kind in "iu":
        return np.array([int(value) for value in values], dtype)
    if dtype.kind in "Mm":
        counts = [np.iinfo("i8").min if value == "NaT" else int(value) for value in values]
        return np.array(counts, "i8").view(dtype)
    if dtype.kind == "S":
        return np.array([value.encode("latin-1") for value in values], dtype)
    return np.array([float(value) for value in values] if dtype.kind == "f" else values, dtype)


def parameter(description):
    dtype, values = description["dtype"], description["values"]
    if dtype in WEAK:
        found = [WEAK[dtype](value) for value in values]
    else:
        found = array(dtype, values)
    return found if description.get("set") else found[0]


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    directory = tmp_path_factory.mktemp("query")
    opened = {}
    for document, contents in DOCUMENTS.items():
        for table in contents["table"]:
            columns = {column["name"]: array(column["dtype"], column["values"]) for column in table["column"]}
            path = directory / f"{document}-{table['name']}.cstore"
            opened[document, table["name"]] = write_columns(path, columns, records=2)
    yield opened
    for reader in opened.values():
        reader.close()


def test_no_case_got_lost():
    assert len(CASES) > 250


@pytest.mark.parametrize(("document", "case"), CASES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_condition(tables, document, case):
    reader = tables[document, case["table"]]
    params = {name: parameter(description) for name, description in case.get("params", {}).items()}
    if "error" in case:
        with pytest.raises(ERRORS[case["error"]]) as raised:
            reader.query(case["query"], params=params).count()
        assert case["fragment"] in str(raised.value)
        return
    column = reader.columns[0]
    found = reader.query(case["query"], params=params, columns=[column])
    assert found.count() == len(case["rows"])
    # A column's bits, so that rows are told apart by their values and NaN equals itself.
    expected = reader[column].array()[case["rows"]]
    assert found.array(column).tobytes() == expected.tobytes()
