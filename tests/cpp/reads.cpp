// Reads: into vectors, the caller's memory and structs, of all rows, ranges and selections; values of every dtype.

#include "check.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>

using namespace check;

namespace {

using nanosecond = std::chrono::time_point<std::chrono::system_clock, std::chrono::duration<std::int64_t, std::nano>>;
using microseconds = std::chrono::duration<std::int64_t, std::micro>;

} // namespace

TEST(a_column_is_read_as_its_type)
{
    const auto table = colstore::table::open(golden("all_dtypes_single.cstore"));
    CHECK(table.n_rows() == 9 && table.n_records() == 1 && table.schema().size() == 16);
    CHECK(table.read<std::int8_t>("i1") == std::vector<std::int8_t>{-128, -4, -1, 10, 1, 24, 127, 38, 0});
    CHECK(table.read<unsigned short>("u2")[4] == 65535 && table.read<unsigned>("u4")[4] == 4294967295U);
    CHECK(table.read<long>("i8")[0] == INT64_MIN && table.read<long long>("i8")[6] == INT64_MAX);
    CHECK(table.read<unsigned long long>("u8")[4] == UINT64_MAX);
    CHECK(table.read<double>("f8")[3] == 1.0 && table.read<float>("f4")[0] == -3.0F);
    const auto truths = table.read<colstore::boolean>("b1");
    CHECK(truths[0] && !truths[1] && !truths[2] && truths[3] && sizeof truths[0] == 1);
    CHECK(table.read<std::array<char, 5>>("s5").size() == 9 && table.read<std::array<char32_t, 3>>("u3").size() == 9);
    CHECK(table.read<colstore::datetime>("t_ns")[1] == colstore::datetime{1700000000000000001});
    CHECK(table.read<colstore::datetime>("t_ns")[3].count == colstore::not_a_time);
    CHECK(table.read<nanosecond>("t_ns")[1].time_since_epoch().count() == 1700000000000000001);
    CHECK(table.read<microseconds>("d_us").size() == 9);
}

TEST(halves_are_exact)
{
    const auto table = colstore::table::open(golden("all_dtypes_single.cstore"));
    const auto halves = table.read<colstore::float16>("f2");
    const std::uint16_t bits[] = {0x3c00, 0x7c00, 0xfc00, 0x7e00, 0x8000, 0x0001, 0x7bff, 0x3c00, 0x7c00};
    for (std::size_t i = 0; i < halves.size(); ++i) {
        CHECK(halves[i].bits == bits[i]);
    }
    const auto value = [&](std::size_t i) { return static_cast<double>(halves[i]); };
    CHECK(value(0) == 1.0 && value(1) > 1e300 && value(2) < -1e300 && value(3) != value(3));
    CHECK(value(4) == 0.0 && 1 / value(4) < 0 && value(5) == 0x1p-24 && value(6) == 65504.0);
    CHECK(static_cast<float>(colstore::float16{0xb800}) == -0.5F &&
          static_cast<float>(colstore::float16{0x03ff}) == 1023 * 0x1p-24F);
}

TEST(rows_are_all_a_range_or_a_selection)
{
    const auto table = colstore::table::open(golden("many_records.cstore"));
    const auto k = table.read<std::int32_t>("k");
    CHECK(k.size() == 150 && table.n_records() > 1);
    CHECK(table.read<std::int32_t>(0, {}) == k);
    CHECK(table.read<std::int32_t>("k", {7, 9}) == std::vector<std::int32_t>{k[7], k[8]});
    CHECK(table.read<std::int32_t>("k", colstore::row_range{150, 150}).empty());
    const std::vector<std::int16_t> numbers{-1, 0, 7, 7};
    const auto rows = colstore::rows::indices(150, numbers);
    CHECK(table.read<std::int32_t>("k", rows) == std::vector<std::int32_t>{k[149], k[0], k[7], k[7]});
    CHECK(table.read<std::int32_t>("k", rows, {1, nullptr}).size() == 4);
    THROWS(out_of_bounds, table.read<std::int32_t>("k", {7, 151}));
    THROWS(out_of_bounds, table.read<std::int32_t>("k", {9, 7}));
    THROWS(out_of_bounds, table.read<std::int32_t>("k", {-1, 7}));
    THROWS(out_of_bounds, table.read<std::int32_t>(2));
    THROWS(out_of_bounds, table.read(2));
    THROWS(out_of_bounds, table.read<std::int32_t>(-1));
    THROWS(invalid_argument, table.read<std::int32_t>("k", colstore::rows::all(149)));
}

