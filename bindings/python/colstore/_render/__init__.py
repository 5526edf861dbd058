"""What a table looks like at a prompt and in a notebook.

- `preview`: `Preview`, the first or last rows as NumPy data that shows itself, and how one is made
- `cells`: from values to the text of cells
- `text`, `html`: from cells to a text table, fitted to the terminal, and to an HTML table
"""

from .preview import Preview, preview_column, preview_store, preview_table, store_html, view_html, view_text

__all__ = ["Preview", "preview_column", "preview_store", "preview_table", "store_html", "view_html", "view_text"]
