# Columns lent where they lie in the mapped file.

"""
    ColumnView{T} <: AbstractVector{T}

Values of a column where they lie in the mapped file: read-only, and at any address. It keeps the mapping alive, also after
the table is closed. If another program writes into the file, the values change; if it shortens the file, touching what is
gone raises `SIGBUS`. `Vector(view)` is a copy.

`table.pt` and `view(table, rows, :pt)` make one.
"""
struct ColumnView{T, Dense} <: AbstractVector{T}
    view::Handle{LibColstore.colstore_view}
    start::Ptr{UInt8}
    stride::Int
    length::Int
end

function ColumnView{T}(view::Handle{LibColstore.colstore_view}) where {T}
    out = Ref(LibColstore.colstore_view_info())
    check() do err
        LibColstore.colstore_view_describe(view, out, err)
    end
    found = out[]
    stride = Int(found.stride)
    # Side by side is by far the most, and its distance is known to the compiler.
    dense = stride == sizeof(T)
    return ColumnView{T, dense}(view, Ptr{UInt8}(found.data), stride, Int(found.n_rows))
end

Base.size(column::ColumnView) = (column.length,)
Base.IndexStyle(::Type{<:ColumnView}) = IndexLinear()

distance(column::ColumnView{T, true}) where {T} = sizeof(T)
distance(column::ColumnView{T, false}) where {T} = column.stride

Base.@propagate_inbounds function Base.getindex(column::ColumnView{T}, i::Int) where {T}
    @boundscheck checkbounds(column, i)
    view = column.view
    return GC.@preserve view loaded(T, column.start + (i - 1) * distance(column))
end

# `unsafe_load` takes any address; the exceptions are Bool, for which a file may hold any byte, and values of no bytes.
loaded(::Type{T}, address::Ptr{UInt8}) where {T} = unsafe_load(Ptr{T}(address))
loaded(::Type{Bool}, address::Ptr{UInt8}) = unsafe_load(address) != 0x00
loaded(::Type{FixedBytes{0}}, ::Ptr{UInt8}) = FixedBytes{0}(())
loaded(::Type{FixedText{0}}, ::Ptr{UInt8}) = FixedText{0}(())

"""
    view(table, rows, column) -> ColumnView

Rows of a column without a copy. `ColstoreError` with the status `:NOT_CONTIGUOUS` if they are not evenly spaced, lie in
more than one record or in big-endian order, or the file is not mapped; then `table[rows, column]` gives a copy.
"""
function Base.view(table::Table, rows, column)
    position = column_position(table, column)
    lent = lend(table, position, span_or_rows(n_rows_of(table), rows))
    lent isa ColstoreError && throw(lent)
    return lent
end

# What `@view table[rows, :pt]` calls.
Base.maybeview(table::Table, rows, column) = view(table, rows, column)

"A [`ColumnView`](@ref), or the error if the rows cannot be lent."
function lend(table::Table, position::Int, span::Span)
    handle = handle_of(table)
    out = Ref{Ptr{LibColstore.colstore_view}}(C_NULL)
    error = attempt() do err
        LibColstore.colstore_table_view_column(
            handle,
            position - 1,
            span.start,
            span.stop,
            out,
            err,
        )
    end
    return lent_or_error(table, position, out[], error)
end

function lend(table::Table, position::Int, rows::Rows)
    handle = handle_of(table)
    out = Ref{Ptr{LibColstore.colstore_view}}(C_NULL)
    error = attempt() do err
        LibColstore.colstore_table_view_column_at(
            handle,
            position - 1,
            rows.handle,
            out,
            err,
        )
    end
    return lent_or_error(table, position, out[], error)
end

function lent_or_error(
    table::Table,
    position::Int,
    view::Ptr{LibColstore.colstore_view},
    error,
)
    if error === nothing
        return ColumnView{eltype(schema_of(table).dtypes[position])}(Handle(view))
    end
    return error.status === :NOT_CONTIGUOUS ? error : throw(error)
end

"""
    Colstore.column(table, name) -> AbstractVector

A whole column, as `table.name`: a [`ColumnView`](@ref) if it can be lent, else a `Vector`, read at once.
"""
function column(table::Table, name)
    position = column_position(table, name)
    all_rows = Span(0, n_rows_of(table))
    lent = lend(table, position, all_rows)
    lent isa ColstoreError || return lent
    out = Vector{eltype(schema_of(table).dtypes[position])}(undef, length(all_rows))
    return read_values!(out, table, position, all_rows, 0, nothing)
end

Base.getproperty(table::Table, name::Symbol) = column(table, name)
