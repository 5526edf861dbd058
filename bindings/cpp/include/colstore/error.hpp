/// @file
/// What a failed call throws: colstore::error, with its status.

#ifndef COLSTORE_ERROR_HPP
#define COLSTORE_ERROR_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
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
    locked = COLSTORE_STATUS_LOCKED,                       ///< Another writer holds the lock on the file.
    query = COLSTORE_STATUS_QUERY,                         ///< The text is no expression, or it is no condition.
    type = COLSTORE_STATUS_TYPE,                           ///< No operation for operands of these dtypes.
    key = COLSTORE_STATUS_KEY,                             ///< The frame has no column of that name.
    value = COLSTORE_STATUS_VALUE,                         ///< A value or a number of rows that is not allowed.
    overflow = COLSTORE_STATUS_OVERFLOW,                   ///< A number that its dtype cannot hold.
    callback = COLSTORE_STATUS_CALLBACK                    ///< A function of the program's failed.
};

/// The name of a status as C has it, without its prefix: "NOT_FOUND". The text is static.
[[nodiscard]] inline const char *status_name(colstore::status status) noexcept
{
    return ::colstore_status_name(static_cast<std::int32_t>(status));
}

/// A part of a text: its bytes from `start` to `stop`, `stop` not included.
struct text_range {
    std::size_t start; ///< The first byte.
    std::size_t stop;  ///< The byte after the last.
};

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
        if (text_range part{}; ::colstore_error_span(raw, &part.start, &part.stop)) {
            details_->span = part;
        }
        details_->callback_code = ::colstore_error_callback_code(raw);
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

    /// The part of an expression that the error is about, if it was given as text.
    [[nodiscard]] const std::optional<text_range> &span() const noexcept { return details_->span; }

    /// The code that a function of the program's failed with in the C interface; 0 for every other error. What a
    /// colstore::callback throws comes out of the call as it is, and not as an error.
    [[nodiscard]] std::int64_t callback_code() const noexcept { return details_->callback_code; }

private:
    struct details {
        colstore::status status = colstore::status::internal;
        int os_code = 0;
        std::optional<std::string> path;
        std::optional<std::string> column;
        std::optional<std::int64_t> row;
        std::optional<text_range> span;
        std::int64_t callback_code = 0;
    };

    std::shared_ptr<details> details_;
};

/// @cond INTERNAL
namespace detail {

/// What functions of the program's have thrown, on whatever thread, until the call that they failed throws it again.
/// The C interface carries a code from the one to the other.
class thrown_exceptions {
public:
    /// Those of the process.
    static thrown_exceptions &get()
    {
        static thrown_exceptions all;
        return all;
    }

    /// Keeps an exception, and gives its code; 0 if there is no memory for it.
    std::int64_t put(std::exception_ptr exception) noexcept
    {
        try {
            const std::lock_guard<std::mutex> guard(mutex_);
            // A call reports one of the exceptions that its threads meet; nobody asks for the others.
            if (kept_.size() == most_) {
                kept_.pop_front();
            }
            kept_.emplace_back(next_, std::move(exception));
            return next_++;
        } catch (...) {
            return 0;
        }
    }

    /// The exception of a code, or null.
    std::exception_ptr take(std::int64_t code) noexcept
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto &one) { return one.first == code; });
        std::exception_ptr exception;
        if (found != kept_.end()) {
            exception = std::move(found->second);
            kept_.erase(found);
        }
        return exception;
    }

private:
    static constexpr std::size_t most_ = 256;
    std::mutex mutex_;
    std::deque<std::pair<std::int64_t, std::exception_ptr>> kept_;
    // Not among the codes that functions in C are likely to have.
    std::int64_t next_ = 0x432b2b0000000001;
};

/// Throws what a call reported, and frees the report; what a function of the program's threw, if that was the reason.
[[noreturn]] inline void raise(::colstore_status status, ::colstore_error *raw)
{
    const std::unique_ptr<::colstore_error, void (*)(::colstore_error *)> owned(raw, &::colstore_error_free);
    if (status == COLSTORE_STATUS_CALLBACK) {
        if (const std::exception_ptr thrown = thrown_exceptions::get().take(::colstore_error_callback_code(raw))) {
            std::rethrow_exception(thrown);
        }
    }
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
