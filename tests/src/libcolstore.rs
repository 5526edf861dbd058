//! The release build of libcolstore, for tests of the library as it is shipped.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The top of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests lie in the repository").to_path_buf()
}

/// The folder with the release build of `libcolstore.so` and `libcolstore.a`, built anew if sources have
/// changed: in the target directory that the test itself was built in.
///
/// # Panics
///
/// When the build fails.
pub fn release_folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // The test is TARGET/debug/deps/NAME.
        let test = std::env::current_exe().expect("the test knows where it is");
        let target = test.ancestors().nth(3).expect("a test lies in a target directory");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["build", "--release", "--locked", "-p", "colstore-ffi", "--target-dir"])
            .arg(target)
            .current_dir(repository())
            .output()
            .expect("cargo can be run");
        assert!(
            output.status.success(),
            "libcolstore cannot be built:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        target.join("release")
    })
}
