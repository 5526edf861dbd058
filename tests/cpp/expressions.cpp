// Expressions: operators, functions and constants, what they print as and select; text with parameters; sets; what is
// refused, and where in the text.

#include "events.hpp"

#include <list>
#include <set>
#include <sstream>
#include <thread>

using namespace check;
using colstore::col;
using colstore::expr;

namespace {

// Whether two expressions are the same text.
bool same_text(const expr &a, const expr &b)
{
    return a.print() == b.print();
}

} // namespace

TEST(operators_are_those_of_the_text)
{
    const expr a = col("a"), b = col("b");
    CHECK((a + b).print() == "a + b" && (a - b).print() == "a - b" && (a * b).print() == "a * b");
    CHECK((a / b).print() == "a / b" && (a % b).print() == "a % b" && (-a).print() == "-a" && (+a).print() == "+a");
    CHECK((a == b).print() == "a == b" && (a != b).print() == "a != b" && (a < b).print() == "a < b");
    CHECK((a <= b).print() == "a <= b" && (a > b).print() == "a > b" && (a >= b).print() == "a >= b");
    CHECK((a && b).print() == "a and b" && (a || b).print() == "a or b" && (!a).print() == "not a");
    CHECK((a & b).print() == "a & b" && (a | b).print() == "a | b" && (a ^ b).print() == "a ^ b");
    CHECK((~a).print() == "~a" && (a + b * a).print() == "a + b * a" && ((a + b) * a).print() == "(a + b) * a");
    CHECK(same_text(a << b, colstore::call("left_shift", {a, b})));
    CHECK(same_text(a >> b, colstore::call("right_shift", {a, b})));
    CHECK(to_string(a) == "a");
}

TEST(values_stand_on_both_sides)
{
    const expr a = col("a");
    CHECK((a + 1).print() == "a + 1" && (1 + a).print() == "1 + a" && (1 - a).print() == "1 - a");
    CHECK((2.5 * a).print() == "2.5 * a" && (a / 0.5F).print() == "a / 0.5" && (a % 3U).print() == "a % 3");
    CHECK((1 < a).print() == "1 < a" && (1 == a).print() == "1 == a" && (a != 2).print() == "a != 2");
    CHECK((a == "it's").print() == "a == 'it\\'s'" && ("b" != a).print() == "'b' != a");
    CHECK((a == std::string("c")).print() == "a == 'c'" && (a == std::string_view("d")).print() == "a == 'd'");
    CHECK((a == true).print() == "a == True" && (a == colstore::boolean(false)).print() == "a == False");
    CHECK((a == std::nullopt).print() == "a == None" && (a || true).print() == "a or True");
    CHECK((a == INT64_MIN).print() == "a == -9223372036854775808");
    CHECK((a == UINT64_MAX).print() == "a == 18446744073709551615");
    CHECK((a == std::int8_t{-1}).print() == "a == -1" && (a == std::uint8_t{255}).print() == "a == 255");
    CHECK((a == colstore::bytes(std::string_view("a\0b", 3))).print() == "a == b'a\\x00b'");
    CHECK((a == colstore::integer("123456789012345678901234567890")).print() == "a == 123456789012345678901234567890");
    CHECK(colstore::integer("0xff").print() == "255" && colstore::literal(7).print() == "7");
    THROWS(value, colstore::integer("ten"));
    THROWS(invalid_argument, colstore::literal("a\xff"));
    THROWS(invalid_argument, col("\xff"));
}

