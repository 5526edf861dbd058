"""The border to `libcolstore`, the native library: nothing outside this package calls it.

- `library`: finds the file, loads it, checks its version
- `prototypes`, `structs`: the C declarations of `include/colstore.h`
- `handles`: ownership of what the library gives out
- `errors`: from a status to an exception
- `table`, `rows`, `schema`, `names`, `store`, `writer`, `settings`, `progress`: the functions, one module for each
  section of the header
"""
