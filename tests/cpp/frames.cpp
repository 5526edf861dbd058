// Frames: edits, cuts, reads, reductions, memory as columns, files; what is refused, which leaves a frame as it was.

#include "events.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <thread>

using namespace check;
using colstore::col;

namespace {

// The columns, as "name dtype name dtype ".
std::string columns_of(const colstore::frame &frame)
{
    std::string found;
    for (const colstore::column_info &one : frame.schema()) {
        found += std::string(one.name) + ' ' + std::string(one.native_text) + ' ';
    }
    return found;
}

std::string bytes_of(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A frame of x, n and u.
colstore::frame small()
{
    return events::open("frames.cstore").edit().select({"x", "n", "u"});
}

} // namespace

TEST(edits_can_be_written_one_after_the_other)
{
    const auto table = events::open("frames.cstore");
    const double sum = table.edit()
                           .filter("x > -3 and n < 5")
                           .assign("r", sqrt(col("x") * col("x") + col("n") * col("n")))
                           .filter(col("r") > 2, "far", "n")
                           .sum("r * 2")
                           .as<double>();
    double expected = 0;
    for (std::size_t i = 0; i < events::x.size(); ++i) {
        const double r = std::sqrt(events::x[i] * events::x[i] + events::n[i] * events::n[i]);
        expected += events::x[i] > -3 && events::n[i] < 5 && r > 2 ? r * 2 : 0;
    }
    CHECK(sum == expected);
    auto frame = table.edit();
    frame.select({"x", "n"}).assign("y", "x + n").filter("y > 1");
    CHECK(columns_of(frame) == "x <f8 n <i4 y <f8 " && frame.count() == 4);
}

TEST(columns_are_assigned)
{
    auto frame = small();
    const auto other = frame.clone();
    // Replaced in place, of what was there; others come last; a value is in every row.
    frame.assign({{"x", "x * 2"}, {"sum", col("x") + col("n")}, {"seven", 7}, {"single", colstore::constant(1.5F)}});
    CHECK(columns_of(frame) == "x <f8 n <i4 u |u1 sum <f8 seven <i8 single <f4 ");
    CHECK(frame.read<double>("x") == std::vector<double>{1, 3, -5, 7, 9, -11});
    CHECK(frame.read<double>("sum") == std::vector<double>{1.5, 3.5, 0.5, 7.5, 9.5, 0.5});
    CHECK(frame.read<std::int64_t>("seven") == std::vector<std::int64_t>(6, 7));
    frame.drop({"sum", "seven"}).drop("single").assign("tag", colstore::literal("a")).assign("yes", true);
    frame.assign("at", events::second(events::seconds(5)));
    CHECK(columns_of(frame) == "x <f8 n <i4 u |u1 tag <U1 yes |b1 at <M8[s] ");
    // A column is taken itself: what the name is given later changes nothing.
    const auto x = frame.column("x");
    frame.select(std::vector<std::string>{"x", "n"}).assign("x", "x + 1").assign("old", x);
    CHECK(frame.read<double>("old") == std::vector<double>{1, 3, -5, 7, 9, -11});
    CHECK(frame.read<double>("x")[0] == 2 && columns_of(other) == "x <f8 n <i4 u |u1 ");
    // Those of one frame in another.
    const auto sum = frame.resolve("x + n");
    auto third = other.clone().assign("sum", sum);
    CHECK(sum.columns().empty() && third.read<double>("sum") == std::vector<double>{3, 6, -1, 12, 15, -4});
    const auto of_fewer = events::open("frames.cstore").edit({0, 3});
    CHECK(third.assign("same", of_fewer.column("x")).read<double>("same") == events::x);
    THROWS(value, third.assign("few", of_fewer.memory(std::vector<double>(3))));
}

TEST(columns_are_renamed_and_cast)
{
    auto frame = small();
    frame.rename({{"x", "n"}, {"n", "x"}}).cast("n", "f4").cast({{"x", ">i8"}, {"u", "f8"}});
    CHECK(columns_of(frame) == "n <f4 x <i8 u <f8 ");
    frame.rename("u", "v");
    CHECK(columns_of(frame) == "n <f4 x <i8 v <f8 ");
    const auto made = small().rename("x", "y").rename({{"n", "m"}}).cast("y", "f4").cast({{"u", "i4"}}).drop("m");
    CHECK(columns_of(made) == "y <f4 u <i4 ");
}

TEST(what_is_refused_changes_nothing)
{
    auto frame = small();
    const std::string before = columns_of(frame);
    const auto unknown = THROWS(key, frame.assign("y", "energy * 2"));
    CHECK(unknown.column() == "energy");
    THROWS(key, frame.assign({{"x", "x + 1"}, {"y", col("energy")}}));
    THROWS(query, frame.assign("y", "x +"));
    THROWS(overflow, frame.assign("y", "u + 256"));
    THROWS(key, frame.drop({"x", "energy"}));
    THROWS(key, frame.select("energy"));
    THROWS(value, frame.select({"x", "x"}));
    THROWS(key, frame.rename("energy", "y"));
    THROWS(value, frame.rename("x", "n"));
    THROWS(key, frame.cast("energy", "f4"));
    THROWS(unsupported_type, frame.cast("x", "c16"));
    THROWS(query, frame.filter("x + 1"));
    THROWS(query, frame.filter(col("energy") > 1));
    THROWS(key, frame.filter("x > 1", {}, "energy"));
    THROWS(key, frame.filter("x > @a", {{"a", 1}}, {}, "energy"));
    THROWS(query, frame.filter("x > @cut", colstore::params()));
    THROWS(invalid_argument, frame.filter(colstore::expr_ref()));
    THROWS(invalid_argument, frame.filter("x > 1", "\xff"));
    THROWS(key, frame.column("energy"));
    THROWS(key, frame.resolve(col("energy")));
    CHECK(columns_of(frame) == before && frame.count() == 6 && !frame.has_selection());
    auto gone = col("x");
    const auto taken = std::move(gone);
    THROWS(invalid_argument, frame.assign("y", gone));
    THROWS(invalid_argument, frame.filter("x > 1", "label", gone));
    CHECK(frame.count() == 6);
}

TEST(cuts_leave_rows_and_reads_see_them)
{
    auto frame = events::open("frames.cstore").edit();
    CHECK(frame.base_rows() == 6 && !frame.has_selection() && frame.count() == 6);
    frame.filter("x > @low", {{"low", 0.0}}).filter(col("n") != 2).assign("y", col("x") * col("n"));
    CHECK(frame.has_selection() && frame.base_rows() == 6 && frame.count() == 3);
    CHECK(frame.rows().positions() == std::vector<std::int64_t>{0, 3, 4});
    CHECK(frame.read<double>("y") == std::vector<double>{0.5, 14, 22.5});
    CHECK(frame.read<double>(8) == std::vector<double>{0.5, 14, 22.5});
    CHECK(frame.read<double>("y", {1, 3}) == std::vector<double>{14, 22.5} && frame.read<double>("y", {3, 3}).empty());
    CHECK((frame.read<double, colstore::allocator<double>>("y")[2] == 22.5));
    double two[2];
    std::vector<std::int32_t> whole(2);
    frame.read_into("y", two, {1, 3});
    CHECK(two[0] == 14);
    frame.read_columns({{"n", whole}, {"y", two}}, {0, 2});
    CHECK(whole == std::vector<std::int32_t>{1, 4} && two[1] == 14);
    std::vector<std::string> texts;
    frame.read("s").visit([&](const auto &values) {
        for (const auto &one : values) {
            if constexpr (std::is_convertible_v<decltype(one), std::string_view>) {
                texts.emplace_back(one);
            }
        }
    });
    CHECK(texts == std::vector<std::string>{"a", "a", "bb"});
    CHECK(frame.read("y", {2, 3}).as<double>()[0] == 22.5);

    THROWS(out_of_bounds, frame.read<double>("y", {1, 4}));
    THROWS(out_of_bounds, frame.read<double>("y", {2, 1}));
    THROWS(out_of_bounds, frame.read("y", {-1, 1}));
    THROWS(out_of_bounds, frame.read_into("y", two, {2, 4}));
    THROWS(out_of_bounds, frame.read<double>(9));
    THROWS(unknown_column, frame.read<double>("energy"));
    THROWS(invalid_argument, frame.read<float>("y"));
    THROWS(invalid_argument, frame.read_columns({{"n", two}}, {0, 2}));
    THROWS(invalid_argument, frame.read_into("y", two));
    const std::vector<std::size_t> columns{0}, sizes{8, 8};
    const std::vector<void *> outs{two};
    THROWS(invalid_argument, frame.read_columns_bytes(columns, outs, sizes, {0, 1}));
    frame.filter("x > 1e9");
    CHECK(frame.count() == 0 && frame.read<double>("y").empty() && !frame.mean("y").has_value());
}

TEST(rows_are_read_as_structs)
{
    struct hit {
        double y;
        std::int32_t n, m;
    };
    const colstore::record<hit> hits{{"y", &hit::y}, {"n", &hit::n}, {"m", &hit::m}};
    const auto frame = small().assign("y", "x + n").assign("m", "n * 2").filter("x > 0");
    const auto all = frame.read_records(hits);
    CHECK(all.size() == 4 && all[2].y == 7.5 && all[2].n == 4 && all[2].m == 8);
    hit part[1];
    frame.read_records_into(hits, part, {3, 4});
    CHECK(part[0].y == 9.5 && part[0].m == 10);
    THROWS(invalid_argument, frame.read_records_into(hits, part));
    THROWS(out_of_bounds, frame.read_records(hits, {0, 5}));
    const colstore::record<hit> gap{{"y", &hit::y}, {"m", &hit::m}};
    THROWS(invalid_argument, frame.read_records(gap));
}

TEST(expressions_are_computed_and_reduced)
{
    const auto frame = small().filter("x > 0");
    CHECK(frame.dtype_text("n + u") == "<i4" && frame.dtype_text(col("x") / 2) == "<f8");
    CHECK(frame.evaluate<std::int32_t>("n + u") == std::vector<std::int32_t>{1, 52, 154, 205});
    CHECK(frame.evaluate<std::int32_t>(col("n") + col("u"), true).size() == 6);
    CHECK(frame.evaluate("x > 1").as<colstore::boolean>().size() == 4);
    CHECK(frame.evaluate(sqrt(col("x")), true).size() == 6);
    float halves[4];
    frame.evaluate_into(colstore::cast<float>(col("x")) / 2, halves);
    CHECK(halves[3] == 2.25F);
    CHECK(frame.sum("n").as<int>() == 12 && frame.max(col("u")).as<int>() == 200 && frame.min("x").as<double>() == 0.5);
    CHECK(frame.mean("n > 1").as<double>() == 0.75);
    CHECK(frame.reduce("n", colstore::reduction::variance, 1).as<double>() == 10.0 / 3);
    colstore::flags met;
    CHECK(frame.reduce("x / 0", colstore::reduction::max, 0, {1, nullptr, &met}).as<double>() > 1e300);
    CHECK((under_valgrind() || met.has(colstore::flag::divide)) && !met.has(colstore::flag::invalid));
    THROWS(key, frame.dtype_text("energy"));
    THROWS(key, frame.evaluate<double>("energy"));
    THROWS(key, frame.sum("energy"));
    THROWS(type, frame.sum(-colstore::literal("a")));
    THROWS(invalid_argument, frame.evaluate<float>("x"));
    THROWS(invalid_argument, frame.evaluate_into("x", halves));
    double few[3];
    THROWS(invalid_argument, frame.evaluate_into("x", few));
    THROWS(invalid_argument, frame.reduce("x", static_cast<colstore::reduction>(0)));
    THROWS(unsupported_type, events::open("frames.cstore").edit().sum("s"));
}

TEST(a_frame_is_of_some_rows)
{
    const auto table = events::open("frames.cstore");
    std::vector<std::int64_t> numbers{5, 3, 3, 0};
    auto frame = [&] {
        const auto base = colstore::rows::borrow<std::int64_t>(6, numbers);
        return table.edit(base);
    }();
    numbers.assign(4, 0); // the selection was copied
    CHECK(frame.base_rows() == 4 && frame.has_selection());
    CHECK(frame.read<double>("x") == std::vector<double>{-5.5, 3.5, 3.5, 0.5});
    CHECK(frame.filter("x > 0").rows().positions() == std::vector<std::int64_t>{3, 3, 0});
    CHECK(table.edit({1, 3}).read<double>("x") == std::vector<double>{1.5, -2.5});
    CHECK(table.edit({1, 1}).count() == 0 && !table.edit(colstore::rows::all(6)).has_selection());
    THROWS(value, table.edit(colstore::rows::all(7)));
    THROWS(out_of_bounds, table.edit({1, 7}));
}

TEST(memory_is_a_column)
{
    std::vector<double> borrowed{0, 1, 2, 3, 4, 5};
    auto frame = small().assign("m", small().memory(borrowed));
    frame.assign("m", frame.memory(borrowed));
    borrowed[5] = 50; // not copied
    CHECK(frame.sum("m").as<double>() == 60);
    // Given away: it lives as long as it is needed.
    frame.assign("own", frame.memory(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6})).filter("own % 2 == 1").drop("m");
    CHECK(frame.read<std::int32_t>("own") == std::vector<std::int32_t>{1, 3, 5});
    // A column of another file, which keeps its mapping.
    frame.assign("s", frame.memory(events::open("other.cstore").view<std::string_view>("s")));
    CHECK(frame.evaluate<colstore::boolean>("s == 'ccc'")[1]);
    // Values that lie apart, and such with a dtype of their own.
    const colstore::elements<double> back(borrowed.data() + 5, 6, -8, 8);
    frame.assign("back", frame.memory(back));
    CHECK(frame.read<double>("back") == std::vector<double>{50, 3, 1});
    const std::vector<colstore::datetime> days(6, colstore::datetime{3});
    frame.assign("day", frame.memory("<M8[D]", days));
    CHECK(frame.evaluate<colstore::boolean>(col("day") > events::second())[0]);
    frame.assign("big", frame.memory(">u2", std::vector<std::uint16_t>(6, 256)));
    CHECK(frame.max("big").as<int>() == 1);

