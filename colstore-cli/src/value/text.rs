//! Fixed-width text: bytes (`S`) and UCS-4 (`U`), padded with NULs that are no part of the value.

use std::fmt::Write as _;

/// The value of an `S` item: its text if it is UTF-8; else with `\xNN` for every byte that is not, and `\\` for
/// a backslash.
pub(crate) fn from_bytes(item: &[u8]) -> String {
    let length = item.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let value = &item[..length];
    if let Ok(text) = std::str::from_utf8(value) {
        return text.to_owned();
    }
    let mut text = String::with_capacity(2 * length);
    for chunk in value.utf8_chunks() {
        text.push_str(&chunk.valid().replace('\\', "\\\\"));
        for byte in chunk.invalid() {
            // Writing to a String cannot fail, here and below.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// The value of a `U` item: its text if all its numbers are Unicode characters; else with `\u{NNNN}` for each
/// that is not, and `\\` for a backslash.
pub(crate) fn from_ucs4(item: &[u8]) -> String {
    let points = || {
        item.chunks_exact(4)
            .map(|point| point.iter().rev().fold(0, |value: u32, &byte| value << 8 | u32::from(byte)))
    };
    let length = points().rposition(|point| point != 0).map_or(0, |last| last + 1);
    let is_text = points().take(length).all(|point| char::from_u32(point).is_some());
    let mut text = String::with_capacity(length);
    for point in points().take(length) {
        match char::from_u32(point) {
            Some('\\') if !is_text => text.push_str("\\\\"),
            Some(character) => text.push(character),
            None => {
                let _ = write!(text, "\\u{{{point:x}}}");
            }
        }
    }
    text
}

/// The text with escapes for what would act on a terminal instead of being shown: control characters and the
/// marks that reorder text.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            '\0'..='\x1f' | '\x7f' => {
                let _ = write!(shown, "\\x{:02x}", u32::from(character));
            }
            _ if acts_on_a_terminal(character) => {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(character));
            }
            _ => shown.push(character),
        }
    }
    shown
}

fn acts_on_a_terminal(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ucs4(points: &[u32]) -> Vec<u8> {
        points.iter().flat_map(|point| point.to_le_bytes()).collect()
    }

    #[test]
    fn padding_is_no_part_of_the_value() {
        assert_eq!(from_bytes(b"UA\0\0"), "UA");
        assert_eq!(from_bytes(b"\0a\0b\0\0"), "\0a\0b");
        assert_eq!(from_bytes(b"\0\0"), "");
        assert_eq!(from_bytes(b""), "");
        assert_eq!(from_ucs4(&ucs4(&[0x61, 0, 0x1f600, 0, 0])), "a\0\u{1f600}");
        assert_eq!(from_ucs4(&[]), "");
    }

    #[test]
    fn what_is_no_text_is_escaped() {
        assert_eq!(from_bytes(b"\xc3\xa9 c:\\"), "é c:\\");
        assert_eq!(from_bytes(b"a\\\xff\xc3"), "a\\\\\\xff\\xc3");
        assert_eq!(
            from_ucs4(&ucs4(&[0xd800, 0x5c, 0x11_0000, 0xffff_ffff])),
            "\\u{d800}\\\\\\u{110000}\\u{ffffffff}"
        );
        assert_eq!(from_ucs4(&ucs4(&[0x5c])), "\\");
    }

    #[test]
    fn nothing_printable_acts_on_a_terminal() {
        assert_eq!(printable("a\nb\x1b[2J\x7f\u{85}\u{202e}é"), "a\\nb\\x1b[2J\\x7f\\u{85}\\u{202e}é");
        assert_eq!(printable("\t\r\0"), "\\t\\r\\x00");
    }
}
