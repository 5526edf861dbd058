# What the values of a column are, and which Julia type stands for them.

"""
    DType

The dtype of a column.

- `text`: as the file spells it, in NumPy's way: `"<f8"`, `">M8[25s]"`, `"|S12"`
- `kind`: NumPy's letter for it; `itemsize`: bytes of a value; `big_endian`: how the file holds it
- `unit`, `multiplier`: of datetimes and timedeltas; `:generic` and 0 otherwise

`eltype(dtype)` is the Julia type of its values.
"""
struct DType
    text::String
    kind::Char
    itemsize::Int
    big_endian::Bool
    unit::Symbol
    multiplier::Int
end

function DType(text::String, parts::LibColstore.colstore_dtype)
    unit = checkbounds(Bool, 1:length(UNITS), parts.unit + 1) ?
        UNITS[parts.unit + 1] :
        :generic
    return DType(
        text,
        Char(parts.kind),
        Int(parts.itemsize),
        parts.big_endian != 0,
        unit,
        Int(parts.unit_multiplier),
    )
end

"""
    DType(text)

Reads a dtype in any of NumPy's spellings. `ColstoreError` if no `.cstore` file can hold it.
"""
function DType(text::AbstractString)
    spelling = String(text)
    out = Ref(LibColstore.colstore_dtype())
    check() do err
        LibColstore.colstore_dtype_parse(spelling, sizeof(spelling), out, err)
    end
    return DType(spelling, out[])
end

Base.show(io::IO, dtype::DType) = print(io, "DType(", repr(dtype.text), ")")

const NUMBERS = Dict{Tuple{Char, Int}, DataType}(
    ('b', 1) => Bool,
    ('i', 1) => Int8,
    ('i', 2) => Int16,
    ('i', 4) => Int32,
    ('i', 8) => Int64,
    ('u', 1) => UInt8,
    ('u', 2) => UInt16,
    ('u', 4) => UInt32,
    ('u', 8) => UInt64,
    ('f', 2) => Float16,
    ('f', 4) => Float32,
    ('f', 8) => Float64,
    ('f', 16) => LongDouble,
)

function Base.eltype(dtype::DType)
    dtype.kind == 'S' && return FixedBytes{dtype.itemsize}
    dtype.kind == 'U' && return FixedText{dtype.itemsize ÷ 4}
    dtype.kind == 'M' && return DateTime64{dtype.unit, max(dtype.multiplier, 1)}
    dtype.kind == 'm' && return TimeDelta64{dtype.unit, max(dtype.multiplier, 1)}
    return get(NUMBERS, (dtype.kind, dtype.itemsize)) do
        throw(ArgumentError("Colstore has no Julia type for the dtype $(repr(dtype.text))"))
    end
end

"""
    dtype_text(T) -> Union{String, Nothing}

How the dtype of a Julia type is spelt, or `nothing` if its values cannot be stored as they lie in memory.
"""
dtype_text(::Type) = nothing
dtype_text(::Type{Bool}) = "|b1"
dtype_text(T::Union{Type{Int8}, Type{Int16}, Type{Int32}, Type{Int64}}) = "<i$(sizeof(T))"
dtype_text(
    T::Union{Type{UInt8}, Type{UInt16}, Type{UInt32}, Type{UInt64}},
) = "<u$(sizeof(T))"
dtype_text(T::Union{Type{Float16}, Type{Float32}, Type{Float64}}) = "<f$(sizeof(T))"
dtype_text(::Type{LongDouble}) = "<f16"
dtype_text(::Type{FixedBytes{N}}) where {N} = "|S$N"
dtype_text(::Type{FixedText{N}}) where {N} = "<U$N"
dtype_text(::Type{DateTime64{U, N}}) where {U, N} = "<M8" * unit_text(U, N)
dtype_text(::Type{TimeDelta64{U, N}}) where {U, N} = "<m8" * unit_text(U, N)

function unit_text(unit::Symbol, multiplier::Integer)
    unit === :generic && return ""
    return multiplier == 1 ? "[$unit]" : "[$multiplier$unit]"
end
