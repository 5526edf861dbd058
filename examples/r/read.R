# Reads a column of doubles of a .cstore file from R, and prints its sum, by the C interface and `.Call`.
#
# From the top of the repository:
#
#     cargo build --release -p colstore-ffi
#     PKG_CPPFLAGS=-Iinclude PKG_LIBS='-Ltarget/release -lcolstore' R CMD SHLIB -o read.so examples/r/read.c
#     LD_LIBRARY_PATH=target/release Rscript examples/r/read.R read.so FILE.cstore COLUMN

arguments <- commandArgs(trailingOnly = TRUE)
dyn.load(arguments[1])

table <- .Call("colstore_r_open", arguments[2])
values <- .Call("colstore_r_read", table, arguments[3])
cat(sprintf("rows: %d, sum: %.15g\n", length(values), sum(values)))