TEST(plain_values_are_weak_and_constants_are_not)
{
    const auto table = events::open("expressions.cstore");
    CHECK((col("f") + 0.1).dtype_text(table) == "<f4" && (col("f") + 1).dtype_text(table) == "<f4");
    CHECK((col("u") + 1).dtype_text(table) == "|u1" && (col("u") + 1LL).dtype_text(table) == "|u1");
    CHECK((col("f") + colstore::constant(0.1)).dtype_text(table) == "<f8");
    CHECK((col("f") + colstore::constant<float>(0.1F)).dtype_text(table) == "<f4");
    CHECK((col("u") + colstore::constant<std::int16_t>(1)).dtype_text(table) == "<i2");
    CHECK((col("u") + colstore::constant(true)).dtype_text(table) == "|u1");
    CHECK(colstore::literal(1).dtype_text(table) == "<i8" && colstore::literal(1.5F).dtype_text(table) == "<f8");
    CHECK(colstore::constant(colstore::float16{0x3c00}).dtype_text(table) == "<f2");
    CHECK(colstore::constant(std::array<char, 3>{'a'}).dtype_text(table) == "|S3");
    CHECK(colstore::constant("<M8[25s]", colstore::datetime{7}).dtype_text(table) == "<M8[25s]");
    const colstore::dtype type = (col("n") / 2).dtype(table);
    CHECK(type.kind() == 'f' && type.itemsize() == 8);
    THROWS(overflow, (col("u") + 256).dtype_text(table));
    THROWS(value, colstore::constant("<f8", 1.5F));
    THROWS(value, colstore::constant(">f4", 1.5F));
    THROWS(unsupported_type, colstore::constant("c8", 1.5));
    CHECK(events::matches(table, col("f") < colstore::constant(0.25)) == 0);
}

TEST(expressions_select_rows)
{
    const auto table = events::open("expressions.cstore");
    CHECK(events::matches(table, col("x") > 1) == 0x1a && events::matches(table, "x > 1") == 0x1a);
    CHECK(events::matches(table, std::string("x > 1 and n in [2, 3, 5]")) == 0x12);
    CHECK(events::matches(table, col("x") < 0 && col("b")) == 0x04);
    CHECK(events::matches(table, !col("b")) == 0x2a && events::matches(table, ~col("b")) == 0x2a);
    CHECK(events::matches(table, col("n") % 2 == 0 || col("u") == 0) == 0x2b);
    CHECK(events::matches(table, (col("n") & 4) != 0) == 0x38 && events::matches(table, (col("n") >> 1) == 1) == 0x06);
    CHECK(events::matches(table, col("s") == "bb") == 0x12 && events::matches(table, col("t") == "bb") == 0x02);
    CHECK(events::matches(table, col("s") == std::array<char, 3>{'a'}) == 0x09);
    CHECK(events::matches(table, col("s") == colstore::bytes("\xe9")) == 0x20);
    CHECK(events::matches(table, col("d") > events::second(events::seconds(86400))) == 0x24);
    CHECK(events::matches(table, col("d") - events::second() > std::chrono::hours(24)) == 0x24);
    CHECK(events::matches(table, isnat(col("d"))) == 0x08);
    CHECK(events::matches(table, abs(col("x")) <= 2.5) == 0x07);
    CHECK(events::matches(table, round(col("x")) == 2) == 0x02);
    CHECK(events::matches(table, clip(col("x"), std::nullopt, 3) == 3) == 0x18);
    CHECK(events::matches(table, where(col("b"), col("n"), 0) == 3) == 0x04);
    CHECK(events::matches(table, hypot(3.0, col("n")) == 5) == 0x08);
    CHECK(events::matches(table, colstore::cast<std::int8_t>(col("u")) < 0) == 0x38);
    // -3 to the power of a half is no number.
    colstore::flags met;
    const colstore::compute_options options{1, nullptr, &met};
    CHECK(table.rows_where(sqrt(col("x")) > 2, {}, options).count() == 1 && !met.has(colstore::flag::divide));
    CHECK(under_valgrind() || (met.has(colstore::flag::invalid) && met.any()));
}

