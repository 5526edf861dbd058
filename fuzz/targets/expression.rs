//! Texts of expressions: parsed, printed and parsed again, and bound to columns of every dtype.

#![no_main]

use std::sync::Arc;

use colstore_frame::{ColumnName, DType, Expr, Graph, Input, Parameters, Parsed, ValueSet, VecColumn, parse};
use colstore_fuzz::Capped;

#[global_allocator]
static ALLOCATOR: Capped = Capped::new(64 << 20);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        check(text);
    }
});

fn check(text: &str) {
    let parameters = Parameters::new().with("x", 5).with("s", ValueSet::from([1, 2]));
    let parsed = match parse(text, &parameters) {
        Ok(parsed) => parsed,
        Err(error) => {
            assert!(error.span().is_none_or(|span| span.start <= span.end && span.end <= text.len()));
            return;
        }
    };
    // A parameter's set is printed as its values, so that nothing is left that the text does not have.
    let printed = parsed.expr().to_string();
    // Comparisons that are chained and nested are printed twice a level.
    if printed.len() <= 100_000 {
        print_again(text, &printed);
    }
    bind(&parsed);
}

/// What is printed is parsed to the same.
fn print_again(text: &str, printed: &str) {
    let again =
        parse(printed, &Parameters::new()).unwrap_or_else(|error| panic!("{text:?} as {printed:?}: {error}"));
    assert_eq!(again.expr().to_string(), printed, "{text:?}");
}

fn bind(parsed: &Parsed) {
    let columns = columns();
    if let Ok(graph) = parsed.bind_condition(columns.as_slice()) {
        assert_eq!(graph.dtype(0).to_string(), "|b1");
        for (at, node) in graph.nodes().iter().enumerate() {
            assert!(node.op.operands().iter().all(|operand| operand.index() < at), "operands come first");
        }
    }
    let _ = Graph::bind(&[parsed.expr().clone()], columns.as_slice());
}

/// A column of every dtype, named by one letter.
fn columns() -> Vec<(ColumnName, Expr)> {
    let dtypes = [
        "b1", "i1", "i4", "i8", "u1", "u8", "f2", "f4", "f8", "f16", "M8[s]", "M8[Y]", "m8[s]", "m8", "S3",
        "U2",
    ];
    let names = 'a'..='z';
    let column = |(name, dtype): (char, &str)| {
        let dtype: DType = dtype.parse().expect("a dtype");
        let values = VecColumn::new(dtype, Vec::new(), 0).expect("no values");
        (ColumnName::from(name.to_string().as_str()), Expr::input(Input::memory(Arc::new(values))))
    };
    names.zip(dtypes).map(column).collect()
}
