/// @file
/// Reductions: colstore::reduction, and colstore::scalar, what a column is reduced to.

#ifndef COLSTORE_REDUCE_HPP
#define COLSTORE_REDUCE_HPP

#include <cstdint>
#include <type_traits>

#include <colstore/error.hpp>
#include <colstore/value_types.hpp>

namespace colstore {

/// What a column is reduced to.
enum class reduction : std::int32_t {
    sum = COLSTORE_REDUCTION_SUM,      ///< The sum: integers modulo 2^64, floats in double precision.
    mean = COLSTORE_REDUCTION_MEAN,    ///< The arithmetic mean, a float.
    min = COLSTORE_REDUCTION_MIN,      ///< The least value, of the column's kind.
    max = COLSTORE_REDUCTION_MAX,      ///< The greatest value, of the column's kind.
    variance = COLSTORE_REDUCTION_VAR, ///< The variance, a float.
    deviation = COLSTORE_REDUCTION_STD ///< The standard deviation, a float.
};

/// One value, or none.
class scalar {
public:
    /// That of the C interface.
    explicit scalar(const ::colstore_scalar &raw) noexcept : raw_(raw) {}

    /// Whether there is a value. Of no rows there is no mean, least or greatest.
    [[nodiscard]] bool has_value() const noexcept { return raw_.kind != 0; }
    /// 'b', 'i', 'u', 'f', 'M' or 'm', as of a dtype; NUL if there is no value.
    [[nodiscard]] char kind() const noexcept { return static_cast<char>(raw_.kind); }

    /// Calls `f` with the value: a `bool`, `std::int64_t`, `std::uint64_t`, `double`, `datetime` or `timedelta`.
    ///
    /// @throws error with status::out_of_bounds if there is none.
    template <class F>
    decltype(auto) visit(F &&f) const
    {
        switch (kind()) {
        case 'b': return f(raw_.uint_value != 0);
        case 'i': return f(raw_.int_value);
        case 'u': return f(raw_.uint_value);
        case 'f': return f(raw_.float_value);
        case 'M': return f(datetime{raw_.int_value});
        case 'm': return f(timedelta{raw_.int_value});
        default: throw error(status::out_of_bounds, "there is no value: no row is selected");
        }
    }

    /// The value as a number of type `T`, converted as a cast does; times as their counts.
    ///
    /// @throws error with status::out_of_bounds if there is none.
    template <class T>
    [[nodiscard]] T as() const
    {
        static_assert(std::is_arithmetic_v<T>, "a scalar is a number");
        return visit([](auto value) {
            if constexpr (std::is_arithmetic_v<decltype(value)>) {
                return static_cast<T>(value);
            } else {
                return static_cast<T>(value.count);
            }
        });
    }

    /// That of the C interface.
    [[nodiscard]] const ::colstore_scalar &raw() const noexcept { return raw_; }

private:
    ::colstore_scalar raw_;
};

} // namespace colstore

#endif
