"""Writes `Colstore.jl/src/LibColstore.jl`, the raw interface, from `include/colstore.h`.

    python3 bindings/julia/gen/generate.py             # compare: exit code 1 and the difference if it is not up to date
    python3 bindings/julia/gen/generate.py --update    # write it anew

Needs nothing but Python. Declarations that come into the header are taken up without a change here.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import cheader
from cheader import CType, Header

ROOT = Path(__file__).resolve().parents[3]
HEADER = ROOT / "include" / "colstore.h"
OUTPUT = ROOT / "bindings" / "julia" / "Colstore.jl" / "src" / "LibColstore.jl"

SCALARS = {
    "bool": "Bool",
    "char": "UInt8",
    "double": "Float64",
    "float": "Float32",
    "int": "Cint",
    "int8_t": "Int8",
    "int16_t": "Int16",
    "int32_t": "Int32",
    "int64_t": "Int64",
    "intptr_t": "Int",
    "ptrdiff_t": "Int",
    "size_t": "Csize_t",
    "uint8_t": "UInt8",
    "uint16_t": "UInt16",
    "uint32_t": "UInt32",
    "uint64_t": "UInt64",
    "uintptr_t": "UInt",
    "void": "Cvoid",
}

KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
        abstract baremodule begin break catch const continue do else elseif end export false finally for function global
        if import let local macro module mutable outer primitive quote return struct true try type using where while
        """,
    )
)

#: The longest line of code, as fatou formats it.
LINE = 92

HEAD = '''"""
    LibColstore

The C interface as it is: every function, struct and number of `include/colstore.h` under its own name. A stub adds
nothing to its call, so what the header says of pointers and ownership holds here too. Use `Colstore`, unless it lacks
something.

Generated from the header by `bindings/julia/gen/generate.py`; do not edit.
"""
module LibColstore
'''


def julia_type(c_type: CType, known: set[str]) -> str:
    """The Julia type of a C type: a pointer is a `Ptr`, an enum an `Int32`, an array in a struct an `NTuple`."""
    name = SCALARS.get(c_type.name)
    if name is None:
        if c_type.name not in known:
            raise cheader.HeaderError(f"the header uses {c_type.name!r} and does not declare it")
        name = c_type.name
    for _ in range(c_type.pointers):
        name = f"Ptr{{{name}}}"
    return f"NTuple{{{c_type.length}, {name}}}" if c_type.length else name


def identifier(name: str) -> str:
    """A C name that is a word of Julia's gets an underscore."""
    return name + "_" if name in KEYWORDS else name


def docstring(doc: str, signature: str = "", indent: str = "") -> list[str]:
    """A docstring of a C comment."""
    escaped = doc.replace("\\", "\\\\").replace("$", "\\$")
    lines = [f"    {signature}", ""] if signature else []
    lines += escaped.replace('"""', '\\"""').splitlines()
    if not lines:
        return []
    if len(lines) == 1 and len(lines[0]) < 90:
        one_line = escaped.replace('"', '\\"')
        return [f'{indent}"{one_line}"']
    return [f"{indent}{line}".rstrip() for line in ['"""', *lines, '"""']]


def zero(c_type: CType, structs: set[str]) -> str:
    """The value of a field that is left out."""
    if c_type.length:
        element = zero(CType(c_type.name, c_type.pointers), structs)
        return f"ntuple(_ -> {element}, {c_type.length})"
    if c_type.pointers:
        return "C_NULL"
    if c_type.name in structs:
        return f"{c_type.name}()"
    return {"bool": "false", "double": "0.0", "float": "0.0f0"}.get(c_type.name, "0")


def generate(header: Header) -> str:
    """The whole text of LibColstore.jl."""
    enums = {enum.name for enum in header.enums}
    structs = {struct.name for struct in header.structs}
    callbacks = {callback.name for callback in header.callbacks}
    opaque = [item for item in header.opaque if item.name not in structs]
    known = enums | structs | callbacks | {item.name for item in opaque}

    lines = HEAD.splitlines()
    lines += ["", "# Constants and enums: plain numbers, so that one of a later version is no error."]
    for constant in header.constants:
        lines += ["", *docstring(constant.doc), f"const {constant.name} = {constant.value}"]
    for enum in header.enums:
        lines += ["", *docstring(enum.doc), f"const {enum.name} = Int32"]
        for value in enum.values:
            lines += [*docstring(value.doc), f"const {value.name} = Int32({value.value})"]

    lines += ["", "# Types that are only pointed to."]
    for item in opaque:
        lines += ["", *docstring(item.doc), f"mutable struct {item.name} end"]
    for callback in header.callbacks:
        arguments = ", ".join(julia_type(argument.type, known) for argument in callback.arguments)
        made = f"@cfunction(f, {julia_type(callback.result, known)}, ({arguments},))"
        lines += ["", *docstring(callback.doc, made), f"const {callback.name} = Ptr{{Cvoid}}"]

    lines += ["", "# Structs. `size` is set; what is left out is zero, the default."]
    for struct in header.structs:
        lines += ["", *docstring(struct.doc), f"Base.@kwdef struct {struct.name}"]
        for variable in struct.fields:
            default = f"sizeof({struct.name})" if variable.name == "size" else zero(variable.type, structs)
            lines += docstring(variable.doc, indent="    ")
            lines.append(f"    {identifier(variable.name)}::{julia_type(variable.type, known)} = {default}")
        lines.append("end")

    lines += ["", '"Where the functions are in the library that was loaded, by name; `C_NULL` before that."']
    lines.append("Base.@kwdef mutable struct Functions")
    lines += [f"    {function.name}::Ptr{{Cvoid}} = C_NULL" for function in header.functions]
    lines += ["end", "", "const FUNCTIONS = Functions()"]

    section = None
    for function in header.functions:
        if function.section != section:
            section = function.section
            lines += ["", f"# {section}"]
        names = [identifier(argument.name) for argument in function.arguments]
        signature = f"{function.name}({', '.join(names)})"
        lines += ["", *docstring(function.doc, signature)]
        if len(f"function {signature}") <= LINE:
            lines.append(f"function {signature}")
        else:
            lines += [f"function {function.name}(", *(f"    {name}," for name in names), ")"]
        typed = [f"{name}::{julia_type(argument.type, known)}" for name, argument in zip(names, function.arguments)]
        result = julia_type(function.result, known)
        call = f"    return @ccall $(FUNCTIONS.{function.name})("
        one_line = f"{call}{', '.join(typed)})::{result}"
        if len(one_line) <= LINE:
            lines.append(one_line)
        else:
            lines += [call, *(f"        {argument}," for argument in typed), f"    )::{result}"]
        lines.append("end")
    lines += ["", "end # module LibColstore"]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="LibColstore.jl from include/colstore.h: compares, or writes.")
    parser.add_argument("--update", action="store_true", help="write the file instead of comparing it")
    parser.add_argument("--header", type=Path, default=HEADER, help="the header (include/colstore.h)")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the file to compare or write (LibColstore.jl)")
    arguments = parser.parse_args()

    generated = generate(cheader.read(arguments.header))
    if arguments.update:
        arguments.output.write_text(generated, encoding="utf-8")
        return 0
    present = arguments.output.read_text(encoding="utf-8") if arguments.output.exists() else ""
    if present == generated:
        return 0
    difference = difflib.unified_diff(
        present.splitlines(True), generated.splitlines(True), str(arguments.output), "what the header says", n=1
    )
    sys.stderr.writelines(list(difference)[:60])
    sys.stderr.write(
        f"{arguments.output} is not up to date with {arguments.header}; run {Path(__file__).name} --update\n"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
