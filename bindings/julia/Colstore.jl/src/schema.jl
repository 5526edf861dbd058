# The columns of a table, in order.

const ColumnName = Union{Symbol, AbstractString}

"""
    Schema

Names and dtypes of the columns. `names` are exact; `symbols` are the same as `Symbol`s, which cannot hold a NUL: there it
is written as `\\0`, and the string has to be used.
"""
struct Schema
    handle::Handle{LibColstore.colstore_schema}
    names::Vector{String}
    symbols::Vector{Symbol}
    dtypes::Vector{DType}
    positions::Dict{Symbol, Int}
end

"Reads the columns of a schema and takes the handle."
function Schema(handle::Handle{LibColstore.colstore_schema})
    n_columns = Ref{Csize_t}(0)
    check() do err
        LibColstore.colstore_schema_n_columns(handle, n_columns, err)
    end
    names = String[]
    dtypes = DType[]
    for index in 0:(Int(n_columns[]) - 1)
        column = Ref(LibColstore.colstore_column())
        check() do err
            LibColstore.colstore_schema_column(handle, index, column, err)
        end
        lent = column[]
        GC.@preserve handle begin
            push!(names, unsafe_string(lent.name, lent.name_len))
            text = unsafe_string(lent.dtype_text, lent.dtype_text_len)
            push!(dtypes, DType(text, lent.dtype))
        end
    end
    symbols = Symbol[Symbol(replace(name, '\0' => "\\0")) for name in names]
    positions = Dict{Symbol, Int}(symbol => i for (i, symbol) in enumerate(symbols))
    return Schema(handle, names, symbols, dtypes, positions)
end

Base.length(schema::Schema) = length(schema.names)

"""
    position(schema, name) -> Int

The position of a column, counted from 1. The error for an unknown name is the library's, which lists the names.
"""
function column_position(schema::Schema, name::Symbol)
    found = get(schema.positions, name, 0)
    return found > 0 ? found : column_position(schema, String(name))
end

function column_position(schema::Schema, name::AbstractString)
    text = String(name)
    index = Ref{Csize_t}(0)
    check() do err
        LibColstore.colstore_schema_find(schema.handle, text, sizeof(text), index, err)
    end
    return Int(index[]) + 1
end

function column_position(schema::Schema, index::Integer)
    checkbounds(schema.names, index)
    return Int(index)
end
