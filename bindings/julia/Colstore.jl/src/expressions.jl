# Expressions: a value for every row, made of columns, constants and calls.

"""
    Expression

A value for every row, worked out from columns of the same row; made by [`col`](@ref), [`constant`](@ref),
[`parse_expression`](@ref), [`call`](@ref), and by the operators and functions of Julia where they mean the same:

    col(:pt) > 30
    (col(:pt) .> 30) .& (abs.(col(:eta)) .< 2.5)
    sqrt(col(:x)^2 + col(:y)^2)

With or without dots is the same: nothing is an array here, and nothing is computed before it is asked for. Comparisons bind
less than `&`, so they need parentheses; `&&`, `||` and `1 < x < 2` cannot be expressions, `(1 < x) & (x < 2)` is.

`==` and `!=` make expressions too, so [`isequal`](@ref) is what tells whether two are the same object, and `in` a collection
of expressions does not work. Functions have NumPy's dtypes and values: no `DomainError`, and NaN for `sqrt(-1)`.

Numbers without a width of their own, `Int`, `Float64`, `Bool`, `BigInt`, take the dtype of what they meet, and so do strings;
of other types, such as `Float32`, a number is one of its dtype, and promotes as a column does. [`constant`](@ref) makes any
value one of its dtype. `DateTime`, `Date` and periods have their units.

`string(expression)` is its text, `Colstore.column_names(expression)` the columns in it, `Colstore.dtype(table, expression)`
what comes out.
"""
struct Expression
    # What it keeps is nothing, or memory of columns, and the handles of operands that keep some.
    handle::Handle{LibColstore.colstore_expr}
end

"What stands for a value beside an expression; what else there may be is an error of [`operand`](@ref)."
const Operand = Union{
    Number,
    AbstractString,
    Dates.TimeType,
    Dates.Period,
    Time64,
    Base.CodeUnits,
}

"What may stand on the other side of an expression."
const Side = Union{Expression, Operand}

"Numbers that are values of their dtype, as NumPy's scalars are."
const SizedNumber = Union{
    Int8,
    Int16,
    Int32,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
}

"The handles of those operands that keep memory alive, for what is made of them; `nothing` if none does."
function kept_of(operands::Vector{Expression})
    kept = Any[value.handle for value in operands if value.handle.kept !== nothing]
    return isempty(kept) ? nothing : kept
end

"""
    Colstore.col(name) -> Expression

The column of a name, looked up where the expression is used.
"""
function col(name::ColumnName)
    asked = String(name)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_expr_column(asked, sizeof(asked), out, err)
    end
    return Expression(Handle(out[]))
end

"""
    operand(value) -> Expression

What a value is beside an expression. `nothing` equals no value, and is no limit for `clamp`; `b"abc"` is bytes.
"""
operand(value::Expression) = value

function operand(::Nothing)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_expr_none(out, err)
    end
    return Expression(Handle(out[]))
end

function operand(value::Bool)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_expr_bool(value, out, err)
    end
    return Expression(Handle(out[]))
end

function operand(value::Int64)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_expr_int(value, out, err)
    end
    return Expression(Handle(out[]))
end

function operand(value::Union{Int128, UInt128, BigInt})
    digits = string(value)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_expr_integer(digits, sizeof(digits), out, err)
    end
    return Expression(Handle(out[]))
end

function operand(value::Float64)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_expr_float(value, out, err)
    end
    return Expression(Handle(out[]))
end

function operand(value::AbstractString)
    text = String(value)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_expr_text(text, sizeof(text), out, err)
    end
    return Expression(Handle(out[]))
end

function operand(value::Base.CodeUnits{UInt8})
    bytes = Vector{UInt8}(value)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    GC.@preserve bytes begin
        start = pointer(bytes)
        check() do err
            LibColstore.colstore_expr_bytes(start, length(bytes), out, err)
        end
    end
    return Expression(Handle(out[]))
end

operand(value::FixedBytes) = operand(codeunits(String(value)))
operand(value::Union{AbstractIrrational, Rational}) = operand(Float64(value))
operand(value::SizedNumber) = constant(value)
operand(value::Union{Dates.Date, Dates.DateTime, Dates.Period, Time64}) = constant(value)
operand(value) = throw(ArgumentError(
    "a $(typeof(value)) is no operand of an expression: numbers, strings, times and expressions are",
))

"""
    Colstore.constant(value) -> Expression

One value with the dtype of its type, which promotes as a column of that dtype does: `constant(1)` is of int64, where `1`
beside an int8 column is of int8.
"""
function constant(value)
    stored = stored_value(value)
    dtype = dtype_text(typeof(stored))
    dtype === nothing &&
        throw(ArgumentError("there is no dtype for a constant of type $(typeof(value))"))
    # One value in memory. The size is that of the type: a text of fixed width is as long as its characters.
    values = [stored]
    n_bytes = sizeof(typeof(stored))
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    GC.@preserve values begin
        start = pointer(values)
        check() do err
            LibColstore.colstore_expr_constant(
                dtype,
                sizeof(dtype),
                start,
                n_bytes,
                out,
                err,
            )
        end
    end
    return Expression(Handle(out[]))
