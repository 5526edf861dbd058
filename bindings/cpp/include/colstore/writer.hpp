/// @file
/// colstore::writer: writing a file record by record.

#ifndef COLSTORE_WRITER_HPP
#define COLSTORE_WRITER_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <colstore/column_data.hpp>
#include <colstore/error.hpp>
#include <colstore/path.hpp>
#include <colstore/progress.hpp>
#include <colstore/schema.hpp>
#include <colstore/span.hpp>

namespace colstore {

/// What a writer does with a file that exists at the path.
enum class writer_mode : std::int32_t {
    create = COLSTORE_WRITER_MODE_CREATE,     ///< Fail with status::already_exists.
    recreate = COLSTORE_WRITER_MODE_RECREATE, ///< Replace it at the first commit.
    update = COLSTORE_WRITER_MODE_UPDATE      ///< Add records to it; fail with status::not_found if there is none.
};

/// What a writer does about the lock on its file.
enum class lock_policy : std::int32_t {
    by_setting = COLSTORE_LOCK_POLICY_DEFAULT, ///< What the setting `lock_policy` says.
    require = COLSTORE_LOCK_POLICY_REQUIRE,    ///< Take it, or fail.
    automatic = COLSTORE_LOCK_POLICY_AUTO,     ///< Take it where the file system has locks; elsewhere go on without.
    off = COLSTORE_LOCK_POLICY_OFF             ///< Do not ask for it: the caller makes sure that there is one writer.
};

/// How a file is written record by record.
struct writer_options {
    writer_mode mode = writer_mode::create;     ///< What becomes of a file that is there.
    bool statistics = false;                    ///< Record least and greatest values of every record.
    lock_policy lock = lock_policy::by_setting; ///< How writers are kept apart.
    int max_threads = 0;                        ///< For one record; 0 for the library's choice.
    colstore::progress *progress = nullptr;     ///< Watches large records and can cancel them; may be null.
};

/// How far a writer is.
struct writer_info {
    std::int64_t n_records; ///< Records in the file, those that are not committed yet included.
    std::int64_t n_rows;    ///< Rows in the file, likewise.
    writer_mode mode;       ///< That it was opened with.
    bool is_locked;         ///< Whether it has the lock on its file, or had until it was closed.
    bool is_closed;         ///< Whether it was closed or abandoned.
};

/// A file that is written record by record:
///
///     auto out = colstore::writer::open("events.cstore");
///     while (fill(xs, ids)) {
///         out.write({{"x", xs}, {"id", ids}});   // one record
///     }
///     out.close();                               // commits
///
/// Records count once they are committed, by commit() or close(). A writer that ends without close() — when an
/// exception goes through its scope — commits nothing: what it wrote since its last commit is taken away, and nobody
/// hears of failures. Any number of threads may use one; their calls take turns.
class writer {
public:
    /// Opens the file at `path`, and locks it before anything is changed. With writer_mode::create an empty file is
    /// made at once; with writer_mode::recreate a file that is there is replaced at the first commit, and until then
    /// stays what it was; with writer_mode::update it is checked, and not changed before the first record.
    ///
    /// The progress of the options may be gone before the writer is; what its callback refers to may not.
    ///
    /// @throws error with status::already_exists or status::not_found as the mode says, with status::locked if there is
    /// another writer, with status::format if a file to be updated is damaged, and if the operating system refuses.
    [[nodiscard]] static writer open(path_ref path, const writer_options &options = {})
    {
        require_abi();
        ::colstore_writer_options raw{};
        raw.size = sizeof raw;
        raw.mode = static_cast<std::int32_t>(options.mode);
        raw.statistics = options.statistics ? 1 : 0;
        raw.lock = static_cast<std::int32_t>(options.lock);
        raw.max_threads = options.max_threads;
        raw.progress = detail::handle_of(options.progress);
        const std::string_view bytes = path.bytes();
        ::colstore_error *err = nullptr;
        ::colstore_writer *made = nullptr;
        detail::check(::colstore_writer_open(bytes.data(), bytes.size(), &raw, &made, &err), err);
        writer opened(made);
        if (options.progress != nullptr) {
            opened.progress_ = options.progress->share();
        }
        return opened;
    }

    /// Takes a handle of the C interface.
    explicit writer(::colstore_writer *handle) noexcept : handle_(handle) {}

