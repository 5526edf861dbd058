/// @file
/// colstore::expr: a value for every row, worked out from columns of the same row.

#ifndef COLSTORE_EXPR_HPP
#define COLSTORE_EXPR_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <colstore/dtype.hpp>
#include <colstore/error.hpp>
#include <colstore/path.hpp>
#include <colstore/table.hpp>

namespace colstore {

class params;

/// @cond INTERNAL
namespace detail {

/// The longest text of a dtype, as the C interface promises.
inline constexpr std::size_t longest_dtype = 32;

/// Whether a type is a text as an argument: a literal, a `std::string`, a `std::string_view`.
template <class T>
inline constexpr bool is_text =
    std::is_convertible_v<const T &, std::string_view> && !std::is_same_v<std::decay_t<T>, std::nullptr_t>;

} // namespace detail
/// @endcond

/// A value for every row, worked out from columns of the same row: a condition on rows, or the values of a column. It
/// computes nothing by itself, is never changed, and may be used any number of times and by any number of threads.
///
///     const auto fast = colstore::col("pt") > 30 && abs(colstore::col("eta")) < 2.5;
///     const auto same = colstore::expr::parse("pt > 30 and eta > -@limit", {{"limit", 2.5}});
///
/// Dtypes and values are those of NumPy. What may stand beside an expression, and with which dtype, says
/// colstore::literal; the operators are in operators.hpp, functions in functions.hpp.
class expr {
public:
    /// Takes a handle of the C interface.
    explicit expr(::colstore_expr *handle) noexcept : handle_(handle) {}

    /// Reads an expression in Python's syntax: `pt > 30 and tag in ['a', 'b']`. It has operators, and no calls.
    ///
    /// @throws error with status::query for a text that is no expression; error::span says where.
    [[nodiscard]] static expr parse(std::string_view text) { return parse_with(text, nullptr); }

    /// The same with values for its `@names`: `parse("pt > @cut", {{"cut", 30.0}})`. Needs params.hpp.
    ///
    /// @throws error also with status::query for a name without a value, with status::type for one with several values
    /// where one is needed.
    [[nodiscard]] static expr parse(std::string_view text, const params &values);

    /// The expression as text, as parse() reads it where there is such a text.
    [[nodiscard]] std::string print() const
    {
        ::colstore_error *err = nullptr;
        std::size_t len = 0;
        detail::check(::colstore_expr_print(handle_.get(), nullptr, 0, &len, &err), err);
        std::string text(len, '\0');
        if (len > 0) {
            detail::check(::colstore_expr_print(handle_.get(), text.data(), text.size(), &len, &err), err);
        }
        return text;
    }

    /// The names of the columns that it uses, each once, in the order of their first use; not those that it holds
    /// themselves, as frame::column gives them.
    [[nodiscard]] std::vector<std::string> columns() const
    {
        ::colstore_error *err = nullptr;
        ::colstore_names *names = nullptr;
        detail::check(::colstore_expr_columns(handle_.get(), &names, &err), err);
        const detail::names_handle owned(names);
        return detail::texts_of(names);
    }

    /// The dtype of its values over the columns of a table, as text: "<f8". Nothing is read.
    ///
    /// @throws error with status::query for a name that the table does not have, with status::type if there is no
    /// operation for its operands, with status::overflow for an integer that the dtype beside it cannot hold, with
    /// status::value for an integer to a negative power.
    [[nodiscard]] std::string dtype_text(const colstore::table &over) const { return check(over, 0); }

    /// The same as a colstore::dtype.
    [[nodiscard]] colstore::dtype dtype(const colstore::table &over) const { return dtype::parse(dtype_text(over)); }

    /// Checks that rows of a table can be selected by it: that it is boolean, with a column in it. Nothing is read.
    ///
    /// @throws error with status::query if it is no condition, and as dtype_text().
    void require_condition(const colstore::table &over) const { static_cast<void>(check(over, 1)); }

    /// An expression has a value for every row, and none by itself: join conditions with `&&` and `||`.
    explicit operator bool() const = delete;

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_expr *c_handle() const noexcept { return handle_.get(); }

    /// @cond INTERNAL
    template <class Call>
    [[nodiscard]] static expr make(Call &&call)
    {
        ::colstore_error *err = nullptr;
        ::colstore_expr *made = nullptr;
        detail::check(call(&made, &err), err);
        return expr(made);
    }

    [[nodiscard]] static expr parse_with(std::string_view text, const ::colstore_params *values)
    {
        return make([&](auto out, auto err) {
            return ::colstore_expr_parse(text.data(), text.size(), values, out, err);
        });
    }
    /// @endcond

private:
    [[nodiscard]] std::string check(const colstore::table &over, std::int32_t condition) const
    {
        char text[detail::longest_dtype];
        std::size_t len = 0;
        ::colstore_error *err = nullptr;
        detail::check(
            ::colstore_expr_check(handle_.get(), over.c_handle(), condition, text, sizeof text, &len, &err), err);
        return {text, len};
    }

    detail::handle<::colstore_expr, &::colstore_expr_free> handle_;
};

/// The column called `name`: UTF-8, or WTF-8 for lone surrogates. It is looked up where the expression is used, so that
/// it fits every table that has it.
[[nodiscard]] inline expr col(std::string_view name)
{
    return expr::make([&](auto out, auto err) { return ::colstore_expr_column(name.data(), name.size(), out, err); });
}

/// The text of an expression, the same as expr::print.
[[nodiscard]] inline std::string to_string(const expr &value)
{
    return value.print();
}

/// An expression as the argument of a call: one, which it does not own unless it is given away, or a text, which is
/// read as one.
class expr_ref {
public:
    /// None, for arguments that may be left out.
    expr_ref() noexcept = default;

    /// An expression.
    ///
    /// @throws error with status::invalid_argument if it has been moved away.
    expr_ref(const expr &value) : handle_(value.c_handle())
    {
        if (handle_ == nullptr) {
            throw error(status::invalid_argument, "the expression has been moved away, and is none any more");
        }
    }

    /// An expression that is given away, such as one that has just been made.
    expr_ref(expr &&value) : expr_ref(static_cast<const expr &>(value)) { owned_.emplace(std::move(value)); }

    /// A text in the syntax of expr::parse.
    ///
    /// @throws error as expr::parse.
    template <class Text, class = std::enable_if_t<detail::is_text<Text>>>
    expr_ref(const Text &text) : owned_(expr::parse(text)), handle_(owned_->c_handle())
    {
    }

    /// The handle of the C interface, lent; null for none.
    [[nodiscard]] const ::colstore_expr *c_handle() const noexcept { return handle_; }

private:
    std::optional<expr> owned_;
    const ::colstore_expr *handle_ = nullptr;
};

/// Whether there is a function of that name (see colstore::call) whose results for operands of that dtype are the same
/// to the last bit everywhere, because IEEE 754 or integer arithmetic defines them.
[[nodiscard]] inline bool is_exact(std::string_view function, std::string_view dtype) noexcept
{
    return ::colstore_function_exact(function.data(), function.size(), dtype.data(), dtype.size()) != 0;
}

} // namespace colstore

#endif