TEST(every_function_has_its_name)
{
    const expr a = col("a"), b = col("b");
    const auto is = [&](const expr &made, const char *name) {
        that(same_text(made, colstore::call(name, {a})), name, __FILE__, __LINE__);
    };
    const auto is2 = [&](const expr &made, const char *name) {
        that(same_text(made, colstore::call(name, {a, b})), name, __FILE__, __LINE__);
    };
#define ONE(name) is(name(a), #name)
#define TWO(name) is2(name(a, b), #name)
    ONE(negative), ONE(positive), ONE(absolute), ONE(abs), ONE(fabs), ONE(sign), ONE(square), ONE(reciprocal);
    ONE(sqrt), ONE(cbrt), ONE(logical_not), ONE(invert), ONE(floor), ONE(ceil), ONE(trunc), ONE(rint), ONE(isnan);
    ONE(isinf), ONE(isfinite), ONE(isnat), ONE(signbit), ONE(spacing), ONE(exp), ONE(exp2), ONE(expm1), ONE(log);
    ONE(log2), ONE(log10), ONE(log1p), ONE(sin), ONE(cos), ONE(tan), ONE(arcsin), ONE(arccos), ONE(arctan), ONE(sinh);
    ONE(cosh), ONE(tanh), ONE(arcsinh), ONE(arccosh), ONE(arctanh), ONE(asin), ONE(acos), ONE(atan), ONE(asinh);
    ONE(acosh), ONE(atanh), ONE(degrees), ONE(rad2deg), ONE(radians), ONE(deg2rad);
    TWO(add), TWO(subtract), TWO(multiply), TWO(true_divide), TWO(floor_divide), TWO(remainder), TWO(fmod), TWO(power);
    TWO(pow), TWO(float_power), TWO(hypot), TWO(gcd), TWO(lcm), TWO(equal), TWO(not_equal), TWO(less), TWO(less_equal);
    TWO(greater), TWO(greater_equal), TWO(maximum), TWO(minimum), TWO(fmax), TWO(fmin), TWO(logical_and);
    TWO(logical_or), TWO(logical_xor), TWO(bitwise_and), TWO(bitwise_or), TWO(bitwise_xor), TWO(left_shift);
    TWO(right_shift), TWO(copysign), TWO(nextafter), TWO(ldexp), TWO(heaviside), TWO(logaddexp), TWO(logaddexp2);
    TWO(arctan2), TWO(atan2);
#undef ONE
#undef TWO
    CHECK(same_text(where(a, 1, "x"), colstore::call("where", {a, 1, "x"})));
    CHECK(same_text(clip(a, 0, std::nullopt), colstore::call("clip", {a, 0, std::nullopt})));
    CHECK(same_text(minimum(1, a), colstore::call("minimum", {1, a})));
    CHECK(round(a, 2).print().find('2') != std::string::npos && !same_text(round(a, 2), round(a, -2)));
    CHECK(same_text(colstore::cast<float>(a), cast(a, "f4")) && !same_text(cast(a, "f4"), cast(a, "f8")));
    std::vector<expr> operands;
    operands.push_back(col("a"));
    operands.push_back(col("b"));
    CHECK(same_text(colstore::call("add", operands), a + b));
    THROWS(value, colstore::call("eval", {a}));
    THROWS(value, colstore::call("add", {a}));
    THROWS(value, colstore::call("add", {}));
    THROWS(unsupported_type, cast(a, "object"));
    CHECK(colstore::is_exact("add", "<f8") && !colstore::is_exact("exp", "<f8") && !colstore::is_exact("eval", "<f8"));
}

