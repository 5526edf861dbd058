"""Cases of the query language with what NumPy gives for them: writes tests/data/query/*.toml and suite.txt.

    python tests/numpy/queries.py            writes the files
    python tests/numpy/queries.py --check    exits with 1 if the installed NumPy gives anything else

The files are read by the runners of every language; `tests/data/query/README.md` says what is in them. Texts are
evaluated here as the language defines it: Python's syntax, NumPy's ufuncs, element by element. Where colstore is more
exact than NumPy a case says so (`exact`), and is evaluated with Python's own numbers.
"""

import ast
import operator
import re
import sys
import warnings
from pathlib import Path

import flat
import numpy as np
from query_cases import CALLS, CONDITIONS, ERRORS, TABLES, VALUES

FOLDER = Path(__file__).parent.parent / "data" / "query"

BINARY = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor,
}  # fmt: skip
COMPARE = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}
UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}


class Evaluator:
    """A text over columns, or over the Python values of one row."""

    def __init__(self, names):
        self.names = names

    def text(self, text, params):
        text = re.sub(r"@(\w+)", r"_param_\1", text)
        names = {f"_param_{name}": value for name, value in params.items()}
        return self.node(ast.parse(text.strip(), mode="eval").body, {**self.names, **names})

    def node(self, node, names):
        def go(child):
            return self.node(child, names)

        match node:
            case ast.Constant(value):
                return value
            case ast.Name(name):
                return names[name]
            case ast.List(items) | ast.Tuple(items):
                return [go(item) for item in items]
            case ast.BinOp(left, op, right):
                return BINARY[type(op)](go(left), go(right))
            case ast.UnaryOp(ast.Not(), operand):
                return np.logical_not(go(operand))
            case ast.UnaryOp(op, operand):
                return UNARY[type(op)](go(operand))
            case ast.BoolOp(op, values):
                both = np.logical_and if isinstance(op, ast.And) else np.logical_or
                result = go(values[0])
                for value in values[1:]:
                    result = both(result, go(value))
                return result
            case ast.Compare(left, ops, comparators):
                result, left = None, go(left)
                for op, right in zip(ops, map(go, comparators), strict=True):
                    one = self.compare(op, left, right)
                    result, left = one if result is None else np.logical_and(result, one), right
                return result
        raise ValueError(ast.dump(node))

    def compare(self, op, left, right):
        if isinstance(op, (ast.In, ast.NotIn)):
            found = self.isin(left, list(right) if isinstance(right, (set, list)) else list(np.atleast_1d(right)))
            return np.logical_not(found) if isinstance(op, ast.NotIn) else found
        if left is None or right is None:
            shape = np.shape(right if left is None else left)
            return np.full(shape, isinstance(op, ast.NotEq))
        left, right = self.encoded(left, right), self.encoded(right, left)
        return COMPARE[type(op)](left, right)

    @staticmethod
    def encoded(value, other):
        return value.encode() if isinstance(value, str) and np.asarray(other).dtype.kind == "S" else value

    def isin(self, values, elements):
        values = np.asarray(values)
        found = np.zeros(values.shape, bool)
        for element in elements:
            found |= np.array([self.equal(value, element) for value in values], bool).reshape(values.shape)
        return found

    def equal(self, value, element):
        """Exactly: Python compares its own numbers without rounding."""
        element = self.encoded(element, value)
        if isinstance(value, (np.datetime64, np.timedelta64)):
            return bool(isinstance(element, type(value)) and value == element)
        text = isinstance(value, (bytes, str))
        if isinstance(element, (bytes, str)) != text or element is None:
            return False
        if isinstance(value, np.floating) and isinstance(element, float):
            return bool(np.float64(value) == element)
        return value.item() == element if isinstance(value, np.generic) and not text else value == element


def column(dtype, values):
    dtype = np.dtype(dtype)
    if dtype.kind in "mM":
        counts = [np.iinfo(np.int64).min if value == "NaT" else value for value in values]
        return np.array(counts, "i8").view(dtype)
    return np.array(values, dtype)


def tables():
    return {name: {key: column(*value) for key, value in columns.items()} for name, columns in TABLES.items()}


def shown(array):
    """Values as the files spell them."""
    array = np.asarray(array)
    kind = array.dtype.kind
    if kind in "mM":
        counts = array.view("i8").tolist()
        return ["NaT" if count == np.iinfo(np.int64).min else str(count) for count in counts]
    if kind == "S":
        return [value.decode("latin-1") for value in array.tolist()]
    if kind == "U":
        return array.tolist()
    if kind == "f":
        return ["nan" if np.isnan(value) else repr(float(value)) for value in array]
    return [str(value) for value in array.tolist()]


