//! Expressions as text that is parsed to the same again.
//!
//! What the text syntax has no words for (functions, casts, columns whose names are no identifiers) is written as a call.

use std::fmt::{self, Write as _};

use colstore_format::ColumnName;

use super::lexer::is_identifier;
use crate::expr::{Constant, Expr, Function, Literal, Node, ValueSet};

/// What is left to write: a stack, as expressions may be too deep for calls.
enum Work<'a> {
    Expr(&'a Expr, u8),
    Text(&'static str),
    Owned(String),
}

const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const UNARY: u8 = 10;
const POWER: u8 = 11;
const ATOM: u8 = 12;

/// The sign of an operator, how tightly it binds, and how tightly its operands must.
fn operator(function: Function) -> Option<(&'static str, u8, u8, u8)> {
    use Function as F;
    let left = |sign, level| Some((sign, level, level, level + 1));
    let comparison = |sign| Some((sign, COMPARISON, COMPARISON + 1, COMPARISON + 1));
    match function {
        F::LogicalOr => left(" or ", 1),
        F::LogicalAnd => left(" and ", 2),
        F::Equal => comparison(" == "),
        F::NotEqual => comparison(" != "),
        F::Less => comparison(" < "),
        F::LessEqual => comparison(" <= "),
        F::Greater => comparison(" > "),
        F::GreaterEqual => comparison(" >= "),
        F::BitwiseOr => left(" | ", 5),
        F::BitwiseXor => left(" ^ ", 6),
        F::BitwiseAnd => left(" & ", 7),
        F::Add => left(" + ", 8),
        F::Subtract => left(" - ", 8),
        F::Multiply => left(" * ", 9),
        F::TrueDivide => left(" / ", 9),
        F::FloorDivide => left(" // ", 9),
        F::Remainder => left(" % ", 9),
        F::Power => Some((" ** ", POWER, ATOM, UNARY)),
        F::LogicalNot => Some(("not ", NOT, NOT, NOT)),
        F::Negative => Some(("-", UNARY, UNARY, UNARY)),
        F::Positive => Some(("+", UNARY, UNARY, UNARY)),
        F::Invert => Some(("~", UNARY, UNARY, UNARY)),
        _ => None,
    }
}

/// The longest text that is written; what is shared is written wherever it occurs, which may be very often.
const MAX_PRINTED: usize = 4 << 20;

/// Writes `expr` to `f`; `...` where it would be too long.
pub(crate) fn print(expr: &Expr, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut stack = vec![Work::Expr(expr, 0)];
    let mut written = 0;
    while let Some(work) = stack.pop() {
        let text = match &work {
            Work::Text(text) => text,
            Work::Owned(text) => text.as_str(),
            Work::Expr(expr, level) => {
                push(expr, *level, &mut stack);
                continue;
            }
        };
        written += text.len();
        if written > MAX_PRINTED {
            return f.write_str("...");
        }
        f.write_str(text)?;
    }
    Ok(())
}

/// Pushes the parts of `expr`, the last first; in brackets if it binds less tightly than `level`.
fn push<'a>(expr: &'a Expr, level: u8, stack: &mut Vec<Work<'a>>) {
    match expr.node() {
        Node::Column(name) => stack.push(Work::Owned(column(name))),
        Node::Input(input) => stack.push(Work::Owned(format!("{input:?}"))),
        Node::Literal(value) => {
            let text = literal(value);
            // A sign in front of a number is part of it, but not for `**`.
            if level > UNARY && text.starts_with('-') {
                stack.push(Work::Owned(format!("({text})")));
            } else {
                stack.push(Work::Owned(text));
            }
        }
        Node::Call { function, args } => match (operator(*function), args.as_slice()) {
            // `-1` is a number, `-(1)` the function of one.
            (Some(("-", own, ..)), [operand]) if is_number(operand) => {
                bracketed(own < level, stack, |stack| {
                    stack.extend([Work::Text(")"), Work::Expr(operand, 0), Work::Text("-(")]);
                });
            }
            (Some((sign, own, inner, _)), [operand]) => bracketed(own < level, stack, |stack| {
                stack.extend([Work::Expr(operand, inner), Work::Text(sign)]);
            }),
            (Some((sign, own, left, right)), [a, b]) => bracketed(own < level, stack, |stack| {
                stack.extend([Work::Expr(b, right), Work::Text(sign), Work::Expr(a, left)]);
            }),
            _ => call(function.name().to_owned(), args, String::new(), stack),
        },
        Node::IsIn { value, set, negated } => bracketed(COMPARISON < level, stack, |stack| {
            let sign = if *negated { " not in " } else { " in " };
            stack.extend([Work::Owned(self::set(set)), Work::Text(sign), Work::Expr(value, COMPARISON + 1)]);
        }),
        Node::Cast { value, dtype } => {
            call("astype".to_owned(), std::slice::from_ref(value), format!(", '{dtype}'"), stack);
        }
        Node::Round { value, decimals } => {
            call("round".to_owned(), std::slice::from_ref(value), format!(", {decimals}"), stack);
        }
        Node::Callback { callback, args } => {
            call(format!("apply[{}]", callback.dtype()), args, String::new(), stack);
        }
    }
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr.node(), Node::Literal(Literal::Int(_) | Literal::Float(_)))
}