TEST(texts_have_parameters)
{
    const auto table = events::open("expressions.cstore");
    const expr parsed = expr::parse("x >= @limit or n in @runs", {{"limit", 1.5}, {"runs", {2, 6}}});
    CHECK(events::matches(table, parsed) == 0x3a);
    CHECK(parsed.columns() == std::vector<std::string>{"x", "n"} && colstore::literal(1).columns().empty());
    colstore::params values{{"cut", 3.0}, {"tags", std::vector<std::string>{"a", "bb"}}, {"day", events::second()}};
    CHECK(events::matches(table, expr::parse("x > @cut", values)) == 0x18);
    CHECK(events::matches(table, expr::parse("s in @tags and d >= @day", values)) == 0x03);
    values.set({"cut", colstore::constant(4.0F)});
    CHECK(events::matches(table, expr::parse("x > @cut", values)) == 0x10);
    values.set({"runs", std::array<int, 2>{1, 3}});
    CHECK(events::matches(table, expr::parse("n in @runs", values)) == 0x05);
    values.set({"runs", colstore::value_set("<i8", std::vector<std::uint64_t>{5})});
    values.set({"tags", {"ccc", colstore::bytes("a")}});
    CHECK(events::matches(table, expr::parse("n in @runs or s in @tags", values)) == 0x1d);
    CHECK(table.rows_where("n == @one", {{"one", 1}}).count() == 1);
    CHECK(table.rows_where("n > @one", {{"one", 1}}, {0, 3}).positions() == std::vector<std::int64_t>{1, 2});
    CHECK(table.rows_where("t == @text", {{"text", "ab"}}).count() == 1);
    THROWS(invalid_argument, values.set({"cut", col("x")}));
    THROWS(invalid_argument, values.set({"cut", {col("x")}}));
    THROWS(query, expr::parse("x > @other", values));
    THROWS(query, expr::parse("x > @cut"));
    THROWS(type, expr::parse("x > @runs", values));
}

TEST(values_are_found_in_sets)
{
    const auto table = events::open("expressions.cstore");
    CHECK(events::matches(table, isin(col("n"), {2, 4, 6})) == 0x2a);
    CHECK(events::matches(table, not_in(col("n"), {2, 4, 6})) == 0x15);
    CHECK(events::matches(table, isin(col("x"), {1.5, 3, "a", std::nullopt})) == 0x02);
    CHECK(events::matches(table, isin(col("n"), std::vector<double>{1, 2.5, 3})) == 0x05);
    CHECK(events::matches(table, isin(col("s"), std::vector<std::string>{"a", "ccc"})) == 0x0d);
    CHECK(events::matches(table, isin(col("t"), std::list<std::string_view>{"ab", "x"})) == 0x18);
    CHECK(events::matches(table, isin(col("s"), std::set<const char *>{"bb"})) == 0x12);
    CHECK(events::matches(table, isin(col("s"), events::s)) == 0x3f);
    CHECK(events::matches(table, isin(col("d"), events::d)) == 0x37);
    CHECK(events::matches(table, isin(col("d"), {"<M8[h]", std::vector<std::int64_t>{0, 24}})) == 0x03);
    CHECK(events::matches(table, isin(col("x"), std::vector<double>())) == 0);
    CHECK(events::matches(table, not_in(col("x"), {})) == 0x3f);
    // Values that lie apart, and those of a file.
    const colstore::elements<std::int32_t> odd(events::n.data(), 3, 8, 4);
    CHECK(events::matches(table, isin(col("n"), odd)) == 0x15);
    CHECK(events::matches(table, isin(col("s"), table.view<std::string_view>("s", {0, 1}))) == 0x09);
    const std::uint8_t big[] = {0, 3, 0, 5};
    const std::vector<std::array<std::uint8_t, 2>> as_bytes{{big[0], big[1]}, {big[2], big[3]}};
    CHECK(events::matches(table, isin(col("n"), {">i2", as_bytes})) == 0x14);
    THROWS(invalid_argument, isin(col("n"), {1, col("x")}));
    THROWS(unsupported_type, colstore::value_set("c16", std::vector<double>(2)));
}

TEST(mistakes_in_a_text_are_shown_in_their_place)
{
    const auto table = events::open("expressions.cstore");
    const auto syntax = THROWS(query, expr::parse("x > and n"));
    CHECK(syntax.span() && syntax.span()->start == 4 && syntax.span()->stop == 7 && syntax.callback_code() == 0);
    const auto name = THROWS(query, table.rows_where("x > 1 and y < 2"));
    CHECK(name.span() && name.span()->start == 10 && name.span()->stop == 11);
    CHECK(std::string(name.what()).find('^') != std::string::npos);
    const auto built = THROWS(query, table.rows_where(col("energy") > 1));
    CHECK(!built.span() && built.column() == "energy");
    THROWS(query, (col("x") + 1).require_condition(table));
    THROWS(query, colstore::literal(true).require_condition(table));
    (col("x") > 1).require_condition(table);
    THROWS(query, table.rows_where("x + 1"));
    THROWS(type, (-col("s")).dtype_text(table));
    THROWS(overflow, table.rows_where("u + 300 > 1"));
    THROWS(value, table.rows_where("n ** -1 > 1"));
    const auto missing = THROWS(not_found, colstore::table::open(scratch("missing.cstore")));
    CHECK(!missing.span() && missing.callback_code() == 0);
    CHECK(std::string(colstore::status_name(colstore::status::callback)) == "CALLBACK");
}