    /// Takes the file over from another writer.
    writer(writer &&other) noexcept = default;
    /// The same; what this one has not committed is taken away.
    writer &operator=(writer &&other) noexcept
    {
        handle_ = std::move(other.handle_);
        progress_ = std::move(other.progress_);
        return *this;
    }

    /// Writes one record. The first one of a new file decides what the columns are; later ones must have the same names
    /// in the same order and the same dtypes. Everything is checked before a byte is written, and after a failure the
    /// file is as it was before the call; should records be lost that were kept in memory, the message says which.
    ///
    /// @throws error with status::unsupported_type or status::invalid_argument for columns that do not fit and for a
    /// writer that is closed, with status::no_space, with status::cancelled, and if the operating system refuses.
    void write(span<const column_data> columns)
    {
        const std::vector<::colstore_column_data> raw = detail::raw_columns(columns);
        ::colstore_error *err = nullptr;
        check(::colstore_writer_write(handle_.get(), raw.data(), raw.size(), &err), err);
    }

    /// The same for columns listed between braces: `out.write({{"x", xs}, {"id", ids}})`.
    void write(std::initializer_list<column_data> columns)
    {
        write(span<const column_data>(columns.begin(), columns.size()));
    }

    /// Writes one record of `n_rows` rows from `size` bytes that are already as the file holds them: the columns of the
    /// schema one after the other, each of `n_rows` little-endian values, with nothing between or behind them. For many
    /// small records this is the fastest way. The columns must be known: from the file, or from a first write().
    ///
    /// @throws error as write(), also with status::invalid_argument if the columns are not known or the size is wrong.
    void write_packed(std::int64_t n_rows, const void *body, std::size_t size)
    {
        ::colstore_error *err = nullptr;
        check(::colstore_writer_write_packed(handle_.get(), n_rows, body, size, &err), err);
    }

    /// Makes the records so far count: they survive a power cut, and readers that open the file see them. More can be
    /// written.
    ///
    /// @throws error with status::no_space or status::io if the operating system refuses; what was committed before
    /// still is. After a failed flush nothing more can be written or committed.
    void commit()
    {
        ::colstore_error *err = nullptr;
        check(::colstore_writer_commit(handle_.get(), &err), err);
    }

    /// Commits what was written, writes the statistics, and ends the writer, whatever the result; nothing if it is
    /// closed already. If nothing was written, an updated file stays exactly as it is; in the other modes there is no
    /// file then, unless records were refused: then a file that should have been replaced stays.
    ///
    /// @throws error as commit(). If only the statistics could not be written, the records are committed; the message
    /// says so.
    void close()
    {
        ::colstore_error *err = nullptr;
        check(::colstore_writer_close(handle_.get(), &err), err);
    }

    /// Ends the writer without committing: what it wrote since its last commit is taken away. Its destructor does the
    /// same, but throws nothing.
    ///
    /// @throws error if that cannot be done.
    void abandon()
    {
        ::colstore_error *err = nullptr;
        check(::colstore_writer_abandon(handle_.get(), &err), err);
    }

    /// How far the writer is, whether it has the lock, and whether it is closed.
    [[nodiscard]] writer_info info() const
    {
        ::colstore_error *err = nullptr;
        ::colstore_writer_info info{};
        info.size = sizeof info;
        detail::check(::colstore_writer_describe(handle_.get(), &info, &err), err);
        return {info.n_records, info.n_rows, static_cast<writer_mode>(info.mode), info.is_locked != 0,
                info.is_closed != 0};
    }

    /// The columns of the file. The schema outlives the writer.
    ///
    /// @throws error with status::invalid_argument before the first record of a new file.
    [[nodiscard]] colstore::schema schema() const
    {
        ::colstore_error *err = nullptr;
        ::colstore_schema *made = nullptr;
        detail::check(::colstore_writer_schema(handle_.get(), &made, &err), err);
        return colstore::schema(made);
    }

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_writer *c_handle() const noexcept { return handle_.get(); }

private:
    void check(::colstore_status status, ::colstore_error *&err)
    {
        detail::check(status, err, progress_ ? &*progress_ : nullptr);
    }

    // The writer is freed first: it reports to the progress as long as it lives.
    std::optional<progress> progress_;
    detail::handle<::colstore_writer, &::colstore_writer_free> handle_;
};

} // namespace colstore

#endif
