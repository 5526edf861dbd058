"""What the checks need to know of Julia source, by tree-sitter."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import tree_sitter
import tree_sitter_julia

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_julia.language()))

#: Calls that make or follow an address, which the garbage collector knows nothing of; the last five are the package's.
ADDRESSES = {
    "pointer",
    "pointer_from_objref",
    "unsafe_copyto!",
    "unsafe_load",
    "unsafe_store!",
    "unsafe_string",
    "unsafe_wrap",
    "address_of",
    "append_options",
    "column_data",
    "lent_string",
    "loaded",
}


@dataclass(frozen=True)
class CCall:
    """`@ccall $(FUNCTIONS.pointer)(argument::type, …)::result` in the function `stub`, which takes `parameters`."""

    stub: str
    parameters: tuple[str, ...]
    pointer: str
    arguments: tuple[tuple[str, str], ...]
    result: str
    line: int


@dataclass(frozen=True)
class Use:
    """`LibColstore.name` in hand-written code: called with arguments, or only named (`arguments` is None)."""

    name: str
    arguments: tuple[str, ...] | None
    keywords: tuple[str, ...]
    line: int


@dataclass
class Definition:
    """A function with a body: its name, what it uses of the C interface in order, the C types of its variables."""

    name: str
    line: int
    uses: list[Use] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    bare_addresses: list[tuple[str, int]] = field(default_factory=list)


def text(node: Node) -> str:
    """The source of a node on one line, without blanks in types."""
    return re.sub(r"\s+", " ", node.text.decode())


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, in the order of the source."""
    yield node
    for child in node.children:
        yield from walk(child)


@lru_cache(maxsize=64)
def parse(source: str) -> Node:
    """The tree of a file."""
    return _PARSER.parse(source.encode()).root_node


def syntax_errors(path: Path) -> list[str]:
    """What cannot be parsed."""
    return [
        f"{path.name}:{node.start_point.row + 1}: syntax: {text(node)[:80]!r}"
        for node in walk(parse(path.read_text(encoding="utf-8")))
        if node.type == "ERROR" or node.is_missing
    ]


def _call_name(node: Node) -> str:
    """What is called by a call expression."""
    return text(node.named_children[0])


def _typed(node: Node) -> tuple[str, str]:
    value, annotation = node.named_children
    return text(value), text(annotation).replace(" ", "")


def _arguments(call: Node) -> Node:
    return next(child for child in call.named_children if child.type == "argument_list")


def _signature_call(definition: Node) -> Node | None:
    """The `f(a, b)` of a definition in either form."""
    if definition.type == "function_definition":
        found = next((child for child in definition.named_children if child.type == "signature"), None)
    elif definition.type == "assignment":
        found = definition.named_children[0]
    else:
        return None
    while found is not None and found.type in ("signature", "where_expression", "typed_expression"):
        found = found.named_children[0]
    return found if found is not None and found.type == "call_expression" else None


def ccalls(source: str) -> list[CCall]:
    """Every `@ccall`, with the stub around it. `ValueError` for one that is not in the form of the stubs."""
    found = []
    for definition in walk(parse(source)):
        signature = _signature_call(definition)
        if signature is None:
            continue
        for node in walk(definition):
            if node.type != "macrocall_expression" or not text(node).startswith("@ccall"):
                continue
            line = node.start_point.row + 1
            typed = node.named_children[-1].named_children[0]
            if typed.type != "typed_expression" or typed.named_children[0].type != "call_expression":
                raise ValueError(f"line {line}: not @ccall $(FUNCTIONS.name)(…)::T")
            call, result = typed.named_children
            pointer = re.fullmatch(r"\$\(FUNCTIONS\.(\w+)\)", _call_name(call))
            if not pointer:
                raise ValueError(f"line {line}: {_call_name(call)} is not $(FUNCTIONS.name)")
            arguments = tuple(_typed(argument) for argument in _arguments(call).named_children)
            parameters = tuple(text(parameter) for parameter in _arguments(signature).named_children)
            result_type = text(result).replace(" ", "")
            found.append(CCall(_call_name(signature), parameters, pointer.group(1), arguments, result_type, line))
    count = sum(text(node).startswith("@ccall") for node in walk(parse(source)) if node.type == "macrocall_expression")
    if count != len(found):
        raise ValueError(f"{count} @ccalls, but {len(found)} in functions")
    return found


def structs(source: str) -> dict[str, list[tuple[str, str]]]:
    """name -> fields (name, type) of every struct that has fields."""
    found = {}
    for node in walk(parse(source)):
        if node.type != "struct_definition":
            continue
        head = next(child for child in node.named_children if child.type == "type_head")
        fields = []
        for child in node.named_children:
            inner = child.named_children[0] if child.type == "assignment" else child
            if inner.type == "typed_expression":
                fields.append(_typed(inner))
        if fields:
            found[text(head)] = fields
    return found


def constants(source: str) -> dict[str, str]:
    """name -> value of every `const`."""
    found = {}
    for node in walk(parse(source)):
        if node.type == "const_statement":
            name, _, value = text(node.named_children[0]).partition(" = ")
            found[name] = value
    return found


def definitions(source: str) -> list[Definition]:
    """The functions of a hand-written file, in order; what stands outside of them is one without a name."""
    outside = Definition("", 1)
    found = [outside]
    _collect(parse(source), outside, found, preserved=False)
    return found


