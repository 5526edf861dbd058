# Tables and files into files of one record.

"""
    Colstore.store(path, table::Table; mode = :create, statistics = false, durability = :disk, threads = 0,
                   progress = nothing) -> Table

Copies all rows of a [`Table`](@ref), whatever files and records they come from, to a new file of one record, and opens it.
The memory that this takes does not grow with the table. The file appears when it is complete and on the disk, whatever
`durability` asks for.

`mode`, `statistics`: as for other sources. `ColstoreError` with `:INVALID_ARGUMENT` if the path leads to one of the table's
own files; [`compact`](@ref) is for that.
"""
function store(
    path::AbstractString,
    table::Table;
    mode::Symbol = :create,
    statistics::Bool = false,
    durability::Symbol = :disk,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    asked = String(path)
    handle = handle_of(table)
    choice("durability", DURABILITIES, durability)
    options = Ref(LibColstore.colstore_copy_options(;
        mode = choice("mode", STORE_MODES, mode),
        statistics = statistics,
        max_threads = threads,
        progress = progress_pointer(progress),
    ))
    check_watched(progress) do err
        LibColstore.colstore_table_write(handle, asked, sizeof(asked), options, err)
    end
    return Table(open_file(asked))
end

"""
    Colstore.compact(path; out = nothing, statistics = false, threads = 0, progress = nothing)

Puts the records of a file together to one: in place, or in a new file at `out`, where any other file is replaced. The rows
are the same; from one record they are read fastest, and whole columns are lent without a copy.

The file is locked against writers meanwhile. The new one appears when it is complete and on the disk, and tables that have
the old one open keep it. A file of one record stays as it is, and is copied as it is to `out`.

- `statistics`: also record the least and the greatest value of every column; those that were recorded are dropped
"""
function compact(
    path::AbstractString;
    out::Union{AbstractString, Nothing} = nothing,
    statistics::Bool = false,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    asked = String(path)
    target, n_bytes = path_or_null(out)
    options = Ref(LibColstore.colstore_compact_options(;
        statistics = statistics,
        max_threads = threads,
        progress = progress_pointer(progress),
    ))
    check_watched(progress) do err
        LibColstore.colstore_compact(asked, sizeof(asked), target, n_bytes, options, err)
    end
    return nothing
end

"A path that may be left out, and its length in bytes."
path_or_null(::Nothing) = (C_NULL, 0)

function path_or_null(path::AbstractString)
    text = String(path)
    return (text, sizeof(text))
end
