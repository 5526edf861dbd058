//! datetime64 as ISO 8601, in every unit, for every count that 64 bits and a multiplier can hold.
//!
//! The proleptic Gregorian calendar repeats every 400 years, which are 146,097 days. A day number is split into
//! such a cycle and the day in it; counting the years from March puts the leap day at the end of the year, where
//! it disturbs nothing.

use colstore_format::Unit;

const DAYS_OF_CYCLE: i128 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const DAYS_TO_EPOCH: i128 = 719_468;
const SECONDS_OF_DAY: i128 = 86_400;

/// `count` units since 1970-01-01T00:00 as text with the precision of the unit. Without a unit there is no date:
/// the plain count.
pub(super) fn iso8601(unit: Unit, count: i128) -> String {
    match unit {
        Unit::Generic => count.to_string(),
        Unit::Year => year_text(1970 + count),
        Unit::Month => {
            let months = 1970 * 12 + count;
            format!("{}-{:02}", year_text(months.div_euclid(12)), months.rem_euclid(12) + 1)
        }
        Unit::Week => date(count * 7),
        Unit::Day => date(count),
        Unit::Hour => time(count, 1, 13),
        Unit::Minute => time(count, 60, 16),
        Unit::Second => time(count, 3600, 19),
        Unit::Milli => fraction(count, 3),
        Unit::Micro => fraction(count, 6),
        Unit::Nano => fraction(count, 9),
        Unit::Pico => fraction(count, 12),
        Unit::Femto => fraction(count, 15),
        Unit::Atto => fraction(count, 18),
    }
}

/// Date and time of day, as many characters of `HH:MM:SS` as the unit has: `length` counts them with `YYYY-MM-DDT`.
fn time(count: i128, per_hour: i128, length: usize) -> String {
    let seconds = count * (3600 / per_hour);
    let second_of_day = seconds.rem_euclid(SECONDS_OF_DAY);
    let clock =
        format!("{:02}:{:02}:{:02}", second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60);
    format!("{}T{}", date(seconds.div_euclid(SECONDS_OF_DAY)), &clock[..length - 11])
}

/// Date, time and `digits` digits of a second.
fn fraction(count: i128, digits: usize) -> String {
    let per_second = (0..digits).fold(1, |power: i128, _| power * 10);
    let seconds = time(count.div_euclid(per_second), 3600, 19);
    format!("{seconds}.{:0digits$}", count.rem_euclid(per_second))
}

/// `days` days since 1970-01-01.
fn date(days: i128) -> String {
    let days = days + DAYS_TO_EPOCH;
    let cycle = days.div_euclid(DAYS_OF_CYCLE);
    let day_of_cycle = days.rem_euclid(DAYS_OF_CYCLE);
    // Take away the leap days before, so that all years have 365 days.
    let leap_days = day_of_cycle / 1460 - day_of_cycle / 36_524 + day_of_cycle / (DAYS_OF_CYCLE - 1);
    let year_of_cycle = (day_of_cycle - leap_days) / 365;
    let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    // From March on, month lengths follow the line (153 m + 2) / 5.
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = cycle * 400 + year_of_cycle + i128::from(month <= 2);
    format!("{}-{month:02}-{day:02}", year_text(year))
}

/// At least four digits; a minus sign before the common era (year 0 is 1 BC).
fn year_text(year: i128) -> String {
    if year < 0 { format!("-{:04}", -year) } else { format!("{year:04}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_a_row_are_calendar_days() {
        // Walk 800 years around the epoch with the rules everybody knows.
        let (mut year, mut month, mut day) = (1570, 1, 1);
        let first = -146_097;
        for number in first..first + 2 * 146_097 {
            assert_eq!(date(number), format!("{year:04}-{month:02}-{day:02}"));
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + i32::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > length {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }

    #[test]
    fn years_before_the_common_era() {
        assert_eq!(iso8601(Unit::Day, -719_529), "-0001-12-31");
        assert_eq!(iso8601(Unit::Day, -719_528), "0000-01-01");
        assert_eq!(iso8601(Unit::Year, -1971), "-0001");
        assert_eq!(iso8601(Unit::Month, -1970 * 12 - 1), "-0001-12");
    }
}
