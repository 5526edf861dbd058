//! Which kernels the operations of a graph are.

use colstore_format::{DType, Kind};
use colstore_kernels::compute::{self, Binary, Compare, Set, TextUnit, TimeOp, Type, Unary};

use super::calendar::{self, TimeCast};
use super::program::{Builder, Source, Work};
use super::roots::RootComparison;
use super::texts::TextWork;
use crate::error::{Error, Result};
use crate::expr::{Function, Graph, NodeId, Op, TypedNode};

/// How kernels call what a dtype holds; `None` for text and for floats that no processor here computes with.
pub(super) fn type_of(dtype: DType) -> Option<Type> {
    Some(match (dtype.kind(), dtype.itemsize()) {
        (Kind::Bool, _) => Type::Bool,
        (Kind::Int, 1) => Type::I8,
        (Kind::Int, 2) => Type::I16,
        (Kind::Int, 4) => Type::I32,
        (Kind::Int, 8) => Type::I64,
        (Kind::UInt, 1) => Type::U8,
        (Kind::UInt, 2) => Type::U16,
        (Kind::UInt, 4) => Type::U32,
        (Kind::UInt, 8) => Type::U64,
        (Kind::Float, 2) => Type::F16,
        (Kind::Float, 4) => Type::F32,
        (Kind::Float, 8) => Type::F64,
        (Kind::Datetime | Kind::Timedelta, _) => Type::Time,
        _ => return None,
    })
}

fn text_unit(dtype: DType) -> Option<TextUnit> {
    match dtype.kind() {
        Kind::Bytes => Some(TextUnit::Byte),
        Kind::Unicode => Some(TextUnit::CodePoint),
        _ => None,
    }
}

/// Little-endian bytes of values of a dtype in native order.
pub(crate) fn native(dtype: DType, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if cfg!(target_endian = "big") {
        bytes.chunks_mut(dtype.word_size().max(1)).for_each(<[u8]>::reverse);
    }
    bytes
}

/// The comparison that a function is.
pub(super) fn comparison(function: Function) -> Option<Compare> {
    Some(match function {
        Function::Equal => Compare::Equal,
        Function::NotEqual => Compare::NotEqual,
        Function::Less => Compare::Less,
        Function::LessEqual => Compare::LessEqual,
        Function::Greater => Compare::Greater,
        Function::GreaterEqual => Compare::GreaterEqual,
        _ => return None,
    })
}

/// Functions of one value that are a kernel each.
fn unary(function: Function) -> Option<Unary> {
    use Function as F;
    Some(match function {
        F::Negative => Unary::Negative,
        F::Absolute | F::Fabs => Unary::Absolute,
        F::Sign => Unary::Sign,
        F::Square => Unary::Square,
        F::Reciprocal => Unary::Reciprocal,
        F::Sqrt => Unary::Sqrt,
        F::Floor => Unary::Floor,
        F::Ceil => Unary::Ceil,
        F::Trunc => Unary::Trunc,
        F::Rint => Unary::Rint,
        F::Isnan | F::Isnat => Unary::IsNan,
        F::Isinf => Unary::IsInf,
        F::Isfinite => Unary::IsFinite,
        F::Signbit => Unary::SignBit,
        F::Spacing => Unary::Spacing,
        F::Degrees | F::Rad2deg => Unary::Degrees,
        F::Radians | F::Deg2rad => Unary::Radians,
        F::Cbrt => Unary::Cbrt,
        F::Exp => Unary::Exp,
        F::Exp2 => Unary::Exp2,
        F::Expm1 => Unary::Expm1,
        F::Log => Unary::Log,
        F::Log2 => Unary::Log2,
        F::Log10 => Unary::Log10,
        F::Log1p => Unary::Log1p,
        F::Sin => Unary::Sin,
        F::Cos => Unary::Cos,
        F::Tan => Unary::Tan,
        F::Arcsin => Unary::Arcsin,
        F::Arccos => Unary::Arccos,
        F::Arctan => Unary::Arctan,
        F::Sinh => Unary::Sinh,
        F::Cosh => Unary::Cosh,
        F::Tanh => Unary::Tanh,
        F::Arcsinh => Unary::Arcsinh,
        F::Arccosh => Unary::Arccosh,
        F::Arctanh => Unary::Arctanh,
        _ => return None,
    })
}

