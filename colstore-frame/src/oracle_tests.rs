//! Random expressions over random rows: the program against the row-by-row interpreter.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use colstore_core::{ReadOptions, Rows};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};

use crate::interpret::interpret;
use crate::{
    Callback, CallbackError, ColumnName, Constant, DType, Expr, Function, Graph, Input, Literal, ValueSet,
    VecColumn, col, lit,
};

const N_ROWS: usize = 37;

/// The columns: name, dtype.
const NUMBERS: &[(&str, &str)] = &[
    ("b", "|b1"),
    ("i1", "|i1"),
    ("i2", "<i2"),
    ("i4", "<i4"),
    ("i8", "<i8"),
    ("u1", "|u1"),
    ("u2", "<u2"),
    ("u4", "<u4"),
    ("u8", "<u8"),
    ("f2", "<f2"),
    ("f4", "<f4"),
    ("f8", "<f8"),
];
const TEXTS: &[(&str, &str)] = &[("s3", "|S3"), ("s5", "|S5")];
const DATES: &[(&str, &str)] = &[("date", "<M8[D]"), ("second", "<M8[s]")];
const DURATIONS: &[(&str, &str)] = &[("days", "<m8[D]"), ("hours", "<m8[2h]")];

/// Bytes from a random source that shrinks nothing: what fails is printed whole.
struct Random(TestRng);

