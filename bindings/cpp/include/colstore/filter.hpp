/// @file
/// The rows of a table for which a condition holds: table::rows_where.

#ifndef COLSTORE_FILTER_HPP
#define COLSTORE_FILTER_HPP

#include <cstddef>
#include <string_view>

#include <colstore/error.hpp>
#include <colstore/expr.hpp>
#include <colstore/options.hpp>
#include <colstore/params.hpp>
#include <colstore/rows.hpp>
#include <colstore/table.hpp>

namespace colstore {

inline rows table::rows_where(const expr_ref &condition, which_rows base, const compute_options &options) const
{
    const ::colstore_read_options raw = options.raw();
    const detail::rows_or_null from(base, n_rows_);
    detail::met_flags met(options.flags);
    ::colstore_error *err = nullptr;
    ::colstore_rows *made = nullptr;
    const ::colstore_status status = ::colstore_rows_filter(handle_.get(), from.c_handle(), condition.c_handle(), &raw,
                                                            &made, met.out(), &err);
    colstore::rows found(made);
    detail::check(status, err, options.progress);
    return found;
}

template <std::size_t N>
rows table::rows_where(std::string_view text, const param (&values)[N], which_rows base,
                       const compute_options &options) const
{
    return rows_where(expr::parse(text, params(values)), base, options);
}

template <class Params, class>
rows table::rows_where(std::string_view text, const Params &values, which_rows base,
                       const compute_options &options) const
{
    return rows_where(expr::parse(text, values), base, options);
}

} // namespace colstore

#endif
