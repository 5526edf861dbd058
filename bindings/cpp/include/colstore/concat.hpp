/// @file
/// Tables of many files.

#ifndef COLSTORE_CONCAT_HPP
#define COLSTORE_CONCAT_HPP

#include <string>
#include <utility>
#include <vector>

#include <colstore/error.hpp>
#include <colstore/path.hpp>
#include <colstore/table.hpp>

namespace colstore {

/// What concat_common gives.
struct common_table {
    colstore::table table;            ///< The tables end to end, with the columns that all of them have.
    std::vector<std::string> dropped; ///< The names of the columns that were left out, sorted.
};

/// @cond INTERNAL
namespace detail {

inline const ::colstore_table *handle_in(const table &one) noexcept
{
    return one.c_handle();
}
inline const ::colstore_table *handle_in(const table *one) noexcept
{
    return one->c_handle();
}

template <class Tables>
common_table concat(const Tables &tables, std::int32_t on_mismatch, bool names_wanted)
{
    std::vector<const ::colstore_table *> handles;
    for (const auto &one : tables) {
        handles.push_back(handle_in(one));
    }
    ::colstore_error *err = nullptr;
    ::colstore_table *made = nullptr;
    ::colstore_names *names = nullptr;
    check(::colstore_table_concat(handles.data(), handles.size(), on_mismatch, &made, names_wanted ? &names : nullptr,
                                  &err),
          err);
    const names_handle owned(names);
    table whole(made);
    return {std::move(whole), names_wanted ? texts_of(names) : std::vector<std::string>()};
}

} // namespace detail
/// @endcond

/// Puts tables end to end, without reading a file; they may be gone afterwards. `tables` is a container of tables or of
/// pointers to tables. The order of their columns may differ.
///
/// @throws error with status::invalid_argument if columns differ.
template <class Tables>
[[nodiscard]] table concat(const Tables &tables)
{
    return detail::concat(tables, COLSTORE_ON_MISMATCH_STRICT, false).table;
}

/// The same, without the columns that not every table has with the same dtype.
///
/// @throws error with status::invalid_argument if no column remains.
template <class Tables>
[[nodiscard]] common_table concat_common(const Tables &tables)
{
    return detail::concat(tables, COLSTORE_ON_MISMATCH_DROP, true);
}

/// Opens all files that `path` stands for (a directory, a pattern, a file; see expand_paths) as one table.
///
/// @throws error with status::not_found if there are none, and what table::open and concat throw.
[[nodiscard]] inline table open_all(path_ref path, const open_options &options = {})
{
    std::vector<table> tables;
    for (const std::string &file : expand_paths(path)) {
        tables.push_back(table::open(file, options));
    }
    if (tables.empty()) {
        throw error(status::not_found, "there are no .cstore files in '" + std::string(path.bytes()) + "'");
    }
    return tables.size() == 1 ? std::move(tables.front()) : concat(tables);
}

} // namespace colstore

#endif
