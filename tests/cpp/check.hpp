// What the tests of the C++ headers share: checks that are counted, and tests that register themselves. All sources of
// this folder make one program, started as PROGRAM GOLDEN_DIRECTORY SCRATCH_DIRECTORY.

#ifndef CHECK_HPP
#define CHECK_HPP

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <colstore.hpp>

namespace check {

inline int passed = 0;
inline int failed = 0;
inline std::string golden_directory, scratch_directory;

struct test {
    const char *name;
    void (*run)();
};

inline std::vector<test> &tests()
{
    static std::vector<test> all;
    return all;
}

inline void that(bool holds, const char *what, const char *file, int line)
{
    if (holds) {
        ++passed;
    } else {
        ++failed;
        std::printf("%s:%d: failed: %s\n", file, line, what);
    }
}

// Checks that a call throws colstore::error with a status, and gives the error for a closer look.
template <class F>
colstore::error throws(colstore::status status, F &&call, const char *what, const char *file, int line)
{
    try {
        call();
    } catch (const colstore::error &failure) {
        that(failure.status() == status, (std::string(what) + ": " + failure.what()).c_str(), file, line);
        that(std::string(failure.what()).size() > 10, "the message says something", file, line);
        return failure;
    }
    that(false, (std::string(what) + " throws nothing").c_str(), file, line);
    return {colstore::status::ok, "nothing was thrown"};
}

inline std::string golden(const std::string &name)
{
    return golden_directory + "/" + name;
}
inline std::string scratch(const std::string &name)
{
    return scratch_directory + "/" + name;
}

// A random number, the next of a sequence that is the same in every run.
inline unsigned long long random_number()
{
    static unsigned long long state = 42;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return state >> 33;
}

// Whether the program runs under valgrind, whose processor does not tell that something was divided by zero.
inline bool under_valgrind()
{
    return std::getenv("COLSTORE_TEST_VALGRIND") != nullptr;
}

// As memcmp, which must not be given the null pointers of empty containers.
inline bool same_bytes(const void *a, const void *b, std::size_t size)
{
    return size == 0 || std::memcmp(a, b, size) == 0;
}

template <class A, class B>
bool same(const A &a, const B &b)
{
    if (a.size() != b.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!(a[i] == b[i])) {
            return false;
        }
    }
    return true;
}

} // namespace check

#define CHECK(...) check::that(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define THROWS(wanted, ...)                                                                                            \
    check::throws(colstore::status::wanted, [&] { static_cast<void>(__VA_ARGS__); }, #__VA_ARGS__, __FILE__, __LINE__)
#define TEST(name)                                                                                                     \
    static void name();                                                                                                \
    static const bool name##_is_registered = (check::tests().push_back({#name, &name}), true);                         \
    static void name()

#endif
