/// @file
/// What the edits of a frame take: colstore::assignment, colstore::column_names, colstore::name_pair,
/// colstore::cut_label.

#ifndef COLSTORE_FRAME_EDIT_HPP
#define COLSTORE_FRAME_EDIT_HPP

#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <colstore/expr.hpp>
#include <colstore/literal.hpp>
#include <colstore/value_set.hpp>

namespace colstore {

/// @cond INTERNAL
namespace detail {

/// Names as the C interface takes them: addresses, and sizes. It does not own them.
class names_list {
public:
    void push_back(std::string_view name)
    {
        data_.push_back(name.data() != nullptr ? name.data() : "");
        sizes_.push_back(name.size());
    }
    [[nodiscard]] const char *const *data() const noexcept { return data_.data(); }
    [[nodiscard]] const std::size_t *sizes() const noexcept { return sizes_.data(); }
    [[nodiscard]] std::size_t size() const noexcept { return sizes_.size(); }

private:
    std::vector<const char *> data_;
    std::vector<std::size_t> sizes_;
};

} // namespace detail
/// @endcond

/// A name and what the column is, for frame::assign. It owns neither the name nor an expression that is not given away.
class assignment {
public:
    /// An expression; a text, which is read as one; or a value that every row has, as colstore::literal takes it (for a
    /// text in every row, `literal("text")`).
    template <class V, class = std::enable_if_t<detail::is_operand<std::decay_t<V>>>>
    assignment(std::string_view name, V &&value) : name_(name), value_(expr_of(std::forward<V>(value)))
    {
    }

    /// The name.
    [[nodiscard]] std::string_view name() const noexcept { return name_; }
    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_expr *c_handle() const noexcept { return value_.c_handle(); }

private:
    template <class V>
    static expr_ref expr_of(V &&value)
    {
        if constexpr (std::is_same_v<std::decay_t<V>, expr> || detail::is_text<std::decay_t<V>>) {
            return expr_ref(std::forward<V>(value));
        } else {
            return expr_ref(literal(value));
        }
    }

    std::string_view name_;
    expr_ref value_;
};

/// Names of columns as the argument of a call: one (`"x"`), several between braces (`{"x", "y"}`), or a container of
/// texts. It does not own them.
class column_names {
public:
    /// One name.
    template <class Text, class = std::enable_if_t<detail::is_text<Text>>>
    column_names(const Text &name)
    {
        list_.push_back(name);
    }
    /// Several names.
    column_names(std::initializer_list<std::string_view> names)
    {
        for (const std::string_view name : names) {
            list_.push_back(name);
        }
    }
    /// The names of a container.
    template <class C, class = std::enable_if_t<detail::is_container<C>>, class = void>
    column_names(const C &names)
    {
        for (const auto &name : names) {
            list_.push_back(name);
        }
    }

    /// @cond INTERNAL
    [[nodiscard]] const detail::names_list &list() const noexcept { return list_; }
    /// @endcond

private:
    detail::names_list list_;
};

/// A column and what it is to be: its other name, or its other dtype.
struct name_pair {
    std::string_view name; ///< The name of the column.
    std::string_view to;   ///< Its other name, or its other dtype.
};

/// What a cut is called, if it is called anything. It does not own the text.
class cut_label {
public:
    /// Nothing.
    constexpr cut_label() noexcept = default;
    /// A text. An empty one is a name too.
    template <class Text, class = std::enable_if_t<detail::is_text<Text>>>
    constexpr cut_label(const Text &text) : text_(text), is_named_(true)
    {
    }

    /// @cond INTERNAL
    [[nodiscard]] constexpr const char *data() const noexcept
    {
        return !is_named_ ? nullptr : text_.data() != nullptr ? text_.data() : "";
    }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return text_.size(); }
    /// @endcond

private:
    std::string_view text_;
    bool is_named_ = false;
};

/// @cond INTERNAL
namespace detail {

/// The names of pairs, and what they are to be.
inline std::pair<names_list, names_list> apart(std::initializer_list<name_pair> pairs)
{
    std::pair<names_list, names_list> lists;
    for (const name_pair &one : pairs) {
        lists.first.push_back(one.name);
        lists.second.push_back(one.to);
    }
    return lists;
}

} // namespace detail
/// @endcond

} // namespace colstore

#endif
