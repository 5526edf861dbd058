# Values of fixed width: bytes and text, padded with zeros, as they lie in the file.

"""
    FixedBytes{N} <: AbstractString

Up to `N` bytes of text, a value of dtype `S`. Zeros at the end are padding and not part of it. The bytes are taken for
UTF-8, as in a `String`, and need not be valid. `codeunits` gives them, `String` a copy.
"""
struct FixedBytes{N} <: AbstractString
    data::NTuple{N, UInt8}
end

"""
    FixedText{N} <: AbstractString

Up to `N` characters of text, a value of dtype `U`. Zeros at the end are padding and not part of it.
"""
struct FixedText{N} <: AbstractString
    data::NTuple{N, UInt32}
end

"A `long double` of the host that wrote the file: 16 bytes, which this package only moves."
struct LongDouble
    data::NTuple{16, UInt8}
end

const FixedString = Union{FixedBytes, FixedText}

function Base.ncodeunits(s::FixedString)
    n = length(s.data)
    while n > 0 && iszero(s.data[n])
        n -= 1
    end
    return n
end

Base.codeunit(::FixedBytes) = UInt8
Base.codeunit(::FixedText) = UInt32

Base.@propagate_inbounds function Base.codeunit(s::FixedString, i::Int)
    @boundscheck 1 <= i <= ncodeunits(s) || throw(BoundsError(s, i))
    return s.data[i]
end

# Every unit of a FixedText is a character.
Base.isvalid(s::FixedText, i::Int) = 1 <= i <= ncodeunits(s)
Base.length(s::FixedText) = ncodeunits(s)

function Base.iterate(s::FixedText, i::Int = 1)
    i > ncodeunits(s) && return nothing
    unit = s.data[i]
    return (unit <= 0x0010ffff ? Char(unit) : '\ufffd'), i + 1
end

# UTF-8: a character is its first byte and the continuation bytes that it asks for, as far as they are there.
is_continuation(byte::UInt8) = byte & 0xc0 == 0x80

function character_length(s::FixedBytes, i::Int)
    first = s.data[i]
    wanted = 0xc0 <= first < 0xf8 ? min(leading_ones(first), 4) : 1
    found = 1
    while found < wanted && i + found <= ncodeunits(s) && is_continuation(s.data[i + found])
        found += 1
    end
    return found
end

function Base.isvalid(s::FixedBytes, i::Int)
    1 <= i <= ncodeunits(s) || return false
    # Only a byte up to three places before can have taken this one.
    return !any(j -> j + character_length(s, j) > i, max(1, i - 3):(i - 1))
end

function Base.iterate(s::FixedBytes, i::Int = 1)
    i > ncodeunits(s) && return nothing
    n = character_length(s, i)
    # A Char is its bytes in UTF-8, the first one uppermost.
    bits = zero(UInt32)
    for k in 0:(n - 1)
        bits |= UInt32(s.data[i + k]) << (24 - 8 * k)
    end
    return reinterpret(Char, bits), i + n
end

Base.String(s::FixedBytes) = String(UInt8[s.data[i] for i in 1:ncodeunits(s)])

function FixedBytes{N}(text::AbstractString) where {N}
    bytes = codeunits(String(text))
    length(bytes) <= N ||
        throw(ArgumentError("$(length(bytes)) bytes do not fit into FixedBytes{$N}"))
    return FixedBytes{N}(ntuple(i -> i <= length(bytes) ? bytes[i] : 0x00, N))
end

function FixedText{N}(text::AbstractString) where {N}
    units = UInt32[codepoint(character) for character in text]
    length(units) <= N ||
        throw(ArgumentError("$(length(units)) characters do not fit into FixedText{$N}"))
    return FixedText{N}(ntuple(i -> i <= length(units) ? units[i] : zero(UInt32), N))
end

# Equal bytes in the same width are equal text; the way over characters is for other strings.
Base.:(==)(a::FixedBytes{N}, b::FixedBytes{N}) where {N} = a.data == b.data
Base.:(==)(a::FixedText{N}, b::FixedText{N}) where {N} = a.data == b.data
