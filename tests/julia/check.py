"""Checks the Julia package against `include/colstore.h` without running it.

Every check takes a `Package` and returns what it finds fault with, one line each. `run` makes all of them.

    .venv/bin/python tests/julia/check.py
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bindings" / "julia" / "gen"), str(Path(__file__).parent)]

import cheader  # noqa: E402
import generate  # noqa: E402
import julia_source  # noqa: E402

#: Functions that handle addresses without GC.@preserve: but for the second they are called under it, which is checked.
ADDRESS_HELPERS = {
    "lent_string": "called under GC.@preserve of what lends the text",
    "static_string": "texts that are there for ever",
    "loaded": "called under GC.@preserve of the view",
    "address_of": "called under GC.@preserve of the values",
    "append_options": "called under GC.@preserve of the name",
    "column_data": "called under GC.@preserve of the columns",
}

SCALARS = {
    "bool": "Bool", "char": "UInt8", "double": "Float64", "float": "Float32", "int8_t": "Int8", "int16_t": "Int16",
    "int32_t": "Int32", "int64_t": "Int64", "size_t": "Csize_t", "uint8_t": "UInt8", "uint16_t": "UInt16",
    "uint32_t": "UInt32", "uint64_t": "UInt64", "void": "Cvoid",
}  # fmt: skip

#: Julia type -> size, and the letter that the C program gives to types of this kind.
LAYOUTS = {
    "Bool": (1, "b"), "Int8": (1, "i"), "Int16": (2, "i"), "Int32": (4, "i"), "Int64": (8, "i"), "UInt8": (1, "u"),
    "UInt16": (2, "u"), "UInt32": (4, "u"), "UInt64": (8, "u"), "Csize_t": (8, "u"), "Float32": (4, "f"),
    "Float64": (8, "f"),
}  # fmt: skip


@dataclass
class Package:
    """The header and the files of the package."""

    header_path: Path
    source: Path

    def __post_init__(self) -> None:
        self.header = cheader.read(self.header_path)
        self.raw = (self.source / "LibColstore.jl").read_text(encoding="utf-8")
        self.functions = {function.name: function for function in self.header.functions}
        self.enums = {enum.name for enum in self.header.enums}
        self.callbacks = {callback.name for callback in self.header.callbacks}

    def hand_written(self) -> list[Path]:
        """The files over the raw interface, in the order in which they are included."""
        main = self.source / "Colstore.jl"
        names = re.findall(r'^include\("([\w.]+)"\)$', main.read_text(encoding="utf-8"), re.MULTILINE)
        return [main, *(self.source / name for name in names if name != "LibColstore.jl")]

    def definitions(self) -> list[tuple[Path, julia_source.Definition]]:
        """Every hand-written function with its file."""
        return [
            (path, definition)
            for path in self.hand_written()
            for definition in julia_source.definitions(path.read_text(encoding="utf-8"))
        ]

    def resolved(self, julia_type: str) -> str:
        """A type with the names of enums and callbacks replaced by what they stand for."""
        for name in self.enums:
            julia_type = re.sub(rf"\b{name}\b", "Int32", julia_type)
        for name in self.callbacks:
            julia_type = re.sub(rf"\b{name}\b", "Ptr{Cvoid}", julia_type)
        return julia_type

    def expected(self, c_type: cheader.CType) -> str:
        """The Julia type that a C type must have, resolved."""
        name = self.resolved(SCALARS.get(c_type.name, c_type.name))
        for _ in range(c_type.pointers):
            name = f"Ptr{{{name}}}"
        return f"NTuple{{{c_type.length},{name}}}" if c_type.length else name


def syntax(package: Package) -> list[str]:
    """Every file can be parsed, and every file is included."""
    faults = []
    files = set(package.hand_written()) | {package.source / "LibColstore.jl"}
    for path in sorted(package.source.glob("*.jl")):
        if path not in files:
            faults.append(f"{path.name} is not included by Colstore.jl")
    tests = sorted((package.source.parent / "test").glob("*.jl"))
    included = (package.source.parent / "test" / "runtests.jl").read_text(encoding="utf-8")
    for path in tests:
        if path.name != "runtests.jl" and f'include("{path.name}")' not in included:
            faults.append(f"{path.name} is not included by runtests.jl")
    for path in [*sorted(files), *tests]:
        faults += julia_source.syntax_errors(path) if path.exists() else [f"{path.name} is missing"]
    return faults


def staleness(package: Package) -> list[str]:
    """LibColstore.jl is what the generator makes of the header."""
    if package.raw == generate.generate(package.header):
        return []
    return ["LibColstore.jl is not up to date with the header: run `make julia`"]


def ccalls(package: Package) -> list[str]:
    """Every stub calls the function of its name, which there is, with as many arguments and of the same types."""
    faults = []
    try:
        calls = julia_source.ccalls(package.raw)
    except ValueError as fault:
        return [f"LibColstore.jl: {fault}"]
    slots = [name for name, _ in julia_source.structs(package.raw).get("Functions", [])]
    if slots != list(package.functions):
        difference = sorted(set(slots) ^ set(package.functions)) or "their order"
        faults.append(f"LibColstore.jl: the fields of Functions are not the functions of the header: {difference}")
    for name in sorted(set(package.functions) - {call.stub for call in calls}):
        faults.append(f"LibColstore.jl: {name} has no stub")
    for call in calls:
        at = f"LibColstore.jl:{call.line}: {call.stub}"
        function = package.functions.get(call.pointer)
        if function is None:
            faults.append(f"{at}: the header has no function {call.pointer}")
            continue
        if call.stub != call.pointer:
            faults.append(f"{at}: calls {call.pointer}")
        if len(call.arguments) != len(function.arguments) or len(call.parameters) != len(function.arguments):
            wanted, found = len(function.arguments), len(call.arguments)
            faults.append(f"{at}: {found} arguments in the call, {len(call.parameters)} in the stub, {wanted} in C")
            continue
        if call.parameters != tuple(name for name, _ in call.arguments):
            faults.append(f"{at}: passes {call.arguments} for {call.parameters}")
        for (name, julia_type), argument in zip(call.arguments, function.arguments):
            wanted = package.expected(argument.type)
            if name.rstrip("_") != argument.name or package.resolved(julia_type) != wanted:
                faults.append(f"{at}: {name}::{julia_type}, but in C {argument.type} {argument.name}: {wanted}")
        if package.resolved(call.result) != package.expected(function.result):
            faults.append(f"{at}: returns {call.result}, but in C {function.result}")
    return faults


def numbers(package: Package) -> list[str]:
    """Constants and enums have the values of the header."""
    found = julia_source.constants(package.raw)
    wanted = {constant.name: str(constant.value) for constant in package.header.constants}
    for enum in package.header.enums:
        wanted[enum.name] = "Int32"
        wanted |= {value.name: f"Int32({value.value})" for value in enum.values}
    return [
        f"LibColstore.jl: {name} is {found.get(name)}, but in C {value}"
        for name, value in wanted.items()
        if found.get(name) != value
    ]


_LAYOUT_HEAD = r"""
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "colstore.h"
#define KIND(x) _Generic((x), bool: "b", signed char: "i", short: "i", int: "i", long: "i", long long: "i", \
    unsigned char: "u", unsigned short: "u", unsigned: "u", unsigned long: "u", unsigned long long: "u", \
    float: "f", double: "f", default: "-")
