# Broadcasting. An expression is one value to it, and what would be fused into a loop over arrays is applied at once to the
# expressions, which gives an expression.

struct ExpressionStyle <: Base.Broadcast.BroadcastStyle end

Base.Broadcast.BroadcastStyle(::Type{Expression}) = ExpressionStyle()
Base.Broadcast.BroadcastStyle(
    style::ExpressionStyle,
    ::Base.Broadcast.AbstractArrayStyle,
) = style
Base.Broadcast.BroadcastStyle(style::ExpressionStyle, ::Base.Broadcast.Style{Tuple}) = style
Base.Broadcast.broadcastable(value::Expression) = value
# Counts of time are values, and have nothing to loop over.
Base.Broadcast.broadcastable(value::Time64) = Ref(value)

function Base.Broadcast.broadcasted(::ExpressionStyle, f, arguments...)
    return f(map(unwrapped, arguments)...)
end

# `in.(x, Ref([1, 2]))`, as over arrays, and `in.(x, ([1, 2],))`.
function Base.Broadcast.broadcasted(::ExpressionStyle, ::typeof(in), value, values)
    return isin(unwrapped(value), unwrapped(values))
end

function Base.Broadcast.broadcasted(::ExpressionStyle, ::typeof(∉), value, values)
    return isin(unwrapped(value), unwrapped(values); negated = true)
end

"What an argument of a broadcast stands for: scalars come in a `Ref`, and a part without expressions is not computed yet."
unwrapped(value) = value
unwrapped(value::Ref) = value[]
unwrapped(value::Tuple{Any}) = only(value)
unwrapped(value::Base.Broadcast.Broadcasted) = Base.Broadcast.materialize(value)
unwrapped(value::Base.CodeUnits) = value
unwrapped(::Union{AbstractArray, Tuple}) = throw(ArgumentError(
    "an array or tuple cannot be broadcast over an expression; assign! it to a frame as a column, or give a set as Ref(values)",
))
