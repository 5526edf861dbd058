# Adding files to a directory, which `open` takes as one table.

const SHARD_NAME = "shard_{index:05d}.cstore"

"""
    Colstore.append(directory, table; name = "shard_{index:05d}.cstore", statistics = false, threads = 0,
                    progress = nothing) -> String

Adds a file with the columns of `table` to a directory, which is created if it is missing, and gives its path. The file
appears whole and on the disk, or not at all.

`table` is what [`store`](@ref) takes, with the names and dtypes of the first shard that is there, in the same order, so
texts have to be of one width: `FixedText{16}.(names)`. A [`Table`](@ref) of one file is copied byte for byte.

- `name`: what the shard is called; `{index}` or `{index:05d}` stands for a number, one more than the largest there is
- `statistics`: also record the least and the greatest value of every column

One writer at a time: a lock on the file `.colstore.lock`, which stays in the directory, keeps others out.
"""
function append(
    directory::AbstractString,
    table;
    name::AbstractString = SHARD_NAME,
    statistics::Bool = false,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    asked = String(directory)
    called = String(name)
    columns = storable_columns(table)
    path = Ref{Ptr{LibColstore.colstore_names}}(C_NULL)
    GC.@preserve columns called begin
        data = column_data(columns)
        options = append_options(called, statistics, threads, progress)
        check_watched(progress) do err
            LibColstore.colstore_append(
                asked,
                sizeof(asked),
                data,
                length(data),
                options,
                path,
                err,
            )
        end
    end
    return only(texts(Handle(path[])))
end

function append(
    directory::AbstractString,
    table::Table;
    name::AbstractString = SHARD_NAME,
    statistics::Bool = false,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    asked = String(directory)
    called = String(name)
    handle = handle_of(table)
    path = Ref{Ptr{LibColstore.colstore_names}}(C_NULL)
    GC.@preserve called begin
        options = append_options(called, statistics, threads, progress)
        check_watched(progress) do err
            LibColstore.colstore_append_table(
                asked,
                sizeof(asked),
                handle,
                options,
                path,
                err,
            )
        end
    end
    return only(texts(Handle(path[])))
end

# Called with the name under GC.@preserve, and so is whatever uses it.
function append_options(name::String, statistics::Bool, threads::Integer, progress)
    return Ref(LibColstore.colstore_append_options(;
        name = pointer(name),
        name_len = sizeof(name),
        statistics = statistics,
        max_threads = threads,
        progress = progress_pointer(progress),
    ))
end

"""
    Appender

Collects rows in memory and makes shards of them; made by [`appender`](@ref). Calls of many tasks and threads take turns.

- `append!(appender, table; progress = nothing)`: adds rows, and makes a shard of all there are if that is enough
- `flush(appender)`: makes a shard of the rows that are held, and gives its path, or `nothing` if there are none
- `close(appender)`: flushes likewise, and lets other writers have the directory; [`abandon`](@ref) drops the rows instead
- [`Colstore.info(appender)`](@ref info(::Appender)), `isopen(appender)`

The rows that are held by an appender that is forgotten are gone.
"""
struct Appender
    handle::Handle{LibColstore.colstore_appender}
    turns::Turns
end

"""
    Colstore.appender(directory; name = "shard_{index:05d}.cstore", shard_rows = 0, shard_bytes = 0, statistics = false,
                      threads = 0) -> Appender
    Colstore.appender(f, directory; ...)

Locks a directory, which is created if it is missing, to add rows to it in shards.

    Colstore.appender("events"; shard_rows = 10^6) do appender
        for chunk in chunks
            append!(appender, chunk)
        end
    end

With a function, the last shard is made after it, and its value is returned. If it throws, the rows that are in no shard
yet are gone, and the shards stay.

- `name`: as for [`append`](@ref); one without a number is for one shard
- `shard_rows`, `shard_bytes`: make a shard once there are as many or more; one of them, or neither: then only `flush` and
  `close` make shards

`ColstoreError` if another writer has the directory, or with `:FORMAT` if the first shard is damaged.
"""
function appender(
    directory::AbstractString;
    name::AbstractString = SHARD_NAME,
    shard_rows::Integer = 0,
    shard_bytes::Integer = 0,
    statistics::Bool = false,
    threads::Integer = 0,
)
    asked = String(directory)
    called = String(name)
    out = Ref{Ptr{LibColstore.colstore_appender}}(C_NULL)
    GC.@preserve called begin
        options = Ref(LibColstore.colstore_appender_options(;
            name = pointer(called),
            name_len = sizeof(called),
            shard_rows = shard_rows,
            shard_bytes = shard_bytes,
            statistics = statistics,
            max_threads = threads,
        ))
        check() do err
            LibColstore.colstore_appender_open(asked, sizeof(asked), options, out, err)
        end
    end
    return Appender(Handle(out[]), Turns())
end

appender(f::Function, directory::AbstractString; options...) = finishing(
    f,
    appender(directory; options...),
)

function Base.append!(
    appender::Appender,
    table;
    progress::Union{Progress, Nothing} = nothing,
)
    columns = storable_columns(table)
    watching = progress_pointer(progress)
    GC.@preserve columns begin
        data = column_data(columns)
        check_in_turn(appender.turns, progress) do err
            LibColstore.colstore_appender_write(
                appender.handle,
                data,
                length(data),
                watching,
                err,
            )
        end
    end
    return appender
end

function Base.append!(
    appender::Appender,
    table::Table;
    progress::Union{Progress, Nothing} = nothing,
)
    handle = handle_of(table)
    watching = progress_pointer(progress)
    check_in_turn(appender.turns, progress) do err
        LibColstore.colstore_appender_write_table(appender.handle, handle, watching, err)
    end
    return appender
end

"""
    flush(appender; progress = nothing) -> Union{String, Nothing}

Makes a shard of the rows that are held, and gives its path; `nothing` if nothing was written since the last one. After a
failure the rows are held for another try, unless the message says that the shard is in place.
"""
function Base.flush(appender::Appender; progress::Union{Progress, Nothing} = nothing)
    watching = progress_pointer(progress)
    path = Ref{Ptr{LibColstore.colstore_names}}(C_NULL)
    check_in_turn(appender.turns, progress) do err
        LibColstore.colstore_appender_flush(appender.handle, watching, path, err)
    end
    return first_or_nothing(texts(Handle(path[])))
end

"""
    close(appender; progress = nothing) -> Union{String, Nothing}

Flushes, and lets other writers have the directory. If that fails, the appender stays open as long as it holds rows. Does
nothing if it is closed already.
"""
function Base.close(appender::Appender; progress::Union{Progress, Nothing} = nothing)
    watching = progress_pointer(progress)
    path = Ref{Ptr{LibColstore.colstore_names}}(C_NULL)
    check_in_turn(appender.turns, progress) do err
        LibColstore.colstore_appender_close(appender.handle, watching, path, err)
    end
    return first_or_nothing(texts(Handle(path[])))
end

first_or_nothing(paths::Vector{String}) = isempty(paths) ? nothing : first(paths)

"""
    Colstore.abandon(appender)

Closes an appender without making a shard: the rows that it holds are gone.
"""
function abandon(appender::Appender)
    check_in_turn(appender.turns, nothing) do err
        LibColstore.colstore_appender_abandon(appender.handle, err)
    end
    return nothing
end

"""
    Colstore.info(appender) -> NamedTuple

What an appender has done: `n_shards`, `pending_rows` that are in no shard yet, `is_locked`, `is_closed`.
"""
function info(appender::Appender)
    out = Ref(LibColstore.colstore_appender_info())
    check_in_turn(appender.turns, nothing) do err
        LibColstore.colstore_appender_describe(appender.handle, out, err)
    end
    found = out[]
    return (;
        n_shards = Int(found.n_shards),
        pending_rows = Int(found.pending_rows),
        is_locked = found.locked != 0,
        is_closed = found.closed != 0,
    )
end

Base.isopen(appender::Appender) = !info(appender).is_closed

function Base.show(io::IO, appender::Appender)
    found = info(appender)
    print(io, "Colstore.Appender of ", found.n_shards, " shards, ")
    print(io, found.pending_rows, " rows pending")
    found.is_closed && print(io, " (closed)")
    return nothing
end