/// Functions of two values that are a kernel each.
fn binary(function: Function) -> Option<Binary> {
    use Function as F;
    Some(match function {
        F::Add => Binary::Add,
        F::Subtract => Binary::Subtract,
        F::Multiply => Binary::Multiply,
        F::TrueDivide => Binary::Divide,
        F::FloorDivide => Binary::FloorDivide,
        F::Remainder => Binary::Remainder,
        F::Fmod => Binary::Fmod,
        F::Power | F::FloatPower => Binary::Power,
        F::BitwiseAnd => Binary::And,
        F::BitwiseOr => Binary::Or,
        F::BitwiseXor => Binary::Xor,
        F::LeftShift => Binary::LeftShift,
        F::RightShift => Binary::RightShift,
        F::Gcd => Binary::Gcd,
        F::Lcm => Binary::Lcm,
        F::Maximum => Binary::Maximum,
        F::Minimum => Binary::Minimum,
        F::Fmax => Binary::Fmax,
        F::Fmin => Binary::Fmin,
        F::Copysign => Binary::CopySign,
        F::Nextafter => Binary::NextAfter,
        F::Heaviside => Binary::Heaviside,
        F::Logaddexp => Binary::LogAddExp,
        F::Logaddexp2 => Binary::LogAddExp2,
        F::Arctan2 => Binary::Arctan2,
        F::Hypot => Binary::Hypot,
        _ => return None,
    })
}

impl Builder {
    /// Adds the steps of a node and of all it takes, as far as they are not there.
    pub(super) fn lower(&mut self, graph: &Graph, result: NodeId) -> Result<()> {
        // Without recursion: expressions may be thousands of levels deep.
        let mut stack = vec![(result, false)];
        while let Some((id, operands_done)) = stack.pop() {
            if self.nodes.contains_key(&id) {
                continue;
            }
            let node = graph.node(id);
            let of_root = RootComparison::of(graph, id).filter(|found| !self.nodes.contains_key(&found.root));
            if let Some(found) = of_root {
                match self.nodes.get(&found.of) {
                    Some(&of) => {
                        let source = self.root_comparison(&found, of)?;
                        self.nodes.insert(id, source);
                    }
                    None => stack.extend([(id, false), (found.of, false)]),
                }
            } else if operands_done {
                let source = self.node(graph, node)?;
                self.nodes.insert(id, source);
            } else {
                stack.push((id, true));
                stack.extend(node.op.operands().iter().rev().map(|&operand| (operand, false)));
            }
        }
        Ok(())
    }

    fn root_comparison(&mut self, found: &RootComparison, of: Source) -> Result<Source> {
        let kernel = compute::compare(found.op, Type::F64)
            .ok_or_else(|| Error::type_error("float64 values are not compared"))?;
        let limit = self.constant(&native_f64(found.limit));
        Ok(self.kernel(kernel, &[of, limit]))
    }

    fn node(&mut self, graph: &Graph, node: &TypedNode) -> Result<Source> {
        let dtype = node.dtype;
        let operands: Vec<Source> = node.op.operands().iter().map(|operand| self.nodes[operand]).collect();
        let dtypes: Vec<DType> =
            node.op.operands().iter().map(|&operand| graph.node(operand).dtype).collect();
        match &node.op {
            Op::Input(index) => {
                let slot = self.slots.iter().position(|slot| slot == index).unwrap_or_else(|| {
                    self.slots.push(*index);
                    self.slots.len() - 1
                });
                let is_bool = dtype.kind() == Kind::Bool;
                Ok(self.emit(Work::Load { slot, is_bool }, &[], dtype.itemsize()))
            }
            Op::Constant(constant) => Ok(self.constant(&native(dtype, constant.bytes()))),
            Op::Cast(_) => self.cast(operands[0], dtypes[0], dtype),
            Op::Call { function, args } => {
                let exponent = match (function, args.get(1).map(|&arg| &graph.node(arg).op)) {
                    (Function::Power, Some(Op::Constant(constant))) => constant.as_f64(),
                    _ => None,
                };
                self.call(*function, &operands, &dtypes, dtype, exponent)
            }
            Op::IsIn { set, negated, .. } => {
                let found = set.dtype();
                if let Some(unit) = text_unit(dtypes[0]) {
                    let width = dtypes[0].itemsize();
                    let work = Work::IsInText { set: set.clone(), unit, width, negated: *negated };
                    return Ok(self.emit(work, &operands, 1));
                }
                let ty = type_of(dtypes[0]).ok_or_else(|| unsupported("isin", &dtypes))?;
                let set = Box::new(Set::new(ty, &native(found, set.bytes())));
                Ok(self.emit(Work::IsIn { set, negated: *negated }, &operands, 1))
            }
            Op::Round { decimals, .. } => self.round(operands[0], dtype, *decimals),
            Op::Callback { callback, .. } => {
                let work = Work::Callback { callback: callback.clone(), dtypes };
                Ok(self.emit(work, &operands, dtype.itemsize()))
            }
        }
    }

