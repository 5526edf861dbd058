//! The operations of expressions as nodes: loops found, operands converted, special cases decided.

use std::sync::Arc;

use colstore_format::{DType, Kind};

use super::{Binder, Bound};
use crate::error::{Error, Result};
use crate::expr::convert::{self, own_dtype};
use crate::expr::fold::fold;
use crate::expr::functions::Function;
use crate::expr::graph::{NodeId, Op};
use crate::expr::integer::Integer;
use crate::expr::literal::{Constant, Literal, ValueSet};
use crate::expr::scope::Scope;
use crate::expr::set;
use crate::expr::types::{self, BOOL, FLOAT16, FLOAT64, Name, Operand, resolve};

impl<S: Scope + ?Sized> Binder<'_, S> {
    pub(super) fn call(&mut self, function: Function, mut args: Vec<Bound>) -> Result<Bound> {
        let literals: Option<Vec<&Literal>> = args
            .iter()
            .map(|arg| match arg {
                Bound::Literal(literal) => Some(literal),
                Bound::Node(_) => None,
            })
            .collect();
        if let Some(folded) = literals.and_then(|literals| fold(function, &literals)) {
            return folded.map(Bound::Literal);
        }
        if let Some(decided) = self.compared_with_none(function, &args) {
            return Ok(Bound::Node(decided));
        }
        if function == Function::Clip {
            return self.clip(args).map(Bound::Node);
        }
        self.encode(&mut args)?;
        let truth = match function {
            Function::LogicalAnd | Function::LogicalOr | Function::LogicalXor | Function::LogicalNot => {
                args.len()
            }
            Function::Where => 1,
            _ => 0,
        };
        self.typed_call(function, &args, truth).map(Bound::Node)
    }

    /// `==` and `!=` with `None`, which equals nothing.
    fn compared_with_none(&mut self, function: Function, args: &[Bound]) -> Option<NodeId> {
        let decided = match function {
            Function::Equal => false,
            Function::NotEqual => true,
            _ => return None,
        };
        let none = args.iter().any(|arg| matches!(arg, Bound::Literal(Literal::None)));
        none.then(|| self.nodes.constant(Constant::bool(decided)))
    }

    /// Constant text beside a bytes column becomes bytes.
    fn encode(&self, args: &mut [Bound]) -> Result<()> {
        let beside_bytes = args.iter().any(|arg| match arg {
            Bound::Node(id) => self.nodes.dtype(*id).kind() == Kind::Bytes,
            Bound::Literal(_) => false,
        });
        if !beside_bytes {
            return Ok(());
        }
        for arg in args {
            let points: Option<Vec<u32>> = match &*arg {
                Bound::Literal(Literal::Str(points)) => Some(points.to_vec()),
                Bound::Literal(_) => None,
                Bound::Node(id) => self.nodes.value(*id).and_then(convert::points),
            };
            if let Some(points) = points {
                let bytes = convert::encoded(&points).ok_or_else(|| {
                    Error::value(
                        "text with lone surrogates has no bytes, and cannot be compared with a bytes column",
                    )
                })?;
                *arg = Bound::Literal(Literal::Bytes(bytes.into()));
            }
        }
        Ok(())
    }

    /// What the type rules see of an operand.
    fn operand(&self, arg: &Bound) -> Result<Operand> {
        Ok(match arg {
            Bound::Node(id) => Operand::Strong(self.nodes.dtype(*id)),
            Bound::Literal(Literal::Int(_)) => Operand::WeakInt,
            Bound::Literal(Literal::Float(_)) => Operand::WeakFloat,
            Bound::Literal(literal) => Operand::Strong(own_dtype(literal)?),
        })
    }

    /// The loop of a function; the first `truth` operands are tested for truth whatever they are.
    fn typed_call(&mut self, function: Function, args: &[Bound], truth: usize) -> Result<NodeId> {
        let operands: Vec<Operand> = args.iter().map(|arg| self.operand(arg)).collect::<Result<_>>()?;
        let found = resolve(function, &operands)?;
        if let Some(decided) = self.decided(function, args, &found.operands) {
            return Ok(decided);
        }
        if function == Function::Power {
            self.check_power(&found.operands, args)?;
        }
        let exact = function.is_comparison() && found.operands.contains(&FLOAT64);
        let mut ids = Vec::with_capacity(args.len());
        for (at, (arg, dtype)) in args.iter().zip(&found.operands).enumerate() {
            let wide_integer = exact && self.is_wide_integer(arg);
            ids.push(match arg {
                _ if at < truth => self.truth(arg)?,
                // Compared as it is: float64 does not hold it.
                Bound::Node(id) if wide_integer => *id,
                Bound::Node(id) => self.converted(*id, *dtype),
                Bound::Literal(literal @ (Literal::Str(_) | Literal::Bytes(_))) => {
                    let own = self.nodes.constant(convert::text(literal)?);
                    self.converted(own, *dtype)
                }
                Bound::Literal(literal) => self.nodes.constant(convert::weak(literal, *dtype)?),
            });
        }
        Ok(self
            .identity(function, &ids)
            .unwrap_or_else(|| self.nodes.add(found.result, Op::Call { function, args: ids })))
    }

    fn is_wide_integer(&self, arg: &Bound) -> bool {
        let Bound::Node(id) = arg else { return false };
        let dtype = self.nodes.dtype(*id);
        matches!(dtype.kind(), Kind::Int | Kind::UInt) && dtype.itemsize() == 8
    }

    /// A comparison of integers with a literal outside of their range.
    fn decided(&mut self, function: Function, args: &[Bound], dtypes: &[DType]) -> Option<NodeId> {
        let [left, right] = args else { return None };
        let (function, literal, dtype) = match (left, right) {
            (Bound::Node(_), Bound::Literal(Literal::Int(literal))) => {
                (function.comparison()?, literal, dtypes[1])
            }
            (Bound::Literal(Literal::Int(literal)), Bound::Node(_)) => {
                (function.swapped()?, literal, dtypes[0])
            }
            _ => return None,
        };
        if !matches!(dtype.kind(), Kind::Int | Kind::UInt) || convert::exact_literal(literal, dtype).is_some()
        {
            return None;
        }
        let above = *literal > Integer::from(0);
        let holds = match function {
            Function::NotEqual => true,
            Function::Less | Function::LessEqual => above,
            Function::Greater | Function::GreaterEqual => !above,
            _ => false,
        };
        Some(self.nodes.constant(Constant::bool(holds)))
    }

    /// An integer to a negative power has no integer value.
    fn check_power(&self, dtypes: &[DType], args: &[Bound]) -> Result<()> {
        let negative = match &args[1] {
            Bound::Literal(Literal::Int(value)) => value.is_negative(),
            Bound::Literal(_) => false,
            Bound::Node(id) => {
                self.nodes.value(*id).and_then(Constant::as_i128).is_some_and(|value| value < 0)
            }
        };
        if negative && dtypes[0].kind() == Kind::Int {
            return Err(Error::value(
                "Integers to negative integer powers are not allowed; write the exponent as a float, as in x ** -1.0",
            ));
        }
        Ok(())
    }

    /// Whether the value is not zero or empty.
    fn truth(&mut self, arg: &Bound) -> Result<NodeId> {
        let id = self.own(arg)?;
        let dtype = self.nodes.dtype(id);
        if matches!(dtype.kind(), Kind::Bytes | Kind::Unicode) {
            let empty = self.nodes.constant(Constant::of(dtype, &vec![0; dtype.itemsize()]));
            return Ok(self
                .nodes
                .add(BOOL, Op::Call { function: Function::NotEqual, args: vec![id, empty] }));
        }
        if dtype.kind() == Kind::Float && !types::is_number(dtype) {
            return Err(Error::type_error(format!(
                "{} values are read and written, not computed with",
                Name(dtype)
            )));
        }
        Ok(self.converted(id, BOOL))
    }

    /// The node as `dtype`.
    fn converted(&mut self, id: NodeId, dtype: DType) -> NodeId {
        if self.nodes.dtype(id) == dtype {
            return id;
        }
        if let Some(constant) = self.nodes.value(id).and_then(|value| convert::exact(value, dtype)) {
            return self.nodes.constant(constant);
        }
        self.nodes.add(dtype, Op::Cast(id))
    }

    /// The operand of a function that does nothing to values of its dtype.
    fn identity(&self, function: Function, ids: &[NodeId]) -> Option<NodeId> {
        let [id] = ids else { return None };
        let kind = self.nodes.dtype(*id).kind();
        let same = match function {
            Function::Positive => true,
            Function::Floor | Function::Ceil | Function::Trunc => kind != Kind::Float,
            Function::Absolute => matches!(kind, Kind::Bool | Kind::UInt),
            _ => false,
        };
        same.then_some(*id)
    }

    /// Bounds that are `None` are none. Integer literals beyond what the values' dtype holds bound nothing, if they are on
    /// their side of it.
    fn clip(&mut self, args: Vec<Bound>) -> Result<NodeId> {
        let [value, mut low, mut high] = <[Bound; 3]>::try_from(args)
            .map_err(|_| Error::type_error("clip takes a value and two bounds"))?;
        if let Bound::Node(id) = value {
            let dtype = self.nodes.dtype(id);
            for (bound, is_low) in [(&mut low, true), (&mut high, false)] {
                let Bound::Literal(Literal::Int(literal)) = &*bound else { continue };
                let beyond = matches!(dtype.kind(), Kind::Int | Kind::UInt)
                    && convert::exact_literal(literal, dtype).is_none()
                    && literal.is_negative() == is_low;
                if beyond {
                    *bound = Bound::Literal(Literal::None);
                }
            }
        }
        let none = |bound: &Bound| matches!(bound, Bound::Literal(Literal::None));
        match (none(&low), none(&high)) {
            (true, true) => self.own(&value),
            (false, true) => self.typed_call(Function::Maximum, &[value, low], 0),
            (true, false) => self.typed_call(Function::Minimum, &[value, high], 0),
            (false, false) => self.typed_call(Function::Clip, &[value, low, high], 0),
        }
    }

    pub(super) fn is_in(&mut self, value: &Bound, set: &Arc<ValueSet>, negated: bool) -> Result<NodeId> {
        let value = self.own(value)?;
        let dtype = self.nodes.dtype(value);
        if dtype.kind() == Kind::Float && !types::is_number(dtype) {
            return Err(Error::type_error(format!(
                "{} values are read and written, not looked up",
                Name(dtype)
            )));
        }
        let set = Arc::new(set::sorted(set, dtype));
        Ok(self.nodes.add(BOOL, Op::IsIn { value, set, negated }))
    }

    pub(super) fn cast(&mut self, value: &Bound, dtype: DType) -> Result<NodeId> {
        let id = self.own(value)?;
        let from = self.nodes.dtype(id);
        let is_text = |dtype: DType| matches!(dtype.kind(), Kind::Bytes | Kind::Unicode);
        let is_wide = |dtype: DType| dtype.kind() == Kind::Float && !types::is_number(dtype);
        if from != dtype && (is_text(from) != is_text(dtype) || is_wide(from) || is_wide(dtype)) {
            return Err(Error::type_error(format!(
                "values of {} are not cast to {} here; numbers and times are cast to each other, and text to text",
                Name(from),
                Name(dtype)
            )));
        }
        Ok(self.converted(id, dtype))
    }

    pub(super) fn round(&mut self, value: &Bound, decimals: i32) -> Result<NodeId> {
        let id = self.own(value)?;
        let dtype = self.nodes.dtype(id);
        match dtype.kind() {
            Kind::Bool if decimals == 0 => Ok(self.converted(id, FLOAT16)),
            Kind::Int | Kind::UInt if decimals == 0 => Ok(id),
            Kind::Int | Kind::UInt if decimals > 0 => Ok(self.converted(id, FLOAT64)),
            Kind::Int | Kind::UInt => Ok(self.nodes.add(dtype, Op::Round { value: id, decimals })),
            Kind::Float if types::is_number(dtype) => {
                Ok(self.nodes.add(dtype, Op::Round { value: id, decimals }))
            }
            _ => Err(Error::type_error(format!(
                "{} values are not rounded to {decimals} decimals",
                Name(dtype)
            ))),
        }
    }
}
