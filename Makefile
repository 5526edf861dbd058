# colstore: `make` alone lists the targets. On a machine with Rust, a C compiler, make and Python >= 3.10 (with venv),
# `make demo` and `make test` are each the only command needed.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

PYTHON ?= python3
CARGO ?= cargo
CC ?= cc
CXX ?= c++

# make install PREFIX=$HOME/.local DESTDIR=stage LIBDIR=/usr/lib64
PREFIX ?= /usr/local
DESTDIR ?=
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include

# make compare ROWS=2000000 ONLY='whole|dict' THREADS=1
ROWS ?= 20000000
ONLY ?=
THREADS ?= 0
COMPARE_FLAGS ?=

FUZZ_TARGETS := expression format open verify
FUZZ_SECONDS ?= 20

TARGET := $(or $(CARGO_TARGET_DIR),target)
RELEASE := $(TARGET)/release
LIBRARY := $(if $(filter Darwin,$(shell uname -s)),libcolstore.dylib,libcolstore.so)
NATIVE := bindings/python/colstore/_native
VENV := .venv
REFERENCE := .venv-reference
ROOT_VENV := .venv-root
PIP_FLAGS := --quiet --disable-pip-version-check

# The directories that packaging/install.sh takes.
directories = PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' LIBDIR='$(LIBDIR)' INCLUDEDIR='$(INCLUDEDIR)'

# Prints a heading (without commas), so that a long run can be followed.
heading = printf '\n== %s\n' $(1)

##@ Use

.PHONY: help
help: ## This list
	@awk 'BEGIN { FS = ":.*## " } /^##@/ { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: python ## The main job on real input: flights stored from Python, read back from Python, the shell, C and C++
	@$(call heading,'Python: examples/python/flights.py')
	@mkdir -p demo
	$(VENV)/bin/python examples/python/flights.py demo/flights.cstore
	@$(call heading,'Python: examples/python/cutflow.py')
	$(VENV)/bin/python examples/python/cutflow.py demo/flights.cstore
	@$(call heading,'Shell: colstore info and head')
	@$(CARGO) build --quiet --release --locked -p colstore-cli
	$(RELEASE)/colstore info demo/flights.cstore
	COLUMNS=$${COLUMNS:-100} $(RELEASE)/colstore head -n 5 demo/flights.cstore
	$(RELEASE)/colstore head -n 3 demo/flights.cstore --columns carrier,flight,origin,dest,distance,time_hour
	@$(call heading,'C: examples/c/read.c')
	$(CC) examples/c/read.c -Iinclude -L$(RELEASE) -lcolstore -o demo/read
	LD_LIBRARY_PATH=$(RELEASE) demo/read demo/flights.cstore
	@if command -v $(CXX) > /dev/null; then \
		$(call heading,'C++: examples/cpp/read.cpp'); set -x; \
		$(CXX) -std=c++17 examples/cpp/read.cpp -Iinclude -Ibindings/cpp/include -L$(RELEASE) -lcolstore -o demo/read-cpp; \
		LD_LIBRARY_PATH=$(RELEASE) demo/read-cpp demo/flights.cstore; \
		{ set +x; } 2> /dev/null; $(call heading,'C++: examples/cpp/cutflow.cpp'); set -x; \
		$(CXX) -std=c++17 examples/cpp/cutflow.cpp -Iinclude -Ibindings/cpp/include -L$(RELEASE) -lcolstore \
			-o demo/cutflow-cpp; \
		LD_LIBRARY_PATH=$(RELEASE) demo/cutflow-cpp demo/flights.cstore demo/late_flights_cpp.cstore; \
	fi
	@$(call heading,'C: examples/c/query.c')
	$(CC) examples/c/query.c -Iinclude -L$(RELEASE) -lcolstore -o demo/query
	LD_LIBRARY_PATH=$(RELEASE) demo/query demo/flights.cstore demo/late.cstore

.PHONY: python
python: library $(VENV)/.installed ## The release library, and .venv in which `import colstore` is this package
	@# As pip does when it copies a package: without it every import compiles, where writing bytecode is switched off.
	@$(VENV)/bin/python -m compileall -q bindings/python/colstore

.PHONY: library
library: ## The release library: libcolstore as a shared and as a static library, and in the Python package
	$(CARGO) build --release --locked -p colstore-ffi
	@# A new file, never the old one rewritten: a running process may have it mapped.
	@cmp --quiet $(RELEASE)/$(LIBRARY) $(NATIVE)/$(LIBRARY) || { \
		cp $(RELEASE)/$(LIBRARY) $(NATIVE)/.$(LIBRARY).new && mv -f $(NATIVE)/.$(LIBRARY).new $(NATIVE)/$(LIBRARY); }

