//! Units of times: what two have in common, and counts converted from one to another.
//!
//! Years and months have no fixed number of days: times of such units are dates and convert by the calendar, durations do
//! not convert to finer units at all.

use colstore_format::{DType, Kind, Unit};

use super::Name;
use crate::error::{Error, ErrorKind, Result};

/// How many of the next finer unit a unit has, from weeks on.
const FINER: [(Unit, u64); 12] = [
    (Unit::Week, 7),
    (Unit::Day, 24),
    (Unit::Hour, 60),
    (Unit::Minute, 60),
    (Unit::Second, 1000),
    (Unit::Milli, 1000),
    (Unit::Micro, 1000),
    (Unit::Nano, 1000),
    (Unit::Pico, 1000),
    (Unit::Femto, 1000),
    (Unit::Atto, 1),
    (Unit::Generic, 1),
];

/// How many `fine` a `coarse` has; `None` above 2⁵⁶, where NumPy sees an overflow.
fn factor(coarse: Unit, fine: Unit) -> Option<u64> {
    let mut product = 1u64;
    for (unit, count) in FINER {
        if unit >= coarse && unit < fine {
            product = product.checked_mul(count).filter(|product| *product < 1 << 56)?;
        }
    }
    Some(product)
}

/// The dtype whose unit measures both times: the finer unit, and the greatest common divisor of multiples. The result is
/// of the kind of `a`.
///
/// # Errors
///
/// `Type` for a duration of years or months with one of a finer unit, `Overflow` for units too far apart.
pub(crate) fn common(a: DType, b: DType) -> Result<DType> {
    let ((unit_a, n_a), (unit_b, n_b)) =
        (a.unit().unwrap_or((Unit::Generic, 1)), b.unit().unwrap_or((Unit::Generic, 1)));
    if unit_a == Unit::Generic {
        return with(a, unit_b, n_b, b);
    }
    if unit_b == Unit::Generic {
        return Ok(a);
    }
    let (mut n_a, mut n_b) = (u64::from(n_a), u64::from(n_b));
    let unit = match (unit_a, unit_b) {
        (Unit::Year, Unit::Month) => {
            n_a *= 12;
            Unit::Month
        }
        (Unit::Month, Unit::Year) => {
            n_b *= 12;
            Unit::Month
        }
        _ if unit_a != unit_b && (is_irregular(a) || is_irregular(b)) => {
            return Err(Error::type_error(format!(
                "{} and {} have no common unit: a year or month has no fixed number of days",
                Name(a),
                Name(b)
            )));
        }
        // Dates: NumPy takes a month for a week here, which gives the unit that was asked for or a divisor of it.
        _ if unit_a < unit_b => {
            n_a = n_a.wrapping_mul(factor(unit_a, unit_b).ok_or_else(|| too_far(a, b))?);
            unit_b
        }
        _ => {
            n_b = n_b.wrapping_mul(factor(unit_b, unit_a).ok_or_else(|| too_far(a, b))?);
            unit_a
        }
    };
    let multiplier = u32::try_from(gcd(n_a, n_b)).map_err(|_| too_far(a, b))?;
    with(a, unit, multiplier, b)
}

/// Whether it is a duration of years or months.
fn is_irregular(dtype: DType) -> bool {
    dtype.kind() == Kind::Timedelta && matches!(dtype.unit(), Some((Unit::Year | Unit::Month, _)))
}

fn with(a: DType, unit: Unit, multiplier: u32, b: DType) -> Result<DType> {
    a.with_unit(unit, multiplier).ok_or_else(|| too_far(a, b))
}

