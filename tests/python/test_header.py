"""The prototypes and structs of `_native` against `include/colstore.h`, so that the two cannot drift apart."""

import ctypes
import re
from pathlib import Path

import pytest

from colstore._native import errors, library, prototypes, structs

HEADER = (Path(__file__).parent.parent.parent / "include" / "colstore.h").read_text()
SOURCE = re.sub(r"/\*.*?\*/|//[^\n]*|^ *#[^\n]*", " ", HEADER, flags=re.S | re.M)

STRUCTS = {
    "colstore_dtype": structs.DType,
    "colstore_column": structs.Column,
    "colstore_open_options": structs.OpenOptions,
    "colstore_info": structs.Info,
    "colstore_read_options": structs.ReadOptions,
    "colstore_view_info": structs.ViewInfo,
    "colstore_rows_info": structs.RowsInfo,
    "colstore_scalar": structs.Scalar,
    "colstore_machine_info": structs.MachineInfo,
    "colstore_column_data": structs.ColumnData,
    "colstore_store_options": structs.StoreOptions,
    "colstore_verify_options": structs.VerifyOptions,
    "colstore_verify_summary": structs.VerifySummary,
    "colstore_finding": structs.Finding,
    "colstore_recover_options": structs.RecoverOptions,
    "colstore_recovery": structs.Recovery,
    "colstore_copy_options": structs.CopyOptions,
    "colstore_compact_options": structs.CompactOptions,
    "colstore_append_options": structs.AppendOptions,
    "colstore_appender_options": structs.AppenderOptions,
    "colstore_appender_info": structs.AppenderInfo,
    "colstore_writer_options": structs.WriterOptions,
    "colstore_writer_info": structs.WriterInfo,
    "colstore_cut_record": structs.CutRecord,
}
SCALARS = {
    "bool": ctypes.c_bool,
    "double": ctypes.c_double,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "colstore_status": ctypes.c_int32,
    "colstore_progress_callback": structs.ProgressCallback,
    "colstore_expr_function": structs.ExprFunction,
    "colstore_release_function": structs.ReleaseFunction,
}
OPAQUE = set(re.findall(r"typedef struct (\w+) \1;", SOURCE)) - set(STRUCTS)


def spelling(text):
    """A C type without `const`, `struct` and needless blanks: `const char *` is `char*`."""
    text = re.sub(r"\b(const|struct|enum)\b", " ", text)
    return re.sub(r"\s+", " ", re.sub(r"\s*\*\s*", "*", text)).strip()


def allowed(c_type):
    """The ctypes types that may stand for a C type."""
    if c_type == "void":
        return {None}
    if c_type in SCALARS:
        return {SCALARS[c_type]}
    if c_type in STRUCTS:
        return {STRUCTS[c_type]}
    assert c_type.endswith("*"), c_type
    target = c_type[:-1]
    if target == "char":
        return {ctypes.c_char_p, ctypes.c_void_p}
    if target in ("void", "uint8_t") or target in OPAQUE:
        return {ctypes.c_void_p}
    if target.endswith("*") or target in SCALARS:
        return {ctypes.POINTER(t) for t in allowed(target)}
    if target in STRUCTS:
        return {ctypes.POINTER(STRUCTS[target])}
    raise AssertionError(f"no rule for {c_type}")


def declarations():
    """name -> (result, arguments) as the header has them."""
    found = {}
    for result, name, arguments in re.findall(r"([\w\s*]+?)\b(colstore_\w+)\s*\(([^()]*)\)\s*;", SOURCE):
        if "typedef" in result:
            continue
        parts = [] if arguments.strip() == "void" else arguments.split(",")
        # Without the argument's name, which is the last word.
        found[name] = (spelling(result), [spelling(re.sub(r"\w+\s*$", "", part)) for part in parts])
    return found


DECLARED = declarations()


def test_the_header_was_understood():
    assert len(DECLARED) > 20
    assert {"colstore_table", "colstore_error", "colstore_view"} <= OPAQUE


def test_every_function_is_declared_in_both():
    assert set(prototypes.PROTOTYPES) == set(DECLARED)


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_prototype(name):
    result, arguments = DECLARED[name]
    our_result, our_arguments = prototypes.PROTOTYPES[name]
    assert our_result in allowed(result)
    assert len(our_arguments) == len(arguments)
    for ours, theirs in zip(our_arguments, arguments):
        assert ours in allowed(theirs), (ours, theirs)
    function = getattr(library.lib, name)
    assert function.restype is our_result
    assert tuple(function.argtypes) == tuple(our_arguments)


@pytest.mark.parametrize("name", sorted(STRUCTS))
def test_struct(name):
    body = re.search(rf"typedef struct (?:{name} )?\{{([^}}]*)\}} {name};", SOURCE)
    assert body, f"{name} is not in the header"
    fields = []
    for declaration in body.group(1).split(";"):
        if declaration.strip():
            c_type, field = re.fullmatch(r"\s*(.*?)(\w+)\s*", declaration, flags=re.S).groups()
            fields.append((field, spelling(c_type)))
    ours = STRUCTS[name]._fields_
    assert [field for field, *_ in ours] == [field for field, _ in fields]
    for (_, our_type), (_, c_type) in zip(ours, fields):
        assert our_type in allowed(c_type)


def test_statuses():
    constants = dict(re.findall(r"\bCOLSTORE_STATUS_(\w+)\s*=\s*(\d+)", SOURCE))
    assert len(constants) >= 15
    for name, value in constants.items():
        assert getattr(errors, name) == int(value)
        assert library.lib.colstore_status_name(int(value)) == name.encode()


def test_versions():
    assert library.lib.colstore_abi_version() == library.ABI_VERSION
    manifest = (Path(__file__).parent.parent.parent / "Cargo.toml").read_text()
    assert library.lib.colstore_version().decode() == re.search(r'(?m)^version = "(.*)"$', manifest).group(1)


def test_calls_release_the_gil():
    assert type(library.lib) is ctypes.CDLL
