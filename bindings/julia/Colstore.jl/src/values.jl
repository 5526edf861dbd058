# Sets of values, and values for the `@names` of texts.

"What stands for several values."
const Collection = Union{AbstractVector, AbstractSet, Tuple}

"""
    Colstore.isin(expression, values; negated = false) -> Expression

Whether a value equals one of `values`, a vector, set or tuple; with `negated`, whether it equals none. Values are compared
exactly, whatever their types: 1 is in a set with 1.0. NaN and "not a time" are never found. `in.(x, Ref(values))` and
`.∉` are the same.
"""
function isin(value::Expression, values::Collection; negated::Bool = false)
    set = value_set(values)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_expr_isin(value.handle, set, negated, out, err)
    end
    return Expression(Handle(out[], kept_of([value])))
end

"A set of the library's, which has copied the values: of a vector that can be stored as it is, else one by one."
value_set(values::Tuple) = literal_set(values)
value_set(values::AbstractSet) = value_set(collect(values))

function value_set(values::AbstractVector{T}) where {T}
    is_array = isconcretetype(T) && (dtype_text(T) !== nothing || T <: Dates.AbstractTime)
    is_array || return literal_set(values)
    vector = values isa ColumnView ? values : as_stored(values)
    dtype = dtype_text(eltype(vector))
    dtype === nothing && return literal_set(values)
    out = Ref{Ptr{LibColstore.colstore_values}}(C_NULL)
    GC.@preserve vector begin
        start = address_of(vector)
        step = byte_stride(vector)
        check() do err
            LibColstore.colstore_values_array(
                dtype,
                sizeof(dtype),
                start,
                length(vector),
                step,
                out,
                err,
            )
        end
    end
    return Handle(out[])
end

function literal_set(values)
    literals = Expression[operand(value) for value in values]
    out = Ref{Ptr{LibColstore.colstore_values}}(C_NULL)
    GC.@preserve literals begin
        pointers = Ptr{LibColstore.colstore_expr}[
            literal.handle.pointer
            for literal in literals
        ]
        check() do err
            LibColstore.colstore_values_list(pointers, length(pointers), out, err)
        end
    end
    return Handle(out[])
end

"The parameters of a text, from whatever gives names and values."
function parameters(params, named)
    out = Ref{Ptr{LibColstore.colstore_params}}(C_NULL)
    check() do err
        LibColstore.colstore_params_new(out, err)
    end
    made = Handle(out[])
    for source in (names_and_values(params), named)
        for (name, value) in source
            set_parameter!(made, String(name), parameter_value(value))
        end
    end
    return made
end

names_and_values(params::Union{NamedTuple, AbstractDict}) = pairs(params)
names_and_values(params) = params

parameter_value(value) = operand(value)
parameter_value(values::Collection) = value_set(values)
parameter_value(bytes::Base.CodeUnits) = operand(bytes)

function set_parameter!(
    params::Handle{LibColstore.colstore_params},
    name::String,
    literal::Expression,
)
    check() do err
        LibColstore.colstore_params_set(params, name, sizeof(name), literal.handle, err)
    end
    return nothing
end

function set_parameter!(
    params::Handle{LibColstore.colstore_params},
    name::String,
    values::Handle{LibColstore.colstore_values},
)
    check() do err
        LibColstore.colstore_params_set_values(params, name, sizeof(name), values, err)
    end
    return nothing
end
