# Ownership of what the library gives out.

"""
    Handle(pointer, kept = nothing)

A pointer that the library gave, freed exactly once, when the garbage collector finds that nobody has the handle any
more. There is no other way to free it: whoever uses a handle refers to it during the call, so a table closed by one task
takes no memory away from a read in another.

`kept` is what the library borrows: it lives until the pointer is freed.

A handle may stand where a stub wants its pointer. The call keeps it alive.
"""
mutable struct Handle{T}
    pointer::Ptr{T}
    kept::Any

    function Handle(pointer::Ptr{T}, kept = nothing) where {T}
        return finalizer(release, new{T}(pointer, kept))
    end
end

Base.unsafe_convert(::Type{Ptr{T}}, handle::Handle{T}) where {T} = handle.pointer

# Finalizers. The functions take pointers on any thread, return nothing that could fail, and wait for nothing but the disk:
# a writer that was not closed takes away what it did not commit.
release(handle::Handle{LibColstore.colstore_appender}) = LibColstore.colstore_appender_free(
    handle.pointer,
)
release(handle::Handle{LibColstore.colstore_cutflow}) = LibColstore.colstore_cutflow_free(
    handle.pointer,
)
release(handle::Handle{LibColstore.colstore_error}) = LibColstore.colstore_error_free(
    handle.pointer,
)
release(handle::Handle{LibColstore.colstore_expr}) = LibColstore.colstore_expr_free(
    handle.pointer,
)
release(handle::Handle{LibColstore.colstore_frame}) = LibColstore.colstore_frame_free(
    handle.pointer,
)
release(handle::Handle{LibColstore.colstore_names}) = LibColstore.colstore_names_free(
    handle.pointer,
)
release(handle::Handle{LibColstore.colstore_params}) = LibColstore.colstore_params_free(
    handle.pointer,
)
release(handle::Handle{LibColstore.colstore_progress}) = LibColstore.colstore_progress_free(
    handle.pointer,
)
release(handle::Handle{LibColstore.colstore_rows}) = LibColstore.colstore_rows_free(
    handle.pointer,
)
release(handle::Handle{LibColstore.colstore_schema}) = LibColstore.colstore_schema_free(
    handle.pointer,
)
release(handle::Handle{LibColstore.colstore_table}) = LibColstore.colstore_table_free(
    handle.pointer,
)
release(handle::Handle{LibColstore.colstore_values}) = LibColstore.colstore_values_free(
    handle.pointer,
)
release(handle::Handle{LibColstore.colstore_view}) = LibColstore.colstore_view_free(
    handle.pointer,
)
release(
    handle::Handle{LibColstore.colstore_verify_report},
) = LibColstore.colstore_verify_report_free(handle.pointer)
release(handle::Handle{LibColstore.colstore_writer}) = LibColstore.colstore_writer_free(
    handle.pointer,
)
