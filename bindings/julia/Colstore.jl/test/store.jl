# Writing at once, many files, copies.

@testset "what is stored" begin
    source = collect(1.0:20.0)
    strided = Colstore.store(
        file("strided.cstore"),
        (; x = view(source, 20:-3:1));
        mode = :recreate,
    )
    @test strided.x == source[20:-3:1]
    again = Colstore.store(file("again.cstore"), strided; mode = :recreate)
    @test again.x == source[20:-3:1]
    lent = Colstore.store(
        file("lent.cstore"),
        ["y" => view(strided, 7:-2:1, :x)];
        mode = :recreate,
    )
    @test lent.y == source[20:-3:1][7:-2:1]
    ranges = Colstore.store(
        file("ranges.cstore"),
        (; i = 1:5, m = Any[1.0, 2.0, 3.0, 4.0, 5.0]);
        mode = :recreate,
    )
    @test ranges.i == 1:5
    @test eltype(ranges.m) === Float64
    empty = Colstore.store(
        file("empty.cstore"),
        (; x = Float64[], s = String[]);
        mode = :recreate,
    )
    @test size(empty) == (0, 2)
    @test isempty(empty.x)
    @test isempty(empty.s)
    @test_throws ArgumentError Colstore.store(file("bad.cstore"), (; x = [1, missing]))
    @test_throws ArgumentError Colstore.store(file("bad.cstore"), (; x = [1 + 2im]))
    @test_throws ArgumentError Colstore.store(file("bad.cstore"), ["x" => 3])
    @test_throws ArgumentError Colstore.store(
        file("bad.cstore"),
        (; x = Union{Int8, Int16}[Int8(1), Int16(2)]),
    )
    @test status_of(() -> Colstore.store(file("bad.cstore"), (; x = 1:2, y = 1:3))) ===
        :INVALID_ARGUMENT
    @test !isfile(file("bad.cstore"))
    nul = Colstore.store(file("nul.cstore"), ["a\0b" => [1]]; mode = :recreate)
    @test Colstore.column_names(nul) == ["a\0b"]
    @test nul[:, "a\0b"] == [1]
    @test Colstore.column(nul, Symbol("a\\0b")) == [1]
end

@testset "many files" begin
    folder = mkpath(file("shards"))
    for i in [1, 2, 10]
        Colstore.store(
            joinpath(folder, "run_$i.cstore"),
            (; x = fill(i, i));
            mode = :recreate,
        )
    end
    whole = Colstore.open(folder)
    @test size(whole, 1) == 13
    @test basename.(Colstore.paths(whole)) ==
        ["run_1.cstore", "run_2.cstore", "run_10.cstore"]
    @test whole.x isa Vector{Int}
    @test whole.x == [fill(1, 1); fill(2, 2); fill(10, 10)]
    @test whole[2:3, :x] isa Vector
    @test view(whole, 2:3, :x) == [2, 2]
    @test status_of(() -> view(whole, 1:3, :x)) === :NOT_CONTIGUOUS
    @test size(Colstore.open(joinpath(folder, "run_1*.cstore"))) == (11, 1)
    @test status_of(() -> Colstore.open(joinpath(folder, "no*.cstore"))) === :NOT_FOUND
    Colstore.store(joinpath(folder, "run_11.cstore"), (; x = [1], y = [2]))
    @test status_of(() -> Colstore.open(folder)) === :INVALID_ARGUMENT
    loose = Colstore.open(folder; on_mismatch = :drop)
    @test Colstore.dropped(loose) == ["y"]
    @test size(vcat(whole, whole)) == (26, 1)
end

@testset "copies" begin
    table, columns = sample()
    twice = vcat(table, table)
    @test Colstore.record_rows(twice) == [100, 100]
    copied = Colstore.store(file("copy.cstore"), twice; statistics = true)
    @test size(copied) == (200, 5)
    @test Colstore.record_rows(copied) == [200]
    @test copied.n == [columns.n; columns.n]
    @test copied.name == [columns.name; columns.name]
    @test status_of(() -> Colstore.store(file("copy.cstore"), twice)) === :ALREADY_EXISTS
    @test status_of(() -> Colstore.store(file("copy.cstore"), copied; mode = :recreate)) ===
        :INVALID_ARGUMENT
    close(table)
    @test_throws ArgumentError Colstore.store(file("closed.cstore"), table)
    parts = file("parts.cstore")
    Colstore.create(parts) do writer
        append!(writer, (; x = 1:3))
        append!(writer, (; x = 4:5))
    end
    old = Colstore.open(parts)
    @test Colstore.compact(parts; out = file("compact.cstore")) === nothing
    @test Colstore.record_rows(Colstore.open(file("compact.cstore"))) == [5]
    @test Colstore.record_rows(Colstore.open(parts)) == [3, 2]
    Colstore.compact(parts; statistics = true)
    @test Colstore.open(parts).x == 1:5
    @test Colstore.n_records(Colstore.open(parts)) == 1
    @test old[:, :x] == 1:5
    @test status_of(() -> Colstore.compact(file("missing.cstore"))) === :NOT_FOUND
end
