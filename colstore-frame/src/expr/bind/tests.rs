//! What expressions are bound to, and what is refused.

use std::sync::Arc;

use colstore_format::DType;

use super::*;
use crate::expr::functions::Function;
use crate::expr::literal::Constant;
use crate::expr::{Input, VecColumn};
use crate::{ColumnName, ErrorKind, Parameters, ValueSet, call, col, lit, parse};

/// A column of every dtype, named by it (`m8_s` for `m8[s]`).
fn columns() -> Vec<(ColumnName, Expr)> {
    let dtypes = [
        "b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "f16", "M8[s]", "M8[D]",
        "m8[s]", "m8[Y]", "S3", "S5", "U3",
    ];
    dtypes
        .into_iter()
        .map(|dtype| {
            let values = VecColumn::new(DType::parse(dtype).unwrap(), Vec::new(), 0).unwrap();
            let name = dtype.replace('[', "_").replace(']', "");
            (ColumnName::from(name.as_str()), Expr::input(Input::memory(Arc::new(values))))
        })
        .collect()
}

fn condition(text: &str) -> Result<Graph> {
    parse(text, &Parameters::new())?.bind_condition(columns().as_slice())
}

/// The graph without spaces at the ends of lines.
#[track_caller]
fn graph(text: &str, expected: &str) {
    let parsed = parse(text, &Parameters::new()).unwrap();
    let graph = Graph::bind(&[parsed.expr().clone()], columns().as_slice())
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    let shown: Vec<String> =
        graph.to_string().lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let expected: Vec<String> = expected.trim().lines().map(|line| line.trim().to_owned()).collect();
    assert_eq!(shown, expected, "{text}");
}

fn dtype(expr: Expr) -> Result<String> {
    Graph::bind(&[expr], columns().as_slice()).map(|graph| graph.dtype(0).to_string())
}

#[test]
fn equal_parts_are_one_node() {
    graph(
        "i4 < 2 and (i4 < 2 or f4 > 1)",
        "0 <i4 input 0
         1 <i4 Constant(<i4, 2)
         2 |b1 less 0 1
         3 <f4 input 1
         4 <f4 Constant(<f4, 1.0)
         5 |b1 greater 3 4
         6 |b1 logical_or 2 5
         7 |b1 logical_and 2 6 <",
    );
    let graph = condition("i4 < 2 and (i4 < 2 or f4 > 1) and f4 < 3").unwrap();
    assert_eq!(graph.conjuncts(graph.roots()[0]).len(), 3);
}

#[test]
fn casts_are_nodes() {
    graph("i4 + f4", "0 <i4 input 0\n 1 <f4 input 1\n 2 <f8 cast 0\n 3 <f8 cast 1\n 4 <f8 add 2 3 <");
    graph("u1 + 1", "0 |u1 input 0\n 1 |u1 Constant(|u1, 1)\n 2 |u1 add 0 1 <");
    graph("b1 * 2", "0 |b1 input 0\n 1 <i8 cast 0\n 2 <i8 Constant(<i8, 2)\n 3 <i8 multiply 1 2 <");
    graph(
        "i1 and f4",
        "0 |i1 input 0\n 1 <f4 input 1\n 2 |b1 cast 0\n 3 |b1 cast 1\n 4 |b1 logical_and 2 3 <",
    );
    graph("+i4", "0 <i4 input 0 <");
    graph(
        "S3 and True",
        "0 |S3 input 0\n 1 |S3 Constant(|S3, [0, 0, 0])\n 2 |b1 not_equal 0 1\n 3 |b1 Constant(|b1, 1)\n 4 |b1 logical_and 2 3 <",
    );
}

#[test]
fn literals_are_computed_as_python_does() {
    graph("u1 + 2 * 3", "0 |u1 input 0\n 1 |u1 Constant(|u1, 6)\n 2 |u1 add 0 1 <");
    graph("f4 > -(2 ** 3) / 4", "0 <f4 input 0\n 1 <f4 Constant(<f4, -2.0)\n 2 |b1 greater 0 1 <");
    assert_eq!(dtype(col("u1") + lit(1).lt(2)).unwrap(), "|u1");
    assert_eq!(condition("i4 > 1 // 0").unwrap_err().kind(), ErrorKind::Value);
}

