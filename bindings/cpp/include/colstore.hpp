/// @file
/// colstore: columnar tables in memory-mapped `.cstore` files, for C++17 and later.
///
/// These headers are the whole library for C++; they need `colstore.h` and libcolstore. Every one may be included by
/// itself. In short:
///
///     const auto events = colstore::table::open("events.cstore");
///     std::vector<double> x = events.read<double>("x");           // a copy, read on several threads
///     const auto energy = events.view<double>("energy");          // no copy: lent from the mapped file
///     double first = energy.span()[0];
///     auto late = events.read<double>("x", colstore::rows::range(events.n_rows(), 0, events.n_rows(), 2));
///     colstore::store("new.cstore", {{"x", x}});                  // in one piece; record by record with a writer
///     auto far = events.rows_where("x > @limit", {{"limit", 5.0}});   // the rows of a condition
///     double sum = events.edit().filter(colstore::col("x") > 5).sum("x * energy").as<double>();
///
/// - What fails throws a colstore::error. With C++23, colstore::attempt makes a `std::expected` of any call.
/// - Objects that stand for something of the library (table, rows, column, view, schema, expr, params, value_set,
///   frame, cutflow, progress, writer, appender, verify_report) can be moved and not copied, and free it at the end of
///   their life. Any number of threads may use one at once.
/// - A writer or an appender that ends without close() commits nothing more.
/// - What is handed in by span, reference or pointer is not owned, and used until the call returns; rows::borrow and
///   frame::memory say where it is longer.

#ifndef COLSTORE_HPP
#define COLSTORE_HPP

#include <colstore/allocator.hpp>
#include <colstore/appender.hpp>
#include <colstore/batches.hpp>
#include <colstore/callback.hpp>
#include <colstore/column.hpp>
#include <colstore/column_data.hpp>
#include <colstore/compact.hpp>
#include <colstore/concat.hpp>
#include <colstore/config.hpp>
#include <colstore/cutflow.hpp>
#include <colstore/dtype.hpp>
#include <colstore/element.hpp>
#include <colstore/error.hpp>
#include <colstore/expected.hpp>
#include <colstore/expr.hpp>
#include <colstore/filter.hpp>
#include <colstore/frame.hpp>
#include <colstore/frame_edit.hpp>
#include <colstore/frame_read.hpp>
#include <colstore/functions.hpp>
#include <colstore/info.hpp>
#include <colstore/literal.hpp>
#include <colstore/operators.hpp>
#include <colstore/options.hpp>
#include <colstore/params.hpp>
#include <colstore/path.hpp>
#include <colstore/progress.hpp>
#include <colstore/record.hpp>
#include <colstore/recover.hpp>
#include <colstore/reduce.hpp>
#include <colstore/rows.hpp>
#include <colstore/schema.hpp>
#include <colstore/span.hpp>
#include <colstore/store.hpp>
#include <colstore/table.hpp>
#include <colstore/value_set.hpp>
#include <colstore/value_types.hpp>
#include <colstore/verify.hpp>
#include <colstore/view.hpp>
#include <colstore/writer.hpp>

#endif
