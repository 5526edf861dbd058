"""The package as such: what it exports, what importing it does, which library it takes."""

import importlib
import importlib.metadata
import inspect
import json
import os
import re
import subprocess
import sys

import pytest

import colstore

PUBLIC = {
    "Appender", "append", "appender",
    "ColStoreDataset", "ColStoreFrame", "ColStoreInfo", "ColStoreReader", "ColStoreWriter", "ColumnView", "FormatError", "QueryError",
    "TableView",
    "__version__",  "col",
    "calibrate", "compact", "concat",
    "cpp_available", "create", "ensure_calibrated", "get_convert_auto_workers",
    "get_default_backend", "get_default_madvise", "get_gather_thread_cap", "get_max_workers", "info", "max_threads",
    "open", "profiling", "recreate", "schema", "set_convert_auto_workers", "set_default_backend", "set_default_madvise",
    "set_gather_thread_cap", "set_max_workers", "store", "testing", "update", "use_passive_openmp_wait",
}  # fmt: skip


def run(program, **environment):
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, env=dict(os.environ, **environment)
    )


def test_names():
    assert set(colstore.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(colstore, name) is not None
        assert name in dir(colstore)
    assert not hasattr(colstore, "profile")
    with pytest.raises(AttributeError, match="nothing"):
        colstore.nothing  # noqa: B018
    everything = {}
    exec("from colstore import *", everything)
    assert PUBLIC - {"__version__"} <= set(everything)


def test_signatures():
    assert str(inspect.signature(colstore.ColStoreReader)).startswith(
        "(path: 'StrPath', *, madvise: 'str | None' = '__default__', mlock: 'bool' = False, "
        "backend: 'str | None' = None, max_workers: 'int | None' = None)"
    )
    assert list(inspect.signature(colstore.open).parameters) == ["path", "on_mismatch", "reader_kwargs"]
    store = inspect.signature(colstore.store).parameters
    assert list(store)[:6] == ["data", "path", "mode", "batch_size", "show_progress", "statistics"]
    assert [store[name].default for name in list(store)[2:6]] == ["create", "auto", True, False]
    assert store["open_kwargs"].kind is inspect.Parameter.VAR_KEYWORD
    for make in (colstore.create, colstore.recreate, colstore.update):
        assert str(inspect.signature(make)) == "(path: 'StrPath', *, statistics: 'bool' = False) -> 'ColStoreWriter'"
    writer = inspect.signature(colstore.ColStoreWriter).parameters
    assert list(writer) == ["path", "mode", "statistics"]


def test_version():
    assert isinstance(colstore.__version__, str)
    try:
        assert colstore.__version__ == importlib.metadata.version("colstore")
    except importlib.metadata.PackageNotFoundError:
        assert colstore.__version__ == "0.0.0+unknown"


def test_engine():
    assert colstore.cpp_available() is True
    assert colstore.max_threads() >= 1


def test_passive_openmp_wait(monkeypatch):
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    assert colstore.use_passive_openmp_wait() is False
    assert os.environ["OMP_WAIT_POLICY"] == "active"
    monkeypatch.delenv("OMP_WAIT_POLICY")
    assert colstore.use_passive_openmp_wait() is True
    assert os.environ["OMP_WAIT_POLICY"] == "passive"
    assert colstore.use_passive_openmp_wait() is False


IMPORTED = """
import json, os, sys
import numpy
before = set(sys.modules)
import colstore
variables = [name for name in ("OMP_WAIT_POLICY", "OPENBLAS_NUM_THREADS") if name in os.environ]
print(json.dumps([sorted(set(sys.modules) - before), variables]))
"""


def test_importing_is_cheap_and_does_nothing_else():
    environment = {
        key: value for key, value in os.environ.items() if key not in ("OMP_WAIT_POLICY", "OPENBLAS_NUM_THREADS")
    }
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, env=environment, check=True)
    modules, variables = json.loads(done.stdout)
    assert variables == []
    costly = {
        "dataclasses",
        "importlib.metadata",
        "inspect",
        "json",
        "logging",
        "pathlib",
        "pandas",
        "pyarrow",
        "h5py",
        "ROOT",
        "uproot",
        "tqdm",
    }
    assert not costly & set(modules)
    lazy = ("writing", "dataset", "testing", "profiling", "autotune", "metadata", "_render")
    assert not {f"colstore.{name}" for name in lazy} & set(modules)
    assert not [name for name in modules if name.startswith("colstore.interop")]


def test_reading_and_writing_never_import_the_optional():
    program = """
import sys, tempfile, os, colstore
with tempfile.TemporaryDirectory() as d:
    with colstore.store({"x": [1, 2]}, os.path.join(d, "x"), statistics=True) as r:
        r.dict(); r.dict(copy=False); r.recarray(); repr(r); colstore.info(r.path)
found = [m for m in ("pandas", "pyarrow", "h5py", "uproot", "ROOT", "tqdm") if m in sys.modules]
assert not found, found
"""
    done = run(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_reload(path):
    error = colstore.FormatError
    again = importlib.reload(colstore)
    assert again is colstore
    assert again.FormatError is error, "an except clause written before still works"
    with again.store({"x": [1]}, path) as reader:
        assert reader.array("x")[0] == 1


def test_typed():
    assert os.path.exists(os.path.join(os.path.dirname(colstore.__file__), "py.typed"))


def test_a_library_that_is_not_there():
    done = run("import colstore", COLSTORE_LIBRARY="/nowhere/libcolstore.so")
    assert done.returncode == 1
    assert re.search(r"ImportError: .*/nowhere/libcolstore\.so", done.stderr)


def test_a_library_that_is_another():
    import ctypes.util

    other = ctypes.util.find_library("m")
    done = run("import colstore", COLSTORE_LIBRARY=other)
    assert done.returncode == 1
    assert f"ImportError: '{other}' is not libcolstore" in done.stderr


def test_another_abi_version():
    from colstore._native import library

    version = library.ABI_VERSION
    done = run(f"""
import colstore._native.prototypes
source = open({library.__file__!r}).read().replace("ABI_VERSION = {version}", "ABI_VERSION = 77")
module = {{"__name__": "colstore._native.again", "__package__": "colstore._native", "__file__": {library.__file__!r}}}
exec(compile(source, "library", "exec"), module)
""")
    assert done.returncode == 1
    assert f"{library.path!r}, has ABI version {version}; this package needs 77" in done.stderr
    assert "ImportError" in done.stderr
