// Views: values where they lie, as spans, one by one, and by type; how long they live.

#include "check.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

using namespace check;

TEST(a_column_is_lent_as_a_span)
{
    const auto table = colstore::table::open(golden("all_dtypes_single.cstore"));
    const auto view = table.view<std::int8_t>("i1");
    const colstore::span<const std::int8_t> span = view.span();
    CHECK(span.size() == 9 && span[0] == -128 && span.back() == 0 && span.data() == view.data());
    CHECK(same(span, table.read<std::int8_t>("i1")) && same(view, span));
    const auto part = table.view<std::int8_t>("i1", {1, 3});
    CHECK(part.data() == span.data() + 1 && part.span().size() == 2);
    CHECK(table.view<std::int8_t>("i1", {4, 4}).span().empty());
    THROWS(out_of_bounds, table.view<std::int8_t>("i1", {4, 10}));
}

TEST(values_at_any_address_are_given_one_by_one)
{
    const auto table = colstore::table::open(golden("unaligned_columns.cstore"));
    std::size_t aligned = 0, unaligned = 0;
    std::int64_t start = 0;
    CHECK(table.record_rows() == std::vector<std::int64_t>{3, 1, 4});
    for (const std::int64_t rows : table.record_rows()) {
        const auto d = table.view<double>("d", {start, start + rows});
        CHECK(same(d, table.read<double>("d", {start, start + rows})));
        CHECK(std::accumulate(d.begin(), d.end(), 0.0) >= 0 && d.end() - d.begin() == rows);
        if (d.is_span()) {
            CHECK(same(d.span(), d));
            ++aligned;
        } else {
            THROWS(not_contiguous, d.span());
            ++unaligned;
        }
        start += rows;
    }
    CHECK(unaligned > 0);
    CHECK(aligned + unaligned == 3);
    THROWS(not_contiguous, table.view<double>("d"));
    THROWS(not_contiguous, table.view("d"));
    CHECK(!table.view_if_contiguous<double>("d") && table.view_if_contiguous<double>("d", {0, 3})->size() == 3);
    THROWS(out_of_bounds, table.view_if_contiguous<double>("d", {0, 9}));
}

TEST(evenly_spaced_rows_are_lent)
{
    const auto table = colstore::table::open(golden("all_dtypes_single.cstore"));
    const auto values = table.read<std::int32_t>("i4");
    const auto odd = table.view<std::int32_t>("i4", colstore::rows::range(9, 1, 9, 2));
    CHECK(odd.size() == 4 && odd.stride() == 8 && odd[3] == values[7] && !odd.is_span());
    THROWS(not_contiguous, odd.span());
    const auto back = table.view<std::int32_t>("i4", colstore::rows::range(9, 8, -1, -1));
    CHECK(back.size() == 9 && back.stride() == -4 && std::equal(back.begin(), back.end(), values.rbegin()));
    const std::vector<int> uneven{0, 1, 3};
    THROWS(not_contiguous, table.view<std::int32_t>("i4", colstore::rows::indices(9, uneven)));
    CHECK(!table.view_if_contiguous<std::int32_t>("i4", colstore::rows::indices(9, uneven)));
}

TEST(iterators_jump)
{
    const auto table = colstore::table::open(golden("all_dtypes_single.cstore"));
    const auto view = table.view<std::uint16_t>("u2");
    auto it = view.begin();
    CHECK(it[4] == 65535 && *(it + 4) == 65535 && *(4 + it) == 65535 && *(view.end() - 5) == 65535);
    it += 4;
    CHECK(*it-- == 65535 && *it++ == view[3] && *++it == view[5] && *--it == view[4]);
    it -= 4;
    CHECK(it == view.begin() && it != view.end() && it < view.end() && view.end() > it && it <= it && it >= it);
    std::vector<std::uint16_t> sorted(view.begin(), view.end());
    std::sort(sorted.begin(), sorted.end());
    CHECK(*std::max_element(view.begin(), view.end()) == sorted.back());
}

