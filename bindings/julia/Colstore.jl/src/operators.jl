# fatou-ignore-file noteq-definition: of expressions it is an operation of its own
# Operators and functions of Julia as expressions, where NumPy's of the other name means the same.

# `%` is Julia's: with the sign of the dividend. There is no `÷`, which Julia cuts off and NumPy rounds down: `fld` is NumPy's
# `floor_divide`.
Base.:+(a::Expression, b::Side) = call("add", a, b)
Base.:+(a::Operand, b::Expression) = call("add", a, b)
Base.:-(a::Expression, b::Side) = call("subtract", a, b)
Base.:-(a::Operand, b::Expression) = call("subtract", a, b)
Base.:*(a::Expression, b::Side) = call("multiply", a, b)
Base.:*(a::Operand, b::Expression) = call("multiply", a, b)
Base.:/(a::Expression, b::Side) = call("true_divide", a, b)
Base.:/(a::Operand, b::Expression) = call("true_divide", a, b)
Base.:^(a::Expression, b::Side) = call("power", a, b)
Base.:^(a::Operand, b::Expression) = call("power", a, b)
Base.fld(a::Expression, b::Side) = call("floor_divide", a, b)
Base.fld(a::Operand, b::Expression) = call("floor_divide", a, b)
Base.mod(a::Expression, b::Side) = call("remainder", a, b)
Base.mod(a::Operand, b::Expression) = call("remainder", a, b)
Base.rem(a::Expression, b::Side) = call("fmod", a, b)
Base.rem(a::Operand, b::Expression) = call("fmod", a, b)
Base.:(<)(a::Expression, b::Side) = call("less", a, b)
Base.:(<)(a::Operand, b::Expression) = call("less", a, b)
Base.:(<=)(a::Expression, b::Side) = call("less_equal", a, b)
Base.:(<=)(a::Operand, b::Expression) = call("less_equal", a, b)
Base.:(>)(a::Expression, b::Side) = call("greater", a, b)
Base.:(>)(a::Operand, b::Expression) = call("greater", a, b)
Base.:(>=)(a::Expression, b::Side) = call("greater_equal", a, b)
Base.:(>=)(a::Operand, b::Expression) = call("greater_equal", a, b)
Base.:(&)(a::Expression, b::Side) = call("bitwise_and", a, b)
Base.:(&)(a::Operand, b::Expression) = call("bitwise_and", a, b)
Base.:(|)(a::Expression, b::Side) = call("bitwise_or", a, b)
Base.:(|)(a::Operand, b::Expression) = call("bitwise_or", a, b)
Base.xor(a::Expression, b::Side) = call("bitwise_xor", a, b)
Base.xor(a::Operand, b::Expression) = call("bitwise_xor", a, b)
Base.:(<<)(a::Expression, b::Side) = call("left_shift", a, b)
Base.:(<<)(a::Operand, b::Expression) = call("left_shift", a, b)
Base.:(>>)(a::Expression, b::Side) = call("right_shift", a, b)
Base.:(>>)(a::Operand, b::Expression) = call("right_shift", a, b)
Base.min(a::Expression, b::Side) = call("minimum", a, b)
Base.min(a::Operand, b::Expression) = call("minimum", a, b)
Base.max(a::Expression, b::Side) = call("maximum", a, b)
Base.max(a::Operand, b::Expression) = call("maximum", a, b)
Base.atan(a::Expression, b::Side) = call("arctan2", a, b)
Base.atan(a::Operand, b::Expression) = call("arctan2", a, b)
Base.hypot(a::Expression, b::Side) = call("hypot", a, b)
Base.hypot(a::Operand, b::Expression) = call("hypot", a, b)
Base.copysign(a::Expression, b::Side) = call("copysign", a, b)
Base.copysign(a::Operand, b::Expression) = call("copysign", a, b)
Base.ldexp(a::Expression, b::Side) = call("ldexp", a, b)
Base.ldexp(a::Operand, b::Expression) = call("ldexp", a, b)
Base.gcd(a::Expression, b::Side) = call("gcd", a, b)
Base.gcd(a::Operand, b::Expression) = call("gcd", a, b)
Base.lcm(a::Expression, b::Side) = call("lcm", a, b)
Base.lcm(a::Operand, b::Expression) = call("lcm", a, b)

