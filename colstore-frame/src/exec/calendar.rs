//! Times in other units: multiples of seconds are scaled, months and years are counted out.

use colstore_format::{DType, Unit};

const NAT: i64 = i64::MIN;

/// How a time becomes one in another unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeCast {
    /// The same number.
    Same,
    /// So many times as many, rounded down.
    Scale { numerator: i64, denominator: i64 },
    /// Months since 1970-01, so many to a unit, to units so many (or one so many-th) of which make a day.
    MonthsToDays { months: i64, numerator: i64, denominator: i64 },
    /// The way back, rounded down.
    DaysToMonths { months: i64, numerator: i64, denominator: i64 },
}

/// A unit as a number of months or of attoseconds.
enum Size {
    Months(i64),
    Attoseconds(u128),
}

fn size(unit: Unit) -> Option<Size> {
    const SECOND: u128 = 1_000_000_000_000_000_000;
    Some(Size::Attoseconds(match unit {
        Unit::Year => return Some(Size::Months(12)),
        Unit::Month => return Some(Size::Months(1)),
        Unit::Week => 7 * 86_400 * SECOND,
        Unit::Day => 86_400 * SECOND,
        Unit::Hour => 3_600 * SECOND,
        Unit::Minute => 60 * SECOND,
        Unit::Second => SECOND,
        Unit::Milli => SECOND / 1_000,
        Unit::Micro => SECOND / 1_000_000,
        Unit::Nano => SECOND / 1_000_000_000,
        Unit::Pico => SECOND / 1_000_000_000_000,
        Unit::Femto => 1_000,
        Unit::Atto => 1,
        Unit::Generic => return None,
    }))
}

/// How times of one dtype become times of another; `None` where that cannot be.
pub(super) fn time_cast(from: DType, to: DType) -> Option<TimeCast> {
    let (from, to) = (from.unit()?, to.unit()?);
    if from == to || from.0 == Unit::Generic || to.0 == Unit::Generic {
        return Some(TimeCast::Same);
    }
    let day = 86_400 * 1_000_000_000_000_000_000_u128;
    match (size(from.0)?, size(to.0)?) {
        (Size::Months(a), Size::Months(b)) => {
            scale(a as u128 * u128::from(from.1), b as u128 * u128::from(to.1))
        }
        (Size::Attoseconds(a), Size::Attoseconds(b)) => scale(a * u128::from(from.1), b * u128::from(to.1)),
        (Size::Months(months), Size::Attoseconds(unit)) => {
            let (numerator, denominator) = ratio(day, unit * u128::from(to.1))?;
            Some(TimeCast::MonthsToDays { months: months * i64::from(from.1), numerator, denominator })
        }
        (Size::Attoseconds(unit), Size::Months(months)) => {
            let (numerator, denominator) = ratio(unit * u128::from(from.1), day)?;
            Some(TimeCast::DaysToMonths { months: months * i64::from(to.1), numerator, denominator })
        }
    }
}

fn scale(from: u128, to: u128) -> Option<TimeCast> {
    let (numerator, denominator) = ratio(from, to)?;
    Some(if (numerator, denominator) == (1, 1) {
        TimeCast::Same
    } else {
        TimeCast::Scale { numerator, denominator }
    })
}

fn ratio(from: u128, to: u128) -> Option<(i64, i64)> {
    let (mut a, mut b) = (from, to);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Some((i64::try_from(from / a).ok()?, i64::try_from(to / a).ok()?))
}

impl TimeCast {
    /// The time in the other unit; "not a time" stays.
    pub(super) fn apply(self, time: i64) -> i64 {
        if time == NAT {
            return NAT;
        }
        match self {
            TimeCast::Same => time,
            TimeCast::Scale { numerator, denominator } => {
                time.wrapping_mul(numerator).div_euclid(denominator)
            }
            TimeCast::MonthsToDays { months, numerator, denominator } => {
                let days = days_before(time.wrapping_mul(months));
                days.wrapping_mul(numerator).div_euclid(denominator)
            }
            TimeCast::DaysToMonths { months, numerator, denominator } => {
                let days = (i128::from(time) * i128::from(numerator)).div_euclid(denominator.into());
                month_of(days as i64).div_euclid(months)
            }
        }
    }
}

/// Days from 1970-01-01 to the first of the month that is so many months after 1970-01.
fn days_before(months: i64) -> i64 {
    let (year, month) = (months.div_euclid(12).wrapping_add(1970), months.rem_euclid(12));
    // Years that begin in March end with the day that is there every four years.
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5;
    era.wrapping_mul(146_097).wrapping_add(of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// The month that a day after 1970-01-01 is in, counted from 1970-01.
fn month_of(days: i64) -> i64 {
    let days = days.saturating_add(719_468);
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let year = era * 400 + year;
    let (year, month) = if month >= 10 { (year + 1, month - 10) } else { (year, month + 2) };
    (year - 1970) * 12 + month
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_begin_where_the_calendar_says() {
        // Walked day by day from year 1600 on.
        let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let mut day = days_before((1600 - 1970) * 12);
        assert_eq!(day, -135_140);
        for year in 1600..2450 {
            for month in 0..12 {
                let len = [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
                let months = (year - 1970) * 12 + month;
                assert_eq!(days_before(months), day, "{year}-{month}");
                for of_month in 0..len[month as usize] {
                    assert_eq!(month_of(day + of_month), months);
                }
                day += len[month as usize];
            }
        }
        assert_eq!((days_before(0), month_of(0), month_of(-1)), (0, 0, -1));
    }

    #[test]
    fn units_are_scaled_and_rounded_down() {
        let cast = |from: &str, to: &str, time: i64| {
            let dtype = |text: &str| text.parse::<DType>().unwrap();
            time_cast(dtype(from), dtype(to)).unwrap().apply(time)
        };
        assert_eq!(cast("<M8[D]", "<M8[s]", 2), 172_800);
        assert_eq!(cast("<M8[s]", "<M8[D]", -1), -1);
        assert_eq!(cast("<m8[25s]", "<m8[m]", 5), 2);
        assert_eq!(cast("<M8[Y]", "<M8[D]", 30), 10_957);
        assert_eq!(cast("<M8[M]", "<M8[h]", 1), 31 * 24);
        assert_eq!(cast("<M8[h]", "<M8[M]", 31 * 24 - 1), 0);
        assert_eq!(cast("<M8[D]", "<M8[Y]", -1), -1);
        assert_eq!(cast("<M8[W]", "<M8[M]", 5), 1);
        for (from, to) in [("<M8[D]", "<M8[s]"), ("<M8[Y]", "<M8[D]"), ("<M8[D]", "<M8[Y]")] {
            assert_eq!(cast(from, to, NAT), NAT);
        }
    }
}
