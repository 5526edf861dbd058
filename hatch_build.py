"""Build hook of the wheel: `cargo build`, then the library goes into the package.

The environment may say
- `CARGO`: the cargo to run (for example `cargo-zigbuild`, with `COLSTORE_CARGO_ARGS`), otherwise `cargo`;
- `COLSTORE_CARGO_ARGS`: more arguments for `cargo build`, such as `--target x86_64-unknown-linux-gnu`;
- `COLSTORE_WHEEL_PLATFORM`: the platform tag, such as `manylinux_2_17_x86_64`, for a library built to deserve it.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = Path("bindings/python/colstore")
LIBRARY_NAMES = ("libcolstore.so", "libcolstore.dylib", "colstore.dll")


class LibraryBuildHook(BuildHookInterface):
    """Puts `libcolstore` beside the Python modules and tags the wheel with the platform."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the files are collected, for ordinary and for editable wheels."""
        root = Path(self.root)
        built = self._cargo_build(root)
        installed = root / PACKAGE / "_native" / built.name
        # A new file, never the old one rewritten: some process may have it mapped.
        temporary = installed.with_name(f".{built.name}.{os.getpid()}.tmp")
        shutil.copyfile(built, temporary)
        os.replace(temporary, installed)
        # git ignores the library, and hatchling would.
        build_data["artifacts"].append(f"/{installed.relative_to(root).as_posix()}")
        build_data["pure_python"] = False
        platform = os.environ.get("COLSTORE_WHEEL_PLATFORM") or sysconfig.get_platform()
        build_data["tag"] = f"py3-none-{platform.replace('-', '_').replace('.', '_')}"

    def _cargo_build(self, root: Path) -> Path:
        """The library, freshly built in release mode."""
        cargo = os.environ.get("CARGO", "cargo")
        if shutil.which(cargo) is None:
            raise RuntimeError(
                f"{cargo!r} was not found; building colstore needs Rust 1.88 or newer (https://rustup.rs)"
            )
        command = [
            cargo,
            "build",
            "--release",
            "--locked",
            "-p",
            "colstore-ffi",
            "--message-format=json-render-diagnostics",
        ]
        command += shlex.split(os.environ.get("COLSTORE_CARGO_ARGS", ""))
        self.app.display_info(" ".join(command))
        output = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout
        for line in output.splitlines():
            message = json.loads(line)
            if message.get("reason") == "compiler-artifact" and "cdylib" in message["target"]["kind"]:
                for name in message["filenames"]:
                    if Path(name).name in LIBRARY_NAMES:
                        return Path(name)
        raise RuntimeError(f"{' '.join(command)} built no shared library")
