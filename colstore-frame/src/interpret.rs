//! Expressions row by row, the slow and obvious way: what the graph and its programs are tested against.
//!
//! Values are numbers of 128 bits, float64 and texts, cut to their dtype after every operation. There is no graph and no
//! block; which dtype an operation has is asked of the same rules, which are tested against NumPy on their own.

#![allow(clippy::unwrap_used, clippy::panic, reason = "an oracle for tests, which fail where it does")]

use std::collections::HashMap;

use colstore_format::{ColumnName, DType, Kind};

use crate::expr::fold::{float_divmod, fold};
use crate::expr::half;
use crate::expr::types::{BOOL, Operand, resolve, units};
use crate::{Constant, Error, Expr, Function, Literal, Node, Result, ValueSet};

/// The value of `expr` in a row whose columns `row` gives.
pub(crate) fn interpret(expr: &Expr, row: &dyn Fn(&ColumnName) -> Option<Constant>) -> Result<Constant> {
    let mut done: HashMap<_, Item> = HashMap::new();
    for part in expr.post_order() {
        let children: Vec<Item> = part.children().iter().map(|child| done[&child.id()].clone()).collect();
        let item = match part.node() {
            Node::Column(name) => Item::of(&row(name).ok_or_else(|| Error::query("unknown column"))?),
            Node::Literal(Literal::Typed(constant)) => Item::of(constant),
            Node::Literal(literal) => Item::Weak(literal.clone()),
            Node::Call { function, .. } => call(*function, children)?,
            Node::IsIn { set, negated, .. } => {
                Item::Value(Int(i128::from(is_in(&children[0], set) != *negated)), BOOL)
            }
            Node::Cast { dtype, .. } => {
                let (value, from) = children[0].clone().own();
                Item::Value(cast(value, from, *dtype), *dtype)
            }
            other => panic!("no rule for {other:?}"),
        };
        done.insert(part.id(), item);
    }
    let (value, dtype) = done[&expr.id()].clone().own();
    Ok(encode(&value, dtype))
}

#[derive(Clone, Debug)]
enum Value {
    Int(i128),
    Float(f64),
    /// Bytes or code points without the NULs at the end.
    Text(Vec<u32>),
}
use Value::{Float, Int, Text};

#[derive(Clone, Debug)]
enum Item {
    Weak(Literal),
    Value(Value, DType),
}

impl Item {
    fn of(constant: &Constant) -> Item {
        Item::Value(decode(constant), constant.dtype())
    }

    fn operand(&self) -> Operand {
        match self {
            Item::Weak(Literal::Int(_)) => Operand::WeakInt,
            Item::Weak(Literal::Float(_)) => Operand::WeakFloat,
            _ => Operand::Strong(self.clone().own().1),
        }
    }

    /// With the dtype it has by itself.
    fn own(self) -> (Value, DType) {
        let dtype = |text: &str| DType::parse(text).unwrap();
        match self {
            Item::Value(value, dtype) => (value, dtype),
            Item::Weak(Literal::Bool(value)) => (Int(i128::from(value)), BOOL),
            Item::Weak(Literal::Int(value)) => {
                let value = value.as_i128().unwrap();
                (Int(value), dtype(if value > i128::from(i64::MAX) { "u8" } else { "i8" }))
            }
            Item::Weak(Literal::Float(value)) => (Float(value), dtype("f8")),
            Item::Weak(Literal::Str(points)) => {
                (trimmed(points.to_vec()), dtype(&format!("U{}", points.len().max(1))))
            }
            Item::Weak(Literal::Bytes(bytes)) => (
                trimmed(bytes.iter().map(|b| u32::from(*b)).collect()),
                dtype(&format!("S{}", bytes.len().max(1))),
            ),
            Item::Weak(other) => panic!("no dtype for {other:?}"),
        }
    }
}

