/// @file
/// colstore::record: which columns are the members of a struct, for reading and storing arrays of structs.

#ifndef COLSTORE_RECORD_HPP
#define COLSTORE_RECORD_HPP

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <colstore/element.hpp>
#include <colstore/error.hpp>
#include <colstore/schema.hpp>

namespace colstore {

/// A member of the struct `S` and the column that it is.
template <class S>
class field {
public:
    /// The column called `column` is the member `member`.
    template <class M>
    field(std::string_view column, M S::*member) : column_(column), itemsize_(sizeof(M))
    {
        detail::require_element<M>();
        // Where a member lies can be had from an object only.
        static_assert(std::is_default_constructible_v<S>, "structs of a record are made without arguments");
        const S object{};
        offset_ = static_cast<std::size_t>(reinterpret_cast<const char *>(&(object.*member)) -
                                           reinterpret_cast<const char *>(&object));
        if constexpr (element<M>::readable) {
            matches_ = &element<M>::matches;
        } else {
            matches_ = [](const dtype &) noexcept { return false; };
        }
        name_ = &element<M>::name;
        if constexpr (std::is_same_v<M, datetime> || std::is_same_v<M, timedelta>) {
            dtype_text_ = nullptr;
        } else {
            dtype_text_ = &element<M>::dtype_text;
        }
    }

    /// The name of the column.
    [[nodiscard]] const std::string &column() const noexcept { return column_; }
    /// Where the member lies in the struct, in bytes.
    [[nodiscard]] std::size_t offset() const noexcept { return offset_; }
    /// Bytes of the member.
    [[nodiscard]] std::size_t itemsize() const noexcept { return itemsize_; }
    /// The dtype with which the member is stored.
    ///
    /// @throws error with status::invalid_argument for times that have no unit in C++.
    [[nodiscard]] std::string dtype_text() const
    {
        if (dtype_text_ == nullptr) {
            throw error(status::invalid_argument,
                        "the member for column '" + column_ + "' has no unit; use a type of std::chrono", column_);
        }
        return dtype_text_();
    }

    /// @cond INTERNAL
    [[nodiscard]] std::size_t find_in(const schema &columns) const
    {
        const std::size_t position = columns.find(column_);
        if (!matches_(columns[position].dtype)) {
            detail::raise_type(column_, columns[position].dtype_text, name_());
        }
        return position;
    }
    /// @endcond

private:
    std::string column_;
    std::size_t offset_ = 0;
    std::size_t itemsize_;
    bool (*matches_)(const dtype &) noexcept;
    std::string (*name_)();
    std::string (*dtype_text_)();
};

/// Which columns are the members of the struct `S`:
///
///     struct hit { double x; std::int64_t id; };
///     const colstore::record<hit> hits{{"x", &hit::x}, {"id", &hit::id}};
///
/// The order of the fields does not matter. Records are read straight into the structs, so every byte of a struct that
/// is read must belong to a field: with members that leave gaps, declare it packed.
template <class S>
class record {
    static_assert(std::is_trivially_copyable_v<S>, "structs of a record are copied as bytes");

public:
    /// Of its fields.
    record(std::initializer_list<field<S>> fields) : fields_(fields)
    {
        std::sort(fields_.begin(), fields_.end(),
                  [](const field<S> &a, const field<S> &b) { return a.offset() < b.offset(); });
    }

    /// The fields, in the order of the members.
    [[nodiscard]] const std::vector<field<S>> &fields() const noexcept { return fields_; }

    /// @cond INTERNAL
    /// The positions of the columns, in the order of the members, which must fill the struct.
    [[nodiscard]] std::vector<std::size_t> find_in(const schema &columns) const
    {
        std::vector<std::size_t> positions;
        std::size_t end = 0;
        for (const field<S> &member : fields_) {
            positions.push_back(member.find_in(columns));
            if (member.offset() != end) {
                raise_gap(end);
            }
            end += member.itemsize();
        }
        if (end != sizeof(S)) {
            raise_gap(end);
        }
        return positions;
    }
    /// @endcond

private:
    [[noreturn]] static void raise_gap(std::size_t at)
    {
        throw error(status::invalid_argument, "the fields of the record do not fill its struct of " +
                                                  std::to_string(sizeof(S)) + " bytes at byte " + std::to_string(at) +
                                                  "; name every member, and declare a struct with gaps packed");
    }

    std::vector<field<S>> fields_;
};

} // namespace colstore

#endif
