// Batches: all rows once and in order, in memory that is used again; sizes, columns, and what is refused.

#include "events.hpp"

#include <stdexcept>

using namespace check;
using colstore::batch_size;
using colstore::col;

TEST(batches_have_all_rows_in_order)
{
    const auto table = colstore::table::open(golden("many_records.cstore"));
    const auto frame = table.edit().assign("twice", col("k") * 2).filter(col("k") % 3 != 0);
    const auto expected = frame.read<std::int32_t>("twice");
    CHECK(expected.size() > 90 && table.n_records() > 1);
    for (const std::int64_t rows : {1, 7, 64, 1000}) {
        std::vector<std::int32_t> found;
        const void *memory = nullptr;
        auto batches = frame.batches({"twice"}, batch_size::rows(rows));
        CHECK(batches.n_rows() == static_cast<std::int64_t>(expected.size()));
        for (const colstore::batch &some : batches) {
            CHECK(some.start() == static_cast<std::int64_t>(found.size()) && some.columns().size() == 1);
            CHECK(static_cast<std::int64_t>(some.size()) <= rows && some.size() > 0);
            const auto values = some.values<std::int32_t>("twice");
            CHECK(memory == nullptr || memory == values.data());
            memory = values.data();
            found.insert(found.end(), values.begin(), values.end());
        }
        CHECK(found == expected);
        // Once more, from the start.
        CHECK(batches.begin()->values<std::int32_t>(0)[0] == expected[0]);
    }
}

TEST(batches_have_all_columns_or_some)
{
    const auto frame = events::open("batches.cstore").edit().filter("x > 0");
    std::string texts;
    double sum = 0;
    for (const auto &some : frame.batches(batch_size::rows(3))) {
        CHECK(some.columns().size() == 8 && some.columns()[1].name == "n");
        for (const std::string_view text : some.elements_of<std::string_view>("s")) {
            texts += text;
        }
        for (const double x : some.values<double>("x")) {
            sum += x;
        }
        CHECK(some.values<std::array<char, 3>>("s").size() == some.size());
        some.visit("b", [&](const auto &values) { CHECK(values.size() == some.size()); });
    }
    CHECK(texts == "abbabb" && sum == 10);
    std::vector<std::size_t> sizes;
    for (const auto &some : frame.batches({"n", 0, "n"}, batch_size::bytes(40))) {
        sizes.push_back(some.size());
        CHECK(some.columns()[2].name == "n" && some.columns()[1].name == "x");
        CHECK(some.values<std::int32_t>(0)[0] == some.values<std::int32_t>(2)[0]);
    }
    CHECK(sizes == std::vector<std::size_t>{2, 2});
    CHECK(frame.batches({"x"}, batch_size::bytes(1)).batch_rows() == 1);
    CHECK(frame.batches().batch_rows() == 4 && frame.batches().n_rows() == 4);
    int n_batches = 0;
    for (const auto &some : events::open("batches.cstore").edit().filter("x > 1e9").batches()) {
        n_batches += static_cast<int>(some.size()) + 1;
    }
    CHECK(n_batches == 0);
    // Rows without values.
    std::int64_t n_rows = 0;
    for (const auto &some : frame.batches({}, batch_size::rows(3))) {
        n_rows += static_cast<std::int64_t>(some.size());
    }
    CHECK(n_rows == 4);
}

TEST(batches_see_the_frame_as_it_was)
{
    auto frame = events::open("batches.cstore").edit();
    auto batches = frame.batches({"x"}, batch_size::rows(2));
    frame.filter("x > 0").drop("x");
    double sum = 0;
    for (const auto &some : batches) {
        for (const double x : some.values<double>("x")) {
            sum += x;
        }
    }
    CHECK(sum == 2);
}

TEST(what_batches_do_not_have_is_refused)
{
    const auto frame = events::open("batches.cstore").edit();
    THROWS(invalid_argument, batch_size::rows(0));
    THROWS(invalid_argument, batch_size::bytes(-1));
    THROWS(unknown_column, frame.batches({"energy"}, batch_size::rows(1)));
    THROWS(out_of_bounds, frame.batches({8}, batch_size::rows(1)));
    auto batches = frame.batches({"x", "s"}, batch_size::rows(4));
    const auto it = batches.begin();
    const auto unknown = THROWS(unknown_column, it->values<double>("n"));
    CHECK(unknown.column() == "n");
    THROWS(out_of_bounds, it->values<double>(2));
    THROWS(invalid_argument, it->values<float>("x"));
    THROWS(invalid_argument, it->elements_of<std::string_view>("x"));
    colstore::progress watch;
    watch.cancel();
    THROWS(cancelled, frame.clone().filter("x > 0").batches(batch_size::rows(1), {1, &watch, nullptr}));
    const auto bad = colstore::callback<double(double)>([](auto, auto) { throw std::runtime_error("ours"); }, col("x"));
    bool thrown = false;
    try {
        for (const auto &some : frame.clone().assign("bad", bad).batches()) {
            CHECK(some.size() == 0);
        }
    } catch (const std::runtime_error &failure) {
        thrown = std::string(failure.what()) == "ours";
    }
    CHECK(thrown);
}
