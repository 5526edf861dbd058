/// @file
/// colstore::schema: the columns of a table.

#ifndef COLSTORE_SCHEMA_HPP
#define COLSTORE_SCHEMA_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <colstore/dtype.hpp>
#include <colstore/element.hpp>
#include <colstore/error.hpp>

namespace colstore {

/// A column of a schema. Its texts live as long as the schema.
struct column_info {
    std::string_view name;        ///< UTF-8, or WTF-8 if it has lone surrogates.
    std::string_view dtype_text;  ///< The dtype as the file spells it.
    std::string_view native_text; ///< The dtype of what reads return: "<f8", "|S3".
    colstore::dtype dtype;        ///< The dtype in the file.
};

/// A column as the argument of a call: by name, or by position counted from 0. It does not own the name.
class column_ref {
public:
    /// The column called `name`.
    column_ref(const char *name) noexcept : name_(name), by_name_(true) {}
    /// The column called `name`.
    column_ref(std::string_view name) noexcept : name_(name), by_name_(true) {}
    /// The column called `name`.
    column_ref(const std::string &name) noexcept : name_(name), by_name_(true) {}
    /// The column at a position.
    template <class I, class = std::enable_if_t<std::is_integral_v<I> && !std::is_same_v<I, bool>>>
    column_ref(I position) noexcept : position_(static_cast<std::size_t>(position)), by_name_(false)
    {
    }

    /// Whether the column is given by its name.
    [[nodiscard]] bool by_name() const noexcept { return by_name_; }
    /// Its name, if it is given by it.
    [[nodiscard]] std::string_view name() const noexcept { return name_; }
    /// Its position, if it is given by it.
    [[nodiscard]] std::size_t position() const noexcept { return position_; }

private:
    std::string_view name_;
    std::size_t position_ = 0;
    bool by_name_;
};

/// The columns of a table, in order. It needs the table no more, and can be used by any number of threads.
class schema {
public:
    /// Takes a handle of the C interface.
    explicit schema(::colstore_schema *handle) : handle_(handle)
    {
        ::colstore_error *err = nullptr;
        std::size_t n_columns = 0;
        detail::check(::colstore_schema_n_columns(handle, &n_columns, &err), err);
        columns_.reserve(n_columns);
        for (std::size_t i = 0; i < n_columns; ++i) {
            ::colstore_column column{};
            column.size = sizeof column;
            detail::check(::colstore_schema_column(handle, i, &column, &err), err);
            columns_.push_back({{column.name, column.name_len},
                                {column.dtype_text, column.dtype_text_len},
                                {column.native_text, column.native_text_len},
                                dtype(column.dtype)});
        }
    }

    /// The number of columns.
    [[nodiscard]] std::size_t size() const noexcept { return columns_.size(); }
    /// The column at a position, which must be below size().
    [[nodiscard]] const column_info &operator[](std::size_t position) const { return columns_[position]; }
    /// The first column.
    [[nodiscard]] auto begin() const noexcept { return columns_.begin(); }
    /// The end of the columns.
    [[nodiscard]] auto end() const noexcept { return columns_.end(); }

    /// The column with a name or at a position.
    ///
    /// @throws error with status::unknown_column or status::out_of_bounds if there is none.
    [[nodiscard]] const column_info &at(column_ref column) const
    {
        const std::size_t position = find(column);
        if (position >= columns_.size()) {
            ::colstore_error *err = nullptr;
            ::colstore_column nothing{};
            nothing.size = sizeof nothing;
            detail::check(::colstore_schema_column(handle_.get(), position, &nothing, &err), err);
        }
        return columns_[position];
    }

    /// The position of a column. A position is given back as it is, whether there is a column or not.
    ///
    /// @throws error with status::unknown_column if there is no column of that name; the message lists those there are.
    [[nodiscard]] std::size_t find(column_ref column) const
    {
        if (!column.by_name()) {
            return column.position();
        }
        ::colstore_error *err = nullptr;
        std::size_t position = 0;
        const std::string_view name = column.name();
        detail::check(::colstore_schema_find(handle_.get(), name.data(), name.size(), &position, &err), err);
        return position;
    }

    /// Whether there is a column of that name.
    [[nodiscard]] bool contains(std::string_view name) const noexcept
    {
        std::size_t position = 0;
        return ::colstore_schema_find(handle_.get(), name.data(), name.size(), &position, nullptr) ==
               COLSTORE_STATUS_OK;
    }

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_schema *c_handle() const noexcept { return handle_.get(); }

    /// @cond INTERNAL
    /// The position of a column whose values are to be read as T. Positions out of bounds are left to the call.
    template <class T>
    [[nodiscard]] std::size_t find_as(column_ref column) const
    {
        detail::require_readable<T>();
        const std::size_t position = find(column);
        if (position < columns_.size() && !element<T>::matches(columns_[position].dtype)) {
            detail::raise_type(std::string(columns_[position].name), columns_[position].dtype_text, element<T>::name());
        }
        return position;
    }
    /// @endcond

private:
    detail::handle<::colstore_schema, &::colstore_schema_free> handle_;
    std::vector<column_info> columns_;
};

} // namespace colstore

#endif
