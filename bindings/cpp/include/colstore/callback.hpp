/// @file
/// colstore::callback: functions of the program's as operations of expressions.

#ifndef COLSTORE_CALLBACK_HPP
#define COLSTORE_CALLBACK_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <colstore/column_data.hpp>
#include <colstore/element.hpp>
#include <colstore/error.hpp>
#include <colstore/expr.hpp>
#include <colstore/literal.hpp>
#include <colstore/span.hpp>

namespace colstore {

/// Rows for a function of the program's: the values of its operands, and the place for its results. Good until the
/// function returns.
class block {
public:
    /// @cond INTERNAL
    block(const void *const *args, std::size_t n_args, std::int64_t n_rows, void *out) noexcept
        : args_(args), n_args_(n_args), n_rows_(static_cast<std::size_t>(n_rows)), out_(out)
    {
    }
    /// @endcond

    /// The number of rows.
    [[nodiscard]] std::size_t n_rows() const noexcept { return n_rows_; }
    /// The number of operands.
    [[nodiscard]] std::size_t n_args() const noexcept { return n_args_; }

    /// The values of the operand at a position, which must be below n_args(). THE TYPE IS NOT CHECKED: it must be that
    /// of the operand's dtype.
    template <class T>
    [[nodiscard]] span<const T> arg(std::size_t position) const noexcept
    {
        detail::require_readable<T>();
        return {static_cast<const T *>(args_[position]), n_rows_};
    }

    /// The place for the results. THE TYPE IS NOT CHECKED: it must be that of the declared dtype.
    template <class T>
    [[nodiscard]] span<T> out() const noexcept
    {
        detail::require_element<T>();
        return {static_cast<T *>(out_), n_rows_};
    }

private:
    const void *const *args_;
    std::size_t n_args_;
    std::size_t n_rows_;
    void *out_;
};

/// @cond INTERNAL
namespace detail {

/// Calls a function of type F; what it throws is kept, for nothing may be thrown through the library.
template <class F>
std::int32_t run_callback(void *context, const void *const *args, std::size_t n_args, std::int64_t n_rows, void *out,
                          std::int64_t *code) noexcept
{
    try {
        (*static_cast<const F *>(context))(block(args, n_args, n_rows, out));
        return 0;
    } catch (...) {
        *code = thrown_exceptions::get().put(std::current_exception());
        return 1;
    }
}

template <class F>
expr callback_of(std::string_view dtype, const std::vector<const ::colstore_expr *> &args, F function)
{
    auto owned = std::make_unique<F>(std::move(function));
    return expr::make([&](auto out, auto err) {
        // From here on it is the library's, also if the call fails.
        return ::colstore_expr_callback(
            &run_callback<F>, owned.release(), [](void *context) { delete static_cast<F *>(context); }, dtype.data(),
            dtype.size(), args.data(), args.size(), out, err);
    });
}

/// The signature of a function for callback().
template <class Signature>
struct callback_signature {
    static_assert(!std::is_same_v<Signature, Signature>, "write callback<Result(Operands...)>");
};

template <class R, class... Args>
struct callback_signature<R(Args...)> {
    static_assert(sizeof...(Args) > 0, "a function of rows needs an operand");

    /// A function of spans as one of a block.
    template <class F, std::size_t... I>
    static auto of_block(F function, std::index_sequence<I...>)
    {
        static_assert(std::is_invocable_v<const F &, span<const Args>..., span<R>>,
                      "the function is called with a span<const T> for every operand, then a span for the results; it "
                      "runs on several threads at once, so that its call must be const");
        return [function = std::move(function)](const block &rows) {
            function(rows.arg<Args>(I)..., rows.out<R>());
        };
    }

    template <class F, class... Operands>
    static expr make(F function, const Operands &...operands)
    {
        (require_readable<Args>(), ...);
        static_assert(sizeof...(Operands) == sizeof...(Args), "the signature has as many operands as are given");
        const operand taken[] = {operand(operands)...};
        const std::string dtypes[] = {stored_as<Args>()...};
        std::vector<expr> casts;
        std::vector<const ::colstore_expr *> handles;
        for (std::size_t i = 0; i < sizeof...(Args); ++i) {
            casts.push_back(expr::make([&](auto out, auto err) {
                return ::colstore_expr_cast(taken[i].c_handle(), dtypes[i].data(), dtypes[i].size(), out, err);
            }));
            handles.push_back(casts.back().c_handle());
        }
        return callback_of(stored_as<R>(), handles,
                           of_block(std::move(function), std::index_sequence_for<Args...>{}));
    }
};

} // namespace detail
/// @endcond

/// A function of the program's over many rows at once, as an operation like others:
///
///     const auto calibrated = colstore::callback<double(double, std::int32_t)>(
///         [table](auto energy, auto cell, auto out) {
///             for (std::size_t i = 0; i < out.size(); ++i) { out[i] = energy[i] * table[cell[i]]; }
///         },
///         col("energy"), col("cell"));
///
/// It is called with a span of values for every operand and a span for the results, for blocks of rows, in no order,
/// from any thread and from several at once; for a row whose result is not needed it may be called or not. Operands are
/// cast to the types of the signature, so that it never sees bytes of another type.
///
/// The function is moved into the expression, and destroyed when neither it nor anything made of it, such as a frame,
/// needs it any more, on whichever thread that is. An exception of it ends the call that computes the expression, and
/// comes out of it.
template <class Signature, class F, class... Operands>
[[nodiscard]] expr callback(F function, const Operands &...operands)
{
    return detail::callback_signature<Signature>::make(std::move(function), operands...);
}

/// The same for a function whose types are known when the program runs: it is called with a colstore::block. `dtype`
/// is that of the results, as text.
///
/// @throws error with status::unsupported_type if the text names no dtype, with status::value without operands or for a
/// big-endian dtype.
template <class F>
[[nodiscard]] expr callback(std::string_view dtype, std::initializer_list<operand> operands, F function)
{
    static_assert(std::is_invocable_v<const F &, const block &>,
                  "the function is called with a colstore::block; it runs on several threads at once, so that its call "
                  "must be const");
    std::vector<const ::colstore_expr *> handles;
    for (const operand &one : operands) {
        handles.push_back(one.c_handle());
    }
    return detail::callback_of(dtype, handles, std::move(function));
}

} // namespace colstore

#endif