end

stored_value(value) = value
stored_value(time::Union{Dates.Date, Dates.DateTime}) = DateTime64(time)
stored_value(period::Dates.Period) = TimeDelta64(period)
stored_value(text::AbstractString) = FixedText{max(1, length(text))}(text)
stored_value(text::FixedString) = text

"""
    Colstore.call(name, operands...) -> Expression

A function by NumPy's name, for those that Julia has under another meaning or not at all:

    call(:floor_divide, col(:n), 3)
    call(:where, col(:ok), col(:x), 0)
    call(:logaddexp, col(:x), col(:y))

`ColstoreError` with `:VALUE` if there is none of that name, or if it takes another number of operands.
"""
function call(name::Union{Symbol, AbstractString}, arguments...)
    asked = String(name)
    operands = Expression[operand(argument) for argument in arguments]
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    GC.@preserve operands begin
        pointers = Ptr{LibColstore.colstore_expr}[
            value.handle.pointer
            for value in operands
        ]
        check() do err
            LibColstore.colstore_expr_call(
                asked,
                sizeof(asked),
                pointers,
                length(pointers),
                out,
                err,
            )
        end
    end
    return Expression(Handle(out[], kept_of(operands)))
end

"""
    Colstore.cast(expression, T) -> Expression

The values as another dtype, as NumPy's `astype` makes them: floats to integers are cut off. `T` is a Julia type of columns,
a [`DType`](@ref), or the text of one.
"""
function cast(value::Expression, type)
    dtype = dtype_spelling(type)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_expr_cast(value.handle, dtype, sizeof(dtype), out, err)
    end
    return Expression(Handle(out[], kept_of([value])))
end

dtype_spelling(text::AbstractString) = String(text)
dtype_spelling(dtype::DType) = dtype.text

function dtype_spelling(type::Type)
    text = dtype_text(type)
    text === nothing && throw(ArgumentError("there is no dtype for the type $type"))
    return text
end

"""
    round(expression; digits)

The nearest integers, halves to even ones; with `digits`, as many after the point, or before it if negative, as
`numpy.round` gives them.
"""
function Base.round(value::Expression; digits::Union{Integer, Nothing} = nothing)
    digits === nothing && return call(:rint, value)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_expr_round(value.handle, digits, out, err)
    end
    return Expression(Handle(out[], kept_of([value])))
end

"The text of an expression, as `parse_expression` reads it where there is such a text."
function expression_text(value::Expression)
    len = Ref{Csize_t}(0)
    check() do err
        LibColstore.colstore_expr_print(value.handle, C_NULL, 0, len, err)
    end
    out = Vector{UInt8}(undef, Int(len[]))
    check() do err
        LibColstore.colstore_expr_print(value.handle, out, length(out), len, err)
    end
    return String(out)
end

Base.print(io::IO, value::Expression) = print(io, expression_text(value))

function Base.show(io::IO, value::Expression)
    print(io, "Colstore.Expression: ", expression_text(value))
    return nothing
end

"""
    Colstore.column_names(expression) -> Vector{String}

The names of the columns that an expression looks up, each once, in the order of their first use.
"""
function column_names(value::Expression)
    out = Ref{Ptr{LibColstore.colstore_names}}(C_NULL)
    check() do err
        LibColstore.colstore_expr_columns(value.handle, out, err)
    end
    return texts(Handle(out[]))
end

"No text of a dtype is longer."
const LONGEST_DTYPE = 64

"""
    Colstore.dtype(table, expression; condition = false) -> DType

The dtype of an expression over the columns of a table, or the error that is in it; nothing is read. With `condition` it
must be one that rows can be selected by.
"""
function dtype(table::Table, value::Expression; condition::Bool = false)
    handle = handle_of(table)
    out = Vector{UInt8}(undef, LONGEST_DTYPE)
    len = Ref{Csize_t}(0)
    check() do err
        LibColstore.colstore_expr_check(
            value.handle,
            handle,
            condition,
            out,
            length(out),
            len,
            err,
        )
    end
    return DType(String(out[1:Int(len[])]))
end

"""
    Colstore.is_exact(name, T) -> Bool

Whether a function by NumPy's name gives the same bits on every machine for operands of a type, because IEEE 754 or integer
arithmetic defines them. Others, such as `exp` of floats, are those of the system's mathematical library.
"""
function is_exact(name::Union{Symbol, AbstractString}, type)
    asked = String(name)
    dtype = dtype_spelling(type)
    return LibColstore.colstore_function_exact(
        asked,
        sizeof(asked),
        dtype,
        sizeof(dtype),
    ) !=
        0
end
