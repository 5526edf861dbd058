# Writing a file record by record.

const LOCK_POLICIES = (
    default = LibColstore.COLSTORE_LOCK_POLICY_DEFAULT,
    require = LibColstore.COLSTORE_LOCK_POLICY_REQUIRE,
    auto = LibColstore.COLSTORE_LOCK_POLICY_AUTO,
    off = LibColstore.COLSTORE_LOCK_POLICY_OFF,
)
const WRITER_MODES = (
    create = LibColstore.COLSTORE_WRITER_MODE_CREATE,
    recreate = LibColstore.COLSTORE_WRITER_MODE_RECREATE,
    update = LibColstore.COLSTORE_WRITER_MODE_UPDATE,
)

"""
    Turns()

Lets the calls of a writer take turns. The library would do so too, but a task that waits there keeps the garbage collector
waiting, which the callback of the call that is at work may need.
"""
struct Turns
    lock::ReentrantLock
    # The identity of the task whose turn it is, or 0.
    holder::Threads.Atomic{UInt}
end

Turns() = Turns(ReentrantLock(), Threads.Atomic{UInt}(0))

"As [`check_watched`](@ref), when it is the turn of the call."
function check_in_turn(call::F, turns::Turns, progress::Union{Progress, Nothing}) where {F}
    task = objectid(current_task())
    turns.holder[] == task &&
        throw(ArgumentError("a callback cannot use the writer that it hears of"))
    lock(turns.lock)
    try
        turns.holder[] = task
        check_watched(call, progress)
    finally
        turns.holder[] = 0
        unlock(turns.lock)
    end
    return nothing
end

"""
    Writer

A file that is written record by record; made by [`create`](@ref), [`recreate`](@ref) and [`update`](@ref). Calls of many
tasks and threads take turns.

- `append!(writer, table)`: one more record; [`append_packed!`](@ref): of bytes as the file holds them
- [`Colstore.commit(writer)`](@ref commit): the records so far are on the disk, and readers that open the file see them
- `close(writer)`: commits and ends; [`abandon`](@ref) ends without
- [`Colstore.info(writer)`](@ref info(::Writer)), `isopen(writer)`
- `Colstore.column_names(writer)`, `Colstore.dtype(writer, :pt)`: once the columns are known

A writer that is forgotten commits nothing: what it wrote since its last commit goes with it.
"""
struct Writer
    handle::Handle{LibColstore.colstore_writer}
    progress::Union{Progress, Nothing}
    turns::Turns
end

"""
    Colstore.create(path; statistics = false, lock = :default, threads = 0, progress = nothing) -> Writer
    Colstore.create(f, path; ...)

Makes a new file that is written record by record, and locks it against other writers.

    Colstore.create("run.cstore") do writer
        for chunk in chunks
            append!(writer, chunk)
        end
    end

With a function, the records are committed after it, and its value is returned. If it throws, what was written since the last
[`commit`](@ref) is taken away (all, if there was none: then there is no file), and the exception goes on: half a file is
no file here, other than with `open` of Julia.

- `statistics`: also record the least and the greatest value of every column in every record
- `lock`: `:require` the lock; `:auto` goes on without where the file system has none; `:off`; by default as the setting
  `lock_policy` says
- `progress`: hears of large records; its callback cannot use the writer

`ColstoreError` with `:ALREADY_EXISTS` if there is a file, `:LOCKED` if there is another writer.
"""
create(path::AbstractString; options...) = open_writer(String(path), :create; options...)
create(f::Function, path::AbstractString; options...) = finishing(
    f,
    create(path; options...),
)

"""
    Colstore.recreate(path; ...) -> Writer
    Colstore.recreate(f, path; ...)

As [`create`](@ref), but takes the place of an existing file, at the first commit. Tables that have the old one open keep it.
"""
recreate(path::AbstractString; options...) = open_writer(
    String(path),
    :recreate;
    options...,
)
recreate(f::Function, path::AbstractString; options...) = finishing(
    f,
    recreate(path; options...),
)

"""
    Colstore.update(path; ...) -> Writer
    Colstore.update(f, path; ...)

As [`create`](@ref), but adds records to an existing file, which is checked, and not changed before the first record.
`ColstoreError` with `:NOT_FOUND` if there is none, `:FORMAT` if it is damaged.
"""
update(path::AbstractString; options...) = open_writer(String(path), :update; options...)
update(f::Function, path::AbstractString; options...) = finishing(
    f,
    update(path; options...),
)

