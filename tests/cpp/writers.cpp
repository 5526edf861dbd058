// Writing record by record: modes, commits, locks, what is refused, and what a missing close leaves.

#include "check.hpp"

#include <array>
#include <memory>
#include <stdexcept>

using namespace check;

namespace {

std::vector<std::int32_t> numbers(std::int32_t first, std::size_t n)
{
    std::vector<std::int32_t> values;
    for (std::size_t i = 0; i < n; ++i) {
        values.push_back(first + static_cast<std::int32_t>(i));
    }
    return values;
}

colstore::writer open_as(const std::string &path, colstore::writer_mode mode)
{
    colstore::writer_options options;
    options.mode = mode;
    return colstore::writer::open(path, options);
}

void write_numbers(colstore::writer &out, std::int32_t first, std::size_t n)
{
    const auto values = numbers(first, n);
    out.write({{"x", values}});
}

// Whether a file holds the numbers from 0 up to n, in so many records.
bool holds(const std::string &path, std::size_t n, std::int64_t n_records)
{
    const auto table = colstore::table::open(path);
    return table.read<std::int32_t>("x") == numbers(0, n) && table.n_records() == n_records;
}

struct hit {
    std::uint8_t layer;
    double x;
    std::array<char, 4> name;
};

} // namespace

TEST(records_count_once_they_are_committed)
{
    const std::string path = scratch("session.cstore");
    auto out = colstore::writer::open(path);
    THROWS(invalid_argument, out.schema());
    write_numbers(out, 0, 1000);
    write_numbers(out, 1000, 0);
    write_numbers(out, 1000, 50000);
    const auto info = out.info();
    CHECK(info.n_records == 3 && info.n_rows == 51000 && info.mode == colstore::writer_mode::create);
    CHECK(info.is_locked && !info.is_closed);
    out.commit();
    CHECK(holds(path, 51000, 3));
    const auto more = numbers(51000, 2);
    out.write_packed(2, more.data(), more.size() * sizeof more[0]);
    CHECK(holds(path, 51000, 3));
    THROWS(invalid_argument, out.write_packed(3, more.data(), more.size() * sizeof more[0]));
    const auto schema = out.schema();
    out.close();
    out.close();
    CHECK(holds(path, 51002, 4) && out.info().is_closed);
    CHECK(schema.size() == 1 && schema[0].name == "x" && schema[0].native_text == "<i4");
    THROWS(invalid_argument, write_numbers(out, 51002, 1));
    THROWS(invalid_argument, out.commit());

    auto update = open_as(path, colstore::writer_mode::update);
    CHECK(update.schema().contains("x"));
    write_numbers(update, 51002, 10);
    update.close();
    CHECK(holds(path, 51012, 5));
    auto anew = open_as(path, colstore::writer_mode::recreate);
    write_numbers(anew, 0, 5);
    CHECK(holds(path, 51012, 5));
    anew.close();
    CHECK(holds(path, 5, 1));
}

TEST(without_a_close_nothing_is_committed)
{
    const std::string path = scratch("unclosed.cstore");
    {
        auto out = colstore::writer::open(path);
        write_numbers(out, 0, 5);
    }
    CHECK(!std::filesystem::exists(path));
    bool caught = false;
    try {
        auto out = colstore::writer::open(path);
        write_numbers(out, 0, 5);
        out.commit();
        write_numbers(out, 5, 5);
        throw std::domain_error("enough");
    } catch (const std::domain_error &) {
        caught = true;
    }
    CHECK(caught && holds(path, 5, 1));
    auto out = open_as(path, colstore::writer_mode::recreate);
    write_numbers(out, 0, 9);
    out.abandon();
    out.abandon();
    CHECK(out.info().is_closed);
    out.close();
    CHECK(holds(path, 5, 1));
}

TEST(a_writer_can_be_moved)
{
    const std::string path = scratch("moved.cstore"), other = scratch("moved_over.cstore");
    static_assert(!std::is_copy_constructible_v<colstore::writer> &&
                  std::is_nothrow_move_constructible_v<colstore::writer> &&
                  std::is_nothrow_move_assignable_v<colstore::writer>);
    auto first = colstore::writer::open(path);
    write_numbers(first, 0, 3);
    auto second = colstore::writer::open(other);
    write_numbers(second, 0, 3);
    second = std::move(first);
    CHECK(!std::filesystem::exists(other));
    write_numbers(second, 3, 3);
    second.close();
    CHECK(holds(path, 6, 2));
    THROWS(invalid_argument, first.info());
    THROWS(invalid_argument, first.close());
}

TEST(there_is_one_writer)
{
    const std::string path = scratch("locked.cstore");
    auto first = colstore::writer::open(path);
    write_numbers(first, 0, 7);
    first.commit();
    const auto refused = THROWS(locked, open_as(path, colstore::writer_mode::update));
    CHECK(std::string(colstore::status_name(refused.status())) == "LOCKED" && refused.path() == path);
    THROWS(locked, open_as(path, colstore::writer_mode::recreate));
    THROWS(already_exists, open_as(path, colstore::writer_mode::create));
    colstore::writer_options options;
    options.mode = colstore::writer_mode::update;
    options.lock = colstore::lock_policy::off;
    CHECK(!colstore::writer::open(path, options).info().is_locked);
    // The same by the setting of the process, which the options can overrule.
    const std::string before = colstore::config::get("lock_policy");
    colstore::config::set("lock_policy", "off");
    CHECK(!open_as(path, colstore::writer_mode::update).info().is_locked);
    options.lock = colstore::lock_policy::require;
    THROWS(locked, colstore::writer::open(path, options));
    options.lock = colstore::lock_policy::automatic;
    THROWS(locked, colstore::writer::open(path, options));
    colstore::config::set("lock_policy", before);
    first.close();
    CHECK(colstore::writer::open(path, options).info().is_locked && holds(path, 7, 1));
}

