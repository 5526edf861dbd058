//! The commands, one module each: `run(arguments, output)`.

pub(crate) mod append;
pub(crate) mod calibration;
pub(crate) mod compact;
pub(crate) mod concat;
pub(crate) mod head;
pub(crate) mod info;
pub(crate) mod recover;
pub(crate) mod schema;
pub(crate) mod verify;
