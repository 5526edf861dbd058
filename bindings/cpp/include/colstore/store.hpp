/// @file
/// colstore::store: writing a file from columns or structs.

#ifndef COLSTORE_STORE_HPP
#define COLSTORE_STORE_HPP

#include <cstdint>
#include <initializer_list>
#include <vector>

#include <colstore/column_data.hpp>
#include <colstore/error.hpp>
#include <colstore/path.hpp>
#include <colstore/progress.hpp>
#include <colstore/span.hpp>

namespace colstore {

/// What to do with a file that exists at the path.
enum class store_mode : std::int32_t {
    create = COLSTORE_STORE_MODE_CREATE,    ///< Fail with status::already_exists.
    recreate = COLSTORE_STORE_MODE_RECREATE ///< Replace it, once the new one is complete.
};

/// What a new file survives.
enum class durability : std::int32_t {
    process = COLSTORE_DURABILITY_PROCESS, ///< The end of the process.
    disk = COLSTORE_DURABILITY_DISK        ///< A power cut: everything is flushed.
};

/// How a file is written.
struct store_options {
    store_mode mode = store_mode::create;                            ///< What becomes of a file that is there.
    bool statistics = false;                                         ///< Record least and greatest values.
    colstore::durability durability = colstore::durability::process; ///< What the file survives.
    int max_threads = 0;                                             ///< 0 for the library's choice.
    colstore::progress *progress = nullptr;                          ///< Watches and can cancel; may be null.

    /// Those of the C interface.
    [[nodiscard]] ::colstore_store_options raw() const noexcept
    {
        ::colstore_store_options options{};
        options.size = sizeof options;
        options.mode = static_cast<std::int32_t>(mode);
        options.statistics = statistics ? 1 : 0;
        options.durability = static_cast<std::int32_t>(durability);
        options.max_threads = max_threads;
        options.progress = detail::handle_of(progress);
        return options;
    }
};

/// Writes a new file with the given columns, all at once. After a failure or a cancel the path is as it was before.
///
/// @throws error with status::already_exists, status::unsupported_type, status::invalid_argument for columns that
/// cannot be stored, status::no_space, status::cancelled, and if the operating system refuses.
inline void store(path_ref path, span<const column_data> columns, const store_options &options = {})
{
    require_abi();
    const std::vector<::colstore_column_data> raw = detail::raw_columns(columns);
    const ::colstore_store_options raw_options = options.raw();
    ::colstore_error *err = nullptr;
    detail::check(
        ::colstore_store(path.bytes().data(), path.bytes().size(), raw.data(), raw.size(), &raw_options, &err), err,
        options.progress);
}

/// The same for columns listed between braces: `colstore::store("events.cstore", {{"x", x}, {"id", id}})`.
inline void store(path_ref path, std::initializer_list<column_data> columns, const store_options &options = {})
{
    store(path, span<const column_data>(columns.begin(), columns.size()), options);
}

} // namespace colstore

#endif
