#!/usr/bin/env python3
"""Compiles and runs the tests of the C++ headers: in every standard, with sanitizers, under valgrind.

python tests/cpp/run.py --library TARGET/release [--compiler c++] [--jobs 2]
"""

import argparse
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
TESTS = TOP / "tests" / "cpp"
HEADERS = TOP / "bindings" / "cpp" / "include"
GOLDEN = TOP / "tests" / "data" / "golden"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-g", "-O1"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
TIMEOUT = 600

# What must not compile, and a part of what the compiler must say.
REFUSED = {
    'table.read<bool>("x")': "read colstore::boolean",
    'table.read<std::string>("x")': "see colstore::element",
    'table.read<char>("x")': "see colstore::element",
    'table.view<bool>("x")': "read colstore::boolean",
    'table.view<std::string_view>("x").span()': "use a std::array",
    'table.read<std::chrono::duration<double>>("x")': "counts of 8 bytes",
    "colstore::rows::mask(3, std::vector<int>(3))": "a mask is made of",
    "colstore::rows::indices(3, std::vector<double>(3))": "row numbers are integers",
    'colstore::store("x", {{"t", std::vector<colstore::datetime>(3)}})': "a count has no unit",
    'colstore::column_data("x", colstore::elements<colstore::datetime>(nullptr, 0, 8, 8))': "a count has no unit",
    "auto other = table": "deleted",
    'auto one = colstore::col("x"); auto other = one': "deleted",
    "auto one = table.edit(); auto other = one": "deleted",
    'static_cast<bool>(colstore::col("x") > 1)': "deleted",
    'colstore::col("x") > 1 ? 1 : 2': "deleted",
    'colstore::col("x") == std::vector<int>(3)': "no match for",
    """colstore::col("x") == 'a'""": "a character is no number",
    'colstore::col("x") * 1.5L': "is no float of 8 bytes",
    'colstore::col("x") > colstore::datetime{3}': "a count has no unit",
    "colstore::constant(colstore::timedelta{3})": "a count has no unit",
    "colstore::literal(std::chrono::duration<double>(3))": "counts of 8 bytes",
    'isin(colstore::col("x"), std::vector<colstore::datetime>(3))': "a count has no unit",
    'table.edit().assign("y", std::vector<double>(3))': "give a container as memory()",
    "table.edit().memory(std::vector<std::string>(3))": "see colstore::element",
    'table.edit().read<bool>("x")': "read colstore::boolean",
    'table.edit().evaluate<bool>("x > 1")': "read colstore::boolean",
    'colstore::callback<double(bool)>([](auto, auto) {}, colstore::col("x"))': "read colstore::boolean",
    'colstore::callback<double>([](auto, auto) {}, colstore::col("x"))': "write callback<Result(Operands...)>",
    'colstore::callback<double(double, int)>([](auto, auto, auto) {}, colstore::col("x"))': "as many operands",
    'colstore::callback<double(int)>([n = 0](auto, auto) mutable { ++n; }, colstore::col("x"))': "must be const",
    'colstore::callback<double(int)>([](auto) {}, colstore::col("x"))': "is called with a span",
    'colstore::callback("f8", {colstore::col("x")}, [](int) {})': "is called with a colstore::block",
}

# A file for the example of cuts: of six flights, one each is stopped by the four cuts.
FLIGHTS = """
#include <colstore.hpp>

int main()
{
    using text2 = std::array<char, 2>;
    using text3 = std::array<char, 3>;
    const std::vector<double> dep_delay{15, 60, 60, 60, 60, 90}, arr_delay{-30, 10, 10, 45, 10, 20};
    const std::vector<double> air_time{200, 200, 200, 200, 200, 250};
    const std::vector<std::int64_t> distance{1500, 1500, 999, 1500, 1500, 2000}, zeros(6);
    const text3 jfk{'J', 'F', 'K'}, lga{'L', 'G', 'A'};
    const std::vector<text3> origin{jfk, lga, jfk, lga, jfk, lga};
    const std::vector<text2> carrier{{'A', 'A'}, {'M', 'Q'}, {'A', 'A'}, {'U', 'A'}, {'A', 'A'}, {'U', 'A'}};
    colstore::store("flights.cstore", {{"dep_delay", dep_delay}, {"arr_delay", arr_delay}, {"air_time", air_time},
                                       {"distance", distance}, {"origin", origin}, {"carrier", carrier},
                                       {"year", zeros}, {"hour", zeros}, {"minute", zeros}});
}
"""