TEST(rows_are_selected_from_rows)
{
    const auto table = events::open("expressions.cstore");
    const std::vector<std::int64_t> numbers{5, 3, 3, 0};
    const auto base = colstore::rows::indices(6, numbers);
    CHECK(table.rows_where(col("x") > 0, base).positions() == std::vector<std::int64_t>{3, 3, 0});
    CHECK(table.rows_where("x > 0", {2, 4}).positions() == std::vector<std::int64_t>{3});
    CHECK(table.rows_where("x > 0", {2, 2}).count() == 0);
    CHECK(table.read<std::int32_t>("n", table.rows_where("x > 0")) == std::vector<std::int32_t>{1, 2, 4, 5});
    THROWS(value, table.rows_where("x > 0", colstore::rows::all(7)));
    THROWS(out_of_bounds, table.rows_where("x > 0", {2, 7}));
    colstore::progress watch;
    watch.cancel();
    THROWS(cancelled, table.rows_where("x + 1 > 0", {}, {1, &watch, nullptr}));
}

TEST(a_moved_from_expression_is_an_error_and_no_crash)
{
    static_assert(!std::is_copy_constructible_v<expr> && std::is_nothrow_move_constructible_v<expr>);
    static_assert(!std::is_constructible_v<bool, expr> && !std::is_copy_constructible_v<colstore::params>);
    const auto table = events::open("expressions.cstore");
    auto a = col("x") > 1;
    const auto taken = std::move(a);
    CHECK(events::matches(table, taken) == 0x1a);
    THROWS(invalid_argument, a.print());
    THROWS(invalid_argument, a.columns());
    THROWS(invalid_argument, a.dtype_text(table));
    THROWS(invalid_argument, a && taken);
    THROWS(invalid_argument, !a);
    THROWS(invalid_argument, cast(a, "f4"));
    THROWS(invalid_argument, round(a));
    THROWS(invalid_argument, isin(a, {1}));
    THROWS(invalid_argument, table.rows_where(a));
    THROWS(invalid_argument, table.rows_where(colstore::expr_ref()));
    colstore::params values{{"a", 1}};
    const auto kept = std::move(values);
    CHECK(expr::parse("x > @a", kept).print() == "x > 1");
    THROWS(invalid_argument, values.set({"a", 1}));
    colstore::value_set set{1, 2};
    const auto of_set = std::move(set);
    THROWS(invalid_argument, isin(col("x"), set));
    auto all = colstore::rows::all(6);
    const auto rows = std::move(all);
    THROWS(invalid_argument, table.rows_where("x > 1", all));
    THROWS(invalid_argument, table.reduce("x", colstore::reduction::sum, all));
    a = col("x") > 3;
    CHECK(events::matches(table, a) == 0x18);
}

TEST(expressions_are_used_by_many_threads_and_may_be_deep)
{
    const auto table = events::open("expressions.cstore");
    expr sum = col("n");
    for (int i = 0; i < 5000; ++i) {
        sum = sum + 1;
    }
    CHECK(sum.dtype_text(table) == "<i4" && events::matches(table, sum == 5003) == 0x04);
    const expr shared = col("x") > 0 && isin(col("n"), {1, 4});
    std::vector<int> found(4);
    std::vector<std::thread> threads;
    for (int &one : found) {
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) {
                one = events::matches(table, shared && col("u") < 200);
            }
        });
    }
    for (std::thread &one : threads) {
        one.join();
    }
    CHECK(found == std::vector<int>(4, 0x09));
}
