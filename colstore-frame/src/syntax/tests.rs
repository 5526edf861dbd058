//! What is accepted, as what; what is refused, with which words; and that printed text is parsed to the same.

use proptest::prelude::*;

use super::lexer::MAX_TEXT;
use super::{Parameters, parse};
use crate::expr::{Constant, Expr, Function, Literal, Node, ValueSet, col, lit};
use crate::{ErrorKind, Integer};

fn parsed(text: &str) -> Expr {
    parse(text, &Parameters::new()).unwrap_or_else(|error| panic!("{text:?}: {error}")).expr().clone()
}

/// Texts and the form in which they are printed.
#[rustfmt::skip]
const ACCEPTED: &[(&str, &str)] = &[
    ("a", "a"), ("(a)", "a"), ("((a))", "a"), (" a\n", "a"), ("\n\ta # first\n", "a"), ("# first\na", "a"),
    ("(a\n  > 1  # one\n)", "a > 1"), ("a \\\n > 1", "a > 1"), ("_x1 > 1", "_x1 > 1"), ("größe > 1", "größe > 1"),
    ("a or b and c", "a or b and c"), ("(a or b) and c", "(a or b) and c"), ("not a and b", "not a and b"),
    ("not (a and b)", "not (a and b)"), ("not a == b", "not a == b"), ("(not a) == b", "(not a) == b"),
    ("not not a", "not not a"), ("a and not b", "a and not b"), ("a or (b or c)", "a or (b or c)"),
    ("a < b < c", "a < b and b < c"), ("1 < a <= 2", "1 < a and a <= 2"), ("a == b != c", "a == b and b != c"),
    ("a < b in [1]", "a < b and b in [1]"), ("(a < b) < c", "(a < b) < c"), ("a < (b < c)", "a < (b < c)"),
    ("a in [1, 2]", "a in [1, 2]"), ("a in (1, 2,)", "a in [1, 2]"), ("a in (1,)", "a in [1]"), ("a in ()", "a in []"),
    ("a in 1", "a in [1]"), ("a in (1)", "a in [1]"), ("a in 'x'", "a in ['x']"), ("a not in [-1, +2, - 3.5]", "a not in [-1, 2, -3.5]"),
    ("not a in [1]", "not a in [1]"), ("a + b in [1]", "a + b in [1]"), ("a in [None, True, b'x']", "a in [None, True, b'x']"),
    ("a | b ^ c & d", "a | b ^ c & d"), ("(a | b) & c", "(a | b) & c"), ("a & b == c", "a & b == c"),
    ("a + b * c", "a + b * c"), ("(a + b) * c", "(a + b) * c"), ("a - b - c", "a - b - c"), ("a - (b - c)", "a - (b - c)"),
    ("a / b // c % d", "a / b // c % d"), ("a / (b / c)", "a / (b / c)"), ("-a ** b", "-a ** b"), ("(-a) ** b", "(-a) ** b"),
    ("a ** -b", "a ** -b"), ("a ** b ** c", "a ** b ** c"), ("(a ** b) ** c", "(a ** b) ** c"), ("a ** ~b", "a ** ~b"),
    ("-1 ** a", "-1 ** a"), ("(-1) ** a", "(-1) ** a"), ("-(1)", "-(1)"), ("- 1", "-1"), ("--1", "-(-1)"), ("+1", "+1"),
    ("-a", "-a"), ("~a + +b", "~a + +b"), ("-(a + b)", "-(a + b)"), ("a-1", "a - 1"), ("a - -1", "a - -1"),
    ("0", "0"), ("00_0", "0"), ("1_000", "1000"), ("0xFf", "255"), ("0X_ff", "255"), ("0o17", "15"), ("0b1_01", "5"),
    ("1.5", "1.5"), ("1.", "1.0"), (".5", "0.5"), ("1e3", "1000.0"), ("1E-3", "0.001"), ("1_0.2_5e+0_1", "102.5"),
    ("1e999", "1e999"), ("-1e999", "-1e999"), ("007.5", "7.5"), ("2j", "2.0j"), ("1e2J", "100.0j"), ("-0.0", "-0.0"),
    ("170141183460469231731687303715884105728", "0x80000000000000000000000000000000"),
    ("'a'", "'a'"), ("\"a'b\"", r"'a\'b'"), ("'''a\nb'''", r"'a\x0ab'"), ("'a' \"b\"", "'ab'"), ("('a'\n'b')", "'ab'"),
    (r"'\x41\u0042\U00000043\104\n\\\''", r"'ABCD\x0a\\\''"), (r"r'\n'", r"'\\n'"), (r"R'\''", r"'\\\''"), (r"'\q'", r"'\\q'"),
    (r"b'\x00\xff\u0041\777'", r"b'\x00\xff\\u0041\xff'"), (r"rb'\x00'", r"b'\\x00'"), (r"Br'a'", "b'a'"), ("u'é'", r"'\xe9'"),
    (r"'\ud800'", r"'\ud800'"), ("'日本'", "'日本'"), (r"'\U0001f600'", r"'\U0001f600'"), ("'a\\\nb'", "'ab'"), ("''", "''"),
    ("b'' b'a'", "b'a'"), ("True", "True"), ("None", "None"), ("a == None", "a == None"), ("rb", "rb"), ("f > 1", "f > 1"),
];