fn too_far(a: DType, b: DType) -> Error {
    Error::new(
        ErrorKind::Overflow,
        format!("no 64-bit count measures both {} and {}: the units are too far apart", Name(a), Name(b)),
    )
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The same duration or date as `count` of `from` in units of `to`, if there is one.
///
/// `None` where the value falls between two counts of `to` or is beyond 64 bits, for durations of years or months in finer
/// units, and for NaT.
pub(crate) fn convert_exact(count: i64, from: DType, to: DType) -> Option<i64> {
    let ((unit, n), (to_unit, to_n)) = (from.unit()?, to.unit()?);
    if count == i64::MIN {
        return None;
    }
    if unit == to_unit && n == to_n || unit == Unit::Generic || to_unit == Unit::Generic {
        return Some(count);
    }
    let value = i128::from(count) * i128::from(n);
    let (value, unit) = to_finest(value, unit, to_unit, from.kind() == Kind::Datetime)?;
    let size = i128::from(to_n) * if unit == to_unit { 1 } else { coarser(to_unit, unit)? };
    if value % size != 0 {
        return None;
    }
    i64::try_from(value / size).ok().filter(|count| *count != i64::MIN)
}

/// `value` of `unit` in the finer one of `unit` and `to`.
fn to_finest(value: i128, unit: Unit, to: Unit, is_date: bool) -> Option<(i128, Unit)> {
    let calendar = |unit| matches!(unit, Unit::Year | Unit::Month);
    match (calendar(unit), calendar(to)) {
        (true, true) => {
            let months = if unit == Unit::Year { value * 12 } else { value };
            let scale = if to == Unit::Year { 12 } else { 1 };
            (months % scale == 0).then_some((months / scale, to))
        }
        (true, false) if is_date => {
            let months = if unit == Unit::Year { value * 12 } else { value };
            let days = days_of_month(i64::try_from(months).ok()?);
            if to == Unit::Week {
                return Some((days, Unit::Day));
            }
            Some((days.checked_mul(coarser(Unit::Day, to)?)?, to))
        }
        (false, true) if is_date => {
            let finest = if unit == Unit::Week { value * 7 } else { value };
            let per_day = if unit == Unit::Week { 1 } else { coarser(Unit::Day, unit)? };
            if finest % per_day != 0 {
                return None;
            }
            let months = month_of_days(i64::try_from(finest / per_day).ok()?)?;
            let scale = if to == Unit::Year { 12 } else { 1 };
            (months % scale == 0).then_some((i128::from(months / scale), to))
        }
        (false, false) if unit < to => Some((value.checked_mul(coarser(unit, to)?)?, to)),
        (false, false) => Some((value, unit)),
        _ => None,
    }
}

/// How many `fine` a `coarse` has, both from weeks on.
fn coarser(coarse: Unit, fine: Unit) -> Option<i128> {
    let mut product = 1i128;
    for (unit, count) in FINER {
        if unit >= coarse && unit < fine {
            product = product.checked_mul(i128::from(count))?;
        }
    }
    Some(product)
}

/// Days from 1970-01-01 to the first day of a month, months counted from January 1970.
pub(crate) fn days_of_month(months: i64) -> i128 {
    // Years begin in March, so that the day that leap years have comes last.
    let months = i128::from(months) + 1970 * 12 - 2;
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12));
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + year * 365 + year / 4 - year / 100 + (153 * month + 2) / 5 - 719_468
}

/// The month that begins on this day, if one does.
fn month_of_days(days: i64) -> Option<i64> {
    // 400 years have 146,097 days and 4,800 months: the estimate is at most a month off.
    let estimate = i64::try_from(i128::from(days) * 4_800 / 146_097).ok()?;
    (estimate - 2..=estimate + 2).find(|months| days_of_month(*months) == i128::from(days))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dtype(text: &str) -> DType {
        DType::parse(text).unwrap()
    }

    #[test]
    fn the_calendar() {
        let day = |text, count, from| assert_eq!(days_of_month(count), from, "{text}");
        day("1970-01", 0, 0);
        day("1970-02", 1, 31);
        day("1969-12", -1, -31);
        day("2000-03", 30 * 12 + 2, 11_017);
        day("0000-01", -1970 * 12, -719_528);
        for months in -30_000..30_000 {
            let days = i64::try_from(days_of_month(months)).unwrap();
            assert_eq!(month_of_days(days), Some(months));
            assert_eq!(month_of_days(days + 1), None);
        }
    }

    #[test]
    fn exact_conversions() {
        let convert = |count, from, to| convert_exact(count, dtype(from), dtype(to));
        assert_eq!(convert(2, "M8[D]", "M8[h]"), Some(48));
        assert_eq!(convert(48, "M8[h]", "M8[D]"), Some(2));
        assert_eq!(convert(47, "M8[h]", "M8[D]"), None);
        assert_eq!(convert(-7, "m8[D]", "m8[W]"), Some(-1));
        assert_eq!(convert(50, "M8[Y]", "M8[D]"), Some(18_262));
        assert_eq!(convert(18_262, "M8[D]", "M8[Y]"), Some(50));
        assert_eq!(convert(18_263, "M8[D]", "M8[Y]"), None);
        assert_eq!(convert(1, "m8[Y]", "m8[D]"), None);
        assert_eq!(convert(1, "m8[Y]", "m8[M]"), Some(12));
        assert_eq!(convert(i64::MIN, "M8[D]", "M8[h]"), None);
        assert_eq!(convert(i64::MAX, "M8[D]", "M8[h]"), None);
        assert_eq!(convert(50, "M8[s]", "M8[25s]"), Some(2));
        assert_eq!(convert(3, "m8", "m8[s]"), Some(3));
        assert_eq!(convert(0, "M8[Y]", "M8[W]"), Some(0));
        assert_eq!(convert(9_223_372_036, "M8[s]", "M8[ns]"), Some(9_223_372_036_000_000_000));
        assert_eq!(convert(9_223_372_037, "M8[s]", "M8[ns]"), None);
    }
}
