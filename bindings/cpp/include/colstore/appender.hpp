/// @file
/// colstore::append: adding a shard to a directory; colstore::appender: making shard after shard of batches.

#ifndef COLSTORE_APPENDER_HPP
#define COLSTORE_APPENDER_HPP

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <colstore/column_data.hpp>
#include <colstore/error.hpp>
#include <colstore/path.hpp>
#include <colstore/progress.hpp>
#include <colstore/span.hpp>
#include <colstore/table.hpp>

namespace colstore {

/// How a shard is added.
struct append_options {
    /// What the shard is called: a name that ends in `.cstore`, in which `{index}` or `{index:05d}` stands for a
    /// number; empty for `shard_{index:05d}.cstore`.
    std::string name = {};
    bool statistics = false;                ///< Record least and greatest values.
    int max_threads = 0;                    ///< 0 for the library's choice.
    colstore::progress *progress = nullptr; ///< Watches and can cancel; may be null.
};

/// How an appender makes shards. At most one of the limits may be set; with neither, only flush() and close() make any.
struct appender_options {
    std::string name = {};        ///< As in append_options; a name without a number is for one shard.
    std::int64_t shard_rows = 0;  ///< Rows that make a shard, once there are as many or more; 0 for no limit.
    std::int64_t shard_bytes = 0; ///< Bytes that make a shard, counted in whole rows; 0 for no limit.
    bool statistics = false;      ///< Record least and greatest values.
    int max_threads = 0;          ///< 0 for the library's choice.
};

/// What an appender has done.
struct appender_info {
    std::int64_t n_shards;     ///< Shards that it has made.
    std::int64_t pending_rows; ///< Rows that are in no shard yet.
    bool is_locked;            ///< Whether it holds a lock on the directory.
    bool is_closed;            ///< Whether it was closed or abandoned.
};

/// @cond INTERNAL
namespace detail {

/// A name as the C interface takes it: null for the library's choice.
inline const char *name_or_null(const std::string &name) noexcept
{
    return name.empty() ? nullptr : name.data();
}

/// Checks a call that gives the path of a shard, or no path, and takes the list of it.
inline std::optional<std::string> shard_path(::colstore_status status, ::colstore_error *&err, ::colstore_names *&names,
                                             progress *watch)
{
    const names_handle owned(names);
    check(status, err, watch);
    std::vector<std::string> paths = texts_of(owned.get());
    return paths.empty() ? std::nullopt : std::optional<std::string>(std::move(paths.front()));
}

inline ::colstore_append_options raw_options(const append_options &options) noexcept
{
    ::colstore_append_options raw{};
    raw.size = sizeof raw;
    raw.name = name_or_null(options.name);
    raw.name_len = options.name.size();
    raw.statistics = options.statistics ? 1 : 0;
    raw.max_threads = options.max_threads;
    raw.progress = handle_of(options.progress);
    return raw;
}

} // namespace detail
/// @endcond

/// Adds a shard with the given columns to a directory, which is created if it is missing, and gives the path of the
/// shard. It is one file of one record, and appears whole and on the disk, or not at all. The columns must have the
/// names and dtypes of the first shard that is there, in its order.
///
/// @throws error as store() does; with status::invalid_argument for a wrong name and for other columns, with
/// status::already_exists for a name without a number that is taken, with status::locked if another writer holds the
/// lock of the directory, with status::format if the first shard is damaged.
inline std::string append(path_ref directory, span<const column_data> columns, const append_options &options = {})
{
    require_abi();
    const std::vector<::colstore_column_data> raw = detail::raw_columns(columns);
    const ::colstore_append_options how = detail::raw_options(options);
    const std::string_view bytes = directory.bytes();
    ::colstore_error *err = nullptr;
    ::colstore_names *names = nullptr;
    const ::colstore_status status =
        ::colstore_append(bytes.data(), bytes.size(), raw.data(), raw.size(), &how, &names, &err);
    return detail::shard_path(status, err, names, options.progress).value_or(std::string());
}

/// The same for columns listed between braces: `colstore::append("run7", {{"x", xs}, {"id", ids}})`.
inline std::string append(path_ref directory, std::initializer_list<column_data> columns,
                          const append_options &options = {})
{
    return append(directory, span<const column_data>(columns.begin(), columns.size()), options);
}

/// Adds the rows of a table as a shard to a directory, and gives the path of the shard. A table of one file is copied
/// byte for byte, with all its records; the files of a larger one become one record, and so does any table if
/// statistics are asked for.
///
/// @throws error as for columns; also with status::invalid_argument for a table that has rows of the directory's own
/// shards.
inline std::string append(path_ref directory, const table &rows, const append_options &options = {})
{
    const ::colstore_append_options how = detail::raw_options(options);
    const std::string_view bytes = directory.bytes();
    ::colstore_error *err = nullptr;
    ::colstore_names *names = nullptr;
    const ::colstore_status status =
        ::colstore_append_table(bytes.data(), bytes.size(), rows.c_handle(), &how, &names, &err);
    return detail::shard_path(status, err, names, options.progress).value_or(std::string());
}

/// Adds shards to a directory, of batches of rows that it copies into memory until there are enough:
///
///     colstore::appender_options options;
///     options.shard_rows = 1'000'000;
///     auto out = colstore::appender::open("run7", options);
///     out.write({{"x", xs}, {"id", ids}});
///     out.close();
///
/// An appender that ends without close() makes no shard of the rows that it still holds: they are gone; its shards
/// stay. The directory is locked until then. Any number of threads may use one; their calls take turns.
class appender {
public:
    /// Opens an appender for a directory, which is created if it is missing, with those above it.
    ///
    /// @throws error with status::invalid_argument for a wrong name, for a limit with a name that has no number, and
    /// for two limits; with status::locked if another writer holds the lock; with status::format if the first shard is
    /// damaged; with status::already_exists if there is a file; and if the operating system refuses.
    [[nodiscard]] static appender open(path_ref directory, const appender_options &options = {})
    {
        require_abi();
        ::colstore_appender_options raw{};
        raw.size = sizeof raw;
        raw.name = detail::name_or_null(options.name);
        raw.name_len = options.name.size();
        raw.shard_rows = options.shard_rows;
        raw.shard_bytes = options.shard_bytes;
        raw.statistics = options.statistics ? 1 : 0;
        raw.max_threads = options.max_threads;
        const std::string_view bytes = directory.bytes();
        ::colstore_error *err = nullptr;
        ::colstore_appender *made = nullptr;
        detail::check(::colstore_appender_open(bytes.data(), bytes.size(), &raw, &made, &err), err);
        return appender(made);
    }

