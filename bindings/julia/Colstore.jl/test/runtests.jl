# Runs where Julia and the library are: `make test-julia`, or COLSTORE_LIBRARY=…/libcolstore.so and `Pkg.test()`.

using Colstore
using Dates
using Statistics
using Tables
using Test
using TOML

const FOLDER = mktempdir()
const GOLDEN = joinpath(@__DIR__, "..", "..", "..", "..", "tests", "data", "golden")

file(name) = joinpath(FOLDER, name)

"The status of the ColstoreError that `f` throws."
function status_of(f)
    try
        f()
    catch error
        return error isa Colstore.ColstoreError ? error.status : error
    end
    return :OK
end

"A table of 100 rows in one record, and what is in it."
function sample()
    columns = (;
        pt = collect(1.0:100.0) ./ 4,
        n = Int32.(1:100) .% Int32(7),
        flag = [i % 3 == 0 for i in 1:100],
        name = ["row $i" for i in 1:100],
        time = DateTime(2024, 1, 1) .+ Minute.(1:100),
    )
    return Colstore.store(file("sample.cstore"), columns; mode = :recreate), columns
end

@testset "Colstore" begin
    include("tables.jl")
    include("types.jl")
    include("reductions.jl")
    include("store.jl")
    include("expressions.jl")
    include("queries.jl")
    include("frames.jl")
    include("query_suite.jl")
    include("writers.jl")
    include("verify.jl")
    include("settings.jl")
    include("memory.jl")
end
