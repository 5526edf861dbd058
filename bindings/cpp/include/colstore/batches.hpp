/// @file
/// colstore::batches: the rows of a frame as a sequence of batches, in memory that is used again.

#ifndef COLSTORE_BATCHES_HPP
#define COLSTORE_BATCHES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <colstore/column.hpp>
#include <colstore/error.hpp>
#include <colstore/frame.hpp>
#include <colstore/frame_read.hpp>
#include <colstore/options.hpp>
#include <colstore/schema.hpp>
#include <colstore/span.hpp>
#include <colstore/view.hpp>

namespace colstore {

/// How many rows a batch has, but for the last one.
class batch_size {
public:
    /// A number of rows.
    ///
    /// @throws error with status::invalid_argument for one that is not positive.
    [[nodiscard]] static batch_size rows(std::int64_t n) { return {n, 0, "rows"}; }
    /// As many rows as there is room for in a number of bytes, but one at least.
    ///
    /// @throws error with status::invalid_argument for one that is not positive.
    [[nodiscard]] static batch_size bytes(std::int64_t n) { return {0, n, "bytes"}; }

    /// The number of rows, of `row_bytes` bytes each.
    [[nodiscard]] std::int64_t rows_of(std::size_t row_bytes) const noexcept
    {
        const auto size = std::max<std::int64_t>(1, static_cast<std::int64_t>(row_bytes));
        return rows_ > 0 ? rows_ : std::max<std::int64_t>(1, bytes_ / size);
    }

private:
    batch_size(std::int64_t rows, std::int64_t bytes, const char *of) : rows_(rows), bytes_(bytes)
    {
        if (rows + bytes <= 0) {
            throw error(status::invalid_argument,
                        "a batch of " + std::to_string(rows + bytes) + " " + of + " is none; give at least 1");
        }
    }

    std::int64_t rows_;
    std::int64_t bytes_;
};

/// Some of the rows that the cuts of a frame leave, with their values in memory of the sequence's. It is good until the
/// next batch is asked for.
class batch {
public:
    /// The number of rows.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// The position of the first row among those that the cuts leave.
    [[nodiscard]] std::int64_t start() const noexcept { return start_; }
    /// The columns, in the order they are read in; all of the frame's, or those that were named.
    [[nodiscard]] const std::vector<column_info> &columns() const noexcept { return columns_; }

    /// The values of a column, side by side; `column` is its name, or its position in columns().
    ///
    /// @throws error with status::unknown_column or status::out_of_bounds if there is none, with
    /// status::invalid_argument if the dtype is not that of `T`.
    template <class T>
    [[nodiscard]] span<const T> values(column_ref column) const
    {
        return elements_of<T>(column).span();
    }

    /// The same for any type that elements can have, `std::string_view` among them.
    template <class T>
    [[nodiscard]] elements<T> elements_of(column_ref column) const
    {
        const std::size_t at = find(column);
        return detail::elements_as<T>(columns_[at].dtype, buffers_[at].data(), size_,
                                      static_cast<std::ptrdiff_t>(columns_[at].dtype.itemsize()));
    }

    /// Calls `f` with the elements of a column, of the C++ type that dtype::visit gives.
    template <class F>
    decltype(auto) visit(column_ref column, F &&f) const
    {
        return columns_[find(column)].dtype.visit(
            [&](auto tag) -> decltype(auto) { return f(elements_of<typename decltype(tag)::type>(column)); });
    }

private:
    friend class batches;

    [[nodiscard]] std::size_t find(column_ref column) const
    {
        const auto is_it = [&](const column_info &one) { return one.name == column.name(); };
        const std::size_t at =
            column.by_name()
                ? static_cast<std::size_t>(std::find_if(columns_.begin(), columns_.end(), is_it) - columns_.begin())
                : column.position();
        if (at < columns_.size()) {
            return at;
        }
        if (column.by_name()) {
            throw error(status::unknown_column,
                        "the batches have no column '" + std::string(column.name()) + "'; name it where they are made",
                        std::string(column.name()));
        }
        throw error(status::out_of_bounds, "there is no column " + std::to_string(at) + ": the batches have " +
                                               std::to_string(columns_.size()));
    }