    fn cast(&mut self, value: Source, from: DType, to: DType) -> Result<Source> {
        if from == to {
            return Ok(value);
        }
        let refuse = || Error::type_error(format!("cannot cast values of dtype '{from}' to '{to}'"));
        match (type_of(from), type_of(to)) {
            (Some(Type::Time), Some(Type::Time)) => match calendar::time_cast(from, to).ok_or_else(refuse)? {
                TimeCast::Same => Ok(value),
                TimeCast::Scale { numerator, denominator } => {
                    let factors = [numerator, denominator].map(|factor| self.constant(&native_i64(factor)));
                    Ok(self.kernel(compute::time(TimeOp::Scale), &[value, factors[0], factors[1]]))
                }
                calendar => Ok(self.emit(Work::Time(calendar), &[value], 8)),
            },
            (Some(from), Some(to)) => {
                if from == to {
                    return Ok(value);
                }
                Ok(self.kernel(compute::cast(from, to), &[value]))
            }
            _ => {
                let work = TextWork::cast(from, to).ok_or_else(refuse)?;
                Ok(self.emit(Work::Text(work), &[value], to.itemsize()))
            }
        }
    }

    /// A truth value of any number.
    fn truth(&mut self, value: Source, dtype: DType, name: &str) -> Result<Source> {
        match type_of(dtype) {
            Some(Type::Bool) => Ok(value),
            Some(ty) => Ok(self.kernel(compute::cast(ty, Type::Bool), &[value])),
            None => {
                let work = TextWork::truth(dtype).ok_or_else(|| unsupported(name, &[dtype]))?;
                Ok(self.emit(Work::Text(work), &[value], 1))
            }
        }
    }

    fn call(
        &mut self,
        function: Function,
        operands: &[Source],
        dtypes: &[DType],
        dtype: DType,
        exponent: Option<f64>,
    ) -> Result<Source> {
        use Function as F;
        let refuse = || unsupported(function.name(), dtypes);
        if let Some(op) = comparison(function) {
            return self.compare(op, operands, dtypes).ok_or_else(refuse);
        }
        match function {
            F::LogicalAnd | F::LogicalOr | F::LogicalXor => {
                let a = self.truth(operands[0], dtypes[0], function.name())?;
                let b = self.truth(operands[1], dtypes[1], function.name())?;
                let op = match function {
                    F::LogicalAnd => Binary::And,
                    F::LogicalOr => Binary::Or,
                    _ => Binary::Xor,
                };
                let kernel = compute::binary(op, Type::Bool).ok_or_else(refuse)?;
                return Ok(self.kernel(kernel, &[a, b]));
            }
            F::LogicalNot => {
                let a = self.truth(operands[0], dtypes[0], function.name())?;
                let kernel = compute::unary(Unary::LogicalNot, Type::Bool).ok_or_else(refuse)?;
                return Ok(self.kernel(kernel, &[a]));
            }
            F::Positive => return Ok(operands[0]),
            F::Where => {
                let condition = self.truth(operands[0], dtypes[0], function.name())?;
                let all = [condition, operands[1], operands[2]];
                let width = dtype.itemsize();
                return match (compute::select(width), text_unit(dtype)) {
                    (Some(kernel), None) => Ok(self.kernel(kernel, &all)),
                    _ => Ok(self.emit(Work::Text(TextWork::Select { width }), &all, width)),
                };
            }
            _ => {}
        }
        if let Some(first) = dtypes.first()
            && text_unit(*first).is_some()
        {
            let work = match function {
                F::Add => TextWork::concat(dtypes, dtype),
                F::Maximum | F::Fmax => TextWork::extreme(dtypes, dtype, true),
                F::Minimum | F::Fmin => TextWork::extreme(dtypes, dtype, false),
                _ => None,
            };
            return Ok(self.emit(Work::Text(work.ok_or_else(refuse)?), operands, dtype.itemsize()));
        }
        let types: Vec<Type> = dtypes.iter().filter_map(|&dtype| type_of(dtype)).collect();
        if types.len() != operands.len() {
            return Err(refuse());
        }
        if types.contains(&Type::Time)
            && let Some(source) = self.times(function, operands, dtypes, &types)
        {
            return Ok(source);
        }
        if let (Some(op), [ty]) = (unary(function), &types[..]) {
            return self.unary(function, op, operands[0], *ty).ok_or_else(refuse);
        }
        match (function, &types[..]) {
            (F::Invert, [Type::Bool]) => {
                let kernel = compute::unary(Unary::LogicalNot, Type::Bool).ok_or_else(refuse)?;
                Ok(self.kernel(kernel, operands))
            }
            (F::Invert, [ty]) => {
                let kernel = compute::unary(Unary::Invert, *ty).ok_or_else(refuse)?;
                Ok(self.kernel(kernel, operands))
            }
            (F::Clip, [ty, _, _]) => {
                let kernel = compute::clip(*ty).ok_or_else(refuse)?;
                Ok(self.kernel(kernel, operands))
            }
            (F::Ldexp, &[ty, exponents]) => {
                let kernel = compute::ldexp(ty, exponents).ok_or_else(refuse)?;
                Ok(self.kernel(kernel, operands))
            }
            (F::Power, [ty, _]) if exponent.is_some() => {
                self.power(operands, *ty, exponent).ok_or_else(refuse)
            }
            (_, &[ty, other]) if ty == other => {
                let op = match (function, ty) {
                    (F::Add, Type::Bool) => Some(Binary::Or),
                    (F::Multiply, Type::Bool) => Some(Binary::And),
                    _ => binary(function),
                };
                let kernel = op.and_then(|op| compute::binary(op, ty)).ok_or_else(refuse)?;
                Ok(self.kernel(kernel, operands))
            }
            _ => Err(refuse()),
        }
    }