fn bracketed<'a>(needed: bool, stack: &mut Vec<Work<'a>>, parts: impl FnOnce(&mut Vec<Work<'a>>)) {
    if needed {
        stack.push(Work::Text(")"));
    }
    parts(stack);
    if needed {
        stack.push(Work::Text("("));
    }
}

fn call<'a>(name: String, args: &'a [Expr], more: String, stack: &mut Vec<Work<'a>>) {
    stack.push(Work::Text(")"));
    stack.push(Work::Owned(more));
    for (at, arg) in args.iter().enumerate().rev() {
        stack.push(Work::Expr(arg, 0));
        if at > 0 {
            stack.push(Work::Text(", "));
        }
    }
    stack.push(Work::Text("("));
    stack.push(Work::Owned(name));
}

fn column(name: &ColumnName) -> String {
    match name.as_str() {
        Some(name) if is_identifier(name) => name.to_owned(),
        Some(name) => format!("col({name:?})"),
        None => format!("col(\"{name}\")"),
    }
}

fn literal(value: &Literal) -> String {
    match value {
        Literal::None => "None".to_owned(),
        Literal::Bool(true) => "True".to_owned(),
        Literal::Bool(false) => "False".to_owned(),
        Literal::Int(value) => value.to_string(),
        Literal::Float(value) => float(*value),
        Literal::Imaginary(value) => format!("{}j", float(*value)),
        Literal::Str(points) => text(points),
        Literal::Bytes(bytes) => format!("b{}", quoted(bytes.iter().map(|byte| u32::from(*byte)), true)),
        Literal::Typed(constant) => typed(constant),
    }
}

/// The shortest digits that are read as the same float; there are no words for infinity in the syntax.
fn float(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "1e999" } else { "-1e999" }.to_owned();
    }
    if value.is_nan() {
        return "nan".to_owned();
    }
    format!("{value:?}")
}

fn text(points: &[u32]) -> String {
    quoted(points.iter().copied(), false)
}

fn quoted(points: impl Iterator<Item = u32>, bytes: bool) -> String {
    let mut out = String::from("'");
    for point in points {
        // Writing to a string does not fail.
        let _ = match (point, char::from_u32(point)) {
            (_, Some(c @ ('\'' | '\\'))) => write!(out, "\\{c}"),
            (0x20..0x7f, Some(c)) => write!(out, "{c}"),
            (0..=0xff, _) => write!(out, "\\x{point:02x}"),
            (_, Some(c)) if !bytes && c.is_alphanumeric() => write!(out, "{c}"),
            (0..=0xffff, _) => write!(out, "\\u{point:04x}"),
            _ => write!(out, "\\U{point:08x}"),
        };
    }
    out.push('\'');
    out
}

fn typed(constant: &Constant) -> String {
    let dtype = crate::expr::types::Name(constant.dtype());
    if let Some(value) = constant.as_i128() {
        return format!("{dtype}({value})");
    }
    match constant.as_f64() {
        Some(value) => format!("{dtype}({})", float(value)),
        None => {
            let bytes = constant.bytes().iter().map(|byte| u32::from(*byte));
            format!("{dtype}(b{})", quoted(bytes, true))
        }
    }
}

fn set(set: &ValueSet) -> String {
    match set {
        ValueSet::Literals(literals) => {
            let shown: Vec<String> = literals.iter().map(literal).collect();
            format!("[{}]", shown.join(", "))
        }
        ValueSet::Array { dtype, bytes } => {
            let n = bytes.len() / dtype.itemsize().max(1);
            format!("array({n} of {})", crate::expr::types::Name(*dtype))
        }
    }
}
