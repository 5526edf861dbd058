//! How many rows each cut of a frame leaves.
//!
//! ```text
//! base rows ──cut 1──► passing, which enter ──cut 2──► passing, …
//! ```

use colstore_core::{ReadOptions, Reduction, Rows, Scalar};

use crate::error::Result;
use crate::evaluation::Outcome;
use crate::expr::{Expr, Graph};
use crate::frame::Frame;

/// What one cut of a frame does.
#[derive(Debug, Clone, PartialEq)]
pub struct CutRecord {
    /// What the cut was called; `None` if it was given no name.
    pub label: Option<String>,
    /// The condition as text, with the names it was given with.
    pub condition: String,
    /// The number of rows that all cuts before leave.
    pub entering: u64,
    /// The number of them that this one leaves.
    pub passing: u64,
    /// The sum of the weights of the rows that enter; `None` for a cut without weight.
    pub weighted_entering: Option<f64>,
    /// The sum of the weights of the rows that pass.
    pub weighted_passing: Option<f64>,
    /// The sum of the squares of the weights of the rows that pass: their variance.
    pub weighted_variance: Option<f64>,
}

impl CutRecord {
    /// The share of rows that pass; 0 if none enter.
    pub fn efficiency(&self) -> f64 {
        if self.entering == 0 { 0.0 } else { self.passing as f64 / self.entering as f64 }
    }

    /// The share of weight that passes; 0 if none enters, `None` without weight.
    pub fn weighted_efficiency(&self) -> Option<f64> {
        let (entering, passing) = self.weighted_entering.zip(self.weighted_passing)?;
        Some(if entering == 0.0 { 0.0 } else { passing / entering })
    }
}

impl Frame {
    /// What each cut does, in their order.
    ///
    /// # Errors
    ///
    /// Failures of reading and of callbacks.
    pub fn cutflow(&self, options: &ReadOptions<'_>) -> Result<(Vec<CutRecord>, Outcome)> {
        let mut outcome = Outcome::default();
        let mut records = Vec::with_capacity(self.cuts.len());
        // Positions among the base rows.
        let mut left: Rows<'static> = Rows::all(self.base.len());
        for cut in &self.cuts {
            let graph = Graph::bind(std::slice::from_ref(&cut.condition), self.scope())?;
            let entering = left.len();
            let found = graph.evaluate(&self.base, Some(&left))?.select_rows(0, options)?;
            outcome = outcome.and(found.outcome);
            let passing = left.select(&found.rows)?;
            let (mut before, mut after, mut variance) = (None, None, None);
            if let Some(weight) = &cut.weight {
                let mut sum = |expr: &Expr, rows: &Rows<'static>| -> Result<f64> {
                    let graph = Graph::bind(std::slice::from_ref(expr), self.scope())?;
                    let evaluation = graph.evaluate(&self.base, Some(rows))?;
                    let (scalar, went_on) = evaluation.reduce(0, Reduction::Sum, 0.0, options)?;
                    outcome = outcome.and(went_on);
                    Ok(as_f64(scalar))
                };
                before = Some(sum(weight, &left)?);
                after = Some(sum(weight, &passing)?);
                let weight = weight.clone().cast(crate::expr::types::FLOAT64);
                variance = Some(sum(&(weight.clone() * weight), &passing)?);
            }
            records.push(CutRecord {
                label: cut.label.clone(),
                condition: cut.given.to_string(),
                entering,
                passing: passing.len(),
                weighted_entering: before,
                weighted_passing: after,
                weighted_variance: variance,
            });
            left = passing;
        }
        Ok((records, outcome))
    }
}

fn as_f64(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::Float(value) => value,
        Scalar::Int(value) => value as f64,
        Scalar::Uint(value) => value as f64,
        Scalar::Bool(value) => f64::from(u8::from(value)),
        _ => 0.0,
    }
}
