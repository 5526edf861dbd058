//! Aligned columns of text.
//!
//! ```text
//! year  month  carrier  ...
//! <i8   <i8    |S2      ...
//! 2013      1  UA       ...
//! ```
//!
//! Widths are counted in terminal cells, so that wide characters keep their neighbours aligned.

use unicode_width::UnicodeWidthStr;

/// Between two columns.
const GAP: &str = "  ";
/// In the place of what does not fit.
const MORE: &str = "...";
/// The most cells that one value takes where the width is limited.
const MAX_CELL: usize = 40;

/// Which side the text of a column keeps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// One column: heading lines first, then a cell a row. All columns of a table have equally many of each.
#[derive(Debug)]
pub(crate) struct TextColumn {
    pub(crate) align: Align,
    pub(crate) heading: Vec<String>,
    pub(crate) cells: Vec<String>,
}

/// The lines of a table, and how many columns they show.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) text: String,
    pub(crate) shown: usize,
}

/// Lays the columns out beside one another, in at most `width` cells if there is a limit.
///
/// Columns that do not fit are dropped from the right and replaced by one of `...`. The first column is always
/// shown, cut if it must be.
pub(crate) fn render(columns: Vec<TextColumn>, width: Option<usize>) -> Rendered {
    let limit = width.unwrap_or(usize::MAX);
    let cell_limit = if width.is_some() { MAX_CELL.min(limit) } else { usize::MAX };
    let mut columns = columns;
    for column in &mut columns {
        for cell in column.heading.iter_mut().chain(&mut column.cells) {
            shorten(cell, cell_limit);
        }
    }

    let widths: Vec<usize> = columns.iter().map(TextColumn::width).collect();
    let shown = how_many_fit(&widths, limit);
    let lines = columns.first().map_or(0, |column| column.heading.len() + column.cells.len());
    let mut text = String::new();
    for line in 0..lines {
        let start = text.len();
        for (index, (column, &column_width)) in columns.iter().zip(&widths).take(shown).enumerate() {
            if index > 0 {
                text.push_str(GAP);
            }
            column.push_line(line, column_width, &mut text);
        }
        if shown < columns.len() && shown > 0 && fits_marker(&widths[..shown], limit) {
            text.push_str(GAP);
            text.push_str(MORE);
        }
        text.truncate(text.trim_end_matches(' ').len().max(start));
        text.push('\n');
    }
    Rendered { text, shown }
}

impl TextColumn {
    fn width(&self) -> usize {
        self.heading.iter().chain(&self.cells).map(|cell| cell.width()).max().unwrap_or(0)
    }

    fn push_line(&self, line: usize, width: usize, text: &mut String) {
        let heading = line < self.heading.len();
        let cell = if heading { &self.heading[line] } else { &self.cells[line - self.heading.len()] };
        let padding = width - cell.width();
        if self.align == Align::Right {
            text.extend(std::iter::repeat_n(' ', padding));
        }
        text.push_str(cell);
        if self.align == Align::Left {
            text.extend(std::iter::repeat_n(' ', padding));
        }
    }
}

/// How many columns from the left fit, with room for the marker if some do not. At least one of any.
fn how_many_fit(widths: &[usize], limit: usize) -> usize {
    if total(widths) <= limit {
        return widths.len();
    }
    let mut shown = widths.len();
    while shown > 1 && !(shown < widths.len() && fits_marker(&widths[..shown], limit)) {
        shown -= 1;
    }
    shown
}

fn fits_marker(widths: &[usize], limit: usize) -> bool {
    total(widths) + GAP.len() + MORE.len() <= limit
}

fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
}

/// Cuts text that takes more than `limit` cells, ending it in `...`.
fn shorten(text: &mut String, limit: usize) {
    if text.width() <= limit {
        return;
    }
    let marker = &MORE[..MORE.len().min(limit)];
    let mut keep = 0;
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        if text[..end].width() + marker.len() > limit {
            break;
        }
        keep = end;
    }
    text.truncate(keep);
    text.push_str(marker);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(align: Align, heading: &str, cells: &[&str]) -> TextColumn {
        TextColumn {
            align,
            heading: vec![heading.to_owned()],
            cells: cells.iter().map(|&cell| cell.to_owned()).collect(),
        }
    }

    fn three() -> Vec<TextColumn> {
        vec![
            column(Align::Right, "year", &["2013", "7"]),
            column(Align::Left, "carrier", &["UA", "B6"]),
            column(Align::Left, "tail", &["N14228", "日本"]),
        ]
    }

    #[test]
    fn numbers_right_text_left_no_trailing_blanks() {
        let rendered = render(three(), None);
        assert_eq!(rendered.shown, 3);
        assert_eq!(rendered.text, "year  carrier  tail\n2013  UA       N14228\n   7  B6       日本\n");
    }

    #[test]
    fn columns_are_dropped_from_the_right() {
        // The whole table takes 21 cells.
        assert_eq!(render(three(), Some(21)).shown, 3);
        let cut = render(three(), Some(20));
        assert_eq!(cut.shown, 2);
        assert_eq!(cut.text, "year  carrier  ...\n2013  UA       ...\n   7  B6       ...\n");
        assert_eq!(render(three(), Some(18)).shown, 2);
        assert_eq!(render(three(), Some(17)).text, "year  ...\n2013  ...\n   7  ...\n");
    }

    #[test]
    fn no_line_is_ever_wider_than_the_limit() {
        for width in 1..40 {
            for line in render(three(), Some(width)).text.lines() {
                assert!(line.width() <= width, "{width}: {line:?}");
            }
        }
    }

    #[test]
    fn long_and_wide_values_are_cut_only_where_the_width_is_limited() {
        let long = "x".repeat(100);
        let table = || vec![column(Align::Left, "text", &[&long])];
        assert_eq!(render(table(), None).text.lines().nth(1), Some(&*long));
        assert_eq!(
            render(table(), Some(80)).text.lines().nth(1),
            Some(&*format!("{}...", "x".repeat(MAX_CELL - 3)))
        );
        let mut wide = "日本語日本語".to_owned();
        shorten(&mut wide, 8);
        assert_eq!(wide, "日本...");
    }

    #[test]
    fn an_empty_table_is_no_text() {
        assert_eq!(render(Vec::new(), Some(80)).text, "");
    }
}
