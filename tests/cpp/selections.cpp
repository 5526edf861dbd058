// Selections, and tables of many files.

#include "check.hpp"

#include <array>
#include <cstdint>

using namespace check;

namespace {

template <class I>
void indices_of_type()
{
    const std::vector<I> numbers{5, 1, 1, 3};
    const std::vector<std::int64_t> expected{5, 1, 1, 3};
    CHECK(colstore::rows::indices(10, numbers).positions() == expected);
    CHECK(colstore::rows::borrow<I>(10, numbers).positions() == expected);
}

} // namespace

TEST(rows_by_number_of_any_type)
{
    indices_of_type<std::int8_t>();
    indices_of_type<std::int16_t>();
    indices_of_type<std::int32_t>();
    indices_of_type<std::int64_t>();
    indices_of_type<std::uint8_t>();
    indices_of_type<std::uint16_t>();
    indices_of_type<std::uint32_t>();
    indices_of_type<std::uint64_t>();
    indices_of_type<long>();
    indices_of_type<unsigned long long>();
    const std::array<int, 2> ends{-1, 0};
    CHECK(colstore::rows::indices(10, ends).positions() == std::vector<std::int64_t>{9, 0});
    const std::vector<std::uint64_t> far{UINT64_MAX};
    THROWS(out_of_bounds, colstore::rows::indices(10, far));
}

TEST(borrowed_numbers_are_read_when_they_are_used)
{
    std::vector<std::int32_t> numbers{5, 1, 1, 3};
    const auto rows = colstore::rows::borrow<std::int32_t>(10, numbers);
    numbers[0] = 7;
    CHECK(rows.positions()[0] == 7);
    numbers[0] = 10;
    THROWS(out_of_bounds, rows.positions());
}

TEST(ranges_and_masks)
{
    CHECK(colstore::rows::all(3).positions() == std::vector<std::int64_t>{0, 1, 2});
    CHECK(colstore::rows::range(10, 8, -1, -4).positions() == std::vector<std::int64_t>{8, 4, 0});
    const auto info = colstore::rows::range(10, 1, 10, 3).describe();
    CHECK(info.n_rows == 10 && info.count == 3 && info.form == colstore::rows_form::range && info.sorted);
    CHECK(info.first == 1 && info.step == 3);
    THROWS(invalid_argument, colstore::rows::range(10, 0, 5, 0));
    THROWS(out_of_bounds, colstore::rows::range(10, 0, 11));

    const std::vector<std::int64_t> expected{0, 3, 4};
    const bool truths[] = {true, false, false, true, true};
    const std::vector<std::uint8_t> bytes{1, 0, 0, 77, 255};
    const std::vector<colstore::boolean> booleans{true, false, false, true, true};
    const std::vector<std::uint8_t> bits{0xf9};
    CHECK(colstore::rows::mask(5, truths).positions() == expected);
    CHECK(colstore::rows::mask(5, bytes).positions() == expected);
    CHECK(colstore::rows::mask(5, booleans).positions() == expected);
    CHECK(colstore::rows::mask_bits(5, bits).positions() == expected);
    CHECK(colstore::rows::mask(5, truths).describe().form == colstore::rows_form::mask);
    THROWS(out_of_bounds, colstore::rows::mask(6, truths));
    THROWS(out_of_bounds, colstore::rows::mask_bits(9, bits));
}

TEST(selections_of_selections)
{
    const auto outer = colstore::rows::range(10, 9, -1, -2);
    const std::vector<int> numbers{4, 0};
    CHECK(outer.select(colstore::rows::indices(5, numbers)).positions() == std::vector<std::int64_t>{1, 9});
    THROWS(invalid_argument, outer.select(colstore::rows::all(4)));
    std::array<std::int64_t, 2> part{};
    outer.positions_into({1, 3}, part);
    CHECK(part[0] == 7 && part[1] == 5 && outer.positions({1, 3}) == std::vector<std::int64_t>{7, 5});
    THROWS(out_of_bounds, outer.positions({1, 6}));
    THROWS(out_of_bounds, outer.positions({-1, 2}));
    THROWS(invalid_argument, outer.positions_into({1, 4}, part));
}

TEST(many_files_are_one_table)
{
    const std::vector<std::int32_t> first{1, 2, 3}, second{4, 5};
    const std::vector<double> x{0.5, 1.5, 2.5}, y{3.5, 4.5};
    std::filesystem::create_directory(scratch("run"));
    colstore::store(scratch("run/part_10.cstore"), {{"x", y}, {"id", second}});
    colstore::store(scratch("run/part_9.cstore"), {{"id", first}, {"x", x}});
    const auto whole = colstore::open_all(scratch("run"));
    CHECK(whole.read<std::int32_t>("id") == std::vector<std::int32_t>{1, 2, 3, 4, 5});
    CHECK(whole.read<double>("x", {2, 4}) == std::vector<double>{2.5, 3.5});
    CHECK(whole.n_records() == 2 && whole.record_rows() == std::vector<std::int64_t>{3, 2});
    CHECK(whole.paths().size() == 2 && whole.paths()[1] == scratch("run/part_10.cstore"));
    CHECK(colstore::expand_paths(std::filesystem::path(scratch("run")) / "part_?.cstore").size() == 1);
    CHECK(colstore::open_all(scratch("run/*.cstore")).n_rows() == 5);
    CHECK(colstore::open_all(scratch("run/part_9.cstore")).n_rows() == 3);
    THROWS(not_found, colstore::open_all(scratch("run/nothing_*.cstore")));
    std::filesystem::create_directory(scratch("empty"));
    THROWS(not_found, colstore::open_all(scratch("empty")));

    std::vector<const colstore::table *> twice{&whole, &whole};
    CHECK(colstore::concat(twice).n_rows() == 10);
    CHECK(colstore::concat(std::vector<colstore::table>()).n_rows() == 0);
}

TEST(columns_that_differ_are_refused_or_left_out)
{
    const std::vector<std::int32_t> i{1};
    const std::vector<float> f{1};
    colstore::store(scratch("a.cstore"), {{"same", i}, {"other", i}, {"only", i}});
    colstore::store(scratch("b.cstore"), {{"same", i}, {"other", f}});
    std::vector<colstore::table> both;
    both.push_back(colstore::table::open(scratch("a.cstore")));
    both.push_back(colstore::table::open(scratch("b.cstore")));
    THROWS(invalid_argument, colstore::concat(both));
    const auto common = colstore::concat_common(both);
    both.clear();
    CHECK(common.table.n_rows() == 2 && common.table.schema().size() == 1);
    CHECK(common.dropped == std::vector<std::string>{"only", "other"});
}
