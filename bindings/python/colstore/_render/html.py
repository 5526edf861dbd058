"""A table of cells as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_STYLE = (
    ".cstore-tbl{border-collapse:collapse;font:12px ui-monospace,Menlo,Consolas,monospace}"
    ".cstore-tbl th,.cstore-tbl td{border:1px solid #d0d7de;padding:2px 8px;text-align:right;white-space:nowrap}"
    ".cstore-tbl thead th{background:#f6f8fa}"
    ".cstore-tbl tbody th{background:#f6f8fa;color:#57606a;font-weight:normal}"
)
_CAPTION_STYLE = "color:#57606a;margin-bottom:4px"


def html_table(
    title: str, facts: Sequence[str], labels: Sequence[str], names: Sequence[str], columns: Sequence[Sequence[str]]
) -> str:
    """A captioned table; all text is escaped."""
    caption = " &middot; ".join([f"<b>{escape(title)}</b>", *map(escape, facts)])
    head = "".join(f"<th>{_text(name)}</th>" for name in names)
    body = "".join(
        f"<tr><th>{_text(label)}</th>" + "".join(f"<td>{_text(column[row])}</td>" for column in columns) + "</tr>"
        for row, label in enumerate(labels)
    )
    return (
        f'<div class="cstore-preview"><style>{_STYLE}</style><div style="{_CAPTION_STYLE}">{caption}</div>'
        f'<table class="cstore-tbl"><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _text(text: str) -> str:
    return escape(text.encode("utf-8", "backslashreplace").decode("utf-8"))
