// The query suite of all languages: every case with the C++ interface gives what NumPy gives, bit for bit.

#include "suite.hpp"

#include <set>

using namespace check;

namespace {

// The tables of the suite, each in a file of two records, so that blocks end inside of it.
std::map<std::string, colstore::table> stored(const suite::document &all)
{
    std::map<std::string, colstore::table> tables;
    for (const auto &[name, columns] : all.tables) {
        std::string path = scratch("suite-" + name + ".cstore");
        path.replace(path.rfind('/'), 1, "-");
        auto out = colstore::writer::open(path);
        std::vector<std::string> bytes;
        for (const auto &column : columns) {
            bytes.push_back(suite::bytes_of(column.second));
        }
        for (const std::size_t half : {0U, 1U}) {
            std::vector<colstore::column_data> record;
            for (std::size_t i = 0; i < columns.size(); ++i) {
                const suite::spelled &of = columns[i].second;
                const std::size_t n = of.values.size(), size = colstore::dtype::parse(of.dtype).itemsize();
                const std::size_t first = half * (n / 2), stop = half == 0 ? n / 2 : n;
                record.emplace_back(columns[i].first, of.dtype, bytes[i].data() + first * size,
                                    static_cast<std::int64_t>(stop - first), static_cast<std::int64_t>(size));
            }
            out.write(record);
        }
        out.close();
        tables.emplace(name, colstore::table::open(path));
    }
    return tables;
}

colstore::expr literal_of(const suite::spelled &of)
{
    const std::string &value = of.values.at(0);
    if (of.dtype == "bool") {
        return colstore::literal(value == "True");
    }
    if (of.dtype == "int") {
        return colstore::integer(value);
    }
    if (of.dtype == "float") {
        return colstore::literal(std::strtod(value.c_str(), nullptr));
    }
    if (of.dtype == "str") {
        return colstore::literal(value);
    }
    if (of.dtype == "bytes") {
        std::string bytes;
        for (const std::uint32_t point : suite::code_points(value)) {
            bytes += static_cast<char>(static_cast<unsigned char>(point));
        }
        return colstore::bytes(bytes);
    }
    const std::string bytes = suite::bytes_of(of);
    return colstore::constant(of.dtype, bytes.data(), bytes.size());
}

colstore::params params_of(const suite::one_case &one)
{
    colstore::params made;
    for (const auto &[name, value] : one.params) {
        made.set({name, literal_of(value)});
    }
    for (const auto &[name, values] : one.sets) {
        const std::string bytes = suite::bytes_of(values);
        const std::size_t size = colstore::dtype::parse(values.dtype).itemsize();
        const auto stride = static_cast<std::ptrdiff_t>(size);
        const colstore::elements<char> apart(bytes.data(), values.values.size(), stride, size);
        made.set({name, colstore::value_set(values.dtype, apart)});
    }
    return made;
}

// Equal bytes; any NaN equals any other.
bool same_values(const colstore::dtype &type, const std::byte *found, const std::string &expected)
{
    const std::size_t size = type.itemsize();
    const auto is_nan = [&](const void *at) {
        const auto of = [&](auto value) {
            std::memcpy(&value, at, sizeof value);
            return static_cast<double>(value) != static_cast<double>(value);
        };
        return type.kind() == 'f' && (size == 8 ? of(double{}) : size == 4 ? of(float{}) : of(colstore::float16{}));
    };
    for (std::size_t at = 0; at < expected.size(); at += size) {
        if (std::memcmp(found + at, expected.data() + at, size) != 0 &&
            !(is_nan(found + at) && is_nan(expected.data() + at))) {
            return false;
        }
    }
    return true;
}

colstore::status status_of(const std::string &kind)
{
    const std::map<std::string, colstore::status> all{{"query", colstore::status::query},
                                                      {"type", colstore::status::type},
                                                      {"overflow", colstore::status::overflow},
                                                      {"value", colstore::status::value}};
    return all.at(kind);
}

std::string shown(const std::vector<std::int64_t> &rows)
{
    std::string text = "rows";
    for (const std::int64_t row : rows) {
        text += ' ' + std::to_string(row);
    }
    return text;
}

// What is wrong with a condition, if anything.
std::string check_condition(const suite::one_case &one, const colstore::table &table)
{
    std::vector<std::int64_t> found;
    try {
        found = table.rows_where(one.text, params_of(one)).positions();
    } catch (const colstore::error &failure) {
        const bool expected = !one.error.empty() && failure.status() == status_of(one.error) &&
                              std::string(failure.what()).find(one.fragment) != std::string::npos;
        return expected ? "" : std::string(colstore::status_name(failure.status())) + ": " + failure.what();
    }
    if (!one.rows) {
        return shown(found) + " where there is an error: " + one.error;
    }
    if (found != *one.rows) {
        return shown(found) + ", NumPy has " + shown(*one.rows);
    }
    // The same as a cut of a frame, and in the values of its first column.
    const auto frame = table.edit().filter(one.text, params_of(one));
    if (frame.rows().positions() != found) {
        return "a frame has other rows: " + shown(frame.rows().positions());
    }
    const auto expected = table.read(0, colstore::rows::indices(table.n_rows(), found));
    const auto values = frame.read(0);
    return same_bytes(values.data(), expected.data(), expected.size_bytes()) ? "" : "a frame has other values";
}

// What is wrong with a value, if anything.
std::string check_value(const suite::one_case &one, const colstore::table &table)
{
    std::vector<colstore::expr> operands;
    for (const std::string &text : one.operands) {
        operands.push_back(colstore::expr::parse(text));
    }
    const colstore::expr value = one.function.empty() ? colstore::expr::parse(one.text, params_of(one))
                                                      : colstore::call(one.function, operands);
    if (value.dtype_text(table) != one.result->dtype) {
        return "it has dtype " + value.dtype_text(table) + ", in NumPy " + one.result->dtype;
    }
    const auto found = table.edit().evaluate(value);
    const std::string expected = suite::bytes_of(*one.result);
    if (found.size_bytes() != expected.size() || !same_values(found.dtype(), found.data(), expected)) {
        return "other values than NumPy's";
    }
    return "";
}

} // namespace

TEST(every_case_of_the_suite_gives_what_numpy_gives)
{
    const suite::document all = suite::load(golden("../query/suite.txt"));
    const auto tables = stored(all);
    std::set<std::string> run;
    for (const suite::one_case &one : all.cases) {
        std::string wrong;
        try {
            const colstore::table &table = tables.at(one.table);
            wrong = one.result ? check_value(one, table) : check_condition(one, table);
        } catch (const std::exception &failure) {
            wrong = std::string("it throws ") + failure.what();
        }
        that(wrong.empty(), (one.id + " `" + one.function + one.text + "`: " + wrong).c_str(), __FILE__, __LINE__);
        run.insert(one.id);
    }
    CHECK(all.n_cases >= 450 && run.size() == all.n_cases);
}
