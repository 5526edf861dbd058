# What comes out of frames: values, numbers, files.

"Rows of a frame that are read at once: side by side among those that the cuts leave."
const FrameRows = Union{Colon, AbstractUnitRange{<:Integer}}

"""
    frame[column] -> Vector
    frame[columns] -> NamedTuple of Vectors
    frame[rows, column], frame[rows, columns]
    frame[row, column], frame[row, columns]

Computes columns, for all rows that the cuts leave, or for some of them: `rows` is `:` or a range without a step, counted among
those that are left. Columns that are asked for together are computed in one pass.

`BoundsError` for a row that is not there, `ColstoreError` with `:UNKNOWN_COLUMN` for a name.
"""
function Base.getindex(frame::Frame, rows::FrameRows, column::Union{ColumnName, Integer})
    schema = schema_of(frame)
    position = column_position(schema, column)
    return only(frame_vectors(frame, schema, [position], frame_span(frame, rows)))
end

function Base.getindex(frame::Frame, rows::FrameRows, columns)
    schema = schema_of(frame)
    positions = column_positions(schema, columns)
    vectors = frame_vectors(frame, schema, positions, frame_span(frame, rows))
    return NamedTuple{Tuple(schema.symbols[positions])}(Tuple(vectors))
end

Base.getindex(frame::Frame, column::ColumnName) = frame[:, column]
Base.getindex(frame::Frame, columns::Union{AbstractVector, Tuple, Colon}) = frame[
    :,
    columns,
]

function Base.getindex(frame::Frame, row::Integer, column::Union{ColumnName, Integer})
    return only(frame[one_row(row), column])
end

Base.getindex(frame::Frame, row::Integer, columns) = map(only, frame[one_row(row), columns])

one_row(row::Integer) = row:row
# `true` is an Integer, and no row.
one_row(row::Bool) = throw(ArgumentError("invalid row: $row"))

frame_span(frame::Frame, ::Colon) = Span(0, count(frame))

function frame_span(frame::Frame, range::AbstractUnitRange{<:Integer})
    check_range(count(frame), range)
    return isempty(range) ? Span(0, 0) : Span(first(range) - 1, last(range))
end

function frame_vectors(frame::Frame, schema::Schema, positions::Vector{Int}, span::Span)
    vectors = Any[
        Vector{eltype(schema.dtypes[position])}(undef, length(span))
        for position in positions
    ]
    read_frame!(vectors, frame, schema, positions, span, 0, nothing)
    return vectors
end

"Reads columns into vectors, which are as long as the span or longer."
function read_frame!(
    vectors::Vector{Any},
    frame::Frame,
    schema::Schema,
    positions::Vector{Int},
    span::Span,
    threads,
    progress,
)
    handle = handle_of(frame)
    columns = Csize_t[position - 1 for position in positions]
    sizes = Csize_t[
        length(span) * schema.dtypes[position].itemsize
        for position in positions
    ]
    options = read_options(threads, progress)
    GC.@preserve vectors begin
        starts = Ptr{Cvoid}[pointer(vector) for vector in vectors]
        check_watched(progress) do err
            LibColstore.colstore_frame_read_columns(
                handle,
                columns,
                length(columns),
                span.start,
                span.stop,
                options,
                starts,
                sizes,
                C_NULL,
                err,
            )
        end
    end
    foreach(proper_values!, vectors)
    return nothing
end