Base.:+(a::Expression) = call("positive", a)
Base.:-(a::Expression) = call("negative", a)
Base.:(!)(a::Expression) = call("logical_not", a)
Base.:(~)(a::Expression) = call("invert", a)
Base.abs(a::Expression) = call("absolute", a)
Base.sign(a::Expression) = call("sign", a)
Base.signbit(a::Expression) = call("signbit", a)
Base.floor(a::Expression) = call("floor", a)
Base.ceil(a::Expression) = call("ceil", a)
Base.trunc(a::Expression) = call("trunc", a)
Base.isnan(a::Expression) = call("isnan", a)
Base.isinf(a::Expression) = call("isinf", a)
Base.isfinite(a::Expression) = call("isfinite", a)
Base.sqrt(a::Expression) = call("sqrt", a)
Base.cbrt(a::Expression) = call("cbrt", a)
Base.exp(a::Expression) = call("exp", a)
Base.exp2(a::Expression) = call("exp2", a)
Base.expm1(a::Expression) = call("expm1", a)
Base.log(a::Expression) = call("log", a)
Base.log2(a::Expression) = call("log2", a)
Base.log10(a::Expression) = call("log10", a)
Base.log1p(a::Expression) = call("log1p", a)
Base.sin(a::Expression) = call("sin", a)
Base.cos(a::Expression) = call("cos", a)
Base.tan(a::Expression) = call("tan", a)
Base.asin(a::Expression) = call("arcsin", a)
Base.acos(a::Expression) = call("arccos", a)
Base.atan(a::Expression) = call("arctan", a)
Base.sinh(a::Expression) = call("sinh", a)
Base.cosh(a::Expression) = call("cosh", a)
Base.tanh(a::Expression) = call("tanh", a)
Base.asinh(a::Expression) = call("arcsinh", a)
Base.acosh(a::Expression) = call("arccosh", a)
Base.atanh(a::Expression) = call("arctanh", a)
Base.deg2rad(a::Expression) = call("deg2rad", a)
Base.rad2deg(a::Expression) = call("rad2deg", a)

# `x^2` and `x^-1`: a power as others, not a product or the power of an inverse.
Base.literal_pow(::typeof(^), a::Expression, ::Val{N}) where {N} = a^N

# Julia's own would compare with `===`, and give `false` for what can be no operand; here that is an error. Those of `missing`
# and `WeakRef` would be ambiguous otherwise.
Base.:(==)(a::Expression, b::Expression) = call("equal", a, b)
Base.:(==)(a::Expression, b) = call("equal", a, b)
Base.:(==)(a, b::Expression) = call("equal", a, b)
Base.:(==)(a::Expression, b::Missing) = operand(b)
Base.:(==)(a::Missing, b::Expression) = operand(a)
Base.:(==)(a::Expression, b::WeakRef) = isequal(a, b.value)
Base.:(==)(a::WeakRef, b::Expression) = isequal(a.value, b)
Base.:(!=)(a::Expression, b::Expression) = call("not_equal", a, b)
Base.:(!=)(a::Expression, b) = call("not_equal", a, b)
Base.:(!=)(a, b::Expression) = call("not_equal", a, b)

"""
    isequal(a::Expression, b::Expression) -> Bool

Whether they are one object, as `===` says, so that expressions can be keys of a `Dict`. `a == b` is an expression.
"""
Base.isequal(a::Expression, b::Expression) = a === b
Base.isequal(::Expression, ::Any) = false
Base.isequal(::Any, ::Expression) = false
Base.isequal(::Expression, ::Missing) = false
Base.isequal(::Missing, ::Expression) = false
Base.hash(value::Expression, h::UInt) = hash(objectid(value.handle), h)

"""
    ifelse(condition::Expression, a, b)

The value of `a` where the condition holds, else that of `b`: NumPy's `where`.
"""
Base.ifelse(condition::Expression, a, b) = call("where", condition, a, b)

"""
    clamp(expression, low, high)

The values, not below `low` and not above `high`, of which one may be `nothing`: NumPy's `clip`. Where one is NaN, so is the
result.
"""
Base.clamp(value::Expression, low, high) = call("clip", value, low, high)

isnat(value::Expression) = call("isnat", value)