class Runner:
    def __init__(self, options, scratch):
        self.compiler = options.compiler
        self.library = Path(options.library).resolve()
        self.jobs = options.jobs
        self.scratch = scratch
        self.failures = []

    def fail(self, what, output=""):
        self.failures.append(what)
        print(f"FAILED: {what}\n{output}", flush=True)

    def command(self, standard, *arguments):
        includes = [f"-I{TOP / 'include'}", f"-I{HEADERS}"]
        return [self.compiler, f"-std={standard}", *STRICT, *includes, *map(str, arguments)]

    def has_standard(self, standard):
        probe = [self.compiler, f"-std={standard}", "-fsyntax-only", "-x", "c++", os.devnull]
        return subprocess.run(probe, capture_output=True, check=False).returncode == 0

    def compile(self, what, command, source=None):
        """Runs a compiler; whether it succeeds, with its output."""
        done = subprocess.run(command, input=source, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        if done.returncode != 0:
            self.fail(f"{what} does not compile", done.stderr[:4000])
        return done.returncode == 0

    def build(self, name, standard, sources, flags=()):
        """A program from several sources, each of which includes the headers; None if it cannot be built."""
        folder = self.scratch / name
        folder.mkdir()
        objects = [folder / f"{source.stem}.o" for source in sources]
        jobs = [
            (f"{source.name} ({name})", self.command(standard, *flags, "-c", source, "-o", made))
            for source, made in zip(sources, objects)
        ]
        with ThreadPoolExecutor(self.jobs) as pool:
            built = list(pool.map(lambda job: self.compile(*job), jobs))
        program = folder / "tests"
        link = self.command(standard, *flags, *objects, f"-L{self.library}", "-lcolstore", "-o", program)
        return program if all(built) and self.compile(f"the program ({name})", link) else None

    def run(self, name, command, **environment):
        """Runs a program of tests in a folder of its own; it must say that nothing failed."""
        folder = Path(tempfile.mkdtemp(dir=self.scratch))
        variables = os.environ | {"LD_LIBRARY_PATH": str(self.library)} | environment
        done = subprocess.run(
            [*map(str, command), str(GOLDEN), str(folder)],
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            env=variables,
            check=False,
        )
        shutil.rmtree(folder)
        said = done.stdout.strip().rpartition("\n")[2]
        if done.returncode != 0 or not said.endswith(" 0 failed"):
            self.fail(f"{name} ends with {done.returncode}", done.stdout[-4000:] + done.stderr[-4000:])
        else:
            print(f"{name}: {said}", flush=True)


def check_headers_alone(runner):
    """Every header compiles by itself, and twice in one source."""
    headers = [*sorted(HEADERS.glob("colstore/*.hpp")), HEADERS / "colstore.hpp"]

    def check(header):
        name = header.relative_to(HEADERS)
        command = runner.command("c++17", "-fsyntax-only", "-x", "c++", "-")
        return runner.compile(str(name), command, f"#include <{name}>\n#include <{name}>\n")

    with ThreadPoolExecutor(runner.jobs) as pool:
        count = sum(pool.map(check, headers))
    listed = set(re.findall(r"#include <colstore/(\w+\.hpp)>", (HEADERS / "colstore.hpp").read_text()))
    if missing := {header.name for header in headers[:-1]} - listed:
        runner.fail(f"colstore.hpp does not include {sorted(missing)}")
    print(f"{count} headers compile by themselves", flush=True)


def check_refusals(runner):
    """What would be undefined or meaningless does not compile, and the compiler says why."""

    def check(case):
        expression, expected = case
        source = (
            f"#include <colstore.hpp>\nvoid f(const colstore::table &table) {{ static_cast<void>({expression}); }}\n"
        )
        if expression.startswith("auto"):
            source = source.replace(f"static_cast<void>({expression})", expression)
        command = runner.command("c++17", "-fsyntax-only", "-x", "c++", "-")
        done = subprocess.run(command, input=source, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        if done.returncode == 0 or expected not in done.stderr:
            runner.fail(f"`{expression}` is not refused with '{expected}'", done.stderr[:2000])

    with ThreadPoolExecutor(runner.jobs) as pool:
        list(pool.map(check, REFUSED.items()))
    print(f"{len(REFUSED)} mistakes do not compile", flush=True)


def check_names(runner):
    """The headers call every function of the C interface, but for those in without_name.txt."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HEADERS.rglob("*.hpp")))
    used = set(re.findall(r"::(colstore_\w+)", text))
    exported = set((TOP / "tests" / "data" / "symbols.txt").read_text().split())
    lines = (TESTS / "without_name.txt").read_text().splitlines()
    patterns = [line.partition(":")[0] for line in lines if line and not line.startswith("#")]
    excused = {pattern: set(fnmatch.filter(exported, pattern)) for pattern in patterns}
    if missing := exported - used - set().union(*excused.values()):
        runner.fail(f"functions without a C++ name: {sorted(missing)}")
    if stale := [pattern for pattern, functions in excused.items() if not functions or functions & used]:
        runner.fail(f"without_name.txt lists what is not so: {stale}")
    print(f"{len(exported & used)} of {len(exported)} functions have a C++ name", flush=True)


def build_example(runner, name):
    """An example, which must say the command that it is built with; None if it cannot be built."""
    source = TOP / "examples" / "cpp" / f"{name}.cpp"
    includes = "-Iinclude -Ibindings/cpp/include"
    build = f"c++ -std=c++17 examples/cpp/{name}.cpp {includes} -Ltarget/release -lcolstore -o {name}\n"
    if build not in source.read_text(encoding="utf-8"):
        runner.fail(f"examples/cpp/{name}.cpp does not say how it is built")
    program = runner.scratch / name
    link = [f"-L{runner.library}", "-lcolstore", "-o", program]
    return program if runner.compile(f"examples/cpp/{name}.cpp", runner.command("c++17", source, *link)) else None


def check_reading_example(runner):
    """The example of reading builds, and fails with a message."""
    program = build_example(runner, "read")
    if program is None:
        return
    for name, status in [("missing.cstore", "NOT_FOUND"), ("corrupt/magic_bad.cstore", "FORMAT")]:
        done = subprocess.run(
            [program, GOLDEN / name],
            capture_output=True,
            text=True,
            env=os.environ | {"LD_LIBRARY_PATH": str(runner.library)},
            check=False,
        )
        if done.returncode != 1 or f"read: {status}: " not in done.stderr or name not in done.stderr:
            runner.fail(f"examples/cpp/read.cpp on {name}", done.stdout + done.stderr)
    print("the example of reading builds", flush=True)


def check_writing_example(runner):
    """The example of writing does what it says, also where its file is there already, and fails with a message."""
    program = build_example(runner, "write")
    if program is None:
        return
    folder = Path(tempfile.mkdtemp(dir=runner.scratch))
    (folder / "file").touch()
    environment = os.environ | {"LD_LIBRARY_PATH": str(runner.library)}
    said = "run.cstore: 14500 rows in 10 records\nit is sound\ncompacted: 1 record\n"
    added = "added as runs/shard_0000{}.cstore\n"
    for directory, status, output, message in [
        ("runs", 0, said + added.format(0), ""),
        ("runs", 0, said + added.format(1), ""),
        ("file", 1, said, "write: ALREADY_EXISTS: "),
    ]:
        command = [program, "run.cstore", directory]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)
        if (done.returncode, done.stdout) != (status, output) or not done.stderr.startswith(message):
            runner.fail(f"examples/cpp/write.cpp into {directory}", done.stdout + done.stderr)
    print("the example of writing runs", flush=True)


def check_cutflow_example(runner):
    """The example of cuts builds and computes what it should, here of made-up flights, and fails with a message."""
    program = build_example(runner, "cutflow")
    if program is None:
        return
    folder = Path(tempfile.mkdtemp(dir=runner.scratch))
    source = runner.scratch / "made_up.cpp"
    source.write_text(FLIGHTS)
    made_up = folder / "made_up"
    link = [f"-L{runner.library}", "-lcolstore", "-o", made_up]
    if not runner.compile("made-up flights", runner.command("c++17", source, *link)):
        return
    environment = os.environ | {"LD_LIBRARY_PATH": str(runner.library)}
    subprocess.run([made_up], cwd=folder, env=environment, check=True)
    for arguments, status, expected in [
        (["flights.cstore", "late.cstore"], 0, "late.cstore: 2 flights with 9 columns\n"),
        (["missing.cstore", "other.cstore"], 1, "cutflow: NOT_FOUND: "),
        (["flights.cstore"], 2, "usage: "),
    ]:
        command = [program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)
        if done.returncode != status or expected not in done.stdout + done.stderr:
            runner.fail(f"examples/cpp/cutflow.cpp {' '.join(arguments)}", done.stdout + done.stderr)
    print("the example of cuts runs", flush=True)


def check_readme(runner):
    """The C++ program of README.md does what its comments say."""
    text = (TOP / "README.md").read_text(encoding="utf-8")
    source, program = runner.scratch / "readme.cpp", runner.scratch / "readme"
    source.write_text(re.search(r"^```cpp\n(.*?)^```$", text, re.MULTILINE | re.DOTALL).group(1))
    link = [f"-L{runner.library}", "-lcolstore", "-o", program]
    if not runner.compile("the program of README.md", runner.command("c++17", source, *link)):
        return
    folder = Path(tempfile.mkdtemp(dir=runner.scratch))
    environment = os.environ | {"LD_LIBRARY_PATH": str(runner.library)}
    done = subprocess.run([program], capture_output=True, text=True, cwd=folder, env=environment, check=False)
    if done.returncode != 0 or done.stdout != "3 rows, the last is 4; mean 2.66667\n":
        runner.fail("the program of README.md", done.stdout + done.stderr)
    print("the program of README.md runs", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--library", required=True)
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    with tempfile.TemporaryDirectory(prefix="colstore-cpp-") as folder:
        runner = Runner(parser.parse_args(), Path(folder))
        check_names(runner)
        check_headers_alone(runner)
        check_refusals(runner)
        check_reading_example(runner)
        check_writing_example(runner)
        check_cutflow_example(runner)
        check_readme(runner)
        sources = sorted(TESTS.glob("*.cpp"))
        for standard in ["c++17", "c++20"]:
            if program := runner.build(standard, standard, sources):
                runner.run(standard, [program])
                if standard == "c++17" and shutil.which("valgrind"):
                    # Valgrind 3.19 does not know a form of `movq` that vector code happens to contain.
                    leaks = ["--leak-check=full", "--show-leak-kinds=definite,indirect"]
                    leaks.append("--errors-for-leak-kinds=definite,indirect")
                    valgrind = ["valgrind", "--quiet", "--error-exitcode=99", *leaks, program]
                    variables = {"COLSTORE_ISA": "scalar", "COLSTORE_TEST_VALGRIND": "1"}
                    runner.run(f"{standard} under valgrind", valgrind, **variables)
            name = f"{standard} with address and undefined behaviour sanitizers"
            if program := runner.build(f"{standard}-sanitized", standard, sources, SANITIZERS):
                runner.run(name, [program])
        if runner.has_standard("c++23"):
            with_expected = [TESTS / "main.cpp", TESTS / "errors.cpp"]
            if program := runner.build("c++23", "c++23", with_expected):
                runner.run("c++23, std::expected", [program])
        failures = len(runner.failures)
    if failures:
        sys.exit(f"tests/cpp: {failures} failed")


if __name__ == "__main__":
    main()
