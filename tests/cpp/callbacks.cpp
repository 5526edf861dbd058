// Functions of the program's in expressions: what they are given, what they throw, and when they are destroyed.

#include "events.hpp"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

using namespace check;
using colstore::col;
using colstore::expr;

namespace {

struct our_failure : std::runtime_error {
    explicit our_failure(int of) : std::runtime_error("ours"), number(of) {}
    int number;
};

// Counts how many of it there are.
struct counted {
    explicit counted(int *counter) : count(counter, [](int *of) { --*of; }) { ++*counter; }
    std::shared_ptr<int> count;
};

// A table of many rows in several records, so that several threads compute blocks of it.
colstore::table many(std::size_t n)
{
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = static_cast<double>(i);
    }
    const std::string path = scratch("many.cstore");
    colstore::store_options options;
    options.mode = colstore::store_mode::recreate;
    colstore::store(path, {{"x", x}}, options);
    return colstore::table::open(path);
}

expr failing_at(double value, int number)
{
    return colstore::callback<double(double)>(
        [=](auto x, auto out) {
            for (std::size_t i = 0; i < x.size(); ++i) {
                if (x[i] == value) {
                    throw our_failure(number);
                }
                out[i] = x[i];
            }
        },
        col("x"));
}

} // namespace

TEST(a_function_is_an_operation_like_others)
{
    const auto table = events::open("callbacks.cstore");
    const auto sum = colstore::callback<double(double, std::int32_t)>(
        [](colstore::span<const double> x, colstore::span<const std::int32_t> n, colstore::span<double> out) {
            for (std::size_t i = 0; i < out.size(); ++i) {
                out[i] = x[i] + n[i];
            }
        },
        col("x"), col("n"));
    CHECK(sum.dtype_text(table) == "<f8" && events::matches(table, sum > 7) == 0x18);
    CHECK(events::matches(table, sum * 2 == 3) == 0x01);
    // Operands are cast to the types of the signature, and may be values.
    const auto product = colstore::callback<float(float, float)>(
        [](auto a, auto b, auto out) {
            for (std::size_t i = 0; i < out.size(); ++i) {
                out[i] = a[i] * b[i];
            }
        },
        col("u"), 2);
    CHECK(product.dtype_text(table) == "<f4" && table.edit().sum(product).as<double>() == 1500);
    const auto late = colstore::callback<bool(events::second)>(
        [](auto d, auto out) {
            for (std::size_t i = 0; i < out.size(); ++i) {
                out[i] = d[i] > events::second(events::seconds(86400));
            }
        },
        col("d"));
    CHECK(events::matches(table, late && col("n") < 6) == 0x04);
}

TEST(a_function_can_take_types_that_are_known_late)
{
    const auto table = events::open("callbacks.cstore");
    const auto sum = colstore::callback("<f8", {col("x"), cast(col("n"), "f8"), 1.0}, [](const colstore::block &rows) {
        const auto out = rows.out<double>();
        for (std::size_t i = 0; i < rows.n_rows(); ++i) {
            out[i] = 0;
            for (std::size_t arg = 0; arg < rows.n_args(); ++arg) {
                out[i] += rows.arg<double>(arg)[i];
            }
        }
    });
    CHECK(events::matches(table, sum == 8.5) == 0x08);
    const auto nothing = [](const colstore::block &) {};
    THROWS(value, colstore::callback("<f8", {}, nothing));
    THROWS(value, colstore::callback(">f8", {col("x")}, nothing));
    THROWS(unsupported_type, colstore::callback("c16", {col("x")}, nothing));
}

