"""docs/bindings.md: up to date, and no function without its name in every binding or a reason."""

from __future__ import annotations

import fnmatch

import bindings_table
import check
import pytest
import rust_names

FUNCTIONS = list(check.repository().functions)


def test_the_page_is_up_to_date():
    assert bindings_table.PAGE.read_text(encoding="utf-8") == bindings_table.page(FUNCTIONS), "run `make bindings`"


def test_no_function_lacks_its_name():
    assert bindings_table.faults(FUNCTIONS) == []


def test_a_new_function_is_found_missing():
    found = set(bindings_table.faults([*FUNCTIONS, "colstore_new_function"])) - set(bindings_table.faults(FUNCTIONS))
    assert len(found) == len(bindings_table.languages(set(FUNCTIONS)))
    assert all("colstore_new_function" in fault for fault in found)


def test_a_reason_for_nothing_is_found(monkeypatch):
    before = set(bindings_table.faults(FUNCTIONS))
    monkeypatch.setitem(bindings_table.NOT_WRAPPED["Julia"], "colstore_store", "")
    monkeypatch.setitem(bindings_table.NOT_WRAPPED["Julia"], "colstore_gone_*", "")
    assert len(set(bindings_table.faults(FUNCTIONS)) - before) == 2


def test_cpp_is_taken_once_it_is_there(monkeypatch, tmp_path):
    (tmp_path / "table.hpp").write_text("// colstore_store\n/* colstore_store */ int f() { colstore_table_open(0); }\n")
    monkeypatch.setattr(bindings_table, "CPP", tmp_path)
    assert bindings_table.languages(set(FUNCTIONS))["C++"] == {"colstore_table_open": ["table.hpp"]}
    missing = [fault for fault in bindings_table.faults(FUNCTIONS) if fault.startswith("C++ does not use")]
    excused = {f for pattern in bindings_table.NOT_WRAPPED["C++"] for f in fnmatch.filter(FUNCTIONS, pattern)}
    assert len(missing) == len(FUNCTIONS) - 1 - len(excused)


# (function of C, what it is said to stand for, what is wrong with that)
WRONG_IN_RUST = [
    ("colstore_writer_commit", "Writer::close", "does not call"),
    ("colstore_appender_flush", "Appender::close", "does not call"),
    ("colstore_table_n_rows", "Rows::len", "does not call"),
    ("colstore_error_row", "Error::line", "there is no public"),
    ("colstore_recover", "recovered", "there is no public"),
    ("colstore_table_open", "DataFile::open", "shows DataFile"),
]


@pytest.mark.parametrize("function, name, fault", WRONG_IN_RUST, ids=[name for _, name, _ in WRONG_IN_RUST])
def test_a_wrong_name_in_rust_is_found(monkeypatch, function, name, fault):
    assert rust_names.faults() == []
    monkeypatch.setitem(rust_names.RUST, function, (name,))
    found = rust_names.faults()
    assert any(function in line and fault in line for line in found), found
