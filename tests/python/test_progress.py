"""What `store` shows, and how it is stopped."""

import io
import sys
import types

import numpy as np
import pytest

import colstore
from colstore import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def bars(monkeypatch):
    """A stand-in for tqdm that remembers the bars it made."""
    made = []

    class Bar:
        def __init__(self, **options):
            self.options, self.n, self.total, self.closed = options, 0, options["total"], False
            made.append(self)

        def update(self, count):
            assert count >= 0
            self.n += count

        def close(self):
            self.closed = True

    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(tqdm=Bar))
    return made


@pytest.fixture
def table():
    return {"x": np.arange(3_000_000), "y": np.arange(3_000_000) * 0.5}


def test_no_bar_by_default(path, bars, table, monkeypatch):
    colstore.store(table, path).close()
    monkeypatch.setattr(progress, "LARGE", 1)
    colstore.store(table, path, mode="recreate").close()  # stderr is no terminal
    monkeypatch.setattr(sys, "stderr", Terminal())
    colstore.store(table, path, mode="recreate", show_progress=False).close()
    monkeypatch.setattr(sys, "stderr", None)
    colstore.store(table, path, mode="recreate").close()
    assert not bars


def test_a_bar_on_a_terminal_for_large_data(path, bars, table, monkeypatch):
    monkeypatch.setattr(progress, "LARGE", 1)
    monkeypatch.setattr(sys, "stderr", Terminal())
    colstore.store(table, path).close()
    (bar,) = bars
    assert bar.closed
    assert bar.n == bar.total > 0


def test_without_tqdm(path, table, monkeypatch):
    monkeypatch.setattr(progress, "LARGE", 1)
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setitem(sys.modules, "tqdm", None)
    colstore.store(table, path).close()
    assert sys.stderr.getvalue() == ""


@pytest.mark.parametrize("exception", [KeyboardInterrupt, RuntimeError("from the bar")], ids=str)
def test_an_exception_cancels(path, bars, table, monkeypatch, exception):
    monkeypatch.setattr(progress, "LARGE", 1)
    monkeypatch.setattr(sys, "stderr", Terminal())
    colstore.store({"old": [1]}, path).close()

    def interrupt(self, count):
        raise exception

    monkeypatch.setattr(sys.modules["tqdm"].tqdm, "update", interrupt)
    with pytest.raises(exception if isinstance(exception, type) else type(exception)):
        colstore.store(table, path, mode="recreate")
    assert bars[0].closed
    assert [p.name for p in path.parent.iterdir()] == [path.name], "no temporary file is left"
    assert colstore.open(path).columns == ["old"], "the old file is untouched"
