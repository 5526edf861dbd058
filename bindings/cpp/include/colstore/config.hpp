/// @file
/// Settings of the whole process, and what the machine has.

#ifndef COLSTORE_CONFIG_HPP
#define COLSTORE_CONFIG_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <colstore/error.hpp>
#include <colstore/progress.hpp>

namespace colstore {

/// Settings of the whole process. They change how calls are carried out, never what they result in, and hold from the
/// next call on, in all threads. `colstore.h` lists them at `colstore_config_set`.
namespace config {

/// Gives a setting a value, both as text: `config::set("max_threads", "2")`.
///
/// @throws error with status::invalid_argument for a name or a value that there is not; the message lists those there
/// are.
inline void set(std::string_view name, std::string_view value)
{
    ::colstore_error *err = nullptr;
    detail::check(::colstore_config_set(name.data(), name.size(), value.data(), value.size(), &err), err);
}

/// The value of a setting, as set() takes it.
///
/// @throws error with status::invalid_argument for a name that there is not.
[[nodiscard]] inline std::string get(std::string_view name)
{
    char value[64]; // No value is longer.
    std::size_t len = 0;
    ::colstore_error *err = nullptr;
    detail::check(::colstore_config_get(name.data(), name.size(), value, sizeof value, &len, &err), err);
    return {value, len};
}

} // namespace config

/// The processors and memory that this process may use.
struct machine_info {
    int physical_cores;  ///< Cores, threads of one core counted once.
    int logical_cores;   ///< Threads that the processors run at once.
    int sockets;         ///< Processor packages.
    int numa_nodes;      ///< Nodes that memory is on.
    int default_threads; ///< The most threads that work on one call, unless told otherwise.
};

/// Says what the machine has, as far as this process may use it.
[[nodiscard]] inline machine_info machine()
{
    ::colstore_error *err = nullptr;
    ::colstore_machine_info info{};
    info.size = sizeof info;
    detail::check(::colstore_machine(&info, &err), err);
    return {info.physical_cores, info.logical_cores, info.sockets, info.numa_nodes, info.default_threads};
}

/// What calibrate_threads found.
struct calibration {
    int threads;                 ///< The least number of threads within 3 % of the fastest.
    double gigabytes_per_second; ///< What that many gather, in 10^9 bytes.
};

/// Measures how fast random rows are gathered by every number of threads up to the default. Sets nothing.
///
/// @throws error with status::invalid_argument unless `rounds` is positive, with status::cancelled.
[[nodiscard]] inline calibration calibrate_threads(int rounds = 5, progress *watch = nullptr)
{
    ::colstore_error *err = nullptr;
    std::int32_t threads = 0;
    double speed = 0;
    detail::check(::colstore_calibrate_threads(rounds, detail::handle_of(watch), &threads, &speed, &err), err, watch);
    return {threads, speed};
}

} // namespace colstore

#endif
