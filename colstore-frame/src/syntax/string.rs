//! String and bytes literals: prefixes, quotes, escapes.

use super::lexer::{TokenKind, syntax_error};
use crate::error::Result;

/// A literal and its length in the text.
pub(super) struct Scanned<'a> {
    pub(super) kind: TokenKind<'a>,
    pub(super) len: usize,
}

/// What the letters before the quote say.
#[derive(Clone, Copy, Default)]
struct Prefix {
    raw: bool,
    bytes: bool,
    formatted: bool,
}

/// Reads the literal at `at`; `None` if there is none.
pub(super) fn scan(text: &str, at: usize) -> Result<Option<Scanned<'_>>> {
    let rest = &text[at..];
    let letters = rest.bytes().take(3).take_while(u8::is_ascii_alphabetic).count();
    let Some(quote) = rest[letters..].chars().next().filter(|c| matches!(c, '"' | '\'')) else {
        return Ok(None);
    };
    let Some(prefix) = prefix(&rest[..letters]) else { return Ok(None) };

    let triple = [quote; 3].iter().collect::<String>();
    let is_triple = rest[letters..].starts_with(&triple);
    let start = letters + if is_triple { 3 } else { 1 };
    let end = if is_triple { triple.as_str() } else { &triple[..1] };
    let Some(body_len) = body_length(&rest[start..], end, is_triple) else {
        return Err(syntax_error(text, at..at + start, "the string is never closed"));
    };
    let body_at = at + start;
    let body = &text[body_at..body_at + body_len];
    let kind = if prefix.formatted {
        TokenKind::Formatted
    } else if prefix.bytes {
        let values = decode(text, body_at, body, prefix)?;
        // Every value was checked to be below 256.
        TokenKind::Bytes(values.into_iter().map(|value| value as u8).collect())
    } else {
        TokenKind::Str(decode(text, body_at, body, prefix)?.into())
    };
    Ok(Some(Scanned { kind, len: start + body_len + end.len() }))
}

fn prefix(letters: &str) -> Option<Prefix> {
    Some(match letters.to_ascii_lowercase().as_str() {
        "" | "u" => Prefix::default(),
        "r" => Prefix { raw: true, ..Prefix::default() },
        "b" => Prefix { bytes: true, ..Prefix::default() },
        "br" | "rb" => Prefix { raw: true, bytes: true, ..Prefix::default() },
        "f" | "fr" | "rf" | "t" | "tr" | "rt" => Prefix { formatted: true, ..Prefix::default() },
        _ => return None,
    })
}

/// The bytes up to the closing quotes; a backslash hides what follows it.
fn body_length(rest: &str, end: &str, may_have_lines: bool) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            // Of a character of several bytes this skips the first; the others are no quotes.
            b'\\' => at += 2,
            b'\n' | b'\r' if !may_have_lines => return None,
            _ if bytes[at..].starts_with(end.as_bytes()) => return Some(at),
            _ => at += 1,
        }
    }
    None
}

/// The code points, or bytes, that a body stands for.
fn decode(text: &str, body_at: usize, body: &str, prefix: Prefix) -> Result<Vec<u32>> {
    let fail = |at: usize, len: usize, detail: &str| {
        Err(syntax_error(text, body_at + at..body_at + (at + len).min(body.len()), detail))
    };
    let mut values = Vec::with_capacity(body.len());
    let mut at = 0;
    while let Some(c) = body[at..].chars().next() {
        if prefix.bytes && !c.is_ascii() {
            return fail(
                at,
                c.len_utf8(),
                "bytes literals hold ASCII characters; write others as \\x escapes",
            );
        }
        if c == '\r' {
            // Line ends are one character, however the text has them.
            values.push('\n'.into());
            at += if body[at + 1..].starts_with('\n') { 2 } else { 1 };
            continue;
        }
        if c != '\\' || prefix.raw {
            values.push(c.into());
            at += c.len_utf8();
            continue;
        }
        let after = &body[at + 1..];
        let Some(letter) = after.chars().next() else { return fail(at, 1, "the string ends in a backslash") };
        let hex = |len: usize| after.get(1..1 + len).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let (value, len) = match letter {
            '\n' => (None, 1),
            '\r' => (None, if after[1..].starts_with('\n') { 2 } else { 1 }),
            '\\' | '\'' | '"' => (Some(letter.into()), 1),
            'a' => (Some(7), 1),
            'b' => (Some(8), 1),
            'f' => (Some(12), 1),
            'n' => (Some(10), 1),
            'r' => (Some(13), 1),
            't' => (Some(9), 1),
            'v' => (Some(11), 1),
            '0'..='7' => {
                let digits = after.bytes().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
                let value = u32::from_str_radix(&after[..digits], 8).unwrap_or_default();
                (Some(if prefix.bytes { value & 0xff } else { value }), digits)
            }
            'x' | 'u' | 'U' if letter == 'x' || !prefix.bytes => {
                let len = match letter {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let value = hex(len).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let Some(value) = value.filter(|value| *value <= 0x0010_ffff) else {
                    return fail(
                        at,
                        2 + len,
                        &format!("\\{letter} takes {len} hexadecimal digits of a character"),
                    );
                };
                (Some(value), 1 + len)
            }
            'N' if !prefix.bytes => {
                return fail(at, 2, "\\N{...} is not read here; write the character, or a \\u escape");
            }
            // As Python: what is no escape stays as it is, backslash and all.
            _ => {
                values.push('\\'.into());
                (None, 0)
            }
        };
        values.extend(value);
        at += 1 + len;
    }
    Ok(values)
}
