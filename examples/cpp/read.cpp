// Reads a .cstore file in every way that C++ has: with the types of the program, with those of the file, without a
// copy, as structs, some rows only. On the flights that `make demo` stores:
//
//     cargo build --release -p colstore-ffi
//     c++ -std=c++17 examples/cpp/read.cpp -Iinclude -Ibindings/cpp/include -Ltarget/release -lcolstore -o read
//     LD_LIBRARY_PATH=target/release ./read demo/flights.cstore

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <colstore.hpp>

namespace {

// A row as the program wants it: members named for what they are, in an order that leaves no gaps.
struct flight {
    std::int64_t number;
    std::int64_t distance;
    std::array<char, 3> origin;
    std::array<char, 3> destination;
    std::array<char, 2> carrier;
};

const colstore::record<flight> flight_record{
    {"flight", &flight::number},    {"distance", &flight::distance}, {"origin", &flight::origin},
    {"dest", &flight::destination}, {"carrier", &flight::carrier},
};

// Prints the first value of a column, whatever its type is.
void show_first(const colstore::table &table, std::size_t column)
{
    const colstore::column_info &info = table.schema()[column];
    std::printf("  %-14.*s %-8.*s", static_cast<int>(info.name.size()), info.name.data(),
                static_cast<int>(info.dtype_text.size()), info.dtype_text.data());
    table.read(column, {0, table.n_rows() > 0 ? 1 : 0}).visit([](const auto &values) {
        using value = typename std::decay_t<decltype(values)>::value_type;
        for (const value one : values) {
            if constexpr (std::is_same_v<value, std::string_view>) {
                std::printf(" %.*s", static_cast<int>(one.size()), one.data());
            } else if constexpr (std::is_same_v<value, colstore::datetime>) {
                std::printf(" %lld after 1970", static_cast<long long>(one.count));
            } else if constexpr (std::is_arithmetic_v<value>) {
                std::printf(" %g", static_cast<double>(one));
            } else {
                std::printf(" ...");
            }
        }
    });
    std::printf("\n");
}

void run(const char *path)
{
    const auto flights = colstore::table::open(path);
    std::printf("%s: %lld rows, %zu columns (colstore %s)\n", path, static_cast<long long>(flights.n_rows()),
                flights.schema().size(), colstore::version());
    for (std::size_t column = 0; column < flights.schema().size(); ++column) {
        show_first(flights, column);
    }

    // A copy, read on several threads into a vector of the program's type.
    const std::vector<double> delays = flights.read<double>("arr_delay");
    double sum = 0;
    std::size_t count = 0, late = 0;
    for (const double delay : delays) {
        if (!std::isnan(delay)) {
            sum += delay;
            ++count;
            late += delay > 60 ? 1 : 0;
        }
    }
    std::printf("%zu arrived, on average %.2f minutes late, %zu by more than an hour\n", count,
                sum / static_cast<double>(count), late);

    // No copy: lent from the mapped file, for as long as `distance` lives.
    const auto distance = flights.view<std::int64_t>("distance");
    std::int64_t longest = 0;
    for (const std::int64_t miles : distance.span()) {
        longest = miles > longest ? miles : longest;
    }

    // Some rows, of all the columns of a struct at once.
    std::vector<std::int64_t> numbers;
    for (std::size_t row = 0; row < distance.size(); ++row) {
        if (distance[row] == longest) {
            numbers.push_back(static_cast<std::int64_t>(row));
        }
    }
    const auto rows = colstore::rows::indices(flights.n_rows(), numbers);
    const std::vector<flight> far = flights.read_records(flight_record, rows);
    std::printf("%zu flew furthest, %lld miles; the first is %.2s%lld from %.3s to %.3s\n", far.size(),
                static_cast<long long>(longest), far.front().carrier.data(), static_cast<long long>(far.front().number),
                far.front().origin.data(), far.front().destination.data());

    // Times have the type that their unit says.
    using second = std::chrono::time_point<std::chrono::system_clock, std::chrono::duration<std::int64_t>>;
    const auto hours = flights.read<second>("time_hour", rows);
    std::printf("it left in hour %lld of 2013\n",
                static_cast<long long>(std::chrono::duration_cast<std::chrono::hours>(
                                           hours.front() - second(std::chrono::seconds(1356998400)))
                                           .count()));

    // A column as one value, in memory that does not grow with the rows.
    std::printf("mean distance %.2f miles, that of the furthest %.2f\n",
                flights.reduce("distance", colstore::reduction::mean).as<double>(),
                flights.reduce("distance", colstore::reduction::mean, rows).as<double>());
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s FLIGHTS.cstore\n", argv[0]);
        return 2;
    }
    try {
        run(argv[1]);
    } catch (const colstore::error &failure) {
        std::fprintf(stderr, "read: %s: %s\n", colstore::status_name(failure.status()), failure.what());
        return 1;
    }
    return 0;
}