TEST(a_view_outlives_its_table)
{
    std::optional<colstore::table> table(colstore::table::open(golden("dtype/i4.cstore")));
    auto column = table->view<std::int32_t>(0);
    const auto view = table->view(0);
    const auto expected = table->read<std::int32_t>(0);
    table.reset();
    CHECK(same(column, expected) && same(view.as<std::int32_t>(), expected));
    const auto moved = std::move(column);
    CHECK(same(moved.span(), expected));
}

TEST(texts_are_lent_without_their_padding)
{
    const auto table = colstore::table::open(golden("unaligned_columns.cstore"));
    const auto texts = table.view<std::string_view>("s", {0, 3});
    CHECK(texts.size() == 3 && texts[0] == "q" && texts[2].size() == 1);
    CHECK(static_cast<const void *>(texts[1].data()) == static_cast<const char *>(texts.data()) + 3);

    const std::vector<std::array<char, 3>> bytes{{'a', 'b', 'c'}, {'a', 0, 'c'}, {0, 0, 0}};
    const std::vector<std::array<char32_t, 2>> letters{{U'\u00e4', U'b'}, {U'c', 0}, {0, 0}};
    const std::vector<std::uint8_t> odd(3);
    colstore::store(scratch("texts.cstore"), {{"u", letters}, {"s", bytes}, {"odd", odd}, {"misaligned", letters}});
    const auto stored = colstore::table::open(scratch("texts.cstore"));
    const auto s = stored.view<std::string_view>("s");
    CHECK(s[0] == "abc" && s[1] == std::string_view("a\0c", 3) && s[2].empty());
    const auto u = stored.view<std::u32string_view>("u");
    CHECK(u[0] == U"\u00e4b" && u[1] == U"c" && u[2].empty());
    CHECK(same(stored.view<std::array<char, 3>>("s"), bytes));
    // After 24 bytes of u, 9 of s and 3 of odd comes an aligned address; after one row less it would not.
    CHECK(stored.read("misaligned").as<std::u32string_view>()[1] == U"c");
    const auto more = colstore::table::open(golden("all_dtypes_single.cstore"));
    THROWS(not_contiguous, more.view<std::u32string_view>("u3"));
    CHECK(more.read("u3").as<std::u32string_view>().size() == 9);
}

TEST(views_of_any_type_are_visited)
{
    for (const char *name :
         {"all_dtypes_single.cstore", "strings.cstore", "quirk_zero_width.cstore", "empty_table.cstore"}) {
        const auto table = colstore::table::open(golden(name));
        for (const colstore::column_info &info : table.schema()) {
            const auto view = table.view(info.name);
            const auto values = table.read(info.name);
            CHECK(view.size() == values.size() && view.itemsize() == info.dtype.itemsize());
            CHECK(same_bytes(view.data(), values.data(), values.size_bytes()));
            if (info.dtype.kind() == 'U') {
                continue;
            }
            const auto equal = [&](const auto &lent) {
                using value = typename std::decay_t<decltype(lent)>::value_type;
                const auto copied = values.as<value>();
                bool same = lent.size() == copied.size();
                for (std::size_t i = 0; same && i < lent.size(); ++i) {
                    const value a = lent[i], b = copied[i];
                    if constexpr (std::is_same_v<value, std::string_view>) {
                        same = a == b;
                    } else {
                        same = std::memcmp(&a, &b, sizeof a) == 0;
                    }
                }
                return same;
            };
            CHECK(view.visit(equal));
        }
    }
}

TEST(what_is_not_mapped_is_not_lent)
{
    colstore::open_options options;
    options.backend = colstore::backend::pread;
    const auto table = colstore::table::open(golden("dtype/i4.cstore"), options);
    THROWS(not_contiguous, table.view<std::int32_t>(0));
    CHECK(!table.view_if_contiguous<std::int32_t>(0) && table.read<std::int32_t>(0).size() == 5);
    const auto swapped = colstore::table::open(golden("foreign/big_endian_dtypes.cstore"));
    THROWS(not_contiguous, swapped.view<std::int32_t>("a"));
    CHECK(swapped.schema().at("a").dtype.big_endian() && swapped.read<std::int32_t>("a")[0] == 1);
}