function open_writer(
    path::String,
    mode::Symbol;
    statistics::Bool = false,
    lock::Symbol = :default,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    options = Ref(LibColstore.colstore_writer_options(;
        mode = choice("mode", WRITER_MODES, mode),
        statistics = statistics,
        lock = choice("lock", LOCK_POLICIES, lock),
        max_threads = threads,
        progress = progress_pointer(progress),
    ))
    out = Ref{Ptr{LibColstore.colstore_writer}}(C_NULL)
    check_watched(progress) do err
        LibColstore.colstore_writer_open(path, sizeof(path), options, out, err)
    end
    # The library has a share of the progress as long as it has the writer.
    return Writer(Handle(out[], progress), progress, Turns())
end

"What `f` returns; then `writer` is closed, and if anything throws, abandoned."
function finishing(f::F, writer) where {F}
    try
        result = f(writer)
        close(writer)
        return result
    catch
        abandon(writer)
        rethrow()
    end
end

"""
    append!(writer, table) -> writer

Writes one record. `table` is what [`store`](@ref) takes. The first record of a new file decides what the columns are; later
ones have the same names in the same order and the same dtypes, so texts have to be of one width: `FixedText{16}.(names)`.

After a failure the file is as it was before, and more can be written, unless the message says otherwise.
"""
function Base.append!(writer::Writer, table)
    columns = storable_columns(table)
    GC.@preserve columns begin
        data = column_data(columns)
        check_in_turn(writer.turns, writer.progress) do err
            LibColstore.colstore_writer_write(writer.handle, data, length(data), err)
        end
    end
    return writer
end

"""
    Colstore.append_packed!(writer, n_rows, values) -> writer

Writes one record whose values lie in the array as the file holds them: the columns one after the other, each of `n_rows`
values, with nothing between them. A `Matrix` is that for columns of one type, a `Vector{UInt8}` for any. It is the fastest
way for many small records. The columns must be known, from the file or from a first record by `append!`.
"""
function append_packed!(writer::Writer, n_rows::Integer, values::DenseArray{T}) where {T}
    isbitstype(T) || throw(ArgumentError("values of type $T do not lie in the array"))
    n_bytes = length(values) * sizeof(T)
    GC.@preserve values begin
        start = pointer(values)
        check_in_turn(writer.turns, writer.progress) do err
            LibColstore.colstore_writer_write_packed(
                writer.handle,
                n_rows,
                start,
                n_bytes,
                err,
            )
        end
    end
    return writer
end

"""
    Colstore.commit(writer)

Makes the records so far count: they survive a power cut then, and readers that open the file see them. More can be written.
"""
function commit(writer::Writer)
    check_in_turn(writer.turns, writer.progress) do err
        LibColstore.colstore_writer_commit(writer.handle, err)
    end
    return nothing
end

"""
    close(writer)

Commits what was written and ends the writer, whatever the result; does nothing if it is closed already. If nothing was
written, there is no new file, and an updated one stays as it is.
"""
function Base.close(writer::Writer)
    check_in_turn(writer.turns, writer.progress) do err
        LibColstore.colstore_writer_close(writer.handle, err)
    end
    return nothing
end

"""
    Colstore.abandon(writer)

Ends the writer without committing: what it wrote since its last commit is taken away. Does nothing if it is closed already.
"""
function abandon(writer::Writer)
    check_in_turn(writer.turns, nothing) do err
        LibColstore.colstore_writer_abandon(writer.handle, err)
    end
    return nothing
end

"""
    Colstore.info(writer) -> NamedTuple

How far a writer is: `n_records` and `n_rows` in the file, those that are not committed yet included, `mode`, `is_locked`
(whether others are kept from writing), `is_closed`.
"""
function info(writer::Writer)
    out = Ref(LibColstore.colstore_writer_info())
    check_in_turn(writer.turns, nothing) do err
        LibColstore.colstore_writer_describe(writer.handle, out, err)
    end
    found = out[]
    return (;
        n_records = Int(found.n_records),
        n_rows = Int(found.n_rows),
        mode = choice_name(WRITER_MODES, found.mode),
        is_locked = found.is_locked != 0,
        is_closed = found.is_closed != 0,
    )
end

Base.isopen(writer::Writer) = !info(writer).is_closed

# An error before the first record of a new file, which decides what the columns are.
function schema_of(writer::Writer)
    schema = Ref{Ptr{LibColstore.colstore_schema}}(C_NULL)
    check_in_turn(writer.turns, nothing) do err
        LibColstore.colstore_writer_schema(writer.handle, schema, err)
    end
    return Schema(Handle(schema[]))
end

column_names(writer::Writer) = schema_of(writer).names

function dtype(writer::Writer, column)
    schema = schema_of(writer)
    return schema.dtypes[column_position(schema, column)]
end

function Base.show(io::IO, writer::Writer)
    found = info(writer)
    print(io, "Colstore.Writer of ", found.n_rows, " rows in ", found.n_records, " records")
    found.is_closed && print(io, " (closed)")
    return nothing
end
