#!/bin/sh
# Installs the library for C and C++, or removes what it installed. `make install` and `make uninstall` call it:
#
#     packaging/install.sh install|uninstall RELEASE_DIRECTORY
#
# with PREFIX, LIBDIR, INCLUDEDIR (directories that the files will be used from) and DESTDIR (what is put before them,
# for packages) in the environment. What is installed can be moved as a whole.
set -eu

action=$1
release=$2
top=$(cd "$(dirname "$0")/.." && pwd)
prefix=${PREFIX:-/usr/local}
libdir=${LIBDIR:-$prefix/lib}
includedir=${INCLUDEDIR:-$prefix/include}
destdir=${DESTDIR:-}

[ "$(uname -s)" = Linux ] || { echo "install.sh: the names of shared libraries are known for Linux only" >&2; exit 1; }
for directory in "$prefix" "$libdir" "$includedir"; do
    case $directory in
        /*) ;;
        *) echo "install.sh: '$directory' is not absolute" >&2; exit 1 ;;
    esac
done

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$top/Cargo.toml" | head -n 1)
soname=$(sed -n 's/^const SONAME: &str = "\(.*\)";$/\1/p' "$top/colstore-ffi/build.rs")
library=libcolstore.so.$version
lib=$destdir$libdir
include=$destdir$includedir

# Every file that is installed, each relative to $destdir.
files() {
    echo "$libdir/$library"
    echo "$libdir/$soname"
    echo "$libdir/libcolstore.so"
    echo "$libdir/libcolstore.a"
    echo "$libdir/pkgconfig/colstore.pc"
    echo "$libdir/cmake/colstore/colstore-config.cmake"
    echo "$libdir/cmake/colstore/colstore-config-version.cmake"
    echo "$includedir/colstore.h"
    (cd "$top/bindings/cpp/include" && find . -name '*.h*' | sort) | sed "s|^\.|$includedir|"
}

# relative FROM TO: the way from one directory to the other, neither of which needs to exist.
relative() {
    realpath --canonicalize-missing --no-symlinks --relative-to="$1" "$2"
}

# fill TEMPLATE OUTPUT: the file with its @NAMES@ replaced; paths are relative to the file.
fill() {
    at=$(dirname "$2")
    at=${at#"$destdir"}
    sed -e "s|@VERSION@|$version|g" -e "s|@SONAME@|$soname|g" -e "s|@LIBRARY@|$library|g" \
        -e "s|@NATIVE_FLAGS@|$native|g" -e "s|@NATIVE_NAMES@|$names|g" \
        -e "s|@PREFIX@|$(relative "$at" "$prefix")|g" \
        -e "s|@LIBDIR@|$(relative "$prefix" "$libdir")|g" \
        -e "s|@INCLUDEDIR@|$(relative "$prefix" "$includedir")|g" "$1" > "$2"
    chmod 644 "$2"
}

case $action in
    install)
        for file in libcolstore.so libcolstore.a; do
            [ -f "$release/$file" ] || { echo "install.sh: $release/$file is not there: run make library" >&2; exit 1; }
        done
        # What a program that links the static library needs of the system: that of Rust's own library, since no crate
        # in libcolstore brings a native one.
        scratch=$(mktemp -d)
        trap 'rm -rf "$scratch"' EXIT
        native=$(rustc --crate-type staticlib --print native-static-libs -o "$scratch/empty.a" - 2>&1 < /dev/null |
            sed -n 's/^note: native-static-libs: //p')
        [ -n "$native" ] || { echo "install.sh: rustc does not say what static libraries need" >&2; exit 1; }
        names=$(echo "$native" | sed -e 's/-l//g' -e 's/ \{1,\}/;/g')

        mkdir -p "$lib/pkgconfig" "$lib/cmake/colstore" "$include/colstore"
        install -m 755 "$release/libcolstore.so" "$lib/$library"
        ln -sf "$library" "$lib/$soname"
        ln -sf "$soname" "$lib/libcolstore.so"
        install -m 644 "$release/libcolstore.a" "$lib/libcolstore.a"
        install -m 644 "$top/include/colstore.h" "$include/colstore.h"
        (cd "$top/bindings/cpp/include" && find . -name '*.h*') | while read -r header; do
            mkdir -p "$(dirname "$include/$header")"
            install -m 644 "$top/bindings/cpp/include/$header" "$include/$header"
        done
        fill "$top/packaging/colstore.pc.in" "$lib/pkgconfig/colstore.pc"
        for name in colstore-config colstore-config-version; do
            fill "$top/packaging/$name.cmake.in" "$lib/cmake/colstore/$name.cmake"
        done
        ;;
    uninstall)
        files | while read -r file; do
            rm -f "$destdir$file"
        done
        # Directories that are colstore's alone.
        for directory in "$lib/cmake/colstore" "$include/colstore/root" "$include/colstore"; do
            [ ! -d "$directory" ] || rmdir "$directory"
        done
        ;;
    *)
        echo "usage: install.sh install|uninstall RELEASE_DIRECTORY" >&2
        exit 2
        ;;
esac
