//! Values for the `@names` of a text.

use std::collections::HashMap;

use crate::expr::{Literal, ValueSet};

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// One value: usable wherever a literal is.
    Value(Literal),
    /// Several: usable to the right of `in`.
    Set(ValueSet),
}

impl<L: Into<Literal>> From<L> for Parameter {
    fn from(value: L) -> Parameter {
        Parameter::Value(value.into())
    }
}

impl From<ValueSet> for Parameter {
    fn from(set: ValueSet) -> Parameter {
        Parameter::Set(set)
    }
}

/// Parameters by name. Those that a text does not use are ignored.
///
/// ```
/// use colstore_frame::{Parameters, parse};
///
/// let parameters = Parameters::new().with("cut", 30).with("runs", colstore_frame::ValueSet::from([1, 2]));
/// let parsed = parse("pt > @cut and run in @runs", &parameters)?;
/// assert_eq!(parsed.expr().to_string(), "pt > 30 and run in [1, 2]");
/// # Ok::<(), colstore_frame::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parameters(HashMap<String, Parameter>);

impl Parameters {
    /// No parameters.
    pub fn new() -> Parameters {
        Parameters::default()
    }

    /// These and one more; a later value of the same name replaces an earlier one.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Parameter>) -> Parameters {
        self.insert(name, value);
        self
    }

    /// Adds one; a later value of the same name replaces an earlier one.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Parameter>) {
        self.0.insert(name.into(), value.into());
    }

    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<&Parameter> {
        self.0.get(name)
    }

    /// The names, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
