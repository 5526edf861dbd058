# Writing a file at once.

const STORE_MODES = (
    create = LibColstore.COLSTORE_STORE_MODE_CREATE,
    recreate = LibColstore.COLSTORE_STORE_MODE_RECREATE,
)
const DURABILITIES = (
    process = LibColstore.COLSTORE_DURABILITY_PROCESS,
    disk = LibColstore.COLSTORE_DURABILITY_DISK,
)

"""
    Colstore.store(path, table; mode = :create, statistics = false, durability = :process, threads = 0,
                   progress = nothing) -> Table

Writes the columns of `table` to a new file, which appears under its name when it is complete, and opens it.

`table`: any source of Tables.jl (a `NamedTuple` of vectors, a `DataFrame`, …), or a vector of pairs `name => values`.
Vectors with strides are handed over as they lie. Strings become text as wide as the longest, `Date`s and `DateTime`s become
[`DateTime64`](@ref), periods [`TimeDelta64`](@ref). There are no missing values. A [`Table`](@ref) is copied in bounded
memory: see [its method](@ref store(::AbstractString, ::Table)).

- `mode`: `:create` throws if there is a file, `:recreate` replaces it
- `statistics`: also record the least and the greatest value of every column
- `durability`: `:process` survives a crash of the program, `:disk` one of the machine

`ArgumentError` for columns that cannot be stored, `ColstoreError` with `:ALREADY_EXISTS`, `:NO_SPACE` and so on.
"""
function store(
    path::AbstractString,
    table;
    mode::Symbol = :create,
    statistics::Bool = false,
    durability::Symbol = :process,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    asked = String(path)
    columns = storable_columns(table)
    options = Ref(LibColstore.colstore_store_options(;
        mode = choice("mode", STORE_MODES, mode),
        statistics = statistics,
        durability = choice("durability", DURABILITIES, durability),
        max_threads = threads,
        progress = progress_pointer(progress),
    ))
    GC.@preserve columns begin
        data = column_data(columns)
        check_watched(progress) do err
            LibColstore.colstore_store(
                asked,
                sizeof(asked),
                data,
                length(data),
                options,
                err,
            )
        end
    end
    return Table(open_file(asked))
end

"The columns of a source as `(name, dtype, values)`, the values where they are if they can be stored from there."
function storable_columns(table)
    columns = Tables.columns(table)
    return Tuple{String, String, AbstractVector}[
        storable(String(name), Tables.getcolumn(columns, name))
        for name in Tables.columnnames(columns)
    ]
end

function storable_columns(table::AbstractVector{<:Pair})
    return Tuple{String, String, AbstractVector}[
        storable(String(name), values)
        for (name, values) in table
    ]
end

function storable(name::String, values::AbstractVector)
    vector = values isa ColumnView ? values : as_stored(values)
    text = dtype_text(eltype(vector))
    text === nothing &&
        throw(ArgumentError(
            "the column $(repr(name)) has values of type $(eltype(values)), which cannot be stored",
        ))
    return (name, text, vector)
end

storable(name::String, ::Any) = throw(ArgumentError(
    "the column $(repr(name)) is no vector",
))

"The same values as a vector that has an address and a stride, and a type that can be stored."
function as_stored(values::AbstractVector{T}) where {T}
    if dtype_text(T) !== nothing
        return values isa StridedVector{T} && !isempty(values) ? values : Vector{T}(values)
    end
    Missing <: T &&
        any(ismissing, values) &&
        throw(ArgumentError("there are missing values, which cannot be stored"))
    isconcretetype(T) && return values
    # A vector of Any, or of a Union: what its values have in common.
    narrowed = map(identity, values)
    return isconcretetype(eltype(narrowed)) ? as_stored(narrowed) : narrowed
end

as_stored(values::AbstractVector{<:Union{Dates.Date, Dates.DateTime}}) = map(
    DateTime64,
    values,
)
as_stored(values::AbstractVector{<:Dates.Period}) = map(TimeDelta64, values)

function as_stored(values::AbstractVector{T}) where {T <: AbstractString}
    dtype_text(T) === nothing ||
        return values isa StridedVector{T} ? values : Vector{T}(values)
    width = maximum(length, values; init = 1)
    return FixedText{width}[FixedText{width}(text) for text in values]
end

# Called with the columns under GC.@preserve, and so is whatever uses it.
function column_data(columns::Vector{Tuple{String, String, AbstractVector}})
    return LibColstore.colstore_column_data[
        LibColstore.colstore_column_data(;
            name = pointer(name),
            name_len = sizeof(name),
            dtype = pointer(dtype),
            dtype_len = sizeof(dtype),
            data = address_of(values),
            n_rows = length(values),
            stride = byte_stride(values),
        )
        for (name, dtype, values) in columns
    ]
end

byte_stride(values::StridedVector{T}) where {T} = stride(values, 1) * sizeof(T)
byte_stride(values::ColumnView) = distance(values)

# Called with the values under GC.@preserve.
address_of(values::StridedVector) = Ptr{Cvoid}(pointer(values))
address_of(values::ColumnView) = Ptr{Cvoid}(values.start)
