//! The commands, one module each: `run(arguments, output)`.

pub(crate) mod append;
pub(crate) mod calibration;
pub(crate) mod head;
pub(crate) mod info;
pub(crate) mod schema;
