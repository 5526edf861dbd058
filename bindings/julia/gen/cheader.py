"""Reads `include/colstore.h`: constants, enums, structs, opaque types, callbacks and functions, with their comments.

The header comes out of cbindgen and is regular, so this is a reader of declarations, not of C. What it does not
understand is an error and never left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path


class HeaderError(Exception):
    """A declaration that is not one of the few forms there are."""


@dataclass(frozen=True)
class CType:
    """A type: `name` without `const`, `struct` and `enum`, how many pointers are around it, and the length of an array
    in a struct (0 for none)."""

    name: str
    pointers: int = 0
    length: int = 0

    def __str__(self) -> str:
        return self.name + "*" * self.pointers + (f"[{self.length}]" if self.length else "")


@dataclass(frozen=True)
class Variable:
    """A field or an argument."""

    name: str
    type: CType
    doc: str = ""


@dataclass(frozen=True)
class Constant:
    """`#define NAME NUMBER`."""

    name: str
    value: int
    doc: str = ""


@dataclass(frozen=True)
class Enum:
    """An enum; its numbers are `int32_t` in the interface."""

    name: str
    values: tuple[Constant, ...]
    doc: str = ""


@dataclass(frozen=True)
class Struct:
    """A struct with fields, in order."""

    name: str
    fields: tuple[Variable, ...]
    doc: str = ""


@dataclass(frozen=True)
class Opaque:
    """A struct that is only ever pointed to."""

    name: str
    doc: str = ""


@dataclass(frozen=True)
class Callback:
    """A pointer to a function of the caller's."""

    name: str
    result: CType
    arguments: tuple[Variable, ...]
    doc: str = ""


@dataclass(frozen=True)
class Function:
    """A function of the library; `section` is the title it stands under."""

    name: str
    result: CType
    arguments: tuple[Variable, ...]
    section: str = ""
    doc: str = ""


@dataclass
class Header:
    """All declarations, each kind in the order of the header."""

    constants: list[Constant] = field(default_factory=list)
    enums: list[Enum] = field(default_factory=list)
    structs: list[Struct] = field(default_factory=list)
    opaque: list[Opaque] = field(default_factory=list)
    callbacks: list[Callback] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)


_SECTION = re.compile(r"/\* --- (.*?) -+ \*/")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PLAIN_COMMENT = re.compile(r"/\*(?!\*).*?\*/|//[^\n]*", re.DOTALL)
_DOC = re.compile(r"\s*/\*\*(.*?)\*/\s*", re.DOTALL)
_DEFINE = re.compile(r"#define\s+(\w+)\s+(\d+)\s*$")
_NAME = r"[A-Za-z_]\w*"


def read(path: Path) -> Header:
    """Reads the header at `path`."""
    return parse(path.read_text(encoding="utf-8"))


def parse(text: str) -> Header:
    """Reads the text of a header. `HeaderError` for anything it has no rule for."""
    header = Header()
    section = ""
    for item in _items(text):
        if isinstance(item, _Section):
            section = item.title
        else:
            _declaration(header, section, item.doc, item.code)
    return header


@dataclass
class _Section:
    title: str


@dataclass
class _Item:
    doc: str
    code: str


def _items(text: str) -> list[_Section | _Item]:
    """The declarations between the preprocessor's lines, each with the comment before it."""
    items: list[_Section | _Item] = []
    doc, code, depth = "", "", 0
    position = 0
    while position < len(text):
        if comment := _COMMENT.match(text, position):
            if title := _SECTION.fullmatch(comment.group()):
                items.append(_Section(title.group(1)))
            elif depth == 0 and not code.strip() and comment.group().startswith("/**"):
                doc = clean_comment(comment.group()[3:-2])
            elif comment.group().startswith("/**"):
                code += comment.group()
            position = comment.end()
            continue
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        line = text[position:end]
        if line.startswith("#"):
            if _DEFINE.match(line):
                items.append(_Item(doc, line))
                doc = ""
            elif not re.match(r"#(if|ifdef|ifndef|else|endif|include|define COLSTORE_H$)", line):
                raise HeaderError(f"no rule for {line!r}")
            position = end + 1
            continue
        if re.fullmatch(r'extern "C" \{|\}  // extern "C"', line.strip()):
            position = end + 1
            continue
        character = text[position]
        depth += (character == "{") - (character == "}")
        code += character
        position += 1
        if character == ";" and depth == 0:
            items.append(_Item(doc, code.strip()))
            doc, code = "", ""
    if code.strip():
        raise HeaderError(f"this does not end: {code.strip()[:200]!r}")
    return items


