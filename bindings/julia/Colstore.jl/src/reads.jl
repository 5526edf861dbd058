# Values copied into memory of the caller's.

function read_options(threads::Integer, progress::Union{Progress, Nothing})
    return Ref(LibColstore.colstore_read_options(;
        max_threads = threads,
        progress = progress_pointer(progress),
    ))
end

"""
    Colstore.read!(out, table, column, rows = :; threads = 0, progress = nothing) -> out

Reads rows of a column into `out`, a dense vector of the column's type (`eltype(Colstore.dtype(table, column))`) and as long
as there are rows. `threads` is the most that may work on it, 0 for the library's choice.

`DimensionMismatch` or `ArgumentError` if `out` does not fit.
"""
function read!(
    out::DenseVector{T},
    table::Table,
    column,
    rows = :;
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
) where {T}
    position = column_position(table, column)
    wanted = eltype(schema_of(table).dtypes[position])
    T === wanted ||
        throw(ArgumentError(
            "the column $(repr(column)) has values of type $wanted, and out of type $T",
        ))
    selected = span_or_rows(n_rows_of(table), rows)
    if length(out) != length(selected)
        throw(DimensionMismatch(
            "$(length(selected)) rows do not fit into $(length(out)) values",
        ))
    end
    read_values!(out, table, position, selected, threads, progress)
    return out
end

function read_values!(
    out::DenseVector{T},
    table::Table,
    position::Int,
    span::Span,
    threads,
    progress,
) where {T}
    handle = handle_of(table)
    options = read_options(threads, progress)
    n_bytes = length(out) * sizeof(T)
    GC.@preserve out begin
        start = pointer(out)
        check_watched(progress) do err
            LibColstore.colstore_table_read_column(
                handle,
                position - 1,
                span.start,
                span.stop,
                options,
                start,
                n_bytes,
                err,
            )
        end
    end
    return proper_values!(out)
end

function read_values!(
    out::DenseVector{T},
    table::Table,
    position::Int,
    rows::Rows,
    threads,
    progress,
) where {T}
    handle = handle_of(table)
    options = read_options(threads, progress)
    n_bytes = length(out) * sizeof(T)
    GC.@preserve out begin
        start = pointer(out)
        check_watched(progress) do err
            LibColstore.colstore_table_read_column_at(
                handle,
                position - 1,
                rows.handle,
                options,
                start,
                n_bytes,
                err,
            )
        end
    end
    return proper_values!(out)
end

"Several columns at once: a vector for each position."
function read_vectors(
    table::Table,
    positions::Vector{Int},
    selected::Union{Span, Rows},
    threads,
    progress,
)
    handle = handle_of(table)
    dtypes = schema_of(table).dtypes
    vectors = Any[
        Vector{eltype(dtypes[position])}(undef, length(selected))
        for position in positions
    ]
    columns = Csize_t[position - 1 for position in positions]
    sizes = Csize_t[length(selected) * dtypes[position].itemsize for position in positions]
    options = read_options(threads, progress)
    GC.@preserve vectors begin
        starts = Ptr{Cvoid}[pointer(vector) for vector in vectors]
        read_into(handle, columns, selected, options, starts, sizes, progress)
    end
    foreach(proper_values!, vectors)
    return vectors
end

function read_into(handle, columns, span::Span, options, starts, sizes, progress)
    return check_watched(progress) do err
        LibColstore.colstore_table_read_columns(
            handle,
            columns,
            length(columns),
            span.start,
            span.stop,
            options,
            starts,
            sizes,
            err,
        )
    end
end

function read_into(handle, columns, rows::Rows, options, starts, sizes, progress)
    return check_watched(progress) do err
        LibColstore.colstore_table_read_columns_at(
            handle,
            columns,
            length(columns),
            rows.handle,
            options,
            starts,
            sizes,
            err,
        )
    end
end

# A file may hold any byte for a Bool, and Julia takes 0 and 1 only.
proper_values!(out::DenseVector) = out

function proper_values!(out::DenseVector{Bool})
    bytes = reinterpret(UInt8, out)
    bytes .= bytes .!= 0x00
    return out
end
