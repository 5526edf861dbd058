/// @file
/// colstore::cutflow: what each cut of a frame did.

#ifndef COLSTORE_CUTFLOW_HPP
#define COLSTORE_CUTFLOW_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <colstore/error.hpp>

namespace colstore {

/// @cond INTERNAL
namespace detail {

using cutflow_handle = handle<::colstore_cutflow, &::colstore_cutflow_free>;

} // namespace detail
/// @endcond

/// The weights of the rows that a cut is given. Where they are 1, they are the numbers of rows.
struct cut_weights {
    double entering; ///< The sum of the weights of the rows that enter.
    double passing;  ///< The sum of the weights of the rows that pass.
    double variance; ///< The sum of the squares of the weights that pass; its root is the uncertainty of their sum.

    /// The share of the weight that passes; 0 if none enters.
    [[nodiscard]] double efficiency() const noexcept { return entering != 0 ? passing / entering : 0; }
};

/// What one cut does to the rows that all cuts before it leave. Its texts live as long as the cutflow.
struct cut_record {
    std::optional<std::string_view> label; ///< What the cut is called, if it has a name.
    std::string_view condition;            ///< The condition as text, as expr::print gives it.
    std::int64_t entering;                 ///< The number of rows before.
    std::int64_t passing;                  ///< The number of rows after.
    std::optional<cut_weights> weights;    ///< The same in weights, if the cut has one.

    /// The share of the rows that pass; 0 if none enter.
    [[nodiscard]] double efficiency() const noexcept
    {
        return entering != 0 ? static_cast<double>(passing) / static_cast<double>(entering) : 0;
    }
};

/// What each cut of a frame did, in their order: a range of cut_record. It needs the frame no more. Made by
/// frame::report.
class cutflow {
public:
    /// Takes a handle of the C interface.
    explicit cutflow(::colstore_cutflow *handle) : handle_(handle)
    {
        ::colstore_error *err = nullptr;
        std::size_t count = 0;
        detail::check(::colstore_cutflow_count(handle, &count, &err), err);
        cuts_.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            ::colstore_cut_record raw{};
            raw.size = sizeof raw;
            detail::check(::colstore_cutflow_get(handle, i, &raw, &err), err);
            cut_record one{};
            if (raw.label != nullptr) {
                one.label.emplace(raw.label, raw.label_len);
            }
            one.condition = {raw.condition, raw.condition_len};
            one.entering = raw.entering;
            one.passing = raw.passing;
            if (raw.weighted != 0) {
                one.weights = cut_weights{raw.weighted_entering, raw.weighted_passing, raw.weighted_variance};
            }
            cuts_.push_back(one);
        }
    }

    /// The number of cuts.
    [[nodiscard]] std::size_t size() const noexcept { return cuts_.size(); }
    /// Whether there are none.
    [[nodiscard]] bool empty() const noexcept { return cuts_.empty(); }
    /// The cut at a position, which must be below size().
    [[nodiscard]] const cut_record &operator[](std::size_t position) const { return cuts_[position]; }
    /// The first cut.
    [[nodiscard]] auto begin() const noexcept { return cuts_.begin(); }
    /// The end of the cuts.
    [[nodiscard]] auto end() const noexcept { return cuts_.end(); }

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_cutflow *c_handle() const noexcept { return handle_.get(); }

private:
    detail::cutflow_handle handle_;
    std::vector<cut_record> cuts_;
};

} // namespace colstore

#endif
