//! The functions against true values that `tests/true_values.py` has computed, by themselves and as kernels, with the
//! flags that they raise.

use super::*;
use crate::compute::{F16, Flags, Lanes, Operand, Type, Unary, unary};
use crate::testing;

const TABLE: &str = include_str!("../../../tests/data/true_values.txt");

type Function = fn(f64) -> f64;

const FUNCTIONS: [(&str, Unary, Function); 7] = [
    ("sinh", Unary::Sinh, sinh),
    ("cosh", Unary::Cosh, cosh),
    ("tanh", Unary::Tanh, tanh),
    ("arcsinh", Unary::Arcsinh, arcsinh),
    ("arccosh", Unary::Arccosh, arccosh),
    ("arctanh", Unary::Arctanh, arctanh),
    ("log10", Unary::Log10, log10),
];

/// Units in the last place that a result may be off by: rounding it takes half of one.
const LIMIT: f64 = 0.503;

/// A true value: between `low` and the next float further from zero.
struct TrueValue {
    x: f64,
    low: f64,
    /// The part of the way, between these two bounds.
    fraction: [f64; 2],
}

impl TrueValue {
    /// How far a result is off at most, in units in the last place of the true value.
    fn distance(&self, found: f64) -> f64 {
        if found.is_nan() || found.is_sign_negative() != self.low.is_sign_negative() {
            return f64::INFINITY;
        }
        let steps = found.to_bits().wrapping_sub(self.low.to_bits()).cast_signed() as f64;
        let [least, greatest] = self.fraction;
        (steps - least).abs().max((steps - greatest).abs())
    }
}

fn true_values(name: &str) -> Vec<TrueValue> {
    let number = |word: &str| u64::from_str_radix(word, 16).unwrap();
    let lines = TABLE.lines().map(|line| line.split(' ').collect::<Vec<&str>>());
    lines
        .filter(|words| words[0] == name)
        .map(|words| {
            let part = number(words[3]) as f64;
            TrueValue {
                x: f64::from_bits(number(words[1])),
                low: f64::from_bits(number(words[2])),
                fraction: [part / 65536.0, (part + 1.0) / 65536.0],
            }
        })
        .collect()
}

/// Arguments that are special, or where something changes, with both signs.
fn specials() -> Vec<f64> {
    let sizes = [
        0.0,
        5e-324,
        1e-310,
        f64::MIN_POSITIVE.next_down(),
        f64::MIN_POSITIVE,
        1e-300,
        1e-200,
        1e-154,
        1e-20,
        TINY.next_down(),
        TINY,
        1e-8,
        0.1,
        0.5,
        1_f64.next_down(),
        1.0,
        1_f64.next_up(),
        1.5,
        2.0,
        19.5,
        32.0,
        700.0,
        709.79,
        710.4758600739439,
        710.475860073944,
        711.0,
        134_217_728.0,
        1e20,
        1e154,
        1e160,
        1e300,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];
    sizes.iter().flat_map(|&size: &f64| [size, -size]).collect()
}

/// Runs a kernel: the results, and what it noted.
fn run(kernel: &crate::compute::Kernel, input: &[u8], out: &mut [u8], n: usize) -> Flags {
    kernel.run(&[Operand::Column(input)], out, n)
}

#[test]
fn results_are_within_the_limit_of_true_values() {
    for (name, _, function) in FUNCTIONS {
        let values = true_values(name);
        assert!(values.len() > 500, "{name}");
        for value in &values {
            let found = function(value.x);
            let distance = value.distance(found);
            assert!(
                distance <= LIMIT,
                "{name}({:e}) = {found:e} is {distance:.4} units off; the true value is beyond {:e}",
                value.x,
                value.low
            );
        }
    }
}

#[test]
fn special_values_are_those_of_numpy() {
    let expected = |name: &str, x: f64| -> Option<f64> {
        let size = x.abs();
        Some(match name {
            _ if x.is_nan() => f64::NAN,
            "sinh" | "arcsinh" if x.is_infinite() => x,
            "sinh" if size > 710.4758600739439 => f64::INFINITY.copysign(x),
            "cosh" if size > 710.4758600739439 => f64::INFINITY,
            "cosh" if size <= TINY => 1.0,
            "tanh" if size > 20.0 => 1_f64.copysign(x),
            "arctanh" if size > 1.0 => f64::NAN,
            "arctanh" if size == 1.0 => f64::INFINITY.copysign(x),
            "arccosh" if x < 1.0 => f64::NAN,
            "arccosh" if x == 1.0 => 0.0,
            "log10" if x == 0.0 => f64::NEG_INFINITY,
            "log10" if x < 0.0 => f64::NAN,
            "arccosh" | "log10" if x.is_infinite() => x,
            "log10" | "arccosh" | "cosh" => return None,
            _ if size <= TINY => x,
            _ => return None,
        })
    };
    for (name, _, function) in FUNCTIONS {
        for x in specials() {
            let found = function(x);
            match expected(name, x) {
                Some(expected) => assert!(
                    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
                    "{name}({x:e}) = {found:e}, not {expected:e}"
                ),
                None => assert!(found.is_finite(), "{name}({x:e}) = {found:e}"),
            }
        }
    }
}

#[test]
fn powers_of_ten_and_one_have_exact_logarithms() {
    assert_eq!(log10(1.0).to_bits(), 0);
    for exponent in 0..=22 {
        let power: f64 = format!("1e{exponent}").parse().unwrap();
        assert_eq!(log10(power), f64::from(exponent));
    }
    // The others are as near to a power of ten as floats are, and so are the logarithms.
    for exponent in -307..=308 {
        let power: f64 = format!("1e{exponent}").parse().unwrap();
        assert_eq!(log10(power), f64::from(exponent));
    }
}

