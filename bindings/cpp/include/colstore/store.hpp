/// @file
/// colstore::store: writing a file from columns or structs.

#ifndef COLSTORE_STORE_HPP
#define COLSTORE_STORE_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <colstore/element.hpp>
#include <colstore/error.hpp>
#include <colstore/path.hpp>
#include <colstore/progress.hpp>
#include <colstore/record.hpp>
#include <colstore/span.hpp>

namespace colstore {

/// What to do with a file that exists at the path.
enum class store_mode : std::int32_t {
    create = COLSTORE_STORE_MODE_CREATE,    ///< Fail with status::already_exists.
    recreate = COLSTORE_STORE_MODE_RECREATE ///< Replace it, once the new one is complete.
};

/// What a new file survives.
enum class durability : std::int32_t {
    process = COLSTORE_DURABILITY_PROCESS, ///< The end of the process.
    disk = COLSTORE_DURABILITY_DISK        ///< A power cut: everything is flushed.
};

/// How a file is written.
struct store_options {
    store_mode mode = store_mode::create;                            ///< What becomes of a file that is there.
    bool statistics = false;                                         ///< Record least and greatest values.
    colstore::durability durability = colstore::durability::process; ///< What the file survives.
    int max_threads = 0;                                             ///< 0 for the library's choice.
    colstore::progress *progress = nullptr;                          ///< Watches and can cancel; may be null.
};

/// A column to store: a name, and values in memory that it does not own, which must live until they are stored.
class column_data {
public:
    /// The elements of a container that has them side by side.
    template <class Values>
    column_data(std::string_view name, const Values &values)
        : column_data(name, text_of<std::remove_cv_t<detail::element_of<const Values>>>(), std::data(values),
                      static_cast<std::int64_t>(std::size(values)),
                      static_cast<std::int64_t>(sizeof(*std::data(values))))
    {
    }

    /// The same with a dtype given as text, in any of NumPy's spellings: for times without a unit in C++, and for bytes
    /// that are other values.
    template <class Values>
    column_data(std::string_view name, std::string_view dtype, const Values &values)
        : column_data(name, dtype, std::data(values), static_cast<std::int64_t>(std::size(values)),
                      static_cast<std::int64_t>(sizeof(*std::data(values))))
    {
    }

    /// `n_rows` values of a dtype given as text, the first at `data`, `stride` bytes apart: the itemsize in an array;
    /// it may be larger, negative or 0.
    column_data(std::string_view name, std::string_view dtype, const void *data, std::int64_t n_rows,
                std::int64_t stride)
        : name_(name), dtype_(dtype), data_(data), n_rows_(n_rows), stride_(stride)
    {
    }

    /// That of the C interface; it borrows the texts from this object.
    [[nodiscard]] ::colstore_column_data raw() const noexcept
    {
        ::colstore_column_data raw{};
        raw.size = sizeof raw;
        raw.name = name_.data();
        raw.name_len = name_.size();
        raw.dtype = dtype_.data();
        raw.dtype_len = dtype_.size();
        raw.data = data_;
        raw.n_rows = n_rows_;
        raw.stride = stride_;
        return raw;
    }

private:
    template <class T>
    static std::string text_of()
    {
        detail::require_element<T>();
        static_assert(!std::is_same_v<T, datetime> && !std::is_same_v<T, timedelta>,
                      "a count has no unit: give the dtype as text, or use a type of std::chrono");
        return element<T>::dtype_text();
    }

    std::string name_;
    std::string dtype_;
    const void *data_;
    std::int64_t n_rows_;
    std::int64_t stride_;
};

/// The members of the structs of an array as columns, where they lie.
template <class S>
[[nodiscard]] std::vector<column_data> columns_of(const record<S> &fields, span<const S> structs)
{
    std::vector<column_data> columns;
    for (const field<S> &member : fields.fields()) {
        const auto *first = reinterpret_cast<const std::byte *>(structs.data());
        columns.emplace_back(member.column(), member.dtype_text(),
                             static_cast<const void *>(structs.empty() ? nullptr : first + member.offset()),
                             static_cast<std::int64_t>(structs.size()), static_cast<std::int64_t>(sizeof(S)));
    }
    return columns;
}

/// Writes a new file with the given columns, all at once. After a failure or a cancel the path is as it was before.
///
/// @throws error with status::already_exists, status::unsupported_type, status::invalid_argument for columns that
/// cannot be stored, status::no_space, status::cancelled, and if the operating system refuses.
inline void store(path_ref path, span<const column_data> columns, const store_options &options = {})
{
    require_abi();
    std::vector<::colstore_column_data> raw;
    raw.reserve(columns.size());
    for (const column_data &column : columns) {
        raw.push_back(column.raw());
    }
    ::colstore_store_options raw_options{};
    raw_options.size = sizeof raw_options;
    raw_options.mode = static_cast<std::int32_t>(options.mode);
    raw_options.statistics = options.statistics ? 1 : 0;
    raw_options.durability = static_cast<std::int32_t>(options.durability);
    raw_options.max_threads = options.max_threads;
    raw_options.progress = detail::handle_of(options.progress);
    ::colstore_error *err = nullptr;
    detail::check(
        ::colstore_store(path.bytes().data(), path.bytes().size(), raw.data(), raw.size(), &raw_options, &err), err,
        options.progress);
}

/// The same for columns listed between braces: `colstore::store("events.cstore", {{"x", x}, {"id", id}})`.
inline void store(path_ref path, std::initializer_list<column_data> columns, const store_options &options = {})
{
    store(path, span<const column_data>(columns.begin(), columns.size()), options);
}

} // namespace colstore

#endif
