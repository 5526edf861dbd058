# Edits of frames: columns and cuts.

"""
    Colstore.assign!(frame, name => value, ...) -> frame
    Colstore.assign(frame, name => value, ...) -> Frame
    frame[name] = value

Gives columns: one that is there is replaced in its place, others come last. All are over the columns that there are before,
none over one another. A value is

- an [`Expression`](@ref), or a `Symbol`, which is the column of that name
- a number, a string or a time: the same in every row
- a vector, with a value for each row before any cut. **It is not copied**: what its values are when they are needed counts,
  so leave them as they are, and it cannot grow any more; `copy(vector)` is free of that. Strings and `Date`s are converted
  as by [`store`](@ref).

`ColstoreError` with `:KEY` for a name that is no column, `:VALUE` for another number of rows, `:TYPE` if there is no
operation for the dtypes.
"""
function assign!(frame::Frame, columns::Pair...)
    handle = handle_of(frame)
    names = String[String(name) for (name, _) in columns]
    values = Expression[
        column_value(frame, String(name), value)
        for (name, value) in columns
    ]
    foreach(value -> keep!(frame, value), values)
    GC.@preserve names values begin
        starts = Ptr{UInt8}[pointer(name) for name in names]
        lens = Csize_t[sizeof(name) for name in names]
        pointers = Ptr{LibColstore.colstore_expr}[value.handle.pointer for value in values]
        check() do err
            LibColstore.colstore_frame_assign(
                handle,
                starts,
                lens,
                pointers,
                length(pointers),
                err,
            )
        end
    end
    return frame
end

assign(frame::Frame, columns::Pair...) = assign!(copy(frame), columns...)

function Base.setindex!(frame::Frame, value, name::ColumnName)
    assign!(frame, name => value)
    return frame
end

function column_value(frame::Frame, name::String, value)
    value isa Symbol && return col(value)
    is_column = value isa AbstractVector && !(value isa Base.CodeUnits)
    return is_column ? memory_column(frame, name, value) : operand(value)
end

"""
    Colstore.drop!(frame, names...) -> frame
    Colstore.drop(frame, names...) -> Frame

Takes columns away. `ColstoreError` with `:KEY` if one is not there.
"""
function drop!(frame::Frame, columns::ColumnName...)
    handle = handle_of(frame)
    names = String[String(name) for name in columns]
    GC.@preserve names begin
        starts = Ptr{UInt8}[pointer(name) for name in names]
        lens = Csize_t[sizeof(name) for name in names]
        check() do err
            LibColstore.colstore_frame_drop(handle, starts, lens, length(starts), err)
        end
    end
    return frame
end

drop!(frame::Frame, columns::AbstractVector) = drop!(frame, columns...)
drop(frame::Frame, columns...) = drop!(copy(frame), columns...)

"""
    Colstore.select!(frame, names...) -> frame
    Colstore.select(frame, names...) -> Frame

Keeps these columns, in this order. `ColstoreError` with `:KEY` if one is not there, `:VALUE` if one is named twice.
"""
function select!(frame::Frame, columns::ColumnName...)
    handle = handle_of(frame)
    names = String[String(name) for name in columns]
    GC.@preserve names begin
        starts = Ptr{UInt8}[pointer(name) for name in names]
        lens = Csize_t[sizeof(name) for name in names]
        check() do err
            LibColstore.colstore_frame_select(handle, starts, lens, length(starts), err)
        end
    end
    return frame
end

select!(frame::Frame, columns::AbstractVector) = select!(frame, columns...)
select(frame::Frame, columns...) = select!(copy(frame), columns...)

