//! Every function with every pair of dtypes against what NumPy says (`tests/data/query/promotion.json`).

use colstore_format::DType;
use serde_json::Value;

use super::{Operand, resolve};
use crate::error::ErrorKind;
use crate::expr::functions::Function;

fn table() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/query/promotion.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn operand(code: &str) -> Operand {
    match code {
        "bool" => Operand::Strong(super::BOOL),
        "int" => Operand::WeakInt,
        "float" => Operand::WeakFloat,
        _ => Operand::Strong(DType::parse(code).unwrap()),
    }
}

/// As the table spells a loop, without what is done differently on purpose.
fn entry(function: Function, operands: &[Operand]) -> String {
    let short = |dtype: &DType| dtype.to_string().trim_start_matches(['<', '|']).to_owned();
    match resolve(function, operands) {
        Ok(found) => {
            let operands: Vec<String> = found.operands.iter().map(short).collect();
            format!("{}>{}", operands.join(","), short(&found.result))
        }
        Err(error) if error.kind() == ErrorKind::Overflow => "^".to_owned(),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Type);
            "!".to_owned()
        }
    }
}

/// Whether the difference is one that is wanted.
fn is_intended(function: Function, codes: &[&str], ours: &str, numpy: &str) -> bool {
    let result = |entry: &str| entry.split_once('>').map(|(_, result)| result.to_owned());
    match function {
        // Operands are tested for truth one by one, where NumPy has loops that test two of a dtype.
        Function::LogicalAnd | Function::LogicalOr | Function::LogicalXor | Function::LogicalNot
        // Exponents are int64 for all floats.
        | Function::Ldexp
        => result(ours) == result(numpy),
        // `where` is no ufunc: NumPy names no loop. It makes texts of numbers, and datetimes of timedeltas; we refuse to.
        Function::Where => {
            let kind = |code: &str| match code.as_bytes()[0] {
                b'S' | b'U' => 'S',
                b'M' => 'M',
                b'm' => 'm',
                _ => 'n',
            };
            let (a, b) = (kind(codes[1]), kind(codes[2]));
            result(ours) == result(numpy) || ours == "!" && a != b && ((a == 'S') != (b == 'S') || (a, b) == ('M', 'm') || (a, b) == ('m', 'M'))
        }
        // `numpy.clip` makes an int64 of a number that is clipped itself.
        Function::Clip if matches!(codes[0], "int" | "float") => true,
        // Constants are computed before a function sees them.
        _ if codes.iter().all(|code| matches!(*code, "int" | "float")) => result(ours) == result(numpy),
        // Which of two errors it is depends on what is looked at first.
        _ => matches!(ours, "!" | "^") && matches!(numpy, "!" | "^"),
    }
}

#[test]
fn every_loop_is_numpys() {
    let table = table();
    let list = |key: &str| -> Vec<String> {
        table[key].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned()).collect()
    };
    let (all, few) = (list("operands"), list("ternary_operands"));
    let mut different = Vec::new();
    let mut compared = 0;
    for &function in Function::ALL {
        let text = table["functions"][function.name()]
            .as_str()
            .unwrap_or_else(|| panic!("{function} is not in the table"));
        let codes = if function.arity() == 3 { &few } else { &all };
        let mut before = "";
        let entries = text.split(' ').map(|entry| {
            if entry != "=" {
                before = entry;
            }
            before
        });
        for (at, numpy) in entries.enumerate() {
            let digit = |place: u32| codes[at / codes.len().pow(place) % codes.len()].as_str();
            let codes: Vec<&str> = (0..function.arity() as u32).rev().map(digit).collect();
            let operands: Vec<Operand> = codes.iter().map(|code| operand(code)).collect();
            let ours = entry(function, &operands);
            if ours != numpy && !is_intended(function, &codes, &ours, numpy) {
                different.push(format!("{function}({}): {ours}, NumPy has {numpy}", codes.join(", ")));
            }
            compared += 1;
        }
    }
    assert!(compared > 35_000, "{compared} combinations");
    assert!(
        different.is_empty(),
        "{} of {compared} differ:\n{}",
        different.len(),
        different[..different.len().min(700)].join("\n")
    );
}
