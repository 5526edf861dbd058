/// @file
/// colstore::allocator: memory for results that is used again, for standard containers.

#ifndef COLSTORE_ALLOCATOR_HPP
#define COLSTORE_ALLOCATOR_HPP

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include <colstore.h>

namespace colstore {

/// An allocator over the library's memory for results: aligned to 64 bytes, and large blocks come from memory that
/// earlier ones gave back. Elements that are made without a value are left uninitialised, so that a vector which a read
/// fills is written once: `table.read<double, colstore::allocator<double>>("x")`.
template <class T>
class allocator {
public:
    using value_type = T;                                          ///< The type of the elements.
    using propagate_on_container_move_assignment = std::true_type; ///< All allocators are alike.
    using is_always_equal = std::true_type;                        ///< All allocators are alike.

    allocator() noexcept = default;
    /// From that for another type.
    template <class U>
    allocator(const allocator<U> &) noexcept
    {
    }

    /// Memory for `n` elements.
    ///
    /// @throws std::bad_alloc if there is none.
    [[nodiscard]] T *allocate(std::size_t n)
    {
        static_assert(alignof(T) <= 64, "the memory is aligned to 64 bytes");
        if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
            throw std::bad_array_new_length();
        }
        void *memory = ::colstore_allocator_malloc(nullptr, n * sizeof(T));
        if (memory == nullptr) {
            throw std::bad_alloc();
        }
        return static_cast<T *>(memory);
    }

    /// Gives the memory of `n` elements back.
    void deallocate(T *memory, std::size_t n) noexcept { ::colstore_allocator_free(nullptr, memory, n * sizeof(T)); }

    /// Makes an element without a value: it is left uninitialised, if its type allows it.
    template <class U>
    void construct(U *element) noexcept(std::is_nothrow_default_constructible_v<U>)
    {
        ::new (static_cast<void *>(element)) U;
    }
    /// Makes an element of a value.
    template <class U, class... Args>
    void construct(U *element, Args &&...args)
    {
        ::new (static_cast<void *>(element)) U(std::forward<Args>(args)...);
    }

    /// Allocators are all alike.
    template <class U>
    friend bool operator==(const allocator &, const allocator<U> &) noexcept
    {
        return true;
    }
    /// Allocators are all alike.
    template <class U>
    friend bool operator!=(const allocator &, const allocator<U> &) noexcept
    {
        return false;
    }
};

/// A vector over the library's memory for results.
template <class T>
using result_vector = std::vector<T, allocator<T>>;

} // namespace colstore

#endif
