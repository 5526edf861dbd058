/// @file
/// colstore::params: values for the `@names` of expressions that are given as text.

#ifndef COLSTORE_PARAMS_HPP
#define COLSTORE_PARAMS_HPP

#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <colstore/error.hpp>
#include <colstore/expr.hpp>
#include <colstore/literal.hpp>
#include <colstore/value_set.hpp>

namespace colstore {

/// A name, without its `@`, and its value, for colstore::params. It does not own the name.
class param {
public:
    /// One value: what colstore::literal takes, or an expression that is a constant, such as `constant(1.5F)`.
    template <class V, class = std::enable_if_t<detail::is_operand<std::decay_t<V>>>>
    param(std::string_view name, V &&value) : name_(name), value_(operand(std::forward<V>(value)))
    {
    }
    /// Several values, for the right side of `in`: a container, as colstore::value_set takes it.
    template <class C, class = std::enable_if_t<detail::is_container<C>>, class = void>
    param(std::string_view name, const C &values) : name_(name), value_(value_set(values))
    {
    }
    /// Several values that are listed between braces.
    param(std::string_view name, std::initializer_list<operand> values) : name_(name), value_(value_set(values)) {}
    /// Several values.
    param(std::string_view name, value_set &&values) : name_(name), value_(std::move(values)) {}

    /// @cond INTERNAL
    [[nodiscard]] ::colstore_status set_in(::colstore_params *to, ::colstore_error **err) const
    {
        if (const operand *one = std::get_if<operand>(&value_)) {
            return ::colstore_params_set(to, name_.data(), name_.size(), one->c_handle(), err);
        }
        return ::colstore_params_set_values(to, name_.data(), name_.size(), std::get<value_set>(value_).c_handle(),
                                            err);
    }
    /// @endcond

private:
    std::string_view name_;
    std::variant<operand, value_set> value_;
};

/// Values for the `@names` of expressions: `params{{"cut", 3.0}, {"tags", std::vector<std::string>{"a", "b"}}}`. What
/// was made with them keeps its values.
class params {
public:
    /// Takes a handle of the C interface.
    explicit params(::colstore_params *handle) noexcept : handle_(handle) {}

    /// None, to be set.
    params()
    {
        ::colstore_error *err = nullptr;
        ::colstore_params *made = nullptr;
        detail::check(::colstore_params_new(&made, &err), err);
        handle_.reset(made);
    }

    /// Those listed between braces.
    ///
    /// @throws error with status::invalid_argument for an expression that is no constant.
    params(std::initializer_list<param> values) : params()
    {
        for (const param &one : values) {
            set(one);
        }
    }

    /// Those of an array.
    template <std::size_t N>
    explicit params(const param (&values)[N]) : params()
    {
        for (const param &one : values) {
            set(one);
        }
    }

    /// Gives a parameter a value, in the place of one it had: `values.set({"cut", 3.5})`.
    void set(const param &value)
    {
        ::colstore_error *err = nullptr;
        detail::check(value.set_in(handle_.get(), &err), err);
    }

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_params *c_handle() const noexcept { return handle_.get(); }

private:
    detail::handle<::colstore_params, &::colstore_params_free> handle_;
};

inline expr expr::parse(std::string_view text, const params &values)
{
    return parse_with(text, values.c_handle());
}

} // namespace colstore

#endif