    fn unary(&mut self, function: Function, op: Unary, value: Source, ty: Type) -> Option<Source> {
        use Function as F;
        let is_float = matches!(ty, Type::F16 | Type::F32 | Type::F64);
        if is_float || ty == Type::Time {
            if ty == Type::Time && op == Unary::IsInf {
                return Some(self.constant(&[0]));
            }
            return compute::unary(op, ty).map(|kernel| self.kernel(kernel, &[value]));
        }
        match function {
            // Integers are whole, finite numbers.
            F::Floor | F::Ceil | F::Trunc | F::Rint => Some(value),
            F::Absolute if ty == Type::Bool => Some(value),
            F::Isnan | F::Isinf => Some(self.constant(&[0])),
            F::Isfinite => Some(self.constant(&[1])),
            _ => compute::unary(op, ty).map(|kernel| self.kernel(kernel, &[value])),
        }
    }

    fn compare(&mut self, op: Compare, operands: &[Source], dtypes: &[DType]) -> Option<Source> {
        let &[a, b] = dtypes else { return None };
        if let (Some(unit), Some(other)) = (text_unit(a), text_unit(b)) {
            let widths = [a.itemsize(), b.itemsize()];
            let work = Work::CompareText { op, unit, widths };
            return (unit == other).then(|| self.emit(work, operands, 1));
        }
        let swapped = [operands[1], operands[0]];
        let (kernel, operands) = match (type_of(a)?, type_of(b)?) {
            (Type::I64, Type::U64) => (compute::compare_mixed(op), operands),
            (Type::U64, Type::I64) => (compute::compare_mixed(op.swapped()), &swapped[..]),
            (ty @ (Type::I64 | Type::U64), Type::F64) => (compute::compare_exact(op, ty)?, operands),
            (Type::F64, ty @ (Type::I64 | Type::U64)) => {
                (compute::compare_exact(op.swapped(), ty)?, &swapped[..])
            }
            (ty, other) if ty == other => (compute::compare(op, ty)?, operands),
            _ => return None,
        };
        Some(self.kernel(kernel, operands))
    }

