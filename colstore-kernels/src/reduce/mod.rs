//! Many values into one.

mod min_max;
mod number;

pub use min_max::{MinMax, min_max};
pub use number::Number;
