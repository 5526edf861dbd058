#!/usr/bin/env python3
"""Installs the library into an empty prefix, and builds and runs a program of its users there in every way.

python tests/install/run.py --library TARGET/release --cmake .venv/bin/cmake
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
CONSUMER = Path(__file__).resolve().parent / "consumer"
SONAME = "libcolstore.so.0"
VALUES = "1.5 2.5 4"

# What the shared library may need: the C library, its mathematics, the unwinder; the kernel's page; the loader.
MAY_NEED = {
    "libc.so.6",
    "libm.so.6",
    "libgcc_s.so.1",
    "linux-vdso.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
}


def run(command, **environment):
    """Runs a command; what it wrote. A failure ends the tests."""
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=600,
        env=os.environ | {name: str(value) for name, value in environment.items()},
        check=False,
    )
    if done.returncode != 0:
        sys.exit(
            f"tests/install: {' '.join(map(str, command))} ends with {done.returncode}\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def check(holds, what):
    if not holds:
        sys.exit(f"tests/install: {what}")


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def install(action, library, prefix, **variables):
    script = TOP / "packaging" / "install.sh"
    run([script, action, library], PREFIX=prefix, **variables)


def check_files(library, scratch, version):
    """What is installed, where, with which names; that DESTDIR makes no difference; that nothing stays behind."""
    prefix, stage = scratch / "first", scratch / "stage"
    install("install", library, prefix)
    lib = prefix / "lib"
    check(
        (lib / "libcolstore.so").resolve() == lib / f"libcolstore.so.{version}",
        "libcolstore.so is no link to the library",
    )
    check(os.readlink(lib / SONAME) == f"libcolstore.so.{version}", f"{SONAME} is no link to the library")
    headers = {f"include/{path}" for path in files_in(TOP / "bindings" / "cpp" / "include")}
    check(headers <= set(files_in(prefix)), "not all headers are installed")
    check(files_in(prefix / "include").count("colstore.h") == 1, "colstore.h is not installed")
    for path in ["lib/pkgconfig/colstore.pc", "lib/cmake/colstore/colstore-config.cmake"]:
        text = (prefix / path).read_text()
        check("@" not in text and str(scratch) not in text, f"{path} has a path or a name that was not replaced")

    install("install", library, "/opt/somewhere", DESTDIR=stage)
    staged = stage / "opt" / "somewhere"
    check(
        files_in(stage) == [f"opt/somewhere/{path}" for path in files_in(prefix)], "DESTDIR changes what is installed"
    )
    for path in files_in(prefix):
        check((staged / path).read_bytes() == (prefix / path).read_bytes(), f"{path} depends on where it is installed")
    install("uninstall", library, "/opt/somewhere", DESTDIR=stage)
    check(files_in(stage) == [], f"uninstall leaves {files_in(stage)}")
    check(not (staged / "include" / "colstore").exists(), "uninstall leaves a directory")

    # Directories as distributions have them: the way back to the prefix is longer.
    install("install", library, "/usr", DESTDIR=stage, LIBDIR="/usr/lib/x86_64-linux-gnu")
    pc = stage / "usr/lib/x86_64-linux-gnu/pkgconfig/colstore.pc"
    if shutil.which("pkg-config"):
        flags = run(["pkg-config", "--cflags", "--libs", "colstore"], PKG_CONFIG_PATH=pc.parent)
        paths = [os.path.normpath(path) for path in re.findall(r"-[IL](\S+)", flags)]
        check(
            paths == [str(stage / "usr/include"), str(stage / "usr/lib/x86_64-linux-gnu")], f"colstore.pc gives {flags}"
        )
    # An installation can be moved.
    moved = scratch / "moved to a place with spaces"
    prefix.rename(moved)
    return moved


def check_library(lib):
    """Its SONAME, what it needs, and what it exports."""
    dynamic = run(["readelf", "-d", lib / "libcolstore.so"])
    check(f"Library soname: [{SONAME}]" in dynamic, f"the SONAME is not {SONAME}:\n{dynamic}")
    needed = {Path(line.split()[0]).name for line in run(["ldd", lib / "libcolstore.so"]).splitlines()}
    check(needed <= MAY_NEED, f"the library needs {sorted(needed - MAY_NEED)}")
    print(f"the library needs {', '.join(sorted(needed))}")


def check_program(name, program, scratch, version, lib=None):
    """Runs a consumer; with `lib`, it finds the shared library there, else it must not need it."""
    if lib is None:
        check("libcolstore" not in run(["ldd", program]), f"{name} is not linked statically")
    path = scratch / f"{name}.cstore"
    said = run([program, path], **({"LD_LIBRARY_PATH": lib} if lib else {}))
    check(said == f"{version} {VALUES}\n", f"{name} says {said!r}")
    print(f"{name}: {said.strip()}")


def check_compiler(prefix, scratch, version, compilers):
    """With -I and -L alone."""
    lib = prefix / "lib"
    for name, compiler, source in [("c", compilers["c"], "consumer.c"), ("cpp", compilers["cpp"], "consumer.cpp")]:
        program = scratch / f"flags_{name}"
        strict = ["-Wall", "-Wextra", "-Werror", *(["-std=c++17"] if name == "cpp" else ["-std=c11"])]
        run([compiler, *strict, CONSUMER / source, f"-I{prefix / 'include'}", f"-L{lib}", "-lcolstore", "-o", program])
        check_program(f"flags_{name}", program, scratch, version, lib)


def check_pkg_config(prefix, scratch, version, compilers):
    """With pkg-config, shared; and static in an installation that has nothing else."""
    path = prefix / "lib" / "pkgconfig"
    check(run(["pkg-config", "--modversion", "colstore"], PKG_CONFIG_PATH=path).strip() == version, "--modversion")
    flags = run(["pkg-config", "--cflags", "--libs", "colstore"], PKG_CONFIG_PATH=path)
    build = f'{compilers["c"]} "{CONSUMER / "consumer.c"}" {flags.strip()} -o "{scratch / "pc_shared"}"'
    run(["sh", "-c", build])
    check_program("pc_shared", scratch / "pc_shared", scratch, version, prefix / "lib")

    only_static = scratch / "only_static"
    shutil.copytree(prefix, only_static, symlinks=True)
    for shared in (only_static / "lib").glob("libcolstore.so*"):
        shared.unlink()
    flags = run(
        ["pkg-config", "--static", "--cflags", "--libs", "colstore"], PKG_CONFIG_PATH=only_static / "lib/pkgconfig"
    )
    check("-lm" in flags.split(), "Libs.private is missing")
    for name, compiler, source in [
        ("c", compilers["c"], "consumer.c"),
        ("cpp", f"{compilers['cpp']} -std=c++17", "consumer.cpp"),
    ]:
        program = scratch / f"pc_static_{name}"
        run(["sh", "-c", f'{compiler} "{CONSUMER / source}" {flags.strip()} -o "{program}"'])
        check_program(f"pc_static_{name}", program, scratch, version)


def check_cmake(prefix, scratch, version, cmake):
    """With find_package: all four targets, and versions that will not do."""
    build = scratch / "build"
    configured = run(
        [cmake, "-S", CONSUMER, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release"]
    )
    check(
        f"found colstore {version} in {prefix}/lib/cmake/colstore" in configured, f"CMake finds another:\n{configured}"
    )
    run([cmake, "--build", build])
    for name in ["c_shared", "cpp_shared"]:
        # CMake gives programs in the build tree the way to the library.
        check("libcolstore.so.0" in run(["readelf", "-d", build / name]), f"{name} does not need {SONAME}")
        check_program(f"cmake_{name}", build / name, scratch, version, prefix / "lib")
    for name in ["c_static", "cpp_static"]:
        check_program(f"cmake_{name}", build / name, scratch, version)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--library", required=True)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cxx", default="c++")
    options = parser.parse_args()
    library, cmake = Path(options.library).resolve(), Path(options.cmake).absolute()
    version = re.search(r'^version = "(.*)"$', (TOP / "Cargo.toml").read_text(), re.MULTILINE).group(1)
    compilers = {"c": options.cc, "cpp": options.cxx}
    with tempfile.TemporaryDirectory(prefix="colstore-install-") as folder:
        scratch = Path(folder)
        prefix = check_files(library, scratch, version)
        check_library(prefix / "lib")
        check_compiler(prefix, scratch, version, compilers)
        check_cmake(prefix, scratch, version, cmake)
        if shutil.which("pkg-config"):
            check_pkg_config(prefix, scratch, version, compilers)
        else:
            print("left out: pkg-config is not installed")
        install("uninstall", library, prefix)
        check(files_in(prefix) == [], f"uninstall leaves {files_in(prefix)}")
    print("tests/install: all passed")


if __name__ == "__main__":
    main()
