"""docs/bindings.md: up to date, and no function without its name in every binding or a reason."""

from __future__ import annotations

import bindings_table
import check

FUNCTIONS = list(check.repository().functions)


def test_the_page_is_up_to_date():
    assert bindings_table.PAGE.read_text(encoding="utf-8") == bindings_table.page(FUNCTIONS), "run `make bindings`"


def test_no_function_lacks_its_name():
    assert bindings_table.faults(FUNCTIONS) == []


def test_a_new_function_is_found_missing():
    found = bindings_table.faults([*FUNCTIONS, "colstore_frame_open"])
    assert len(found) == len(bindings_table.languages(set(FUNCTIONS)))
    assert all("colstore_frame_open" in fault for fault in found)


def test_a_reason_for_nothing_is_found(monkeypatch):
    monkeypatch.setitem(bindings_table.NOT_WRAPPED["Julia"], "colstore_store", "")
    monkeypatch.setitem(bindings_table.NOT_WRAPPED["Julia"], "colstore_gone_*", "")
    assert len(bindings_table.faults(FUNCTIONS)) == 2


def test_cpp_is_taken_once_it_is_there(monkeypatch, tmp_path):
    (tmp_path / "table.hpp").write_text("// colstore_store\n/* colstore_store */ int f() { colstore_table_open(0); }\n")
    monkeypatch.setattr(bindings_table, "CPP", tmp_path)
    assert bindings_table.languages(set(FUNCTIONS))["C++"] == {"colstore_table_open": ["table.hpp"]}
    assert sum("C++ does not use" in fault for fault in bindings_table.faults(FUNCTIONS)) == len(FUNCTIONS) - 1
