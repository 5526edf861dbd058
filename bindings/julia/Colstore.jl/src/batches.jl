# The rows of a frame as a sequence of pieces.

"""
    Batches

Pieces of a frame's rows, one after the other; made by [`batches`](@ref).
"""
struct Batches
    frame::Frame
    schema::Schema
    positions::Vector{Int}
    n_rows::Int
    batch_rows::Int
    threads::Int
    progress::Union{Progress, Nothing}
end

"""
    Colstore.batches(frame, columns = :; rows = 65536, threads = 0, progress = nothing) -> Batches

The rows that the cuts leave in pieces of `rows`, of which the last may be shorter: each a `NamedTuple` of vectors.

    for batch in Colstore.batches(frame, [:x, :y])
        histogram!(h, batch.x, batch.y)
    end

**The vectors are used again for the next piece**: copy what has to stay. It is the frame as it is here that is iterated:
edits meanwhile do not show. Iterating again starts from the beginning, with other vectors.
"""
function batches(
    frame::Frame,
    columns = :;
    rows::Integer = 65536,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    rows >= 1 || throw(ArgumentError("a batch has at least one row; got rows = $rows"))
    own = copy(frame)
    schema = schema_of(own)
    positions = column_positions(schema, columns)
    n_rows = count(own; threads = threads, progress = progress)
    return Batches(own, schema, positions, n_rows, Int(rows), Int(threads), progress)
end

Base.length(batches::Batches) = cld(batches.n_rows, batches.batch_rows)
Base.eltype(::Type{Batches}) = NamedTuple

function Base.iterate(batches::Batches)
    n_rows = min(batches.batch_rows, batches.n_rows)
    buffers = Any[
        Vector{eltype(batches.schema.dtypes[position])}(undef, n_rows)
        for position in batches.positions
    ]
    return iterate(batches, (buffers, 0))
end

function Base.iterate(batches::Batches, state::Tuple{Vector{Any}, Int})
    buffers, start = state
    start >= batches.n_rows && return nothing
    stop = min(start + batches.batch_rows, batches.n_rows)
    read_frame!(
        buffers,
        batches.frame,
        batches.schema,
        batches.positions,
        Span(start, stop),
        batches.threads,
        batches.progress,
    )
    names = Tuple(batches.schema.symbols[batches.positions])
    columns = Tuple(view(buffer, 1:(stop - start)) for buffer in buffers)
    return NamedTuple{names}(columns), (buffers, stop)
end

function Base.show(io::IO, batches::Batches)
    print(io, "Colstore.Batches: ", batches.n_rows, " rows in ", length(batches), " pieces")
    return nothing
end