    THROWS(value, frame.memory(std::vector<double>(5)));
    THROWS(value, frame.memory(borrowed = std::vector<double>(7)));
    THROWS(unsupported_type, frame.memory("c16", std::vector<double>(6)));
    THROWS(invalid_argument, frame.memory("\xff", std::vector<double>(6)));
}

TEST(a_frame_outlives_its_table_and_its_clones)
{
    auto frame = [] {
        const auto table = events::open("frames.cstore");
        auto made = table.edit();
        const auto clone = made.clone();
        return made.assign("y", clone.column("x") + 1).clone();
    }();
    CHECK(frame.filter("n > 4").read<double>("y") == std::vector<double>{5.5, -4.5});
    const auto rows = frame.rows();
    const auto column = frame.column("y");
    auto moved = std::move(frame);
    CHECK(moved.count() == 2 && rows.count() == 2);
    static_assert(!std::is_copy_constructible_v<colstore::frame> &&
                  std::is_nothrow_move_constructible_v<colstore::frame>);
    THROWS(invalid_argument, frame.count());
    THROWS(invalid_argument, frame.schema());
    THROWS(invalid_argument, frame.clone());
    THROWS(invalid_argument, frame.report());
    THROWS(invalid_argument, frame.rows());
    THROWS(invalid_argument, frame.base_rows());
    THROWS(invalid_argument, frame.has_selection());
    THROWS(invalid_argument, frame.read<double>("y"));
    THROWS(invalid_argument, frame.sum("y"));
    THROWS(invalid_argument, frame.column("y"));
    THROWS(invalid_argument, frame.memory(std::vector<double>(6)));
    THROWS(invalid_argument, frame.assign("y", 1));
    THROWS(invalid_argument, frame.drop("y"));
    THROWS(invalid_argument, frame.filter("y > 1"));
    THROWS(invalid_argument, frame.write(scratch("none.cstore")));
    frame = small();
    CHECK(frame.assign("z", column).read<double>("z")[0] == 1.5);
}