#[test]
fn comparisons_of_integers_are_exact() {
    let decided = |value: u8| format!("0 |b1 Constant(|b1, {value}) <");
    for (text, value) in [
        ("u1 < 300", 1),
        ("u1 > -1", 1),
        ("u1 == 300", 0),
        ("u1 != -1", 1),
        ("300 > u1", 1),
        ("300 <= u1", 0),
        ("-1 < u8", 1),
        ("i8 < 2**63", 1),
        ("i8 >= -2**63 - 1", 1),
        ("u8 > 2**64", 0),
        ("b1 < 2**70", 1),
        ("i1 == 128", 0),
        ("i8 != 10000000000000000000000000000000000000000", 1),
    ] {
        graph(text, &decided(value));
    }
    graph("i8 < u8", "0 <i8 input 0\n 1 <u8 input 1\n 2 |b1 less 0 1 <");
    graph("i1 < u8", "0 |i1 input 0\n 1 <u8 input 1\n 2 <i8 cast 0\n 3 |b1 less 2 1 <");
    graph("u8 < 1.5", "0 <u8 input 0\n 1 <f8 Constant(<f8, 1.5)\n 2 |b1 less 0 1 <");
    graph("i8 < f4", "0 <i8 input 0\n 1 <f4 input 1\n 2 <f8 cast 1\n 3 |b1 less 0 2 <");
    graph("i4 < 1.5", "0 <i4 input 0\n 1 <f8 cast 0\n 2 <f8 Constant(<f8, 1.5)\n 3 |b1 less 1 2 <");
}

#[test]
fn text_and_bytes() {
    graph("S3 == 'é'", "0 |S3 input 0\n 1 |S2 Constant(|S2, [195, 169])\n 2 |b1 equal 0 1 <");
    graph("U3 == 'é'", "0 <U3 input 0\n 1 <U1 Constant(<U1, [233, 0, 0, 0])\n 2 |b1 equal 0 1 <");
    graph("S3 + 'ab'", "0 |S3 input 0\n 1 |S2 Constant(|S2, [97, 98])\n 2 |S5 add 0 1 <");
    graph("S3 == ''", "0 |S3 input 0\n 1 |S1 Constant(|S1, [0])\n 2 |b1 equal 0 1 <");
    graph("S3 in ['ab', 'longer']", "0 |S3 input 0\n 1 |b1 in SortedSet(1 of |S3) 0 <");
    // A strong text is encoded too.
    let strong = Constant::new(DType::parse("U2").unwrap(), b"a\0\0\0\0\0\0\0").unwrap();
    let bound = Graph::bind_condition(&col("S3").equal(lit(strong)), columns().as_slice()).unwrap();
    assert!(bound.to_string().contains("Constant(|S1, [97])"), "{bound}");
    assert_eq!(condition(r"S3 == '\ud800'").unwrap_err().kind(), ErrorKind::Value);
}

#[test]
fn none_equals_nothing() {
    graph("i4 == None", "0 |b1 Constant(|b1, 0) <");
    graph("None != S3", "0 |b1 Constant(|b1, 1) <");
    graph("i4 in [None, 1]", "0 <i4 input 0\n 1 |b1 in SortedSet(1 of <i4) 0 <");
}

/// Conditions that are refused, with the kind and a fragment.
#[rustfmt::skip]
const REFUSED: &[(&str, ErrorKind, &str)] = &[
    ("x > 1", ErrorKind::Query, "unknown name 'x'"), ("len", ErrorKind::Query, "unknown name"), ("f8 < inf", ErrorKind::Query, "unknown name"),
    ("nan == f8", ErrorKind::Query, "unknown name"), ("I4 > 1", ErrorKind::Query, "did you mean 'i4'?"),
    ("i4 + 1", ErrorKind::Query, "boolean condition"), ("~i4", ErrorKind::Query, "boolean condition"), ("f8", ErrorKind::Query, "boolean condition"),
    ("S3", ErrorKind::Query, "boolean condition"), ("b1 + 1", ErrorKind::Query, "boolean condition"),
    ("True", ErrorKind::Query, "at least one column"), ("3 > 2", ErrorKind::Query, "at least one column"), ("1", ErrorKind::Query, "at least one column"),
    ("i4 == 'a'", ErrorKind::Type, "ufunc 'equal' has no loop"), ("M8_s > '2020-01-01'", ErrorKind::Type, "'greater'"),
    ("i4 > 3 & f8 < 9", ErrorKind::Type, "& binds tighter than comparisons"), ("b1 - b1 == 0", ErrorKind::Type, "use ^"),
    ("S3 == U3", ErrorKind::Type, "'equal'"), ("S3 > 1", ErrorKind::Type, "text"), ("U3 == b'a'", ErrorKind::Type, "'equal'"),
    ("M8_s < m8_s", ErrorKind::Type, "datetime64[s] and timedelta64[s]"), ("M8_s < 5", ErrorKind::Type, "a Python int"),
    ("i4 < None", ErrorKind::Type, "None"), ("i4 and None", ErrorKind::Type, "None"), ("f8 == 1j", ErrorKind::Type, "complex"),
    ("i4 | 1.5 == 1", ErrorKind::Type, "'bitwise_or'"), ("-b1", ErrorKind::Type, "~"), ("m8_Y == m8_s", ErrorKind::Type, "fixed number of days"),
    ("not S3", ErrorKind::Type, "'logical_not'"), ("f16 > 1", ErrorKind::Type, "'greater'"), ("f16 in [1]", ErrorKind::Type, "not looked up"),
    ("f16 and b1", ErrorKind::Type, "not computed with"),
    ("u1 + 300 > 1", ErrorKind::Overflow, "Python integer 300 out of bounds for uint8"), ("u8 - 1 + -1 > 0", ErrorKind::Overflow, "-1 out of bounds for uint64"),
    ("f8 < 10**400", ErrorKind::Overflow, "more than 128 bits"), ("i8 * 2**64 > 0", ErrorKind::Overflow, "18446744073709551616 out of bounds for int64"),
    ("i4 ** -1 > 0", ErrorKind::Value, "negative integer powers"), ("(i4 > 1) < 10 ** 30 + i1", ErrorKind::Overflow, "out of bounds for int8"),
];

