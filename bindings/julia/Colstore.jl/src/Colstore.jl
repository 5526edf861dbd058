"""
    Colstore

Columnar tables in memory-mapped `.cstore` files, on the engine of `libcolstore`.

    table = Colstore.open("events.cstore")
    table.pt                     # a column where it lies in the file, without a copy
    table[1:10, :pt]             # rows of it, copied
    table[[7, 1, 7], [:pt, :n]]  # rows of several: a NamedTuple of vectors
    sum(table, :pt)              # in bounded memory, the same bits on any number of threads
    table[Colstore.query(table, "pt > @cut and abs(eta) < 2.5"; cut = 30), :pt]
    frame = Colstore.edit(table) # columns and cuts of one's own
    Colstore.assign!(frame, :pt2 => Colstore.col(:pt)^2)
    Colstore.store("new.cstore", (; x = rand(10), id = 1:10))
    Colstore.create("run.cstore") do writer    # record by record
        append!(writer, (; x = rand(10)))
    end

Rows are counted from 1, columns are named by `Symbol`s or strings, and a table is a source of Tables.jl.

[`open`](@ref), [`store`](@ref), [`create`](@ref), [`append`](@ref), [`compact`](@ref), [`verify`](@ref),
[`recover`](@ref), [`info`](@ref), [`Table`](@ref), [`Rows`](@ref), [`ColumnView`](@ref), [`Expression`](@ref),
[`query`](@ref), [`edit`](@ref), [`Frame`](@ref), [`cutflow`](@ref), [`batches`](@ref), [`Writer`](@ref),
[`Appender`](@ref), [`Progress`](@ref), [`ColstoreError`](@ref), [`config`](@ref). Nothing is exported: names are
written with the module's.
"""
module Colstore

using Dates: Dates
using Libdl: Libdl
using Preferences: @load_preference, @set_preferences!
using Statistics: Statistics
using Tables: Tables

include("LibColstore.jl")
include("library.jl")
include("handles.jl")
include("errors.jl")
include("times.jl")
include("text.jl")
include("dtypes.jl")
include("schema.jl")
include("progress.jl")
include("table.jl")
include("opening.jl")
include("rows.jl")
include("reads.jl")
include("columns.jl")
include("indexing.jl")
include("reductions.jl")
include("store.jl")
include("expressions.jl")
include("operators.jl")
include("broadcasting.jl")
include("values.jl")
include("queries.jl")
include("frames.jl")
include("frame_edits.jl")
include("frame_reads.jl")
include("cutflow.jl")
include("batches.jl")
include("copies.jl")
include("writer.jl")
include("shards.jl")
include("verify.jl")
include("recover.jl")
include("config.jl")
include("tables_interface.jl")

function __init__()
    load_library(find_library())
    return nothing
end

end # module Colstore
