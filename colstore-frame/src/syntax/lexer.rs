//! Text into tokens, as Python's tokenizer does it.
//!
//! Differences: `\N{...}` escapes are refused (they need the names of all characters), and names are not normalised
//! (Python applies NFKC): a name is what the text says.

use std::ops::Range;
use std::sync::Arc;

use super::number;
use super::string;
use crate::error::{Error, Result};
use crate::expr::Integer;

/// The longest text in bytes.
pub(super) const MAX_TEXT: usize = 512 << 10;

/// A piece of the text and what it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind<'a>,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind<'a> {
    Name(&'a str),
    /// A word that Python reserves.
    Keyword(&'static str),
    /// `@name`
    Parameter(&'a str),
    Int(Integer),
    Float(f64),
    Imaginary(f64),
    Str(Arc<[u32]>),
    Bytes(Arc<[u8]>),
    /// A string whose content is computed: an f-string or t-string.
    Formatted,
    /// An operator or punctuation.
    Symbol(&'static str),
    End,
}

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// The longest first.
const SYMBOLS: &[&str] = &[
    "**=", "//=", ">>=", "<<=", "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", ":=", "->", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", "+", "-", "*", "/", "%", "@", "<", ">", "|", "^", "&",
    "~", "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "=",
];

/// The error for a text that is no expression.
pub(super) fn syntax_error(text: &str, span: Range<usize>, detail: &str) -> Error {
    Error::query(format!("could not parse the expression: {detail}")).at(text, span)
}

/// Cuts `text` into tokens; the last one is [`TokenKind::End`]. Brackets are known to match.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>> {
    if text.len() > MAX_TEXT {
        return Err(Error::query(format!(
            "could not parse the expression: it has {} bytes, at most {MAX_TEXT} are read; give long lists of values as \
             parameters ('x in @values')",
            text.len()
        )));
    }
    let mut lexer = Lexer { text, at: 0, open: Vec::new(), tokens: Vec::new() };
    lexer.run()?;
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Brackets that are open, with their places.
    open: Vec<(&'static str, usize)>,
    tokens: Vec<Token<'a>>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn fail<T>(&self, span: Range<usize>, detail: &str) -> Result<T> {
        Err(syntax_error(self.text, span, detail))
    }

    fn push(&mut self, kind: TokenKind<'a>, len: usize) {
        self.tokens.push(Token { kind, span: self.at..self.at + len });
        self.at += len;
    }

    fn run(&mut self) -> Result<()> {
        loop {
            self.skip_blanks()?;
            let Some(first) = self.rest().chars().next() else { break };
            if let Some(string) = string::scan(self.text, self.at)? {
                let len = string.len;
                self.push(string.kind, len);
            } else if first.is_ascii_digit()
                || first == '.' && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit())
            {
                let (kind, len) = number::scan(self.text, self.at)?;
                self.push(kind, len);
            } else if is_name_start(first) {
                self.name();
            } else if first == '@' && self.takes_operand() {
                self.parameter()?;
            } else {
                self.symbol(first)?;
            }
        }
        if let Some(&(bracket, at)) = self.open.last() {
            return self.fail(at..at + 1, &format!("'{bracket}' is never closed"));
        }
        self.tokens.push(Token { kind: TokenKind::End, span: self.text.len()..self.text.len() });
        Ok(())
    }

    /// Spaces, comments, joined lines, and inside brackets line ends.
    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            let rest = self.rest();
            let Some(first) = rest.chars().next() else { return Ok(()) };
            match first {
                ' ' | '\t' | '\u{c}' => self.at += 1,
                '#' => self.at += rest.find(['\n', '\r']).unwrap_or(rest.len()),
                '\n' | '\r' => {
                    // Lines may end inside brackets, and before and after the expression.
                    let last = self.tokens.is_empty() || !self.open.is_empty();
                    if !last && !is_blank(rest) {
                        return self.fail(
                            self.at..self.at + 1,
                            "an expression is one line; put it into brackets to continue on the next",
                        );
                    }
                    self.at += 1;
                }
                '\\' if rest[1..].starts_with('\n') => self.at += 2,
                '\\' if rest[1..].starts_with("\r\n") => self.at += 3,
                _ => return Ok(()),
            }
        }
    }

    fn name(&mut self) {
        let rest = self.rest();
        let len = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
        let word = &rest[..len];
        let kind = match KEYWORDS.iter().find(|keyword| **keyword == word) {
            Some(keyword) => TokenKind::Keyword(keyword),
            None => TokenKind::Name(word),
        };
        self.push(kind, len);
    }

    /// Whether an operand may come next, so that `@` begins a parameter and is no operator.
    fn takes_operand(&self) -> bool {
        match self.tokens.last().map(|token| &token.kind) {
            None => true,
            Some(TokenKind::Symbol(symbol)) => !matches!(*symbol, ")" | "]" | "}"),
            Some(TokenKind::Keyword(keyword)) => !matches!(*keyword, "True" | "False" | "None"),
            Some(_) => false,
        }
    }

    fn parameter(&mut self) -> Result<()> {
        let name = &self.rest()[1..];
        let len = name.find(|c| !is_name_part(c)).unwrap_or(name.len());
        if !name.starts_with(is_name_start) {
            return self.fail(self.at..self.at + 1, "'@' is followed by the name of a parameter");
        }
        self.push(TokenKind::Parameter(&name[..len]), 1 + len);
        Ok(())
    }

    fn symbol(&mut self, first: char) -> Result<()> {
        let rest = self.rest();
        let span = self.at..self.at + first.len_utf8();
        let Some(symbol) = SYMBOLS.iter().copied().find(|symbol| rest.starts_with(symbol)) else {
            return self.fail(span, &format!("{first:?} has no meaning here"));
        };
        match symbol {
            "(" | "[" | "{" => self.open.push((symbol, self.at)),
            ")" | "]" | "}" => {
                let opened = self.open.pop().map(|(bracket, _)| bracket);
                if !matches!((opened, symbol), (Some("("), ")") | (Some("["), "]") | (Some("{"), "}")) {
                    let detail = match opened {
                        Some(bracket) => format!("'{symbol}' does not close '{bracket}'"),
                        None => format!("'{symbol}' closes nothing"),
                    };
                    return self.fail(span, &detail);
                }
            }
            _ => {}
        }
        self.push(TokenKind::Symbol(symbol), symbol.len());
        Ok(())
    }
}

pub(super) fn is_name_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

pub(super) fn is_name_part(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Whether nothing but spaces, line ends and comments is left.
fn is_blank(rest: &str) -> bool {
    rest.split(['\n', '\r']).all(|line| {
        let line = line.trim_matches([' ', '\t', '\u{c}']);
        line.is_empty() || line.starts_with('#')
    })
}

/// Whether `name` is read as the name of a column.
pub(super) fn is_identifier(name: &str) -> bool {
    name.starts_with(is_name_start) && name.chars().all(is_name_part) && !KEYWORDS.contains(&name)
}