fn decode(constant: &Constant) -> Value {
    if let Some(value) = constant.as_i128() {
        return Int(value);
    }
    if let Some(value) = constant.as_f64() {
        return Float(value);
    }
    trimmed(match constant.dtype().kind() {
        Kind::Bytes => constant.bytes().iter().map(|byte| u32::from(*byte)).collect(),
        _ => constant
            .bytes()
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect(),
    })
}

fn trimmed(mut points: Vec<u32>) -> Value {
    while points.last() == Some(&0) {
        points.pop();
    }
    Text(points)
}

fn encode(value: &Value, dtype: DType) -> Constant {
    let size = dtype.itemsize();
    let bytes: Vec<u8> = match (value, dtype.kind(), size) {
        (Int(value), Kind::Float, 8) => (*value as f64).to_le_bytes().to_vec(),
        (Int(value), Kind::Float, 4) => (*value as f32).to_le_bytes().to_vec(),
        (Int(value), Kind::Float, _) => half::from_f64(f64::from(*value as f32)).to_le_bytes().to_vec(),
        (Int(value), ..) => value.to_le_bytes()[..size].to_vec(),
        (Float(value), _, 8) => value.to_le_bytes().to_vec(),
        (Float(value), _, 4) => (*value as f32).to_le_bytes().to_vec(),
        (Float(value), ..) => half::from_f64(*value).to_le_bytes().to_vec(),
        (Text(points), Kind::Bytes, _) => points.iter().map(|point| *point as u8).collect(),
        (Text(points), ..) => points.iter().flat_map(|point| point.to_le_bytes()).collect(),
    };
    let mut bytes = bytes;
    bytes.resize(size, 0);
    Constant::new(dtype, &bytes).unwrap()
}

/// Cut to what the dtype holds.
fn cut(value: &Value, dtype: DType) -> Value {
    decode(&encode(value, dtype))
}

const NAT: i128 = i64::MIN as i128;

fn cast(value: Value, from: DType, to: DType) -> Value {
    if to.kind() == Kind::Bool {
        return Int(i128::from(is_true(&value)));
    }
    match (&value, from.unit(), to.unit()) {
        (Int(NAT), Some(_), Some(_)) => value,
        (Int(count), Some(_), Some(_)) => Int(i128::from(
            units::convert_exact(*count as i64, from, to).expect("tests convert to finer units only"),
        )),
        (Float(float), ..) if to.kind() != Kind::Float => cut(&Int(*float as i128), to),
        _ => cut(&value, to),
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Int(value) => *value != 0,
        Float(value) => *value != 0.0,
        Text(points) => !points.is_empty(),
    }
}