def _collect(node: Node, current: Definition, found: list[Definition], preserved: bool) -> None:
    signature = _signature_call(node)
    if signature is not None and current.name == "":
        current = Definition(_call_name(signature), node.start_point.row + 1)
        found.append(current)
    if node.type == "macrocall_expression" and text(node).startswith("GC.@preserve"):
        preserved = True
    if node.type == "assignment":
        _remember_variable(node, current)
    if node.type == "field_expression" and re.fullmatch(r"LibColstore\.\w+", text(node)):
        current.uses.append(_use(node))
    if node.type == "call_expression" and node is not signature and not _is_signature(node):
        name = _call_name(node)
        if name in ADDRESSES and not preserved:
            current.bare_addresses.append((name, node.start_point.row + 1))
    for child in node.children:
        _collect(child, current, found, preserved)


def _is_signature(node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type in ("signature", "where_expression", "typed_expression"):
        if parent.type == "signature":
            return True
        parent = parent.parent
    return parent is not None and parent.type == "assignment" and _signature_call(parent) == node


def _use(node: Node) -> Use:
    name = text(node).split(".")[1]
    call = node.parent
    line = node.start_point.row + 1
    if call is None or call.type != "call_expression" or call.named_children[0] != node:
        return Use(name, None, (), line)
    positional, keywords = [], []
    for argument in _arguments(call).named_children:
        if argument.type == "named_argument":
            keywords.append(text(argument.named_children[0]))
        elif argument.type not in ("line_comment", "block_comment"):
            positional.append(text(argument))
    return Use(name, tuple(positional), tuple(keywords), line)


_VARIABLES = (
    (re.compile(r"Ref\{(.+)\}\(.*\)"), "{}"),
    (re.compile(r"Ref\( ?LibColstore\.(\w+)\(.*\),? ?\)"), "{}"),
    (re.compile(r"Vector\{(\w+)\}\(undef, .*\)"), "{}"),
    (re.compile(r"((?:Ptr\{[\w.{}]+\})|[A-Z]\w+|LibColstore\.\w+)\[.*\]"), "{}"),
)


def _remember_variable(node: Node, current: Definition) -> None:
    """`name = Ref{T}(…)`, `name = Ref(LibColstore.T(…))`, `name = Vector{T}(undef, …)` or `name = T[…]`: where a
    pointer is wanted, `name` is one to a `T`."""
    name, value = node.named_children[0], node.named_children[-1]
    if name.type != "identifier":
        return
    for pattern, _ in _VARIABLES:
        if made := pattern.fullmatch(text(value)):
            current.variables[text(name)] = made.group(1).replace("LibColstore.", "").replace(" ", "")
            return


@dataclass(frozen=True)
class Method:
    """How many positional arguments a method takes (`most` is None for any number), and which keywords (None: any)."""

    least: int
    most: int | None
    keywords: frozenset[str] | None


@dataclass(frozen=True)
class Call:
    """A call by name, with or without the module's: the number of positional arguments, and the keywords (None if some
    are splatted)."""

    name: str
    qualified: bool
    count: int
    keywords: frozenset[str] | None
    line: int


def _base_name(callee: Node) -> str | None:
    """`f` of `f`, `Colstore.f` and `F{T}`; None for names of other modules."""
    found = re.fullmatch(r"(?:Colstore\.)?([\w!]+)(?:\{.*\})?", text(callee))
    return found.group(1) if found else None


def _split(argument_list: Node) -> tuple[list[Node], list[Node]]:
    """The arguments before and after the semicolon."""
    positional: list[Node] = []
    keywords: list[Node] = []
    current = positional
    for child in argument_list.children:
        if child.type == ";":
            current = keywords
        elif child.is_named and child.type not in ("line_comment", "block_comment"):
            current.append(child)
    return positional, keywords


def _method(signature: Node) -> Method:
    positional, keyword = _split(_arguments(signature))
    splat = any("..." in text(argument) for argument in positional)
    optional = sum(argument.type == "named_argument" for argument in positional)
    any_keyword = any("..." in text(argument) for argument in keyword)
    names = frozenset(re.match(r"[\w!]+", text(argument)).group() for argument in keyword)
    least = len(positional) - optional - splat
    return Method(least, None if splat else len(positional), None if any_keyword else names)


def methods(source: str) -> dict[str, list[Method]]:
    """name -> methods of the functions and constructors that a file defines under names of its own."""
    found: dict[str, list[Method]] = {}
    for node in walk(parse(source)):
        signature = _signature_call(node)
        if signature is not None and (name := _base_name(signature.named_children[0])):
            found.setdefault(name, []).append(_method(signature))
        if node.type == "struct_definition":
            inner = any(child.type == "function_definition" for child in node.named_children)
            head = next(child for child in node.named_children if child.type == "type_head")
            name = re.match(r"\w+", text(head)).group()
            count = sum(child.type == "typed_expression" for child in node.named_children)
            if not inner:
                found.setdefault(name, []).append(Method(count, count, frozenset()))
    return found


def calls(source: str) -> list[Call]:
    """Every call by name that has no splatted positional argument."""
    found = []
    for node in walk(parse(source)):
        if node.type != "call_expression" or _is_signature(node):
            continue
        lists = [child for child in node.named_children if child.type == "argument_list"]
        name = _base_name(node.named_children[0])
        if not lists or name is None:
            continue
        before, after = _split(lists[0])
        positional = [argument for argument in before if argument.type != "named_argument"]
        keyword = [*(argument for argument in before if argument.type == "named_argument"), *after]
        if any("..." in text(argument) for argument in positional):
            continue
        block = any(child.type == "do_clause" for child in node.named_children)
        names: frozenset[str] | None = None
        if not any(argument.type == "splat_expression" for argument in keyword):
            names = frozenset(re.match(r"[\w!]+", text(argument)).group() for argument in keyword)
        qualified = _call_name(node).startswith("Colstore.")
        found.append(Call(name, qualified, len(positional) + block, names, node.start_point.row + 1))
    return found
