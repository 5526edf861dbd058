/// @file
/// The types of values that C++ has no type of its own for: booleans as bytes, half precision, times.

#ifndef COLSTORE_VALUE_TYPES_HPP
#define COLSTORE_VALUE_TYPES_HPP

#include <cstdint>
#include <cstring>
#include <limits>

namespace colstore {

/// A boolean as a file holds it: a byte, true unless it is 0. (Reading such bytes into `bool` would be undefined for
/// bytes other than 0 and 1.)
struct boolean {
    std::uint8_t byte; ///< The byte.

    boolean() = default;
    /// From a bool.
    constexpr boolean(bool value) noexcept : byte(value ? 1 : 0) {}
    /// Whether the byte is not 0.
    constexpr operator bool() const noexcept { return byte != 0; }
};

/// A float of half precision (IEEE 754 binary16), as its bits.
struct float16 {
    std::uint16_t bits; ///< Sign, 5 bits of exponent, 10 of fraction.

    /// The value in single precision, which is exact.
    explicit operator float() const noexcept
    {
        const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 15) << 31;
        const std::uint32_t exponent = (bits >> 10) & 0x1fU, fraction = bits & 0x3ffU;
        std::uint32_t single = 0;
        if (exponent == 0) {
            // Zero and subnormals: fraction times 2^-24.
            const float value = static_cast<float>(fraction) * (1.0F / 16777216.0F);
            std::memcpy(&single, &value, sizeof single);
        } else if (exponent == 0x1f) {
            single = 0x7f800000U | fraction << 13;
        } else {
            single = (exponent + 112) << 23 | fraction << 13;
        }
        single |= sign;
        float value = 0;
        std::memcpy(&value, &single, sizeof value);
        return value;
    }
    /// The value in double precision, which is exact.
    explicit operator double() const noexcept { return static_cast<double>(static_cast<float>(*this)); }
};

/// The count that stands for "not a time".
inline constexpr std::int64_t not_a_time = std::numeric_limits<std::int64_t>::min();

/// A point in time: a count of the column's unit since 1970-01-01T00:00. Types of `std::chrono` can be read instead,
/// if they have the unit of the column.
struct datetime {
    std::int64_t count; ///< Units since 1970, or not_a_time.

    /// Whether two counts are the same.
    friend constexpr bool operator==(datetime a, datetime b) noexcept { return a.count == b.count; }
    /// Whether two counts differ.
    friend constexpr bool operator!=(datetime a, datetime b) noexcept { return a.count != b.count; }
    /// Whether one count is below another.
    friend constexpr bool operator<(datetime a, datetime b) noexcept { return a.count < b.count; }
};

/// A span of time: a count of the column's unit.
struct timedelta {
    std::int64_t count; ///< Units, or not_a_time.

    /// Whether two counts are the same.
    friend constexpr bool operator==(timedelta a, timedelta b) noexcept { return a.count == b.count; }
    /// Whether two counts differ.
    friend constexpr bool operator!=(timedelta a, timedelta b) noexcept { return a.count != b.count; }
    /// Whether one count is below another.
    friend constexpr bool operator<(timedelta a, timedelta b) noexcept { return a.count < b.count; }
};

} // namespace colstore

#endif
