//! Names of shards: the files of a directory that make one table.

use crate::constants::SHARD_EXTENSION;
use crate::error::{Error, Result};
use crate::natural_order::digit_value;

/// Whether a file of this name in a directory is one of its shards: it ends in `.cstore` (in lower case) and does not start with a dot.
pub fn is_shard_name(name: &str) -> bool {
    name.ends_with(SHARD_EXTENSION) && !name.starts_with('.')
}

/// How the files of a directory are named, as in `shard_{index:05d}.cstore`.
///
/// A template is literal text around at most one field, `{index}` or `{index:05d}` (zero-padded to that many digits; the `d` may be left
/// out). `{{` and `}}` stand for braces.
///
/// ```
/// use colstore_format::ShardTemplate;
///
/// let template = ShardTemplate::default();
/// assert_eq!(template.format(7), "shard_00007.cstore");
/// assert_eq!(template.index_of("shard_123456.cstore"), Some(123_456));
/// assert_eq!(template.next_index(["shard_00000.cstore", "shard_00004.cstore", "other.cstore"])?, 5);
/// # Ok::<(), colstore_format::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardTemplate {
    before: String,
    /// The least number of digits, and the text behind them; `None` without a field.
    field: Option<(usize, String)>,
}

/// Wider fields make names that no file system takes.
const MAX_WIDTH: usize = 200;

impl ShardTemplate {
    /// The template that is used where none is given.
    pub const DEFAULT: &'static str = "shard_{index:05d}.cstore";

    /// Reads a template.
    ///
    /// # Errors
    ///
    /// [`Invalid`](crate::ErrorKind::Invalid) if the names it makes would be no shards (they do not end in `.cstore`, or start with a dot), if it holds a
    /// path separator or NUL, or a field other than one `{index}` in zero-padded decimal.
    pub fn parse(template: &str) -> Result<ShardTemplate> {
        let refuse = |why: &str| Err(Error::invalid(format!("shard template {template:?}: {why}")));
        let mut before = String::new();
        let mut field: Option<(usize, String)> = None;
        let mut rest = template;
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            match c {
                '{' | '}' if rest.starts_with(c) => rest = &rest[1..],
                '{' => {
                    let Some((inner, after)) = rest.split_once('}') else {
                        return refuse("a '{' is never closed");
                    };
                    let Some(width) = field_width(inner) else {
                        return refuse("the only field is {index} or, zero-padded, like {index:05d}");
                    };
                    if field.is_some() {
                        return refuse("there can be only one {index}");
                    }
                    field = Some((width, String::new()));
                    rest = after;
                    continue;
                }
                '}' => return refuse("a '}' closes nothing; write '}}' for the character"),
                '/' | '\0' => return refuse("it must be a file name, not a path"),
                _ => {}
            }
            field.as_mut().map_or(&mut before, |(_, after)| after).push(c);
        }
        let template = ShardTemplate { before, field };
        if !template.format(0).ends_with(SHARD_EXTENSION) {
            return refuse("it must end in .cstore");
        }
        if template.format(0).starts_with('.') {
            return refuse("names that start with a dot are not taken for shards");
        }
        Ok(template)
    }

    /// The one name of a template without a field.
    pub fn literal(&self) -> Option<&str> {
        self.field.is_none().then_some(&self.before)
    }

    /// The name of shard `index`.
    pub fn format(&self, index: u64) -> String {
        match &self.field {
            None => self.before.clone(),
            Some((width, after)) => format!("{}{index:0width$}{after}", self.before),
        }
    }

    /// The index in a name that this template could have made, with any number of digits; `None` for other names and for an
    /// index beyond 64 bits.
    pub fn index_of(&self, name: &str) -> Option<u64> {
        self.digits(name)?.try_fold(0u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit)))
    }

    /// One more than the largest index among the names; 0 if none has one. Gaps are not filled.
    ///
    /// # Errors
    ///
    /// [`Invalid`](crate::ErrorKind::Invalid) if a name holds an index so large that none can follow.
    pub fn next_index<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<u64> {
        let mut next = 0;
        for name in names {
            if self.digits(name).is_some() {
                let following =
                    self.index_of(name).and_then(|index| index.checked_add(1)).ok_or_else(|| {
                        Error::invalid(format!(
                            "no shard can follow {name:?}: its index is too large; rename it"
                        ))
                    })?;
                next = following.max(next);
            }
        }
        Ok(next)
    }

    /// The digits in the place of the field, if the name has the form of the template.
    fn digits<'a>(&self, name: &'a str) -> Option<impl Iterator<Item = u8> + use<'a>> {
        let (_, after) = self.field.as_ref()?;
        let digits = name.strip_prefix(&*self.before)?.strip_suffix(&**after)?;
        let is_number = !digits.is_empty() && digits.chars().all(|c| digit_value(c).is_some());
        is_number.then(|| digits.chars().filter_map(digit_value))
    }
}

