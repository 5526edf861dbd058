"""The Julia package against the header, statically: every check of `check.py`, and that each of them can fail."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import cheader
import check
import pytest

ROOT = check.ROOT
GENERATOR = ROOT / "bindings" / "julia" / "gen" / "generate.py"


@pytest.fixture(scope="module")
def package():
    return check.repository()


@pytest.mark.parametrize("one_check", check.CHECKS, ids=lambda one: one.__name__)
def test_package(package, one_check):
    assert one_check(package) == []


def test_the_checks_see_something(package):
    """So that a change of grammar or style cannot make them pass by finding nothing."""
    assert len(package.functions) > 50
    assert len(package.header.structs) > 10
    uses = [use for _, definition in package.definitions() for use in definition.uses]
    assert sum(use.name in package.functions for use in uses) > 50
    assert sum(bool(definition.variables) for _, definition in package.definitions()) > 20


@pytest.fixture
def copy(tmp_path):
    """A copy of the package to plant mistakes in: `plant(file, old, new)` gives what the checks then find."""
    shutil.copytree(ROOT / "bindings" / "julia" / "Colstore.jl", tmp_path / "Colstore.jl")
    shutil.copy(ROOT / "include" / "colstore.h", tmp_path / "colstore.h")
    source = tmp_path / "Colstore.jl" / "src"

    def plant(file, old, new, count=1):
        path = tmp_path / file if file == "colstore.h" else source / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) >= 1, f"{old!r} is not in {file}"
        path.write_text(text.replace(old, new, count), encoding="utf-8")
        return {
            name: found for name, found in check.run(check.Package(tmp_path / "colstore.h", source)).items() if found
        }

    return plant


def test_the_copy_is_without_fault(copy):
    assert copy("table.jl", "n_rows", "n_rows") == {}


# (file, what stands there, what is put there, the checks that must find it). In LibColstore.jl the comparison with the
# generator finds everything, so that another check has to find it as well.
PLANTED = {
    "wrong name in a stub": (
        "LibColstore.jl",
        "@ccall $(FUNCTIONS.colstore_table_n_rows)",
        "@ccall $(FUNCTIONS.colstore_table_rows)",
        {"ccalls"},
    ),
    "another function's name in a stub": (
        "LibColstore.jl",
        "@ccall $(FUNCTIONS.colstore_table_n_rows)",
        "@ccall $(FUNCTIONS.colstore_table_n_records)",
        {"ccalls"},
    ),
    "wrong arity in a stub": (
        "LibColstore.jl",
        "        start::Int64,\n        stop::Int64,\n",
        "        start::Int64,\n",
        {"ccalls"},
    ),
    "wrong type in a stub": (
        "LibColstore.jl",
        "column::Csize_t,",
        "column::Int32,",
        {"ccalls"},
    ),
    "wrong pointer in a stub": (
        "LibColstore.jl",
        "out::Ptr{Int64},",
        "out::Ptr{Int32},",
        {"ccalls"},
    ),
    "wrong result of a stub": (
        "LibColstore.jl",
        "(error::Ptr{colstore_error})::Int32",
        "(error::Ptr{colstore_error})::Int64",
        {"ccalls"},
    ),
    "struct field of another type": (
        "LibColstore.jl",
        "    advice::Int32 = 0",
        "    advice::Int64 = 0",
        {"layouts"},
    ),
    "struct field of another sign": (
        "LibColstore.jl",
        "    advice::Int32 = 0",
        "    advice::UInt32 = 0",
        {"layouts"},
    ),
    "struct field that is not there": (
        "LibColstore.jl",
        "    advice::Int32 = 0",
        "    advices::Int32 = 0",
        {"layouts", "uses"},
    ),
    "struct without its last field": (
        "LibColstore.jl",
        '    default_threads::Int32 = 0\n    "0."\n    reserved::Int32 = 0\n',
        "    default_threads::Int32 = 0\n",
        {"layouts"},
    ),
    "wrong number of an enum": (
        "LibColstore.jl",
        "const COLSTORE_UNIT_NANO = Int32(10)",
        "const COLSTORE_UNIT_NANO = Int32(11)",
        {"numbers"},
    ),
    "stale stub": (
        "colstore.h",
        "const colstore_rows *rows, int64_t *out, colstore_error **err);",
        "const colstore_rows *rows, int64_t *out, size_t n, colstore_error **err);",
        {"staleness", "ccalls", "uses"},
    ),
    "function without a stub": (
        "colstore.h",
        "/** Frees a view;",
        "/** New. */\nint32_t colstore_view_new(void);\n\n/** Frees a view;",
        {"staleness", "ccalls"},
    ),
    "stale struct": (
        "colstore.h",
        "    int64_t file_size;\n",
        "    int64_t file_size;\n    int64_t more;\n",
        {"staleness", "layouts"},
    ),
    "wrong name by hand": (
        "table.jl",
        "LibColstore.colstore_table_n_rows(",
        "LibColstore.colstore_table_rows(",
        {"uses"},
    ),
    "wrong arity by hand": (
        "rows.jl",
        "LibColstore.colstore_rows_count(handle, count, err)",
        "LibColstore.colstore_rows_count(handle, err)",
        {"uses"},
    ),
    "wrong type by hand": (
        "table.jl",
        "n_rows = Ref{Int64}(0)",
        "n_rows = Ref{Int32}(0)",
        {"uses"},
    ),
    "wrong struct by hand": (
        "config.jl",
        "Ref(LibColstore.colstore_machine_info())",
        "Ref(LibColstore.colstore_info())",
        {"uses"},
    ),
    "wrong field by hand": (
        "reads.jl",
        "max_threads = threads",
        "n_threads = threads",
        {"uses"},
    ),
    "no place for the error": (
        "table.jl",
        "colstore_table_n_rows(handle, n_rows, err)",
        "colstore_table_n_rows(handle, n_rows, C_NULL)",
        {"errors_are_passed"},
    ),
    "address without its owner": (
        "rows.jl",
        "GC.@preserve numbers begin",
        "begin",
        {"addresses"},
    ),
    "columns without their owner": (
        "writer.jl",
        "GC.@preserve columns begin",
        "begin",
        {"addresses"},
    ),
    "name without its owner": (
        "shards.jl",
        "GC.@preserve called begin",
        "begin",
        {"addresses"},
    ),
    "value loaded without its owner": (
        "columns.jl",
        "return GC.@preserve view loaded(",
        "return loaded(",
        {"addresses"},
    ),
    "wrong arity of the package's own": (
        "columns.jl",
        "lent_or_error(table, position, out[], error)",
        "lent_or_error(table, position, out[])",
        {"internal_calls"},
    ),
    "wrong keyword of the package's own": (
        "store.jl",
        "Table(open_file(asked))",
        "Table(open_file(asked; mode = :create))",
        {"internal_calls"},
    ),
    "renamed, but not in the tests": (
        "config.jl",
        "function machine()",
        "function the_machine()",
        {"internal_calls"},
    ),
    "wrong lengths of names": (
        "frame_edits.jl",
        "lens = Csize_t[",
        "lens = Int32[",
        {"uses"},
    ),
    "constant without its owner": (
        "expressions.jl",
        "GC.@preserve values begin",
        "begin",
        {"addresses"},
    ),
    "no place for the error of a query": (
        "queries.jl",
        "            C_NULL,\n            err,",
        "            C_NULL,\n            C_NULL,",
        {"errors_are_passed"},
    ),
    "renamed, but the tests bring it in": (
        "expressions.jl",
        "function constant(",
        "function a_constant(",
        {"internal_calls"},
    ),
    "keyword that a function brought in by the tests lacks": (
        "../test/expressions.jl",
        "constant(1 + 2im)",
        "constant(1 + 2im; strong = true)",
        {"internal_calls"},
    ),
    "frame never freed": (
        "handles.jl",
        "LibColstore.colstore_frame_free(",
        "LibColstore.colstore_rows_free(",
        {"finalizers"},
    ),
    "test that is not included": (
        "../test/runtests.jl",
        '    include("frames.jl")\n',
        "",
        {"syntax"},
    ),
    "nothing freed": (
        "handles.jl",
        "LibColstore.colstore_view_free(",
        "LibColstore.colstore_rows_free(",
        {"finalizers"},
    ),
    "writer never freed": (
        "handles.jl",
        "LibColstore.colstore_writer_free(",
        "LibColstore.colstore_view_free(",
        {"finalizers"},
    ),
    "syntax": (
        "schema.jl",
        "function column_position(",
        "function column_position((",
        {"syntax"},
    ),
    "file that is not included": (
        "Colstore.jl",
        'include("config.jl")\n',
        "",
        {"syntax"},
    ),
}


@pytest.mark.parametrize("mistake", PLANTED)
def test_planted(copy, mistake):
    file, old, new, finders = PLANTED[mistake]
    found = copy(file, old, new)
    assert finders <= set(found), found
    assert all(fault.strip() for faults in found.values() for fault in faults)


def test_generator_compares_and_writes(tmp_path):
    header, output = tmp_path / "colstore.h", tmp_path / "LibColstore.jl"
    shutil.copy(ROOT / "include" / "colstore.h", header)
    command = [sys.executable, str(GENERATOR), "--header", str(header), "--output", str(output)]

    def run(*more):
        return subprocess.run([*command, *more], capture_output=True, text=True, check=False)

    assert run().returncode == 1
    assert run("--update").returncode == 0
    assert run().returncode == 0
    assert output.read_text() == (ROOT / "bindings/julia/Colstore.jl/src/LibColstore.jl").read_text()
    header.write_text(header.read_text().replace("int64_t *out, colstore_error **err);", "int32_t *out);", 1))
    stale = run()
    assert stale.returncode == 1
    assert "--update" in stale.stderr
    assert "out::Ptr{Int32}" in stale.stderr


DECLARATIONS = """
/* --- A new section --- */

