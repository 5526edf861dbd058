# From a status of the library to an exception.

"""
    ColstoreError <: Exception

A call of the library failed.

- `status`: what kind of failure, such as `:NOT_FOUND`, `:FORMAT`, `:UNKNOWN_COLUMN`, `:LOCKED`; `docs/c-abi.md` lists them
- `message`: what was asked, what was found, where, and what to do; rows and positions in it are counted from 0
- `path`, `column`, `row`: what it is about (the row counted from 0), or `nothing`
- `os_code`: the error number of the operating system, 0 if it had no part
- `span`: which bytes of the text of an expression it is about, counted from 1, or `nothing`; the message shows them
"""
struct ColstoreError <: Exception
    status::Symbol
    message::String
    path::Union{String, Nothing}
    column::Union{String, Nothing}
    row::Union{Int64, Nothing}
    os_code::Int
    span::Union{UnitRange{Int}, Nothing}
end

function Base.showerror(io::IO, error::ColstoreError)
    print(io, "ColstoreError: ", error.status, ": ", error.message)
    return nothing
end

"""
    check(call)

Calls `call(err)`, where `err` is the place for an error, and throws it if the status is not success.
"""
function check(call::F) where {F}
    error = attempt(call)
    error === nothing || throw(error)
    return nothing
end

"As [`check`](@ref), but returns the error, or `nothing`."
function attempt(call::F) where {F}
    err = Ref{Ptr{LibColstore.colstore_error}}(C_NULL)
    status = call(err)
    status == LibColstore.COLSTORE_STATUS_OK && return nothing
    return taken_error(status, Handle(err[]))
end

function taken_error(status::Int32, error::Handle{LibColstore.colstore_error})
    message = error_text(LibColstore.colstore_error_message, error)
    path = error_text(LibColstore.colstore_error_path, error)
    column = error_text(LibColstore.colstore_error_column, error)
    row = Ref{Int64}(0)
    has_row = LibColstore.colstore_error_row(error, row)
    os_code = LibColstore.colstore_error_os_code(error)
    start = Ref{Csize_t}(0)
    stop = Ref{Csize_t}(0)
    has_span = LibColstore.colstore_error_span(error, start, stop)
    return ColstoreError(
        Symbol(static_string(LibColstore.colstore_status_name(status))),
        message === nothing ? "status $status of libcolstore" : message,
        path,
        column,
        has_row ? row[] : nothing,
        Int(os_code),
        has_span ? ((Int(start[]) + 1):Int(stop[])) : nothing,
    )
end

function error_text(accessor::F, error::Handle{LibColstore.colstore_error}) where {F}
    len = Ref{Csize_t}(0)
    return GC.@preserve error lent_string(accessor(error, len), len[])
end

"The text that the library lends, copied; `nothing` for NULL. The caller keeps its owner alive."
function lent_string(start::Ptr{UInt8}, len::Integer)
    return start == C_NULL ? nothing : unsafe_string(start, len)
end

"A text of the library's that is there for ever."
static_string(start::Ptr{UInt8}) = unsafe_string(start)
