/// @file
/// How tables are opened and read, and expressions computed. Every default is the library's choice.

#ifndef COLSTORE_OPTIONS_HPP
#define COLSTORE_OPTIONS_HPP

#include <cstdint>

#include <colstore.h>
#include <colstore/progress.hpp>

namespace colstore {

/// How the pages of a file will be asked for, so that the system reads ahead or does not.
enum class advice : std::int32_t {
    automatic = COLSTORE_ADVICE_DEFAULT,     ///< The library's choice.
    normal = COLSTORE_ADVICE_NORMAL,         ///< In no particular way.
    sequential = COLSTORE_ADVICE_SEQUENTIAL, ///< From the first to the last.
    random = COLSTORE_ADVICE_RANDOM,         ///< In no order.
    will_need = COLSTORE_ADVICE_WILL_NEED,   ///< All, and soon.
    dont_need = COLSTORE_ADVICE_DONT_NEED    ///< None for a while.
};

/// How the bytes of a file are got at.
enum class backend : std::int32_t {
    automatic = COLSTORE_BACKEND_DEFAULT, ///< As the setting `read_backend` says.
    mmap = COLSTORE_BACKEND_MMAP,         ///< Mapped: fastest, and values can be lent.
    pread = COLSTORE_BACKEND_PREAD        ///< Through the descriptor: a file cut short is an error and no signal.
};

/// How a table is opened.
struct open_options {
    colstore::advice advice = colstore::advice::automatic;    ///< For files that are mapped.
    bool lock = false;                                        ///< Keep the file in memory, as far as the process may.
    colstore::backend backend = colstore::backend::automatic; ///< How bytes are got at.

    /// Those of the C interface.
    [[nodiscard]] ::colstore_open_options raw() const noexcept
    {
        ::colstore_open_options options{};
        options.size = sizeof options;
        options.advice = static_cast<std::int32_t>(advice);
        options.lock = lock ? 1 : 0;
        options.backend = static_cast<std::int32_t>(backend);
        return options;
    }
};

/// How values are read.
struct read_options {
    int max_threads = 0;                    ///< At most this many threads; 0 for the library's choice.
    colstore::progress *progress = nullptr; ///< Watches the read and can cancel it; may be null.

    /// Those of the C interface.
    [[nodiscard]] ::colstore_read_options raw() const noexcept
    {
        ::colstore_read_options options{};
        options.size = sizeof options;
        options.max_threads = max_threads;
        options.progress = detail::handle_of(progress);
        return options;
    }
};

/// What went on in a computation that a program may want to warn of.
enum class flag : std::uint32_t {
    divide = COLSTORE_FLAG_DIVIDE,       ///< Something was divided by zero.
    overflow = COLSTORE_FLAG_OVERFLOW,   ///< A result was too large for its dtype.
    underflow = COLSTORE_FLAG_UNDERFLOW, ///< A result was too small for its dtype to keep all digits.
    invalid = COLSTORE_FLAG_INVALID      ///< An operation had no result: NaN, or an arbitrary integer, was given.
};

/// Several of colstore::flag, of one call or of many.
struct flags {
    std::uint32_t bits = 0; ///< Their sum.

    /// Whether one is there.
    [[nodiscard]] constexpr bool has(flag one) const noexcept { return (bits & static_cast<std::uint32_t>(one)) != 0; }
    /// Whether any is there.
    [[nodiscard]] constexpr bool any() const noexcept { return bits != 0; }
};

/// How expressions are computed.
struct compute_options {
    int max_threads = 0;                    ///< At most this many threads; 0 for the library's choice.
    colstore::progress *progress = nullptr; ///< Watches the call and can cancel it; may be null.
    colstore::flags *flags = nullptr;       ///< Where those of the call are added; may be null.

    /// Those of the C interface.
    [[nodiscard]] ::colstore_read_options raw() const noexcept { return read_options{max_threads, progress}.raw(); }
};

/// @cond INTERNAL
namespace detail {

/// The place for what a call of the C interface met, which is added to flags of the caller's afterwards.
class met_flags {
public:
    explicit met_flags(flags *to) noexcept : to_(to) {}
    met_flags(const met_flags &) = delete;
    met_flags &operator=(const met_flags &) = delete;
    ~met_flags()
    {
        if (to_ != nullptr) {
            to_->bits |= met_;
        }
    }
    [[nodiscard]] std::uint32_t *out() noexcept { return &met_; }

private:
    flags *to_;
    std::uint32_t met_ = 0;
};

} // namespace detail
/// @endcond

} // namespace colstore

#endif
