# A column, or rows of it, as one value.

"The value, `nothing` if there is none because no row is selected."
function reduced(
    table::Table,
    column,
    reduction::Int32;
    rows = nothing,
    ddof::Real = 0,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    handle = handle_of(table)
    position = column_position(table, column)
    selected = rows === nothing ? C_NULL : Colstore.rows(table, rows).handle
    options = read_options(threads, progress)
    out = Ref(LibColstore.colstore_scalar())
    check_watched(progress) do err
        LibColstore.colstore_table_reduce(
            handle,
            position - 1,
            selected,
            reduction,
            ddof,
            options,
            out,
            err,
        )
    end
    return scalar_value(out[], schema_of(table).dtypes[position])
end

function scalar_value(scalar::LibColstore.colstore_scalar, dtype::DType)
    scalar.kind == 0 && return nothing
    kind = Char(scalar.kind)
    kind == 'b' && return scalar.uint_value != 0
    kind == 'i' && return scalar.int_value
    kind == 'u' && return scalar.uint_value
    kind == 'f' && return scalar.float_value
    return eltype(dtype)(scalar.int_value)
end

no_rows(what) = throw(ArgumentError("the $what of no rows"))

"""
    sum(table, column; rows, threads = 0, progress = nothing)

The sum of a column, or of rows of it: of integers modulo 2^64, of floats in double precision, the same to the last bit for
any number of threads and any layout of the files. No values are copied out.
"""
function Base.sum(table::Table, column::ColumnName; options...)
    return reduced(table, column, LibColstore.COLSTORE_REDUCTION_SUM; options...)
end

"""
    minimum(table, column; rows, threads = 0, progress = nothing)
    maximum(table, column; ...)

The least and the greatest value, of the column's type. NaN, or "not a time", if there is one. `ArgumentError` for no rows.
"""
function Base.minimum(table::Table, column::ColumnName; options...)
    return extreme(table, column, LibColstore.COLSTORE_REDUCTION_MIN, "minimum"; options...)
end

function Base.maximum(table::Table, column::ColumnName; options...)
    return extreme(table, column, LibColstore.COLSTORE_REDUCTION_MAX, "maximum"; options...)
end

"Of a column of a table, or of a column or an expression of a frame."
function extreme(source, column, reduction::Int32, what::String; options...)
    value = reduced(source, column, reduction; options...)
    value === nothing && no_rows(what)
    return convert(eltype(dtype(source, column)), value)
end

"""
    mean(table, column; rows, threads = 0, progress = nothing)

The arithmetic mean; NaN for no rows.
"""
function Statistics.mean(table::Table, column::ColumnName; options...)
    value = reduced(table, column, LibColstore.COLSTORE_REDUCTION_MEAN; options...)
    return value === nothing ? NaN : value
end

"""
    var(table, column; corrected = true, rows, threads = 0, progress = nothing)
    std(table, column; ...)

The variance and the standard deviation; `corrected` divides by one less than the number of rows.
"""
function Statistics.var(
    table::Table,
    column::ColumnName;
    corrected::Bool = true,
    options...,
)
    return reduced(
        table,
        column,
        LibColstore.COLSTORE_REDUCTION_VAR;
        ddof = corrected,
        options...,
    )
end

function Statistics.std(
    table::Table,
    column::ColumnName;
    corrected::Bool = true,
    options...,
)
    return reduced(
        table,
        column,
        LibColstore.COLSTORE_REDUCTION_STD;
        ddof = corrected,
        options...,
    )
end
