# Rows by a condition.

"""
    Colstore.parse_expression(text; params = (;), names...) -> Expression

Reads an expression in Python's syntax, the same in all languages: `pt > 30 and abs(eta) < @limit`, `charge in [-1, 1]`,
`not (a == b)`, `x ** 2`, `name == 'abc'`.

Values come in by their names, as keywords or in `params` (a `Dict`, a `NamedTuple`, pairs), never by writing them into the
text:

    parse_expression("pt > @cut and kind in @kinds"; cut = 30, kinds = [3, 5])

`ColstoreError` with `:QUERY` if the text is no expression; its message shows the place, its `span` tells it.
"""
function parse_expression(text::AbstractString; params = NamedTuple(), names...)
    asked = String(text)
    given = parameters(params, names)
    out = Ref{Ptr{LibColstore.colstore_expr}}(C_NULL)
    check() do err
        LibColstore.colstore_expr_parse(asked, sizeof(asked), given, out, err)
    end
    return Expression(Handle(out[]))
end

"""
    Colstore.query(table, condition::Expression; rows, threads = 0, progress = nothing) -> Rows
    Colstore.query(table, text; rows, threads = 0, progress = nothing, params = (;), names...) -> Rows

The rows for which a condition holds, for any read of the table:

    table[query(table, col(:pt) > 30), :eta]
    table[query(table, "pt > @cut and abs(eta) < 2.5"; cut = 30), [:pt, :eta]]

A text is read as by [`parse_expression`](@ref); a parameter called `rows`, `threads`, `progress` or `params` has to come in
`params`. Conditions that are joined by `and` are computed from left to right, later ones for the rows that are left, and
records are passed over whose statistics tell that they have none.

- `rows`: only among these, in their order, as between the brackets

`ColstoreError` with `:QUERY` for an unknown name and for what is no condition, `:TYPE` if there is no operation for the
dtypes, `:OVERFLOW` for an integer that the dtype beside it cannot hold.
"""
function query(
    table::Table,
    condition::Expression;
    rows = nothing,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
)
    handle = handle_of(table)
    base = rows === nothing ? C_NULL : Colstore.rows(table, rows).handle
    options = read_options(threads, progress)
    out = Ref{Ptr{LibColstore.colstore_rows}}(C_NULL)
    check_watched(progress) do err
        LibColstore.colstore_rows_filter(
            handle,
            base,
            condition.handle,
            options,
            out,
            C_NULL,
            err,
        )
    end
    return Rows(Handle(out[]), n_rows_of(table))
end

function query(
    table::Table,
    text::AbstractString;
    rows = nothing,
    threads::Integer = 0,
    progress::Union{Progress, Nothing} = nothing,
    params = NamedTuple(),
    names...,
)
    condition = parse_expression(text; params = params, names...)
    return query(table, condition; rows = rows, threads = threads, progress = progress)
end
