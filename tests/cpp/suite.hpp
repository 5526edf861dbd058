// The query suite in its flat form, tests/data/query/suite.txt: tables and cases, with what NumPy gives for them.
// tests/data/query/README.md says how it is written.

#ifndef SUITE_HPP
#define SUITE_HPP

#include "check.hpp"

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

namespace suite {

using fields = std::vector<std::string>;

// A dtype, and its values as they are spelled.
struct spelled {
    std::string dtype;
    fields values;
};

// A case: the lines that belong to it, by their keyword.
struct one_case {
    std::string id, table;
    std::vector<std::pair<std::string, spelled>> params, sets;
    std::string text, function;
    fields operands;
    std::optional<std::vector<std::int64_t>> rows;
    std::optional<spelled> result;
    std::string error, fragment;
};

struct document {
    std::size_t n_cases = 0;
    std::map<std::string, std::vector<std::pair<std::string, spelled>>> tables;
    std::vector<one_case> cases;
};

inline void append_utf8(std::string &text, unsigned long code)
{
    const auto byte = [&](unsigned long value) { text += static_cast<char>(static_cast<unsigned char>(value)); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f));
    } else {
        byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 0x3f)), byte(0x80 | (code >> 6 & 0x3f));
        byte(0x80 | (code & 0x3f));
    }
}

// The fields of a line, without their escapes.
inline fields split(const std::string &line)
{
    fields found(1);
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\t') {
            found.emplace_back();
        } else if (line[i] != '\\') {
            found.back() += line[i];
        } else if (const char escape = line.at(++i); escape == 'u') {
            append_utf8(found.back(), std::stoul(line.substr(i + 1, 6), nullptr, 16));
            i += 6;
        } else {
            found.back() += escape == 't' ? '\t' : escape == 'n' ? '\n' : escape == 'r' ? '\r' : escape;
        }
    }
    return found;
}

inline spelled spelled_from(const fields &line, std::size_t first)
{
    return {line.at(first), fields(line.begin() + static_cast<std::ptrdiff_t>(first) + 1, line.end())};
}

inline document load(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::runtime_error(path + " cannot be read");
    }
    document made;
    std::string text, table;
    while (std::getline(file, text)) {
        if (text.empty() || text[0] == '#') {
            continue;
        }
        const fields line = split(text);
        const std::string &keyword = line[0];
        one_case *const last = made.cases.empty() ? nullptr : &made.cases.back();
        if (keyword == "cases") {
            made.n_cases = std::stoul(line.at(1));
        } else if (keyword == "table") {
            table = line.at(1);
            made.tables[table];
        } else if (keyword == "column") {
            made.tables.at(table).emplace_back(line.at(1), spelled_from(line, 2));
        } else if (keyword == "case") {
            made.cases.emplace_back();
            made.cases.back().id = line.at(1);
            made.cases.back().table = line.at(2);
        } else if (last == nullptr) {
            throw std::runtime_error(keyword + " before the first case");
        } else if (keyword == "param") {
            last->params.emplace_back(line.at(1), spelled_from(line, 2));
        } else if (keyword == "paramset") {
            last->sets.emplace_back(line.at(1), spelled_from(line, 2));
        } else if (keyword == "query" || keyword == "value") {
            last->text = line.at(1);
        } else if (keyword == "call") {
            last->function = line.at(1);
            last->operands = fields(line.begin() + 2, line.end());
        } else if (keyword == "rows") {
            last->rows.emplace();
            for (std::size_t i = 1; i < line.size(); ++i) {
                last->rows->push_back(std::stoll(line[i]));
            }
        } else if (keyword == "result") {
            last->result = spelled_from(line, 1);
        } else if (keyword == "error") {
            last->error = line.at(1);
            last->fragment = line.at(2);
        } else {
            throw std::runtime_error("no statement is called " + keyword);
        }
    }
    return made;
}

// The code points of UTF-8.
inline std::vector<std::uint32_t> code_points(const std::string &text)
{
    std::vector<std::uint32_t> found;
    for (const char one : text) {
        const auto byte = static_cast<unsigned char>(one);
        if ((byte & 0xc0) == 0x80) {
            found.back() = found.back() << 6 | (byte & 0x3fU);
        } else {
            found.push_back(byte < 0x80 ? byte : byte < 0xe0 ? byte & 0x1fU : byte < 0xf0 ? byte & 0x0fU : byte & 7U);
        }
    }
    return found;
}

template <class T>
void append(std::string &bytes, const T &value, std::size_t size = sizeof(T))
{
    bytes.append(reinterpret_cast<const char *>(&value), size);
}

inline void append_float(std::string &bytes, const std::string &text, std::size_t size)
{
    const double value = std::strtod(text.c_str(), nullptr);
    if (size == 8) {
        append(bytes, value);
    } else if (size == 4) {
        append(bytes, static_cast<float>(value));
    } else {
        // The halves of the files are exact, so that the search finds them.
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            const colstore::float16 half{static_cast<std::uint16_t>(bits)};
            const auto other = static_cast<double>(half);
            if (std::memcmp(&other, &value, sizeof value) == 0 || (other != other && value != value)) {
                append(bytes, half.bits);
                return;
            }
        }
        throw std::runtime_error(text + " is no float16");
    }
}

// Values as the bytes that a file has.
inline std::string bytes_of(const spelled &of)
{
    const colstore::dtype type = colstore::dtype::parse(of.dtype);
    std::string bytes;
    for (const std::string &value : of.values) {
        const std::size_t end = bytes.size() + type.itemsize();
        switch (type.kind()) {
        case 'b': bytes += value == "True" ? '\1' : '\0'; break;
        case 'f': append_float(bytes, value, type.itemsize()); break;
        case 'u': append(bytes, std::stoull(value), type.itemsize()); break;
        case 'S':
            for (const std::uint32_t point : code_points(value)) {
                bytes += static_cast<char>(static_cast<unsigned char>(point));
            }
            break;
        case 'U':
            for (const std::uint32_t point : code_points(value)) {
                append(bytes, point);
            }
            break;
        default: append(bytes, value == "NaT" ? colstore::not_a_time : std::stoll(value), type.itemsize());
        }
        if (bytes.size() > end) {
            throw std::runtime_error(value + " does not fit into " + of.dtype);
        }
        bytes.resize(end, '\0');
    }
    return bytes;
}

} // namespace suite

#endif