    /// Takes a handle of the C interface.
    explicit appender(::colstore_appender *handle) noexcept : handle_(handle) {}

    /// Adds rows, and makes a shard of all rows there are if that is enough; batches are not split. The columns must
    /// have the names and dtypes of earlier rows and shards, in the same order.
    ///
    /// @throws error as append() does, with status::invalid_argument if the appender is closed. None of these rows is
    /// held then, and earlier ones still are.
    void write(span<const column_data> columns, progress *watch = nullptr)
    {
        const std::vector<::colstore_column_data> raw = detail::raw_columns(columns);
        ::colstore_error *err = nullptr;
        detail::check(::colstore_appender_write(handle_.get(), raw.data(), raw.size(), detail::handle_of(watch), &err),
                      err, watch);
    }

    /// The same for columns listed between braces.
    void write(std::initializer_list<column_data> columns, progress *watch = nullptr)
    {
        write(span<const column_data>(columns.begin(), columns.size()), watch);
    }

    /// Adds the rows of a table.
    ///
    /// @throws error as for columns; also with status::invalid_argument for a table that has rows of the directory's
    /// own shards.
    void write(const table &rows, progress *watch = nullptr)
    {
        ::colstore_error *err = nullptr;
        detail::check(::colstore_appender_write_table(handle_.get(), rows.c_handle(), detail::handle_of(watch), &err),
                      err, watch);
    }

    /// Makes a shard of the rows that are held, on the disk, and gives its path; nothing if nothing was written since
    /// the last one.
    ///
    /// @throws error with status::no_space, with status::cancelled, and if the operating system refuses: the rows are
    /// still held then, unless the message says that the shard is in place. With status::already_exists for a name
    /// without a number that is taken, with status::invalid_argument if this appender has made a shard of that name or
    /// is closed.
    std::optional<std::string> flush(progress *watch = nullptr)
    {
        ::colstore_error *err = nullptr;
        ::colstore_names *names = nullptr;
        const ::colstore_status status =
            ::colstore_appender_flush(handle_.get(), detail::handle_of(watch), &names, &err);
        return detail::shard_path(status, err, names, watch);
    }

    /// Flushes, and lets other writers have the directory. Closing again does nothing.
    ///
    /// @throws error as flush() does; the appender stays open then if it still holds rows.
    std::optional<std::string> close(progress *watch = nullptr)
    {
        ::colstore_error *err = nullptr;
        ::colstore_names *names = nullptr;
        const ::colstore_status status =
            ::colstore_appender_close(handle_.get(), detail::handle_of(watch), &names, &err);
        return detail::shard_path(status, err, names, watch);
    }

    /// Closes without making a shard: the rows that are held are gone. For when a close has failed and nobody will try
    /// again.
    void abandon()
    {
        ::colstore_error *err = nullptr;
        detail::check(::colstore_appender_abandon(handle_.get(), &err), err);
    }

    /// What the appender has done so far.
    [[nodiscard]] appender_info info() const
    {
        ::colstore_error *err = nullptr;
        ::colstore_appender_info info{};
        info.size = sizeof info;
        detail::check(::colstore_appender_describe(handle_.get(), &info, &err), err);
        return {info.n_shards, info.pending_rows, info.locked != 0, info.closed != 0};
    }

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_appender *c_handle() const noexcept { return handle_.get(); }

private:
    detail::handle<::colstore_appender, &::colstore_appender_free> handle_;
};

} // namespace colstore

#endif
