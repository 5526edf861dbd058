//! From what a user calls a data set to the files of it.

use std::cmp::Ordering;
use std::io;
use std::path::{Path, PathBuf};

use colstore_format::{is_shard_name, natural_cmp};
use glob::{MatchOptions, Pattern};

use crate::error::{Error, ErrorKind, Result};

/// The files that `path` stands for:
///
/// - a directory: the shards in it, which are its visible `.cstore` files;
/// - a pattern with `*`, `?` or `[…]` (and `**` for directories of any depth): the files that match, hidden ones
///   only where the pattern has the dot;
/// - else itself, whether it is there or not.
///
/// Files are in natural order, `run_2` before `run_10`.
///
/// # Errors
///
/// [`NotFound`](ErrorKind::NotFound) if no file matches the pattern,
/// [`InvalidArgument`](ErrorKind::InvalidArgument) if it is none, and failures of the operating system.
pub fn expand_paths(path: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
    let path = path.as_ref();
    if path.is_dir() {
        return shards(path);
    }
    match path.to_str() {
        Some(text) if text.contains(['*', '?', '[']) => matches(path, text),
        _ => Ok(vec![path.to_path_buf()]),
    }
}

fn shards(directory: &Path) -> Result<Vec<PathBuf>> {
    let failed = |e: &io::Error| Error::io("list", directory, e);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(|e| failed(&e))? {
        let entry = entry.map_err(|e| failed(&e))?;
        if is_shard_name(&entry.file_name().to_string_lossy()) && entry.path().is_file() {
            paths.push(entry.path());
        }
    }
    paths.sort_by(|a, b| in_natural_order(a, b));
    Ok(paths)
}

fn matches(path: &Path, pattern: &str) -> Result<Vec<PathBuf>> {
    // Asked for by the option, leading dots would hide what a pattern with a dot is meant to find.
    let options = MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: false,
    };
    let found = glob::glob_with(pattern, options).map_err(|e| {
        let message = format!(
            "'{pattern}' is no valid pattern: {} at character {}; write [[] for a bracket that is part of a name",
            e.msg, e.pos
        );
        Error::new(ErrorKind::InvalidArgument, message).with_path(path)
    })?;
    // What may not be looked into has no matches.
    let found = found.filter_map(std::result::Result::ok);
    let mut paths: Vec<PathBuf> = found.filter(|found| hidden_as_asked(pattern, found)).collect();
    if paths.is_empty() && path.is_file() {
        // A name with brackets.
        paths.push(path.to_path_buf());
    }
    if paths.is_empty() {
        let message = format!("no files matched '{pattern}'");
        return Err(Error::new(ErrorKind::NotFound, message).with_path(path));
    }
    paths.sort_by(|a, b| in_natural_order(a, b));
    Ok(paths)
}

/// Whether every part of `found` that begins with a dot was asked for by a part of the pattern that does; the
/// directories `.` and `..` only under these names.
fn hidden_as_asked(pattern: &str, found: &Path) -> bool {
    let asked: Vec<&str> = parts(pattern).collect();
    let found = found.to_string_lossy();
    let found: Vec<&str> = parts(&found).collect();
    let one_to_one = asked.len() == found.len() && !asked.contains(&"**");
    found.iter().enumerate().filter(|(_, part)| part.starts_with('.')).all(|(i, part)| {
        let fits = |asked: &str| match *part {
            "." | ".." => asked == *part,
            _ => asked.starts_with('.') && Pattern::new(asked).is_ok_and(|asked| asked.matches(part)),
        };
        if one_to_one { fits(asked[i]) } else { asked.iter().any(|asked| fits(asked)) }
    })
}

/// The names in a path.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty())
}

fn in_natural_order(a: &Path, b: &Path) -> Ordering {
    natural_cmp(&a.to_string_lossy(), &b.to_string_lossy()).then_with(|| a.cmp(b))
}

/// `path` as a pattern that matches nothing else.
#[cfg(test)]
fn escape(path: &Path) -> String {
    Pattern::escape(path.to_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(names: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for name in names {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, b"").unwrap();
        }
        dir
    }

    fn names(root: &Path, paths: &[PathBuf]) -> Vec<String> {
        paths.iter().map(|p| p.strip_prefix(root).unwrap().to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn a_directory_stands_for_its_shards() {
        let dir = directory(&[
            "run_10.cstore",
            "run_2.cstore",
            "run_1.cstore",
            ".hidden.cstore",
            "notes.txt",
            "deeper/x.cstore",
        ]);
        std::fs::create_dir(dir.path().join("odd.cstore")).unwrap();
        let found = expand_paths(dir.path()).unwrap();
        assert_eq!(names(dir.path(), &found), ["run_1.cstore", "run_2.cstore", "run_10.cstore"]);
    }

    #[test]
    fn an_empty_directory_has_no_shards() {
        let dir = directory(&[]);
        assert!(expand_paths(dir.path()).unwrap().is_empty());
    }

    #[test]
    fn brackets_in_the_name_of_a_directory_or_a_file() {
        let dir = directory(&["data[1]/a.cstore", "part[2].cstore"]);
        let found = expand_paths(dir.path().join("data[1]")).unwrap();
        assert_eq!(names(dir.path(), &found), ["data[1]/a.cstore"]);
        let found = expand_paths(dir.path().join("part[2].cstore")).unwrap();
        assert_eq!(names(dir.path(), &found), ["part[2].cstore"]);
    }

    #[test]
    fn patterns_match_in_natural_order_over_the_whole_path() {
        let all = [
            "d10/a_1.cstore",
            "d9/a_10.cstore",
            "d9/a_2.cstore",
            "d9/.a_3.cstore",
            "d10/.x/a_3.cstore",
            "d10/a_3.cstore",
        ];
        let dir = directory(&all);
        let root = dir.path();
        let find = |pattern: &str| {
            let found = expand_paths(format!("{}/{pattern}", escape(root))).unwrap();
            names(root, &found)
        };
        assert_eq!(
            find("d*/*.cstore"),
            ["d9/a_2.cstore", "d9/a_10.cstore", "d10/a_1.cstore", "d10/a_3.cstore"]
        );
        assert_eq!(find("d9/a_?.cstore"), ["d9/a_2.cstore"]);
        assert_eq!(find("d9/a_[12]*"), ["d9/a_2.cstore", "d9/a_10.cstore"]);
        assert_eq!(find("d9/.a*"), ["d9/.a_3.cstore"]);
        assert_eq!(find("d9/.*"), ["d9/.a_3.cstore"]);
        assert_eq!(find("**/.*.cstore"), ["d9/.a_3.cstore"]);
        assert_eq!(find("**/*_3.cstore*"), ["d10/a_3.cstore"]);
        assert_eq!(find("**/a_1.cstore"), ["d10/a_1.cstore"]);
    }

    #[test]
    fn no_match_and_no_pattern_are_errors() {
        let dir = directory(&["a.cstore"]);
        let error = expand_paths(dir.path().join("b*.cstore")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(error.message().contains("no files matched"), "{error}");
        let error = expand_paths(dir.path().join("a***")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }

    #[test]
    fn other_paths_stand_for_themselves() {
        let missing = Path::new("/nowhere/at/all.cstore");
        assert_eq!(expand_paths(missing).unwrap(), [missing]);
    }
}