    /// Operations of dates and durations that are not those of numbers.
    fn times(
        &mut self,
        function: Function,
        operands: &[Source],
        dtypes: &[DType],
        types: &[Type],
    ) -> Option<Source> {
        use Function as F;
        let &[a, b] = types else { return None };
        let swapped = [operands[1], operands[0]];
        let (op, operands) = match (function, a, b) {
            (F::Add, Type::Time, Type::Time) => (TimeOp::Add, operands),
            (F::Subtract, Type::Time, Type::Time) => (TimeOp::Subtract, operands),
            (F::Multiply, Type::Time, Type::I64) => (TimeOp::MultiplyInt, operands),
            (F::Multiply, Type::I64, Type::Time) => (TimeOp::MultiplyInt, &swapped[..]),
            (F::Multiply, Type::Time, Type::F64) => (TimeOp::MultiplyFloat, operands),
            (F::Multiply, Type::F64, Type::Time) => (TimeOp::MultiplyFloat, &swapped[..]),
            (F::TrueDivide | F::FloorDivide, Type::Time, Type::I64) => (TimeOp::DivideInt, operands),
            (F::TrueDivide | F::FloorDivide, Type::Time, Type::F64) => (TimeOp::DivideFloat, operands),
            (F::TrueDivide, Type::Time, Type::Time) => (TimeOp::Ratio, operands),
            (F::FloorDivide, Type::Time, Type::Time) => (TimeOp::FloorRatio, operands),
            (F::Remainder, Type::Time, Type::Time) => (TimeOp::Remainder, operands),
            (F::Fmod, Type::Time, Type::Time) => (TimeOp::Fmod, operands),
            _ => return None,
        };
        let _ = dtypes;
        Some(self.kernel(compute::time(op), operands))
    }

    /// A float to a constant power. As NumPy does it, some are not computed by `pow`.
    fn power(&mut self, operands: &[Source], ty: Type, exponent: Option<f64>) -> Option<Source> {
        let unary = |builder: &mut Builder, op| {
            compute::unary(op, ty).map(|kernel| builder.kernel(kernel, &operands[..1]))
        };
        match exponent {
            Some(2.0) => unary(self, Unary::Square),
            Some(1.0) => Some(operands[0]),
            Some(-1.0) => unary(self, Unary::Reciprocal),
            Some(0.5) => unary(self, Unary::Sqrt),
            _ => compute::binary(Binary::Power, ty).map(|kernel| self.kernel(kernel, operands)),
        }
    }

    /// `numpy.round`: scaled by a power of ten, rounded, and scaled back.
    fn round(&mut self, value: Source, dtype: DType, decimals: i32) -> Result<Source> {
        let refuse = || unsupported("round", &[dtype]);
        let ty = type_of(dtype).ok_or_else(refuse)?;
        let is_float = matches!(ty, Type::F16 | Type::F32 | Type::F64);
        if !is_float {
            if decimals >= 0 {
                return Ok(value);
            }
            let wide = self.kernel(compute::cast(ty, Type::F64), &[value]);
            let rounded = self.round_float(wide, Type::F64, decimals).ok_or_else(refuse)?;
            return Ok(self.kernel(compute::cast(Type::F64, ty), &[rounded]));
        }
        self.round_float(value, ty, decimals).ok_or_else(refuse)
    }

    fn round_float(&mut self, value: Source, ty: Type, decimals: i32) -> Option<Source> {
        let rint = compute::unary(Unary::Rint, ty)?;
        if decimals == 0 {
            return Some(self.kernel(rint, &[value]));
        }
        let ten = self.constant(&native_f64(10_f64.powi(decimals.saturating_abs())));
        let ten = if ty == Type::F64 { ten } else { self.kernel(compute::cast(Type::F64, ty), &[ten]) };
        let (there, back) = match decimals > 0 {
            true => (Binary::Multiply, Binary::Divide),
            false => (Binary::Divide, Binary::Multiply),
        };
        let (there, back) = (compute::binary(there, ty)?, compute::binary(back, ty)?);
        let scaled = self.kernel(there, &[value, ten]);
        let rounded = self.kernel(rint, &[scaled]);
        Some(self.kernel(back, &[rounded, ten]))
    }
}

#[allow(clippy::host_endian_bytes, reason = "registers are in native order")]
fn native_f64(value: f64) -> [u8; 8] {
    value.to_ne_bytes()
}

#[allow(clippy::host_endian_bytes, reason = "registers are in native order")]
fn native_i64(value: i64) -> [u8; 8] {
    value.to_ne_bytes()
}

fn unsupported(name: &str, dtypes: &[DType]) -> Error {
    let dtypes: Vec<String> = dtypes.iter().map(|dtype| format!("'{dtype}'")).collect();
    Error::type_error(format!("{name} is not there for values of dtype {}", dtypes.join(", ")))
}