#[test]
fn refused_conditions() {
    for (text, kind, fragment) in REFUSED {
        let error = condition(text).expect_err(text);
        assert_eq!(error.kind(), *kind, "{text}: {error}");
        assert!(error.message().contains(fragment), "{text}: {error}");
        assert!(error.span().is_some(), "{text}: {error}");
    }
}

#[test]
fn the_place_is_the_part_that_is_wrong() {
    let error = condition("i4 > 1 and (i4 + 'a') < 3").unwrap_err();
    assert_eq!(error.span(), Some(12..20));
    let error = condition("i4 > 1 and i4 + 2").unwrap();
    assert_eq!(error.dtype(0), BOOL);
    let error = Graph::bind_condition(&col("q").gt(1), columns().as_slice()).unwrap_err();
    assert!(error.message().contains("unknown column 'q'") && error.span().is_none());
}

#[test]
fn dtypes_of_values() {
    let of = |expr: Expr| dtype(expr).unwrap_or_else(|error| format!("{:?}", error.kind()));
    assert_eq!(of(col("i8") / col("i8")), "<f8");
    assert_eq!(of(col("f4") * 2.5), "<f4");
    assert_eq!(of(col("f4") * lit(Constant::float64(2.0))), "<f8");
    assert_eq!(of(col("M8_s") - col("M8_D")), "<m8[s]");
    assert_eq!(of(col("S3") + col("S5")), "|S8");
    assert_eq!(of(col("i1").keep_where(col("b1"), f64::NAN)), "<f8");
    assert_eq!(of(call("where", [col("b1"), col("f4"), lit(1)]).unwrap()), "<f4");
    assert_eq!(of(call("where", [col("b1"), lit(1), lit(0)]).unwrap()), "<i8");
    assert_eq!(of(call("where", [col("b1"), col("i1"), lit(300)]).unwrap()), "Overflow");
    assert_eq!(of(call("sqrt", [col("u1")]).unwrap()), "<f2");
    assert_eq!(of(call("sqrt", [lit(4)]).unwrap() + col("f4")), "<f8");
    assert_eq!(of(col("u1").clip(Some(lit(-1)), Some(lit(300)))), "|u1");
    assert_eq!(of(col("u1").clip(Some(lit(300)), None)), "Overflow");
    assert_eq!(of(col("u1").clip(None, None)), "|u1");
    assert_eq!(of(col("i4").clip(None, Some(lit(1.5)))), "<f8");
    assert_eq!(of(col("i4").round(2)), "<f8");
    assert_eq!(of(col("i4").round(-2)), "<i4");
    assert_eq!(of(col("f2").round(2)), "<f2");
    assert_eq!(of(col("b1").round(1)), "Type");
    assert_eq!(of(col("i4").cast(DType::parse(">M8[s]").unwrap())), "<M8[s]");
    assert_eq!(of(col("i4").cast(DType::parse("S3").unwrap())), "Type");
    assert_eq!(of(col("i4").isin(ValueSet::from([1.5]))), "|b1");
    assert_eq!(of(lit("abc")), "<U3");
    assert_eq!(of(lit(1u64 << 63)), "<u8");
    assert_eq!(of(lit(u128::MAX as f64)), "<f8");
    assert_eq!(of(lit(i128::MAX)), "Overflow");
}

#[test]
fn a_name_may_stand_for_an_expression() {
    let mut scope = columns();
    let (i4, f8) = (scope[3].1.clone(), scope[11].1.clone());
    scope.push(("sum".into(), i4.clone() + f8.clone()));
    scope.push(("again".into(), i4 + f8));
    let parsed = parse("sum > 1 and again > sum", &Parameters::new()).unwrap();
    let graph = parsed.bind_condition(scope.as_slice()).unwrap();
    let additions =
        graph.nodes().iter().filter(|node| matches!(&node.op, Op::Call { function: Function::Add, .. }));
    assert_eq!((additions.count(), graph.inputs().len()), (1, 2));
}

#[test]
fn deep_and_shared_expressions_are_bound_quickly() {
    let (mut sum, mut shared) = (col("f8"), col("f8"));
    for _ in 0..50_000 {
        sum = sum + col("i4");
    }
    for _ in 0..200 {
        shared = shared.clone() * shared;
    }
    let graph = Graph::bind(&[sum, shared], columns().as_slice()).unwrap();
    assert_eq!(graph.nodes().len(), 3 + 50_000 + 200);
}
