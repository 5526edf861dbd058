/// @file
/// Errors as values, where the standard has `std::expected` (C++23).

#ifndef COLSTORE_EXPECTED_HPP
#define COLSTORE_EXPECTED_HPP

#if __has_include(<version>)
#include <version>
#endif

#ifdef __cpp_lib_expected

#include <expected>
#include <functional>
#include <type_traits>
#include <utility>

#include <colstore/error.hpp>

namespace colstore {

/// Calls `f`, and gives what it returns, or the colstore::error that it throws:
///
///     auto events = colstore::attempt([&] { return colstore::table::open(path); });
///     if (!events) { std::puts(events.error().what()); }
///
/// One function for all calls, instead of every call twice. Other exceptions, such as `std::bad_alloc`, pass through.
template <class F>
[[nodiscard]] auto attempt(F &&f) -> std::expected<std::invoke_result_t<F>, error>
{
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
            std::invoke(std::forward<F>(f));
            return {};
        } else {
            return std::invoke(std::forward<F>(f));
        }
    } catch (const error &failure) {
        return std::unexpected(failure);
    }
}

} // namespace colstore

#endif

#endif
