/// @file
/// colstore::recover: what a writer that died has left.

#ifndef COLSTORE_RECOVER_HPP
#define COLSTORE_RECOVER_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <colstore/error.hpp>
#include <colstore/path.hpp>
#include <colstore/progress.hpp>

namespace colstore {

/// What a recovery has done.
enum class recovery_action : std::int32_t {
    listed = COLSTORE_RECOVERY_ACTION_LISTED,       ///< It has looked, and changed nothing.
    unchanged = COLSTORE_RECOVERY_ACTION_UNCHANGED, ///< It was to commit, and there was nothing to commit.
    committed = COLSTORE_RECOVERY_ACTION_COMMITTED, ///< The records are committed in the file.
    copied = COLSTORE_RECOVERY_ACTION_COPIED        ///< The records are in a new file, committed.
};

/// Whether the counters of a file, which say how many of its records are committed, can be relied on.
enum class counters_state : std::int32_t {
    intact = COLSTORE_COUNTERS_STATE_INTACT,  ///< They are intact, and the records are there.
    wrong = COLSTORE_COUNTERS_STATE_WRONG,    ///< They are intact, and do not agree with the records.
    damaged = COLSTORE_COUNTERS_STATE_DAMAGED ///< Their bytes are damaged, as by a write that was torn.
};

/// The records of a file from the first on, up to one of them.
struct record_extent {
    std::int64_t n_records; ///< How many they are.
    std::int64_t n_rows;    ///< Rows in them.
    std::int64_t end;       ///< Where the last of them ends, in bytes from the start of the file.
};

/// What was found in a file before anything was done, and what was done.
struct recovery {
    recovery_action action;                        ///< What was done.
    counters_state counters;                       ///< Whether the counters can be relied on.
    std::optional<record_extent> committed;        ///< What readers see; nothing if they refuse the file.
    record_extent whole;                           ///< All whole records, committed or not.
    std::int64_t tail_bytes;                       ///< Bytes behind the last whole record.
    std::int64_t file_size;                        ///< Size of the file in bytes.
    std::optional<std::int64_t> statistics_offset; ///< Where statistics for exactly the whole records start.
    bool may_lose_committed; ///< Whether records may have been committed that are not whole: only a new file helps.
};

/// How a file is recovered.
struct recover_options {
    bool commit = false;                    ///< Commit the records in the file itself.
    bool lock = true;                       ///< Take the lock that keeps writers apart.
    colstore::progress *progress = nullptr; ///< Watches and can cancel; may be null.
};

/// @cond INTERNAL
namespace detail {

inline colstore::recovery recover(path_ref path, const path_ref *target, const recover_options &options)
{
    require_abi();
    ::colstore_recover_options raw{};
    raw.size = sizeof raw;
    raw.commit = options.commit ? 1 : 0;
    raw.no_lock = options.lock ? 0 : 1;
    raw.progress = handle_of(options.progress);
    ::colstore_recovery found{};
    found.size = sizeof found;
    const std::string_view bytes = path.bytes();
    const std::string_view to = bytes_or_null(target);
    ::colstore_error *err = nullptr;
    check(::colstore_recover(bytes.data(), bytes.size(), to.data(), to.size(), &raw, &found, &err), err,
          options.progress);
    colstore::recovery result{};
    result.action = static_cast<recovery_action>(found.action);
    result.counters = static_cast<counters_state>(found.counters);
    if (found.committed_records >= 0) {
        result.committed = record_extent{found.committed_records, found.committed_rows, found.committed_end};
    }
    result.whole = {found.whole_records, found.whole_rows, found.whole_end};
    result.tail_bytes = found.tail_bytes;
    result.file_size = found.file_size;
    if (found.statistics_offset > 0) {
        result.statistics_offset = found.statistics_offset;
    }
    result.may_lose_committed = found.may_lose_committed != 0;
    return result;
}

} // namespace detail
/// @endcond

/// Finds the whole records of a file that a writer did not get to commit, or whose counters are damaged. With `commit`
/// in the options they are committed in the file: its counters are rewritten, and nothing else of it is touched. Else
/// nothing is changed.
///
/// Bodies of records have no checksum: after a power cut (not after the end of a process) a whole record may hold
/// values that never reached the disk.
///
/// @throws error with status::format if magic or manifest are damaged, if there is no whole record, or if a commit
/// might give up records that were committed; with status::locked if a writer is at work on the file; with
/// status::cancelled, and if the operating system refuses.
inline recovery recover(path_ref path, const recover_options &options = {})
{
    return detail::recover(path, nullptr, options);
}

/// The same into a new file at `target`: what readers saw and what was found go there, and the old one stays as it is.
///
/// @throws error as above; with status::already_exists if there is something at the target, with
/// status::invalid_argument if the options ask for a commit as well, with status::no_space.
inline recovery recover(path_ref path, path_ref target, const recover_options &options = {})
{
    return detail::recover(path, &target, options);
}

} // namespace colstore

#endif