    std::vector<column_info> columns_;
    std::vector<colstore::values> buffers_;
    std::int64_t start_ = 0;
    std::size_t size_ = 0;
};

/// The rows that the cuts of a frame leave, batch after batch:
///
///     for (const colstore::batch &some : frame.batches({"x", "n"}, batch_size::rows(100'000))) {
///         for (const double x : some.values<double>("x")) { … }
///     }
///
/// It sees the frame as it was when the sequence was made. The values of a batch are read into the memory of the batch
/// before it, so that it takes no more than one batch does; to keep them, copy them. One pass at a time: begin() starts
/// again. What fails throws from begin() or `++`.
class batches {
public:
    /// Over the batches, from the first to the last.
    class iterator {
    public:
        using iterator_category = std::input_iterator_tag; ///< One pass.
        using value_type = batch;                          ///< A batch.
        using difference_type = std::ptrdiff_t;            ///< Not used.
        using reference = const batch &;                   ///< The batch in the memory of the sequence.
        using pointer = const batch *;                     ///< The batch in the memory of the sequence.

        iterator() noexcept = default;
        /// The batch.
        const batch &operator*() const noexcept { return of_->current_; }
        /// The batch.
        const batch *operator->() const noexcept { return &of_->current_; }
        /// Reads the next batch.
        iterator &operator++()
        {
            if (!of_->read(of_->current_.start_ + static_cast<std::int64_t>(of_->current_.size_))) {
                of_ = nullptr;
            }
            return *this;
        }
        /// The same.
        void operator++(int) { ++*this; }
        /// Whether both are at the end, or in the same sequence.
        friend bool operator==(const iterator &a, const iterator &b) noexcept { return a.of_ == b.of_; }
        /// Whether one is at the end and the other is not.
        friend bool operator!=(const iterator &a, const iterator &b) noexcept { return a.of_ != b.of_; }

    private:
        friend class batches;
        explicit iterator(batches *of) noexcept : of_(of) {}
        batches *of_ = nullptr;
    };

    /// Of some columns of a frame, or of all if `columns` is null. Nothing is read yet but the number of rows.
    ///
    /// @throws error with status::unknown_column or status::out_of_bounds for a column that is not there, and as
    /// frame_reading::count.
    batches(frame of, const std::vector<column_ref> *columns, batch_size size, const compute_options &options = {})
        : frame_(std::move(of)), schema_(frame_.schema()), options_(options), n_rows_(frame_.count(options))
    {
        for (std::size_t i = 0; i < (columns != nullptr ? columns->size() : schema_.size()); ++i) {
            const column_info &info = schema_.at(columns != nullptr ? (*columns)[i] : column_ref(i));
            positions_.push_back(static_cast<std::size_t>(&info - &schema_[0]));
            current_.columns_.push_back(info);
        }
        std::size_t row_bytes = 0;
        for (const column_info &info : current_.columns_) {
            row_bytes += info.dtype.itemsize();
        }
        batch_rows_ = std::min(size.rows_of(row_bytes), n_rows_);
        for (const column_info &info : current_.columns_) {
            current_.buffers_.emplace_back(info.dtype, static_cast<std::size_t>(batch_rows_));
            addresses_.push_back(current_.buffers_.back().data());
        }
        sizes_.resize(positions_.size());
    }

    /// The number of rows in all batches.
    [[nodiscard]] std::int64_t n_rows() const noexcept { return n_rows_; }
    /// The number of rows in a batch, but for the last one.
    [[nodiscard]] std::int64_t batch_rows() const noexcept { return batch_rows_; }

    /// Reads the first batch.
    [[nodiscard]] iterator begin() { return iterator(read(0) ? this : nullptr); }
    /// The end.
    [[nodiscard]] iterator end() noexcept { return iterator(nullptr); }

private:
    bool read(std::int64_t start)
    {
        const std::int64_t stop = std::min(start + batch_rows_, n_rows_);
        if (start >= stop) {
            return false;
        }
        current_.start_ = start;
        current_.size_ = static_cast<std::size_t>(stop - start);
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            sizes_[i] = current_.size_ * current_.columns_[i].dtype.itemsize();
        }
        frame_.read_columns_bytes(positions_, addresses_, sizes_, {start, stop}, options_);
        return true;
    }

    frame frame_;
    schema schema_; // The texts of the columns are its.
    compute_options options_;
    std::int64_t n_rows_;
    std::int64_t batch_rows_ = 0;
    std::vector<std::size_t> positions_, sizes_;
    std::vector<void *> addresses_;
    batch current_;
};

inline colstore::batches frame::batches() const
{
    return batches(batch_size::bytes(32 << 20));
}

inline colstore::batches frame::batches(batch_size size, const compute_options &options) const
{
    return {clone(), nullptr, size, options};
}

inline colstore::batches frame::batches(std::initializer_list<column_ref> columns, batch_size size,
                                                const compute_options &options) const
{
    const std::vector<column_ref> named(columns);
    return {clone(), &named, size, options};
}

} // namespace colstore

#endif
