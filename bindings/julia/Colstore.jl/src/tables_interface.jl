# Tables and frames as sources of Tables.jl. A table is its own columns: `DataFrame(table; copycols = false)` and
# the like take them as they are. The columns of a frame are computed together, when they are asked for.

Tables.istable(::Type{Table}) = true
Tables.columnaccess(::Type{Table}) = true
Tables.columns(table::Table) = table
Tables.columnnames(table::Table) = schema_of(table).symbols
Tables.rowcount(table::Table) = n_rows_of(table)
Tables.getcolumn(table::Table, name::Symbol) = column(table, name)
Tables.getcolumn(table::Table, position::Int) = column(table, position)
Tables.getcolumn(table::Table, ::Type{T}, position::Int, ::Symbol) where {T} = column(
    table,
    position,
)

function Tables.schema(table::Table)
    schema = schema_of(table)
    return Tables.Schema(schema.symbols, map(eltype, schema.dtypes))
end

Tables.istable(::Type{Frame}) = true
Tables.columnaccess(::Type{Frame}) = true
Tables.columns(frame::Frame) = frame[:, :]
Tables.rowcount(frame::Frame) = count(frame)

function Tables.schema(frame::Frame)
    schema = schema_of(frame)
    return Tables.Schema(schema.symbols, map(eltype, schema.dtypes))
end
