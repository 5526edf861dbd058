/// @file
/// colstore::column_data: a column to write, as values in memory; colstore::columns_of: the members of structs.

#ifndef COLSTORE_COLUMN_DATA_HPP
#define COLSTORE_COLUMN_DATA_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <colstore/column.hpp>
#include <colstore/element.hpp>
#include <colstore/error.hpp>
#include <colstore/record.hpp>
#include <colstore/span.hpp>

namespace colstore {

/// @cond INTERNAL
namespace detail {

template <class T>
std::true_type is_elements(const elements<T> *);
std::false_type is_elements(const void *);

/// Whether a type is colstore::elements, or one derived from it: values that need not lie side by side.
template <class Values>
inline constexpr bool is_strided = decltype(is_elements(static_cast<const Values *>(nullptr)))::value;

/// Bytes from one value of a container to the next.
template <class Values>
std::int64_t stride_of(const Values &values)
{
    if constexpr (is_strided<Values>) {
        return static_cast<std::int64_t>(values.stride());
    } else {
        return static_cast<std::int64_t>(sizeof(*std::data(values)));
    }
}

/// The dtype with which values of a type are stored.
template <class T>
std::string stored_as()
{
    require_element<T>();
    static_assert(!std::is_same_v<T, datetime> && !std::is_same_v<T, timedelta>,
                  "a count has no unit: give the dtype as text, or use a type of std::chrono");
    return element<T>::dtype_text();
}

/// The same for the values of a container.
template <class Values>
std::string stored_as([[maybe_unused]] const Values &values)
{
    if constexpr (is_strided<Values>) {
        using value = typename Values::value_type;
        if constexpr (std::is_same_v<value, std::string_view>) {
            return "|S" + std::to_string(values.itemsize());
        } else if constexpr (std::is_same_v<value, std::u32string_view>) {
            return "<U" + std::to_string(values.itemsize() / sizeof(char32_t));
        } else {
            return stored_as<value>();
        }
    } else {
        return stored_as<std::remove_cv_t<element_of<const Values>>>();
    }
}

} // namespace detail
/// @endcond

/// A column to write: a name, and values in memory that it does not own, which must live until they are written.
class column_data {
public:
    /// The elements of a container that has them side by side; or those of a colstore::elements or a colstore::column,
    /// which may lie apart: a member of structs, a column of a matrix, a view of another table.
    template <class Values>
    column_data(std::string_view name, const Values &values) : column_data(name, detail::stored_as(values), values)
    {
    }

    /// The same with a dtype given as text, in any of NumPy's spellings: for times without a unit in C++, and for bytes
    /// that are other values.
    template <class Values>
    column_data(std::string_view name, std::string_view dtype, const Values &values)
        : column_data(name, dtype, std::data(values), static_cast<std::int64_t>(std::size(values)),
                      detail::stride_of(values))
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

/// @cond INTERNAL
namespace detail {

/// Columns as the C interface takes them; they borrow the texts.
inline std::vector<::colstore_column_data> raw_columns(span<const column_data> columns)
{
    std::vector<::colstore_column_data> raw;
    raw.reserve(columns.size());
    for (const column_data &column : columns) {
        raw.push_back(column.raw());
    }
    return raw;
}

} // namespace detail
/// @endcond

} // namespace colstore

#endif
