# Which rows: from what stands between the brackets to a selection of the library.

"""
    Rows

Rows of a table, checked once and good for any number of reads of tables with as many rows. [`Colstore.rows`](@ref) makes
one; it may stand wherever rows are asked for. `length(rows)` is the number of rows selected, `collect(rows)` their
numbers, `rows[inner]` selects from it by position.
"""
struct Rows
    handle::Handle{LibColstore.colstore_rows}
    n_rows::Int
    count::Int
end

"Rows `start + 1` to `stop`, which need no selection."
struct Span
    start::Int
    stop::Int
end

Base.length(rows::Rows) = rows.count
Base.length(span::Span) = span.stop - span.start

"Takes a new selection."
function Rows(handle::Handle{LibColstore.colstore_rows}, n_rows::Int)
    count = Ref{Int64}(0)
    check() do err
        LibColstore.colstore_rows_count(handle, count, err)
    end
    return Rows(handle, n_rows, Int(count[]))
end

"""
    Colstore.rows(table, selection) -> Rows
    Colstore.rows(n_rows, selection) -> Rows

Makes a selection: of `:`, a range with any step, row numbers in any order and as often as given, or a vector of `Bool`s as
long as the table. A `BitVector` is handed over as it is.

`BoundsError` if a row is not there; nothing is clipped.
"""
rows(table::Table, selection) = rows(n_rows_of(table), selection)

function rows(n_rows::Integer, ::Colon)
    out = Ref{Ptr{LibColstore.colstore_rows}}(C_NULL)
    check() do err
        LibColstore.colstore_rows_all(n_rows, out, err)
    end
    return Rows(Handle(out[]), Int(n_rows))
end

function rows(n_rows::Integer, range::AbstractRange{<:Integer})
    check_range(n_rows, range)
    # The library's rows begin at 0, and its `stop` is not included.
    first_row, last_row, step_ = isempty(range) ?
        (0, -1, 1) :
        (first(range) - 1, last(range) - 1, Int(step(range)))
    stop = last_row + sign(step_)
    out = Ref{Ptr{LibColstore.colstore_rows}}(C_NULL)
    check() do err
        LibColstore.colstore_rows_range(n_rows, first_row, stop, step_, out, err)
    end
    return Rows(Handle(out[]), Int(n_rows))
end

function rows(n_rows::Integer, indices::AbstractVector{<:Integer})
    # The one pass that is needed to count from 0 also checks; the library then borrows the numbers.
    numbers = Vector{Int64}(undef, length(indices))
    for (i, index) in enumerate(indices)
        1 <= index <= n_rows || throw(BoundsError(Base.OneTo(n_rows), index))
        numbers[i] = index - 1
    end
    out = Ref{Ptr{LibColstore.colstore_rows}}(C_NULL)
    type = LibColstore.COLSTORE_INDEX_TYPE_I64
    GC.@preserve numbers begin
        start = pointer(numbers)
        check() do err
            LibColstore.colstore_rows_indices(
                n_rows,
                start,
                type,
                length(numbers),
                8,
                1,
                out,
                err,
            )
        end
        handle = Handle(out[], numbers)
    end
    return Rows(handle, Int(n_rows))
end

function rows(n_rows::Integer, mask::BitVector)
    length(mask) == n_rows || throw(BoundsError(Base.OneTo(n_rows), (mask,)))
    bits = mask.chunks
    n_bytes = cld(length(mask), 8)
    out = Ref{Ptr{LibColstore.colstore_rows}}(C_NULL)
    GC.@preserve bits begin
        start = Ptr{UInt8}(pointer(bits))
        check() do err
            LibColstore.colstore_rows_mask_bits(n_rows, start, n_bytes, out, err)
        end
    end
    return Rows(Handle(out[]), Int(n_rows))
end

function rows(n_rows::Integer, mask::Vector{Bool})
    length(mask) == n_rows || throw(BoundsError(Base.OneTo(n_rows), (mask,)))
    out = Ref{Ptr{LibColstore.colstore_rows}}(C_NULL)
    GC.@preserve mask begin
        start = Ptr{UInt8}(pointer(mask))
        check() do err
            LibColstore.colstore_rows_mask(n_rows, start, length(mask), 1, out, err)
        end
    end
    return Rows(Handle(out[]), Int(n_rows))
end

rows(n_rows::Integer, mask::AbstractVector{Bool}) = rows(n_rows, BitVector(mask))
rows(n_rows::Integer, mask::AbstractRange{Bool}) = rows(n_rows, BitVector(mask))

# A Rows made for another number of rows is refused by the library where it is used, with both numbers.
rows(::Integer, selection::Rows) = selection

function check_range(n_rows::Integer, range::AbstractRange{<:Integer})
    isempty(range) && return nothing
    low, high = extrema(range)
    1 <= low && high <= n_rows && return nothing
    throw(BoundsError(Base.OneTo(n_rows), range))
end

"The least that a read needs to know of rows: a [`Span`](@ref) if they are side by side, else [`Rows`](@ref)."
span_or_rows(n_rows::Integer, ::Colon) = Span(0, n_rows)
span_or_rows(n_rows::Integer, selection) = rows(n_rows, selection)

function span_or_rows(n_rows::Integer, range::AbstractUnitRange{<:Integer})
    check_range(n_rows, range)
    return isempty(range) ? Span(0, 0) : Span(first(range) - 1, last(range))
end

span_or_rows(n_rows::Integer, mask::AbstractUnitRange{Bool}) = rows(n_rows, BitVector(mask))

"The rows at the positions `inner` of a selection, as a selection of the same tables."
function Base.getindex(outer::Rows, inner)
    picked = rows(outer.count, inner)
    out = Ref{Ptr{LibColstore.colstore_rows}}(C_NULL)
    check() do err
        LibColstore.colstore_rows_select(outer.handle, picked.handle, out, err)
    end
    return Rows(Handle(out[]), outer.n_rows)
end

"The row numbers, counted from 1."
function Base.collect(rows::Rows)
    numbers = Vector{Int64}(undef, rows.count)
    check() do err
        LibColstore.colstore_rows_positions(
            rows.handle,
            0,
            rows.count,
            numbers,
            length(numbers),
            err,
        )
    end
    numbers .+= 1
    return numbers
end

"Whether the rows are evenly spaced, whatever they were made from: then they can be viewed."
function is_range(rows::Rows)
    out = Ref(LibColstore.colstore_rows_info())
    check() do err
        LibColstore.colstore_rows_describe(rows.handle, out, err)
    end
    return out[].form == LibColstore.COLSTORE_ROWS_FORM_RANGE
end

function Base.show(io::IO, rows::Rows)
    print(io, "Colstore.Rows: ", rows.count, " of ", rows.n_rows)
    return nothing
end
