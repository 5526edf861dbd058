// What the C++ headers add to the C interface: the same calls through both, in turns, the medians of many rounds.
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

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

template <class C, class Cpp>
void compare(const char *what, int calls, C &&c, Cpp &&cpp)
{
    std::vector<double> of_c, of_cpp;
    for (int i = 0; i < 101; ++i) {
        // Who comes first takes turns too.
        if (i % 2 == 0) {
            of_c.push_back(round(c, calls));
        }
        of_cpp.push_back(round(cpp, calls));
        if (i % 2 != 0) {
            of_c.push_back(round(c, calls));
        }
    }
    const double in_c = median(of_c), in_cpp = median(of_cpp);
    std::printf("%-32s C %12.1f ns   C++ %12.1f ns   %+8.1f ns  %+6.2f %%\n", what, in_c, in_cpp, in_cpp - in_c,
                100 * (in_cpp / in_c - 1));
}

// A condition as C makes it, of two columns and two numbers.
::colstore_expr *condition_in_c()
{
    ::colstore_expr *parts[6] = {}, *made = nullptr;
    ::colstore_expr_column("x", 1, &parts[0], nullptr);
    ::colstore_expr_float(1e5, &parts[1], nullptr);
    ::colstore_expr_call("greater", 7, parts, 2, &parts[2], nullptr);
    ::colstore_expr_column("a", 1, &parts[3], nullptr);
    ::colstore_expr_float(1.9e6, &parts[4], nullptr);
    ::colstore_expr_call("less", 4, parts + 3, 2, &parts[5], nullptr);
    const ::colstore_expr *both[] = {parts[2], parts[5]};
    ::colstore_expr_call("logical_and", 11, both, 2, &made, nullptr);
    for (::colstore_expr *part : parts) {
        ::colstore_expr_free(part);
    }
    return made;
}

colstore::expr condition_in_cpp()
{
    return colstore::col("x") > 1e5 && colstore::col("a") < 1.9e6;
}

// The rows of a condition, and a column of them.
void compare_query(const colstore::table &table, std::vector<double> &out)
{
    const ::colstore_table *raw = table.c_handle();
    const char text[] = "x > 1e5 and a < 1.9e6";
    compare(
        "a query, and a read of 14 MB", 1,
        [&] {
            ::colstore_expr *condition = nullptr;
            ::colstore_rows *found = nullptr;
            std::int64_t count = 0;
            ::colstore_expr_parse(text, sizeof text - 1, nullptr, &condition, nullptr);
            ::colstore_rows_filter(raw, nullptr, condition, nullptr, &found, nullptr, nullptr);
            ::colstore_rows_count(found, &count, nullptr);
            ::colstore_table_read_column_at(raw, 1, found, nullptr, out.data(), static_cast<std::size_t>(count) * 8,
                                            nullptr);
            ::colstore_rows_free(found);
            ::colstore_expr_free(condition);
        },
        [&] {
            const auto found = table.rows_where(text);
            table.read_into(1, colstore::span<double>(out.data(), static_cast<std::size_t>(found.count())), found);
        });
    compare(
        "a sum of a frame with a cut", 1,
        [&] {
            ::colstore_frame *frame = nullptr;
            ::colstore_expr *condition = nullptr, *sum = nullptr;
            ::colstore_scalar scalar{};
            scalar.size = sizeof scalar;
            ::colstore_frame_new(raw, nullptr, &frame, nullptr);
            ::colstore_expr_parse(text, sizeof text - 1, nullptr, &condition, nullptr);
            ::colstore_frame_filter(frame, condition, nullptr, 0, nullptr, nullptr);
            ::colstore_expr_parse("a + x", 5, nullptr, &sum, nullptr);
            ::colstore_frame_reduce(frame, sum, COLSTORE_REDUCTION_SUM, 0, nullptr, &scalar, nullptr, nullptr);
            ::colstore_expr_free(sum);
            ::colstore_expr_free(condition);
            ::colstore_frame_free(frame);
        },
        [&] { static_cast<void>(table.edit().filter(text).sum("a + x")); });
    compare(
        "a condition of seven parts", 5'000, [] { ::colstore_expr_free(condition_in_c()); },
        [] { static_cast<void>(condition_in_cpp()); });
    const auto frame = table.edit({77, 78}).assign("y", "a + x");
    double value[1];
    void *outs[] = {value};
    const std::size_t y[] = {2}, sizes[] = {8};
    compare(
        "a computed row, by position", 5'000,
        [&] {
            ::colstore_frame_read_columns(frame.c_handle(), y, 1, 0, 1, nullptr, outs, sizes, nullptr, nullptr);
        },
        [&] { frame.read_columns_bytes(y, outs, sizes, {0, 1}); });
    compare(
        "a computed row, by name", 5'000,
        [&] {
            ::colstore_schema *schema = nullptr;
            ::colstore_column column{};
            column.size = sizeof column;
            std::size_t position = 0;
            ::colstore_frame_schema(frame.c_handle(), &schema, nullptr);
            ::colstore_schema_find(schema, "y", 1, &position, nullptr);
            ::colstore_schema_column(schema, position, &column, nullptr);
            ::colstore_frame_read_columns(frame.c_handle(), &position, 1, 0, 1, nullptr, outs, sizes, nullptr, nullptr);
            ::colstore_schema_free(schema);
        },
        [&] { frame.read_into("y", value, {0, 1}); });
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
    compare_query(table, out);
    return 0;
}