fn call(function: Function, mut items: Vec<Item>) -> Result<Item> {
    use Function as F;
    let weak: Option<Vec<&Literal>> =
        items.iter().map(|item| if let Item::Weak(literal) = item { Some(literal) } else { None }).collect();
    if let Some(folded) = weak.and_then(|literals| fold(function, &literals)) {
        return folded.map(Item::Weak);
    }
    if items.iter().any(|item| matches!(item, Item::Weak(Literal::None))) {
        return match function {
            F::Equal => Ok(Item::Value(Int(0), BOOL)),
            F::NotEqual => Ok(Item::Value(Int(1), BOOL)),
            _ => Err(Error::type_error("None")),
        };
    }
    let beside_bytes =
        items.iter().any(|item| matches!(item, Item::Value(_, dtype) if dtype.kind() == Kind::Bytes));
    for item in &mut items {
        if let (true, Item::Weak(Literal::Str(points))) = (beside_bytes, &*item) {
            let text: String = points.iter().map(|point| char::from_u32(*point).unwrap()).collect();
            *item = Item::Weak(Literal::Bytes(text.as_bytes().into()));
        }
    }
    let operands: Vec<Operand> = items.iter().map(Item::operand).collect();
    let found = resolve(function, &operands)?;
    if function.is_comparison() {
        return Ok(Item::Value(Int(i128::from(compare(function, &items, &found.operands))), BOOL));
    }
    let tests_truth = matches!(function, F::LogicalAnd | F::LogicalOr | F::LogicalXor | F::LogicalNot);
    let mut values = Vec::new();
    for (at, (item, dtype)) in items.into_iter().zip(&found.operands).enumerate() {
        if let (Item::Weak(Literal::Int(value)), Kind::Int | Kind::UInt) = (&item, dtype.kind()) {
            let value = value.as_i128();
            if value.is_none_or(|value| cut(&Int(value), *dtype).int() != value) {
                return Err(Error::new(crate::ErrorKind::Overflow, "out of bounds"));
            }
        }
        let truth = tests_truth || function == F::Where && at == 0;
        if let (true, Item::Weak(Literal::Int(value))) = (truth, &item) {
            let by_itself = i128::from(i64::MIN)..=i128::from(u64::MAX);
            if value.as_i128().is_none_or(|value| !by_itself.contains(&value)) {
                return Err(Error::new(crate::ErrorKind::Overflow, "out of bounds"));
            }
        }
        let (value, from) = item.own();
        values.push(if truth { Int(i128::from(is_true(&value))) } else { cast(value, from, *dtype) });
    }
    let kind = found.operands[found.operands.len() - 1].kind();
    let result = match &values[..] {
        [condition, a, b] if function == F::Where => if is_true(condition) { a } else { b }.clone(),
        [value, low, high] => extreme(&extreme(value, low, true, true), high, false, true),
        _ if found.operands.iter().any(|dtype| dtype.unit().is_some()) => {
            times(function, &values, found.result)
        }
        [Text(a), Text(b)] => joined(a, b),
        [Int(a)] => Int(unary_int(function, *a, kind)),
        [Float(a)] => unary_float(function, *a, found.operands[0]),
        [Int(a), Int(b)] => Int(binary_int(function, *a, *b, found.result)?),
        [Float(a), Float(b)] => binary_float(function, *a, *b, found.result),
        _ => panic!("no rule for {function} of {values:?}"),
    };
    Ok(Item::Value(cut(&result, found.result), found.result))
}

impl Value {
    fn int(&self) -> i128 {
        match self {
            Int(value) => *value,
            other => panic!("{other:?} is no integer"),
        }
    }

    fn float(&self) -> f64 {
        match self {
            Float(value) => *value,
            Int(value) => *value as f64,
            Text(_) => panic!("text is no number"),
        }
    }
}

/// Compares exactly, but for literals, which become of the column's dtype first.
fn compare(function: Function, items: &[Item], dtypes: &[DType]) -> bool {
    let value = |at: usize| match (&items[at], dtypes[at].kind()) {
        (Item::Weak(Literal::Int(value)), Kind::Float) => cut(&Float(value.to_f64().unwrap()), dtypes[at]),
        (Item::Weak(Literal::Int(value)), _) => {
            Int(value.as_i128().unwrap_or(if value.is_negative() { i128::MIN } else { i128::MAX }))
        }
        (Item::Weak(Literal::Float(value)), _) => cut(&Float(*value), dtypes[at]),
        (item, _) => {
            let (value, from) = item.clone().own();
            if from.unit().is_some() { cast(value, from, dtypes[at]) } else { value }
        }
    };
    let (a, b) = (value(0), value(1));
    let is_time = dtypes[0].unit().is_some();
    let order = match (&a, &b) {
        (Int(NAT), _) | (_, Int(NAT)) if is_time => None,
        (Int(a), Int(b)) => Some(a.cmp(b)),
        (Float(a), Float(b)) => a.partial_cmp(b),
        (Int(a), Float(b)) => exact(*a, *b),
        (Float(a), Int(b)) => exact(*b, *a).map(std::cmp::Ordering::reverse),
        (Text(a), Text(b)) => Some(a.cmp(b)),
        _ => panic!("{a:?} and {b:?} are not compared"),
    };
    match (function, order) {
        (Function::NotEqual, order) => order.is_none_or(std::cmp::Ordering::is_ne),
        (_, None) => false,
        (Function::Equal, Some(order)) => order.is_eq(),
        (Function::Less, Some(order)) => order.is_lt(),
        (Function::LessEqual, Some(order)) => order.is_le(),
        (Function::Greater, Some(order)) => order.is_gt(),
        (_, Some(order)) => order.is_ge(),
    }
}

