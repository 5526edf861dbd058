// Cutflows: counts, weights, names, conditions; inherited weights; what goes with a frame that has no cuts.

#include "events.hpp"

using namespace check;
using colstore::col;

TEST(a_report_says_what_each_cut_did)
{
    const auto flow = [] {
        auto frame = events::open("cutflows.cstore").edit();
        CHECK(frame.report().empty() && frame.report().size() == 0);
        frame.filter("n > 1");
        frame.filter("x > @low", {{"low", 0}}, "positive", col("n") * 0.5);
        frame.filter(col("u") < 200, "");
        frame.filter("x > 1e9", std::string("none"), "u");
        frame.filter("x > 2e9");
        return frame.report();
    }();
    CHECK(flow.size() == 5 && !flow.empty() && flow.c_handle() != nullptr);
    const colstore::cut_record &first = flow[0];
    CHECK(!first.label && first.condition == "n > 1" && first.entering == 6 && first.passing == 5 && !first.weights);
    CHECK(first.efficiency() == 5.0 / 6);
    const colstore::cut_record &second = flow[1];
    CHECK(second.label == "positive" && second.condition == "x > 0" && second.entering == 5 && second.passing == 3);
    CHECK(second.weights && second.weights->entering == 10 && second.weights->passing == 5.5);
    CHECK(second.weights->variance == 1 + 4 + 6.25 && second.weights->efficiency() == 0.55);
    // The weight of the cut before; an empty name is a name.
    CHECK(flow[2].label == "" && flow[2].weights->passing == 3 && flow[2].weights->variance == 5);
    CHECK(flow[3].label == "none" && flow[3].weights->entering == 200 && flow[3].passing == 0);
    CHECK(flow[3].efficiency() == 0 && flow[3].weights->efficiency() == 0);
    CHECK(flow[4].entering == 0 && flow[4].efficiency() == 0 && flow[4].weights->efficiency() == 0);
    std::int64_t passing = 0;
    for (const colstore::cut_record &one : flow) {
        passing += one.passing;
    }
    CHECK(passing == 10);
}

TEST(weights_are_numbers)
{
    auto frame = events::open("cutflows.cstore").edit();
    THROWS(type, frame.filter("x > 0", "cut", col("s")));
    THROWS(key, frame.filter("x > 0", "cut", "energy"));
    CHECK(frame.report().empty());
    colstore::flags met;
    frame.filter("x > 0", "cut", col("n") / 0);
    CHECK(frame.report({0, nullptr, &met}).size() == 1 && (under_valgrind() || met.has(colstore::flag::divide)));
}

TEST(a_moved_report_keeps_its_texts)
{
    auto flow = events::open("cutflows.cstore").edit().filter("x > 0", "positive").report();
    const auto kept = std::move(flow);
    CHECK(kept[0].label == "positive" && kept[0].condition == "x > 0" && flow.size() == 0);
    static_assert(!std::is_copy_constructible_v<colstore::cutflow>);
}