def clean_comment(text: str) -> str:
    """The text of a comment without its frame."""
    lines = [re.sub(r"^\s*\*? ?", "", line).rstrip() for line in text.strip().splitlines()]
    return "\n".join(lines).strip()


def _declaration(header: Header, section: str, doc: str, code: str) -> None:
    if define := _DEFINE.match(code):
        header.constants.append(Constant(define.group(1), int(define.group(2)), doc))
        return
    bare = re.sub(r"\s+", " ", _COMMENT.sub(" ", code)).strip()
    if found := re.fullmatch(rf"enum ({_NAME})(?: : int32_t)? \{{.*\}};", bare):
        header.enums.append(Enum(found.group(1), _enum_values(code), doc))
    elif re.fullmatch(rf"typedef (?:enum ({_NAME})|int32_t) ({_NAME});", bare):
        pass  # the name of an enum in C; `enum` has it
    elif found := re.fullmatch(rf"typedef struct ({_NAME}) \1;|struct ({_NAME});", bare):
        header.opaque.append(Opaque(found.group(1) or found.group(2), doc))
    elif found := re.fullmatch(rf"typedef struct (?:{_NAME} )?\{{.*\}} ({_NAME});", bare):
        header.structs.append(Struct(found.group(1), _fields(code), doc))
    elif found := re.fullmatch(rf"typedef ([^()]*?)\( ?\* ?({_NAME})\) ?\((.*)\);", bare):
        header.callbacks.append(Callback(found.group(2), _type(found.group(1)), _arguments(found.group(3)), doc))
    elif found := re.fullmatch(rf"([^()]*?)\b({_NAME}) ?\(([^()]*)\);", bare):
        result, name, arguments = found.groups()
        header.functions.append(Function(name, _type(result), _arguments(arguments), section, doc))
    else:
        raise HeaderError(f"no rule for {bare[:200]!r}")


def _body(code: str) -> str:
    return code[code.index("{") + 1 : code.rindex("}")]


def _enum_values(code: str) -> tuple[Constant, ...]:
    values = []
    rest = _PLAIN_COMMENT.sub(" ", _body(code))
    pattern = re.compile(rf"(?:\s*/\*\*(?P<doc>.*?)\*/)?\s*(?P<name>{_NAME})\s*=\s*(?P<value>-?\d+)\s*(?:,|\Z)", re.S)
    position = 0
    while rest[position:].strip():
        found = pattern.match(rest, position)
        if not found:
            raise HeaderError(f"no rule for the value of an enum: {rest[position:].strip()[:200]!r}")
        values.append(Constant(found["name"], int(found["value"]), clean_comment(found["doc"] or "")))
        position = found.end()
    return tuple(values)


def _fields(code: str) -> tuple[Variable, ...]:
    fields = []
    for part in _PLAIN_COMMENT.sub(" ", _body(code)).split(";\n"):
        doc = _DOC.match(part)
        text = part[doc.end() :] if doc else part
        if text.strip():
            fields.append(_variable(text, clean_comment(doc.group(1)) if doc else ""))
    return tuple(fields)


def _arguments(text: str) -> tuple[Variable, ...]:
    if text.strip() in ("", "void"):
        return ()
    return tuple(_variable(part) for part in text.split(","))


def _variable(text: str, doc: str = "") -> Variable:
    found = re.fullmatch(rf"\s*(.*?)\b({_NAME})\s*(?:\[(\d+)\])?\s*;?\s*", text, re.DOTALL)
    if not found or not found.group(1).strip():
        raise HeaderError(f"no rule for {text.strip()!r}")
    return Variable(found.group(2), _type(found.group(1), int(found.group(3) or 0)), doc)


def _type(text: str, length: int = 0) -> CType:
    words = re.sub(r"\b(const|struct|enum)\b", " ", text).replace("*", " * ").split()
    name, stars = words[0] if words else "", words[1:]
    if not re.fullmatch(_NAME, name) or any(star != "*" for star in stars):
        raise HeaderError(f"no rule for the type {text.strip()!r}")
    return CType(name, len(stars), length)
