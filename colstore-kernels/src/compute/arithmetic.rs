//! Sums, differences, products, quotients, powers; and division that rounds.
//!
//! Integers wrap. An integer divided by zero is 0, and the least one divided by -1 is itself; both are flagged.
//! Floats are IEEE 754; `//` and `%` round towards minus infinity and have the sign of the divisor, by NumPy's steps,
//! which decide the last bit.

use super::loops::Kernel;
use super::{Binary, Type};
use crate::isa::Isa;

const DIVIDE: u32 = 1;
const OVERFLOW: u32 = 2;
const NEGATIVE_POWER: u32 = 16;

binary! { Add, Three:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64, u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| a.wrapping_add(b);
    [f32 => f32, f64 => f64] |a, b, flags| a + b;
}
binary! { Subtract, Three:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64, u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| a.wrapping_sub(b);
    [f32 => f32, f64 => f64] |a, b, flags| a - b;
}
binary! { Multiply, Three:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64, u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| a.wrapping_mul(b);
    [f32 => f32, f64 => f64] |a, b, flags| a * b;
}
binary! { Divide, Three: [f32 => f32, f64 => f64] |a, b, flags| a / b }

binary! { FloorDivide, One:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64]
    |a, b, flags| if b == 0 {
        *flags |= DIVIDE;
        0
    } else if a == T::MIN && b == -1 {
        *flags |= OVERFLOW;
        T::MIN
    } else {
        let quotient = a / b;
        if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
    };
    [u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| a.checked_div(b).unwrap_or_else(|| { *flags |= DIVIDE; 0 });
    [f32 => f32, f64 => f64]
    |a, b, flags| if b == 0.0 {
        a / b
    } else {
        let remainder = a % b;
        let mut quotient = (a - remainder) / b;
        if remainder != 0.0 && (b < 0.0) != (remainder < 0.0) {
            quotient -= 1.0;
        }
        if quotient == 0.0 {
            (0.0 as T).copysign(a / b)
        } else {
            let floor = quotient.floor();
            if quotient - floor > 0.5 { floor + 1.0 } else { floor }
        }
    };
}
binary! { Remainder, One:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64]
    |a, b, flags| if b == 0 {
        *flags |= DIVIDE;
        0
    } else {
        let remainder = a.wrapping_rem(b);
        if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder }
    };
    [u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| a.checked_rem(b).unwrap_or_else(|| { *flags |= DIVIDE; 0 });
    [f32 => f32, f64 => f64]
    |a, b, flags| {
        let remainder = a % b;
        if b == 0.0 || remainder.is_nan() {
            remainder
        } else if remainder == 0.0 {
            (0.0 as T).copysign(b)
        } else if (b < 0.0) != (remainder < 0.0) {
            remainder + b
        } else {
            remainder
        }
    };
}
binary! { Fmod, One:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64]
    |a, b, flags| if b == 0 { *flags |= DIVIDE; 0 } else { a.wrapping_rem(b) };
    [u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| a.checked_rem(b).unwrap_or_else(|| { *flags |= DIVIDE; 0 });
    [f32 => f32, f64 => f64] |a, b, flags| a % b;
}
binary! { Power, One:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64]
    |a, b, flags| if b < 0 { *flags |= NEGATIVE_POWER; 0 } else {
        let (mut base, mut left, mut power) = (a, b, 1 as T);
        while left > 0 {
            if left & 1 == 1 {
                power = power.wrapping_mul(base);
            }
            base = base.wrapping_mul(base);
            left >>= 1;
        }
        power
    };
    [u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| {
        let (mut base, mut left, mut power) = (a, b, 1 as T);
        while left > 0 {
            if left & 1 == 1 {
                power = power.wrapping_mul(base);
            }
            base = base.wrapping_mul(base);
            left >>= 1;
        }
        power
    };
    [f32 => f32, f64 => f64] |a, b, flags| a.powf(b);
}
binary! { Gcd, One:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64]
    |a, b, flags| gcd(u64::from(a.unsigned_abs()), u64::from(b.unsigned_abs())) as T;
    [u8 => u8, u16 => u16, u32 => u32, u64 => u64] |a, b, flags| gcd(u64::from(a), u64::from(b)) as T;
}
binary! { Lcm, One:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64]
    |a, b, flags| lcm(u64::from(a.unsigned_abs()), u64::from(b.unsigned_abs())) as T;
    [u8 => u8, u16 => u16, u32 => u32, u64 => u64] |a, b, flags| lcm(u64::from(a), u64::from(b)) as T;
}
halves!(binary: Add, Subtract, Multiply, Divide, FloorDivide, Remainder, Fmod, Power);

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn lcm(a: u64, b: u64) -> u64 {
    match gcd(a, b) {
        0 => 0,
        divisor => (a / divisor).wrapping_mul(b),
    }
}

/// The kernel of an operation of this file, for values of one type.
pub(super) fn kernel(isa: Isa, op: Binary, ty: Type) -> Option<Kernel> {
    match op {
        Binary::Add => of_numbers!(ty, binary, isa, Add),
        Binary::Subtract => of_numbers!(ty, binary, isa, Subtract),
        Binary::Multiply => of_numbers!(ty, binary, isa, Multiply),
        Binary::Divide => of_floats!(ty, binary, isa, Divide),
        Binary::FloorDivide => of_numbers!(ty, binary, isa, FloorDivide),
        Binary::Remainder => of_numbers!(ty, binary, isa, Remainder),
        Binary::Fmod => of_numbers!(ty, binary, isa, Fmod),
        Binary::Power => of_numbers!(ty, binary, isa, Power),
        Binary::Gcd => of_ints!(ty, binary, isa, Gcd),
        Binary::Lcm => of_ints!(ty, binary, isa, Lcm),
        _ => None,
    }
}