def code(dtype):
    return dtype.str


def toml(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, int):
        return str(value)
    escaped = "".join(
        c if " " <= c < "\x7f" and c not in '"\\' else f"\\u{ord(c):04x}" if ord(c) < 65536 else f"\\U{ord(c):08x}"
        for c in value
    )
    return f'"{escaped}"'


def parameter(value):
    """A parameter as a dtype and values; `weak` for what Python's own numbers are."""
    if isinstance(value, (set, list)):
        value = sorted(value) if isinstance(value, set) else value
        return {"set": True, "dtype": code(np.asarray(value).dtype), "values": shown(np.asarray(value))}
    if isinstance(value, np.ndarray):
        return {"set": True, "dtype": code(value.dtype), "values": shown(value)}
    weak = isinstance(value, (bool, int, float, str, bytes)) and not isinstance(value, np.generic)
    kind = (
        {bool: "bool", int: "int", float: "float", str: "str", bytes: "bytes"}[type(value)]
        if weak
        else code(np.asarray(value).dtype)
    )
    return {"dtype": kind, "values": shown(np.asarray([value]))}


def toml_text(tables, cases):
    """A document as TOML."""
    out = []
    for name, columns in tables.items():
        out.append(f'[[table]]\nname = "{name}"\n')
        for key, (dtype, values) in columns.items():
            out.append(f"[[table.column]]\nname = {toml(key)}\ndtype = {toml(dtype)}\nvalues = {toml(values)}\n")
    for case in cases:
        out.append("[[case]]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in case.items()))
    return flat.HEAD + "\n" + "\n".join(out)


def shown_tables(names):
    """Tables by name: of every column the dtype and the values, as the files spell them."""
    return {
        name: {key: (code(array.dtype), shown(array)) for key, array in tables()[name].items()}
        for name in sorted(set(names))
    }


def entry(**keys):
    return {key: value for key, value in keys.items() if value not in (None, {})}


def condition(table, text, params):
    columns = tables()[table]
    mask = Evaluator(columns).text(text, params)
    n = len(next(iter(columns.values())))
    return np.flatnonzero(np.broadcast_to(mask, n)).tolist()


def exact_condition(table, text, params):
    columns = tables()[table]
    n = len(next(iter(columns.values())))
    rows = []
    for at in range(n):
        row = {
            name: values[at].item() if values.dtype.kind in "biuf" else values[at] for name, values in columns.items()
        }
        if eval(re.sub(r"@(\w+)", r"\1", text), {"__builtins__": {}}, {**row, **params}):
            rows.append(at)
    return rows


def documents():
    """Name, tables and cases of every document."""
    for name, cases in CONDITIONS.items():
        entries = []
        for table, text, *rest in cases:
            options = rest[0] if rest else {}
            params = options.get("params", {})
            rows = (exact_condition if options.get("exact") else condition)(table, text, params)
            shown_params = {key: parameter(value) for key, value in params.items()}
            entries.append(entry(table=table, query=text, params=shown_params, rows=rows))
        yield name, shown_tables(case[0] for case in cases), entries

    entries = []
    for table, text in VALUES:
        result = np.asarray(Evaluator(tables()[table]).text(text, {}))
        entries.append(entry(table=table, value=text, dtype=code(result.dtype), values=shown(result)))
    for table, function, *args in CALLS:
        values = [Evaluator(tables()[table]).text(arg, {}) for arg in args]
        result = np.asarray(getattr(np, function)(*values))
        entries.append(entry(table=table, call=function, args=args, dtype=code(result.dtype), values=shown(result)))
    yield "values", shown_tables(case[0] for case in VALUES + CALLS), entries

    entries = []
    for table, text, kind, fragment, *rest in ERRORS:
        params = {key: parameter(value) for key, value in (rest[0] if rest else {}).items()}
        entries.append(entry(table=table, query=text, params=params, error=kind, fragment=fragment))
    yield "errors", shown_tables(case[0] for case in ERRORS), entries


def files():
    written = list(documents())
    for name, contents, cases in written:
        yield f"{name}.toml", toml_text(contents, cases)
    yield "suite.txt", flat.suite(written)


def main():
    different = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for name, text in files():
            path = FOLDER / name
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
            elif not path.exists() or path.read_text(encoding="utf-8") != text:
                different.append(name)
    if different:
        print(f"NumPy {np.__version__} gives something else than there is in {', '.join(different)} of {FOLDER}")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main())
