"""The functions of Rust that the functions of C stand for, and that the sources agree."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FFI = ROOT / "colstore-ffi" / "src"
#: The crates that are the interface of Rust, and those that they show parts of.
CORE = ROOT / "colstore-core" / "src"
FRAME = ROOT / "colstore-frame" / "src"
CRATES = (CORE, FRAME, ROOT / "colstore-format" / "src", ROOT / "colstore-kernels" / "src")

#: function of C -> the functions and methods of `colstore-core` and `colstore-frame` that it calls to do what it is for.
RUST: dict[str, tuple[str, ...]] = {
    "colstore_error_status": ("Error::kind",),
    "colstore_error_message": ("Error::message",),
    "colstore_error_path": ("Error::path",),
    "colstore_error_column": ("Error::column",),
    "colstore_error_row": ("Error::row",),
    "colstore_error_os_code": ("Error::os_code",),
    "colstore_dtype_parse": ("DType::parse",),
    "colstore_schema_n_columns": ("Schema::len",),
    "colstore_schema_column": ("Schema::columns",),
    "colstore_schema_find": ("column_index",),
    "colstore_table_open": ("Table::open_with",),
    "colstore_table_schema": ("Table::schema",),
    "colstore_table_n_rows": ("Table::n_rows",),
    "colstore_table_n_records": ("Table::n_records",),
    "colstore_table_record_rows": ("Table::record_rows",),
    "colstore_table_n_files": ("Table::n_files",),
    "colstore_table_path": ("Table::paths",),
    "colstore_info_read": ("info",),
    "colstore_table_concat": ("concat",),
    "colstore_paths_expand": ("expand_paths",),
    "colstore_progress_new": ("Progress::new", "Progress::with_callback"),
    "colstore_progress_cancel": ("Progress::cancel",),
    "colstore_rows_all": ("Rows::all",),
    "colstore_rows_range": ("Rows::range",),
    "colstore_rows_indices": ("Rows::indices_raw",),
    "colstore_rows_mask": ("Rows::mask_raw",),
    "colstore_rows_mask_bits": ("Rows::mask_bits",),
    "colstore_rows_select": ("Rows::select",),
    "colstore_rows_count": ("Rows::len",),
    "colstore_rows_positions": ("Rows::positions",),
    "colstore_rows_describe": ("Rows::form", "Rows::n_rows"),
    "colstore_table_read_column": ("Table::read_column",),
    "colstore_table_read_columns": ("Table::read_columns",),
    "colstore_table_read_records": ("Table::read_records",),
    "colstore_table_read_column_at": ("Table::read_column",),
    "colstore_table_read_columns_at": ("Table::read_columns",),
    "colstore_table_read_records_at": ("Table::read_records",),
    "colstore_table_gather_column": ("Table::read_column",),
    "colstore_table_gather_columns": ("Table::read_columns",),
    "colstore_table_gather_records": ("Table::read_records",),
    "colstore_table_view_column": ("Table::view_column",),
    "colstore_table_view_column_at": ("Table::view_column",),
    "colstore_view_describe": ("ColumnView::as_ptr", "ColumnView::n_rows", "ColumnView::stride", "ColumnView::dtype"),
    "colstore_allocator_malloc": ("allocator::allocate",),
    "colstore_allocator_calloc": ("allocator::allocate_zeroed",),
    "colstore_allocator_realloc": ("allocator::reallocate",),
    "colstore_allocator_free": ("allocator::free",),
    "colstore_table_reduce": ("Table::reduce",),
    "colstore_store": ("store",),
    "colstore_verify": ("verify",),
    "colstore_recover": ("recover",),
    "colstore_table_write": ("copy_table",),
    "colstore_compact": ("compact",),
    "colstore_append": ("append",),
    "colstore_append_table": ("append_table",),
    "colstore_appender_open": ("Appender::open",),
    "colstore_appender_write": ("Appender::write",),
    "colstore_appender_write_table": ("Appender::write_table",),
    "colstore_appender_flush": ("Appender::flush",),
    "colstore_appender_close": ("Appender::close",),
    "colstore_appender_abandon": ("Appender::abandon",),
    "colstore_appender_describe": (
        "Appender::n_shards",
        "Appender::pending_rows",
        "Appender::is_closed",
        "Appender::is_locked",
    ),
    "colstore_writer_open": ("Writer::open",),
    "colstore_writer_write": ("Writer::write",),
    "colstore_writer_write_packed": ("Writer::write_packed",),
    "colstore_writer_commit": ("Writer::commit",),
    "colstore_writer_close": ("Writer::close",),
    "colstore_writer_abandon": ("Writer::abandon",),
    "colstore_writer_describe": (
        "Writer::mode",
        "Writer::n_records",
        "Writer::n_rows",
        "Writer::is_locked",
        "Writer::is_closed",
    ),
    "colstore_writer_schema": ("Writer::schema",),
    "colstore_config_set": ("config::set",),
    "colstore_config_get": ("config::get",),
    "colstore_calibrate_threads": ("calibrate_threads",),
    "colstore_machine": ("machine",),
    "colstore_error_span": ("Error::span",),
    "colstore_error_callback_code": ("Error::callback",),
    "colstore_expr_column": ("col",),
    "colstore_expr_none": ("lit",),
    "colstore_expr_bool": ("lit",),
    "colstore_expr_int": ("lit",),
    "colstore_expr_uint": ("lit",),
    "colstore_expr_integer": ("lit",),
    "colstore_expr_float": ("lit",),
    "colstore_expr_text": ("lit",),
    "colstore_expr_bytes": ("lit",),
    "colstore_expr_constant": ("Constant::new", "lit"),
    "colstore_expr_call": ("call",),
    "colstore_expr_isin": ("Expr::isin", "Expr::not_in"),
    "colstore_expr_cast": ("Expr::cast",),
    "colstore_expr_round": ("Expr::round",),
    "colstore_expr_callback": ("Expr::callback",),
    "colstore_expr_parse": ("parse",),
    "colstore_expr_columns": ("Expr::column_names",),
    "colstore_expr_check": ("Graph::bind", "Graph::bind_condition"),
    "colstore_values_array": ("ValueSet::from_array",),
    "colstore_params_new": ("Parameters::new",),
    "colstore_params_set": ("Parameters::insert",),
    "colstore_params_set_values": ("Parameters::insert",),
    "colstore_rows_filter": ("filter",),
    "colstore_function_exact": ("Function::is_exact",),
    "colstore_frame_new": ("Frame::with_rows",),
    "colstore_frame_schema": ("Frame::dtypes",),
    "colstore_frame_column": ("Frame::column",),
    "colstore_frame_resolve": ("Frame::resolve",),
    "colstore_frame_memory": ("Input::memory",),
    "colstore_frame_assign": ("Frame::assign",),
    "colstore_frame_drop": ("Frame::drop",),
    "colstore_frame_rename": ("Frame::rename",),
    "colstore_frame_select": ("Frame::select",),
    "colstore_frame_cast": ("Frame::cast",),
    "colstore_frame_filter": ("Frame::filter", "Frame::filter_text"),
    "colstore_frame_base_rows": ("Frame::n_base_rows",),
    "colstore_frame_has_selection": ("Frame::has_selection",),
    "colstore_frame_count": ("Frame::rows",),
    "colstore_frame_rows": ("Frame::table_rows",),
    "colstore_frame_read_columns": ("Frame::prepare", "Prepared::read"),
    "colstore_frame_read_records": ("Frame::prepare", "Prepared::read"),
    "colstore_frame_evaluate": ("Frame::evaluate",),
    "colstore_frame_expr_dtype": ("Frame::expr_dtype",),
    "colstore_frame_reduce": ("Frame::reduce",),
    "colstore_frame_cutflow": ("Frame::cutflow",),
    "colstore_frame_write": ("Frame::write",),
}


def _code(path: Path) -> str:
    """A file without comments and without its tests."""
    code = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
    return re.split(r"^#\[cfg\(test\)\]\nmod \w+ \{", code, maxsplit=1, flags=re.M)[0]


_FUNCTION = re.compile(
    r'^( *)(?:pub(?:\(\w+\))? )?(?:const )?(?:unsafe )?(?:extern "C" )?fn (\w+)\b.*?\n\1\}$', re.M | re.S
)


@lru_cache(maxsize=1)
def _calls() -> dict[str, frozenset[str]]:
    """function of C -> names that are called or handed on in it, in the functions of its file that it calls, and in the
    conversions of errors."""
    found = {}
    for path in sorted(FFI.glob("*.rs")):
        code = _code(path)
        called = {}
        for match in _FUNCTION.finditer(code):
            body = match.group(0).split("{", 1)[-1]
            # Called, or handed on as a function.
            names = set(re.findall(r"\b(\w+)\(", body)) | set(re.findall(r"::([a-z]\w*)\b", body))
            called.setdefault(match.group(2), set()).update(names)
        for function in called:
            if function.startswith("colstore_"):
                found[function] = frozenset(_reached(function, called))
    return found


def _reached(function: str, called: dict[str, set[str]]) -> set[str]:
    reached, waiting = set(), [function, "from"]
    while waiting:
        new = called.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached


@lru_cache(maxsize=1)
def _public() -> frozenset[str]:
    """`Type::method`, `module::function` and `function`, of all crates that there are parts of in `colstore-core`."""
    found = set()
    for crate in CRATES:
        for path in crate.rglob("*.rs"):
            module = path.parent.name if path.name == "mod.rs" else path.stem
            code = _code(path)
            found |= {f"{module}::{name}" for name in re.findall(r"^pub (?:unsafe )?fn (\w+)", code, re.M)}
            for match in re.finditer(r"^impl(?:<[^\n]*?>)? (\w+)(?:<[^\n]*?>)? \{\n(.*?)^\}$", code, re.M | re.S):
                methods = re.findall(r"^    pub (?:const )?(?:unsafe )?fn (\w+)", match.group(2), re.M)
                found |= {f"{match.group(1)}::{name}" for name in methods}
    return frozenset(found)


@lru_cache(maxsize=1)
def _exported() -> frozenset[str]:
    """What `colstore-core` and `colstore-frame` show: types, functions and modules."""
    code = _code(CORE / "lib.rs") + _code(FRAME / "lib.rs")
    used = re.findall(r"^pub use ([^;]+);", code, re.M)
    return frozenset(re.findall(r"\w+", " ".join(used))) | frozenset(re.findall(r"^pub mod (\w+)", code, re.M))


def rust_names(functions: set[str]) -> dict[str, list[str]]:
    """function -> what it stands for in Rust."""
    return {function: list(names) for function, names in RUST.items() if function in functions}


def faults() -> list[str]:
    """Names that Rust does not have or does not show, and functions of C that do not call what they stand for."""
    found = []
    for function, names in RUST.items():
        for name in names:
            owner, _, method = name.rpartition("::")
            if (owner or method) not in _exported():
                found.append(f"{function}: neither colstore-core nor colstore-frame shows {owner or method}")
            if not any(public == name or (not owner and public.endswith(f"::{method}")) for public in _public()):
                found.append(f"{function}: there is no public {name} in Rust")
            if method not in _calls().get(function, ()):
                found.append(f"{function} of colstore-ffi does not call {name}")
    return found