TEST(what_is_left_is_written)
{
    const auto table = events::open("frames.cstore");
    const auto path = scratch("written.cstore");
    const auto frame = table.edit().assign("y", "x * 2").filter("x > 0");
    colstore::flags met;
    frame.write(path, {}, &met);
    CHECK(!met.any());
    THROWS(already_exists, frame.write(path));
    colstore::store_options options;
    options.mode = colstore::store_mode::recreate;
    options.statistics = true;
    std::uint64_t reported = 0;
    colstore::progress watch([&](std::uint64_t done, std::uint64_t) { reported = done; });
    options.progress = &watch;
    table.edit().assign("y", "x / 0").filter("x > 0").write(path, options, &met);
    CHECK((under_valgrind() || met.has(colstore::flag::divide)) && reported > 0);
    frame.write(path, options);
    const auto written = colstore::table::open(path);
    CHECK(written.n_rows() == 4 && written.read<double>("y") == std::vector<double>{1, 3, 7, 9});
    // Nothing changed: the same bytes.
    table.edit().write(scratch("copy.cstore"));
    CHECK(bytes_of(scratch("copy.cstore")) == bytes_of(scratch("frames.cstore")));
    watch.cancel();
    THROWS(cancelled, frame.write(scratch("cancelled.cstore"), options));
    CHECK(!std::filesystem::exists(scratch("cancelled.cstore")));
    THROWS(not_found, frame.write(scratch("no/such/directory/x.cstore")));
}

