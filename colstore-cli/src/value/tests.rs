//! Every kind against NumPy's own printing (`tests/data/values.tsv`), and what NumPy does not print.

use super::*;

fn dtype(text: &str) -> DType {
    DType::parse(text).unwrap()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// What a printed number says, however it is spelt: `6.55e+04` and `65500.0` are the same digits.
fn digits(text: &str) -> (String, String) {
    let mantissa = text.split('e').next().unwrap();
    let significant: String = mantissa.chars().filter(|character| character.is_alphanumeric()).collect();
    let value: f64 = text.parse().unwrap();
    (format!("{value:e}"), significant.trim_matches('0').to_owned())
}

fn reads_back(printed: &str, stored: &[u8]) -> bool {
    match *stored {
        [a, b, c, d] => printed.parse::<f32>().unwrap().to_le_bytes() == [a, b, c, d],
        [a, b, c, d, e, f, g, h] => printed.parse::<f64>().unwrap().to_le_bytes() == [a, b, c, d, e, f, g, h],
        _ => true,
    }
}

#[test]
fn values_are_printed_as_numpy_prints_them() {
    let mut seen = 0;
    for line in include_str!("../../tests/data/values.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [type_text, hex, numpy] = fields[..] else { panic!("{line:?}") };
        let dtype = dtype(type_text);
        let printed = to_text(dtype, &bytes(hex));
        if dtype.kind() == Kind::Float && numpy != "nan" {
            let (ours, theirs) = (digits(&printed), digits(numpy));
            // Of two shortest forms that are equally near, Rust takes the larger and NumPy the even one.
            let same = ours == theirs || (dtype.itemsize() > 2 && ours.1.len() == theirs.1.len());
            assert!(same && reads_back(&printed, &bytes(hex)), "{line}: {printed}");
        } else {
            assert_eq!(printed, numpy.replace("nan", "NaN"), "{line}");
        }
        seen += 1;
    }
    assert!(seen > 1500, "{seen} lines");
}

#[test]
fn json_of_numbers_is_exact() {
    assert_eq!(to_json(dtype("<u8"), &[0xff; 8]), "18446744073709551615");
    assert_eq!(to_json(dtype("<i8"), &i64::MIN.to_le_bytes()), "-9223372036854775808");
    assert_eq!(to_json(dtype("|b1"), &[2]), "true");
    assert_eq!(to_json(dtype("<f8"), &0.1f64.to_le_bytes()), "0.1");
    assert_eq!(to_json(dtype("<f4"), &0.1f32.to_le_bytes()), "0.1");
    assert_eq!(to_json(dtype("<f8"), &1e300f64.to_le_bytes()), "1e300");
    for (value, json) in [
        (f64::NAN, "\"NaN\""),
        (-f64::NAN, "\"NaN\""),
        (f64::INFINITY, "\"Infinity\""),
        (f64::NEG_INFINITY, "\"-Infinity\""),
    ] {
        assert_eq!(to_json(dtype("<f8"), &value.to_le_bytes()), json);
    }
    // Every float we print is valid JSON and reads back to the same bits.
    for line in include_str!("../../tests/data/values.tsv").lines().filter(|line| line.starts_with("<f8")) {
        let stored = bytes(line.split('\t').nth(1).unwrap());
        let value = f64::from_le_bytes(stored.clone().try_into().unwrap());
        if value.is_finite() {
            let read: f64 = to_json(dtype("<f8"), &stored).parse().unwrap();
            assert_eq!(read.to_bits(), value.to_bits());
        }
    }
}

#[test]
fn times_without_numpy() {
    let nat = i64::MIN.to_le_bytes();
    for text in ["<M8[ns]", "<M8", "<M8[25s]", "<m8[us]", "<m8"] {
        assert_eq!(to_text(dtype(text), &nat), "NaT");
        assert_eq!(to_json(dtype(text), &nat), "\"NaT\"");
    }
    let three = 3i64.to_le_bytes();
    assert_eq!(to_text(dtype("<M8"), &three), "3");
    assert_eq!(to_text(dtype("<m8"), &three), "3");
    assert_eq!(to_text(dtype("<m8[25s]"), &three), "75 s");
    assert_eq!(to_json(dtype("<m8[25s]"), &three), "3");
    assert_eq!(to_json(dtype("<M8[m]"), &three), "\"1970-01-01T00:03\"");
    // The largest count times the largest multiplier is still a date.
    let largest = dtype("<M8[2147483647Y]");
    assert_eq!(to_text(largest, &i64::MAX.to_le_bytes()), "19807040619342712359383730099");
    let smallest = to_text(dtype("<M8[2147483647W]"), &(i64::MIN + 1).to_le_bytes());
    assert!(smallest.starts_with("-379608847095830815186308761-"), "{smallest}");
}

#[test]
fn opaque_and_textual_kinds() {
    assert_eq!(to_text(dtype("<f16"), &[0xab; 16]), format!("0x{}", "ab".repeat(16)));
    assert_eq!(to_json(dtype("<f16"), &[0; 16]), format!("\"0x{}\"", "00".repeat(16)));
    assert_eq!(to_text(dtype("|S4"), b"a\n\xff\0"), "a\\n\\xff");
    assert_eq!(to_json(dtype("|S4"), b"a\n\"\0"), "\"a\\n\\\"\"");
    assert_eq!(to_text(dtype("<U2"), &[0x00, 0xd8, 0, 0, 0x41, 0, 0, 0]), "\\u{d800}A");
    assert_eq!(to_text(dtype("|S0"), b""), "");
    assert_eq!(to_json(dtype("<U0"), b""), "\"\"");
}

#[test]
fn types_in_words() {
    for (text, words) in [
        ("|b1", "bool"),
        ("<i2", "int16"),
        (">u4", "uint32, big-endian"),
        ("<f2", "float16"),
        ("<f16", "long double"),
        ("<M8[ns]", "datetime64[ns]"),
        ("<m8[25s]", "timedelta64[25s]"),
        ("<M8", "datetime64"),
        ("|S5", "bytes (5)"),
        ("<U3", "str (3)"),
    ] {
        assert_eq!(type_name(dtype(text)), words);
    }
}
