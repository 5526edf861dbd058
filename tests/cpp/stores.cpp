// Storing, what a file says of itself, progress, settings, memory.

#include "check.hpp"

#include <array>
#include <chrono>
#include <cstring>
#include <stdexcept>

using namespace check;

TEST(what_is_stored_is_read)
{
    const std::vector<double> x{1.5, -0.0, 3};
    const std::array<std::uint16_t, 3> n{1, 2, 65535};
    const bool flags[] = {true, false, true};
    const std::vector<colstore::float16> halves{{0x3c00}, {0}, {0x7e00}};
    const std::vector<std::array<char, 2>> texts{{'a', 'b'}, {'c', 0}, {0, 0}};
    const std::vector<std::chrono::milliseconds> spans(3, std::chrono::milliseconds(7));
    using quarter_hour =
        std::chrono::time_point<std::chrono::system_clock, std::chrono::duration<long, std::ratio<900>>>;
    const std::vector<quarter_hour> times(3, quarter_hour(quarter_hour::duration(3)));
    const std::vector<std::int64_t> counts{1, 2, colstore::not_a_time};
    // The bytes that pad a long double are stored as well; here they are zeros.
    const std::vector<long double> wide(3, 1.0L);
    std::vector<unsigned char> wide_bytes(3 * sizeof wide[0]);
    for (std::size_t i = 0; i < wide.size(); ++i) {
        std::memcpy(&wide_bytes[i * sizeof wide[0]], &wide[i], 10);
    }
    colstore::store_options options;
    options.statistics = true;
    options.durability = colstore::durability::disk;
    colstore::store(
        scratch("all.cstore"),
        {{"x", x},
         {"n", n},
         {"flags", flags},
         {"halves", halves},
         {"texts", texts},
         {"spans", spans},
         {"times", times},
         {"months", "<M8[M]", counts},
         colstore::column_data("wide", colstore::element<long double>::dtype_text(), wide_bytes.data(), 3, 16)},
        options);
    const auto table = colstore::table::open(scratch("all.cstore"));
    const auto &schema = table.schema();
    const char *expected[] = {"<f8", "<u2", "|b1", "<f2", "|S2", "<m8[ms]", "<M8[15m]", "<M8[M]", "<f16"};
    for (std::size_t i = 0; i < schema.size(); ++i) {
        CHECK(schema[i].native_text == expected[i]);
    }
    CHECK(table.read<double>("x") == x && same(table.read<std::uint16_t>("n"), n));
    CHECK(same(table.read<colstore::boolean>("flags"), std::array<bool, 3>{true, false, true}));
    CHECK(table.read<std::array<char, 2>>("texts") == texts && table.read<std::chrono::milliseconds>("spans") == spans);
    CHECK(table.read<quarter_hour>("times") == times && table.read<colstore::datetime>("months")[1].count == 2);
    CHECK(table.read<long double>("wide") == wide && table.view("wide").as<long double>()[2] == 1.0L);

    CHECK(schema.contains("halves") && !schema.contains("nothing") && schema.find("texts") == 4);
    CHECK(schema.at("months").dtype.unit() == colstore::unit::month);
    CHECK(schema.at(6).dtype.unit_multiplier() == 15 && schema.at(0).dtype.is_number() &&
          !schema.at(8).dtype.is_number());
    THROWS(out_of_bounds, schema.at(9));
    THROWS(unknown_column, schema.at("nothing"));
    CHECK(colstore::dtype::parse(">M8[25s]").big_endian() && colstore::dtype::parse("float64").itemsize() == 8);
    THROWS(unsupported_type, colstore::dtype::parse("object"));

    const auto info = colstore::read_info(scratch("all.cstore"));
    CHECK(info.n_rows == 3 && info.n_records == 1 && info.format_version == 1 && info.schema.size() == 9);
    CHECK(static_cast<std::uintmax_t>(info.file_size) == std::filesystem::file_size(scratch("all.cstore")));
}

TEST(a_file_that_is_there_is_replaced_only_if_asked)
{
    const std::vector<int> one{1}, two{1, 2};
    colstore::store(scratch("there.cstore"), {{"a", one}});
    THROWS(already_exists, colstore::store(scratch("there.cstore"), {{"a", two}}));
    CHECK(colstore::read_info(scratch("there.cstore")).n_rows == 1);
    colstore::store_options options;
    options.mode = colstore::store_mode::recreate;
    colstore::store(scratch("there.cstore"), {{"a", two}}, options);
    CHECK(colstore::read_info(scratch("there.cstore")).n_rows == 2);
    THROWS(invalid_argument, colstore::store(scratch("new.cstore"), {{"a", one}, {"b", two}}));
    THROWS(invalid_argument, colstore::store(scratch("new.cstore"), {}));
    THROWS(unsupported_type, colstore::store(scratch("new.cstore"), {{"a", "object", one}}));
    CHECK(!std::filesystem::exists(scratch("new.cstore")));
}

namespace {

struct hit {
    std::uint8_t layer;
    double x;
    std::array<char, 4> name;
};

struct counted {
    colstore::datetime when;
};

} // namespace

