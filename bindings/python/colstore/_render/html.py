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
# So many names are listed where there are no values.
LISTED = 20


def html_table(
    title: str, facts: Sequence[str], labels: Sequence[str], names: Sequence[str], columns: Sequence[Sequence[str]]
) -> str:
    """A captioned table; all text is escaped."""
    caption = " &middot; ".join([f"<b>{escape(title)}</b>", *map(escape, facts)])
    return html_rows(caption, "", labels, names, [[column[row] for column in columns] for row in range(len(labels))])


def html_rows(
    caption: str, corner: str, labels: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]]
) -> str:
    """The same from rows of cells; the caption is HTML already."""
    head = "".join(f"<th>{_text(name)}</th>" for name in (corner, *names))
    body = "".join(
        f"<tr><th>{_text(label)}</th>" + "".join(f"<td>{_text(cell)}</td>" for cell in cells) + "</tr>"
        for label, cells in zip(labels, rows)
    )
    return (
        f'<div class="cstore-preview"><style>{_STYLE}</style><div style="{_CAPTION_STYLE}">{caption}</div>'
        f'<table class="cstore-tbl"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def lazy_html(title: str, names: Sequence[str]) -> str:
    """A card for rows that have not been looked for."""
    return (
        f'<div class="cstore-lazy" style="{_CAPTION_STYLE}"><b>{escape(title)}</b> &middot; lazy selection &middot; '
        f"{len(names)} column{'' if len(names) == 1 else 's'}<br>[{_text(', '.join(names[:LISTED]))}"
        f"{', ...' if len(names) > LISTED else ''}]<br>"
        "<code>.head()</code> or <code>.evaluate()</code> looks for the rows</div>"
    )


def _text(text: str) -> str:
    return escape(text.encode("utf-8", "backslashreplace").decode("utf-8"))