impl Default for ShardTemplate {
    /// [`ShardTemplate::DEFAULT`].
    fn default() -> ShardTemplate {
        ShardTemplate { before: "shard_".to_owned(), field: Some((5, SHARD_EXTENSION.to_owned())) }
    }
}

/// The least number of digits that the inside of a pair of braces asks for.
fn field_width(inner: &str) -> Option<usize> {
    let spec = match inner.strip_prefix("index")? {
        "" => return Some(1),
        rest => rest.strip_prefix(':')?,
    };
    let width = spec.strip_suffix('d').unwrap_or(spec);
    if width.is_empty() {
        return Some(1);
    }
    // Without the zero the field would be padded with blanks.
    let digits = width.strip_prefix('0')?;
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let width = if digits.is_empty() { 1 } else { digits.parse().ok()? };
    (width <= MAX_WIDTH).then_some(width.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn shard_names() {
        for name in ["a.cstore", "é.cstore", "shard_00000.cstore", "x.tmp.cstore"] {
            assert!(is_shard_name(name), "{name}");
        }
        for name in [
            "",
            "cstore",
            ".cstore",
            ".a.cstore",
            "a.CSTORE",
            "a.cstore.bak",
            ".colstore.lock",
            ".a.cstore.x3.tmp",
        ] {
            assert!(!is_shard_name(name), "{name}");
        }
    }

    #[test]
    fn templates_that_are_accepted() {
        for (text, seventh) in [
            ("{index}.cstore", "7.cstore"),
            ("{index:d}.cstore", "7.cstore"),
            ("a{index:03}b.cstore", "a007b.cstore"),
            ("{{x}}_{index:02d}.cstore", "{x}_07.cstore"),
            ("{index:0d}.cstore", "7.cstore"),
            ("é{index:05d}.cstore", "é00007.cstore"),
        ] {
            let template = ShardTemplate::parse(text).unwrap();
            assert_eq!(template.format(7), seventh);
            assert_eq!(template.index_of(seventh), Some(7));
            assert_eq!(template.literal(), None);
        }
        assert_eq!(ShardTemplate::parse(ShardTemplate::DEFAULT), Ok(ShardTemplate::default()));
        let literal = ShardTemplate::parse("all.cstore").unwrap();
        assert_eq!((literal.literal(), literal.format(3).as_str()), (Some("all.cstore"), "all.cstore"));
        assert_eq!((literal.index_of("all.cstore"), literal.next_index(["all.cstore"])), (None, Ok(0)));
    }

    #[test]
    fn templates_that_are_refused() {
        for text in [
            "",
            "x",
            "{index}",
            "{index}.CSTORE",
            "{index:x}.cstore",
            "{index:5d}.cstore",
            "{index:>05d}.cstore",
            "{index:+03d}.cstore",
            "{index:0999d}.cstore",
            "{Index}.cstore",
            "{index!r}.cstore",
            "{index.real}.cstore",
            "{}.cstore",
            "{0}.cstore",
            "{name}.cstore",
            "{index}{index}.cstore",
            "{index.cstore",
            "index}.cstore",
            "a/{index}.cstore",
            "a\0.cstore",
            ".{index}.cstore",
            ".cstore",
            "{index:٣}.cstore",
        ] {
            assert_eq!(ShardTemplate::parse(text).unwrap_err().kind(), ErrorKind::Invalid, "{text}");
        }
    }

    #[test]
    fn the_next_index() {
        let template = ShardTemplate::default();
        assert_eq!(template.next_index([]), Ok(0));
        assert_eq!(
            template.next_index(["shard_.cstore", "shard_1.cstore.bak", "shard_-3.cstore", "Shard_9.cstore"]),
            Ok(0)
        );
        assert_eq!(template.next_index(["shard_00010.cstore", "shard_9.cstore"]), Ok(11));
        assert_eq!(template.next_index(["shard_٢.cstore"]), Ok(3));
        for last in ["shard_18446744073709551615.cstore", "shard_18446744073709551616.cstore"] {
            assert_eq!(template.next_index([last]).unwrap_err().kind(), ErrorKind::Invalid);
        }
        // Prefix and suffix may not share characters.
        assert_eq!(ShardTemplate::parse("1{index}1.cstore").unwrap().index_of("1.cstore"), None);
    }
}