.PHONY: install
install: library ## For C and C++: library, headers, pkg-config and CMake files, under PREFIX (DESTDIR= LIBDIR= INCLUDEDIR=)
	$(directories) packaging/install.sh install $(RELEASE)

.PHONY: uninstall
uninstall: ## Remove what `make install` with the same directories has put there
	$(directories) packaging/install.sh uninstall $(RELEASE)

##@ Check

.PHONY: test
test: ## Everything CI runs, but for `make lint` and `make test-root`
	@start=$$SECONDS; \
	$(MAKE) --no-print-directory test-rust test-python test-julia test-cpp test-compat test-fuzz demo; \
	printf '\nmake test: all passed in %d s\n' $$((SECONDS - start))

.PHONY: test-rust
test-rust: ## Rust tests of all crates; the C programs, the header, the symbols and the layers among them
	@$(call heading,'Rust: all crates and the C interface')
	$(CARGO) test --workspace --locked --quiet --no-fail-fast
	@# Vector code is compiled differently when it is optimised.
	$(CARGO) test --release --locked --quiet -p colstore-kernels

.PHONY: test-python
test-python: python ## The Python package
	@$(call heading,'Python')
	$(VENV)/bin/python -m pytest -q tests/python
	$(VENV)/bin/python tests/readme.py

.PHONY: test-julia
test-julia: python $(VENV)/.requirements-julia ## The Julia package against the header; its own tests where there is Julia
	@$(call heading,'Julia: stubs and calls against the header; Fortran and R')
	$(VENV)/bin/python -m pytest -q -rs tests/julia
	@if command -v julia > /dev/null; then COLSTORE_LIBRARY=$(abspath $(RELEASE)/$(LIBRARY)) \
		julia --project=bindings/julia/Colstore.jl --threads=2 -e 'using Pkg; Pkg.test(; julia_args = ["--threads=2"])'; \
	else echo 'left out: test/runtests.jl of Colstore.jl, because julia is not installed'; fi

.PHONY: test-cpp
test-cpp: python ## The C++ headers in every standard and with sanitizers; an installation and programs that use it
	@$(call heading,'C++ and installing')
	@if command -v $(CXX) > /dev/null; then \
		$(VENV)/bin/python tests/cpp/run.py --library $(RELEASE) --compiler $(CXX); \
		$(VENV)/bin/python tests/install/run.py --library $(RELEASE) --cmake $(VENV)/bin/cmake --cc $(CC) --cxx $(CXX); \
	else echo 'left out: $(CXX) is not installed'; fi

.PHONY: test-root
test-root: python $(ROOT_VENV)/.installed ## ROOT: RDataFrame over .cstore files equals NumPy (not in `make test`; downloads 250 MB)
	@$(call heading,'ROOT RDataFrame')
	@mkdir -p demo
	@[ -f demo/flights.cstore ] || $(VENV)/bin/python examples/python/flights.py demo/flights.cstore > /dev/null
	$(ROOT_VENV)/bin/python tests/root/run.py --library $(RELEASE) --flights demo/flights.cstore --compiler $(CXX)

.PHONY: test-compat
test-compat: python $(REFERENCE)/.installed ## Files of colstore 0.5.1 read by us, ours byte-identical and read by it
	@$(call heading,'Compatibility with colstore 0.5.1')
	$(VENV)/bin/python tests/compat/run.py --ours $(VENV)/bin/python --ref $(REFERENCE)/bin/python

.PHONY: test-fuzz
test-fuzz:
	@$(call heading,'Fuzzing: $(FUZZ_SECONDS) seconds a target')
	@if command -v $(CXX) > /dev/null; then \
		$(CARGO) test --manifest-path fuzz/Cargo.toml --target-dir $(TARGET)/fuzz-dev --locked --quiet --lib; \
		$(MAKE) --no-print-directory fuzz; \
	else echo 'left out: libFuzzer is C++, and $(CXX) is not installed'; fi

.PHONY: lint
lint: ## Formatting, clippy and links of the documentation over everything, warnings are errors
	@$(CARGO) fmt --version > /dev/null 2>&1 && $(CARGO) clippy --version > /dev/null 2>&1 || \
		{ echo 'make lint needs rustfmt and clippy; with rustup: rustup component add rustfmt clippy' >&2; exit 1; }
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path fuzz/Cargo.toml --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) clippy --manifest-path fuzz/Cargo.toml --target-dir $(TARGET)/fuzz-dev --all-targets --locked -- -D warnings
	@# Links of the documentation. The command has the library's name, and its pages would go over the library's.
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --workspace --exclude colstore-cli --no-deps --locked --quiet

