# What a writer that died has left.

const RECOVERY_ACTIONS = (
    listed = LibColstore.COLSTORE_RECOVERY_ACTION_LISTED,
    unchanged = LibColstore.COLSTORE_RECOVERY_ACTION_UNCHANGED,
    committed = LibColstore.COLSTORE_RECOVERY_ACTION_COMMITTED,
    copied = LibColstore.COLSTORE_RECOVERY_ACTION_COPIED,
)
const COUNTERS_STATES = (
    intact = LibColstore.COLSTORE_COUNTERS_STATE_INTACT,
    wrong = LibColstore.COLSTORE_COUNTERS_STATE_WRONG,
    damaged = LibColstore.COLSTORE_COUNTERS_STATE_DAMAGED,
)

"""
    Colstore.recover(path; commit = false, out = nothing, lock = true, progress = nothing) -> NamedTuple

Finds the whole records of a file that a writer did not get to commit, or whose counters are damaged. With `out`, they go to
a new file there, together with those that were committed, and the old one stays as it is. With `commit`, they are committed
in the file itself, and nothing is cut off. With neither, nothing is changed.

Records have no checksum of their values: after a power cut (not after the end of a process) a whole record may hold values
that never reached the disk.

What was found before anything was done, and what was done:

- `action`: `:listed`, `:unchanged` (there was nothing to commit), `:committed` or `:copied`
- `counters`: `:intact`, `:wrong` (they do not agree with the records) or `:damaged`
- `committed_records`, `committed_rows`, `committed_end`: what readers see, and where it ends in bytes from the start of
  the file; `nothing` if they refuse it
- `whole_records`, `whole_rows`, `whole_end`: all whole records from the first on
- `tail_bytes` behind the last whole record, `file_size`
- `statistics_offset`: where statistics of exactly the whole records start, or `nothing`
- `may_lose_committed`: whether records may have been committed that are not whole now; then only `out` can take the others

`lock = false` works without the lock that keeps writers apart. `ColstoreError` with `:FORMAT` if the header is damaged, if
there is no whole record, or if `commit` might give up committed ones; `:IO` if a writer is at work; `:ALREADY_EXISTS` if
there is something at `out`.
"""
function recover(
    path::AbstractString;
    commit::Bool = false,
    out::Union{AbstractString, Nothing} = nothing,
    lock::Bool = true,
    progress::Union{Progress, Nothing} = nothing,
)
    asked = String(path)
    target, n_bytes = path_or_null(out)
    options = Ref(LibColstore.colstore_recover_options(;
        commit = commit,
        no_lock = !lock,
        progress = progress_pointer(progress),
    ))
    recovery = Ref(LibColstore.colstore_recovery())
    check_watched(progress) do err
        LibColstore.colstore_recover(
            asked,
            sizeof(asked),
            target,
            n_bytes,
            options,
            recovery,
            err,
        )
    end
    found = recovery[]
    return (;
        action = choice_name(RECOVERY_ACTIONS, found.action),
        counters = choice_name(COUNTERS_STATES, found.counters),
        committed_records = known(found.committed_records),
        committed_rows = known(found.committed_rows),
        committed_end = known(found.committed_end),
        whole_records = Int(found.whole_records),
        whole_rows = Int(found.whole_rows),
        whole_end = Int(found.whole_end),
        tail_bytes = Int(found.tail_bytes),
        file_size = Int(found.file_size),
        statistics_offset = found.statistics_offset == 0 ?
            nothing :
            Int(found.statistics_offset),
        may_lose_committed = found.may_lose_committed != 0,
    )
end

"The library's -1 is a number that is not known."
known(number::Int64) = number < 0 ? nothing : Int(number)
