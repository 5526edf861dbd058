// Shards: adding them to a directory one by one, and from batches.

#include "check.hpp"

#include <stdexcept>

using namespace check;

TEST(shards_are_added_to_a_directory)
{
    const std::string directory = scratch("above/run");
    const std::vector<std::int64_t> id{1, 2, 3};
    const std::vector<double> x{0.5, 1.5, 2.5};
    CHECK(colstore::append(directory, {{"id", id}, {"x", x}}) == directory + "/shard_00000.cstore");
    CHECK(colstore::append(directory, {{"id", id}, {"x", x}}) == directory + "/shard_00001.cstore");
    colstore::append_options options;
    options.name = "extra.cstore";
    options.statistics = true;
    CHECK(colstore::append(directory, {{"id", id}, {"x", x}}, options) == directory + "/extra.cstore");
    THROWS(already_exists, colstore::append(directory, {{"id", id}, {"x", x}}, options));
    options.name = "no_suffix";
    THROWS(invalid_argument, colstore::append(directory, {{"id", id}, {"x", x}}, options));
    THROWS(invalid_argument, colstore::append(directory, {{"x", x}, {"id", id}}));
    THROWS(invalid_argument, colstore::append(directory, {{"id", x}, {"x", x}}));
    THROWS(invalid_argument, colstore::append(directory, {}));
    const auto all = colstore::open_all(directory);
    CHECK(all.n_rows() == 9 && all.paths().size() == 3);

    // Tables: one file is copied with its records, many become one record.
    THROWS(invalid_argument, colstore::append(directory, all));
    const std::string copies = scratch("copies");
    const auto golden_table = colstore::table::open(golden("stats_multi.cstore"));
    const auto copied = colstore::table::open(colstore::append(copies, golden_table));
    CHECK(copied.n_records() == golden_table.n_records() && copied.n_rows() == golden_table.n_rows());
    const auto joined = colstore::table::open(colstore::append(scratch("joined"), all));
    CHECK(joined.n_records() == 1 && joined.read<double>("x") == all.read<double>("x"));
}

TEST(an_appender_makes_shards_of_batches)
{
    const std::string directory = scratch("batches");
    colstore::appender_options options;
    options.name = "part_{index:03d}.cstore";
    options.shard_rows = 100;
    auto out = colstore::appender::open(directory, options);
    CHECK(!out.flush().has_value());
    std::vector<std::int32_t> batch(60);
    for (int round = 0; round < 3; ++round) {
        batch[0] = round;
        out.write({{"n", batch}});
    }
    auto info = out.info();
    CHECK(info.n_shards == 1 && info.pending_rows == 60 && info.is_locked && !info.is_closed);
    const std::vector<double> wrong(3);
    THROWS(invalid_argument, out.write({{"n", wrong}}));
    CHECK(THROWS(locked, colstore::appender::open(directory)).path().has_value());
    THROWS(locked, colstore::append(directory, {{"n", batch}}));
    CHECK(out.flush() == directory + "/part_001.cstore");

    colstore::store(scratch("more.cstore"), {{"n", batch}});
    out.write(colstore::table::open(scratch("more.cstore")));
    THROWS(invalid_argument, out.write(colstore::open_all(directory)));
    auto moved = std::move(out);
    CHECK(moved.close() == directory + "/part_002.cstore");
    CHECK(!moved.close().has_value());
    info = moved.info();
    CHECK(info.n_shards == 3 && info.pending_rows == 0 && !info.is_locked && info.is_closed);
    THROWS(invalid_argument, moved.write({{"n", batch}}));
    THROWS(invalid_argument, moved.flush());
    THROWS(invalid_argument, out.info());
    const auto all = colstore::open_all(directory);
    CHECK(all.record_rows() == std::vector<std::int64_t>{120, 60, 60});
    CHECK(all.read<std::int32_t>("n")[60] == 1 && all.read<std::int32_t>("n")[120] == 2);
}

TEST(without_a_close_no_shard_is_made)
{
    const std::string directory = scratch("unclosed");
    static_assert(!std::is_copy_constructible_v<colstore::appender> &&
                  std::is_nothrow_move_constructible_v<colstore::appender> &&
                  std::is_nothrow_move_assignable_v<colstore::appender>);
    const std::vector<std::int32_t> batch(5);
    {
        auto out = colstore::appender::open(directory);
        out.write({{"n", batch}});
        out.flush();
        out.write({{"n", batch}});
    }
    CHECK(colstore::open_all(directory).n_rows() == 5);
    auto out = colstore::appender::open(directory);
    out.write({{"n", batch}});
    out.abandon();
    out.abandon();
    CHECK(out.info().is_closed && out.info().pending_rows == 0 && out.info().n_shards == 0);
    CHECK(colstore::append(directory, {{"n", batch}}) == directory + "/shard_00001.cstore");
}

TEST(limits_of_an_appender_are_checked)
{
    colstore::appender_options options;
    options.shard_rows = 10;
    options.shard_bytes = 10;
    THROWS(invalid_argument, colstore::appender::open(scratch("limits"), options));
    options.shard_bytes = 0;
    options.name = "one.cstore";
    THROWS(invalid_argument, colstore::appender::open(scratch("limits"), options));
    options.name.clear();
    options.shard_rows = -1;
    THROWS(invalid_argument, colstore::appender::open(scratch("limits"), options));
    options.shard_rows = 0;
    options.shard_bytes = 8;
    options.statistics = true;
    auto out = colstore::appender::open(scratch("limits"), options);
    const std::vector<std::int32_t> batch(2);
    out.write({{"n", batch}});
    CHECK(out.info().n_shards == 1 && out.info().pending_rows == 0);
}

TEST(shards_are_watched_and_cancelled)
{
    const std::string directory = scratch("watched");
    const std::vector<double> x(2000000, 1.0);
    colstore::append_options options;
    colstore::progress none;
    none.cancel();
    options.progress = &none;
    THROWS(cancelled, colstore::append(directory, {{"x", x}}, options));
    auto out = colstore::appender::open(directory);
    THROWS(cancelled, out.write({{"x", x}}, &none));
    CHECK(out.info().pending_rows == 0);
    out.write({{"x", x}});
    THROWS(cancelled, out.flush(&none));
    THROWS(cancelled, out.close(&none));
    CHECK(out.info().pending_rows == 2000000 && !out.info().is_closed);
    std::uint64_t last = 0, total = 0;
    colstore::progress watch([&](std::uint64_t done, std::uint64_t of) { last = done, total = of; });
    CHECK(out.close(&watch) == directory + "/shard_00000.cstore" && last == total && total >= x.size() * sizeof x[0]);

    // An exception with the last report comes out although the shard is there; its path is not leaked.
    colstore::progress late([](std::uint64_t done, std::uint64_t of) {
        if (done == of) {
            throw std::domain_error("late");
        }
    });
    options.progress = &late;
    std::string caught;
    try {
        colstore::append(directory, {{"x", x}}, options);
    } catch (const std::domain_error &thrown) {
        caught = thrown.what();
    }
    CHECK(caught == "late");
}
