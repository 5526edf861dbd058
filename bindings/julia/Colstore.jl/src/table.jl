# A table: one file or many, open for reading.

"""
    Table

A `.cstore` file open for reading, or many of them end to end; made by [`open`](@ref). Any number of tasks and threads may
use it at once.

- `table.pt`: a column; `table[rows, columns]`: rows of columns, see [`getindex`](@ref Base.getindex(::Table, ::Any, ::Any))
- `size(table)`, `size(table, 1)`: rows and columns; `propertynames(table)`: the columns' names
- `Colstore.dtype(table, :pt)`, `Colstore.n_records(table)`, `Colstore.record_rows(table)`, `Colstore.paths(table)`
- `sum(table, :pt)`, `minimum`, `maximum`, `mean`, `var`, `std`
- `vcat(table, other)`: one after the other, without reading a file
- `close(table)`: lets go of the files

Every property is a column, so a column may have any name.
"""
mutable struct Table
    handle::Union{Handle{LibColstore.colstore_table}, Nothing}
    schema::Schema
    n_rows::Int
    dropped::Vector{String}
end

"Takes the handle and reads what does not change."
function Table(
    handle::Handle{LibColstore.colstore_table},
    dropped::Vector{String} = String[],
)
    n_rows = Ref{Int64}(0)
    check() do err
        LibColstore.colstore_table_n_rows(handle, n_rows, err)
    end
    schema = Ref{Ptr{LibColstore.colstore_schema}}(C_NULL)
    check() do err
        LibColstore.colstore_table_schema(handle, schema, err)
    end
    columns = Schema(Handle(schema[]))
    return Table(handle, columns, Int(n_rows[]), dropped)
end

schema_of(table::Table) = getfield(table, :schema)
n_rows_of(table::Table) = getfield(table, :n_rows)

function handle_of(table::Table)
    handle = getfield(table, :handle)
    handle === nothing && throw(ArgumentError("the table is closed"))
    return handle
end

"""
    close(table)

Lets go of the files: reads that run go on, later ones throw. Columns that were taken without a copy stay valid, and the
memory is given back when the garbage collector finds the last of them gone.
"""
function Base.close(table::Table)
    setfield!(table, :handle, nothing)
    return nothing
end

Base.isopen(table::Table) = getfield(table, :handle) !== nothing

Base.size(table::Table) = (n_rows_of(table), length(schema_of(table)))
Base.size(table::Table, dimension::Integer) = dimension <= 2 ? size(table)[dimension] : 1
Base.ndims(::Table) = 2
Base.ndims(::Type{Table}) = 2
Base.axes(table::Table) = map(Base.OneTo, size(table))
Base.axes(table::Table, dimension::Integer) = Base.OneTo(size(table, dimension))
Base.firstindex(::Table, ::Integer) = 1
Base.lastindex(table::Table, dimension::Integer) = size(table, dimension)
Base.propertynames(table::Table) = copy(schema_of(table).symbols)

column_position(table::Table, name) = column_position(schema_of(table), name)

"""
    Colstore.dtype(table, column) -> DType

The dtype of a column.
"""
dtype(table::Table, column) = schema_of(table).dtypes[column_position(table, column)]

"""
    Colstore.column_names(table) -> Vector{String}

The exact names of the columns; `propertynames` gives them as `Symbol`s.
"""
column_names(table::Table) = copy(schema_of(table).names)

"""
    Colstore.n_records(table) -> Int

The number of records that the rows lie in, in all files. With one, every column in native byte order is lent whole.
"""
function n_records(table::Table)
    out = Ref{Int64}(0)
    check() do err
        LibColstore.colstore_table_n_records(handle_of(table), out, err)
    end
    return Int(out[])
end

"""
    Colstore.record_rows(table) -> Vector{Int64}

The number of rows of every record, in the order of the rows. Rows of one record can be viewed.
"""
function record_rows(table::Table)
    handle = handle_of(table)
    counts = Vector{Int64}(undef, n_records(table))
    check() do err
        LibColstore.colstore_table_record_rows(handle, counts, length(counts), err)
    end
    return counts
end

"""
    Colstore.paths(table) -> Vector{String}

The files of the table in the order of the rows, as they were named when they were opened.
"""
function paths(table::Table)
    handle = handle_of(table)
    n_files = Ref{Csize_t}(0)
    check() do err
        LibColstore.colstore_table_n_files(handle, n_files, err)
    end
    found = String[]
    for file in 0:(Int(n_files[]) - 1)
        start = Ref{Ptr{UInt8}}(C_NULL)
        len = Ref{Csize_t}(0)
        check() do err
            LibColstore.colstore_table_path(handle, file, start, len, err)
        end
        GC.@preserve handle push!(found, unsafe_string(start[], len[]))
    end
    return found
end

"""
    Colstore.dropped(table) -> Vector{String}

The columns that were left out when tables were put together with `on_mismatch = :drop`, sorted.
"""
dropped(table::Table) = copy(getfield(table, :dropped))

function Base.show(io::IO, table::Table)
    n_rows, n_columns = size(table)
    print(io, "Colstore.Table with ", n_rows, " rows and ", n_columns, " columns")
    isopen(table) || print(io, " (closed)")
    return nothing
end

function Base.show(io::IO, ::MIME"text/plain", table::Table)
    show(io, table)
    show_columns(io, schema_of(table))
    return nothing
end

function show_columns(io::IO, schema::Schema)
    shown = get(io, :limit, false) ? min(length(schema), 40) : length(schema)
    for i in 1:shown
        print(io, "\n  ", schema.symbols[i], "  ", schema.dtypes[i].text)
    end
    shown < length(schema) && print(io, "\n  … ", length(schema) - shown, " more")
    return nothing
end
