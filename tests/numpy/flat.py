"""The cases of `queries.py` for languages without a reader of TOML: a statement a line, its fields parted by TABs.

`tests/data/query/README.md` describes it.
"""

HEAD = "# Written by tests/numpy/queries.py; see README.md.\n"

SHORT = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def field(text, as_bytes):
    """A field's text without control characters; where it stands for bytes, ASCII alone."""

    def spelled(character):
        code = ord(character)
        if character in SHORT:
            return SHORT[character]
        if code < 0x20 or 0x7F <= code < (0x100 if as_bytes else 0xA0) or 0xD800 <= code < 0xE000:
            return f"\\u{code:06x}"
        return character

    return "".join(map(spelled, text))


def line(keyword, *fields, as_bytes=False):
    return "\t".join([keyword, *(field(str(text), as_bytes) for text in fields)]) + "\n"


def values_line(keyword, *fields, dtype, values):
    """A line that ends with a dtype and values of it."""
    return line(keyword, *fields, dtype, *values, as_bytes=dtype == "bytes" or dtype.startswith("|S"))


def case_lines(name, table, case):
    out = [line("case", name, table)]
    for key, value in case.get("params", {}).items():
        keyword = "paramset" if value.get("set") else "param"
        out.append(values_line(keyword, key, dtype=value["dtype"], values=value["values"]))
    for keyword in ("query", "value"):
        if keyword in case:
            out.append(line(keyword, case[keyword]))
    if "call" in case:
        out.append(line("call", case["call"], *case["args"]))
    if "error" in case:
        out.append(line("error", case["error"], case["fragment"]))
    elif "rows" in case:
        out.append(line("rows", *case["rows"]))
    else:
        out.append(values_line("result", dtype=case["dtype"], values=case["values"]))
    return "".join(out)


def suite(documents):
    """The text of all documents: their name, their tables as columns of dtype and values by name, and their cases."""
    out = [HEAD, line("cases", sum(len(cases) for _, _, cases in documents))]
    for name, tables, cases in documents:
        for table, columns in tables.items():
            out.append("\n" + line("table", f"{name}/{table}"))
            for key, (dtype, values) in columns.items():
                out.append(values_line("column", key, dtype=dtype, values=values))
        for number, case in enumerate(cases):
            out.append("\n" + case_lines(f"{name}-{number}", f"{name}/{case['table']}", case))
    return "".join(out)