impl Random {
    fn new(seed: u64) -> Random {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Random(TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
    }

    fn below(&mut self, n: usize) -> usize {
        self.0.next_u64() as usize % n
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// A value with the extremes of its dtype often among them.
    fn value(&mut self, dtype: DType) -> Constant {
        use colstore_format::Kind;
        let bits = self.0.next_u64();
        let size = dtype.itemsize();
        let small = self.below(9) as i64 - 4;
        let bytes: Vec<u8> = match dtype.kind() {
            Kind::Bool => vec![(bits & 1) as u8],
            Kind::Bytes => (0..size).map(|_| self.one(b"ab\0")).collect(),
            Kind::Datetime | Kind::Timedelta if self.below(6) == 0 => i64::MIN.to_le_bytes().to_vec(),
            Kind::Datetime | Kind::Timedelta => (small * 1000).to_le_bytes().to_vec(),
            Kind::Float => {
                let value = match self.below(8) {
                    0 => self.one(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1e300, 5e-324]),
                    1 => bits as f64,
                    2 => (1u64 << 53) as f64,
                    3 => small as f64 + 0.5,
                    4 => i64::MAX as f64,
                    _ => small as f64,
                };
                match size {
                    8 => value.to_le_bytes().to_vec(),
                    4 => (value as f32).to_le_bytes().to_vec(),
                    _ => crate::expr::half::from_f64(value).to_le_bytes().to_vec(),
                }
            }
            _ => {
                let value = match self.below(4) {
                    0 => bits as i64,
                    1 => self.one(&[
                        i64::MIN,
                        i64::MAX,
                        -1,
                        1 << 53,
                        (1 << 53) + 1,
                        0x8080_8080_8080_8080u64 as i64,
                    ]),
                    _ => small,
                };
                value.to_le_bytes()[..size].to_vec()
            }
        };
        Constant::new(dtype, &bytes).unwrap()
    }

    fn literal(&mut self) -> Literal {
        match self.below(8) {
            0 => Literal::from(self.below(2) == 1),
            1 => Literal::from(self.one(&[
                127i128,
                128,
                255,
                256,
                -129,
                65536,
                i128::from(i64::MAX) + 1,
                -1 << 63,
                1 << 64,
            ])),
            2 | 3 => Literal::Float(self.one(&[0.5, -2.5, 0.0, 1e10, 1e300, 9007199254740993.0, 3.0])),
            4 => {
                let dtype = self.one(NUMBERS).1.parse().unwrap();
                Literal::Typed(self.value(dtype))
            }
            _ => Literal::from(self.below(7) as i64 - 3),
        }
    }

    fn number(&mut self, depth: usize) -> Expr {
        use Function as F;
        if depth == 0 || self.below(6) == 0 {
            return if self.below(4) == 0 { lit(self.literal()) } else { col(self.one(NUMBERS).0) };
        }
        let depth = depth - 1;
        match self.below(10) {
            0 | 1 => {
                let function = self.one(&[
                    F::Negative,
                    F::Positive,
                    F::Absolute,
                    F::Sign,
                    F::Square,
                    F::Floor,
                    F::Ceil,
                    F::Trunc,
                    F::Rint,
                    F::Sqrt,
                    F::Invert,
                    F::Fabs,
                ]);
                Expr::of(function, vec![self.number(depth)])
            }
            2 => {
                let (a, b) = (self.number(depth), self.number(depth));
                match self.below(4) {
                    // A constant that the dtype cannot hold is no limit at all.
                    0 => {
                        let (low, high) = (a + col(self.one(NUMBERS).0), b + col(self.one(NUMBERS).0));
                        Expr::of(F::Clip, vec![col(self.one(NUMBERS).0), low, high])
                    }
                    1 => Expr::of(F::Reciprocal, vec![col(self.one(&NUMBERS[9..]).0)]),
                    _ => Expr::of(F::Where, vec![self.condition(depth), a, b]),
                }
            }
            3 => {
                let exponent = lit(self.below(4) as i64);
                let base = col(self.one(&NUMBERS[..9]).0);
                base.pow(exponent)
            }
            4 => self.condition(depth),
            // The sign of a NaN is nobody's promise, so that it is not asked for.
            5 => Expr::of(F::Copysign, vec![self.number(depth), col(self.one(&NUMBERS[1..9]).0)]),
            _ => {
                let function = self.one(&[
                    F::Add,
                    F::Add,
                    F::Subtract,
                    F::Subtract,
                    F::Multiply,
                    F::Multiply,
                    F::TrueDivide,
                    F::FloorDivide,
                    F::Remainder,
                    F::Fmod,
                    F::Maximum,
                    F::Minimum,
                    F::Fmax,
                    F::Fmin,
                    F::BitwiseAnd,
                    F::BitwiseOr,
                    F::BitwiseXor,
                    F::LeftShift,
                    F::RightShift,
                    F::Gcd,
                    F::Lcm,
                    F::Heaviside,
                ]);
                Expr::of(function, vec![self.number(depth), self.number(depth)])
            }
        }
    }

    fn duration(&mut self, depth: usize) -> Expr {
        use Function as F;
        if depth == 0 {
            return col(self.one(DURATIONS).0);
        }
        let depth = depth - 1;
        match self.below(6) {
            0 => self.date(depth) - self.date(depth),
            1 => self.duration(depth) * lit(self.below(5) as i64 - 2),
            2 => {
                let function = self.one(&[F::Negative, F::Absolute, F::Positive]);
                Expr::of(function, vec![self.duration(depth)])
            }
            _ => {
                let function =
                    self.one(&[F::Add, F::Subtract, F::Maximum, F::Minimum, F::Fmax, F::Remainder]);
                Expr::of(function, vec![self.duration(depth), self.duration(depth)])
            }
        }
    }

    fn date(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.below(3) == 0 {
            col(self.one(DATES).0)
        } else {
            self.date(depth - 1) + self.duration(depth - 1)
        }
    }

    fn text(&mut self) -> Expr {
        match self.below(4) {
            0 => lit(self.one(&["a", "ab", "", "b\0", "abab"])),
            1 => col("s3") + col("s5"),
            _ => col(self.one(TEXTS).0),
        }
    }

    fn condition(&mut self, depth: usize) -> Expr {
        use Function as F;
        if depth == 0 {
            return col("b");
        }
        let depth = depth - 1;
        let comparison =
            self.one(&[F::Equal, F::NotEqual, F::Less, F::LessEqual, F::Greater, F::GreaterEqual]);
        match self.below(13) {
            12 => {
                let time =
                    if self.below(2) == 0 { self.date(depth.min(2)) } else { self.duration(depth.min(2)) };
                Expr::of(self.one(&[F::Isnat, F::Isnan, F::Isfinite]), vec![time])
            }
            0 | 1 => {
                let function = self.one(&[F::LogicalAnd, F::LogicalOr, F::LogicalXor]);
                Expr::of(function, vec![self.condition(depth), self.condition(depth)])
            }
            2 => Expr::of(F::LogicalNot, vec![self.condition(depth)]),
            3 => {
                let function = self.one(&[F::Isnan, F::Isinf, F::Isfinite]);
                Expr::of(function, vec![self.number(depth)])
            }
            4 => {
                let set: Vec<Literal> = (0..self.below(5)).map(|_| self.literal()).collect();
                let value = self.number(depth) + col(self.one(NUMBERS).0);
                if self.below(2) == 0 { value.isin(set) } else { value.not_in(set) }
            }
            5 => {
                let dtype: DType = self.one(NUMBERS).1.parse().unwrap();
                let bytes: Vec<u8> =
                    (0..self.below(20)).flat_map(|_| self.value(dtype).bytes().to_vec()).collect();
                col(self.one(NUMBERS).0).isin(ValueSet::from_array(dtype, &bytes).unwrap())
            }
            6 => Expr::of(comparison, vec![self.text(), self.text()]),
            7 => Expr::of(comparison, vec![self.date(depth.min(2)), self.date(depth.min(2))]),
            8 => Expr::of(comparison, vec![self.duration(depth.min(2)), self.duration(depth.min(2))]),
            9 => {
                let a = self.number(depth);
                Expr::of(self.one(&[F::LogicalAnd, F::LogicalOr]), vec![a, self.condition(depth)])
            }
            _ => Expr::of(comparison, vec![self.number(depth), self.number(depth)]),
        }
    }
}

/// Keeps what it is given, by row: the second argument has the row's number.
struct Recorder(Mutex<BTreeMap<i64, Vec<u8>>>);

impl Callback for Recorder {
    fn dtype(&self) -> DType {
        "|b1".parse().unwrap()
    }

