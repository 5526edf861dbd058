/// @file
/// colstore::copy_table: a table into a file of one record; colstore::compact: the records of a file into one.

#ifndef COLSTORE_COMPACT_HPP
#define COLSTORE_COMPACT_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <colstore/error.hpp>
#include <colstore/path.hpp>
#include <colstore/progress.hpp>
#include <colstore/store.hpp>
#include <colstore/table.hpp>

namespace colstore {

/// How a table is copied.
struct copy_options {
    store_mode mode = store_mode::create;   ///< What becomes of a file that is there.
    bool statistics = false;                ///< Record least and greatest values.
    int max_threads = 0;                    ///< 0 for the library's choice.
    colstore::progress *progress = nullptr; ///< Watches and can cancel; may be null.
};

/// Writes all rows of a table, of whatever files and records, to a new file of one record: the bytes that store()
/// writes for the same columns. `copy_table(open_all("run7"), "run7.cstore")` makes one file of many.
///
/// The memory it takes does not grow with the table. The file is there after a power cut; after a failure or a cancel
/// the path is as it was before.
///
/// @throws error with status::already_exists, with status::invalid_argument for a table without columns and if the path
/// leads to one of the table's own files, with status::no_space, with status::cancelled, and if the operating system
/// refuses.
inline void copy_table(const table &rows, path_ref path, const copy_options &options = {})
{
    ::colstore_copy_options raw{};
    raw.size = sizeof raw;
    raw.mode = static_cast<std::int32_t>(options.mode);
    raw.statistics = options.statistics ? 1 : 0;
    raw.max_threads = options.max_threads;
    raw.progress = detail::handle_of(options.progress);
    const std::string_view bytes = path.bytes();
    ::colstore_error *err = nullptr;
    detail::check(::colstore_table_write(rows.c_handle(), bytes.data(), bytes.size(), &raw, &err), err,
                  options.progress);
}

/// How a file is compacted.
struct compact_options {
    bool statistics = false;                ///< Record least and greatest values, if a new record is written.
    int max_threads = 0;                    ///< 0 for the library's choice.
    colstore::progress *progress = nullptr; ///< Watches and can cancel; may be null.
};

/// @cond INTERNAL
namespace detail {

/// In place if `out` is null.
inline void compact(path_ref path, const path_ref *out, const compact_options &options)
{
    require_abi();
    ::colstore_compact_options raw{};
    raw.size = sizeof raw;
    raw.statistics = options.statistics ? 1 : 0;
    raw.max_threads = options.max_threads;
    raw.progress = handle_of(options.progress);
    const std::string_view bytes = path.bytes();
    const std::string_view to = bytes_or_null(out);
    ::colstore_error *err = nullptr;
    check(::colstore_compact(bytes.data(), bytes.size(), to.data(), to.size(), &raw, &err), err, options.progress);
}

} // namespace detail
/// @endcond

/// Puts the records of a file together to one, in place. Nothing happens to a file of one record or none. Recorded
/// least and greatest values are dropped unless the options ask for them. The file is locked meanwhile; readers that
/// have it open keep the old one, and so do other hard links. After a failure or a cancel everything is as it was
/// before.
///
/// @throws error with status::not_found or status::format for a file that is not there or not valid, with
/// status::locked if somebody else holds the lock, with status::no_space, with status::cancelled, and if the operating
/// system refuses.
inline void compact(path_ref path, const compact_options &options = {})
{
    detail::compact(path, nullptr, options);
}

/// The same into a new file at `out`, where any other file is replaced; a file that is compact is copied byte for byte.
/// If `out` leads to the file itself, that means in place.
inline void compact(path_ref path, path_ref out, const compact_options &options = {})
{
    detail::compact(path, &out, options);
}

} // namespace colstore

#endif
