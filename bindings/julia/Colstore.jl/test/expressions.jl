# Expressions: what operators, functions and broadcasts make, told by their text, and what they compute.

using Colstore: col, constant

@testset "operators" begin
    x, y = col(:x), col("y")
    same = Any[
        "x + y" => x + y,
        "x - 1" => x - 1,
        "1 - x" => 1 - x,
        "x * 0.5" => x * 0.5,
        "1 / x" => 1 / x,
        "x // 3" => fld(x, 3),
        "x % 3" => mod(x, 3),
        "fmod(x, 3)" => x % 3,
        "fmod(x, 3)" => rem(x, 3),
        "x ** 2" => x^2,
        "x ** -1" => x^-1,
        "x ** y" => x^y,
        "2 ** x" => 2^x,
        "-x" => -x,
        "~x" => ~x,
        "x == 3" => x == 3,
        "x != 3" => x != 3,
        "3 == x" => 3 == x,
        "x == y" => x == y,
        "x < 3" => x < 3,
        "3 < x" => 3 < x,
        "x <= y" => x <= y,
        "x >= 2.5" => x >= 2.5,
        "(x > 30) & (absolute(y) < 2.5)" => (x > 30) & (abs(y) < 2.5),
        "(x > 30) | (y < 2)" => (x > 30) | (y < 2),
        "x ^ 1" => x ⊻ 1,
        "left_shift(x, 2)" => x << 2,
        "right_shift(x, 2)" => x >> 2,
        "not x > 30" => !(x > 30),
        "x + 1 + 2 + y" => +(x, 1, 2, y),
        "sqrt(x ** 2 + y ** 2)" => sqrt(x^2 + y^2),
        "arctan2(y, x)" => atan(y, x),
        "arctan(x)" => atan(x),
        "arcsinh(x)" => asinh(x),
        "hypot(x, y)" => hypot(x, y),
        "minimum(x, 3)" => min(x, 3),
        "maximum(3, x)" => max(3, x),
        "clip(x, None, 3)" => clamp(x, nothing, 3),
        "where(x > 30, x, 0)" => ifelse(x > 30, x, 0),
        "rint(x)" => round(x),
        "round(x, 2)" => round(x; digits = 2),
        "astype(x, '<f4')" => Colstore.cast(x, Float32),
        "astype(x, '<i2')" => Colstore.cast(x, "i2"),
        "logaddexp(x, y)" => Colstore.call(:logaddexp, x, y),
        "isnat(x)" => Colstore.isnat(x),
        "x == 'it'" => x == "it",
        "x == b'ab'" => x == b"ab",
        "x == None" => ==(x, nothing),
        "x == 'ab'" => x == Colstore.FixedText{4}("ab"),
        "x == b'ab'" => x == Colstore.FixedBytes{4}("ab"),
        "x + 100000000000000000000" => x + big(10)^20,
        "x + float32(1.5)" => x + 1.5f0,
        "x + int32(1)" => x + Int32(1),
        "x + int64(1)" => x + constant(1),
        "x > datetime64[D](1)" => x > Date(1970, 1, 2),
        "x > datetime64[ms](5)" => x > DateTime(1970, 1, 1, 0, 0, 0, 5),
        "x + timedelta64[s](3)" => x + Second(3),
        "x == True" => ==(x, true),
    ]
    for (text, expression) in same
        @test expression isa Colstore.Expression
        @test string(expression) == text
    end
    @test string(x / π) == string(x / Float64(π))
    @test string(x + 1 // 2) == string(x + 0.5)
    for function_name in (:deg2rad, :exp2, :cbrt, :isnan, :signbit, :floor, :log10, :tanh)
        made = getfield(Base, function_name)(x)
        @test string(made) == "$function_name(x)"
    end
    @test sprint(show, x > 1) == "Colstore.Expression: x > 1"
    @test Colstore.column_names(x + y * x) == ["x", "y"]
    @test Colstore.is_exact(:sqrt, Float32)
    @test !Colstore.is_exact(:exp, Float32)
end

@testset "broadcasting makes expressions" begin
    x, y = col(:x), col(:y)
    square_sum(a, b) = a^2 + b^2
    same = Any[
        "x > 30" => x .> 30,
        "(x > 30) & (absolute(y) < 2.5)" => (x .> 30) .& (abs.(y) .< 2.5),
        "sqrt(x ** 2 + y ** 2)" => sqrt.(x.^2 .+ y.^2),
        "x > 6.0" => x .> sqrt.(4) .* 3,
        "not x > 30" => .!(x .> 30),
        "-x" => .-x,
        "x == 'abc'" => x .== "abc",
        "x == b'abc'" => x .== b"abc",
        "x == None" => x .== nothing,
        "x > datetime64[D](1)" => x .> Date(1970, 1, 2),
        "x == datetime64[s](7)" => x .== Colstore.DateTime64{:s, 1}(7),
        "x ** 2 + y ** 2" => square_sum.(x, y),
        "x + 3" => x .+ Ref(3),
        "clip(x, 1, 3)" => clamp.(x, 1, 3),
        "where(x > 1, x, 0)" => ifelse.(x .> 1, x, 0),
        "round(x, 2)" => round.(x; digits = 2),
        "minimum(x, y)" => min.(x, y),
        "x > 30" => (@. col(:x) > 30),
        "x in ['a', 'b']" => in.(x, Ref(["a", "b"])),
        "x in [3, 5]" => in.(x, ((3, 5),)),
        "x not in ['a']" => x .∉ Ref(["a"]),
    ]
    for (text, expression) in same
        @test expression isa Colstore.Expression
        @test string(expression) == text
    end
    @test string(1 .< x .< 3) == string((1 < x) & (x < 3))
    @test_throws ArgumentError x .+ [1, 2, 3]
    @test_throws ArgumentError x .+ (1, 2)
    @test_throws ArgumentError (in.(x, [1, 2]))
    @test_throws TypeError 1 < x < 3
end

@testset "what is refused" begin
    x = col(:x)
    @test_throws ArgumentError x + (1 + 2im)
    @test_throws ArgumentError Base.:(==)(x, missing)
    @test_throws ArgumentError x == 'c'
    @test_throws ArgumentError x == [1, 2]
    @test_throws MethodError x + missing
    @test_throws MethodError x ÷ 2
    @test_throws MethodError Float32(x)
    @test_throws ArgumentError constant(1 + 2im)
    @test_throws ArgumentError Colstore.cast(x, String)
    @test status_of(() -> Colstore.call(:no_such_function, x)) === :VALUE
    @test status_of(() -> Colstore.call(:sqrt, x, x)) === :VALUE
    @test status_of(() -> Colstore.cast(x, "c16")) === :UNSUPPORTED_TYPE
end

@testset "identity" begin
    a, b = col(:a), col(:a)
    @test isequal(a, a)
    @test !isequal(a, b)
    @test !isequal(a, missing)
    @test !isequal(1, a)
    names = Dict{Any, Int}(a => 1, b => 2, "a" => 3)
    @test (names[a], names[b], names["a"]) == (1, 2, 3)
end

@testset "dtypes" begin
    table, _ = sample()
    @test Colstore.dtype(table, col(:n) + 1).text == "<i4"
    @test Colstore.dtype(table, col(:n) + constant(1)).text == "<i8"
    @test Colstore.dtype(table, col(:n) + 1.0f0).text == "<f8"
    @test Colstore.dtype(table, col(:pt) > 1; condition = true).text == "|b1"
    @test status_of(() -> Colstore.dtype(table, col(:pt) + 1; condition = true)) === :QUERY
    @test status_of(() -> Colstore.dtype(table, col(:no) > 1)) === :QUERY
    @test status_of(() -> Colstore.dtype(table, col(:pt) + "text")) === :TYPE
    @test Colstore.dtype(table, col(:n) == 2^40).text == "|b1"
    @test status_of(() -> Colstore.dtype(table, col(:n) + 2^40)) === :OVERFLOW
end
