/// @file
/// colstore::progress: watching and cancelling long calls.

#ifndef COLSTORE_PROGRESS_HPP
#define COLSTORE_PROGRESS_HPP

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include <colstore/error.hpp>

namespace colstore {

/// Watches long calls and can cancel them. It must outlive the calls that it is given to.
class progress {
public:
    /// Hears how far a call is: bytes done, bytes in total. It is called now and then by the thread that made the call.
    /// An exception of it cancels the call, which then throws that exception; if it comes with the last report, the
    /// work has been done.
    using callback = std::function<void(std::uint64_t done, std::uint64_t total)>;

    /// For cancelling only.
    progress() { make(nullptr, nullptr); }

    /// With a callback.
    explicit progress(callback report) : state_(std::make_unique<state>())
    {
        state_->report = std::move(report);
        make(&progress::forward, state_.get());
        state_->handle = handle_.get();
    }

    /// Asks the calls with this progress to stop: they throw an error with status::cancelled within 50 ms. Calls that
    /// begin later do so at once. Any thread may ask, and so may a signal handler.
    void cancel() noexcept { ::colstore_progress_cancel(handle_.get()); }

    /// The handle of the C interface, lent.
    [[nodiscard]] ::colstore_progress *c_handle() const noexcept { return handle_.get(); }

    /// @cond INTERNAL
    /// Throws what the callback threw, if it did.
    void rethrow()
    {
        if (state_ && state_->thrown) {
            std::rethrow_exception(std::exchange(state_->thrown, nullptr));
        }
    }
    /// @endcond

private:
    struct state {
        callback report;
        std::exception_ptr thrown;
        ::colstore_progress *handle = nullptr;
    };

    void make(::colstore_progress_callback function, void *context)
    {
        ::colstore_error *err = nullptr;
        ::colstore_progress *made = nullptr;
        detail::check(::colstore_progress_new(function, context, &made, &err), err);
        handle_.reset(made);
    }

    static void forward(void *context, std::uint64_t done, std::uint64_t total)
    {
        auto *self = static_cast<state *>(context);
        // Nothing may be thrown through the library.
        try {
            if (!self->thrown) {
                self->report(done, total);
            }
        } catch (...) {
            self->thrown = std::current_exception();
            ::colstore_progress_cancel(self->handle);
        }
    }

    // The state is freed last: reports come to it as long as there is a handle.
    std::unique_ptr<state> state_;
    detail::handle<::colstore_progress, &::colstore_progress_free> handle_;
};

/// @cond INTERNAL
namespace detail {

[[nodiscard]] inline ::colstore_progress *handle_of(const progress *watch) noexcept
{
    return watch != nullptr ? watch->c_handle() : nullptr;
}

/// As check(status, raw), but what a callback threw comes first.
inline void check(::colstore_status status, ::colstore_error *&raw, progress *watch)
{
    if (watch != nullptr) {
        std::unique_ptr<::colstore_error, void (*)(::colstore_error *)> owned(raw, &::colstore_error_free);
        watch->rethrow();
        raw = owned.release();
    }
    check(status, raw);
}

} // namespace detail
/// @endcond

} // namespace colstore

#endif
