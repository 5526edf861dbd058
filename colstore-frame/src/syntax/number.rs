//! Numbers: `12`, `1_000`, `0xff`, `0o17`, `0b1`, `1.5`, `.5e-3`, `2j`.

use super::lexer::{TokenKind, is_name_part, syntax_error};
use crate::error::Result;
use crate::expr::Integer;

/// Decimal digits of an integer at most: as Python, which reads no more because the time grows with their square.
const MAX_DIGITS: usize = 4300;

/// Reads the number at `at`, which begins with a digit, or a point and a digit. Returns it with its length.
pub(super) fn scan(text: &str, at: usize) -> Result<(TokenKind<'_>, usize)> {
    let rest = &text[at..];
    let radix = match rest.as_bytes() {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'o' | b'O', ..] => 8,
        [b'0', b'b' | b'B', ..] => 2,
        _ => 10,
    };
    let (kind, len) = if radix == 10 { decimal(text, at)? } else { based(text, at, radix)? };
    if rest[len..].starts_with(is_name_part) {
        let end = rest[len..].find(|c| !is_name_part(c)).map_or(rest.len(), |more| len + more);
        return Err(syntax_error(text, at..at + end, "this is no number, and no name begins with a digit"));
    }
    Ok((kind, len))
}

/// The length of digits with single underscores between them (`_` may come first where `after` says so).
fn digits(rest: &str, radix: u32, underscore_first: bool) -> usize {
    let bytes = rest.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(|b| char::from(*b).is_digit(radix));
    let mut len = 0;
    loop {
        let underscore = bytes.get(len) == Some(&b'_') && (len > 0 || underscore_first) && is_digit(len + 1);
        match (is_digit(len), underscore) {
            (true, _) => len += 1,
            (false, true) => len += 2,
            (false, false) => return len,
        }
    }
}

fn based(text: &str, at: usize, radix: u32) -> Result<(TokenKind<'_>, usize)> {
    let rest = &text[at + 2..];
    let len = digits(rest, radix, true);
    if len == 0 {
        return Err(syntax_error(text, at..at + 2, &format!("digits to the base {radix} are missing")));
    }
    Ok((TokenKind::Int(Integer::from_digits(&rest[..len], radix)), 2 + len))
}

fn decimal(text: &str, at: usize) -> Result<(TokenKind<'_>, usize)> {
    let rest = &text[at..];
    let whole = digits(rest, 10, false);
    let mut len = whole;
    if rest[len..].starts_with('.') {
        len += 1 + digits(&rest[len + 1..], 10, false);
    }
    if rest[len..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[len + 1..].starts_with(['+', '-']));
        let exponent = digits(&rest[len + 1 + sign..], 10, false);
        if exponent > 0 {
            len += 1 + sign + exponent;
        }
    }
    let imaginary = rest[len..].starts_with(['j', 'J']);
    if len == whole && !imaginary {
        let shown = &rest[..len];
        let significant = shown.bytes().filter(u8::is_ascii_digit).count();
        if shown.starts_with('0') && shown.bytes().any(|b| !matches!(b, b'0' | b'_')) {
            return Err(syntax_error(
                text,
                at..at + len,
                "integers have no leading zeros; octal numbers begin with 0o",
            ));
        }
        if significant > MAX_DIGITS {
            let detail = format!("the integer has {significant} digits, at most {MAX_DIGITS} are read");
            return Err(syntax_error(text, at..at + len, &detail));
        }
        return Ok((TokenKind::Int(Integer::from_digits(shown, 10)), len));
    }
    let plain: String = rest[..len].chars().filter(|c| *c != '_').collect();
    let Ok(value) = plain.parse::<f64>() else {
        return Err(syntax_error(text, at..at + len, "this is no number"));
    };
    Ok(if imaginary { (TokenKind::Imaginary(value), len + 1) } else { (TokenKind::Float(value), len) })
}
