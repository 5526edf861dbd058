"""The table of docs/bindings.md: every function of the C interface, what it stands for in Rust, and what uses it in
Python, C++ and Julia.

    .venv/bin/python tests/julia/bindings_table.py             # compare: exit code 1 if it is not up to date
    .venv/bin/python tests/julia/bindings_table.py --update    # write it anew

The names are those of the functions around the calls, found in the sources; those of Rust are listed in
`rust_names.py`, and compared with the sources. A function that a binding does not use needs its reason in
`NOT_WRAPPED`.
"""

from __future__ import annotations

import argparse
import ast
import fnmatch
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bindings" / "julia" / "gen"), str(Path(__file__).parent)]

import cheader  # noqa: E402
import check  # noqa: E402
import rust_names  # noqa: E402

PAGE = ROOT / "docs" / "bindings.md"
PYTHON = ROOT / "bindings" / "python" / "colstore"
CPP = ROOT / "bindings" / "cpp"
#: The reasons for C++, with which its own tests make sure of the headers.
CPP_WITHOUT_NAME = ROOT / "tests" / "cpp" / "without_name.txt"
BEGIN, END = "<!-- table: begin -->\n", "<!-- table: end -->\n"


def _reasons(path: Path) -> dict[str, str]:
    """The lines `function: reason` of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


#: language -> {function or pattern: why nothing uses it}.
NOT_WRAPPED: dict[str, dict[str, str]] = {
    "Rust": {
        "colstore_abi_version": "for C only",
        "colstore_version": "Cargo says it",
        "colstore_status_name": "`ErrorKind` is an enum",
        "colstore_names_*": "lists are `Vec`s",
        "colstore_expr_print": "`Display`",
        "colstore_values_list": "`ValueSet::Literals`",
        "colstore_frame_clone": "`Clone`",
        "colstore_cutflow_*": "records are a `Vec`",
        "colstore_verify_report_describe": "the fields of `VerifyReport`",
        "colstore_verify_report_finding": "the fields of `VerifyReport`",
        "colstore_*_free": "values are dropped",
    },
    "Python": {
        "colstore_error_status": "the status of the call says it",
        "colstore_error_column": "the message names it",
        "colstore_error_row": "the message names it",
        "colstore_allocator_*": "NumPy calls them",
        "colstore_version": "the package has the same version",
        "colstore_status_name": "exceptions have classes",
        "colstore_dtype_parse": "NumPy parses dtypes",
        "colstore_schema_find": "names are looked up in a dict",
        "colstore_table_record_rows": "nothing asks for it",
        "colstore_table_n_files": "a dataset has its readers",
        "colstore_table_path": "a reader has its path",
        "colstore_rows_all": "a slice does it",
        "colstore_rows_mask_bits": "NumPy's masks are bytes",
        "colstore_rows_describe": "nothing asks for it",
        "colstore_expr_columns": "nothing asks for it",
        "colstore_expr_uint": "integers of more than 63 bits go through their digits",
        "colstore_error_span": "the message shows the place",
        "colstore_frame_resolve": "assigning resolves",
        "colstore_frame_has_selection": "the package knows what it selected",
        "colstore_frame_cast": "a cast is an expression that is assigned",
    },
    "C++": _reasons(CPP_WITHOUT_NAME),
    "Julia": {
        "colstore_error_status": "the status of the call says it",
        "colstore_table_read_records*": "records have no padding, and structs of Julia do",
        "colstore_table_gather_*": "rows are a selection, which serves again",
        "colstore_allocator_*": "arrays belong to Julia's own memory",
        "colstore_expr_uint": "a `UInt64` is a constant of its dtype, longer integers go through their digits",
        "colstore_expr_callback": "it would run on threads of the library, which the garbage collector cannot stop for",
        "colstore_error_callback_code": "there are no callbacks in expressions",
    },
}


def python_names(functions: set[str]) -> dict[str, list[str]]:
    """function -> the qualified names of what uses it, by module. `_open = lib.colstore_table_open` at the top of a
    module is another name for it."""
    found: dict[str, list[str]] = {}
    for path in sorted(PYTHON.rglob("*.py")):
        if path.name == "prototypes.py":
            continue
        module = ".".join(path.relative_to(PYTHON).with_suffix("").parts)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        aliases = {
            statement.targets[0].id: statement.value.attr
            for statement in tree.body
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
            if isinstance(statement.value, ast.Attribute) and statement.value.attr in functions
        }
        for name, function in _uses(tree, (), aliases):
            if function in functions and name:
                found.setdefault(function, []).append(f"{module}.{name}")
    return found


def _uses(node: ast.AST, names: tuple[str, ...], aliases: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(function or class of Python around it, function of C) of every use."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        names = (*names, node.name)
    if isinstance(node, ast.Attribute):
        yield ".".join(names), node.attr
    if isinstance(node, ast.Name) and node.id in aliases:
        yield ".".join(names), aliases[node.id]
    for child in ast.iter_child_nodes(node):
        yield from _uses(child, names, aliases)


def julia_names(functions: set[str]) -> dict[str, list[str]]:
    """function -> the hand-written Julia functions that use it."""
    found: dict[str, list[str]] = {}
    for _, definition in check.repository().definitions():
        for use in definition.uses:
            if use.name in functions:
                found.setdefault(use.name, []).append(definition.name)
    return found


def cpp_names(functions: set[str]) -> dict[str, list[str]]:
    """function -> the headers that call it."""
    found: dict[str, list[str]] = {}
    for path in sorted(CPP.rglob("*.hpp")):
        code = re.sub(r"/\*.*?\*/|//[^\n]*", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for name in sorted(set(re.findall(r"\bcolstore_\w+", code)) & functions):
            found.setdefault(name, []).append(path.name)
    return found


def languages(functions: set[str]) -> dict[str, dict[str, list[str]]]:
    """language -> function -> names. A binding that is not there has no column."""
    found = {"Rust": rust_names.rust_names(functions), "Python": python_names(functions)}
    if CPP.is_dir():
        found["C++"] = cpp_names(functions)
    found["Julia"] = julia_names(functions)
    return found


def reason(language: str, function: str) -> str | None:
    """Why a binding does without a function."""
    for pattern, why in NOT_WRAPPED[language].items():
        if fnmatch.fnmatchcase(function, pattern):
            return why
    return None


def faults(functions: list[str]) -> list[str]:
    """Functions that a binding neither uses nor gives a reason for, and reasons that hold for nothing."""
    found = []
    for language, names in languages(set(functions)).items():
        for function in functions:
            if function not in names and reason(language, function) is None:
                found.append(f"{language} does not use {function}, and NOT_WRAPPED gives no reason")
        for pattern in NOT_WRAPPED[language]:
            matched = fnmatch.filter(functions, pattern)
            if not matched or all(function in names for function in matched):
                found.append(f"NOT_WRAPPED has {pattern} for {language}, which is not left out")
    return found + rust_names.faults()


def table(functions: list[str]) -> str:
    """The table as Markdown."""
    columns = languages(set(functions))
    lines = ["| C | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for function in functions:
        cells = []
        for language, names in columns.items():
            if function in names:
                cells.append(" ".join(f"`{name}`" for name in dict.fromkeys(names[function])))
            else:
                why = reason(language, function) or "?"
                cells.append(why if language == "Rust" else f"not used: {why}")
        lines.append(f"| `{function}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def page(functions: list[str]) -> str:
    """The page with the table as it should be."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + "\n" + table(functions) + "\n" + END + after


def main() -> int:
    parser = argparse.ArgumentParser(description="The table of docs/bindings.md: compares, or writes.")
    parser.add_argument("--update", action="store_true", help="write the page instead of comparing it")
    arguments = parser.parse_args()
    functions = [function.name for function in cheader.read(ROOT / "include" / "colstore.h").functions]
    wanted = page(functions)
    if arguments.update:
        PAGE.write_text(wanted, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != wanted:
        print("docs/bindings.md is not up to date: run tests/julia/bindings_table.py --update", file=sys.stderr)
        return 1
    for fault in faults(functions):
        print(fault, file=sys.stderr)
    return int(bool(faults(functions)))


if __name__ == "__main__":
    sys.exit(main())