TEST(memory_of_the_callers_is_filled)
{
    const auto table = colstore::table::open(golden("many_records.cstore"));
    const auto k = table.read<std::int32_t>("k");
    std::array<std::int32_t, 3> few{};
    table.read_into("k", few, {1, 4});
    CHECK(few[0] == k[1] && few[2] == k[3]);
    std::int32_t plain[150];
    table.read_into("k", plain);
    CHECK(std::memcmp(plain, k.data(), sizeof plain) == 0);
    const colstore::span<std::int32_t> part(plain, 2);
    table.read_into(0, part, {148, 150});
    CHECK(plain[0] == k[148] && plain[1] == k[149] && plain[2] == k[2]);
    THROWS(invalid_argument, table.read_into("k", few));
    unsigned char odd[9];
    table.read_bytes("k", odd + 1, 8, {0, 2});
    CHECK(std::memcmp(odd + 1, k.data(), 8) == 0);
    const auto uninitialised = table.read<std::int32_t, colstore::allocator<std::int32_t>>("k");
    static_assert(std::is_same_v<decltype(uninitialised), const colstore::result_vector<std::int32_t>>);
    CHECK(same(uninitialised, k) && reinterpret_cast<std::uintptr_t>(uninitialised.data()) % 64 == 0);
}

TEST(several_columns_are_read_at_once)
{
    const auto table = colstore::table::open(golden("many_records.cstore"));
    std::vector<std::int32_t> k(4);
    std::vector<double> v(4);
    const std::vector<unsigned> numbers{149, 3, 3, 60};
    const auto rows = colstore::rows::indices(150, numbers);
    table.read_columns({{"v", v}, {0, k}}, rows);
    CHECK(v == table.read<double>("v", rows) && k == table.read<std::int32_t>("k", rows));
    table.read_columns({{"v", v}, {"k", k}}, {20, 24});
    CHECK(v == table.read<double>("v", {20, 24}) && k == table.read<std::int32_t>("k", {20, 24}));
    THROWS(invalid_argument, table.read_columns({{"v", v}, {"k", k}}));
    table.read_columns({});
}

TEST(values_of_any_type_are_visited)
{
    for (const char *name : {"all_dtypes_single.cstore", "all_dtypes_multi.cstore", "strings.cstore",
                             "names_unicode.cstore", "foreign/big_endian_dtypes.cstore", "foreign/bool_bytes.cstore",
                             "empty_table.cstore", "datetime_units.cstore", "timedelta_units.cstore",
                             "quirk_zero_width.cstore", "floats_special.cstore", "unaligned_columns.cstore"}) {
        const auto table = colstore::table::open(golden(name));
        for (std::size_t column = 0; column < table.schema().size(); ++column) {
            const colstore::column_info &info = table.schema()[column];
            const std::size_t size = static_cast<std::size_t>(table.n_rows()) * info.dtype.itemsize();
            std::vector<unsigned char> bytes(size);
            table.read_bytes(column, bytes.data(), size);
            const colstore::values values = table.read(info.name);
            CHECK(values.size_bytes() == size && same_bytes(values.data(), bytes.data(), size));
            CHECK(values.visit([&](const auto &elements) {
                using value = typename std::decay_t<decltype(elements)>::value_type;
                std::vector<unsigned char> again;
                for (const value one : elements) {
                    if constexpr (std::is_same_v<value, std::string_view> ||
                                  std::is_same_v<value, std::u32string_view>) {
                        std::vector<unsigned char> padded(info.dtype.itemsize());
                        if (!one.empty()) {
                            std::memcpy(padded.data(), one.data(), one.size() * sizeof(typename value::value_type));
                        }
                        again.insert(again.end(), padded.begin(), padded.end());
                    } else {
                        unsigned char copied[sizeof(value)];
                        std::memcpy(copied, &one, sizeof one);
                        again.insert(again.end(), copied, copied + sizeof one);
                    }
                }
                return again == bytes;
            }));
        }
    }
}

TEST(times_are_read_in_their_unit_only)
{
    const auto odd = colstore::table::open(golden("datetime_odd_units.cstore"));
    using std::chrono::system_clock;
    const auto count = [](auto time) { return time.time_since_epoch().count(); };
    CHECK(count(odd.read<std::chrono::time_point<system_clock, std::chrono::duration<std::int64_t, std::ratio<25>>>>(
              "c2")[3]) == 20000);
    CHECK(odd.read<std::chrono::duration<std::int64_t, std::ratio<25>>>("c3")[1].count() == 1);
    CHECK(
        count(odd.read<std::chrono::time_point<system_clock, std::chrono::duration<std::int64_t, std::ratio<604800>>>>(
            "c4")[1]) == 1);
    CHECK(count(odd.read<std::chrono::time_point<system_clock, std::chrono::duration<std::int64_t, std::centi>>>(
              "c5")[2]) == -1);
    CHECK(odd.read<std::chrono::duration<std::int64_t, std::ratio<1, 10000000>>>("c6")[4].count() ==
          colstore::not_a_time);
    using second = std::chrono::duration<std::int64_t>;
    for (const char *name : {"c0", "c2", "c4", "c5", "c7"}) {
        THROWS(invalid_argument, odd.read<std::chrono::time_point<system_clock, second>>(name));
        CHECK(odd.read<colstore::datetime>(name)[1].count == 1);
    }
    const auto units = colstore::table::open(golden("timedelta_units.cstore"));
    CHECK(units.read<second>("m_s")[1] == second(1));
    CHECK(units.read<std::chrono::duration<std::int64_t, std::atto>>("m_as")[1].count() == 1);
    CHECK(units.read<std::chrono::duration<std::int64_t, std::ratio<86400>>>("m_D")[1].count() == 1);
    CHECK(units.read<std::chrono::duration<std::int64_t, std::ratio<604800>>>("m_W")[1].count() == 1);
    THROWS(invalid_argument, units.read<std::chrono::duration<std::int64_t, std::ratio<31556952>>>("m_Y"));
    THROWS(invalid_argument, units.read<second>("m_ms"));
}

