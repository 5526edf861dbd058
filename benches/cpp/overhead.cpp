// What the C++ headers add to the C interface: the same reads through both, in turns, the best of many.
//
//     make bench-cpp

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include <colstore.hpp>

namespace {

// What a call of `f` takes of this thread's processor, in nanoseconds: other programs do not count.
template <class F>
double round(F &&f, int calls)
{
    const auto now = [] {
        ::timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
    };
    const double begin = now();
    for (int i = 0; i < calls; ++i) {
        f();
    }
    return (now() - begin) / calls;
}

template <class C, class Cpp>
void compare(const char *what, int calls, C &&c, Cpp &&cpp)
{
    double best_c = 1e18, best_cpp = 1e18;
    for (int i = 0; i < 40; ++i) {
        best_c = std::min(best_c, round(c, calls));
        best_cpp = std::min(best_cpp, round(cpp, calls));
    }
    std::printf("%-28s C %12.1f ns   C++ %12.1f ns   %+8.1f ns  %+6.2f %%\n", what, best_c, best_cpp, best_cpp - best_c,
                100 * (best_cpp / best_c - 1));
}

} // namespace

int main(int argc, char **argv)
{
    colstore::config::set("max_threads", "1");
    const std::string path = argc > 1 ? argv[1] : "overhead.cstore";
    const std::size_t n = 2'000'000;
    std::vector<double> out(n);
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = static_cast<double>(i);
    }
    colstore::store_options options;
    options.mode = colstore::store_mode::recreate;
    colstore::store(path, {{"a", out}, {"x", out}}, options);
    const auto table = colstore::table::open(path);
    const ::colstore_table *raw = table.c_handle();
    std::vector<std::uint32_t> numbers(n / 4);
    std::uint32_t next = 1;
    std::generate(numbers.begin(), numbers.end(), [&] { return (next = next * 1664525 + 1013904223) % n; });
    const auto rows = colstore::rows::indices(static_cast<std::int64_t>(n), numbers);

    compare(
        "a column of 16 MB", 1,
        [&] { ::colstore_table_read_column(raw, 1, 0, n, nullptr, out.data(), n * 8, nullptr); },
        [&] { table.read_into(1, out); });
    std::vector<double> some(numbers.size());
    compare(
        "a gather of 4 MB", 1,
        [&] {
            ::colstore_table_read_column_at(raw, 1, rows.c_handle(), nullptr, some.data(), some.size() * 8, nullptr);
        },
        [&] { table.read_into(1, some, rows); });
    double one[1];
    compare(
        "a row, column by position", 20'000,
        [&] { ::colstore_table_read_column(raw, 1, 77, 78, nullptr, one, 8, nullptr); },
        [&] { table.read_into(1, one, {77, 78}); });
    compare(
        "a row, column by name", 20'000,
        [&] {
            std::size_t column = 0;
            ::colstore_schema_find(table.schema().c_handle(), "x", 1, &column, nullptr);
            ::colstore_table_read_column(raw, column, 77, 78, nullptr, one, 8, nullptr);
        },
        [&] { table.read_into("x", one, {77, 78}); });
    compare(
        "a view of a column", 20'000,
        [&] {
            ::colstore_view *view = nullptr;
            ::colstore_view_info info{};
            info.size = sizeof info;
            ::colstore_table_view_column(raw, 1, 0, n, &view, nullptr);
            ::colstore_view_describe(view, &info, nullptr);
            ::colstore_view_free(view);
        },
        [&] { static_cast<void>(table.view<double>(1)); });
    return 0;
}