"""
    Colstore.rename!(frame, old => new, ...) -> frame
    Colstore.rename(frame, old => new, ...) -> Frame

Gives columns other names, in their places. `ColstoreError` with `:KEY` if one is not there, `:VALUE` if two would have one
name.
"""
function rename!(frame::Frame, columns::Pair...)
    handle = handle_of(frame)
    names = String[String(old) for (old, _) in columns]
    new_names = String[String(new_name) for (_, new_name) in columns]
    GC.@preserve names new_names begin
        starts = Ptr{UInt8}[pointer(name) for name in names]
        lens = Csize_t[sizeof(name) for name in names]
        new_starts = Ptr{UInt8}[pointer(name) for name in new_names]
        new_lens = Csize_t[sizeof(name) for name in new_names]
        check() do err
            LibColstore.colstore_frame_rename(
                handle,
                starts,
                lens,
                new_starts,
                new_lens,
                length(starts),
                err,
            )
        end
    end
    return frame
end

rename(frame::Frame, columns::Pair...) = rename!(copy(frame), columns...)

"""
    Colstore.cast!(frame, name => T, ...) -> frame
    Colstore.cast(frame, name => T, ...) -> Frame

Gives columns other dtypes, as [`cast`](@ref cast(::Expression, ::Any)) does. `ColstoreError` with `:KEY` if one is not
there, `:TYPE` if one cannot be cast.
"""
function cast!(frame::Frame, columns::Pair...)
    handle = handle_of(frame)
    names = String[String(name) for (name, _) in columns]
    dtypes = String[dtype_spelling(type) for (_, type) in columns]
    GC.@preserve names dtypes begin
        starts = Ptr{UInt8}[pointer(name) for name in names]
        lens = Csize_t[sizeof(name) for name in names]
        dtype_starts = Ptr{UInt8}[pointer(text) for text in dtypes]
        dtype_lens = Csize_t[sizeof(text) for text in dtypes]
        check() do err
            LibColstore.colstore_frame_cast(
                handle,
                starts,
                lens,
                dtype_starts,
                dtype_lens,
                length(starts),
                err,
            )
        end
    end
    return frame
end

cast(frame::Frame, columns::Pair...) = cast!(copy(frame), columns...)

"""
    Colstore.cut!(frame, condition::Expression; name, weight) -> frame
    Colstore.cut!(frame, text; name, weight, params = (;), names...) -> frame
    Colstore.cut(frame, condition; ...) -> Frame

Keeps, from here on, the rows for which a condition holds. It is not called `filter!`, which takes a function of Julia. A text
is read as by [`parse_expression`](@ref).

- `name`: what the cut is called in the [`cutflow`](@ref)
- `weight`: the weight of a row in the cutflow: a column's name, an expression, a number, or a vector as [`assign!`](@ref)
  takes it; by default that of the cut before

`ColstoreError` as for [`query`](@ref), and with `:KEY` for a weight that is no column; the frame is as it was then.
"""
function cut!(
    frame::Frame,
    condition::Expression;
    name::Union{ColumnName, Nothing} = nothing,
    weight = nothing,
)
    handle = handle_of(frame)
    label, n_bytes = path_or_null(name === nothing ? nothing : String(name))
    weights = weight === nothing ? nothing : weight_value(frame, weight)
    keep!(frame, condition)
    weights === nothing || keep!(frame, weights)
    weighing = weights === nothing ? C_NULL : weights.handle
    check() do err
        LibColstore.colstore_frame_filter(
            handle,
            condition.handle,
            label,
            n_bytes,
            weighing,
            err,
        )
    end
    return frame
end

function cut!(
    frame::Frame,
    text::AbstractString;
    name::Union{ColumnName, Nothing} = nothing,
    weight = nothing,
    params = NamedTuple(),
    names...,
)
    condition = parse_expression(text; params = params, names...)
    return cut!(frame, condition; name = name, weight = weight)
end

weight_value(::Frame, weight) = expression_of(weight)
weight_value(frame::Frame, weights::AbstractVector) = memory_column(
    frame,
    "weight",
    weights,
)

cut(frame::Frame, condition; options...) = cut!(copy(frame), condition; options...)
