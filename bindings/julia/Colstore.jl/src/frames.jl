# A table seen through columns of one's own and cuts.

"""
    Frame

Columns that are computed from those of a table, for the rows that cuts leave; made by [`edit`](@ref). Nothing is computed
before it is asked for, and then block by block, in memory that does not grow with the rows.

    frame = Colstore.edit(table)
    Colstore.assign!(frame, :r => sqrt(col(:x)^2 + col(:y)^2))
    Colstore.cut!(frame, col(:r) < 2; name = "central")
    frame[:r]                    # a Vector of the rows that are left
    sum(frame, :r), mean(frame, col(:r) * 2), length(frame)
    Colstore.store("central.cstore", frame)

Edits, whose names end in `!`, change the frame or leave it as it was if they fail, and give it back; the same names without
`!` edit a copy: [`assign!`](@ref), [`drop!`](@ref), [`select!`](@ref), [`rename!`](@ref), [`cast!`](@ref), [`cut!`](@ref).

- `frame[:r]`, `frame.r`, `frame[1:10, [:r, :x]]`: values, see [`getindex`](@ref Base.getindex(::Frame, ::Any, ::Any))
- [`evaluate`](@ref), [`records`](@ref), `sum(frame, :r)`, `minimum`, `maximum`, `mean`, `var`, `std`, [`batches`](@ref)
- `size(frame)`, `length(frame)`: rows that are left, and columns; this computes the cuts, once
- [`Colstore.rows(frame)`](@ref rows(::Frame)): the rows that are left, as rows of the table
- [`cutflow`](@ref): what each cut leaves
- `propertynames(frame)`, `Colstore.column_names(frame)`, `Colstore.dtype(frame, :r)`

Any number of tasks may read a frame at once; edit one that others read only by a copy. It keeps the files open that it
reads, also after the table is closed.
"""
struct Frame
    handle::Handle{LibColstore.colstore_frame}
    n_table_rows::Int
    n_base_rows::Int
    # What the library borrows from vectors that are columns. It only grows, under the lock: what an earlier column used may
    # be in a cut. The handle has it too.
    kept::Vector{Any}
    lock::ReentrantLock
end

"Takes a new frame, with what it borrows from."
function Frame(
    pointer::Ptr{LibColstore.colstore_frame},
    n_table_rows::Int,
    kept::Vector{Any},
)
    handle = Handle(pointer, kept)
    n_base_rows = Ref{Int64}(0)
    check() do err
        LibColstore.colstore_frame_base_rows(handle, n_base_rows, err)
    end
    return Frame(handle, n_table_rows, Int(n_base_rows[]), kept, ReentrantLock())
end

handle_of(frame::Frame) = getfield(frame, :handle)

"What expressions made of columns of the frame have to keep, as a list of their own; `nothing` if there is nothing."
function kept_of(frame::Frame)
    kept = lock(() -> copy(getfield(frame, :kept)), getfield(frame, :lock))
    return isempty(kept) ? nothing : kept
end

"Lets the frame keep what an expression keeps. Called before the library gets the expression."
function keep!(frame::Frame, value::Expression)
    value.handle.kept === nothing && return nothing
    lock(() -> push!(getfield(frame, :kept), value.handle), getfield(frame, :lock))
    return nothing
end

"""
    Colstore.edit(table; rows) -> Frame

A [`Frame`](@ref) of all columns of a table, for all rows, or for `rows` in their order: what may stand between the
brackets, or what [`query`](@ref) gives.
"""
function edit(table::Table; rows = nothing)
    handle = handle_of(table)
    base = rows === nothing ? C_NULL : Colstore.rows(table, rows).handle
    out = Ref{Ptr{LibColstore.colstore_frame}}(C_NULL)
    check() do err
        LibColstore.colstore_frame_new(handle, base, out, err)
    end
    return Frame(out[], n_rows_of(table), Any[])
end

"""
    copy(frame) -> Frame

Another frame that is as this one is; edits of either do not show in the other. No values are copied, and rows that cuts have
left are not looked for again.
"""
function Base.copy(frame::Frame)
    handle = handle_of(frame)
    out = Ref{Ptr{LibColstore.colstore_frame}}(C_NULL)
    check() do err
        LibColstore.colstore_frame_clone(handle, out, err)
    end
    # After the clone: the list holds at least what that one uses.
    kept = kept_of(frame)
    return Frame(out[], getfield(frame, :n_table_rows), kept === nothing ? Any[] : kept)
end

# Columns

function schema_of(frame::Frame)
    handle = handle_of(frame)
    schema = Ref{Ptr{LibColstore.colstore_schema}}(C_NULL)
    check() do err
        LibColstore.colstore_frame_schema(handle, schema, err)
    end
    return Schema(Handle(schema[]))
end

column_names(frame::Frame) = schema_of(frame).names
Base.propertynames(frame::Frame) = schema_of(frame).symbols
Base.getproperty(frame::Frame, name::Symbol) = frame[:, name]

