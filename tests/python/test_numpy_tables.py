"""The tables that Rust is tested against are what the installed NumPy gives."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

TESTS = Path(__file__).parent.parent


def minor(version):
    return tuple(version.split(".")[:2])


@pytest.mark.parametrize("script", ["promotion.py", "queries.py"])
def test_tables_are_numpys(script):
    written_with = json.loads((TESTS / "data" / "query" / "promotion.json").read_text())["numpy"]
    if minor(np.__version__) != minor(written_with):
        pytest.skip(f"the tables are of NumPy {written_with}, this is {np.__version__}")
    result = subprocess.run(
        [sys.executable, TESTS / "numpy" / script, "--check"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