/** A number. */
#define COLSTORE_LIMIT 7

enum colstore_shade
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** Minus one. */
    COLSTORE_SHADE_NONE = -1,
    COLSTORE_SHADE_DARK = 1,
};

struct ArrowArrayStream;

/** A visitor; may say "stop". */
typedef int32_t (*colstore_visitor)(void *context, const char *text, size_t len);

typedef struct {
    size_t size;
    /** An array; the next field; has a semicolon in its comment. */
    uint64_t words[4];
    const char *const *texts;
    double value;
} colstore_bag;

/** Gives `$x` and "y\\n" back. */
colstore_bag *colstore_bag_visit(
    const struct ArrowArrayStream *stream, colstore_visitor visit, bool end, const void *const *function, float f);
"""


def test_generator_copes_with_what_is_added():
    header = cheader.parse(DECLARATIONS)
    import generate

    text = generate.generate(header)
    for part in [
        "const COLSTORE_LIMIT = 7\n",
        "const COLSTORE_SHADE_NONE = Int32(-1)\n",
        "mutable struct ArrowArrayStream end\n",
        "    @cfunction(f, Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t,))\n",
        "    words::NTuple{4, UInt64} = ntuple(_ -> 0, 4)\n",
        "    texts::Ptr{Ptr{UInt8}} = C_NULL\n",
        "# A new section\n",
        "Gives `\\$x` and",
        "function colstore_bag_visit(stream, visit, end_, function_, f)\n",
        "        stream::Ptr{ArrowArrayStream},\n        visit::colstore_visitor,\n        end_::Bool,\n",
        "        function_::Ptr{Ptr{Cvoid}},\n        f::Float32,\n    )::Ptr{colstore_bag}\n",
    ]:
        assert part in text, part


@pytest.mark.parametrize(
    "declaration",
    [
        "union u { int a; };",
        "int32_t colstore_x(int32_t (*f)(void));",
        "int32_t colstore_x(long long x);",
        "#pragma once",
    ],
)
def test_generator_refuses_what_it_does_not_know(declaration):
    import generate

    with pytest.raises(cheader.HeaderError):
        generate.generate(cheader.parse(f"{declaration}\n"))


def fatou(folder, *arguments):
    """The formatter and linter, with the settings of the folder."""
    command = [str(Path(sys.executable).parent / "fatou"), *arguments, "Colstore.jl"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [("format", "--check"), ("lint",)], ids=["format", "lint"])
def test_fatou(arguments):
    done = fatou(ROOT / "bindings" / "julia", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


def test_fatou_finds_names_that_are_not_there(copy, tmp_path):
    shutil.copy(ROOT / "bindings" / "julia" / "fatou.toml", tmp_path)
    assert fatou(tmp_path, "lint").returncode == 0
    copy("reads.jl", "return proper_values!(out)", "return proper_value!(out)")
    done = fatou(tmp_path, "lint", "--output", "concise")
    assert done.returncode != 0
    assert "`proper_value!` is not defined" in done.stdout + done.stderr