TEST(records_that_do_not_fit_are_refused)
{
    const std::string path = scratch("refused.cstore");
    THROWS(not_found, open_as(scratch("missing.cstore"), colstore::writer_mode::update));
    THROWS(format, open_as(golden("corrupt/magic_bad.cstore"), colstore::writer_mode::update));
    auto out = colstore::writer::open(path);
    const auto values = numbers(0, 4);
    const std::vector<double> wrong(4);
    THROWS(invalid_argument, out.write({}));
    THROWS(unsupported_type, out.write({{"x", "object", values}}));
    THROWS(invalid_argument, out.write({{"x", values}, {"y", numbers(0, 3)}}));
    THROWS(invalid_argument, out.write_packed(1, values.data(), 4));
    out.write({{"x", values}});
    THROWS(invalid_argument, out.write({{"x", wrong}}));
    THROWS(invalid_argument, out.write({{"y", values}}));
    THROWS(invalid_argument, out.write({{"x", values}, {"y", values}}));
    out.close();
    CHECK(holds(path, 4, 1));
}

TEST(values_that_lie_apart_are_written_where_they_lie)
{
    const std::string path = scratch("strided.cstore");
    // A matrix of 4 rows and 3 columns, of which two columns are written, one of them from the last row on.
    double matrix[4][3];
    for (int i = 0; i < 12; ++i) {
        matrix[i / 3][i % 3] = i;
    }
    const colstore::elements<double> down(&matrix[0][1], 4, sizeof matrix[0], sizeof(double));
    const colstore::elements<double> up(&matrix[3][2], 4, -static_cast<std::ptrdiff_t>(sizeof matrix[0]),
                                        sizeof(double));
    const std::array<char, 5> texts[] = {{'a'}, {'b', 'c'}, {}, {'d', 'e', 'f', 'g', 'h'}};
    auto out = colstore::writer::open(path);
    out.write({{"down", down}, {"up", up}, {"when", "<M8[25s]", up}, {"text", texts}});
    out.close();
    const auto table = colstore::table::open(path);
    CHECK(table.read<double>("down") == std::vector<double>{1, 4, 7, 10});
    CHECK(table.read<double>("up") == std::vector<double>{11, 8, 5, 2});
    CHECK(table.schema().at("when").native_text == "<M8[25s]");
    // Every other row of another table, from its mapped file; texts have the width that they have there.
    const auto rows = colstore::rows::range(4, 0, 4, 2);
    const auto view = table.view<double>("down", rows);
    const auto lent = table.view<std::string_view>("text", rows);
    CHECK(!view.is_span());
    colstore::store(scratch("again.cstore"), {{"down", view}, {"text", lent}});
    const auto again = colstore::table::open(scratch("again.cstore"));
    CHECK(again.read<double>("down") == std::vector<double>{1, 7});
    CHECK(again.schema().at("text").native_text == "|S5" && again.view<std::string_view>("text")[0] == "a");
    const std::array<char32_t, 3> letters[] = {{U'ä'}, {U'x', U'y', U'z'}, {}};
    const colstore::elements<std::u32string_view> last(&letters[1], 2, sizeof letters[0], sizeof letters[0]);
    colstore::store(scratch("letters.cstore"), {{"u", last}});
    const auto copied = colstore::table::open(scratch("letters.cstore")).read("u");
    CHECK(copied.dtype().itemsize() == 12 && same(copied.as<std::u32string_view>(), last));
}

TEST(structs_are_written_as_records)
{
    const std::string path = scratch("struct_records.cstore");
    const std::vector<hit> hits{{1, 0.5, {'a'}}, {2, 1.5, {'b', 'c'}}};
    const colstore::record<hit> fields{{"x", &hit::x}, {"layer", &hit::layer}, {"name", &hit::name}};
    auto out = colstore::writer::open(path);
    out.write(colstore::columns_of<hit>(fields, hits));
    out.write(colstore::columns_of<hit>(fields, hits));
    out.close();
    const auto table = colstore::table::open(path);
    CHECK(table.n_records() == 2 && table.read<double>("x") == std::vector<double>{0.5, 1.5, 0.5, 1.5});
    CHECK(table.read<std::uint8_t>("layer")[3] == 2 && table.view<std::string_view>("name", {0, 2})[1] == "bc");
}

TEST(a_writer_reports_and_is_cancelled)
{
    const std::vector<double> x(2000000, 1.0);
    const std::string path = scratch("watched.cstore");
    std::uint64_t last = 0, total = 0;
    colstore::writer_options options;
    options.statistics = true;
    options.max_threads = 1;
    auto watch =
        std::make_unique<colstore::progress>([&](std::uint64_t done, std::uint64_t of) { last = done, total = of; });
    options.progress = watch.get();
    auto out = colstore::writer::open(path, options);
    // The writer has a share of the progress.
    colstore::progress kept = std::move(*watch);
    watch.reset();
    out.write({{"x", x}});
    CHECK(last == total && total >= x.size() * sizeof x[0]);
    kept.cancel();
    THROWS(cancelled, out.write({{"x", x}}));
    out.close();
    CHECK(colstore::read_info(path).n_records == 1);

    colstore::progress angry([](std::uint64_t, std::uint64_t) { throw std::domain_error("enough"); });
    options.mode = colstore::writer_mode::recreate;
    options.progress = &angry;
    auto other = colstore::writer::open(path, options);
    std::string caught;
    try {
        other.write({{"x", x}});
    } catch (const std::domain_error &thrown) {
        caught = thrown.what();
    }
    CHECK(caught == "enough");
    other.abandon();
    CHECK(colstore::read_info(path).n_records == 1);
}
