//! Every kernel on every instruction set, against plain loops over values where IEEE 754 and integers have every pair of
//! special values meet, every length and constants in every place.

use super::*;
use crate::isa::Isa;
use crate::testing::{self, Random};

/// Values of a type that are apt to go wrong, as bits.
fn specials(ty: Type) -> Vec<u64> {
    let mut values: Vec<u64> = match ty {
        Type::Bool => return vec![0, 1, 1, 0, 1],
        Type::F64 => [
            0.0,
            1.0,
            0.5,
            1.5,
            2.5,
            3.0,
            5.25,
            f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
            1e16,
            0.1,
            4_294_967_296.0,
            9_223_372_036_854_775_808.0,
            2_147_483_647.5,
            65_520.0,
            1e-7,
        ]
        .iter()
        .flat_map(|v: &f64| [v.to_bits(), (-v).to_bits()])
        .collect(),
        Type::F32 => [
            0.0,
            1.0,
            0.5,
            1.5,
            2.5,
            3.0,
            5.25,
            f32::MIN_POSITIVE,
            1e-45,
            f32::MAX,
            f32::INFINITY,
            f32::NAN,
            1e8,
            0.1,
            4_294_967_296.0,
            65_520.0,
        ]
        .iter()
        .flat_map(|v: &f32| [u64::from(v.to_bits()), u64::from((-v).to_bits())])
        .collect(),
        Type::F16 => [0, 1, 0x3ff, 0x400, 0x3c00, 0x3e00, 0x4100, 0x4200, 0x7bff, 0x7c00, 0x7e00, 0x2e66]
            .iter()
            .flat_map(|&v| [v, v | 0x8000])
            .collect(),
        _ => {
            let bits = 8 * ty.width() as u32;
            let top = 1_u64 << (bits - 1);
            vec![
                0,
                1,
                2,
                3,
                5,
                7,
                63,
                64,
                100,
                top - 1,
                top,
                top + 1,
                top >> 1,
                u64::MAX,
                u64::MAX - 1,
                u64::MAX - 6,
            ]
        }
    };
    let mut random = Random::new(ty.width() as u64);
    if !matches!(ty, Type::F16 | Type::F32 | Type::F64) {
        values.extend((0..8).map(|_| random.next()));
    }
    values
}

fn lanes(ty: Type, values: &[u64]) -> Lanes {
    let mut lanes = Lanes::new(values.len() * ty.width());
    for (value, out) in values.iter().zip(lanes.bytes_mut().chunks_mut(ty.width())) {
        out.copy_from_slice(&value.to_le_bytes()[..out.len()]);
    }
    lanes
}

fn read(ty: Type, bytes: &[u8]) -> Vec<u64> {
    bytes
        .chunks(ty.width())
        .map(|value| {
            let mut wide = [0; 8];
            wide[..value.len()].copy_from_slice(value);
            u64::from_le_bytes(wide)
        })
        .collect()
}

/// An integer of a type, as what it is.
fn integer(ty: Type, bits: u64) -> i128 {
    let unused = 64 - 8 * ty.width() as u32;
    match ty {
        Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Time => {
            i128::from((bits << unused).cast_signed() >> unused)
        }
        _ => i128::from(bits << unused >> unused),
    }
}

/// The bits of an integer of a type.
fn wrapped(ty: Type, value: i128) -> u64 {
    (value as u64) & (u64::MAX >> (64 - 8 * ty.width() as u32))
}