#[test]
fn accepted_texts() {
    for (text, printed) in ACCEPTED {
        let expr = parsed(text);
        assert_eq!(expr.to_string(), *printed, "{text}");
        assert_eq!(parsed(printed), expr, "{text}");
    }
}

/// Fragments of messages, and texts that are refused with them.
#[rustfmt::skip]
const REFUSED: &[(&str, &[&str])] = &[
    ("could not parse", &[
        "", "  ", "# only", "\n", "a >", "> a", "a b", "a > > b", "(a", "a)", "[a)", "a = 1", "a := 1", "(a := 1)", "a; b", "x = a > 1",
        "import os", "a > 1\nb > 2", "a $ b", "a ? b", "a ! b", "!a", "`a`", "1abc", "0x", "0b2", "0o8", "1__0", "1_", "0123",
        "'a", "\"a", "'''a'", "'a\nb'", r"'\x4'", r"'\u12'", r"'\U00110000'", r"'\N{BULLET}'", "b'é'", "'a' b'b'", "a and", "and a", "a or or b",
        "a not b", "a not 1", "a + not b", "a == not b", "- not a", "@", "@1", "a <> b", "for", "a in", "a not in", "(,)", "[1,,2]", "a in [1 2]",
        "del a", "pass", "a -> b", "a\u{a0}b", "\u{feff}a", "1e", "1.e+", "1if", "+", "a += 1",
    ]),
    ("unsupported expression element", &[
        "f(a)", "a.b", "a[0]", "a[1:2]", "lambda: a", "lambda x: x", "a if b else c", "{1, 2}", "{}", "{'a': 1}", "a in {1, 2}", "f'{a}'", "a == f'x'",
        "rf'x'", "[x for x in a]", "(x for x in a)", "...", "await a", "(yield)", "abs(a) > 1", "'a'.upper()", "a in [b]", "a in b", "a in [1 + 2]",
        "a in [[1]]", "a in (1, (2,))", "a in 1 + 2", "a in [*b]", "__import__('os')", "()()", "a in [~1]", "a in [-'x']",
    ]),
    ("unsupported comparison", &["a is b", "a is not None", "a is None"]),
    ("unsupported operator", &["a << 1", "a >> 1", "a @ b"]),
    ("undefined parameter", &["a > @x", "@x", "a in @x", "a in [1, @x]"]),
    ("at least one column", &["[a]", "(a, b)", "a > 3,", "()", "[a] == 1", "a + [1]", "not [a]", "a in [1] == b", "[]"]),
    ("left side of 'in'", &["3 in [1, 2]", "'a' in ['a']", "(1 + 2) in [3]"]),
];

#[test]
fn refused_texts() {
    for (fragment, texts) in REFUSED {
        for text in *texts {
            let error = parse(text, &Parameters::new()).expect_err(text);
            assert_eq!(error.kind(), ErrorKind::Query, "{text}");
            assert!(error.message().contains(fragment), "{text:?}: {error}");
            let span = error.span().unwrap_or_else(|| panic!("{text:?}: no place"));
            assert!(span.start <= span.end && span.end <= text.len(), "{text:?}: {span:?}");
            assert!(
                error.message().lines().last().is_some_and(|line| line.trim_end().ends_with('^')),
                "{text:?}: {error}"
            );
        }
    }
}

#[test]
fn the_place_of_an_error() {
    let error = parse("a > 1 and b is None", &Parameters::new()).unwrap_err();
    let lines: Vec<&str> = error.message().lines().skip(1).collect();
    assert_eq!(lines, ["    a > 1 and b is None", "                ^^"]);
}

#[test]
fn parameters() {
    let parameters = Parameters::new()
        .with("x", 5)
        .with("name", "SR")
        .with("set", ValueSet::from([1, 2]))
        .with("strong", Constant::int64(3));
    let printed = |text: &str| parse(text, &parameters).map(|parsed| parsed.expr().to_string());
    assert_eq!(printed("a > @x").unwrap(), "a > 5");
    assert_eq!(printed("a > -@x").unwrap(), "a > -(5)");
    assert_eq!(printed("a == @name and b in @set").unwrap(), "a == 'SR' and b in [1, 2]");
    assert_eq!(printed("a in @x or a in [1, @x]").unwrap(), "a in [5] or a in [1, 5]");
    assert_eq!(printed("a > @strong").unwrap(), "a > int64(3)");
    for text in ["a > @set", "@set", "@set + 1", "not @set"] {
        let error = printed(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Type);
        assert!(error.message().contains("raw array"), "{error}");
    }
    assert!(printed("a > @y").unwrap_err().message().contains("given are: name, set, strong, x"));
    assert!(printed("a in [@set]").is_err());
}