TEST(calls_on_frames_are_watched)
{
    colstore::progress watch;
    watch.cancel();
    const colstore::compute_options options{1, &watch, nullptr};
    auto frame = small().filter("x + 1 > 0");
    THROWS(cancelled, frame.count(options));
    THROWS(cancelled, frame.rows(options));
    THROWS(cancelled, frame.report(options));
    THROWS(cancelled, frame.read<double>("x", {}, options));
    THROWS(cancelled, frame.evaluate<double>("x + 1", true, options));
    THROWS(cancelled, frame.reduce("x + 1", colstore::reduction::sum, 0, options));
    CHECK(frame.count() == 4);
    // An exception of the report comes out of the call, and nothing is left behind.
    colstore::progress throwing([](std::uint64_t, std::uint64_t) { throw 42; });
    int caught = 0;
    try {
        static_cast<void>(small().filter("x * 2 > 0").rows({1, &throwing, nullptr}));
    } catch (int thrown) {
        caught = thrown;
    }
    CHECK(caught == 42);
}

TEST(many_threads_use_one_frame)
{
    auto frame = small().assign("y", "x + n").filter("y > 1");
    const double expected = frame.sum("y").as<double>();
    std::vector<int> wrong(4, 0);
    std::vector<std::thread> threads;
    for (std::size_t id = 0; id < wrong.size(); ++id) {
        threads.emplace_back([&, id] {
            for (int i = 0; i < 30; ++i) {
                wrong[id] += frame.count() != 4;
                wrong[id] += frame.sum("y").as<double>() != expected;
                frame.assign("w" + std::to_string(id), "y * 2");
            }
        });
    }
    for (std::thread &one : threads) {
        one.join();
    }
    CHECK(wrong == std::vector<int>(4, 0) && frame.schema().size() == 8);
}
