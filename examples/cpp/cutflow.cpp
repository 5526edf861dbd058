// Which late flights of 2013 made up time in the air: computed columns, cuts with a report, and a file of what is left.
// On the flights that `make demo` stores:
//
//     cargo build --release -p colstore-ffi
//     c++ -std=c++17 examples/cpp/cutflow.cpp -Iinclude -Ibindings/cpp/include -Ltarget/release -lcolstore -o cutflow
//     LD_LIBRARY_PATH=target/release ./cutflow demo/flights.cstore demo/late_flights.cstore

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <colstore.hpp>

namespace {

using colstore::col;

// Columns of our own, then cuts, whose report is in flights and in miles. Nothing is computed here.
colstore::frame select(const colstore::table &flights)
{
    const auto speed = col("distance") / col("air_time") * 60;
    return flights.edit()
        .assign("made_up", col("dep_delay") - col("arr_delay"))
        .assign("speed", where(col("air_time") > 0, speed, std::nan("")))
        .assign("share", tanh(col("made_up") / col("air_time")))
        .filter("dep_delay > @late", {{"late", 15}}, "late", "distance")
        .filter("origin in ['JFK', 'LGA'] and not carrier == 'MQ'", "JFK or LGA")
        .filter(isfinite(col("speed")) && col("distance") >= 1000, "long way")
        .filter(col("made_up") > 20, "made up 20 minutes");
}

// What each cut left: flights, and the miles they flew.
void show(const colstore::cutflow &report)
{
    std::printf("%-20s %10s %10s %8s %14s %8s\n", "cut", "entering", "passing", "eff", "miles", "eff");
    for (const colstore::cut_record &cut : report) {
        const std::string label(cut.label.value_or("-"));
        const colstore::cut_weights miles = cut.weights.value_or(colstore::cut_weights{});
        std::printf("%-20s %10lld %10lld %7.2f%% %14.0f %7.2f%%\n", label.c_str(),
                    static_cast<long long>(cut.entering), static_cast<long long>(cut.passing), 100 * cut.efficiency(),
                    miles.passing, 100 * miles.efficiency());
    }
}

// Flights and the minutes that they made up, by carrier: all rows, in memory for one batch of them.
void show_carriers(const colstore::frame &selected)
{
    std::map<std::string, std::pair<int, double>> carriers;
    for (const colstore::batch &some : selected.batches({"carrier", "made_up"}, colstore::batch_size::rows(1000))) {
        const auto carrier = some.elements_of<std::string_view>("carrier");
        const auto made_up = some.values<double>("made_up");
        for (std::size_t row = 0; row < some.size(); ++row) {
            auto &[flights, minutes] = carriers[std::string(carrier[row])];
            ++flights;
            minutes += made_up[row];
        }
    }
    std::printf("by carrier, with the minutes that a flight made up:");
    for (const auto &[name, sums] : carriers) {
        std::printf("  %s %d, %.1f", name.c_str(), sums.first, sums.second / sums.first);
    }
    std::printf("\n");
}

void run(const char *source, const char *result)
{
    const auto flights = colstore::table::open(source);
    std::printf("%s: %lld flights with %zu columns\n", source, static_cast<long long>(flights.n_rows()),
                flights.schema().size());
    auto selected = select(flights);
    show(selected.report());
    std::printf("%lld are left, on average %.1f mph fast; the fastest %.1f\n",
                static_cast<long long>(selected.count()), selected.mean("speed").as<double>(),
                selected.max("speed").as<double>());
    show_carriers(selected);

    colstore::store_options options;
    options.mode = colstore::store_mode::recreate;
    selected.drop({"year", "minute", "hour"}).write(result, options);
    const auto written = colstore::table::open(result);
    std::printf("%s: %lld flights with %zu columns\n", result, static_cast<long long>(written.n_rows()),
                written.schema().size());

    // The rows of a condition, for any read of the table.
    const auto far = written.rows_where("distance > @miles", {{"miles", 2500}});
    std::printf("%lld of them flew more than 2500 miles, in %.0f minutes\n", static_cast<long long>(far.count()),
                far.count() > 0 ? written.reduce("air_time", colstore::reduction::mean, far).as<double>() : 0);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s FLIGHTS.cstore RESULT.cstore\n", argv[0]);
        return 2;
    }
    try {
        run(argv[1], argv[2]);
    } catch (const colstore::error &failure) {
        std::fprintf(stderr, "cutflow: %s: %s\n", colstore::status_name(failure.status()), failure.what());
        return 1;
    }
    return 0;
}
