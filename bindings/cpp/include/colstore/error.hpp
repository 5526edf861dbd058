/// @file
/// What a failed call throws: colstore::error, with its status.

#ifndef COLSTORE_ERROR_HPP
#define COLSTORE_ERROR_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <colstore.h>

namespace colstore {

/// What a call came to: the values of `colstore_status` in C. Later versions of the library may have others.
enum class status : std::int32_t {
    ok = COLSTORE_STATUS_OK,                               ///< The call did what it was asked to.
    invalid_argument = COLSTORE_STATUS_INVALID_ARGUMENT,   ///< An argument is wrong, a type or a size among them.
    unsupported_type = COLSTORE_STATUS_UNSUPPORTED_TYPE,   ///< The dtype cannot be stored, or not be reduced.
    not_found = COLSTORE_STATUS_NOT_FOUND,                 ///< There is no file at the path.
    already_exists = COLSTORE_STATUS_ALREADY_EXISTS,       ///< There is a file that must not be replaced.
    permission_denied = COLSTORE_STATUS_PERMISSION_DENIED, ///< The operating system does not allow the access.
    io = COLSTORE_STATUS_IO,                               ///< The operating system failed to read or write.
    no_space = COLSTORE_STATUS_NO_SPACE,                   ///< The disk is full, or a quota is reached.
    format = COLSTORE_STATUS_FORMAT,                       ///< The bytes are no valid `.cstore` file.
    unknown_column = COLSTORE_STATUS_UNKNOWN_COLUMN,       ///< The table has no column of that name.
    out_of_bounds = COLSTORE_STATUS_OUT_OF_BOUNDS,         ///< A row or a position is outside its range.
    not_contiguous = COLSTORE_STATUS_NOT_CONTIGUOUS,       ///< The values cannot be lent, only read.
    cancelled = COLSTORE_STATUS_CANCELLED,                 ///< The call was cancelled through its progress.
    out_of_memory = COLSTORE_STATUS_OUT_OF_MEMORY,         ///< Memory or address space ran out.
    internal = COLSTORE_STATUS_INTERNAL,                   ///< A defect of the library.
    locked = COLSTORE_STATUS_LOCKED                        ///< Another writer holds the lock on the file.
};

/// The name of a status as C has it, without its prefix: "NOT_FOUND". The text is static.
[[nodiscard]] inline const char *status_name(colstore::status status) noexcept
{
    return ::colstore_status_name(static_cast<std::int32_t>(status));
}

/// A failed call: what() says what was asked, what was found, where, and what to do.
///
/// Copies share what they hold, so copying never throws.
class error : public std::runtime_error {
public:
    /// An error of these headers: a status and a message, and the column that it is about, if it is about one.
    error(colstore::status status, const std::string &message, std::optional<std::string> column = std::nullopt)
        : std::runtime_error(message), details_(std::make_shared<details>())
    {
        details_->status = status;
        details_->column = std::move(column);
    }

    /// The error of a call of the C interface, which is looked at and not taken; it may be null.
    error(::colstore_status status, const ::colstore_error *raw)
        : std::runtime_error(raw != nullptr ? ::colstore_error_message(raw, nullptr) : ::colstore_status_name(status)),
          details_(std::make_shared<details>())
    {
        details_->status = static_cast<colstore::status>(status);
        details_->os_code = ::colstore_error_os_code(raw);
        std::size_t len = 0;
        if (const char *path = ::colstore_error_path(raw, &len)) {
            details_->path.emplace(path, len);
        }
        if (const char *column = ::colstore_error_column(raw, &len)) {
            details_->column.emplace(column, len);
        }
        if (std::int64_t row = 0; ::colstore_error_row(raw, &row)) {
            details_->row = row;
        }
    }

    /// The kind of failure.
    [[nodiscard]] colstore::status status() const noexcept { return details_->status; }

    /// The message, the same as what().
    [[nodiscard]] const char *message() const noexcept { return what(); }

    /// The path of the file that the error is about, as bytes of the operating system, if it is about one.
    [[nodiscard]] const std::optional<std::string> &path() const noexcept { return details_->path; }

    /// The name of the column that the error is about, if it is about one.
    [[nodiscard]] const std::optional<std::string> &column() const noexcept { return details_->column; }

    /// The row that the error is about, if it is about one.
    [[nodiscard]] std::optional<std::int64_t> row() const noexcept { return details_->row; }

    /// `errno` of the failed system call; 0 when the operating system had no part in it.
    [[nodiscard]] int os_code() const noexcept { return details_->os_code; }

private:
    struct details {
        colstore::status status = colstore::status::internal;
        int os_code = 0;
        std::optional<std::string> path;
        std::optional<std::string> column;
        std::optional<std::int64_t> row;
    };

    std::shared_ptr<details> details_;
};

/// @cond INTERNAL
namespace detail {

/// Throws what a call reported, and frees the report.
[[noreturn]] inline void raise(::colstore_status status, ::colstore_error *raw)
{
    const std::unique_ptr<::colstore_error, void (*)(::colstore_error *)> owned(raw, &::colstore_error_free);
    throw error(status, raw);
}

/// Throws if a call failed. By reference: the call that fills `raw` is an argument beside it.
inline void check(::colstore_status status, ::colstore_error *&raw)
{
    if (status != COLSTORE_STATUS_OK) {
        raise(status, raw);
    }
}

/// A handle of the C interface, owned.
template <class T, void (*Free)(T *)>
struct deleter {
    void operator()(T *handle) const noexcept { Free(handle); }
};

template <class T, void (*Free)(T *)>
using handle = std::unique_ptr<T, deleter<T, Free>>;

} // namespace detail
/// @endcond

/// The version of the library that is loaded, such as "0.6.0". The text is static.
[[nodiscard]] inline const char *version() noexcept
{
    return ::colstore_version();
}

/// The version of the ABI of the library that is loaded; that of the headers is `COLSTORE_ABI_VERSION`.
[[nodiscard]] inline std::uint32_t abi_version() noexcept
{
    return ::colstore_abi_version();
}

/// Throws an error with status::internal if the library that is loaded has another ABI than the headers. Opening and
/// storing do it by themselves.
inline void require_abi()
{
    if (::colstore_abi_version() != static_cast<std::uint32_t>(COLSTORE_ABI_VERSION)) {
        throw error(status::internal, "the program was built for version " + std::to_string(COLSTORE_ABI_VERSION) +
                                          " of the ABI, but libcolstore " + ::colstore_version() + " has version " +
                                          std::to_string(::colstore_abi_version()) +
                                          "; build it with the headers of the library that is loaded");
    }
}

} // namespace colstore

#endif
