//! How functions of one row are declared: once for a group of types.

/// Functions of values of one type, of which [`F16`](super::half::F16) is computed as `f32`.
///
/// ```text
/// binary! { Name, Levels, result: [types] |a, b, flags| expression; … }
/// ```
macro_rules! unary {
    ($name:ident, $level:ident: $([$($type:ty => $out:ty),* $(,)?] |$a:ident, $flags:ident| $body:expr);* $(;)?) => {
        pub(super) struct $name<T>(std::marker::PhantomData<T>);
        $($(
            impl $crate::compute::loops::Unary for $name<$type> {
                type A = $type;
                type Out = $out;
                const LEVELS: $crate::compute::loops::Levels = $crate::compute::loops::Levels::$level;

                #[inline(always)]
                #[allow(unused_variables, clippy::cast_lossless, clippy::useless_conversion, trivial_numeric_casts, reason = "one text for all types")]
                fn apply($a: $type, $flags: &mut u32) -> $out {
                    #[allow(dead_code, reason = "not for every function")]
                    type T = $type;
                    $body
                }
            }
        )*)*
    };
}

macro_rules! binary {
    ($name:ident, $level:ident: $([$($type:ty => $out:ty),* $(,)?] |$a:ident, $b:ident, $flags:ident| $body:expr);* $(;)?) => {
        pub(super) struct $name<T>(std::marker::PhantomData<T>);
        $($(
            impl $crate::compute::loops::Binary for $name<$type> {
                type A = $type;
                type B = $type;
                type Out = $out;
                const LEVELS: $crate::compute::loops::Levels = $crate::compute::loops::Levels::$level;

                #[inline(always)]
                #[allow(unused_variables, clippy::cast_lossless, clippy::useless_conversion, trivial_numeric_casts, reason = "one text for all types")]
                fn apply($a: $type, $b: $type, $flags: &mut u32) -> $out {
                    #[allow(dead_code, reason = "not for every function")]
                    type T = $type;
                    $body
                }
            }
        )*)*
    };
}

/// The float16 form of functions of float32, rounded.
macro_rules! halves {
    (unary: $($name:ident),*) => {$(
        impl $crate::compute::loops::Unary for $name<$crate::compute::half::F16> {
            type A = $crate::compute::half::F16;
            type Out = $crate::compute::half::F16;
            const LEVELS: $crate::compute::loops::Levels = $crate::compute::loops::Levels::Two;

            #[inline(always)]
            fn apply(a: Self::A, flags: &mut u32) -> Self::Out {
                $crate::compute::half::F16::from_f32(<$name<f32>>::apply(a.to_f32(), flags))
            }
        }
    )*};
    (unary_bool: $($name:ident),*) => {$(
        impl $crate::compute::loops::Unary for $name<$crate::compute::half::F16> {
            type A = $crate::compute::half::F16;
            type Out = u8;
            const LEVELS: $crate::compute::loops::Levels = $crate::compute::loops::Levels::Two;

            #[inline(always)]
            fn apply(a: Self::A, flags: &mut u32) -> u8 {
                <$name<f32>>::apply(a.to_f32(), flags)
            }
        }
    )*};
    (binary: $($name:ident),*) => {$(
        impl $crate::compute::loops::Binary for $name<$crate::compute::half::F16> {
            type A = $crate::compute::half::F16;
            type B = $crate::compute::half::F16;
            type Out = $crate::compute::half::F16;
            const LEVELS: $crate::compute::loops::Levels = $crate::compute::loops::Levels::Two;

            #[inline(always)]
            fn apply(a: Self::A, b: Self::B, flags: &mut u32) -> Self::Out {
                $crate::compute::half::F16::from_f32(<$name<f32>>::apply(a.to_f32(), b.to_f32(), flags))
            }
        }
    )*};
    (binary_bool: $($name:ident),*) => {$(
        impl $crate::compute::loops::Binary for $name<$crate::compute::half::F16> {
            type A = $crate::compute::half::F16;
            type B = $crate::compute::half::F16;
            type Out = u8;
            const LEVELS: $crate::compute::loops::Levels = $crate::compute::loops::Levels::Two;

            #[inline(always)]
            fn apply(a: Self::A, b: Self::B, flags: &mut u32) -> u8 {
                <$name<f32>>::apply(a.to_f32(), b.to_f32(), flags)
            }
        }
    )*};
}

/// The kernel of a function for one of the types it is there for.
macro_rules! of_type {
    ($type:expr, $make:ident, $isa:expr, $name:ident: $($variant:ident $lane:ty),*) => {
        match $type {
            $($crate::compute::Type::$variant => Some($crate::compute::loops::$make::<$name<$lane>>($isa)),)*
            _ => None,
        }
    };
}

macro_rules! of_ints {
    ($type:expr, $make:ident, $isa:expr, $name:ident) => {
        of_type!($type, $make, $isa, $name: I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64)
    };
}

macro_rules! of_floats {
    ($type:expr, $make:ident, $isa:expr, $name:ident) => {
        of_type!($type, $make, $isa, $name: F16 $crate::compute::half::F16, F32 f32, F64 f64)
    };
}

macro_rules! of_numbers {
    ($type:expr, $make:ident, $isa:expr, $name:ident) => {
        of_type!(
            $type, $make, $isa, $name: I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64,
            F16 $crate::compute::half::F16, F32 f32, F64 f64
        )
    };
}
