/// @file
/// colstore::progress: watching and cancelling long calls.

#ifndef COLSTORE_PROGRESS_HPP
#define COLSTORE_PROGRESS_HPP

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
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
    progress() : state_(std::make_shared<state>()) { make(nullptr); }

    /// With a callback.
    explicit progress(callback report) : state_(std::make_shared<state>())
    {
        state_->report = std::move(report);
        make(&progress::forward);
    }

    /// Takes the callback over from another progress.
    progress(progress &&other) noexcept = default;
    /// The same, in the place of what this one has.
    progress &operator=(progress &&other) noexcept = default;

    /// Asks the calls with this progress to stop: they throw an error with status::cancelled within 50 ms. Calls that
    /// begin later do so at once. Any thread may ask, and so may a signal handler.
    void cancel() noexcept { ::colstore_progress_cancel(c_handle()); }

    /// The handle of the C interface, lent.
    [[nodiscard]] ::colstore_progress *c_handle() const noexcept { return state_ ? state_->handle.get() : nullptr; }

    /// @cond INTERNAL
    /// Throws what the callback threw, if it did.
    void rethrow()
    {
        if (state_) {
            if (const std::exception_ptr thrown = state_->take()) {
                std::rethrow_exception(thrown);
            }
        }
    }

    /// Another object for the same callback and handle, for calls that come after this object is gone.
    [[nodiscard]] progress share() const noexcept { return {share_of{}, state_}; }
    /// @endcond

private:
    /// What reports go to. The handle is freed first: reports come as long as there is one.
    struct state {
        callback report;
        std::mutex mutex; // Reports come from every thread that makes a call with the progress.
        std::exception_ptr thrown;
        detail::handle<::colstore_progress, &::colstore_progress_free> handle;

        bool has_thrown()
        {
            const std::lock_guard<std::mutex> guard(mutex);
            return thrown != nullptr;
        }
        void put(std::exception_ptr exception)
        {
            const std::lock_guard<std::mutex> guard(mutex);
            thrown = std::move(exception);
        }
        std::exception_ptr take()
        {
            const std::lock_guard<std::mutex> guard(mutex);
            return std::exchange(thrown, nullptr);
        }
    };

    struct share_of {};
    progress(share_of, std::shared_ptr<state> shared) noexcept : state_(std::move(shared)) {}

    void make(::colstore_progress_callback function)
    {
        ::colstore_error *err = nullptr;
        ::colstore_progress *made = nullptr;
        detail::check(::colstore_progress_new(function, state_.get(), &made, &err), err);
        state_->handle.reset(made);
    }

    static void forward(void *context, std::uint64_t done, std::uint64_t total)
    {
        auto *self = static_cast<state *>(context);
        // Nothing may be thrown through the library.
        try {
            if (!self->has_thrown()) {
                self->report(done, total);
            }
        } catch (...) {
            self->put(std::current_exception());
            ::colstore_progress_cancel(self->handle.get());
        }
    }

    std::shared_ptr<state> state_;
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
