from pathlib import Path

import numpy as np
import pytest
from numpy_cases import Mismatches, operand_columns

import colstore


@pytest.fixture(scope="session")
def golden() -> Path:
    """The golden files, with their descriptions beside them."""
    return Path(__file__).parent.parent / "data" / "golden"


@pytest.fixture
def path(tmp_path):
    """A path at which nothing is yet."""
    return tmp_path / "table.cstore"


@pytest.fixture
def columns():
    """One column of every storable kind, seven rows."""
    n = 7
    return {
        "flag": np.arange(n) % 2 == 0,
        "i1": np.arange(n, dtype="i1") - 3,
        "i2": np.arange(n, dtype="i2") - 3,
        "i4": np.arange(n, dtype="i4") - 3,
        "i8": np.arange(n, dtype="i8") - 3,
        "u1": np.arange(n, dtype="u1"),
        "u2": np.arange(n, dtype="u2"),
        "u4": np.arange(n, dtype="u4"),
        "u8": np.arange(n, dtype="u8") + 2**63,
        "f2": np.arange(n, dtype="f2") / 2,
        "f4": np.arange(n, dtype="f4") / 3,
        "f8": np.array([np.nan, -0.0, np.inf, 1e300, 5e-324, 1.5, -2.5]),
        "when": np.arange(n).astype("M8[ns]"),
        "took": np.array([1, 2, "NaT", -4, 5, 6, 7], "m8[s]"),
        "bytes": np.array([b"a", b"", b"bc", b"d\0e", b"fgh", b"\xff", b"z"]),
        "text": np.array(["a", "", "é", "日本", "\U0001f600", "x\0y", "z"]),
    }


@pytest.fixture
def reader(columns, path):
    """An open file with these columns."""
    with colstore.store(columns, path) as opened:
        yield opened


def assert_same(ours, expected):
    """Equal dtype, shape and bytes."""
    assert type(ours) is np.ndarray
    assert ours.dtype == expected.dtype
    assert ours.shape == expected.shape
    assert ours.tobytes() == expected.tobytes()


@pytest.fixture(scope="session")
def operands():
    """`operand_columns()`"""
    return operand_columns()


@pytest.fixture(scope="session")
def operand_frame(operands, tmp_path_factory):
    """A frame with these columns."""
    with colstore.store(operands, tmp_path_factory.mktemp("operands") / "operands.cstore") as opened:
        yield opened.edit()


@pytest.fixture
def mismatches():
    """Collects what differs from NumPy; fails at the end if something does."""
    collected = Mismatches()
    yield collected
    collected.check()


@pytest.fixture(scope="session", autouse=True)
def no_calibration(tmp_path_factory):
    """Keeps what was measured on this machine out of the tests, and theirs out of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def settings():
    """`colstore.config`, put back as it was afterwards."""
    config = colstore.config
    before = dict(config._values)
    yield config
    config._values.clear()
    config._values.update(before)
    for name in ("max_threads", "numa_policy", "prefetch_distance", "mask_density_gate"):
        config.set_setting(name, "auto")
    config.set_setting("read_backend", "mmap")
    config._refresh_options()
