//! Column names: Unicode text in which lone surrogates may occur.
//!
//! JSON can spell a string that no UTF-8 can hold, `"\ud800"`, and colstore 0.5.1 writes such names. They are
//! kept in WTF-8, the superset of UTF-8 in which a surrogate that belongs to no pair takes three bytes
//! (`ED A0 80` for U+D800). A name without lone surrogates is plain UTF-8.

use std::borrow::Borrow;
use std::fmt;

use crate::error::{Error, Result};

/// The name of a column, in WTF-8. Any text is allowed: empty, blank, control characters, any length.
///
/// Names are compared byte by byte (which is code point order); nothing is normalised.
///
/// ```
/// use colstore_format::ColumnName;
///
/// let name = ColumnName::from("pt");
/// assert_eq!(name.as_str(), Some("pt"));
/// let odd = ColumnName::from_wtf8(b"x\xed\xa0\x80")?;
/// assert_eq!(odd.as_str(), None);
/// assert_eq!(odd.to_string(), r"x\u{d800}");
/// # Ok::<(), colstore_format::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnName(Box<[u8]>);

impl ColumnName {
    /// Checks that `bytes` are WTF-8 and takes a copy of them.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::ErrorKind::Malformed) if the bytes are neither UTF-8 nor UTF-8 with lone surrogates. A high surrogate
    /// directly followed by a low one is refused too: the pair is one character with one encoding.
    pub fn from_wtf8(bytes: &[u8]) -> Result<ColumnName> {
        let mut after_high = false;
        for part in Parts::new(bytes) {
            match part {
                Part::Text(text) => after_high &= text.is_empty(),
                Part::Surrogate(code) if after_high && code >= 0xdc00 => {
                    return Err(Error::malformed(
                        "a column name holds a surrogate pair as two 3-byte sequences; encode the character in 4 bytes",
                    ));
                }
                Part::Surrogate(code) => after_high = code < 0xdc00,
                Part::Invalid(at) => {
                    return Err(Error::malformed(format!(
                        "a column name of {} bytes is not valid UTF-8: byte {at} starts no character",
                        bytes.len()
                    )));
                }
            }
        }
        Ok(ColumnName(bytes.into()))
    }

    /// For bytes that a JSON string decoded to, which are WTF-8 by construction.
    pub(crate) fn from_json_bytes(bytes: impl Into<Box<[u8]>>) -> ColumnName {
        let name = ColumnName(bytes.into());
        debug_assert!(ColumnName::from_wtf8(&name.0).is_ok());
        name
    }

    /// The WTF-8 bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The name as text; `None` if it holds a lone surrogate.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }
}

/// The code points of WTF-8 text, lone surrogates among them.
pub(crate) fn code_points(wtf8: &[u8]) -> impl Iterator<Item = u32> + '_ {
    Parts::new(wtf8).flat_map(|part| {
        let (text, surrogate) = match part {
            Part::Text(text) => (text, None),
            Part::Surrogate(code) => ("", Some(u32::from(code))),
            Part::Invalid(_) => ("", None),
        };
        text.chars().map(u32::from).chain(surrogate)
    })
}

/// A stretch of WTF-8.
enum Part<'a> {
    Text(&'a str),
    Surrogate(u16),
    /// Offset of a byte that is neither; the last part.
    Invalid(usize),
}

struct Parts<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Parts<'a> {
    fn new(bytes: &'a [u8]) -> Parts<'a> {
        Parts { bytes, position: 0 }
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        let rest = self.bytes.get(self.position..)?;
        if let [0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, ..] = *rest {
            self.position += 3;
            return Some(Part::Surrogate(0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f)));
        }
        let text = rest.utf8_chunks().next()?.valid();
        if text.is_empty() {
            let at = self.position;
            self.position = self.bytes.len();
            return Some(Part::Invalid(at));
        }
        self.position += text.len();
        Some(Part::Text(text))
    }
}

