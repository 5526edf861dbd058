//! Puts what cbindgen writes (all types, then all functions) into sections by noun, each with its types and
//! functions together, as one would write a header by hand.

/// A title, and the beginnings of the names that belong there, in the order they are to appear. The longest
/// beginning that fits a name decides.
const SECTIONS: &[(&str, &[&str])] = &[
    ("Version", &["COLSTORE_ABI_VERSION", "colstore_abi_version", "colstore_version"]),
    ("Status and error", &["colstore_status", "colstore_error"]),
    ("Dtype: what the values of a column are", &["colstore_unit", "colstore_dtype"]),
    ("Schema: the columns of a table", &["colstore_column", "colstore_schema"]),
    (
        "Table: files, open for reading",
        &["colstore_advice", "colstore_backend", "colstore_open_options", "colstore_table", "colstore_info"],
    ),
    (
        "Names, and tables of many files",
        &["colstore_names", "colstore_on_mismatch", "colstore_table_concat", "colstore_paths"],
    ),
    ("Progress: watching and cancelling long calls", &["colstore_progress"]),
    (
        "Rows: which rows of a table",
        &["colstore_index_type", "colstore_rows_form", "colstore_rows_info", "colstore_rows"],
    ),
    (
        "Read: values into buffers of the caller's",
        &["colstore_read_options", "colstore_table_read", "colstore_table_gather"],
    ),
    (
        "View: values lent where they lie",
        &[
            "colstore_view_info",
            "colstore_view",
            "colstore_table_view",
            "colstore_view_describe",
            "colstore_view_free",
        ],
    ),
    ("Allocator: memory for results, used again", &["colstore_allocator"]),
    (
        "Reductions: a column as one value",
        &["colstore_reduction", "colstore_scalar", "colstore_table_reduce"],
    ),
    (
        "Store: writing a file",
        &["colstore_store_mode", "colstore_durability", "colstore_column_data", "colstore_store"],
    ),
    ("Verify: what is wrong with a file", &["colstore_severity", "colstore_finding", "colstore_verify"]),
    (
        "Recover: what a writer that died has left",
        &["colstore_recovery_action", "colstore_counters_state", "colstore_recovery", "colstore_recover"],
    ),
    (
        "Copy and compact: tables into files of one record",
        &["colstore_copy_options", "colstore_table_write", "colstore_compact_options", "colstore_compact"],
    ),
    (
        "Append, and appender: shards for a directory",
        &[
            "colstore_append_options",
            "colstore_append",
            "colstore_appender_options",
            "colstore_appender_info",
            "colstore_appender",
        ],
    ),
    ("Writer: writing a file record by record", &["colstore_lock_policy", "colstore_writer"]),
    (
        "Expressions: a value for every row",
        &[
            "colstore_release_function",
            "colstore_expr",
            "colstore_function",
            "colstore_values",
            "colstore_params",
            "colstore_expr_isin",
            "colstore_expr_parse",
        ],
    ),
    ("Queries: the rows for which a condition holds", &["colstore_flag", "colstore_rows_filter"]),
    (
        "Frames: a table seen through columns of one's own and cuts",
        &["colstore_frame", "colstore_cut_record", "colstore_cutflow", "colstore_frame_cutflow"],
    ),
    ("Configuration of the whole process", &["colstore_config", "colstore_calibrate", "colstore_machine"]),
];

const WIDTH: usize = 110;

/// The header in sections.
pub fn arrange(generated: &str) -> String {
    let (head, body) = split_after(generated, "#include <stdint.h>\n");
    let (types, functions) = split_after(body, "#ifdef __cplusplus\nextern \"C\" {\n#endif // __cplusplus\n");
    let (functions, tail) =
        functions.split_once("#ifdef __cplusplus\n}").expect("cbindgen closes the linkage block");
    let opening = types.rsplit_once("#ifdef __cplusplus\nextern").expect("cbindgen opens the linkage block");
    let (types, opening) = (opening.0, format!("#ifdef __cplusplus\nextern{}", opening.1));

    let mut items: Vec<(Place, String)> = Vec::new();
    for (is_function, text) in [(false, types), (true, functions)] {
        for item in text.split("\n\n").map(str::trim).filter(|item| !item.is_empty()) {
            let item = tidy(item);
            let mut place = place_of(declared_name(&item));
            // Types of a noun before its functions.
            place.is_function = is_function;
            items.push((place, item));
        }
    }
    items.sort_by_key(|(place, _)| (place.section, place.noun, place.is_function));

    let mut header = format!("{head}\n{opening}");
    let mut section = usize::MAX;
    for (place, item) in items {
        if place.section != section {
            section = place.section;
            header.push_str(&banner(SECTIONS[section].0));
        }
        header.push('\n');
        header.push_str(&item);
        header.push('\n');
    }
    header.push_str("\n#ifdef __cplusplus\n}");
    header.push_str(tail);
    header
}

#[derive(Debug)]
struct Place {
    section: usize,
    noun: usize,
    is_function: bool,
}

fn place_of(name: &str) -> Place {
    let mut best: Option<(usize, Place)> = None;
    for (section, (_, beginnings)) in SECTIONS.iter().enumerate() {
        for (noun, beginning) in beginnings.iter().enumerate() {
            let longer = best.as_ref().is_none_or(|(length, _)| beginning.len() > *length);
            if name.starts_with(beginning) && longer {
                best = Some((beginning.len(), Place { section, noun, is_function: false }));
            }
        }
    }
    best.unwrap_or_else(|| panic!("{name} belongs to no section of the header; name one in {}", file!())).1
}

