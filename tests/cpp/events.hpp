// A small table of every kind of column, for the tests of expressions and frames.

#ifndef EVENTS_HPP
#define EVENTS_HPP

#include "check.hpp"

#include <array>
#include <chrono>
#include <limits>

namespace events {

using seconds = std::chrono::duration<std::int64_t>;
using second = std::chrono::time_point<std::chrono::system_clock, seconds>;

inline const std::vector<double> x{0.5, 1.5, -2.5, 3.5, 4.5, -5.5};
inline const std::vector<std::int32_t> n{1, 2, 3, 4, 5, 6};
inline const std::vector<std::uint8_t> u{0, 50, 100, 150, 200, 250};
inline const std::vector<float> f{0.25F, 1, 2, 3, 4, 5};
inline const std::vector<std::array<char, 3>> s{{'a'}, {'b', 'b'}, {'c', 'c', 'c'}, {'a'}, {'b', 'b'}, {'\xe9'}};
inline const std::vector<std::array<char32_t, 2>> t{{U'a'}, {U'b', U'b'}, {U'\xe9'}, {U'x'}, {U'a', U'b'}, {U'\0'}};
inline const std::vector<colstore::boolean> b{true, false, true, false, true, false};
inline const std::vector<second> d{second(seconds(0)),    second(seconds(86400)), second(seconds(86401)),
                                   second(seconds::min()), second(seconds(-1)),    second(seconds(1000000))};

// Six rows, stored in a file of the name.
inline colstore::table open(const std::string &name)
{
    colstore::store_options options;
    options.mode = colstore::store_mode::recreate;
    colstore::store(check::scratch(name),
                    {{"x", x}, {"n", n}, {"u", u}, {"f", f}, {"s", s}, {"t", t}, {"b", b}, {"d", d}}, options);
    return colstore::table::open(check::scratch(name));
}

// The rows for which a condition holds as bits, row 0 the lowest.
inline int matches(const colstore::table &table, const colstore::expr_ref &condition)
{
    int bits = 0;
    for (const std::int64_t row : table.rows_where(condition).positions()) {
        bits |= 1 << row;
    }
    return bits;
}

} // namespace events

#endif
