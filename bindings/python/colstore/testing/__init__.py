"""Made-up tables and files, for tests and benchmarks.

- `columns`: arrays by dtype and seed
- `files`: files of one or of several records
"""

from .columns import make_columns
from .files import make_store, uniform_record_rows, write_columns

__all__ = ["make_columns", "make_store", "uniform_record_rows", "write_columns"]
