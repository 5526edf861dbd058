# Watching and cancelling long calls.

mutable struct Watcher
    callback::Any
    progress::Ptr{LibColstore.colstore_progress}
    failure::Any
end

"""
    Progress([callback])

Watches long calls and can cancel them: pass it as `progress = p` to whatever reads, writes or checks.

`callback(done, total)` hears now and then how many bytes are done. It is called by the thread that made the call. If it
throws, the call is cancelled and the exception comes out of it.

[`cancel!`](@ref) makes the calls throw a `ColstoreError` with the status `:CANCELLED` within 50 ms. A cancelled progress
stays cancelled.
"""
struct Progress
    handle::Handle{LibColstore.colstore_progress}
    watcher::Watcher
end

function Progress(callback = nothing)
    watcher = Watcher(callback, C_NULL, nothing)
    hear = callback === nothing ?
        C_NULL :
        @cfunction(hear_progress, Cvoid, (Ptr{Cvoid}, UInt64, UInt64))
    out = Ref{Ptr{LibColstore.colstore_progress}}(C_NULL)
    GC.@preserve watcher begin
        context = pointer_from_objref(watcher)
        check() do err
            LibColstore.colstore_progress_new(hear, context, out, err)
        end
    end
    watcher.progress = out[]
    # The library has the watcher's address as long as it has the progress.
    return Progress(Handle(out[], watcher), watcher)
end

# Called from C, which nothing may be thrown into.
function hear_progress(context::Ptr{Cvoid}, done::UInt64, total::UInt64)
    watcher = unsafe_pointer_to_objref(context)::Watcher
    try
        watcher.callback(Int(done), Int(total))
    catch failure
        watcher.failure = failure
        LibColstore.colstore_progress_cancel(watcher.progress)
    end
    return nothing
end

"""
    Colstore.cancel!(progress)

Asks the calls with this progress to stop. Any thread may ask, and the callback too.
"""
function cancel!(progress::Progress)
    LibColstore.colstore_progress_cancel(progress.handle)
    return nothing
end

progress_pointer(::Nothing) = Ptr{LibColstore.colstore_progress}(C_NULL)
progress_pointer(progress::Progress) = progress.handle.pointer

"As `check`, for a call with a progress: what its callback threw comes out of it, whatever became of the call."
function check_watched(call::F, progress::Union{Progress, Nothing}) where {F}
    error = GC.@preserve progress attempt(call)
    if progress !== nothing && progress.watcher.failure !== nothing
        failure = progress.watcher.failure
        progress.watcher.failure = nothing
        throw(failure)
    end
    error === nothing || throw(error)
    return nothing
end