/// The name that an item declares.
fn declared_name(item: &str) -> &str {
    let code = item.rsplit_once("*/\n").map_or(item, |_| after_comment(item));
    let begin = match code.find("(*") {
        // A pointer to a function: the name is within.
        Some(at) if code.starts_with("typedef") => at + 2,
        _ if code.starts_with("enum ") || code.starts_with("typedef struct ") => {
            code.find("colstore_").unwrap_or(0)
        }
        _ if code.starts_with("#define ") => "#define ".len(),
        // A function: the name is before the parenthesis.
        _ => {
            let parenthesis = code.find('(').unwrap_or(code.len());
            code[..parenthesis].rfind("colstore_").unwrap_or(0)
        }
    };
    let rest = &code[begin..];
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    &rest[..end]
}

/// What follows the comment that an item begins with.
fn after_comment(item: &str) -> &str {
    match item.starts_with("/**") {
        true => item.split_once("*/\n").map_or(item, |(_, code)| code),
        false => item,
    }
}

/// Takes out what is for Rust readers, shortens one-line comments, and names structs by their typedef.
fn tidy(item: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut in_safety = false;
    for line in item.lines() {
        let content = line.trim_start();
        if content == "* # Safety" {
            in_safety = true;
            while lines.last().is_some_and(|last| last.trim() == "*") {
                lines.pop();
            }
        }
        if content.starts_with("*/") {
            in_safety = false;
            if let [.., opening, text] = lines.as_slice()
                && opening.trim() == "/**"
                && text.len() + " */".len() < WIDTH
            {
                let indent = &opening[..opening.len() - "/**".len()];
                let text = text.trim_start().trim_start_matches("* ");
                let one_line = format!("{indent}/** {text} */");
                lines.truncate(lines.len() - 2);
                lines.push(one_line);
                continue;
            }
        }
        if !in_safety {
            lines.push(line.to_owned());
        }
    }
    let text = lines.join("\n");
    let (comment, code) = text.split_at(text.len() - after_comment(&text).len());
    if code.starts_with("typedef struct ") {
        // Within the braces only.
        return match code.split_once('{') {
            Some((head, fields)) => {
                format!("{comment}{head}{{{}", fields.replace("struct colstore_", "colstore_"))
            }
            None => text,
        };
    }
    format!("{comment}{}", join_parameters(&code.replace("struct colstore_", "colstore_")))
}

/// A declaration on one line where it fits, else broken with an indent.
fn join_parameters(code: &str) -> String {
    if !code.starts_with(|c: char| c.is_ascii_lowercase()) || !code.contains('(') || code.starts_with("enum")
    {
        return code.to_owned();
    }
    let one_line = code.split_whitespace().collect::<Vec<_>>().join(" ");
    if one_line.len() <= WIDTH {
        return one_line;
    }
    // The name of a pointer to a function is in parentheses of its own.
    let opening = if one_line.starts_with("typedef") {
        one_line.find(")(").map(|at| at + 1)
    } else {
        one_line.find('(')
    };
    let (name, parameters) = one_line.split_at(opening.expect("a declaration of a function"));
    let parameters = &parameters[1..];
    let mut text = format!("{name}(");
    let mut line = String::from("\n   ");
    for parameter in parameters.split(", ") {
        let separator = if parameter.ends_with(';') { "" } else { "," };
        if line.len() + 1 + parameter.len() + separator.len() > WIDTH {
            text.push_str(&line);
            line = String::from("\n   ");
        }
        line.push(' ');
        line.push_str(parameter);
        line.push_str(separator);
    }
    text + &line
}

fn banner(title: &str) -> String {
    let dashes = "-".repeat(WIDTH - "/* --- ".len() - title.len() - " */".len() - 1);
    format!("\n/* --- {title} {dashes} */\n")
}

fn split_after<'a>(text: &'a str, end: &str) -> (&'a str, &'a str) {
    let at = text.find(end).unwrap_or_else(|| panic!("cbindgen's output has no {end:?}")) + end.len();
    text.split_at(at)
}

#[test]
fn names_are_found() {
    assert_eq!(declared_name("/** a colstore_x */\nenum colstore_unit\n: int32_t {};"), "colstore_unit");
    assert_eq!(declared_name("typedef struct colstore_error colstore_error;"), "colstore_error");
    assert_eq!(
        declared_name("/**\n * x\n */\ncolstore_status colstore_store(const char *path,\n  size_t len);"),
        "colstore_store"
    );
    assert_eq!(declared_name("typedef void (*colstore_cb)(void *context);"), "colstore_cb");
    assert_eq!(declared_name("#define COLSTORE_ABI_VERSION 1"), "COLSTORE_ABI_VERSION");
}

#[test]
fn the_longest_beginning_decides() {
    assert_eq!(SECTIONS[place_of("colstore_column_data").section].0, "Store: writing a file");
    assert_eq!(place_of("colstore_table_open").section, place_of("colstore_info_read").section);
    assert_ne!(place_of("colstore_table_open").section, place_of("colstore_table_read_column").section);
}
