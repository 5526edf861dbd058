"""`colstore_reduction`: what can be computed from the rows of a column."""

SUM = 1
MEAN = 2
MIN = 3
MAX = 4
VAR = 5
STD = 6
