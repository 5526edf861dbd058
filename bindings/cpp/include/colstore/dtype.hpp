/// @file
/// colstore::dtype: what the values of a column are, as the file says it.

#ifndef COLSTORE_DTYPE_HPP
#define COLSTORE_DTYPE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <colstore/error.hpp>
#include <colstore/value_types.hpp>

namespace colstore {

/// The units of datetimes and timedeltas.
enum class unit : std::int32_t {
    none = COLSTORE_UNIT_NONE,     ///< No unit, or no time at all.
    year = COLSTORE_UNIT_YEAR,     ///< Years of the calendar.
    month = COLSTORE_UNIT_MONTH,   ///< Months of the calendar.
    week = COLSTORE_UNIT_WEEK,     ///< Weeks.
    day = COLSTORE_UNIT_DAY,       ///< Days.
    hour = COLSTORE_UNIT_HOUR,     ///< Hours.
    minute = COLSTORE_UNIT_MINUTE, ///< Minutes.
    second = COLSTORE_UNIT_SECOND, ///< Seconds.
    milli = COLSTORE_UNIT_MILLI,   ///< Milliseconds.
    micro = COLSTORE_UNIT_MICRO,   ///< Microseconds.
    nano = COLSTORE_UNIT_NANO,     ///< Nanoseconds.
    pico = COLSTORE_UNIT_PICO,     ///< Picoseconds.
    femto = COLSTORE_UNIT_FEMTO,   ///< Femtoseconds.
    atto = COLSTORE_UNIT_ATTO      ///< Attoseconds.
};

/// A C++ type as a value, which dtype::visit hands to its function.
template <class T>
struct type_tag {
    using type = T; ///< The type.
};

/// What the values of a column are.
class dtype {
public:
    /// That of the C interface.
    constexpr explicit dtype(const ::colstore_dtype &raw) noexcept : raw_(raw) {}

    /// Reads the text of a dtype in any of NumPy's spellings: "<f8", "float64", ">M8[25s]", "S12".
    ///
    /// @throws error with status::unsupported_type if the text names no type that a file can hold.
    [[nodiscard]] static dtype parse(std::string_view text)
    {
        ::colstore_dtype raw{};
        raw.size = sizeof raw;
        ::colstore_error *err = nullptr;
        detail::check(::colstore_dtype_parse(text.data(), text.size(), &raw, &err), err);
        return dtype(raw);
    }

    /// NumPy's letter: 'b' bool, 'i' signed, 'u' unsigned, 'f' float, 'M' datetime, 'm' timedelta, 'S' bytes, 'U' text.
    [[nodiscard]] constexpr char kind() const noexcept { return static_cast<char>(raw_.kind); }
    /// Bytes of a value.
    [[nodiscard]] constexpr std::size_t itemsize() const noexcept { return raw_.itemsize; }
    /// Whether the file holds the values in big-endian order. Reads give little-endian in any case.
    [[nodiscard]] constexpr bool big_endian() const noexcept { return raw_.big_endian != 0; }
    /// The unit of a time.
    [[nodiscard]] constexpr colstore::unit unit() const noexcept { return static_cast<colstore::unit>(raw_.unit); }
    /// How many units one count of a time stands for: 25 in "M8[25s]".
    [[nodiscard]] constexpr int unit_multiplier() const noexcept { return raw_.unit_multiplier; }
    /// Whether the values are integers, floats of up to 8 bytes, or booleans.
    [[nodiscard]] constexpr bool is_number() const noexcept
    {
        return kind() == 'b' || kind() == 'i' || kind() == 'u' || (kind() == 'f' && itemsize() <= 8);
    }

    /// That of the C interface.
    [[nodiscard]] constexpr const ::colstore_dtype &raw() const noexcept { return raw_; }

    /// Calls `f` with a type_tag of the C++ type of a value: `boolean`, `std::int8_t` to `std::uint64_t`, `float16`,
    /// `float`, `double`, `long double`, `datetime`, `timedelta`, `std::string_view`, `std::u32string_view`. What `f`
    /// returns must be of one type for all of them.
    template <class F>
    decltype(auto) visit(F &&f) const
    {
        switch (kind()) {
        case 'b': return f(type_tag<boolean>{});
        case 'i':
            switch (itemsize()) {
            case 1: return f(type_tag<std::int8_t>{});
            case 2: return f(type_tag<std::int16_t>{});
            case 4: return f(type_tag<std::int32_t>{});
            case 8: return f(type_tag<std::int64_t>{});
            default: break;
            }
            break;
        case 'u':
            switch (itemsize()) {
            case 1: return f(type_tag<std::uint8_t>{});
            case 2: return f(type_tag<std::uint16_t>{});
            case 4: return f(type_tag<std::uint32_t>{});
            case 8: return f(type_tag<std::uint64_t>{});
            default: break;
            }
            break;
        case 'f':
            switch (itemsize()) {
            case 2: return f(type_tag<float16>{});
            case 4: return f(type_tag<float>{});
            case 8: return f(type_tag<double>{});
            default: break;
            }
            if (itemsize() == sizeof(long double)) {
                return f(type_tag<long double>{});
            }
            break;
        case 'M': return f(type_tag<datetime>{});
        case 'm': return f(type_tag<timedelta>{});
        case 'S': return f(type_tag<std::string_view>{});
        case 'U': return f(type_tag<std::u32string_view>{});
        default: break;
        }
        throw error(status::unsupported_type, std::string("there is no C++ type for values of kind '") + kind() +
                                                  "' with " + std::to_string(itemsize()) + " bytes on this machine");
    }

private:
    ::colstore_dtype raw_;
};

} // namespace colstore

#endif
