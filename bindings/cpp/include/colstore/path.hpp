/// @file
/// Paths as arguments, and the files that a path stands for.

#ifndef COLSTORE_PATH_HPP
#define COLSTORE_PATH_HPP

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <colstore/error.hpp>

namespace colstore {

/// A path as the argument of a call: made of a text or a `std::filesystem::path`, which it does not own.
class path_ref {
public:
    /// A text that ends with a NUL.
    path_ref(const char *path) noexcept : bytes_(path) {}
    /// A text.
    path_ref(std::string_view path) noexcept : bytes_(path) {}
    /// A text.
    path_ref(const std::string &path) noexcept : bytes_(path) {}
    /// A path.
    path_ref(const std::filesystem::path &path) noexcept : bytes_(path.native()) {}

    /// Bytes as the operating system takes them.
    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

private:
    std::string_view bytes_;
};

/// @cond INTERNAL
namespace detail {

/// A path that may be left out, as the C interface takes it: null only if it is, and not for an empty one.
inline std::string_view bytes_or_null(const path_ref *path) noexcept
{
    if (path == nullptr) {
        return {};
    }
    return path->bytes().empty() ? std::string_view("") : path->bytes();
}

using names_handle = handle<::colstore_names, &::colstore_names_free>;

inline std::vector<std::string> texts_of(const ::colstore_names *names)
{
    ::colstore_error *err = nullptr;
    std::size_t count = 0;
    check(::colstore_names_count(names, &count, &err), err);
    std::vector<std::string> texts;
    texts.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const char *text = nullptr;
        std::size_t len = 0;
        check(::colstore_names_get(names, i, &text, &len, &err), err);
        texts.emplace_back(text, len);
    }
    return texts;
}

} // namespace detail
/// @endcond

/// The paths of the files that `path` stands for, in natural order: the `.cstore` files of a directory, the matches of
/// a pattern with `*`, `?` or `[`, or the path itself.
///
/// @throws error with status::not_found if no file matches a pattern, and if the operating system refuses.
[[nodiscard]] inline std::vector<std::string> expand_paths(path_ref path)
{
    ::colstore_error *err = nullptr;
    ::colstore_names *names = nullptr;
    detail::check(::colstore_paths_expand(path.bytes().data(), path.bytes().size(), &names, &err), err);
    const detail::names_handle owned(names);
    return detail::texts_of(names);
}

} // namespace colstore

#endif