namespace {

struct flat {
    double d;
    std::int32_t i;
    std::array<char, 3> s;
    std::uint8_t b;
};
static_assert(sizeof(flat) == 16);

struct gappy {
    std::uint8_t b;
    double d;
};

#pragma pack(push, 1)
struct packed {
    std::uint8_t b;
    double d;
    std::array<char, 3> s;
    std::int32_t i;
};
#pragma pack(pop)

} // namespace

TEST(rows_are_read_as_structs)
{
    const auto table = colstore::table::open(golden("unaligned_columns.cstore"));
    // In another order than the columns and than the members.
    const colstore::record<flat> fields{{"b", &flat::b}, {"d", &flat::d}, {"s", &flat::s}, {"i", &flat::i}};
    const auto d = table.read<double>("d");
    const auto i = table.read<std::int32_t>("i");
    const std::vector<int> numbers{7, 0, 3};
    const auto rows = colstore::rows::indices(8, numbers);
    const auto some = table.read_records(fields, rows);
    CHECK(some.size() == 3 && some[0].d == d[7] && some[1].d == d[0] && some[2].i == i[3] && some[0].b == 3);
    CHECK(some[0].s[0] == 'q' && some[0].s[2] == 0);
    const auto all = table.read_records(fields);
    CHECK(all.size() == 8 && all[7].d == d[7] && all[2].i == i[2]);
    flat two[2];
    table.read_records_into(fields, two, {2, 4});
    CHECK(two[1].i == i[3] && two[0].d == d[2]);
    THROWS(invalid_argument, table.read_records_into(fields, two));

    const auto tight = table.read_records(
        colstore::record<packed>{{"i", &packed::i}, {"b", &packed::b}, {"d", &packed::d}, {"s", &packed::s}});
    double last = 0;
    std::memcpy(&last, reinterpret_cast<const char *>(&tight[7]) + 1, sizeof last);
    CHECK(tight.size() == 8 && last == d[7]);

    const auto gap =
        THROWS(invalid_argument, table.read_records(colstore::record<gappy>{{"b", &gappy::b}, {"d", &gappy::d}}));
    CHECK(std::string(gap.what()).find("at byte 1") != std::string::npos);
    THROWS(invalid_argument, table.read_records(colstore::record<flat>{{"d", &flat::d}, {"i", &flat::i}}));
    THROWS(invalid_argument, table.read_records(colstore::record<flat>{
                                 {"i", &flat::d}, {"i", &flat::i}, {"s", &flat::s}, {"b", &flat::b}}));
    THROWS(unknown_column, table.read_records(colstore::record<flat>{{"x", &flat::d}}));
}

TEST(a_column_is_reduced)
{
    const auto table = colstore::table::open(golden("many_records.cstore"));
    const auto v = table.read<double>("v");
    double sum = 0, some = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        sum += v[i];
        some += i >= 10 && i < 20 ? v[i] : 0;
    }
    CHECK(std::abs(table.reduce("v", colstore::reduction::sum).as<double>() - sum) < 1e-9 * std::abs(sum));
    CHECK(std::abs(table.reduce("v", colstore::reduction::mean, {10, 20}).as<double>() - some / 10) < 1e-9);
    CHECK(table.reduce("k", colstore::reduction::max, colstore::rows::range(150, 3, 4)).as<std::int32_t>() ==
          table.read<std::int32_t>("k", {3, 4})[0]);
    const auto none = table.reduce("k", colstore::reduction::min, {5, 5});
    CHECK(!none.has_value());
    THROWS(out_of_bounds, none.as<int>());
    CHECK(table.reduce("k", colstore::reduction::sum, {5, 5}).as<int>() == 0);
    const auto one = table.reduce("v", colstore::reduction::variance, {0, 1}, 1).as<double>();
    CHECK(one != one);
    CHECK(table.reduce("v", colstore::reduction::deviation, {0, 1}).as<double>() == 0);
    THROWS(out_of_bounds, table.reduce("k", colstore::reduction::sum, {0, 151}));
    const auto all = colstore::table::open(golden("all_dtypes_single.cstore"));
    CHECK(all.reduce("b1", colstore::reduction::max).visit([](auto value) {
        return std::is_same_v<decltype(value), bool>;
    }));
    CHECK(all.reduce("u8", colstore::reduction::max).as<std::uint64_t>() == UINT64_MAX);
    CHECK(all.reduce("t_ns", colstore::reduction::max).kind() == 'M');
    THROWS(unsupported_type, all.reduce("s5", colstore::reduction::max));
}