impl From<&str> for ColumnName {
    fn from(name: &str) -> ColumnName {
        ColumnName(name.as_bytes().into())
    }
}

impl From<String> for ColumnName {
    fn from(name: String) -> ColumnName {
        ColumnName(name.into_bytes().into())
    }
}

impl Borrow<[u8]> for ColumnName {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

/// The name as text, each lone surrogate as `\u{d800}`.
impl fmt::Display for ColumnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in Parts::new(&self.0) {
            match part {
                Part::Text(text) => f.write_str(text)?,
                Part::Surrogate(code) => write!(f, "\\u{{{code:x}}}")?,
                Part::Invalid(_) => {}
            }
        }
        Ok(())
    }
}

impl fmt::Debug for ColumnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => fmt::Debug::fmt(text, f),
            None => write!(f, "\"{self}\""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lone_surrogates_are_kept_and_shown() {
        for (bytes, shown, points) in [
            (&b"\xed\xa0\x80"[..], r"\u{d800}", vec![0xd800]),
            (b"a\xed\xbf\xbfb", r"a\u{dfff}b", vec![0x61, 0xdfff, 0x62]),
            // Low before high, and two high ones, are no pair.
            (
                b"\xed\xb0\x80\xed\xa0\x80\xed\xa0\x81",
                r"\u{dc00}\u{d800}\u{d801}",
                vec![0xdc00, 0xd800, 0xd801],
            ),
            (b"\xed\xa0\x80-\xed\xb0\x80", r"\u{d800}-\u{dc00}", vec![0xd800, 0x2d, 0xdc00]),
        ] {
            let name = ColumnName::from_wtf8(bytes).unwrap();
            assert_eq!(name.as_bytes(), bytes);
            assert_eq!(name.as_str(), None);
            assert_eq!(name.to_string(), shown);
            assert_eq!(code_points(name.as_bytes()).collect::<Vec<_>>(), points);
        }
    }

    #[test]
    fn what_is_no_wtf8_is_refused() {
        for bytes in [
            &b"\xff"[..],
            b"ab\x80",
            b"\xc0\x80",                 // overlong NUL
            b"\xe0\x80\x80",             // overlong
            b"\xed\xa0",                 // cut surrogate
            b"\xf4\x90\x80\x80",         // beyond U+10FFFF
            b"\xed\xa0\x80\xed\xb0\x80", // a pair in six bytes
        ] {
            assert!(ColumnName::from_wtf8(bytes).is_err(), "{bytes:x?}");
        }
    }

    proptest! {
        #[test]
        fn text_is_itself(text: String) {
            let name = ColumnName::from_wtf8(text.as_bytes()).unwrap();
            prop_assert_eq!(name.as_str(), Some(&*text));
            prop_assert_eq!(name.to_string(), &*text);
            prop_assert_eq!(code_points(name.as_bytes()).collect::<Vec<_>>(), text.chars().map(u32::from).collect::<Vec<_>>());
            prop_assert_eq!(&name, &ColumnName::from(text));
        }

        #[test]
        fn any_bytes(bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(0xed), Just(0xa0), Just(0xb0)], 0..12)) {
            if let Ok(name) = ColumnName::from_wtf8(&bytes) {
                // Oracle: as UTF-16 the name has the same code points, so no pair can hide in it.
                let units: Vec<u16> = code_points(name.as_bytes()).flat_map(|c| match char::from_u32(c) {
                    Some(c) => c.encode_utf16(&mut [0; 2]).to_vec(),
                    None => vec![c as u16],
                }).collect();
                let decoded: Vec<u32> = char::decode_utf16(units).map(|c| c.map_or_else(|e| u32::from(e.unpaired_surrogate()), u32::from)).collect();
                prop_assert_eq!(decoded, code_points(name.as_bytes()).collect::<Vec<_>>());
            }
        }
    }
}
