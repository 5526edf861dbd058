//! Gives the shared library its SONAME, which a cdylib does not get by itself.

use std::path::Path;

/// The number is raised when the ABI breaks, and only then.
const SONAME: &str = "libcolstore.so.0";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return;
    }
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{SONAME}");
    link_beside_the_library();
}

/// A program that was linked with `-Ltarget/release -lcolstore` asks for the SONAME when it is run: lets it
/// find the library in the folder that it was linked from. A failure is no error, an installed library has
/// its own link.
fn link_beside_the_library() {
    // OUT_DIR is <folder of the library>/build/colstore-ffi-<hash>/out.
    let Some(out) = std::env::var_os("OUT_DIR") else { return };
    let Some(build) = Path::new(&out).ancestors().nth(2) else { return };
    if let (Some(folder), Some("build")) = (build.parent(), build.file_name().and_then(|name| name.to_str()))
    {
        #[cfg(unix)]
        let _exists_already = std::os::unix::fs::symlink("libcolstore.so", folder.join(SONAME));
        #[cfg(not(unix))]
        let _unused = folder;
    }
}
