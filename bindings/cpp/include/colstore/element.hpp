/// @file
/// Which C++ types the values of which dtypes can be read into and stored from: colstore::element.

#ifndef COLSTORE_ELEMENT_HPP
#define COLSTORE_ELEMENT_HPP

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <colstore/dtype.hpp>
#include <colstore/value_types.hpp>

namespace colstore {

/// What a C++ type is as the value of a column. There are specialisations for
///
/// - integers, `float`, `double`, and `long double` where it has 16 bytes: the dtypes of the same kind and size,
/// - `boolean` ("b1"; `bool` can be stored and not read), `float16` ("f2"),
/// - `datetime` and `timedelta`: times of any unit, as counts; they are stored with a dtype given as text,
/// - `std::chrono::duration` of 8 bytes: timedeltas of the same unit; `std::chrono::time_point` of the system clock
///   over such a duration: datetimes of the same unit,
/// - `std::array<char, N>` ("SN") and `std::array<char32_t, N>` ("UN"): padded with zeros.
///
/// A specialisation has `matches(dtype)`, whether values of the dtype can be read as the type; `name()`, the dtype for
/// messages; and `dtype_text()`, the dtype with which values are stored. One for a type of the user's makes it a value
/// too, if it is trivially copyable and has the bytes that the file has.
template <class T, class = void>
struct element;

/// @cond INTERNAL
namespace detail {

/// A dtype that is a kind with a size.
template <char Kind, std::size_t Size, bool Readable = true>
struct plain_element {
    static constexpr bool readable = Readable;
    static bool matches(const dtype &type) noexcept { return type.kind() == Kind && type.itemsize() == Size; }
    static std::string name() { return Kind + std::to_string(Size); }
    static std::string dtype_text() { return (Size == 1 ? "|" : "<") + name(); }
};

/// A time with the unit of a column.
template <char Kind>
struct count_element {
    static constexpr bool readable = true;
    static bool matches(const dtype &type) noexcept { return type.kind() == Kind && type.itemsize() == 8; }
    static std::string name() { return Kind + std::string("8"); }
};

/// The length of a unit in seconds, `numerator / denominator`; 0 for those without a fixed one.
struct unit_length {
    std::int64_t numerator, denominator;
};

constexpr unit_length length_of(unit of) noexcept
{
    switch (of) {
    case unit::week: return {604800, 1};
    case unit::day: return {86400, 1};
    case unit::hour: return {3600, 1};
    case unit::minute: return {60, 1};
    case unit::second: return {1, 1};
    case unit::milli: return {1, 1000};
    case unit::micro: return {1, 1000000};
    case unit::nano: return {1, 1000000000};
    case unit::pico: return {1, 1000000000000};
    case unit::femto: return {1, 1000000000000000};
    case unit::atto: return {1, 1000000000000000000};
    default: return {0, 1};
    }
}

/// A time of std::chrono, counted in `Period`.
template <char Kind, class Rep, class Period>
struct chrono_element {
    static constexpr bool readable = true;
    static_assert(std::is_integral_v<Rep> && std::is_signed_v<Rep> && sizeof(Rep) == 8,
                  "times are counts of 8 bytes: use a std::chrono::duration over std::int64_t");

    static bool matches(const dtype &type) noexcept
    {
        const unit_length one = length_of(type.unit());
        if (type.kind() != Kind || type.itemsize() != 8 || one.numerator == 0) {
            return false;
        }
        const std::int64_t numerator = one.numerator * type.unit_multiplier();
        const std::int64_t common = std::gcd(numerator, one.denominator);
        return numerator / common == Period::num && one.denominator / common == Period::den;
    }

