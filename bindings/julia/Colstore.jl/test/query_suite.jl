# The cases of tests/data/query, which every language runs: what is expected is what NumPy gives. Their README says what the
# files hold. They are not there if the package was installed without its repository.

const QUERIES = joinpath(@__DIR__, "..", "..", "..", "..", "tests", "data", "query")
const STATUSES = Dict(
    "query" => :QUERY,
    "type" => :TYPE,
    "overflow" => :OVERFLOW,
    "value" => :VALUE,
)

suite_value(::Type{Bool}, text) = text == "True"
suite_value(::Type{T}, text) where {T <: Integer} = parse(T, text)
suite_value(::Type{T}, text) where {T <: AbstractFloat} = T(parse(Float64, text))
suite_value(::Type{T}, text) where {T <: Colstore.FixedText} = T(text)

function suite_value(::Type{T}, text) where {T <:
    Union{Colstore.DateTime64, Colstore.TimeDelta64}}
    return T(text == "NaT" ? typemin(Int64) : parse(Int64, text))
end

function suite_value(::Type{Colstore.FixedBytes{N}}, text) where {N}
    bytes = latin_bytes(text)
    return Colstore.FixedBytes{N}(ntuple(i -> i <= length(bytes) ? bytes[i] : 0x00, N))
end

"A byte for each character, U+0000 to U+00FF."
latin_bytes(text) = UInt8[codepoint(character) for character in text]

"Values as the files spell them."
function suite_values(dtype, texts)
    T = eltype(Colstore.DType(dtype))
    return T[suite_value(T, text) for text in texts]
end

"The tables of a file, each stored as two records."
function suite_tables(document, name)
    tables = Dict{String, Colstore.Table}()
    for table in document["table"]
        columns = [
            column["name"] => suite_values(column["dtype"], column["values"])
            for column in table["column"]
        ]
        path = file("$name-$(table["name"]).cstore")
        Colstore.recreate(path) do writer
            n_rows = length(columns[1][2])
            for part in (1:2, 3:n_rows)
                append!(writer, [column => values[part] for (column, values) in columns])
            end
        end
        tables[table["name"]] = Colstore.open(path)
    end
    return tables
end

function suite_parameter(found)
    dtype, texts = found["dtype"], found["values"]
    get(found, "set", false) && return suite_values(dtype, texts)
    text = only(texts)
    dtype == "bool" && return text == "True"
    dtype == "int" && return parse(BigInt, text)
    dtype == "float" && return parse(Float64, text)
    dtype == "str" && return text
    dtype == "bytes" && return codeunits(String(latin_bytes(text)))
    return Colstore.constant(only(suite_values(dtype, texts)))
end

"What a case gives: rows counted from 0 for a condition, else values."
function suite_result(table, case)
    params = Dict(
        name => suite_parameter(found)
        for (name, found) in get(case, "params", Dict{String, Any}())
    )
    if haskey(case, "query")
        return collect(Colstore.query(table, case["query"]; params = params)) .- 1
    end
    if haskey(case, "call")
        operands = [Colstore.parse_expression(text) for text in case["args"]]
        expression = Colstore.call(case["call"], operands...)
    else
        expression = Colstore.parse_expression(case["value"]; params = params)
    end
    return Colstore.evaluate(Colstore.edit(table), expression)
end

"Whether a case gives what is expected: values bit for bit, but any NaN is as good as another."
function suite_holds(table, case)
    if haskey(case, "error")
        error = try
            suite_result(table, case)
        catch caught
            caught
        end
        error isa Colstore.ColstoreError || return false
        return error.status === STATUSES[case["error"]] &&
            occursin(case["fragment"], error.message)
    end
    found = suite_result(table, case)
    haskey(case, "query") && return found == case["rows"]
    expected = suite_values(case["dtype"], case["values"])
    return eltype(found) === eltype(expected) && isequal(found, expected)
end

@testset "the query suite" begin
    n_cases = 0
    files = isdir(QUERIES) ? filter(endswith(".toml"), readdir(QUERIES)) : String[]
    for name in files
        document = TOML.parsefile(joinpath(QUERIES, name))
        tables = suite_tables(document, first(splitext(name)))
        @testset "$name" begin
            for case in document["case"]
                n_cases += 1
                holds = suite_holds(tables[case["table"]], case)
                holds || @info "a case of $name does not hold" case
                @test holds
            end
        end
    end
    isempty(files) || @test n_cases >= 450
end
