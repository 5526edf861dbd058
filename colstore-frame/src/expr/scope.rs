//! What names mean.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use colstore_core::Table;
use colstore_format::ColumnName;

use super::input::Input;
use super::node::{Expr, ExprId, Node};
use crate::error::{Error, ErrorKind, Result};

/// Where names are looked up when an expression is bound.
pub trait Scope {
    /// What `name` stands for: an expression in which no names are left. `None` if there is no such column.
    fn find(&self, name: &ColumnName) -> Option<Expr>;

    /// A few of the names there are, for messages.
    fn names(&self) -> Vec<ColumnName>;
}

/// The columns of a table.
#[derive(Debug)]
pub struct TableScope {
    table: Table,
    /// What was found before, by position: a column is one input however often it is asked for.
    found: Mutex<Vec<(usize, Input)>>,
}

impl TableScope {
    /// The columns of `table`.
    pub fn new(table: &Table) -> TableScope {
        TableScope { table: table.clone(), found: Mutex::default() }
    }
}

impl Scope for TableScope {
    fn find(&self, name: &ColumnName) -> Option<Expr> {
        let column = self.table.schema().index_of(name.as_bytes())?;
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, input)) = found.iter().find(|(position, _)| *position == column) {
            return Some(Expr::input(input.clone()));
        }
        let input = Input::table(&self.table, column).ok()?;
        found.push((column, input.clone()));
        Some(Expr::input(input))
    }

    fn names(&self) -> Vec<ColumnName> {
        self.table.schema().columns().iter().map(|column| column.name().clone()).collect()
    }
}

/// Columns by name, in order.
impl Scope for [(ColumnName, Expr)] {
    fn find(&self, name: &ColumnName) -> Option<Expr> {
        self.iter().find(|(other, _)| other == name).map(|(_, expr)| expr.clone())
    }

    fn names(&self) -> Vec<ColumnName> {
        self.iter().map(|(name, _)| name.clone()).collect()
    }
}

/// `expr` with what its names stand for in `scope` in their place.
///
/// # Errors
///
/// [`Key`](ErrorKind::Key) for a name that is not there.
pub(crate) fn resolve(expr: &Expr, scope: &(impl Scope + ?Sized)) -> Result<Expr> {
    let mut done: HashMap<ExprId, Expr> = HashMap::new();
    for part in expr.post_order() {
        let resolved = match part.node() {
            Node::Column(name) => scope.find(name).ok_or_else(|| {
                let error = Error::new(
                    ErrorKind::Key,
                    format!("'{name}' is not a column of this frame{}", hint(name, scope)),
                );
                error.with_column(name)
            })?,
            _ => part.with_children(|child| done.get(&child.id()).cloned().unwrap_or_else(|| child.clone())),
        };
        done.insert(part.id(), resolved);
    }
    Ok(done.remove(&expr.id()).unwrap_or_else(|| expr.clone()))
}

/// `; did you mean 'energy'?`, or which columns there are.
pub(super) fn hint(name: &ColumnName, scope: &(impl Scope + ?Sized)) -> String {
    let names = scope.names();
    if let Some(close) = closest(&name.to_string(), &names) {
        return format!("; did you mean '{close}'?");
    }
    let shown: Vec<String> = names.iter().take(8).map(ToString::to_string).collect();
    let more = if names.len() > shown.len() {
        format!(" and {} more", names.len() - shown.len())
    } else {
        String::new()
    };
    if shown.is_empty() {
        "; there are no columns".to_owned()
    } else {
        format!("; there are: {}{more}", shown.join(", "))
    }
}

/// The name that differs by the fewest edits, if that are few. Looks at a thousand names at most.
fn closest<'a>(name: &str, names: &'a [ColumnName]) -> Option<&'a ColumnName> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    let scored = names.iter().take(1000).filter_map(|other| {
        let distance = edits(name, &other.to_string());
        (distance <= limit).then_some((distance, other))
    });
    scored.min_by_key(|(distance, _)| *distance).map(|(_, other)| other)
}

/// The Levenshtein distance of short texts, letters of either case being equal; large for long texts.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    if a.len() > 64 || b.len() > 64 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::col;

    #[test]
    fn suggestions() {
        let scope: Vec<(ColumnName, Expr)> =
            ["energy", "pt", "eta"].map(|name| (name.into(), col(name))).into();
        let hint = |name: &str| hint(&name.into(), scope.as_slice());
        assert_eq!(hint("enrgy"), "; did you mean 'energy'?");
        assert_eq!(hint("PT"), "; did you mean 'pt'?");
        assert_eq!(hint("unrelated"), "; there are: energy, pt, eta");
        assert_eq!(super::hint(&"x".into(), [].as_slice()), "; there are no columns");
        assert_eq!((edits("abc", "axc"), edits("", "ab"), edits("kitten", "sitting")), (1, 2, 3));
    }

    #[test]
    fn names_are_replaced() {
        let scope: Vec<(ColumnName, Expr)> = vec![("a".into(), col("x") * 2), ("b".into(), col("y"))];
        let sum = col("a") + col("b") + col("a");
        assert_eq!(resolve(&sum, scope.as_slice()).unwrap().to_string(), "x * 2 + y + x * 2");
        let error = resolve(&(sum + col("c")), scope.as_slice()).unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::Key, Some("c")));
        assert!(error.message().contains("not a column of this frame"));
    }
}