TEST(an_exception_comes_out_of_the_call)
{
    const auto table = many(200'000);
    const auto bad = failing_at(123'456, 7);
    const auto frame = table.edit().assign("y", bad);
    const auto thrown_by = [](auto &&call) {
        try {
            call();
        } catch (const our_failure &failure) {
            return failure.number;
        }
        return 0;
    };
    CHECK(thrown_by([&] { static_cast<void>(table.rows_where(bad > 0)); }) == 7);
    CHECK(thrown_by([&] { static_cast<void>(frame.sum("y")); }) == 7);
    CHECK(thrown_by([&] { static_cast<void>(frame.read<double>("y")); }) == 7);
    CHECK(thrown_by([&] { static_cast<void>(frame.evaluate<double>(bad * 2)); }) == 7);
    CHECK(thrown_by([&] { frame.write(scratch("never.cstore")); }) == 7);
    CHECK(!std::filesystem::exists(scratch("never.cstore")));
    // Rows that are not asked for do not fail, and the frame still works.
    CHECK(frame.read<double>("y", {0, 3}) == std::vector<double>{0, 1, 2} && frame.sum("x").as<double>() > 0);
    auto cut = frame.clone().filter("y > 0");
    CHECK(thrown_by([&] { static_cast<void>(cut.count()); }) == 7);
    CHECK(thrown_by([&] { static_cast<void>(cut.report()); }) == 7);
    // What is no exception of std passes too.
    const auto number = colstore::callback<double(double)>([](auto, auto) { throw 42; }, col("x"));
    int caught = 0;
    try {
        static_cast<void>(table.rows_where(number > 0));
    } catch (int thrown) {
        caught = thrown;
    }
    CHECK(caught == 42);
}

TEST(every_call_throws_its_own_exception)
{
    const auto table = many(50'000);
    std::vector<int> wrong(4, -1);
    std::vector<std::thread> threads;
    for (int id = 0; id < 4; ++id) {
        threads.emplace_back([&, id] {
            const auto bad = failing_at(100.0 * id, id + 1);
            int failures = 0;
            for (int i = 0; i < 25; ++i) {
                try {
                    static_cast<void>(table.rows_where(bad >= 0));
                    ++failures;
                } catch (const our_failure &failure) {
                    failures += failure.number != id + 1;
                }
            }
            wrong[static_cast<std::size_t>(id)] = failures;
        });
    }
    for (std::thread &one : threads) {
        one.join();
    }
    CHECK(wrong == std::vector<int>(4, 0));
}

TEST(a_code_of_a_function_in_c_is_told)
{
    const auto table = events::open("callbacks.cstore");
    const expr x = col("x");
    const ::colstore_expr *const args[] = {x.c_handle()};
    ::colstore_expr *made = nullptr;
    const auto fails = [](void *, const void *const *, std::size_t, std::int64_t, void *, std::int64_t *code) {
        *code = 4711;
        return std::int32_t{1};
    };
    CHECK(::colstore_expr_callback(fails, nullptr, nullptr, "<f8", 3, args, 1, &made, nullptr) == COLSTORE_STATUS_OK);
    const auto failure = THROWS(callback, table.rows_where(expr(made) > 0));
    CHECK(failure.callback_code() == 4711);
}

TEST(a_function_is_destroyed_once_and_late)
{
    const auto table = events::open("callbacks.cstore");
    int count = 0;
    const auto function = [&](const colstore::block &) {};
    {
        auto kept = colstore::frame(table);
        {
            const auto one = colstore::callback<double(double)>(
                [c = counted(&count)](auto x, auto out) { std::copy(x.begin(), x.end(), out.begin()); }, col("x"));
            CHECK(count == 1);
            kept.assign("y", one + 1);
        }
        CHECK(count == 1 && kept.sum("y").as<double>() == 8);
        kept.filter("y > 0").drop("y");
        CHECK(count == 1 && kept.count() == 4);
    }
    CHECK(count == 0);
    const auto owning = [c = counted(&count), function](const colstore::block &rows) { function(rows); };
    THROWS(unsupported_type, colstore::callback("c16", {col("x")}, owning));
    THROWS(invalid_argument, colstore::callback("\xff", {col("x")}, owning));
    CHECK(count == 1);
}

TEST(a_function_may_call_the_library)
{
    const auto table = events::open("callbacks.cstore");
    auto frame = table.edit();
    std::atomic<int> calls{0};
    frame.assign("same", colstore::callback<double(double)>(
                             [&](auto x, auto out) {
                                 calls += static_cast<int>(frame.base_rows() == 6);
                                 std::copy(x.begin(), x.end(), out.begin());
                             },
                             col("x")));
    CHECK(frame.filter("same > 0").count() == 4 && calls > 0);
}
