/// @file
/// What the header of a file says, without opening it for reading.

#ifndef COLSTORE_INFO_HPP
#define COLSTORE_INFO_HPP

#include <cstdint>

#include <colstore/error.hpp>
#include <colstore/path.hpp>
#include <colstore/schema.hpp>

namespace colstore {

/// What the header of a file says.
struct file_info {
    std::uint32_t format_version; ///< The version of the file format, 1.
    std::int64_t n_rows;          ///< Committed rows.
    std::int64_t n_records;       ///< Committed records.
    std::int64_t file_size;       ///< Size of the whole file in bytes.
    colstore::schema schema;      ///< The columns.
};

/// Reads the header of the file at `path`, and nothing else of it: damage behind the header is not seen.
///
/// @throws error as table::open does.
[[nodiscard]] inline file_info read_info(path_ref path)
{
    require_abi();
    ::colstore_error *err = nullptr;
    ::colstore_info info{};
    info.size = sizeof info;
    ::colstore_schema *columns = nullptr;
    detail::check(::colstore_info_read(path.bytes().data(), path.bytes().size(), &info, &columns, &err), err);
    return {info.format_version, info.n_rows, info.n_records, info.file_size, schema(columns)};
}

} // namespace colstore

#endif