    fn call(
        &self,
        args: &[&[u8]],
        dtypes: &[DType],
        n_rows: usize,
        out: &mut [u8],
    ) -> Result<(), CallbackError> {
        let mut rows = self.0.lock().unwrap();
        let numbers = args[1].chunks_exact(8).map(|word| i64::from_le_bytes(word.try_into().unwrap()));
        let values = args[0].chunks_exact(dtypes[0].itemsize().max(1));
        assert_eq!((numbers.len(), values.len(), out.len()), (n_rows, n_rows, n_rows));
        rows.extend(numbers.zip(values.map(<[u8]>::to_vec)));
        out.fill(1);
        Ok(())
    }
}

type Columns = BTreeMap<&'static str, Vec<Constant>>;

fn scope(columns: &Columns) -> Vec<(ColumnName, Expr)> {
    let input = |values: &[Constant]| {
        let bytes = values.iter().flat_map(|value| value.bytes().to_vec()).collect();
        let column = VecColumn::new(values[0].dtype(), bytes, values.len() as u64).unwrap();
        Expr::input(Input::memory(Arc::new(column)))
    };
    columns.iter().map(|(name, values)| (ColumnName::from(*name), input(values))).collect()
}

/// Every row's value of `expr` by the program, in the interpreter's dtype.
fn computed(expr: &Expr, columns: &Columns) -> crate::Result<Vec<Constant>> {
    let scope = scope(columns);
    let graph = Graph::bind(std::slice::from_ref(expr), scope.as_slice())?;
    let dtype = graph.dtype(0);
    let recorder = Arc::new(Recorder(Mutex::default()));
    let recorded = Expr::callback(recorder.clone(), [expr.clone(), col("row")])?;
    let graph = Graph::bind_condition(&recorded, scope.as_slice())?;
    graph.select_rows(0, &Rows::all(N_ROWS as u64), &ReadOptions::default())?;
    let rows = recorder.0.lock().unwrap();
    assert!(rows.keys().copied().eq(0..N_ROWS as i64));
    Ok(rows.values().map(|bytes| Constant::new(dtype, bytes).unwrap()).collect())
}

/// Equal but for the sign of NaN, and of a zero that two equal ones are chosen from.
fn same(a: &Constant, b: &Constant) -> bool {
    if a.dtype() != b.dtype() {
        return false;
    }
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b || a.is_nan() && b.is_nan(),
        _ => a == b,
    }
}

/// What differs for one expression, if anything.
fn difference(seed: u64) -> Option<String> {
    let mut random = Random::new(seed);
    let mut columns = Columns::new();
    for (name, dtype) in [NUMBERS, TEXTS, DATES, DURATIONS].concat() {
        let dtype = dtype.parse().unwrap();
        columns.insert(name, (0..N_ROWS).map(|_| random.value(dtype)).collect());
    }
    columns.insert("row", (0..N_ROWS as i64).map(Constant::int64).collect());
    let expr = match random.below(5) {
        0 | 1 => random.condition(4),
        2 => random.duration(3),
        3 => random.date(3),
        _ => random.number(4),
    };
    let row = |at: usize| {
        let columns = &columns;
        interpret(&expr, &move |name| columns.get(name.as_str()?).map(|values| values[at].clone()))
    };
    match (computed(&expr, &columns), row(0)) {
        (Ok(values), _) => values.iter().enumerate().find_map(|(at, value)| match row(at) {
            Ok(expected) if same(value, &expected) => None,
            expected => {
                Some(format!("seed {seed}, row {at}: {expr}\n  program {value:?}, row by row {expected:?}"))
            }
        }),
        (Err(error), Err(expected)) if error.kind() == expected.kind() => None,
        (Err(error), expected) => Some(format!("seed {seed}: {expr}: {error}; row by row {expected:?}")),
    }
}

#[test]
fn programs_give_what_rows_give() {
    let different: Vec<String> = (0..10_000).filter_map(difference).take(20).collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
}