/// An integer beside a float, without rounding either.
fn exact(a: i128, b: f64) -> Option<std::cmp::Ordering> {
    let (whole, fraction) = (b.trunc(), b.fract());
    if b.is_nan() || b.abs() > 1e30 {
        return 0f64.partial_cmp(&b);
    }
    Some(a.cmp(&(whole as i128)).then(0f64.partial_cmp(&fraction)?))
}

fn joined(a: &[u32], b: &[u32]) -> Value {
    Text([a, b].concat())
}

fn unary_int(function: Function, a: i128, kind: Kind) -> i128 {
    use Function as F;
    match function {
        F::Negative => -a,
        F::Positive | F::Floor | F::Ceil | F::Trunc => a,
        F::Absolute => a.abs(),
        F::Sign => a.signum(),
        F::Square => a.wrapping_mul(a),
        F::Invert if kind == Kind::Bool => 1 - a,
        F::Invert => !a,
        F::LogicalNot => i128::from(a == 0),
        F::Isnan | F::Isinf => 0,
        F::Isfinite => 1,
        _ => panic!("no rule for {function} of an integer"),
    }
}

fn unary_float(function: Function, a: f64, dtype: DType) -> Value {
    use Function as F;
    Float(match function {
        F::Negative => -a,
        F::Positive => a,
        F::Absolute | F::Fabs => a.abs(),
        F::Sign if a == 0.0 || a.is_nan() => {
            if a.is_nan() {
                a
            } else {
                0.0
            }
        }
        F::Sign => a.signum(),
        F::Square => a * a,
        F::Reciprocal => 1.0 / a,
        F::Sqrt => a.sqrt(),
        F::Floor => a.floor(),
        F::Ceil => a.ceil(),
        F::Trunc => a.trunc(),
        F::Rint => a.round_ties_even(),
        F::Isnan => return Int(i128::from(a.is_nan())),
        F::Isinf => return Int(i128::from(a.is_infinite())),
        F::Isfinite => return Int(i128::from(a.is_finite())),
        F::Signbit => return Int(i128::from(a.is_sign_negative())),
        _ => panic!("no rule for {function} of {dtype}"),
    })
}

