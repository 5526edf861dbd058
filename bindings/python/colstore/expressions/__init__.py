"""Expressions: values of rows worked out from columns, built by operators and NumPy's functions.

- `base`: `Expression`, what can be done with any
- `column`: `col()`, over names of columns that are looked up where the expression is used
- `frame`: over columns of a frame
- `arrays`: calls of NumPy's functions with expressions, as nodes or as errors
- `operands`: what may stand beside an expression
- `nodes`: what an expression is made of, and how each part becomes one of the library's
- `elementwise`: NumPy's own functions, and the user's, over blocks of rows
- `scopes`: where names are looked up
"""

from .base import Expression
from .column import ColumnExpression, col
from .frame import FrameExpression

__all__ = ["ColumnExpression", "Expression", "FrameExpression", "col"]