.PHONY: fuzz
fuzz: ## Hostile files against the readers, FUZZ_SECONDS (20) a target; a finding is kept in fuzz/artifacts
	@for target in $(FUZZ_TARGETS); do \
		log=fuzz/artifacts/$$target.log; mkdir -p fuzz/artifacts; \
		if fuzz/run $$target $(FUZZ_SECONDS) > $$log 2>&1; \
		then printf '%-7s %s\n' $$target "$$(grep -a '^Done' $$log)"; \
		else tail -n 40 $$log; echo "fuzz: $$target failed; the whole output is in $$log" >&2; exit 1; fi; \
	done

.PHONY: fuzz-long
fuzz-long: ## The same for 10 minutes a target
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=600

##@ Measure

.PHONY: bench
bench: ## Benchmarks of the kernels and the reads (criterion)
	$(CARGO) bench --locked -p colstore-benches

.PHONY: compare
compare: python $(REFERENCE)/.installed ## Side by side with colstore 0.5.1: ROWS= ONLY=regex THREADS= COMPARE_FLAGS=
	$(VENV)/bin/python benches/compare/compare.py --ours $(VENV)/bin/python --reference $(REFERENCE)/bin/python \
		--rows $(ROWS) --threads $(THREADS) --only '$(ONLY)' $(COMPARE_FLAGS)

.PHONY: bench-cpp
bench-cpp: library ## What the C++ headers add to the same calls in C
	@mkdir -p $(TARGET)/bench-cpp
	$(CXX) -std=c++17 -O2 benches/cpp/overhead.cpp -Iinclude -Ibindings/cpp/include -L$(RELEASE) -lcolstore \
		-o $(TARGET)/bench-cpp/overhead
	LD_LIBRARY_PATH=$(RELEASE) $(TARGET)/bench-cpp/overhead $(TARGET)/bench-cpp/overhead.cstore

.PHONY: bench-root
bench-root: library $(ROOT_VENV)/.installed ## RDataFrame over colstore against RDataFrame over an uncompressed TTree: ROWS=
	$(ROOT_VENV)/bin/python benches/root/run.py --library $(RELEASE) --folder $(TARGET)/bench-root --rows $(ROWS) \
		--compiler $(CXX)

##@ Maintain

.PHONY: header
header: ## Write include/colstore.h anew from colstore-ffi
	COLSTORE_UPDATE_HEADER=1 $(CARGO) test --locked -p colstore-tests --test header

.PHONY: julia
julia: ## Write bindings/julia/Colstore.jl/src/LibColstore.jl anew from the header
	$(PYTHON) bindings/julia/gen/generate.py --update

.PHONY: bindings
bindings: $(VENV)/.requirements-julia ## Write the table of docs/bindings.md anew
	$(VENV)/bin/python tests/julia/bindings_table.py --update

.PHONY: fmt
fmt: ## Format all Rust code
	$(CARGO) fmt --all
	$(CARGO) fmt --manifest-path fuzz/Cargo.toml

.PHONY: clean
clean: ## Remove everything that was built, the virtual environments included
	$(CARGO) clean
	rm -rf fuzz/target fuzz/artifacts fuzz/corpus/work demo build dist $(VENV) $(REFERENCE) $(ROOT_VENV) $(NATIVE)/$(LIBRARY)

# ------------------------------------------------------------------------------------- the virtual environments

$(VENV)/.requirements: tests/requirements.txt
	$(call make_venv,$(VENV),tests/requirements.txt)

$(VENV)/.requirements-julia: tests/requirements-julia.txt $(VENV)/.requirements
	$(VENV)/bin/pip install $(PIP_FLAGS) -r $<
	@touch $@

$(REFERENCE)/.installed: tests/requirements-reference.txt
	$(call make_venv,$(REFERENCE),tests/requirements-reference.txt)

$(ROOT_VENV)/.installed: tests/requirements-root.txt
	$(call make_venv,$(ROOT_VENV),tests/requirements-root.txt)

# An editable installation: the modules stay where they are, the distribution's metadata is real.
$(VENV)/.installed: $(VENV)/.requirements pyproject.toml hatch_build.py Cargo.toml | library
	$(VENV)/bin/pip install $(PIP_FLAGS) --no-build-isolation --no-deps --editable .
	@touch $@

# make_venv DIRECTORY,REQUIREMENTS: needs the network, so only when the requirements are newer than what is installed.
define make_venv
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	{ echo 'Python 3.10 or newer is needed; choose one with: make PYTHON=/path/to/python3' >&2; exit 1; }
@$(PYTHON) -m venv $(1) || { echo 'Python has no venv here; on Debian and Ubuntu: apt install python3-venv' >&2; exit 1; }
$(1)/bin/pip install $(PIP_FLAGS) -r $(2)
@touch $@
endef