#[test]
fn signs_of_arguments_only_change_signs() {
    for (name, _, function) in FUNCTIONS.iter().filter(|(name, ..)| !["arccosh", "log10"].contains(name)) {
        let is_even = *name == "cosh";
        for value in true_values(name) {
            let mirrored = if is_even { function(value.x) } else { -function(value.x) };
            assert_eq!(function(-value.x).to_bits(), mirrored.to_bits(), "{name}({:e})", value.x);
        }
    }
}

/// What the C library raises, where the processor can be asked.
fn expected_flags(name: &str, x: f64) -> Flags {
    let size = x.abs();
    match name {
        _ if cfg!(not(target_arch = "x86_64")) || x.is_nan() => Flags::NONE,
        "log10" if x == 0.0 => Flags::DIVIDE,
        "log10" if x < 0.0 => Flags::INVALID,
        "arccosh" if x < 1.0 => Flags::INVALID,
        "arctanh" if size > 1.0 => Flags::INVALID,
        "arctanh" if size == 1.0 => Flags::DIVIDE,
        "sinh" | "cosh" if x.is_finite() && size > 710.4758600739439 => Flags::OVERFLOW,
        "sinh" | "tanh" | "arcsinh" | "arctanh" if size > 0.0 && size < f64::MIN_POSITIVE => Flags::UNDERFLOW,
        _ => Flags::NONE,
    }
}

#[test]
fn flags_are_those_of_the_result_alone() {
    for (name, op, _) in FUNCTIONS {
        let inputs: Vec<f64> = specials().into_iter().chain(true_values(name).iter().map(|v| v.x)).collect();
        for isa in testing::isas() {
            let kernel = unary::kernel(isa, op, Type::F64).unwrap();
            let mut all = Flags::NONE;
            for &x in &inputs {
                let (mut input, mut out) = (Lanes::new(8), Lanes::new(8));
                input.bytes_mut().copy_from_slice(&x.to_le_bytes());
                let flags = run(&kernel, input.bytes(), out.bytes_mut(), 1);
                assert_eq!(flags, expected_flags(name, x), "{name}({x:e}) {isa:?}");
                all |= flags;
            }
            // Rows of one call, too, however their loop was compiled.
            let quiet: Vec<f64> =
                inputs.iter().copied().filter(|&x| expected_flags(name, x).is_empty()).collect();
            let bytes: Vec<u8> = quiet.iter().flat_map(|x| x.to_le_bytes()).collect();
            let (mut input, mut out) = (Lanes::new(bytes.len()), Lanes::new(bytes.len()));
            input.bytes_mut().copy_from_slice(&bytes);
            assert_eq!(
                run(&kernel, input.bytes(), out.bytes_mut(), quiet.len()),
                Flags::NONE,
                "{name} {isa:?}"
            );
            assert!(!all.is_empty() || cfg!(not(target_arch = "x86_64")), "{name}: no flag was tried");
        }
    }
}

#[test]
fn kernels_give_the_same_bits_on_every_instruction_set() {
    for (name, op, function) in FUNCTIONS {
        let inputs: Vec<f64> = specials().into_iter().chain(true_values(name).iter().map(|v| v.x)).collect();
        let n = inputs.len();
        for isa in testing::isas() {
            let bytes: Vec<u8> = inputs.iter().flat_map(|x| x.to_le_bytes()).collect();
            let (mut input, mut out) = (Lanes::new(8 * n), Lanes::new(8 * n));
            input.bytes_mut().copy_from_slice(&bytes);
            run(&unary::kernel(isa, op, Type::F64).unwrap(), input.bytes(), out.bytes_mut(), n);
            for (&x, found) in inputs.iter().zip(out.bytes().chunks(8)) {
                let found = f64::from_le_bytes(found.try_into().unwrap());
                assert!(
                    found.to_bits() == function(x).to_bits() || (found.is_nan() && function(x).is_nan()),
                    "{name}({x:e}) {isa:?}"
                );
            }
            // Of float32, the same rounded.
            let bytes: Vec<u8> = inputs.iter().flat_map(|&x| (x as f32).to_le_bytes()).collect();
            let (mut input, mut out) = (Lanes::new(4 * n), Lanes::new(4 * n));
            input.bytes_mut().copy_from_slice(&bytes);
            run(&unary::kernel(isa, op, Type::F32).unwrap(), input.bytes(), out.bytes_mut(), n);
            for (&x, found) in inputs.iter().zip(out.bytes().chunks(4)) {
                let found = f32::from_le_bytes(found.try_into().unwrap());
                let expected = function(f64::from(x as f32)) as f32;
                assert!(
                    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
                    "{name}({x:e}) of float32 {isa:?}"
                );
            }
        }
    }
}

#[test]
fn every_half_is_the_nearest_or_its_neighbour() {
    let all: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    let (mut input, mut out) = (Lanes::new(all.len()), Lanes::new(all.len()));
    input.bytes_mut().copy_from_slice(&all);
    for (name, op, function) in FUNCTIONS {
        for isa in testing::isas() {
            run(&unary::kernel(isa, op, Type::F16).unwrap(), input.bytes(), out.bytes_mut(), 1 << 16);
            for (bits, found) in out.bytes().chunks(2).enumerate() {
                let x = F16(bits as u16).to_f32();
                let found = F16(u16::from_le_bytes(found.try_into().unwrap()));
                let nearest = F16::from_f64(function(x.into()));
                assert_eq!(found.is_nan(), nearest.is_nan(), "{name}({x:e}) {isa:?}");
                assert!(found.is_nan() || found.0.abs_diff(nearest.0) <= 1, "{name}({x:e}) {isa:?}");
            }
        }
    }
}
