//! Which library this is.

use std::ffi::{CStr, c_char};

/// The version of the ABI that this header describes. Compare it with `colstore_abi_version()` after loading.
pub const ABI_VERSION: u32 = 1;

/// The version of the package, with a NUL.
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

/// The version of the ABI that the loaded library has. It is raised when something that programs rely on
/// changes; additions do not raise it.
#[unsafe(no_mangle)]
pub extern "C" fn colstore_abi_version() -> u32 {
    ABI_VERSION
}

/// The version of the library, such as `"0.6.0"`. The text is static: never free it.
#[unsafe(no_mangle)]
pub extern "C" fn colstore_version() -> *const c_char {
    VERSION.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_package_s() {
        assert_eq!(VERSION.to_str().unwrap(), env!("CARGO_PKG_VERSION"));
    }
}
