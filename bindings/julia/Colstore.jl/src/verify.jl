# What is wrong with files.

const SEVERITIES = (
    note = LibColstore.COLSTORE_SEVERITY_NOTE,
    warning = LibColstore.COLSTORE_SEVERITY_WARNING,
    error = LibColstore.COLSTORE_SEVERITY_ERROR,
)

"""
    Finding

One thing that [`verify`](@ref) found.

- `severity`: `:note`, nothing is wrong; `:warning`, not as writers leave a file, but values are right; `:error`, damage
- `code`: a word that says what it is about, such as `"record"`; `message`: what was expected and what was found
- `path`, and `column`, `offset` (in bytes from the start of the file), `record` (counted from 0, as in the message) or
  `nothing`
"""
struct Finding
    severity::Symbol
    code::String
    message::String
    path::String
    column::Union{String, Nothing}
    offset::Union{Int, Nothing}
    record::Union{Int, Nothing}
end

function Base.show(io::IO, finding::Finding)
    print(
        io,
        finding.path,
        ": ",
        finding.severity,
        ": ",
        finding.code,
        ": ",
        finding.message,
    )
    return nothing
end

"""
    VerifyReport

What [`verify`](@ref) came to: `findings`, of each file at most a thousand, in the order of files and places; `n_errors`,
`n_warnings`, `n_notes`, listed or not; `n_files`, whole `n_records` and the `n_rows` in them, `n_bytes` of all files, and
`n_value_bytes` of values that were read. [`is_sound`](@ref) says whether there are no errors.
"""
struct VerifyReport
    findings::Vector{Finding}
    n_errors::Int
    n_warnings::Int
    n_notes::Int
    n_files::Int
    n_records::Int
    n_rows::Int
    n_bytes::Int
    n_value_bytes::Int
end

"""
    Colstore.is_sound(report) -> Bool

Whether no damage was found.
"""
is_sound(report::VerifyReport) = report.n_errors == 0

function Base.show(io::IO, report::VerifyReport)
    print(io, "Colstore.VerifyReport: ", report.n_errors, " errors, ")
    print(io, report.n_warnings, " warnings in ", report.n_files, " files")
    return nothing
end

"""
    Colstore.verify(path; deep = false, threads = 0, progress = nothing) -> VerifyReport

Checks a file, or all files of a directory or a pattern. Damage is in the report, not thrown.

Found is any changed bit of the header, the manifest, record headers, fillers and statistics. Values have no checksum: with
`deep` they are read, and those found that leave the range that the statistics of the file give, and bytes that no `Bool` or
text holds.

`ColstoreError` if a single file or the directory cannot be read.
"""
function verify(
    path::AbstractString;
    deep::Bool = false,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    asked = String(path)
    options = Ref(LibColstore.colstore_verify_options(;
        deep = deep,
        max_threads = threads,
        progress = progress_pointer(progress),
    ))
    out = Ref{Ptr{LibColstore.colstore_verify_report}}(C_NULL)
    check_watched(progress) do err
        LibColstore.colstore_verify(asked, sizeof(asked), options, out, err)
    end
    return VerifyReport(Handle(out[]))
end

"Copies a report of the library's."
function VerifyReport(report::Handle{LibColstore.colstore_verify_report})
    out = Ref(LibColstore.colstore_verify_summary())
    check() do err
        LibColstore.colstore_verify_report_describe(report, out, err)
    end
    found = out[]
    return VerifyReport(
        Finding[finding_at(report, index) for index in 0:(Int(found.n_findings) - 1)],
        Int(found.n_errors),
        Int(found.n_warnings),
        Int(found.n_notes),
        Int(found.n_files),
        Int(found.n_records),
        Int(found.n_rows),
        Int(found.n_bytes),
        Int(found.n_value_bytes),
    )
end

function finding_at(report::Handle{LibColstore.colstore_verify_report}, index::Int)
    out = Ref(LibColstore.colstore_finding())
    check() do err
        LibColstore.colstore_verify_report_finding(report, index, out, err)
    end
    lent = out[]
    return GC.@preserve report Finding(
        choice_name(SEVERITIES, lent.severity),
        unsafe_string(lent.code, lent.code_len),
        unsafe_string(lent.message, lent.message_len),
        unsafe_string(lent.path, lent.path_len),
        lent_string(lent.column, lent.column_len),
        lent.offset < 0 ? nothing : Int(lent.offset),
        lent.record < 0 ? nothing : Int(lent.record),
    )
end
