# What each cut of a frame does.

"""
    CutRecord

What one cut does to the rows that all cuts before it leave.

- `label`: what the cut is called, or `nothing`; `condition`: its text
- `entering`, `passing`: the number of rows before and after
- `weighted_entering`, `weighted_passing`: the sums of their weights; `weighted_variance`: the sum of the squares of the
  weights that pass, whose root is the error of their sum; `nothing` without a weight

[`efficiency`](@ref) and [`weighted_efficiency`](@ref) are the shares that pass.
"""
struct CutRecord
    label::Union{String, Nothing}
    condition::String
    entering::Int
    passing::Int
    weighted_entering::Union{Float64, Nothing}
    weighted_passing::Union{Float64, Nothing}
    weighted_variance::Union{Float64, Nothing}
end

"""
    Colstore.efficiency(record) -> Float64

The share of the rows that pass; 0 if none enter.
"""
function efficiency(record::CutRecord)
    return record.entering == 0 ? 0.0 : record.passing / record.entering
end

"""
    Colstore.weighted_efficiency(record) -> Union{Float64, Nothing}

The share of the weight that passes; 0 if there is none, `nothing` without a weight.
"""
function weighted_efficiency(record::CutRecord)
    before, after = record.weighted_entering, record.weighted_passing
    (before === nothing || after === nothing) && return nothing
    return iszero(before) ? 0.0 : after / before
end

"""
    Cutflow <: AbstractVector{CutRecord}

A [`CutRecord`](@ref) for each cut of a frame, in their order; made by [`cutflow`](@ref), and shown as a table.
"""
struct Cutflow <: AbstractVector{CutRecord}
    records::Vector{CutRecord}
end

Base.size(cutflow::Cutflow) = size(cutflow.records)
Base.IndexStyle(::Type{Cutflow}) = IndexLinear()
Base.@propagate_inbounds Base.getindex(cutflow::Cutflow, i::Int) = cutflow.records[i]

"""
    Colstore.cutflow(frame; threads = 0, progress = nothing) -> Cutflow

What each cut of a frame does, in their order.
"""
function cutflow(
    frame::Frame;
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    handle = handle_of(frame)
    options = read_options(threads, progress)
    out = Ref{Ptr{LibColstore.colstore_cutflow}}(C_NULL)
    check_watched(progress) do err
        LibColstore.colstore_frame_cutflow(handle, options, out, C_NULL, err)
    end
    found = Handle(out[])
    n_cuts = Ref{Csize_t}(0)
    check() do err
        LibColstore.colstore_cutflow_count(found, n_cuts, err)
    end
    return Cutflow(CutRecord[cut_at(found, index) for index in 0:(Int(n_cuts[]) - 1)])
end

function cut_at(found::Handle{LibColstore.colstore_cutflow}, index::Int)
    out = Ref(LibColstore.colstore_cut_record())
    check() do err
        LibColstore.colstore_cutflow_get(found, index, out, err)
    end
    record = out[]
    is_weighted = record.weighted != 0
    return GC.@preserve found CutRecord(
        lent_string(record.label, record.label_len),
        something(lent_string(record.condition, record.condition_len), ""),
        Int(record.entering),
        Int(record.passing),
        is_weighted ? record.weighted_entering : nothing,
        is_weighted ? record.weighted_passing : nothing,
        is_weighted ? record.weighted_variance : nothing,
    )
end

function Base.show(io::IO, ::MIME"text/plain", cutflow::Cutflow)
    print(io, "Colstore.Cutflow of ", length(cutflow), " cuts")
    isempty(cutflow) && return nothing
    for line in cutflow_lines(cutflow)
        print(io, "\n  ", line)
    end
    return nothing
end

"The lines of the table: what the cuts are called to the left, numbers to the right of their columns."
function cutflow_lines(cutflow::Cutflow)
    is_weighted = any(record -> record.weighted_entering !== nothing, cutflow.records)
    heads = ["cut", "entering", "passing", "share"]
    is_weighted && append!(heads, ["weight entering", "weight passing", "share"])
    lines = [heads]
    for record in cutflow.records
        name = record.label === nothing ? record.condition : record.label
        cells = [
            name,
            string(record.entering),
            string(record.passing),
            percentage(efficiency(record)),
        ]
        if is_weighted
            push!(cells, shown_weight(record.weighted_entering))
            push!(cells, shown_weight(record.weighted_passing))
            push!(cells, percentage(weighted_efficiency(record)))
        end
        push!(lines, cells)
    end
    widths = [maximum(textwidth(line[i]) for line in lines) for i in eachindex(heads)]
    return String[
        join(
            (
                i == 1 ? rpad(line[i], widths[i]) : lpad(line[i], widths[i])
                for i in eachindex(heads)
            ),
            "  ",
        )
        for line in lines
    ]
end

percentage(::Nothing) = "-"
percentage(share::Float64) = string(round(100 * share; digits = 2), " %")
shown_weight(::Nothing) = "-"
shown_weight(weight::Float64) = string(round(weight; sigdigits = 6))