"""
    Colstore.records(frame, columns = :; rows = :, threads = 0, progress = nothing) -> Matrix

Rows as columns of a matrix, each with the values of one row side by side: of the columns' type if they have all the same,
else as bytes, with nothing between them.
"""
function records(
    frame::Frame,
    columns = :;
    rows::FrameRows = :,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    handle = handle_of(frame)
    schema = schema_of(frame)
    positions = column_positions(schema, columns)
    types = unique!(Any[eltype(schema.dtypes[position]) for position in positions])
    span = frame_span(frame, rows)
    one_type = length(types) == 1
    T = one_type ? only(types) : UInt8
    height = one_type ?
        length(positions) :
        sum(position -> schema.dtypes[position].itemsize, positions; init = 0)
    out = Matrix{T}(undef, height, length(span))
    n_bytes = length(out) * sizeof(T)
    indices = Csize_t[position - 1 for position in positions]
    options = read_options(threads, progress)
    GC.@preserve out begin
        start = pointer(out)
        check_watched(progress) do err
            LibColstore.colstore_frame_read_records(
                handle,
                indices,
                length(indices),
                span.start,
                span.stop,
                options,
                start,
                n_bytes,
                C_NULL,
                err,
            )
        end
    end
    # A vector over the same memory.
    proper_values!(vec(out))
    return out
end

"""
    Colstore.evaluate(frame, expression; ignore_cuts = false, threads = 0, progress = nothing) -> Vector

The values of an expression over the columns of a frame, or of a column by its name: for the rows that the cuts leave, or for
all rows before them.
"""
function evaluate(
    frame::Frame,
    value;
    ignore_cuts::Bool = false,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    handle = handle_of(frame)
    expression = expression_of(value)
    T = eltype(dtype(frame, expression))
    n_rows = ignore_cuts ?
        getfield(frame, :n_base_rows) :
        count(frame; threads = threads, progress = progress)
    out = Vector{T}(undef, n_rows)
    n_bytes = length(out) * sizeof(T)
    options = read_options(threads, progress)
    GC.@preserve out begin
        start = pointer(out)
        check_watched(progress) do err
            LibColstore.colstore_frame_evaluate(
                handle,
                expression.handle,
                ignore_cuts,
                options,
                start,
                n_bytes,
                C_NULL,
                err,
            )
        end
    end
    return proper_values!(out)
end

# Reductions

function reduced(
    frame::Frame,
    value,
    reduction::Int32;
    ddof::Real = 0,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    handle = handle_of(frame)
    expression = expression_of(value)
    of_values = dtype(frame, expression)
    options = read_options(threads, progress)
    out = Ref(LibColstore.colstore_scalar())
    check_watched(progress) do err
        LibColstore.colstore_frame_reduce(
            handle,
            expression.handle,
            reduction,
            ddof,
            options,
            out,
            C_NULL,
            err,
        )
    end
    return scalar_value(out[], of_values)
end

const FrameValue = Union{ColumnName, Expression}

"""
    sum(frame, value; threads = 0, progress = nothing)
    minimum(frame, value; ...), maximum, mean
    var(frame, value; corrected = true, ...), std

One number from a column, by its name, or from an expression, over the rows that the cuts leave: bit for bit what the same
of a table makes of a stored column with these values.
"""
function Base.sum(frame::Frame, value::FrameValue; options...)
    return reduced(frame, value, LibColstore.COLSTORE_REDUCTION_SUM; options...)
end

function Base.minimum(frame::Frame, value::FrameValue; options...)
    return extreme(frame, value, LibColstore.COLSTORE_REDUCTION_MIN, "minimum"; options...)
end

function Base.maximum(frame::Frame, value::FrameValue; options...)
    return extreme(frame, value, LibColstore.COLSTORE_REDUCTION_MAX, "maximum"; options...)
end

function Statistics.mean(frame::Frame, value::FrameValue; options...)
    found = reduced(frame, value, LibColstore.COLSTORE_REDUCTION_MEAN; options...)
    return found === nothing ? NaN : found
end

function Statistics.var(frame::Frame, value::FrameValue; corrected::Bool = true, options...)
    return reduced(
        frame,
        value,
        LibColstore.COLSTORE_REDUCTION_VAR;
        ddof = corrected,
        options...,
    )
end

function Statistics.std(frame::Frame, value::FrameValue; corrected::Bool = true, options...)
    return reduced(
        frame,
        value,
        LibColstore.COLSTORE_REDUCTION_STD;
        ddof = corrected,
        options...,
    )
end

"""
    Colstore.store(path, frame::Frame; mode = :create, statistics = false, durability = :process, threads = 0,
                   progress = nothing) -> Table

Writes all columns of a frame, for the rows that the cuts leave, to a new file, and opens it. Memory does not grow with the
rows; the file appears whole or not at all. The options are those of other sources.
"""
function store(
    path::AbstractString,
    frame::Frame;
    mode::Symbol = :create,
    statistics::Bool = false,
    durability::Symbol = :process,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    asked = String(path)
    handle = handle_of(frame)
    options = Ref(LibColstore.colstore_store_options(;
        mode = choice("mode", STORE_MODES, mode),
        statistics = statistics,
        durability = choice("durability", DURABILITIES, durability),
        max_threads = threads,
        progress = progress_pointer(progress),
    ))
    check_watched(progress) do err
        LibColstore.colstore_frame_write(handle, asked, sizeof(asked), options, C_NULL, err)
    end
    return Table(open_file(asked))
end
