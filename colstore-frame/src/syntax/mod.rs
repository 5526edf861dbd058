//! Expressions as text: `lexer` (with `number` and `string`) cuts it into tokens, `parser` makes expressions of them,
//! `printer` writes them again.

mod lexer;
mod number;
mod params;
mod parser;
mod printer;
mod string;
#[cfg(test)]
mod tests;

pub use params::{Parameter, Parameters};
pub use parser::{Parsed, parse};
pub(crate) use printer::print;
