# Datetimes and timedeltas: counts with a unit in their type.

"""
    DateTime64{U, N}

A point in time: `count` times `N` units `U` after 1970-01-01T00:00:00. `U` is `:Y`, `:M`, `:W`, `:D`, `:h`, `:m`, `:s`,
`:ms`, `:us`, `:ns`, `:ps`, `:fs` or `:as`, or `:generic` where the file has no unit.

`Dates.DateTime(t)` converts, rounding down to whole milliseconds; `t.count` is the number itself. "Not a time" is a value
like others, see [`isnat`](@ref), and sorts before them.
"""
struct DateTime64{U, N}
    count::Int64
end

"""
    TimeDelta64{U, N}

A length of time: `count` times `N` units `U`, as in [`DateTime64`](@ref). `Dates.Period(d)` converts where Dates has the
unit.
"""
struct TimeDelta64{U, N}
    count::Int64
end

const Time64 = Union{DateTime64, TimeDelta64}

"The units, in the order of their numbers in the C interface."
const UNITS = (:generic, :Y, :M, :W, :D, :h, :m, :s, :ms, :us, :ns, :ps, :fs, :as)

const PERIODS = (
    Y = Dates.Year,
    M = Dates.Month,
    W = Dates.Week,
    D = Dates.Day,
    h = Dates.Hour,
    m = Dates.Minute,
    s = Dates.Second,
    ms = Dates.Millisecond,
    us = Dates.Microsecond,
    ns = Dates.Nanosecond,
)

const EPOCH = Dates.DateTime(1970)

"""
    Colstore.isnat(t) -> Bool

Whether a datetime or timedelta is "not a time".
"""
isnat(t::Time64) = t.count == typemin(Int64)

Base.isless(a::DateTime64{U, N}, b::DateTime64{U, N}) where {U, N} = isless(
    a.count,
    b.count,
)
Base.isless(a::TimeDelta64{U, N}, b::TimeDelta64{U, N}) where {U, N} = isless(
    a.count,
    b.count,
)
Base.Int64(t::Time64) = t.count

function n_units(t::Time64, multiplier::Integer)
    isnat(t) &&
        throw(ArgumentError(
            "not a time has no value in Dates; look at Colstore.isnat first",
        ))
    return Base.checked_mul(t.count, Int64(multiplier))
end

function Dates.DateTime(t::DateTime64{U, N}) where {U, N}
    count = n_units(t, N)
    # Finer units than a millisecond: how many of them make one.
    finer = get((us = 10^3, ns = 10^6, ps = 10^9, fs = 10^12, as = 10^15), U, 0)
    finer > 0 && return EPOCH + Dates.Millisecond(fld(count, finer))
    haskey(PERIODS, U) ||
        throw(ArgumentError("a datetime without a unit has no value in Dates"))
    return EPOCH + PERIODS[U](count)
end

Base.convert(::Type{Dates.DateTime}, t::DateTime64) = Dates.DateTime(t)

function Dates.Period(t::TimeDelta64{U, N}) where {U, N}
    haskey(PERIODS, U) ||
        throw(ArgumentError("Dates has no period for the unit $U; use t.count"))
    return PERIODS[U](n_units(t, N))
end

DateTime64(t::Dates.DateTime) = DateTime64{:ms, 1}(Dates.value(t - EPOCH))
DateTime64(t::Dates.Date) = DateTime64{:D, 1}(Dates.value(t - Dates.Date(1970)))

TimeDelta64(t::Dates.Year) = TimeDelta64{:Y, 1}(Dates.value(t))
TimeDelta64(t::Dates.Month) = TimeDelta64{:M, 1}(Dates.value(t))
TimeDelta64(t::Dates.Week) = TimeDelta64{:W, 1}(Dates.value(t))
TimeDelta64(t::Dates.Day) = TimeDelta64{:D, 1}(Dates.value(t))
TimeDelta64(t::Dates.Hour) = TimeDelta64{:h, 1}(Dates.value(t))
TimeDelta64(t::Dates.Minute) = TimeDelta64{:m, 1}(Dates.value(t))
TimeDelta64(t::Dates.Second) = TimeDelta64{:s, 1}(Dates.value(t))
TimeDelta64(t::Dates.Millisecond) = TimeDelta64{:ms, 1}(Dates.value(t))
TimeDelta64(t::Dates.Microsecond) = TimeDelta64{:us, 1}(Dates.value(t))
TimeDelta64(t::Dates.Nanosecond) = TimeDelta64{:ns, 1}(Dates.value(t))

function Base.show(io::IO, t::DateTime64{U, N}) where {U, N}
    print(io, isnat(t) ? "NaT" : "$(t.count) × $N $U since 1970")
    return nothing
end

function Base.show(io::IO, t::TimeDelta64{U, N}) where {U, N}
    print(io, isnat(t) ? "NaT" : "$(t.count) × $N $U")
    return nothing
end
