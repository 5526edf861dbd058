//! The instruction set the kernels use: found once, when first asked for.
//!
//! ```text
//! detected := the best of scalar, avx2, avx512 that this processor runs
//! active   := detected, or COLSTORE_ISA if that names a lesser one
//! ```
//!
//! The environment variable is for tests and for holding one implementation against another. It never raises the
//! instruction set above what the processor has, and a value that names none is ignored.

use std::sync::OnceLock;

/// The environment variable that forces an instruction set: `scalar`, `avx2` or `avx512`.
pub const VARIABLE: &str = "COLSTORE_ISA";

/// An instruction set, the lesser ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Isa {
    /// What every processor of the architecture has.
    Scalar,
    /// 32-byte vectors: AVX2, with BMI1, BMI2 and FMA.
    Avx2,
    /// 64-byte vectors: AVX-512 F, BW, DQ and VL.
    Avx512,
}

impl Isa {
    /// Every instruction set there is a kernel for, the lesser ones first.
    pub const ALL: [Isa; 3] = [Isa::Scalar, Isa::Avx2, Isa::Avx512];

    /// The name that [`VARIABLE`] takes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Isa::Scalar => "scalar",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
        }
    }

    /// The instruction set of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Isa> {
        Isa::ALL.into_iter().find(|isa| isa.name() == name)
    }

    /// Whether this processor runs it.
    #[must_use]
    pub fn is_available(self) -> bool {
        self <= detected()
    }
}

/// The best instruction set of this processor.
#[must_use]
pub fn detected() -> Isa {
    static DETECTED: OnceLock<Isa> = OnceLock::new();
    *DETECTED.get_or_init(detect)
}

/// The instruction set the kernels use in this process.
#[must_use]
pub fn active() -> Isa {
    static ACTIVE: OnceLock<Isa> = OnceLock::new();
    *ACTIVE.get_or_init(|| choose(detected(), std::env::var(VARIABLE).ok().as_deref()))
}

fn choose(detected: Isa, wish: Option<&str>) -> Isa {
    wish.and_then(Isa::from_name).map_or(detected, |wish| wish.min(detected))
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Isa {
    use std::arch::is_x86_feature_detected as has;
    if !(has!("avx2") && has!("bmi1") && has!("bmi2") && has!("fma")) {
        Isa::Scalar
    } else if has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
        Isa::Avx512
    } else {
        Isa::Avx2
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Isa {
    Isa::Scalar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_only_lowers() {
        assert_eq!(choose(Isa::Avx2, None), Isa::Avx2);
        assert_eq!(choose(Isa::Avx2, Some("avx512")), Isa::Avx2);
        assert_eq!(choose(Isa::Avx512, Some("avx2")), Isa::Avx2);
        assert_eq!(choose(Isa::Avx512, Some("scalar")), Isa::Scalar);
    }

    #[test]
    fn an_unknown_wish_is_ignored() {
        assert_eq!(choose(Isa::Avx512, Some("AVX-2")), Isa::Avx512);
        assert_eq!(choose(Isa::Avx2, Some("")), Isa::Avx2);
    }

    #[test]
    fn names_round_trip() {
        for isa in Isa::ALL {
            assert_eq!(Isa::from_name(isa.name()), Some(isa));
        }
    }

    #[test]
    fn what_is_active_is_available() {
        assert!(active().is_available());
        assert!(Isa::Scalar.is_available());
    }
}
