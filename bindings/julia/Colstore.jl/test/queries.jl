# Rows by a condition.

@testset "queries" begin
    table, columns = sample()
    pt, n, flag = columns.pt, columns.n, columns.flag
    wanted = findall((pt .> 10) .& (n .== 3))
    for rows in Any[
            Colstore.query(table, "pt > 10 and n == 3"),
            Colstore.query(table, "pt > @cut and n == 3"; cut = 10),
            Colstore.query(
                table,
                "pt > @rows and n == @k";
                k = 3,
                params = Dict("rows" => 10),
            ),
            Colstore.query(
                table,
                "pt > @c and n in @k";
                params = (; c = 10.0, k = [3, 30]),
            ),
            Colstore.query(table, "pt > @c and n in @k"; params = ["c" => 10, "k" => (3,)]),
            Colstore.query(table, (col(:pt) > 10) & (col(:n) == 3)),
            Colstore.query(table, (col(:pt) .> 10) .& in.(col(:n), Ref([3]))),
            Colstore.query(table, (col(:pt) > 10) & Colstore.isin(col(:n), Set([3]))),
        ]
        @test rows isa Colstore.Rows
        @test collect(rows) == wanted
        @test table[rows, :name] == columns.name[wanted]
        @test table[rows, [:n, :pt]] == (; n = n[wanted], pt = pt[wanted])
    end
    @test collect(Colstore.query(table, "flag"; rows = 30:-1:1)) ==
        filter(i -> flag[i], 30:-1:1)
    @test collect(Colstore.query(table, "not flag"; rows = [1, 3, 2, 3])) == [1, 2]
    @test sum(table, :pt; rows = Colstore.query(table, "flag")) == sum(pt[flag])
    @test length(Colstore.query(table, "pt < 0")) == 0
    @test collect(Colstore.query(table, col(:time) > DateTime(2024, 1, 1, 1, 30))) == 91:100
    @test collect(Colstore.query(table, "time > @t"; t = DateTime(2024, 1, 1, 1, 30))) ==
        91:100
    @test collect(Colstore.query(table, col(:name) == "row 7")) == [7]
    @test collect(Colstore.query(table, Colstore.isin(col(:name), ["row 7", "no row"]))) ==
        [7]
    @test collect(Colstore.query(table, "name in @some"; some = table.name[4:5])) == [4, 5]
    @test collect(Colstore.query(table, Colstore.isin(col(:time), columns.time[2:3]))) ==
        [2, 3]
    @test length(Colstore.query(table, Colstore.isin(col(:n), 0:2; negated = true))) ==
        count(>(2), n)
    @test length(Colstore.query(table, Colstore.isin(col(:n), Any[1, 2.0, "x"]))) ==
        count(in((1, 2)), n)
    @test isempty(collect(Colstore.query(table, Colstore.isin(col(:n), Int[]))))
    @test string(Colstore.parse_expression("pt>3 and(n<2)")) == "pt > 3 and n < 2"
    closed = Colstore.open(file("sample.cstore"))
    close(closed)
    @test_throws ArgumentError Colstore.query(closed, "pt > 1")
end

@testset "what is wrong with a text, and where" begin
    table, _ = sample()
    error = try
        Colstore.query(table, "pt > 1 and no < 2")
    catch caught
        caught
    end
    @test error.status === :QUERY
    @test error.span == 12:13
    @test occursin("unknown name 'no'", error.message)
    @test occursin("^^", error.message)
    unparsed = try
        Colstore.parse_expression("pt > > 3")
    catch caught
        caught
    end
    @test unparsed.span == 6:6
    @test status_of(() -> Colstore.parse_expression("pt > @cut")) === :QUERY
    @test status_of(() -> Colstore.query(table, "pt + 1")) === :QUERY
    @test status_of(() -> Colstore.query(table, "pt > 'text'")) === :TYPE
    @test status_of(() -> Colstore.query(table, "n + @big == 1"; big = 2^40)) === :OVERFLOW
    @test_throws ArgumentError Colstore.query(table, "n == @c"; c = 1im)
    missing_file = try
        Colstore.open(file("missing.cstore"))
    catch caught
        caught
    end
    @test missing_file.span === nothing
    @test status_of(() -> Colstore.query(table, "flag"; rows = Colstore.rows(7, 1:3))) ===
        :VALUE
end
