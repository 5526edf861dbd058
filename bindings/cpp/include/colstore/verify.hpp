/// @file
/// colstore::verify: what is wrong with files, and where.

#ifndef COLSTORE_VERIFY_HPP
#define COLSTORE_VERIFY_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <colstore/error.hpp>
#include <colstore/path.hpp>
#include <colstore/progress.hpp>

namespace colstore {

/// How bad a finding is.
enum class severity : std::int32_t {
    note = COLSTORE_SEVERITY_NOTE,       ///< Worth knowing: nothing is wrong with the data.
    warning = COLSTORE_SEVERITY_WARNING, ///< Not as writers leave a file, but readers get the right values.
    error = COLSTORE_SEVERITY_ERROR      ///< Damage: the file cannot be read, or not all that it says is true.
};

/// One thing that was found. Its texts live as long as the report.
struct finding {
    colstore::severity severity;            ///< How bad it is.
    std::string_view code;                  ///< A word that says what it is about, such as "record".
    std::string_view message;               ///< What was expected and what was found.
    std::string_view path;                  ///< The file, as bytes of the operating system.
    std::optional<std::string_view> column; ///< The name of the column, if it is about one.
    std::optional<std::int64_t> offset;     ///< Where, in bytes from the start of the file, if it is about a place.
    std::optional<std::int64_t> record;     ///< In which record, counted from 0, if it is about one.
};

/// What a check came to.
struct verify_summary {
    std::int64_t n_errors;      ///< Errors, listed or not; 0 if everything is sound.
    std::int64_t n_warnings;    ///< Warnings, listed or not.
    std::int64_t n_notes;       ///< Notes, listed or not.
    std::int64_t n_files;       ///< Files that were looked at as tables.
    std::int64_t n_records;     ///< Committed records that were found to be whole.
    std::int64_t n_rows;        ///< Rows in them.
    std::int64_t n_bytes;       ///< Bytes of all files together.
    std::int64_t n_value_bytes; ///< Bytes of values that were read.
};

/// How files are checked.
struct verify_options {
    bool deep = false;                      ///< Read all values too.
    int max_threads = 0;                    ///< 0 for the library's choice.
    colstore::progress *progress = nullptr; ///< Watches and can cancel; may be null.
};

/// What a check of files has found: its findings, in the order of the files and of the places in them. Of each file at
/// most a thousand are listed, and one more that says so. Made by verify.
class verify_report {
public:
    /// Takes a handle of the C interface.
    explicit verify_report(::colstore_verify_report *handle) : handle_(handle)
    {
        ::colstore_error *err = nullptr;
        ::colstore_verify_summary raw{};
        raw.size = sizeof raw;
        detail::check(::colstore_verify_report_describe(handle, &raw, &err), err);
        summary_ = {raw.n_errors,  raw.n_warnings, raw.n_notes, raw.n_files,
                    raw.n_records, raw.n_rows,     raw.n_bytes, raw.n_value_bytes};
        findings_.reserve(static_cast<std::size_t>(raw.n_findings));
        for (std::size_t i = 0; i < static_cast<std::size_t>(raw.n_findings); ++i) {
            ::colstore_finding one{};
            one.size = sizeof one;
            detail::check(::colstore_verify_report_finding(handle, i, &one, &err), err);
            finding found{};
            found.severity = static_cast<colstore::severity>(one.severity);
            found.code = {one.code, one.code_len};
            found.message = {one.message, one.message_len};
            found.path = {one.path, one.path_len};
            if (one.column != nullptr) {
                found.column.emplace(one.column, one.column_len);
            }
            if (one.offset >= 0) {
                found.offset = one.offset;
            }
            if (one.record >= 0) {
                found.record = one.record;
            }
            findings_.push_back(found);
        }
    }

    /// Whether there are no errors. There may be warnings and notes.
    [[nodiscard]] bool ok() const noexcept { return summary_.n_errors == 0; }
    /// What the check came to: how many findings, over how much.
    [[nodiscard]] const verify_summary &summary() const noexcept { return summary_; }

    /// The number of findings that are listed.
    [[nodiscard]] std::size_t size() const noexcept { return findings_.size(); }
    /// Whether nothing was found.
    [[nodiscard]] bool empty() const noexcept { return findings_.empty(); }
    /// The finding at a position, which must be below size().
    [[nodiscard]] const finding &operator[](std::size_t position) const { return findings_[position]; }
    /// The first finding.
    [[nodiscard]] auto begin() const noexcept { return findings_.begin(); }
    /// The end of the findings.
    [[nodiscard]] auto end() const noexcept { return findings_.end(); }

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_verify_report *c_handle() const noexcept { return handle_.get(); }

private:
    detail::handle<::colstore_verify_report, &::colstore_verify_report_free> handle_;
    verify_summary summary_{};
    std::vector<finding> findings_;
};

/// Checks the file at `path`, or all files of a directory or a pattern. Damage is in the report; it is no failure.
///
/// Found is any changed bit of headers, fillers and statistics. Values have no checksum: a change of them is found with
/// `deep` only, and only if it leaves the range that the statistics of the file give, or is a byte that no bool or text
/// holds. No lock is taken.
///
/// @throws error if a single file or the directory cannot be read, and with status::cancelled.
[[nodiscard]] inline verify_report verify(path_ref path, const verify_options &options = {})
{
    require_abi();
    ::colstore_verify_options raw{};
    raw.size = sizeof raw;
    raw.deep = options.deep ? 1 : 0;
    raw.max_threads = options.max_threads;
    raw.progress = detail::handle_of(options.progress);
    const std::string_view bytes = path.bytes();
    ::colstore_error *err = nullptr;
    ::colstore_verify_report *made = nullptr;
    const ::colstore_status status = ::colstore_verify(bytes.data(), bytes.size(), &raw, &made, &err);
    detail::handle<::colstore_verify_report, &::colstore_verify_report_free> owned(made);
    detail::check(status, err, options.progress);
    return verify_report(owned.release());
}

} // namespace colstore

#endif
