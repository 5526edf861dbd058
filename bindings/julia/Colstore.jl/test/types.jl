# What values are in Julia.

@testset "values" begin
    if isdir(GOLDEN)
        # not there if the package was installed without its repository
        table = Colstore.open(joinpath(GOLDEN, "all_dtypes_single.cstore"))
        for name in propertynames(table)
            @test isequal(table[:, name], collect(Colstore.column(table, name)))
        end
    end
    numbers = (;
        i8 = Int8[1, -2], u64 = UInt64[1, typemax(UInt64)], f16 = Float16[
            1,
            2,
        ], f32 = Float32[1, 2], b = [true, false]
    )
    table = Colstore.store(file("numbers.cstore"), numbers; mode = :recreate)
    for name in keys(numbers)
        @test table[:, name] == numbers[name]
        @test eltype(table[:, name]) === eltype(numbers[name])
    end
end

@testset "text" begin
    bytes = Colstore.FixedBytes{6}
    @test String(bytes("ab")) == "ab"
    @test bytes("ab") == "ab"
    @test "ab" == bytes("ab")
    @test length(bytes("äb")) == 2
    @test collect(bytes("äb€")) == collect("äb€")
    @test ncodeunits(bytes("äb")) == 3
    @test isvalid(bytes("äb"), 1)
    @test !isvalid(bytes("äb"), 2)
    @test isvalid(bytes("äb"), 3)
    @test hash(bytes("ab")) == hash("ab")
    @test isempty(bytes(""))
    @test collect(bytes("a\xff")) == collect("a\xff")
    @test_throws ArgumentError bytes("seven b")
    text = Colstore.FixedText{3}
    @test text("ä€😀") == "ä€😀"
    @test length(text("ab")) == 2
    @test String(text("ab")) == "ab"
    @test_throws ArgumentError text("four")
    table = Colstore.store(
        file("text.cstore"),
        (; s = bytes.(["a", "", "äb"]), u = ["x", "", "€uro"]);
        mode = :recreate,
    )
    @test table.s == ["a", "", "äb"]
    @test table.u == ["x", "", "€uro"]
    @test table[3, :u] == "€uro"
    @test Colstore.dtype(table, :s).text == "|S6"
    @test Colstore.dtype(table, :u).text == "<U4"
end

@testset "times" begin
    dates = [Date(1969, 12, 31), Date(2024, 2, 29)]
    moments = [DateTime(2024, 2, 29, 12, 30, 1, 5), DateTime(1, 1, 1)]
    table = Colstore.store(
        file("times.cstore"),
        (; d = dates, t = moments, p = [Second(3), Second(-4)]);
        mode = :recreate,
    )
    @test table.d[1].count == -1
    @test DateTime.(table.d) == DateTime.(dates)
    @test DateTime.(table.t) == moments
    @test Dates.Period.(table.p) == [Second(3), Second(-4)]
    @test eltype(table.p) === Colstore.TimeDelta64{:s, 1}
    nat = Colstore.DateTime64{:ns, 1}(typemin(Int64))
    @test Colstore.isnat(nat)
    @test_throws ArgumentError DateTime(nat)
    @test DateTime(Colstore.DateTime64{:ns, 1}(-1)) ==
        DateTime(1969, 12, 31, 23, 59, 59, 999)
    @test DateTime(Colstore.DateTime64{:s, 25}(2)) == DateTime(1970, 1, 1, 0, 0, 50)
    @test DateTime(Colstore.DateTime64{:M, 1}(13)) == DateTime(1971, 2)
    @test Colstore.DateTime64{:s, 1}(1) < Colstore.DateTime64{:s, 1}(2)
    @test Colstore.DType("M8[25s]").multiplier == 25
    @test status_of(() -> Colstore.DType("O")) === :UNSUPPORTED_TYPE
end