#[test]
fn depth_and_length_are_limited() {
    let nested = |open: &str, n: usize, close: &str| format!("{}a{}", open.repeat(n), close.repeat(n));
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("-", ""),
        ("not ", ""),
        ("~", ""),
        ("a ** ", ""),
        ("a + (", ")"),
        ("a<(", ")"),
    ] {
        let error = parse(&nested(open, 10_000, close), &Parameters::new()).unwrap_err();
        assert!(error.message().contains("could not parse"), "{open}: {error}");
        if open != "[" {
            parsed(&nested(open, 100, close));
        }
    }
    for text in [
        "a".repeat(1 << 20),
        "(".repeat(1 << 20),
        "1".repeat(MAX_TEXT),
        format!("a > {}", " ".repeat(1 << 20)),
    ] {
        assert!(parse(&text, &Parameters::new()).unwrap_err().message().contains("could not parse"));
    }
    // What is long but not nested has no other limit.
    let sum = vec!["a"; 100_000].join(" + ");
    let expr = parsed(&sum);
    assert_eq!(expr.post_order().len(), 199_999);
    assert_eq!(expr.to_string(), sum);
    let chain = vec!["a"; 50_000].join(" < ");
    assert_eq!(parsed(&parsed(&chain).to_string()), parsed(&chain));
    let values: Vec<String> = (0..50_000).map(|n| n.to_string()).collect();
    parsed(&format!("a in [{}]", values.join(",")));
}

#[test]
fn printing_ends() {
    let mut nested = "a".to_owned();
    for _ in 0..60 {
        nested = format!("1 < ({nested}) < 2");
    }
    let text = parsed(&nested).to_string();
    assert!(text.len() < 5 << 20 && text.ends_with("..."));
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        any::<i64>().prop_map(Literal::from),
        (any::<i128>(), 0u32..100).prop_map(|(value, shift)| Literal::Int(Integer::from(value >> shift))),
        "[1-9a-f][0-9a-f]{32,60}"
            .prop_map(|digits| Literal::Int(Integer::from_digits(&digits, 16).negated())),
        any::<f64>().prop_filter("the syntax has no NaN", |value| !value.is_nan()).prop_map(Literal::Float),
        any::<f64>()
            .prop_filter("nor complex ones", |value| value.is_finite() && value.is_sign_positive())
            .prop_map(Literal::Imaginary),
        "\\PC{0,8}".prop_map(|text| Literal::from(text.as_str())),
        prop::collection::vec(0u32..0x11_0000, 0..6).prop_map(|points| Literal::Str(points.into())),
        prop::collection::vec(any::<u8>(), 0..6).prop_map(|bytes| Literal::Bytes(bytes.into())),
        any::<bool>().prop_map(Literal::Bool),
        Just(Literal::None),
    ]
}

/// Everything that the syntax has words for.
fn expression() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![3 => "[a-z_][a-z0-9_]{6}".prop_map(|name| col(name.as_str())), 2 => literal().prop_map(lit)];
    let functions: Vec<Function> = Function::ALL
        .iter()
        .copied()
        .filter(|function| {
            let sample = Expr::of(*function, vec![col("a"); function.arity()]);
            !sample.to_string().contains("(a")
        })
        .collect();
    assert_eq!(functions.len(), 22);
    leaf.prop_recursive(8, 64, 2, move |inner| {
        let call = (prop::sample::select(functions.clone()), inner.clone(), inner.clone()).prop_map(
            |(function, a, b)| Expr::of(function, if function.arity() == 1 { vec![a] } else { vec![a, b] }),
        );
        let isin = (inner, prop::collection::vec(literal(), 0..4), any::<bool>()).prop_map(
            |(value, set, negated)| {
                let value = value + col("c");
                if negated { value.not_in(set) } else { value.isin(set) }
            },
        );
        prop_oneof![6 => call, 1 => isin]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_parsed_to_the_same(expr in expression()) {
        let text = expr.to_string();
        let again = parse(&text, &Parameters::new());
        prop_assert!(again.is_ok(), "{}: {}", text, again.unwrap_err());
        let again = again.unwrap();
        prop_assert_eq!(again.expr(), &expr, "{}", text);
        for part in again.expr().post_order() {
            let named = matches!(part.node(), Node::Column(_)).then(|| again.span(part.id()).unwrap());
            if let Some(span) = named {
                prop_assert_eq!(&text[span], part.to_string());
            }
        }
    }

    #[test]
    fn any_text_gives_an_expression_or_an_error(text in "\\PC{0,40}|[-ab01.+*/%<>=!&|^~()\\[\\],@'\"\\\\ \n#einotrd]{0,40}") {
        match parse(&text, &Parameters::new()) {
            Ok(parsed) => {
                let printed = parsed.expr().to_string();
                let again = parse(&printed, &Parameters::new());
                prop_assert!(again.is_ok(), "{}: {}", printed, again.unwrap_err());
                let again = again.unwrap();
                prop_assert_eq!(again.expr(), parsed.expr());
            }
            Err(error) => prop_assert!(error.span().is_none_or(|span| span.end <= text.len())),
        }
    }
}