fn binary_int(function: Function, a: i128, b: i128, dtype: DType) -> Result<i128> {
    use Function as F;
    let bits = 8 * dtype.itemsize() as i128;
    let is_bool = dtype.kind() == Kind::Bool;
    Ok(match function {
        F::Add if is_bool => a | b,
        F::Multiply if is_bool => a & b,
        F::Add => a + b,
        F::Subtract => a - b,
        F::Multiply => a.wrapping_mul(b),
        F::FloorDivide | F::Remainder | F::Fmod if b == 0 => 0,
        F::FloorDivide => a / b - i128::from(a % b != 0 && (a < 0) != (b < 0)),
        F::Remainder => {
            let rest = a % b;
            if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
        }
        F::Fmod => a % b,
        F::Power if b < 0 => return Err(Error::value("negative power")),
        F::Power => (0..b).fold(1i128, |power, _| cut(&Int(power.wrapping_mul(a)), dtype).int()),
        F::BitwiseAnd | F::LogicalAnd => a & b,
        F::BitwiseOr | F::LogicalOr => a | b,
        F::BitwiseXor | F::LogicalXor => a ^ b,
        F::LeftShift => {
            if (0..bits).contains(&b) {
                a << b
            } else {
                0
            }
        }
        F::RightShift => {
            if (0..bits).contains(&b) {
                a >> b
            } else {
                -i128::from(a < 0)
            }
        }
        F::Maximum | F::Fmax => a.max(b),
        F::Minimum | F::Fmin => a.min(b),
        F::Gcd => gcd(a.abs(), b.abs()),
        F::Lcm => {
            if a == 0 || b == 0 {
                0
            } else {
                a.abs() / gcd(a.abs(), b.abs()) * b.abs()
            }
        }
        _ => panic!("no rule for {function} of integers"),
    })
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn binary_float(function: Function, a: f64, b: f64, dtype: DType) -> Value {
    use Function as F;
    Float(match function {
        F::Add => a + b,
        F::Subtract => a - b,
        F::Multiply => a * b,
        F::TrueDivide => a / b,
        F::FloorDivide | F::Remainder => {
            // Every step is rounded to the dtype, which float32 and float16 show.
            let (quotient, remainder) = divmod(a, b, dtype);
            if function == F::FloorDivide { quotient } else { remainder }
        }
        F::Fmod => a % b,
        F::Copysign => a.copysign(b),
        F::Heaviside => match a.partial_cmp(&0.0) {
            None => a,
            Some(std::cmp::Ordering::Less) => 0.0,
            Some(std::cmp::Ordering::Equal) => b,
            Some(std::cmp::Ordering::Greater) => 1.0,
        },
        F::Maximum | F::Minimum => return extreme(&Float(a), &Float(b), function == F::Maximum, true),
        F::Fmax | F::Fmin => return extreme(&Float(a), &Float(b), function == F::Fmax, false),
        _ => panic!("no rule for {function} of floats"),
    })
}

fn divmod(a: f64, b: f64, dtype: DType) -> (f64, f64) {
    if dtype.itemsize() == 8 {
        return float_divmod(a, b);
    }
    let round = |value: f64| f64::from(value as f32);
    let mut remainder = a % b;
    if b == 0.0 {
        return (a / b, remainder);
    }
    let mut quotient = round(round(a - remainder) / b);
    if remainder == 0.0 {
        remainder = 0f64.copysign(b);
    } else if (b < 0.0) != (remainder < 0.0) {
        remainder = round(remainder + b);
        quotient = round(quotient - 1.0);
    }
    if quotient == 0.0 {
        return (0f64.copysign(a / b), remainder);
    }
    let floor = quotient.floor();
    (if round(quotient - floor) > 0.5 { floor + 1.0 } else { floor }, remainder)
}

/// The larger or smaller one; NaN if one is, or the other one then.
fn extreme(a: &Value, b: &Value, larger: bool, propagate: bool) -> Value {
    match (a, b) {
        (Int(a), Int(b)) => Int(if larger { *a.max(b) } else { *a.min(b) }),
        _ => {
            let (x, y) = (a.float(), b.float());
            if x.is_nan() || y.is_nan() {
                return if x.is_nan() == propagate { a.clone() } else { b.clone() };
            }
            if (x > y) == larger || x == y { a.clone() } else { b.clone() }
        }
    }
}

fn times(function: Function, values: &[Value], result: DType) -> Value {
    use Function as F;
    let is_nat = |value: &Value| matches!(value, Int(NAT));
    if function == F::Isnat {
        return Int(i128::from(is_nat(&values[0])));
    }
    if values.iter().any(is_nat) {
        return match result.kind() {
            Kind::Float => Float(f64::NAN),
            Kind::Int => Int(0),
            Kind::Bool => Int(i128::from(function == F::Isnan)),
            _ if matches!(function, F::Fmax | F::Fmin) => {
                values.iter().find(|value| !is_nat(value)).unwrap_or(&Int(NAT)).clone()
            }
            _ => Int(NAT),
        };
    }
    match values {
        [Int(a)] => Int(match function {
            F::Negative => -a,
            F::Positive => *a,
            F::Absolute => a.abs(),
            F::Sign => a.signum(),
            F::Isnan | F::Isinf => 0,
            F::Isfinite => 1,
            _ => panic!("no rule for {function} of a time"),
        }),
        [Int(a), Int(b)] => match function {
            F::Add => Int(a + b),
            F::Subtract => Int(a - b),
            F::Multiply => Int(a.wrapping_mul(*b)),
            F::TrueDivide if result.kind() == Kind::Float => Float(*a as f64 / *b as f64),
            F::TrueDivide if *b == 0 => Int(NAT),
            F::TrueDivide => Int(a / b),
            F::FloorDivide | F::Remainder if *b == 0 => Int(if result.unit().is_some() { NAT } else { 0 }),
            F::FloorDivide => Int(a.div_euclid(*b) - i128::from(*b < 0 && a.rem_euclid(*b) != 0)),
            F::Remainder => {
                Int(a.rem_euclid(b.abs()) + if *b < 0 && a.rem_euclid(b.abs()) != 0 { *b } else { 0 })
            }
            F::Maximum | F::Fmax => Int(*a.max(b)),
            F::Minimum | F::Fmin => Int(*a.min(b)),
            _ => panic!("no rule for {function} of times"),
        },
        _ => panic!("no rule for {function} of {values:?}"),
    }
}

/// Whether an element equals the value exactly.
fn is_in(item: &Item, set: &ValueSet) -> bool {
    let (value, dtype) = item.clone().own();
    let equals = |element: &Value, kind: Kind| match (&value, element) {
        (Int(NAT), _) if dtype.unit().is_some() => false,
        (Int(a), Int(b)) => a == b,
        (Float(a), Float(b)) => a == b,
        (Int(a), Float(b)) => exact(*a, *b).is_some_and(std::cmp::Ordering::is_eq),
        (Float(a), Int(b)) => exact(*b, *a).is_some_and(std::cmp::Ordering::is_eq),
        (Text(a), Text(b)) => dtype.kind() == kind && a == b,
        _ => false,
    };
    let literal = |literal: &Literal| match literal {
        Literal::Str(points) if dtype.kind() == Kind::Bytes => {
            let text: String = points.iter().filter_map(|point| char::from_u32(*point)).collect();
            equals(&trimmed(text.bytes().map(u32::from).collect()), Kind::Bytes)
        }
        Literal::Int(value) => value.as_i128().is_some_and(|value| equals(&Int(value), Kind::Int)),
        Literal::None | Literal::Imaginary(_) => false,
        Literal::Typed(constant) => equals(&decode(constant), constant.dtype().kind()),
        other => {
            let (element, from) = Item::Weak(other.clone()).own();
            equals(&cut(&element, from), from.kind())
        }
    };
    match set {
        ValueSet::Literals(literals) => literals.iter().any(literal),
        ValueSet::Array { dtype, bytes } => bytes
            .chunks_exact(dtype.itemsize())
            .any(|bytes| equals(&decode(&Constant::new(*dtype, bytes).unwrap()), dtype.kind())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Parameters, parse};

    fn value(text: &str) -> Constant {
        let parsed = parse(text, &Parameters::new()).unwrap();
        interpret(parsed.expr(), &|name| {
            Some(match name.as_str()? {
                "i" => Constant::int64(-7),
                "f" => Constant::float64(2.5),
                "u" => Constant::new(DType::parse("u1").unwrap(), &[200]).unwrap(),
                "s" => Constant::new(DType::parse("S3").unwrap(), b"ab\0").unwrap(),
                _ => return None,
            })
        })
        .unwrap()
    }

    #[test]
    fn as_numpy() {
        assert_eq!(value("i // 2"), Constant::int64(-4));
        assert_eq!(value("i % 2"), Constant::int64(1));
        assert_eq!(value("i // -2 * 10 + i % -2"), Constant::int64(29));
        assert_eq!(value("i / 2"), Constant::float64(-3.5));
        assert_eq!(value("u + 100").as_i128(), Some(44));
        assert_eq!(value("f * u"), Constant::float64(500.0));
        assert_eq!(value("-i ** 2"), Constant::int64(-49));
        assert_eq!(value("u < 300 and s == 'ab' and i in [-7.0, 3] and not f < i"), Constant::bool(true));
    }
}