fn float(ty: Type, bits: u64) -> f64 {
    match ty {
        Type::F16 => F16(bits as u16).to_f32().into(),
        Type::F32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

fn float_bits(ty: Type, value: f64) -> u64 {
    match ty {
        Type::F16 => F16::from_f32(value as f32).0.into(),
        Type::F32 => (value as f32).to_bits().into(),
        _ => value.to_bits(),
    }
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::F16 | Type::F32 | Type::F64)
}

fn same(ty: Type, a: u64, b: u64) -> bool {
    a == b || (is_float(ty) && float(ty, a).is_nan() && float(ty, b).is_nan())
}

/// Runs a kernel of two operands on all pairs of `a` and `b`: columns, constants in either place, and short runs.
fn check_pairs(
    case: &str,
    kernel: &dyn Fn(Isa) -> Option<Kernel>,
    types: [Type; 3],
    expected: &dyn Fn(u64, u64) -> u64,
) {
    let [ta, tb, out_type] = types;
    let mask = |ty: Type, v: u64| wrapped(ty, i128::from(v));
    let (a, b): (Vec<u64>, Vec<u64>) = specials(ta)
        .into_iter()
        .flat_map(|a| specials(tb).into_iter().map(move |b| (mask(ta, a), mask(tb, b))))
        .unzip();
    let (left, right) = (lanes(ta, &a), lanes(tb, &b));
    for isa in testing::isas() {
        let kernel = kernel(isa).unwrap();
        let mut out = Lanes::new(a.len() * out_type.width());
        let mut check = |operands: [Operand<'_>; 2],
                         n: usize,
                         a: &dyn Fn(usize) -> u64,
                         b: &dyn Fn(usize) -> u64| {
            out.bytes_mut().fill(0xEE);
            kernel.run(&operands, out.bytes_mut(), n);
            for (i, &found) in read(out_type, out.bytes()).iter().enumerate() {
                let expected =
                    if i < n { expected(a(i), b(i)) } else { wrapped(out_type, 0xEEEE_EEEE_EEEE_EEEE) };
                assert!(
                    same(out_type, found, expected),
                    "{case} {isa:?} {types:?}: {:#x} {:#x} gives {found:#x} and should give {expected:#x}",
                    a(i.min(n.max(1) - 1)),
                    b(i.min(n.max(1) - 1))
                );
            }
        };
        let (l, r) = (Operand::Column(left.bytes()), Operand::Column(right.bytes()));
        for n in [a.len(), 0, 1, 2, 3, 7, 17, 33, 65] {
            check([l, r], n.min(a.len()), &|i| a[i], &|i| b[i]);
        }
        for at in 0..a.len().min(40) {
            let (one_a, one_b) = (lanes(ta, &a[at..=at]), lanes(tb, &b[at..=at]));
            check([l, Operand::Constant(one_b.bytes())], a.len(), &|i| a[i], &|_| b[at]);
            check([Operand::Constant(one_a.bytes()), r], a.len(), &|_| a[at], &|i| b[i]);
            check(
                [Operand::Constant(one_a.bytes()), Operand::Constant(one_b.bytes())],
                5,
                &|_| a[at],
                &|_| b[at],
            );
        }
    }
}

const INTS: [Type; 8] =
    [Type::I8, Type::I16, Type::I32, Type::I64, Type::U8, Type::U16, Type::U32, Type::U64];
const FLOATS: [Type; 3] = [Type::F16, Type::F32, Type::F64];

#[test]
fn integers_are_those_of_unbounded_ones_wrapped() {
    type Op = fn(i128, i128, u32) -> i128;
    let operations: [(Binary, Op); 13] = [
        (Binary::Add, |a, b, _| a + b),
        (Binary::Subtract, |a, b, _| a - b),
        (Binary::Multiply, |a, b, _| a.wrapping_mul(b)),
        (Binary::FloorDivide, |a, b, _| match b {
            0 => 0,
            _ => a / b - i128::from(a % b != 0 && (a < 0) != (b < 0)),
        }),
        (Binary::Remainder, |a, b, _| {
            if b == 0 {
                0
            } else {
                let r = a.rem_euclid(b.abs());
                if b < 0 && r != 0 { r + b } else { r }
            }
        }),
        (Binary::Fmod, |a, b, _| if b == 0 { 0 } else { a % b }),
        (Binary::And, |a, b, _| a & b),
        (Binary::Or, |a, b, _| a | b),
        (Binary::Xor, |a, b, _| a ^ b),
        (Binary::LeftShift, |a, b, bits| if (0..i128::from(bits)).contains(&b) { a << b } else { 0 }),
        (Binary::RightShift, |a, b, bits| {
            if (0..i128::from(bits)).contains(&b) {
                a >> b
            } else if a < 0 {
                -1
            } else {
                0
            }
        }),
        (Binary::Maximum, |a, b, _| a.max(b)),
        (Binary::Fmin, |a, b, _| a.min(b)),
    ];
    for ty in INTS {
        for (op, oracle) in operations {
            check_pairs(&format!("{op:?}"), &|isa| binary_isa(isa, op, ty), [ty, ty, ty], &|a, b| {
                wrapped(ty, oracle(integer(ty, a), integer(ty, b), 8 * ty.width() as u32))
            });
        }
    }
}

#[test]
fn powers_and_divisors() {
    for ty in INTS {
        check_pairs("power", &|isa| binary_isa(isa, Binary::Power, ty), [ty, ty, ty], &|a, b| {
            let (base, exponent) = (integer(ty, a), integer(ty, b));
            if exponent < 0 {
                return 0;
            }
            // Modulo 2^64, whose lower bits do not depend on the upper ones.
            let (mut power, mut base, mut left) = (1_u64, base as u64, exponent as u64);
            while left > 0 {
                power = if left & 1 == 1 { power.wrapping_mul(base) } else { power };
                base = base.wrapping_mul(base);
                left >>= 1;
            }
            wrapped(ty, power.into())
        });
        let gcd = |a: i128, b: i128| {
            let (mut a, mut b) = (a.abs(), b.abs());
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        check_pairs("gcd", &|isa| binary_isa(isa, Binary::Gcd, ty), [ty, ty, ty], &|a, b| {
            wrapped(ty, gcd(integer(ty, a), integer(ty, b)))
        });
        check_pairs("lcm", &|isa| binary_isa(isa, Binary::Lcm, ty), [ty, ty, ty], &|a, b| {
            let (a, b) = (integer(ty, a), integer(ty, b));
            let divisor = gcd(a, b);
            wrapped(ty, if divisor == 0 { 0 } else { (a.abs() / divisor).wrapping_mul(b.abs()) })
        });
    }
}

#[test]
fn float_arithmetic_is_rounded_once() {
    for ty in FLOATS {
        let of = |f: fn(f64, f64) -> f64, g: fn(f32, f32) -> f32| {
            move |a: u64, b: u64| match ty {
                // In binary32, as NumPy does; a sum of binary16 in float64 rounds the same.
                Type::F16 => F16::from_f32(g(F16(a as u16).to_f32(), F16(b as u16).to_f32())).0.into(),
                Type::F32 => g(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits().into(),
                _ => f(f64::from_bits(a), f64::from_bits(b)).to_bits(),
            }
        };
        type Case = (Binary, Box<dyn Fn(u64, u64) -> u64>);
        let pairs: [Case; 9] = [
            (Binary::Add, Box::new(of(|a, b| a + b, |a, b| a + b))),
            (Binary::Subtract, Box::new(of(|a, b| a - b, |a, b| a - b))),
            (Binary::Multiply, Box::new(of(|a, b| a * b, |a, b| a * b))),
            (Binary::Divide, Box::new(of(|a, b| a / b, |a, b| a / b))),
            (Binary::Fmod, Box::new(of(|a, b| a % b, |a, b| a % b))),
            (Binary::CopySign, Box::new(of(f64::copysign, f32::copysign))),
            (Binary::Hypot, Box::new(of(f64::hypot, f32::hypot))),
            (Binary::Arctan2, Box::new(of(f64::atan2, f32::atan2))),
            (Binary::Power, Box::new(of(f64::powf, f32::powf))),
        ];
        for (op, oracle) in &pairs {
            check_pairs(&format!("{op:?}"), &|isa| binary_isa(isa, *op, ty), [ty, ty, ty], &**oracle);
        }
    }
}

#[test]
fn rounded_division_has_its_properties() {
    for ty in FLOATS {
        let values: Vec<u64> = specials(ty);
        for isa in testing::isas() {
            let floor = binary_isa(isa, Binary::FloorDivide, ty).unwrap();
            let remainder = binary_isa(isa, Binary::Remainder, ty).unwrap();
            for &a in &values {
                for &b in &values {
                    let (x, y) = (lanes(ty, &[a]), lanes(ty, &[b]));
                    let run = |kernel: &Kernel| {
                        let mut out = Lanes::new(8);
                        kernel.run(
                            &[Operand::Column(x.bytes()), Operand::Column(y.bytes())],
                            out.bytes_mut(),
                            1,
                        );
                        float(ty, read(ty, &out.bytes()[..ty.width()])[0])
                    };
                    let (quotient, rest) = (run(&floor), run(&remainder));
                    let (a, b) = (float(ty, a), float(ty, b));
                    if a.is_nan() || b.is_nan() || a.is_infinite() {
                        assert!(rest.is_nan(), "{a} % {b} = {rest}");
                    } else if b == 0.0 {
                        assert!(rest.is_nan() && (quotient.is_infinite() || quotient.is_nan()));
                    } else if b.is_finite() {
                        assert!(rest.is_sign_negative() == b.is_sign_negative(), "{a} % {b} = {rest}");
                        assert!(rest.abs() <= b.abs(), "{a} % {b} = {rest}");
                        assert!(
                            quotient.is_infinite() || quotient == quotient.floor(),
                            "{a} // {b} = {quotient}"
                        );
                    }
                }
            }
        }
    }
}

const COMPARISONS: [Compare; 6] = [
    Compare::Equal,
    Compare::NotEqual,
    Compare::Less,
    Compare::LessEqual,
    Compare::Greater,
    Compare::GreaterEqual,
];

fn holds(op: Compare, order: Option<std::cmp::Ordering>) -> u64 {
    use std::cmp::Ordering::{Equal, Greater, Less};
    u64::from(match op {
        Compare::Equal => order == Some(Equal),
        Compare::NotEqual => order != Some(Equal),
        Compare::Less => order == Some(Less),
        Compare::LessEqual => matches!(order, Some(Less | Equal)),
        Compare::Greater => order == Some(Greater),
        Compare::GreaterEqual => matches!(order, Some(Greater | Equal)),
    })
}

/// The order of an integer and a float, by halves: what is beyond every integer first, then the whole part, then the rest.
fn exact_order(a: i128, b: f64) -> Option<std::cmp::Ordering> {
    if b.is_nan() {
        return None;
    }
    if b.abs() >= 1e30 {
        return 0.0.partial_cmp(&b);
    }
    Some(a.cmp(&(b.floor() as i128)).then(if b > b.floor() {
        std::cmp::Ordering::Less
    } else {
        std::cmp::Ordering::Equal
    }))
}

#[test]
fn comparisons() {
    for op in COMPARISONS {
        for ty in Type::ALL {
            check_pairs(
                &format!("{op:?}"),
                &|isa| compare::kernel(isa, op, ty),
                [ty, ty, Type::Bool],
                &|a, b| {
                    let order = if is_float(ty) {
                        float(ty, a).partial_cmp(&float(ty, b))
                    } else {
                        let (a, b) = (integer(ty, a), integer(ty, b));
                        let missing = i128::from(i64::MIN);
                        (ty != Type::Time || (a != missing && b != missing)).then(|| a.cmp(&b))
                    };
                    holds(op, order)
                },
            );
        }
        let types = [Type::I64, Type::U64, Type::Bool];
        check_pairs("mixed", &|isa| Some(compare::mixed(isa, op)), types, &|a, b| {
            holds(op, Some(integer(Type::I64, a).cmp(&i128::from(b))))
        });
        for ty in [Type::I64, Type::U64] {
            let types = [ty, Type::F64, Type::Bool];
            check_pairs("exact", &|isa| compare::exact(isa, op, ty), types, &|a, b| {
                holds(op, exact_order(integer(ty, a), f64::from_bits(b)))
            });
        }
    }
}

#[test]
fn extremes_of_floats_and_times() {
    for ty in FLOATS {
        for (op, greater, propagates) in [
            (Binary::Maximum, true, true),
            (Binary::Minimum, false, true),
            (Binary::Fmax, true, false),
            (Binary::Fmin, false, false),
        ] {
            check_pairs(&format!("{op:?}"), &|isa| binary_isa(isa, op, ty), [ty, ty, ty], &|a, b| {
                let (x, y) = (float(ty, a), float(ty, b));
                match (x.is_nan(), y.is_nan()) {
                    (true, _) => {
                        if propagates {
                            a
                        } else {
                            b
                        }
                    }
                    (_, true) => {
                        if propagates {
                            b
                        } else {
                            a
                        }
                    }
                    // Of equal zeros the second, but of binary16 the first.
                    _ if x == y => {
                        if ty == Type::F16 {
                            a
                        } else {
                            b
                        }
                    }
                    _ => {
                        if (x > y) == greater {
                            a
                        } else {
                            b
                        }
                    }
                }
            });
        }
    }
    let missing = i64::MIN.cast_unsigned();
    for (op, greater, propagates) in [
        (Binary::Maximum, true, true),
        (Binary::Minimum, false, true),
        (Binary::Fmax, true, false),
        (Binary::Fmin, false, false),
    ] {
        let ty = Type::Time;
        check_pairs(&format!("{op:?}"), &|isa| binary_isa(isa, op, ty), [ty, ty, ty], &|a, b| match (
            a == missing,
            b == missing,
        ) {
            (true, _) => {
                if propagates {
                    a
                } else {
                    b
                }
            }
            (_, true) => {
                if propagates {
                    b
                } else {
                    a
                }
            }
            _ => {
                if (a.cast_signed() > b.cast_signed()) == greater {
                    a
                } else {
                    b
                }
            }
        });
    }
}

#[test]
fn casts() {
    for from in Type::ALL {
        let values: Vec<u64> = specials(from).into_iter().map(|v| wrapped(from, i128::from(v))).collect();
        let source = lanes(from, &values);
        for to in Type::ALL {
            for isa in testing::isas() {
                let kernel = cast::kernel(isa, from, to);
                let mut out = Lanes::new(values.len() * to.width());
                kernel.run(&[Operand::Column(source.bytes())], out.bytes_mut(), values.len());
                for (&value, found) in values.iter().zip(read(to, out.bytes())) {
                    let expected = cast_oracle(from, to, value);
                    assert!(
                        same(to, found, expected),
                        "{from:?} to {to:?} {isa:?}: {value:#x} gives {found:#x} and should give {expected:#x}"
                    );
                }
            }
        }
    }
}

fn cast_oracle(from: Type, to: Type, bits: u64) -> u64 {
    if !is_float(from) {
        let value = integer(from, bits);
        return match to {
            Type::Bool => u64::from(value != 0),
            Type::F64 => (value as f64).to_bits(),
            Type::F32 => (value as f32).to_bits().into(),
            Type::F16 => F16::from_f32(value as f32).0.into(),
            _ => wrapped(to, value),
        };
    }
    let value = float(from, bits);
    if to == Type::Bool {
        return u64::from(value != 0.0);
    }
    if is_float(to) {
        return match to {
            Type::F16 => F16::from_f64(value).0.into(),
            _ => float_bits(to, value),
        };
    }
    // The instructions: what does not fit is the least integer of 32 or of 64 bits.
    let word = |value: f64, bits: u32| -> i128 {
        let limit = 2_f64.powi(bits.cast_signed() - 1);
        if value.trunc() >= -limit && value.trunc() < limit {
            value.trunc() as i128
        } else {
            -(1 << (bits - 1))
        }
    };
    let unsigned = |bits: u32| {
        let half = 2_f64.powi(bits.cast_signed() - 1);
        if value >= half { word(value - half, bits) ^ (1 << (bits - 1)) } else { word(value, bits) }
    };
    wrapped(
        to,
        match to {
            Type::I64 | Type::Time => word(value, 64),
            Type::U64 => unsigned(64),
            Type::U32 if from == Type::F16 => word(value, 64),
            Type::U32 => unsigned(32),
            _ => word(value, 32),
        },
    )
}

#[test]
fn functions_of_one_value() {
    type Op = fn(f64) -> f64;
    // Exact in every width, so that float64 will do for all.
    let exact: [(Unary, Op); 9] = [
        (Unary::Negative, |a| -a),
        (Unary::Absolute, f64::abs),
        (Unary::Sqrt, f64::sqrt),
        (Unary::Floor, f64::floor),
        (Unary::Ceil, f64::ceil),
        (Unary::Trunc, f64::trunc),
        (Unary::Rint, f64::round_ties_even),
        (Unary::Square, |a| a * a),
        (Unary::Sign, |a| {
            if a.is_nan() {
                a
            } else if a == 0.0 {
                0.0
            } else {
                a.signum()
            }
        }),
    ];
    for ty in FLOATS {
        for (op, oracle) in exact {
            check_unary(op, ty, ty, &|bits| float_bits(ty, oracle(float(ty, bits))));
        }
        type Test = (Unary, fn(f64) -> bool);
        let tests: [Test; 4] = [
            (Unary::IsNan, f64::is_nan),
            (Unary::IsInf, f64::is_infinite),
            (Unary::IsFinite, f64::is_finite),
            (Unary::SignBit, f64::is_sign_negative),
        ];
        for (op, oracle) in tests {
            check_unary(op, ty, Type::Bool, &|bits| u64::from(oracle(float(ty, bits))));
        }
    }
    for ty in INTS {
        check_unary(Unary::Negative, ty, ty, &|bits| wrapped(ty, -integer(ty, bits)));
        check_unary(Unary::Absolute, ty, ty, &|bits| wrapped(ty, integer(ty, bits).abs()));
        check_unary(Unary::Sign, ty, ty, &|bits| wrapped(ty, integer(ty, bits).signum()));
        check_unary(Unary::Square, ty, ty, &|bits| {
            wrapped(ty, integer(ty, bits).wrapping_mul(integer(ty, bits)))
        });
        check_unary(Unary::Invert, ty, ty, &|bits| wrapped(ty, !integer(ty, bits)));
    }
    check_unary(Unary::LogicalNot, Type::Bool, Type::Bool, &|bits| 1 - bits);
    check_unary(Unary::IsNan, Type::Time, Type::Bool, &|bits| u64::from(bits == i64::MIN.cast_unsigned()));
}

fn check_unary(op: Unary, ty: Type, out_type: Type, expected: &dyn Fn(u64) -> u64) {
    let values: Vec<u64> = specials(ty).into_iter().map(|v| wrapped(ty, i128::from(v))).collect();
    let source = lanes(ty, &values);
    for isa in testing::isas() {
        let kernel = unary::kernel(isa, op, ty).unwrap();
        for n in 0..=values.len() {
            let mut out = Lanes::new(values.len() * out_type.width());
            kernel.run(&[Operand::Column(source.bytes())], out.bytes_mut(), n);
            for (&value, found) in values[..n].iter().zip(read(out_type, out.bytes())) {
                let expected = expected(value);
                assert!(
                    same(out_type, found, expected),
                    "{op:?} {ty:?} {isa:?}: {value:#x} gives {found:#x}, not {expected:#x}"
                );
            }
            assert!(read(out_type, out.bytes())[n..].iter().all(|&rest| rest == 0), "wrote beyond the rows");
        }
        let mut out = Lanes::new(3 * out_type.width());
        kernel.run(&[Operand::Constant(source.bytes())], out.bytes_mut(), 3);
        assert!(read(out_type, out.bytes()).iter().all(|&found| same(out_type, found, expected(values[0]))));
    }
}

#[test]
fn selections_and_bounds() {
    for isa in testing::isas() {
        for ty in Type::ALL {
            let values: Vec<u64> = specials(ty).into_iter().map(|v| wrapped(ty, i128::from(v))).collect();
            let n = values.len();
            let rotated: Vec<u64> = values.iter().cycle().skip(3).take(n).copied().collect();
            let conditions: Vec<u64> = (0..n as u64).map(|i| u64::from(i % 3 == 1)).collect();
            let (a, b, c) = (lanes(Type::Bool, &conditions), lanes(ty, &values), lanes(ty, &rotated));
            let select = select::select(isa, ty.width()).unwrap();
            let low = lanes(ty, &values[1..2]);
            for forms in 0..8_usize {
                let operand = |k: usize, lanes: &'static Lanes| {
                    if forms >> k & 1 == 1 {
                        Operand::Constant(lanes.bytes())
                    } else {
                        Operand::Column(lanes.bytes())
                    }
                };
                let leak = |lanes: &Lanes| -> &'static Lanes { Box::leak(Box::new(lanes.clone())) };
                let operands = [operand(0, leak(&a)), operand(1, leak(&b)), operand(2, leak(&c))];
                let mut out = Lanes::new(n * ty.width());
                select.run(&operands, out.bytes_mut(), n);
                let at = |k: usize, i: usize| if forms >> k & 1 == 1 { 0 } else { i };
                for (i, found) in read(ty, out.bytes()).into_iter().enumerate() {
                    let yes = conditions[at(0, i)] == 1;
                    assert_eq!(
                        found,
                        if yes { values[at(1, i)] } else { rotated[at(2, i)] },
                        "{ty:?} {forms}"
                    );
                }
            }
            // Within a bound on either side: as the maximum with the lower, then the minimum with the upper.
            let clip = select::clip(isa, ty).unwrap();
            let (mut found, mut raised, mut expected) =
                (Lanes::new(n * ty.width()), Lanes::new(n * ty.width()), Lanes::new(n * ty.width()));
            let low = Operand::Constant(low.bytes());
            clip.run(&[Operand::Column(b.bytes()), low, Operand::Column(c.bytes())], found.bytes_mut(), n);
            let run = |op, operands: &[Operand<'_>], out: &mut Lanes| {
                binary_isa(isa, op, ty).unwrap().run(operands, out.bytes_mut(), n);
            };
            run(Binary::Maximum, &[Operand::Column(b.bytes()), low], &mut raised);
            run(
                Binary::Minimum,
                &[Operand::Column(raised.bytes()), Operand::Column(c.bytes())],
                &mut expected,
            );
            let pairs = read(ty, found.bytes()).into_iter().zip(read(ty, expected.bytes()));
            assert!(pairs.into_iter().all(|(found, expected)| same(ty, found, expected)), "{ty:?} {isa:?}");
        }
    }
}

#[test]
fn sets_of_every_type_and_size() {
    for ty in Type::ALL {
        let values: Vec<u64> = specials(ty).into_iter().map(|v| wrapped(ty, i128::from(v))).collect();
        let source = lanes(ty, &values);
        let equal = |a: u64, b: u64| {
            if is_float(ty) {
                float(ty, a) == float(ty, b)
            } else {
                a == b && (ty != Type::Time || a != i64::MIN.cast_unsigned())
            }
        };
        for len in [0, 1, 2, 5, values.len()] {
            for isa in testing::isas() {
                let elements = lanes(ty, &values[..len]);
                let set = Set::with_isa(isa, ty, elements.bytes());
                for negated in [false, true] {
                    let mut out = vec![9; values.len()];
                    set.contains(source.bytes(), negated, &mut out, values.len());
                    for (&value, found) in values.iter().zip(out) {
                        let is_in = values[..len].iter().any(|&element| equal(element, value));
                        assert_eq!(found, u8::from(is_in != negated), "{ty:?} {value:#x} among {len}");
                    }
                }
            }
        }
    }
}

#[test]
fn times() {
    let missing = i64::MIN;
    let both = |f: fn(i128, i128) -> i128| {
        move |a: u64, b: u64| {
            let (a, b) = (a.cast_signed(), b.cast_signed());
            if a == missing || b == missing { missing.cast_unsigned() } else { f(a.into(), b.into()) as u64 }
        }
    };
    let time = Type::Time;
    check_pairs("add", &|isa| Some(times::kernel(isa, TimeOp::Add)), [time; 3], &both(|a, b| a + b));
    check_pairs(
        "subtract",
        &|isa| Some(times::kernel(isa, TimeOp::Subtract)),
        [time; 3],
        &both(|a, b| a - b),
    );
    let by_int = [time, Type::I64, time];
    check_pairs("multiply", &|isa| Some(times::kernel(isa, TimeOp::MultiplyInt)), by_int, &|a, b| {
        if a.cast_signed() == missing { a } else { a.wrapping_mul(b) }
    });
    check_pairs("divide", &|isa| Some(times::kernel(isa, TimeOp::DivideInt)), by_int, &|a, b| {
        let (a, b) = (a.cast_signed(), b.cast_signed());
        (if a == missing || b == 0 { missing } else { a.wrapping_div(b) }).cast_unsigned()
    });
    check_pairs("ratio", &|isa| Some(times::kernel(isa, TimeOp::Ratio)), [time, time, Type::F64], &|a, b| {
        let (a, b) = (a.cast_signed(), b.cast_signed());
        if a == missing || b == missing { f64::NAN.to_bits() } else { (a as f64 / b as f64).to_bits() }
    });
}

#[test]
fn what_goes_on_is_told() {
    let two = |op, ty, a: u64, b: u64| {
        let (a, b) = (lanes(ty, &[a]), lanes(ty, &[b]));
        let mut out = Lanes::new(8);
        binary(op, ty).unwrap().run(
            &[Operand::Column(a.bytes()), Operand::Constant(b.bytes())],
            out.bytes_mut(),
            1,
        )
    };
    assert_eq!(two(Binary::FloorDivide, Type::I32, 1, 0), Flags::DIVIDE);
    assert_eq!(two(Binary::Remainder, Type::U64, 1, 0), Flags::DIVIDE);
    assert_eq!(two(Binary::FloorDivide, Type::I8, 0x80, 0xff), Flags::OVERFLOW);
    assert_eq!(two(Binary::Power, Type::I64, 2, u64::MAX), Flags::NEGATIVE_POWER);
    assert!(two(Binary::Add, Type::I64, u64::MAX >> 1, 1).is_empty());
    if cfg!(target_arch = "x86_64") {
        let of = |value: f64| value.to_bits();
        assert!(two(Binary::Divide, Type::F64, of(1.0), of(0.0)).contains(Flags::DIVIDE));
        assert!(two(Binary::Divide, Type::F64, of(0.0), of(0.0)).contains(Flags::INVALID));
        assert!(two(Binary::Multiply, Type::F64, of(1e300), of(1e300)).contains(Flags::OVERFLOW));
        assert!(two(Binary::Add, Type::F64, of(1.0), of(f64::NAN)).is_empty());
        assert!(two(Binary::Maximum, Type::F64, of(1.0), of(f64::NAN)).is_empty());
    }
}
