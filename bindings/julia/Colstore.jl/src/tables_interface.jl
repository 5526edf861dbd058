# A table as a source of Tables.jl: `DataFrame(table; copycols = false)` and the like take its columns as they are.

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