TEST(structs_are_stored_where_they_lie)
{
    const std::vector<hit> hits{{1, 0.5, {'a'}}, {2, 1.5, {'b', 'c'}}};
    const colstore::record<hit> fields{{"x", &hit::x}, {"layer", &hit::layer}, {"name", &hit::name}};
    CHECK(fields.fields()[0].column() == "layer" && fields.fields()[1].offset() == 8 &&
          fields.fields()[2].itemsize() == 4);
    colstore::store(scratch("hits.cstore"), colstore::columns_of<hit>(fields, hits));
    const auto table = colstore::table::open(scratch("hits.cstore"));
    CHECK(table.read<double>("x") == std::vector<double>{0.5, 1.5} && table.read<std::uint8_t>("layer")[1] == 2);
    CHECK(table.view<std::string_view>("name")[1] == "bc");
    colstore::store(scratch("none.cstore"), colstore::columns_of<hit>(fields, {}));
    CHECK(colstore::read_info(scratch("none.cstore")).n_rows == 0);
    const std::vector<counted> when(1);
    THROWS(invalid_argument, colstore::columns_of<counted>({{"when", &counted::when}}, when));
    // Values backwards, straight from C's conventions.
    const std::vector<std::int32_t> values{1, 2, 3};
    colstore::store(scratch("back.cstore"), {colstore::column_data("v", "<i4", &values[2], 3, -4)});
    CHECK(colstore::table::open(scratch("back.cstore")).read<std::int32_t>("v") == std::vector<std::int32_t>{3, 2, 1});
}

TEST(progress_reports_and_cancels)
{
    const std::vector<double> x(2000000, 1.0);
    std::uint64_t last = 0, total = 0;
    colstore::progress watch([&](std::uint64_t done, std::uint64_t of) { last = done, total = of; });
    colstore::store_options options;
    options.progress = &watch;
    colstore::store(scratch("long.cstore"), {{"x", x}}, options);
    CHECK(last == total && total >= x.size() * sizeof x[0]);

    const auto table = colstore::table::open(scratch("long.cstore"));
    colstore::read_options reading;
    colstore::progress moved = std::move(watch);
    last = 0;
    reading.progress = &moved;
    CHECK(table.read<double>("x", {}, reading) == x && last == total);

    moved.cancel();
    THROWS(cancelled, table.read<double>("x", {}, reading));
    THROWS(cancelled, table.reduce("x", colstore::reduction::sum, {}, 0, reading));
    colstore::progress none;
    none.cancel();
    options.progress = &none;
    THROWS(cancelled, colstore::store(scratch("cancelled.cstore"), {{"x", x}}, options));
    CHECK(!std::filesystem::exists(scratch("cancelled.cstore")));
}

TEST(what_a_callback_throws_comes_out_of_the_call)
{
    const std::vector<double> x(2000000, 1.0);
    colstore::progress watch([](std::uint64_t, std::uint64_t) { throw std::domain_error("enough"); });
    colstore::store_options options;
    options.progress = &watch;
    std::string caught;
    try {
        colstore::store(scratch("thrown.cstore"), {{"x", x}}, options);
    } catch (const std::domain_error &thrown) {
        caught = thrown.what();
    }
    CHECK(caught == "enough");
    CHECK(!std::filesystem::exists(scratch("thrown.cstore")));
    // It is thrown once; the progress stays cancelled.
    THROWS(cancelled, colstore::store(scratch("thrown.cstore"), {{"x", x}}, options));
}

TEST(settings_and_the_machine)
{
    const std::string before = colstore::config::get("max_threads");
    colstore::config::set("max_threads", "1");
    CHECK(colstore::config::get("max_threads") == "1");
    colstore::config::set("max_threads", before);
    THROWS(invalid_argument, colstore::config::set("nothing", "1"));
    THROWS(invalid_argument, colstore::config::get("nothing"));
    const auto machine = colstore::machine();
    CHECK(machine.logical_cores >= 1 && machine.default_threads >= 1 && machine.sockets >= 1);
    THROWS(invalid_argument, colstore::calibrate_threads(0));
    colstore::progress cancelled;
    cancelled.cancel();
    THROWS(cancelled, colstore::calibrate_threads(1, &cancelled));
}

TEST(the_allocator_leaves_numbers_uninitialised)
{
    colstore::result_vector<double> numbers(1000);
    CHECK(reinterpret_cast<std::uintptr_t>(numbers.data()) % 64 == 0);
    numbers.assign(1000, 2.5);
    numbers.push_back(3);
    CHECK(numbers[999] == 2.5 && numbers.back() == 3);
    std::vector<std::string, colstore::allocator<std::string>> texts(3);
    texts.emplace_back("long enough to be allocated on its own");
    CHECK(texts[0].empty() && texts.size() == 4);
    colstore::allocator<double> allocator;
    bool refused = false;
    try {
        static_cast<void>(allocator.allocate(SIZE_MAX / 8 + 1));
    } catch (const std::bad_alloc &) {
        refused = true;
    }
    CHECK(refused && allocator == colstore::allocator<int>());
}
