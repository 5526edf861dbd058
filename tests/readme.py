"""Runs the Python code of README.md in a directory of its own and looks at what it gives."""

import os
import re
import tempfile
from pathlib import Path

import numpy as np

readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
code = "".join(re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL))
names: dict = {}
with tempfile.TemporaryDirectory() as directory:
    os.chdir(directory)
    exec(compile(code, "README.md", "exec"), names)
    assert names["x"].shape == (1000,) and names["x"][999] == 1.0
    assert (names["view"] == names["x"]).all() and not names["view"].flags.owndata
    assert names["rows"].dtype.names == ("x", "id") and names["rows"]["id"][7] == 7
    assert list(names["frame"].columns) == ["x", "id"] and len(names["frame"]) == 1000
    assert (names["ids"] == names["rows"]["id"][names["x"] > 0.9]).all() and 0 < len(names["ids"]) < 1000
    assert names["picked"]["id"].tolist() == [7, 999, 7] and list(names["picked"]) == ["id", "x"]
    assert abs(names["mean"] - names["x"][::2].mean()) < 1e-12
    assert names["across"]["id"].tolist() == [998, 999, 0, 1] and names["largest"] == 999
    with names["colstore"].open("runs") as runs:
        assert len(runs.paths) == 2 and runs.n_rows == 1010
    x, ids = names["rows"]["x"], names["rows"]["id"]
    assert (names["middle"] == ids[(0.2 < x) & (x <= 0.5) & (ids % 2 == 0)]).all() and len(names["middle"]) > 100
    assert abs(names["odd"] - x[(x > 0.5) & (np.sin(ids) > 0)].sum()) < 1e-9
    assert [cut.passing for cut in names["report"]] == [(np.hypot(x, 0.5) * 2 > 1.2).sum(), 3]
    assert names["written"].array("id").tolist() == [700, 800, 900]
    assert (names["written"].array("y") == np.hypot(x[[700, 800, 900]], 0.5) * 2).all()
    os.chdir("/")
print("README.md: the Python code runs and gives what it says")
