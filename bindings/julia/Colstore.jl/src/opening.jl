# From paths to tables.

const ADVICE = (
    default = LibColstore.COLSTORE_ADVICE_DEFAULT,
    normal = LibColstore.COLSTORE_ADVICE_NORMAL,
    sequential = LibColstore.COLSTORE_ADVICE_SEQUENTIAL,
    random = LibColstore.COLSTORE_ADVICE_RANDOM,
    will_need = LibColstore.COLSTORE_ADVICE_WILL_NEED,
    dont_need = LibColstore.COLSTORE_ADVICE_DONT_NEED,
)
const BACKENDS = (
    default = LibColstore.COLSTORE_BACKEND_DEFAULT,
    mmap = LibColstore.COLSTORE_BACKEND_MMAP,
    pread = LibColstore.COLSTORE_BACKEND_PREAD,
)
const ON_MISMATCH = (
    strict = LibColstore.COLSTORE_ON_MISMATCH_STRICT,
    drop = LibColstore.COLSTORE_ON_MISMATCH_DROP,
)

"The number of a choice by its name; `ArgumentError` says what there is."
function choice(what::String, choices::NamedTuple, chosen::Symbol)
    haskey(choices, chosen) && return choices[chosen]
    throw(ArgumentError(
        "$what must be one of $(join(repr.(keys(choices)), ", ")); got $(repr(chosen))",
    ))
end

"The name of a choice by its number; `:unknown` for one that a later library may have."
choice_name(choices::NamedTuple, number::Integer) = something(
    findfirst(==(number), choices),
    :unknown,
)

"""
    Colstore.open(path; on_mismatch = :strict, advice = :default, backend = :default, lock = false) -> Table
    Colstore.open(paths; ...) -> Table
    Colstore.open(f, path; ...)

Opens a `.cstore` file; or many as one table: a directory stands for the `.cstore` files in it, a path with `*`, `?` or `[`
for the files that match, in natural order (`run_2` before `run_10`). The values are not touched, so it takes the same time
for any number of rows. With a function the table is closed after it.

- `on_mismatch`: if files differ in their columns, `:strict` throws, `:drop` leaves such columns out
- `advice`: how the pages will be asked for: `:normal`, `:sequential`, `:random`, `:will_need`, `:dont_need`
- `backend`: `:mmap`, or `:pread` to read through the descriptor: nothing can be lent, and a file cut short is an error
- `lock`: keep the mapped file in memory, as far as the process may

`ColstoreError` with the status `:NOT_FOUND`, `:PERMISSION_DENIED`, `:IO`, or `:FORMAT` if it is no valid `.cstore` file.
"""
function open(path::AbstractString; on_mismatch::Symbol = :strict, options...)
    asked = String(path)
    files = expand_paths(asked)
    files == [asked] && return Table(open_file(asked; options...))
    return concat_handles(open_files(files; options...), on_mismatch)
end

function open(
    paths::AbstractVector{<:AbstractString};
    on_mismatch::Symbol = :strict,
    options...,
)
    files = String[]
    for path in paths
        append!(files, expand_paths(String(path)))
    end
    return concat_handles(open_files(files; options...), on_mismatch)
end

function open(f::Function, path; options...)
    table = open(path; options...)
    try
        return f(table)
    finally
        close(table)
    end
end

function open_file(
    path::String;
    advice::Symbol = :default,
    backend::Symbol = :default,
    lock::Bool = false,
)
    options = Ref(LibColstore.colstore_open_options(;
        advice = choice("advice", ADVICE, advice),
        lock = lock,
        backend = choice("backend", BACKENDS, backend),
    ))
    out = Ref{Ptr{LibColstore.colstore_table}}(C_NULL)
    check() do err
        LibColstore.colstore_table_open(path, sizeof(path), options, out, err)
    end
    return Handle(out[])
end

function open_files(files::Vector{String}; options...)
    return Handle{LibColstore.colstore_table}[open_file(file; options...) for file in files]
end

"The files that a path stands for."
function expand_paths(path::String)
    out = Ref{Ptr{LibColstore.colstore_names}}(C_NULL)
    check() do err
        LibColstore.colstore_paths_expand(path, sizeof(path), out, err)
    end
    return texts(Handle(out[]))
end

"The texts of a list, copied."
function texts(names::Handle{LibColstore.colstore_names})
    count = Ref{Csize_t}(0)
    check() do err
        LibColstore.colstore_names_count(names, count, err)
    end
    found = String[]
    for index in 0:(Int(count[]) - 1)
        start = Ref{Ptr{UInt8}}(C_NULL)
        len = Ref{Csize_t}(0)
        check() do err
            LibColstore.colstore_names_get(names, index, start, len, err)
        end
        GC.@preserve names push!(found, unsafe_string(start[], len[]))
    end
    return found
end

function concat_handles(
    handles::Vector{Handle{LibColstore.colstore_table}},
    on_mismatch::Symbol,
)
    what = choice("on_mismatch", ON_MISMATCH, on_mismatch)
    pointers = Ptr{LibColstore.colstore_table}[handle.pointer for handle in handles]
    out = Ref{Ptr{LibColstore.colstore_table}}(C_NULL)
    dropped = Ref{Ptr{LibColstore.colstore_names}}(C_NULL)
    GC.@preserve handles begin
        check() do err
            LibColstore.colstore_table_concat(
                pointers,
                length(pointers),
                what,
                out,
                dropped,
                err,
            )
        end
    end
    left_out = Handle(dropped[])
    return Table(Handle(out[]), texts(left_out))
end

"""
    Colstore.concat(tables; on_mismatch = :strict) -> Table
    vcat(table, tables...)

The rows of the tables one after the other. No file is read, and the tables may be closed.
"""
function concat(tables; on_mismatch::Symbol = :strict)
    return concat_handles(
        Handle{LibColstore.colstore_table}[handle_of(table) for table in tables],
        on_mismatch,
    )
end

Base.vcat(table::Table, tables::Table...) = concat((table, tables...))

"""
    Colstore.info(path) -> NamedTuple

What the header of a file says, without looking at the rest: `format_version`, `n_rows`, `n_records`, `file_size` in bytes,
`names` and `dtypes` of the columns.
"""
function info(path::AbstractString)
    asked = String(path)
    out = Ref(LibColstore.colstore_info())
    schema = Ref{Ptr{LibColstore.colstore_schema}}(C_NULL)
    check() do err
        LibColstore.colstore_info_read(asked, sizeof(asked), out, schema, err)
    end
    columns = Schema(Handle(schema[]))
    found = out[]
    return (;
        format_version = Int(found.format_version),
        n_rows = Int(found.n_rows),
        n_records = Int(found.n_records),
        file_size = Int(found.file_size),
        names = columns.names,
        dtypes = columns.dtypes,
    )
end
