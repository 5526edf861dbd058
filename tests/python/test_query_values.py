"""The values and function calls of tests/data/query, which Python spells with operators and NumPy's functions."""

import ast
import sys
from pathlib import Path

import numpy as np
import pytest
from test_query_suite import DOCUMENTS, ERRORS, array, parameter, tables  # noqa: F401

from colstore import col

sys.path.insert(0, str(Path(__file__).parents[1] / "numpy"))
from queries import COMPARE, Evaluator  # noqa: E402

CASES = [
    pytest.param(document, case, id=f"{document}-{number}")
    for document, contents in DOCUMENTS.items()
    for number, case in enumerate(contents["case"])
    if "query" not in case
]


class Lazy(Evaluator):
    """Texts over columns that are computed later."""

    def compare(self, op, left, right):
        if isinstance(op, ast.In):
            return left.isin(right)
        return COMPARE[type(op)](left, right)


def expression(reader, case):
    params = {name: parameter(description) for name, description in case.get("params", {}).items()}
    evaluator = Lazy({name: col(name) for name in reader.columns})
    if "value" in case:
        return evaluator.text(case["value"], params)
    return getattr(np, case["call"])(*(evaluator.text(arg, params) for arg in case["args"]))


def test_no_case_got_lost():
    assert len(CASES) > 100


@pytest.mark.parametrize(("document", "case"), CASES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_value(tables, document, case):  # noqa: F811
    reader = tables[document, case["table"]]
    if "error" in case:
        with pytest.raises(ERRORS[case["error"]]):
            reader.edit().assign(result=expression(reader, case)).array("result")
        return
    found = reader.edit().assign(result=expression(reader, case)).array("result")
    expected = array(case["dtype"], case["values"])
    assert found.dtype == expected.dtype
    if found.dtype.kind == "f":
        # Any NaN is as good as another.
        found, expected = (np.where(np.isnan(values), found.dtype.type(np.nan), values) for values in (found, expected))
    assert found.tobytes() == expected.tobytes(), (found, expected)
