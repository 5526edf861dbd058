// Whole files: copies and compaction, what is wrong with them, and what a writer that died has left.

#include "check.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

using namespace check;

namespace {

std::string load(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void save(const std::string &path, const std::string &bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace

TEST(a_table_is_copied_into_one_record)
{
    const auto table = colstore::table::open(golden("stats_multi.cstore"));
    CHECK(table.n_records() > 1);
    const std::string path = scratch("copied.cstore"), with = scratch("copied_with.cstore");
    colstore::copy_table(table, path);
    THROWS(already_exists, colstore::copy_table(table, path));
    const std::vector<colstore::table> twice = [&] {
        std::vector<colstore::table> tables;
        tables.push_back(colstore::table::open(golden("stats_multi.cstore")));
        tables.push_back(colstore::table::open(path));
        return tables;
    }();
    colstore::copy_options options;
    options.mode = colstore::store_mode::recreate;
    options.max_threads = 1;
    THROWS(invalid_argument, colstore::copy_table(colstore::concat(twice), path, options));
    colstore::copy_table(colstore::concat(twice), with, options);
    CHECK(colstore::read_info(with).n_rows == 2 * table.n_rows() && colstore::read_info(with).n_records == 1);
    options.statistics = true;
    colstore::copy_table(table, with, options);
    CHECK(load(with).size() > load(path).size());

    colstore::progress none;
    none.cancel();
    options.progress = &none;
    THROWS(cancelled, colstore::copy_table(table, scratch("cancelled.cstore"), options));
    CHECK(!std::filesystem::exists(scratch("cancelled.cstore")));
}

TEST(records_are_put_together)
{
    const std::string path = scratch("many.cstore"), out = scratch("one.cstore");
    save(path, load(golden("stats_multi.cstore")));
    const auto before = colstore::table::open(path);
    colstore::progress none;
    none.cancel();
    colstore::compact_options options;
    options.progress = &none;
    THROWS(cancelled, colstore::compact(path, options));
    CHECK(load(path) == load(golden("stats_multi.cstore")));
    colstore::compact(path, out);
    CHECK(load(path) == load(golden("stats_multi.cstore")) && colstore::read_info(out).n_records == 1);
    options.progress = nullptr;
    options.statistics = true;
    options.max_threads = 1;
    colstore::compact(path, options);
    CHECK(colstore::read_info(path).n_records == 1 && load(path).size() > load(out).size());
    // The table that was open keeps the old file.
    const auto after = colstore::table::open(path);
    CHECK(before.n_records() > 1);
    for (std::size_t i = 0; i < after.schema().size(); ++i) {
        const auto old = before.read(i), now = after.read(i);
        CHECK(old.size_bytes() == now.size_bytes() && same_bytes(old.data(), now.data(), old.size_bytes()));
    }
    THROWS(not_found, colstore::compact(scratch("missing.cstore")));
    THROWS(format, colstore::compact(golden("corrupt/magic_bad.cstore"), out));
    CHECK(colstore::read_info(out).n_records == 1);
}

TEST(an_empty_path_is_no_path)
{
    const std::string golden_bytes = load(golden("stats_multi.cstore"));
    const std::string path = scratch("empty_path.cstore");
    save(path, golden_bytes);
    THROWS(invalid_argument, colstore::compact(path, ""));
    THROWS(invalid_argument, colstore::recover(path, ""));
    THROWS(invalid_argument, colstore::recover(path, std::string_view()));
    THROWS(invalid_argument, colstore::compact(path, std::string_view()));
    CHECK(load(path) == golden_bytes);
}

TEST(sound_files_are_found_sound)
{
    for (const bool deep : {false, true}) {
        colstore::verify_options options;
        options.deep = deep;
        const auto report = colstore::verify(golden("corrupt/_base.cstore"), options);
        CHECK(report.ok() && report.empty() && report.size() == 0 && report.begin() == report.end());
        const auto &summary = report.summary();
        CHECK(summary.n_errors == 0 && summary.n_warnings == 0 && summary.n_notes == 0 && summary.n_files == 1);
        CHECK(summary.n_records == 2 && summary.n_rows == 5 && summary.n_value_bytes == (deep ? 60 : 0));
        CHECK(static_cast<std::size_t>(summary.n_bytes) == load(golden("corrupt/_base.cstore")).size());
    }
}

TEST(damage_is_found)
{
    static_assert(!std::is_copy_constructible_v<colstore::verify_report> &&
                  std::is_nothrow_move_constructible_v<colstore::verify_report>);
    const std::string path = golden("corrupt/record_crc.cstore");
    auto made = colstore::verify(path);
    const auto report = std::move(made);
    CHECK(!report.ok() && report.size() == 1 && report.summary().n_errors == 1);
    for (const colstore::finding &found : report) {
        CHECK(found.severity == colstore::severity::error && found.code == "record" && found.path == path);
        CHECK(!found.message.empty() && found.record == 1 && found.offset.value_or(0) > 0 && !found.column);
    }
    CHECK(&report[0] == &*report.begin());
    // A value outside the range that the statistics give, which only a deep check sees, is in a column.
    const std::vector<std::int32_t> values{1, 2, 3};
    colstore::store_options storing;
    storing.statistics = true;
    const std::string changed = scratch("changed.cstore");
    colstore::store(changed, {{"n", values}}, storing);
    std::string bytes = load(changed);
    const std::string raw(reinterpret_cast<const char *>(values.data()), sizeof values[0] * values.size());
    bytes[bytes.find(raw) + 1] = 77;
    save(changed, bytes);
    CHECK(colstore::verify(changed).ok());
    colstore::verify_options options;
    options.deep = true;
    options.max_threads = 1;
    const auto deep = colstore::verify(changed, options);
    CHECK(!deep.empty() && deep[0].column == "n" && !deep.ok());

    THROWS(not_found, colstore::verify(scratch("missing.cstore")));
    colstore::progress none;
    none.cancel();
    options.progress = &none;
    THROWS(cancelled, colstore::verify(path, options));
    // What a callback throws with its last report comes out; the report is not leaked.
    colstore::progress late([](std::uint64_t done, std::uint64_t of) {
        if (done == of) {
            throw std::domain_error("late");
        }
    });
    options.progress = &late;
    std::string caught;
    try {
        static_cast<void>(colstore::verify(changed, options));
    } catch (const std::domain_error &thrown) {
        caught = thrown.what();
    }
    CHECK(caught == "late");
}

TEST(what_a_dead_writer_left_is_recovered)
{
    // Two committed records, a whole one behind them, and the beginning of another.
    const std::string path = scratch("torn.cstore"), copy = scratch("torn_copy.cstore");
    std::string bytes = load(golden("crashed_update_torn.cstore"));
    save(path, bytes);
    auto found = colstore::recover(path);
    CHECK(found.action == colstore::recovery_action::listed && found.counters == colstore::counters_state::intact);
    CHECK(found.committed && found.committed->n_records == 2 && found.committed->n_rows == 11 &&
          found.committed->end == 368);
    CHECK(found.whole.n_records == 3 && found.whole.n_rows == 20 && found.whole.end == 440);
    CHECK(found.tail_bytes == 27 && static_cast<std::size_t>(found.file_size) == bytes.size());
    CHECK(!found.may_lose_committed && !found.statistics_offset && load(path) == bytes);

    CHECK(colstore::recover(path, copy).action == colstore::recovery_action::copied);
    THROWS(already_exists, colstore::recover(path, copy));
    colstore::recover_options options;
    options.commit = true;
    THROWS(invalid_argument, colstore::recover(path, scratch("other.cstore"), options));
    found = colstore::recover(path, options);
    CHECK(found.action == colstore::recovery_action::committed && found.committed->n_records == 2);
    found = colstore::recover(path, options);
    CHECK(found.action == colstore::recovery_action::unchanged && found.committed->n_records == 3);
    CHECK(colstore::read_info(path).n_rows == 20 && colstore::read_info(copy).n_rows == 20);

    // Torn counters.
    bytes[9] = static_cast<char>(bytes[9] ^ 1);
    save(path, bytes);
    found = colstore::recover(path);
    CHECK(found.counters == colstore::counters_state::damaged && !found.committed && found.whole.n_records == 3);
    found = colstore::recover(path, options);
    CHECK(found.action == colstore::recovery_action::committed && colstore::read_info(path).n_rows == 20);
}

TEST(a_file_that_is_written_is_recovered_only_without_the_lock)
{
    const std::string path = scratch("at_work.cstore");
    const std::vector<std::int32_t> values(100);
    auto out = colstore::writer::open(path);
    out.write({{"n", values}});
    out.commit();
    colstore::recover_options options;
    options.commit = true;
    THROWS(locked, colstore::recover(path, options));
    THROWS(locked, colstore::compact(path));
    options.commit = false;
    options.lock = false;
    CHECK(colstore::recover(path, options).whole.n_rows >= 100);
    out.close();
    colstore::progress none;
    none.cancel();
    options.progress = &none;
    THROWS(cancelled, colstore::recover(path, scratch("cancelled_copy.cstore"), options));
    CHECK(!std::filesystem::exists(scratch("cancelled_copy.cstore")));
}