"""
    Colstore.dtype(frame, column) -> DType
    Colstore.dtype(frame, expression) -> DType

The dtype of a column, or of an expression over the columns, of a frame; nothing is computed.
"""
function dtype(frame::Frame, value)
    handle = handle_of(frame)
    expression = expression_of(value)
    out = Vector{UInt8}(undef, LONGEST_DTYPE)
    len = Ref{Csize_t}(0)
    check() do err
        LibColstore.colstore_frame_expr_dtype(
            handle,
            expression.handle,
            out,
            length(out),
            len,
            err,
        )
    end
    return DType(String(out[1:Int(len[])]))
end

dtype(frame::Frame, position::Integer) = schema_of(frame).dtypes[position]

"A column by its name, or an operand."
expression_of(name::ColumnName) = col(name)
expression_of(value) = operand(value)

"""
    Colstore.col(frame, name) -> Expression

The column itself: it stays what it is when the frame's name is given another column, and can go into other frames of the
same rows.
"""
function col(frame::Frame, name::ColumnName)
    handle = handle_of(frame)
    asked = String(name)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_frame_column(handle, asked, sizeof(asked), out, err)
    end
    return Expression(Handle(out[], kept_of(frame)))
end

"""
    Colstore.resolve(frame, expression) -> Expression

An expression with the columns of the frame, as they are, in the place of their names.
"""
function resolve(frame::Frame, value::Expression)
    handle = handle_of(frame)
    keep!(frame, value)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_frame_resolve(handle, value.handle, out, err)
    end
    return Expression(Handle(out[], kept_of(frame)))
end

"A vector as a column: where it is if it can be stored from there, else converted."
function memory_column(frame::Frame, name::String, values::AbstractVector)
    _, dtype, vector = storable(name, values)
    handle = handle_of(frame)
    kept = pinned(vector)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    GC.@preserve vector begin
        start = address_of(vector)
        step = byte_stride(vector)
        check() do err
            # The garbage collector is told by what keeps the vector, not by the library, which would call from any thread.
            LibColstore.colstore_frame_memory(
                handle,
                dtype,
                sizeof(dtype),
                start,
                length(vector),
                step,
                C_NULL,
                C_NULL,
                out,
                err,
            )
        end
    end
    return Expression(Handle(out[], kept))
end

"""
What keeps the memory of a vector where it is. The same memory as a matrix: before Julia 1.11 a vector that shares its memory
refuses to grow, and later one that grows leaves its memory to the matrix.
"""
pinned(values::Array) = reshape(values, 1, length(values))

function pinned(values::AbstractArray)
    owner = parent(values)
    return owner === values ? values : pinned(owner)
end

# Rows

"Whether rows of the table are left out: by a cut, or by the rows the frame was made of."
function has_selection(frame::Frame)
    handle = handle_of(frame)
    out = Ref{Int32}(0)
    check() do err
        LibColstore.colstore_frame_has_selection(handle, out, err)
    end
    return out[] != 0
end

"""
    count(frame; threads = 0, progress = nothing) -> Int

The number of rows that the cuts leave. They are found by all cuts in one pass, and kept until the next cut.
"""
function Base.count(
    frame::Frame;
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    handle = handle_of(frame)
    options = read_options(threads, progress)
    out = Ref{Int64}(0)
    check_watched(progress) do err
        LibColstore.colstore_frame_count(handle, options, out, C_NULL, err)
    end
    return Int(out[])
end

Base.length(frame::Frame) = count(frame)
Base.size(frame::Frame) = (count(frame), length(schema_of(frame)))

function Base.size(frame::Frame, dimension::Integer)
    dimension == 1 && return count(frame)
    return dimension == 2 ? length(schema_of(frame)) : 1
end

Base.ndims(::Frame) = 2
Base.ndims(::Type{Frame}) = 2
Base.axes(frame::Frame) = map(Base.OneTo, size(frame))
Base.axes(frame::Frame, dimension::Integer) = Base.OneTo(size(frame, dimension))
Base.firstindex(::Frame, ::Integer) = 1
Base.lastindex(frame::Frame, dimension::Integer) = size(frame, dimension)

"""
    Colstore.rows(frame; threads = 0, progress = nothing) -> Rows

The rows that the cuts leave, as rows of the table.
"""
function rows(
    frame::Frame;
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    handle = handle_of(frame)
    options = read_options(threads, progress)
    out = Ref{Ptr{LibColstore.colstore_rows}}(C_NULL)
    check_watched(progress) do err
        LibColstore.colstore_frame_rows(handle, options, out, C_NULL, err)
    end
    return Rows(Handle(out[]), getfield(frame, :n_table_rows))
end

function Base.show(io::IO, frame::Frame)
    n_rows = getfield(frame, :n_base_rows)
    print(
        io,
        "Colstore.Frame of ",
        n_rows,
        " rows and ",
        length(schema_of(frame)),
        " columns",
    )
    has_selection(frame) && print(io, ", of which rows are left out")
    return nothing
end

function Base.show(io::IO, ::MIME"text/plain", frame::Frame)
    show(io, frame)
    show_columns(io, schema_of(frame))
    return nothing
end