#define FIELD(s, f) \
    printf("%s %s %zu %zu %s\n", #s, #f, offsetof(s, f), sizeof(((s *)0)->f), KIND(((s *)0)->f))
#define STRUCT(s) printf("%s - %zu %zu s\n", #s, (size_t)0, sizeof(s))
int main(void)
{
"""


def _layout(julia_type: str, structs: dict[str, list[tuple[str, str]]]) -> tuple[int, int, str]:
    """Size, alignment and kind of a Julia type, as Julia lays it out: in the manner of C."""
    if julia_type.startswith("Ptr{"):
        return 8, 8, "-"
    if array := re.fullmatch(r"NTuple\{(\d+),(.*)\}", julia_type):
        size, alignment, _ = _layout(array.group(2), structs)
        return size * int(array.group(1)), alignment, "-"
    if julia_type in LAYOUTS:
        size, kind = LAYOUTS[julia_type]
        return size, size, kind
    size, alignment = 0, 1
    for _, field_type in structs[julia_type]:
        field_size, field_alignment, _ = _layout(field_type, structs)
        size = -(-size // field_alignment) * field_alignment + field_size
        alignment = max(alignment, field_alignment)
    return -(-size // alignment) * alignment, alignment, "-"


def layouts(package: Package) -> list[str]:
    """Every struct has the fields of C at the offsets, and of the sizes, that the C compiler says."""
    structs = {
        name: [(field, package.resolved(field_type)) for field, field_type in fields]
        for name, fields in julia_source.structs(package.raw).items()
        if name != "Functions"
    }
    wanted = {struct.name for struct in package.header.structs}
    if set(structs) != wanted:
        return [f"LibColstore.jl: the structs are not those of the header: {sorted(set(structs) ^ wanted)}"]
    lines, ours = [], []
    for name, fields in structs.items():
        offset = 0
        for field, field_type in fields:
            size, alignment, kind = _layout(field_type, structs)
            offset = -(-offset // alignment) * alignment
            c_name = field.rstrip("_")
            lines.append(f"    FIELD({name}, {c_name});")
            ours.append(f"{name} {c_name} {offset} {size} {kind}")
            offset += size
        lines.append(f"    STRUCT({name});")
        ours.append(f"{name} - 0 {_layout(name, structs)[0]} s")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "layouts"
        program.with_suffix(".c").write_text(_LAYOUT_HEAD + "\n".join(lines) + "\n    return 0;\n}\n")
        include = str(package.header_path.parent)
        command = ["cc", "-std=c11", "-w", "-I", include, str(program.with_suffix(".c")), "-o", str(program)]
        compiled = subprocess.run(command, capture_output=True, text=True, check=False)
        if compiled.returncode != 0:
            errors = [line for line in compiled.stderr.splitlines() if "error:" in line]
            return [f"LibColstore.jl: a struct does not fit the header: {line}" for line in errors]
        output = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.splitlines()
    faults = [
        f"LibColstore.jl: struct field offset size kind: {mine}, but in C {theirs}"
        for mine, theirs in zip(ours, output)
        if mine != theirs
    ]
    # A field that is missing at the end may hide in the padding.
    for struct in package.header.structs:
        names = [variable.name for variable in struct.fields]
        found = [field.rstrip("_") for field, _ in structs[struct.name]]
        if names != found:
            faults.append(f"LibColstore.jl: {struct.name} has the fields {found}, but in C {names}")
    return faults


def uses(package: Package) -> list[str]:
    """Hand-written code names only what there is, and calls it with as many arguments and with fields that exist."""
    structs = {name: [field for field, _ in fields] for name, fields in julia_source.structs(package.raw).items()}
    known = set(julia_source.constants(package.raw)) | {"FUNCTIONS", "Functions"}
    known |= {item.name for item in package.header.opaque}
    faults = []
    for path, definition in package.definitions():
        for use in definition.uses:
            at = f"{path.name}:{use.line}: {use.name}"
            if use.name in package.functions:
                faults += _call_faults(package, at, use, definition)
            elif use.name in structs:
                wrong = sorted(set(use.keywords) - set(structs[use.name]))
                if wrong:
                    faults.append(f"{at}: the struct has no field {', '.join(wrong)}")
                if use.arguments:
                    faults.append(f"{at}: fields are given by name, because structs grow")
            elif use.name not in known:
                faults.append(f"{at}: LibColstore has nothing of that name")
    return faults


def _call_faults(package: Package, at: str, use: julia_source.Use, definition: julia_source.Definition) -> list[str]:
    if use.arguments is None:
        return []
    function = package.functions[use.name]
    if len(use.arguments) != len(function.arguments) or use.keywords:
        return [f"{at}: called with {len(use.arguments)} arguments, takes {len(function.arguments)}"]
    faults = []
    for given, argument in zip(use.arguments, function.arguments):
        if given not in definition.variables or not argument.type.pointers:
            continue
        found, wanted = f"Ptr{{{package.resolved(definition.variables[given])}}}", package.expected(argument.type)
        if wanted not in (found, "Ptr{Cvoid}"):
            faults.append(f"{at}: {given} is a {found}, but {argument.name} in C a {argument.type}: {wanted}")
    return faults


def errors_are_passed(package: Package) -> list[str]:
    """The place for an error is the `err` of `check`, in every call that has one."""
    return [
        f"{path.name}:{use.line}: {use.name} is called with {use.arguments[-1]} for err"
        for path, definition in package.definitions()
        for use in definition.uses
        if use.name in package.functions and use.arguments and package.functions[use.name].arguments
        if package.functions[use.name].arguments[-1].name == "err" and use.arguments[-1] != "err"
    ]


def addresses(package: Package) -> list[str]:
    """Addresses are taken and followed under GC.@preserve only."""
    return [
        f"{path.name}:{line}: {name} outside of GC.@preserve"
        for path, definition in package.definitions()
        if definition.name not in ADDRESS_HELPERS
        for name, line in definition.bare_addresses
    ]


def finalizers(package: Package) -> list[str]:
    """Every type that the library frees has a finalizer that does nothing else."""
    freed = {name for name in package.functions if re.fullmatch(r"colstore_(?!allocator)\w+_free", name)}
    opaque = {item.name for item in package.header.opaque}
    wrapped = {use.name for _, definition in package.definitions() for use in definition.uses if use.name in opaque}
    faults, released = [], set()
    for path, definition in package.definitions():
        if definition.name != "release":
            continue
        names = [use.name for use in definition.uses]
        if len(names) != 2 or names[1] != f"{names[0]}_free":
            faults.append(f"{path.name}:{definition.line}: release of {names}")
        released.update(names[1:])
    faults += [
        f"handles.jl: nothing calls {name}"
        for name in sorted(freed - released)
        if name.removesuffix("_free") in wrapped
    ]
    return faults


def internal_calls(package: Package) -> list[str]:
    """Calls of the package's own functions have a method for so many arguments and for these keywords; and what the
    tests name is there."""
    sources = {path.name: path.read_text(encoding="utf-8") for path in package.hand_written()}
    folder = package.source.parent / "test"
    tests = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.jl"))}
    methods: dict[str, list[julia_source.Method]] = {}
    for source in sources.values():
        for name, found in julia_source.methods(source).items():
            methods.setdefault(name, []).extend(found)
    known = set(methods) | {"LibColstore"}
    for source in sources.values():
        known |= {re.match(r"\w+", name).group() for name in julia_source.constants(source)}
    faults = []
    for file, test in tests.items():
        named = set(re.findall(r"\bColstore\.([A-Za-z_]\w*!?)", test)) | _imported(test)
        faults += [f"{file}: Colstore has no {name}" for name in sorted(named - known)]
    imported = set().union(*map(_imported, tests.values()))
    files = [(*item, False) for item in sources.items()] + [(*item, True) for item in tests.items()]
    for file, source, is_test in files:
        for call in julia_source.calls(source):
            if is_test and not call.qualified and call.name not in imported:
                continue
            if call.name in methods and not any(_takes(method, call) for method in methods[call.name]):
                given = f"{call.count} arguments and the keywords {sorted(call.keywords or ())}"
                faults.append(f"{file}:{call.line}: {call.name} has no method for {given}")
    return faults


def _imported(source: str) -> set[str]:
    """The names that `using Colstore: a, b` brings in."""
    return {name for names in re.findall(r"^using Colstore: (.*)$", source, re.MULTILINE) for name in names.split(", ")}


def _takes(method: julia_source.Method, call: julia_source.Call) -> bool:
    if call.count < method.least or (method.most is not None and call.count > method.most):
        return False
    return method.keywords is None or call.keywords is None or call.keywords <= method.keywords


CHECKS = (syntax, staleness, ccalls, numbers, layouts, uses, errors_are_passed, addresses, finalizers, internal_calls)


def repository() -> Package:
    """The package as it is in the repository."""
    return Package(ROOT / "include" / "colstore.h", ROOT / "bindings" / "julia" / "Colstore.jl" / "src")


def run(package: Package) -> dict[str, list[str]]:
    """What each check finds fault with."""
    return {check.__name__: check(package) for check in CHECKS}


if __name__ == "__main__":
    faults = [fault for found in run(repository()).values() for fault in found]
    print("\n".join(faults) or "bindings/julia: no fault found")
    sys.exit(bool(faults))