    static std::string name() { return Kind + ("8[" + unit_text() + "]"); }
    static std::string dtype_text() { return "<" + name(); }

private:
    static std::string unit_text()
    {
        constexpr struct {
            unit of;
            const char *letters;
        } units[] = {{unit::week, "W"},   {unit::day, "D"},    {unit::hour, "h"},   {unit::minute, "m"},
                     {unit::second, "s"}, {unit::milli, "ms"}, {unit::micro, "us"}, {unit::nano, "ns"},
                     {unit::pico, "ps"},  {unit::femto, "fs"}, {unit::atto, "as"}};
        for (const auto &candidate : units) {
            const unit_length one = length_of(candidate.of);
            // The longest unit of which the period is a multiple.
            if (one.denominator % Period::den == 0 && Period::num % one.numerator == 0) {
                const std::int64_t multiple = Period::num / one.numerator * (one.denominator / Period::den);
                return (multiple == 1 ? "" : std::to_string(multiple)) + candidate.letters;
            }
        }
        return "a unit that NumPy does not have";
    }
};

/// Texts of fixed width; `Width` bytes a character.
template <char Kind, std::size_t Width, std::size_t N>
struct text_element {
    static constexpr bool readable = true;
    static_assert(N > 0, "std::array<_, 0> has bytes, a text of width 0 has none");
    static bool matches(const dtype &type) noexcept { return type.kind() == Kind && type.itemsize() == N * Width; }
    static std::string name() { return Kind + std::to_string(N); }
    static std::string dtype_text() { return (Width == 1 ? "|" : "<") + name(); }
};

template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

template <class T>
inline constexpr bool is_number =
    (std::is_integral_v<T> && !std::is_same_v<T, bool> && !is_character<T>) || std::is_floating_point_v<T>;

template <class T, class = void>
inline constexpr bool is_element = false;
template <class T>
inline constexpr bool is_element<T, std::void_t<decltype(element<T>::readable)>> = true;

/// Fails to compile for a type that is no value, and says what is.
template <class T>
constexpr void require_element()
{
    static_assert(is_element<T>, "not the type of a column's values: see colstore::element for those that are");
    if constexpr (is_element<T>) {
        static_assert(std::is_trivially_copyable_v<T>, "values are copied as bytes");
    }
}

/// The same for a type that is to be read.
template <class T>
constexpr void require_readable()
{
    static_assert(!std::is_same_v<T, bool>, "a file may hold bytes that are no bool: read colstore::boolean");
    require_element<T>();
}

/// Throws because values of the dtype `found` cannot be read as a type that is for the dtype `asked`.
[[noreturn]] inline void raise_type(std::optional<std::string> column, std::string_view found, const std::string &asked)
{
    std::string message = column ? "column '" + *column + "' has" : std::string("the values have");
    message.append(" the dtype '").append(found).append("', and cannot be read as '").append(asked);
    message.append("'; read them as the C++ type of their dtype, or without a type, and convert them");
    throw error(status::invalid_argument, message, std::move(column));
}

} // namespace detail

template <class T>
struct element<T, std::enable_if_t<detail::is_number<T> && std::is_integral_v<T> && std::is_signed_v<T>>>
    : detail::plain_element<'i', sizeof(T)> {};
template <class T>
struct element<T, std::enable_if_t<detail::is_number<T> && std::is_integral_v<T> && std::is_unsigned_v<T>>>
    : detail::plain_element<'u', sizeof(T)> {};
template <class T>
struct element<T, std::enable_if_t<detail::is_number<T> && std::is_floating_point_v<T>>>
    : detail::plain_element<'f', sizeof(T)> {};
template <>
struct element<boolean> : detail::plain_element<'b', 1> {};
template <>
struct element<bool> : detail::plain_element<'b', sizeof(bool), false> {};
template <>
struct element<float16> : detail::plain_element<'f', 2> {};
template <>
struct element<datetime> : detail::count_element<'M'> {};
template <>
struct element<timedelta> : detail::count_element<'m'> {};
template <class Rep, class Period>
struct element<std::chrono::duration<Rep, Period>> : detail::chrono_element<'m', Rep, typename Period::type> {};
template <class Rep, class Period>
struct element<std::chrono::time_point<std::chrono::system_clock, std::chrono::duration<Rep, Period>>>
    : detail::chrono_element<'M', Rep, typename Period::type> {};
template <std::size_t N>
struct element<std::array<char, N>> : detail::text_element<'S', 1, N> {};
template <std::size_t N>
struct element<std::array<char32_t, N>> : detail::text_element<'U', 4, N> {};
/// @endcond

} // namespace colstore

#endif
