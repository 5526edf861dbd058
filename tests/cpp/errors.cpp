// Errors: what they hold, how they are copied, and that arguments of a wrong type are told apart.

#include "check.hpp"

#include <cerrno>

using namespace check;

TEST(an_error_says_what_it_is_about)
{
    const auto missing = THROWS(not_found, colstore::table::open(scratch("missing.cstore")));
    CHECK(missing.path() == scratch("missing.cstore") && missing.os_code() == ENOENT);
    CHECK(!missing.column() && !missing.row());
    CHECK(std::string(missing.message()).find("missing.cstore") != std::string::npos);
    CHECK(std::string(colstore::status_name(missing.status())) == "NOT_FOUND");

    const auto table = colstore::table::open(golden("dtype/i4.cstore"));
    const auto unknown = THROWS(unknown_column, table.read<double>("energy"));
    CHECK(unknown.column() == "energy" && !unknown.path().has_value());
    const std::vector<int> rows{0, 1, 77};
    const auto outside = THROWS(out_of_bounds, colstore::rows::indices(5, rows));
    CHECK(outside.row() == 77);
    THROWS(format, colstore::table::open(golden("corrupt/magic_bad.cstore")));
}

TEST(copies_of_an_error_are_the_same)
{
    static_assert(std::is_nothrow_copy_constructible_v<colstore::error>);
    static_assert(std::is_base_of_v<std::runtime_error, colstore::error>);
    const auto first = THROWS(not_found, colstore::read_info(scratch("missing.cstore")));
    auto second = first;
    const colstore::error third = std::move(second);
    CHECK(third.path() == first.path() && std::string(third.what()) == first.what());
}

TEST(a_type_that_is_not_the_columns_is_refused)
{
    const auto table = colstore::table::open(golden("all_dtypes_single.cstore"));
    const auto wrong = THROWS(invalid_argument, table.read<float>("f8"));
    CHECK(wrong.column() == "f8" && std::string(wrong.what()).find("'<f8'") != std::string::npos);
    THROWS(invalid_argument, table.read<std::uint32_t>("i4"));
    THROWS(invalid_argument, table.read<std::int32_t>("f4"));
    THROWS(invalid_argument, table.read<std::uint8_t>("b1"));
    THROWS(invalid_argument, table.read<colstore::boolean>("u1"));
    THROWS(invalid_argument, table.read<std::uint16_t>("f2"));
    THROWS(invalid_argument, table.read<std::int64_t>("t_ns"));
    THROWS(invalid_argument, table.read<colstore::timedelta>("t_ns"));
    THROWS(invalid_argument, table.read<std::chrono::nanoseconds>("t_ns"));
    THROWS(invalid_argument, table.read<std::chrono::nanoseconds>("d_us"));
    THROWS(invalid_argument, table.read<std::array<char, 4>>("s5"));
    THROWS(invalid_argument, table.read<std::array<char, 12>>("u3"));
    THROWS(invalid_argument, table.view<float>("f8"));
    THROWS(invalid_argument, table.view<std::string_view>("u3"));
    THROWS(invalid_argument, table.view_if_contiguous<float>("f8"));
    THROWS(invalid_argument, table.view("f8").as<float>());
    THROWS(invalid_argument, table.read("f8").as<std::string_view>());
    float few[9];
    THROWS(invalid_argument, table.read_into("f8", few));
    THROWS(invalid_argument, table.read_columns({{"f4", few}, {"f8", few}}));
}

TEST(a_moved_from_handle_is_an_error_and_no_crash)
{
    auto table = colstore::table::open(golden("dtype/i4.cstore"));
    const auto other = std::move(table);
    CHECK(other.read<std::int32_t>(0).size() == 5);
    THROWS(invalid_argument, table.n_records());
    THROWS(invalid_argument, table.read_into(0, std::vector<std::int32_t>(5)));
    auto all = colstore::rows::all(5);
    const auto rows = std::move(all);
    THROWS(invalid_argument, all.count());
    CHECK(rows.count() == 5);
}

TEST(versions_agree)
{
    CHECK(colstore::abi_version() == static_cast<std::uint32_t>(COLSTORE_ABI_VERSION));
    CHECK(std::string(colstore::version()).find('.') != std::string::npos);
    colstore::require_abi();
}

TEST(handles_move_and_do_not_copy)
{
    static_assert(!std::is_copy_constructible_v<colstore::table> &&
                  std::is_nothrow_move_constructible_v<colstore::table>);
    static_assert(!std::is_copy_constructible_v<colstore::rows> &&
                  std::is_nothrow_move_constructible_v<colstore::rows>);
    static_assert(!std::is_copy_constructible_v<colstore::schema> &&
                  std::is_nothrow_move_constructible_v<colstore::schema>);
    static_assert(!std::is_copy_constructible_v<colstore::view> && std::is_move_assignable_v<colstore::view>);
    static_assert(!std::is_copy_constructible_v<colstore::column<double>> &&
                  std::is_move_assignable_v<colstore::column<double>>);
    static_assert(!std::is_copy_constructible_v<colstore::progress> && std::is_move_assignable_v<colstore::progress>);
}

#ifdef __cpp_lib_expected
TEST(a_call_can_give_an_expected)
{
    auto table = colstore::attempt([] { return colstore::table::open(golden("dtype/i4.cstore")); });
    CHECK(table.has_value() && table->n_rows() == 5);
    const auto missing = colstore::attempt([] { return colstore::table::open(scratch("missing.cstore")); });
    CHECK(!missing && missing.error().status() == colstore::status::not_found);
    std::vector<std::int32_t> out(5);
    const auto nothing = colstore::attempt([&] { table->read_into(0, out); });
    static_assert(std::is_same_v<decltype(nothing), const std::expected<void, colstore::error>>);
    CHECK(nothing.has_value() && out == table->read<std::int32_t>(0));
    CHECK(!colstore::attempt([&] { table->read_into(1, out); }));

    const auto rows = colstore::attempt([&] { return table->rows_where(colstore::col("energy") > 0); });
    CHECK(!rows && rows.error().status() == colstore::status::query && rows.error().column() == "energy");
    const auto parsed = colstore::attempt([&] { return colstore::expr::parse("x > "); });
    CHECK(!parsed && parsed.error().span());
    const auto frame = colstore::attempt([&] { return table->edit().assign("y", colstore::literal(1)); });
    CHECK(frame.has_value() && frame->sum("y").as<int>() == 5);
    CHECK(!colstore::attempt([&] { return table->edit().filter("energy > 1"); }));
}
#endif
