# What stands between the brackets.

"""
    table[rows, column] -> Vector
    table[rows, columns] -> NamedTuple of Vectors
    table[row, column] -> value
    table[row, columns] -> NamedTuple of values

Copies rows of one column or of several, read at once.

- `rows`: `:`, a range with any step, row numbers in any order and as often as given, a vector of `Bool`s, or a
  [`Rows`](@ref); or one row number
- `column`: a `Symbol`, a string, or a position; `columns`: a vector or tuple of them, or `:`

`BoundsError` for a row that is not there, `ColstoreError` with `:UNKNOWN_COLUMN` for a name.
"""
Base.getindex(table::Table, rows, column::Union{ColumnName, Integer}) = read_rows(
    table,
    rows,
    column,
)

function Base.getindex(table::Table, rows, columns)
    positions = column_positions(table, columns)
    vectors = read_vectors(
        table,
        positions,
        span_or_rows(n_rows_of(table), rows),
        0,
        nothing,
    )
    return NamedTuple{Tuple(schema_of(table).symbols[positions])}(Tuple(vectors))
end

function Base.getindex(table::Table, row::Integer, column::Union{ColumnName, Integer})
    return only(read_rows(table, row:row, column))
end

Base.getindex(table::Table, row::Integer, columns) = map(only, table[row:row, columns])

# `true` is an Integer, and no row.
Base.getindex(::Table, row::Bool, ::Union{ColumnName, Integer}) = throw(ArgumentError(
    "invalid row: $row",
))
Base.getindex(::Table, row::Bool, columns) = throw(ArgumentError("invalid row: $row"))

function read_rows(table::Table, rows, column)
    position = column_position(table, column)
    selected = span_or_rows(n_rows_of(table), rows)
    out = Vector{eltype(schema_of(table).dtypes[position])}(undef, length(selected))
    return read_values!(out, table, position, selected, 0, nothing)
end

column_positions(table::Table, columns) = column_positions(schema_of(table), columns)
column_positions(schema::Schema, ::Colon) = collect(1:length(schema))
column_positions(schema::Schema, columns) = Int[
    column_position(schema, column)
    for column in columns
]
