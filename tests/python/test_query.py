"""`query`, `where`, and indexing with `col()`: rows by conditions, in text and as expressions."""

import gc
import itertools

import numpy as np
import pytest

import colstore
from colstore import QueryError, col
from colstore.testing import write_columns

N = 1000


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(11)
    return {
        "a": rng.integers(-5, 20, N),
        "f": np.where(rng.random(N) < 0.05, np.nan, rng.normal(size=N)),
        "g": rng.random(N).astype("f4"),
        "b": rng.random(N) < 0.5,
        "s": rng.choice([b"SR", b"CR", b"V", b""], N),
        "u": rng.choice(["SR", "é", "zz"], N),
        "t": rng.integers(0, 10**6, N).astype("M8[s]"),
        "odd name": np.arange(N),
    }


@pytest.fixture(scope="module", params=["one record", "records", "statistics", "files"])
def ds(request, table, tmp_path_factory):
    directory = tmp_path_factory.mktemp("query")
    path = directory / "one.cstore"
    if request.param == "one record":
        opened = write_columns(path, table)
    elif request.param == "records":
        opened = write_columns(path, table, records=7)
    elif request.param == "statistics":
        opened = colstore.store(table, path, statistics=True)
    else:
        for i, start in enumerate(range(0, N, 300)):
            write_columns(directory / f"part_{i}.cstore", {k: v[start : start + 300] for k, v in table.items()}).close()
        opened = colstore.open(f"{directory}/part_*.cstore")
    with opened:
        yield opened


TEXTS = {
    "a > 3": lambda t: t["a"] > 3,
    "a > 3 and f < 0.5": lambda t: (t["a"] > 3) & (t["f"] < 0.5),
    "a > 3 or not b": lambda t: (t["a"] > 3) | ~t["b"],
    "not (a > 3 or b)": lambda t: ~((t["a"] > 3) | t["b"]),
    "0 < a <= 7 != 3": lambda t: (t["a"] > 0) & (t["a"] <= 7),
    "b": lambda t: t["b"],
    "~b": lambda t: ~t["b"],
    "b == True": lambda t: t["b"],
    "a": None,
    "a and b": lambda t: (t["a"] != 0) & t["b"],
    "(a > 3) | b & (f > 0)": lambda t: (t["a"] > 3) | (t["b"] & (t["f"] > 0)),
    "(a & 3) == 1": lambda t: (t["a"] & 3) == 1,
    "a ** 2 + 1 > 26 - a": lambda t: t["a"] ** 2 + 1 > 26 - t["a"],
    "-a // 2 % 3 == 1": lambda t: -t["a"] // 2 % 3 == 1,
    "a in [1, 2, 19]": lambda t: np.isin(t["a"], [1, 2, 19]),
    "a in [-1, +2]": lambda t: np.isin(t["a"], [-1, 2]),
    "a not in (3, 4)": lambda t: ~np.isin(t["a"], [3, 4]),
    "a in 5": lambda t: t["a"] == 5,
    "s == 'SR'": lambda t: t["s"] == b"SR",
    "s == b'SR'": lambda t: t["s"] == b"SR",
    "s >= 'D'": lambda t: t["s"] >= b"D",
    "s in ['SR', 'V']": lambda t: np.isin(t["s"], [b"SR", b"V"]),
    "u == 'é'": lambda t: t["u"] == "é",
    "u in ['é', 'SR']": lambda t: np.isin(t["u"], ["é", "SR"]),
    "a == None": lambda t: np.zeros(N, bool),
    "f != f": lambda t: np.isnan(t["f"]),
    "a > 0x_f  # a comment": lambda t: t["a"] > 15,
    "a > 10**9": lambda t: np.zeros(N, bool),
    "g > 0.5": lambda t: t["g"] > 0.5,
    "a < 99999999999999999999999": lambda t: np.ones(N, bool),
    "(\na > 3\n)": lambda t: t["a"] > 3,
}


@pytest.mark.parametrize("text", [text for text, mask in TEXTS.items() if mask])
def test_text(ds, table, text):
    mask = TEXTS[text](table)
    view = ds.query(text)
    assert type(view) is colstore.TableView
    assert view.count() == mask.sum()
    for name, values in view.dict().items():
        assert values.dtype == table[name].dtype
        assert values.tobytes() == table[name][mask].tobytes()


def test_expression_in_every_way(ds, table):
    mask = (table["a"] > 3) & (table["f"] < 0.5)
    expression = (col("a") > 3) & (col("f") < 0.5)
    for view in (ds[expression], ds.where(expression), ds.query(expression), ds[expression, None]):
        assert np.array_equal(view.array("odd name"), table["odd name"][mask])
    column = ds[expression, "a"]
    assert type(column) is colstore.ColumnView
    assert np.array_equal(column.array(), table["a"][mask])
    assert ds[expression, ["s", "a"]].columns == ["s", "a"]
    assert ds[expression, "a"].sum() == table["a"][mask].sum()
    assert np.array_equal(column + 1, table["a"][mask] + 1)
    assert ds[col("b")].count() == table["b"].sum()


def test_views_of_a_condition(ds, table):
    rows = np.flatnonzero(table["a"] > 3)
    view = ds.query("a > 3", columns=["f", "odd name"])
    assert view.columns == ["f", "odd name"]
    records = view.recarray()
    assert records.dtype.names == ("f", "odd name")
    assert np.array_equal(records["odd name"], table["odd name"][rows])
    assert np.array_equal(view["odd name"].array(), table["odd name"][rows])
    for key in (slice(3, 50, 7), slice(None, None, -1), [5, 0, 5, -1], 4, np.arange(len(rows)) % 3 == 0):
        expected = np.atleast_1d(table["odd name"][rows][key])
        assert np.array_equal(view[key].array("odd name"), expected)
        assert np.array_equal(view["odd name"][key].array(), expected)
        assert np.array_equal(view[key, "odd name"].array(), expected)
    with pytest.raises(IndexError, match="out of bounds for the view"):
        view[len(rows)]
    with pytest.raises(IndexError, match="mask length"):
        view[np.ones(3, bool)].count()
    assert np.array_equal(np.asarray(view.head(4))["odd name"], table["odd name"][rows][:4])
    assert np.array_equal(np.asarray(view.tail(4))["odd name"], table["odd name"][rows][-4:])
    assert repr(view.head(2)).splitlines()[1].split()[0] == str(rows[0])


def test_a_condition_inside_a_view(ds, table):
    big = table["a"] > 3
    assert np.array_equal(ds["odd name"][col("a") > 3].array(), np.flatnonzero(big))
    # Among the rows of a view, and in their order.
    assert np.array_equal(ds[100:200, "odd name"][col("a") > 3].array(), 100 + np.flatnonzero(big[100:200]))
    rows = np.array([900, 3, 3, 77, 500, 12])
    assert np.array_equal(ds[rows][col("a") > 3].array("odd name"), rows[big[rows]])
    assert np.array_equal(ds[col("b")][col("a") > 3].array("odd name"), np.flatnonzero(table["b"] & big))
    with pytest.raises(QueryError, match="unknown column"):
        ds[5:10][col("nothing") > 3]


def test_laziness(ds, table):
    view = ds.query("a > 3")
    text, html = repr(view), view._repr_html_()
    assert "lazy selection" in text and ".head()" in text and ".evaluate()" in text and "showing" not in text
    assert "lazy" in html and "<table" not in html
    assert "lazy selection" in repr(ds[col("a") > 3, "f"])
    fixed = view.evaluate()
    assert type(fixed) is colstore.TableView and "showing" in repr(fixed)
    assert "lazy" not in repr(ds.query("a > 3", lazy=False))
    assert fixed.count() == view.count() == (table["a"] > 3).sum()
    assert "showing" in repr(ds[col("a") > 3, "f"].evaluate())
    assert fixed.evaluate() is fixed
    wide = ds.query("a > 3", columns=[name for name in table for _ in range(4)])
    assert repr(wide).count("odd name") <= 4


def test_zero_copy_is_refused(ds):
    with pytest.raises(ValueError, match="copy=True"):
        ds.query("a > 3").dict(copy=False)


def test_empty_results(ds):
    view = ds.query("a > 1000")
    assert view.count() == 0
    assert {name: len(values) for name, values in view.dict().items()} == dict.fromkeys(ds.columns, 0)
    assert "empty" in repr(view.head())


def test_parameters(ds, table):
    def count(text, **params):
        return ds.query(text, params=params).count()

    assert count("a > @low", low=3) == (table["a"] > 3).sum()
    assert count("a > @low", low=np.int8(3)) == (table["a"] > 3).sum()
    assert count("a > @low", low=np.array(3)) == (table["a"] > 3).sum()
    for values in ([1, 2], (1, 2), {1, 2}, frozenset({1, 2}), np.array([1, 2]), range(1, 3), np.array([2, 9, 1])[::2]):
        assert count("a in @values", values=values) == np.isin(table["a"], [1, 2]).sum()
    assert count("a in @none", none=[]) == 0
    assert count("s in @regions", regions=["SR", "V"]) == np.isin(table["s"], [b"SR", b"V"]).sum()
    assert count("s == @region", region="SR") == (table["s"] == b"SR").sum()
    assert count("t < @when", when=np.datetime64("1970-01-05")) == (table["t"] < np.datetime64("1970-01-05")).sum()
    assert count("a in @many", many=list(range(5, 400))) == (table["a"] >= 5).sum()
    assert count("a > 3", unused=object()) == (table["a"] > 3).sum()
    with pytest.raises(QueryError, match="undefined parameter"):
        count("a > @x")
    with pytest.raises(QueryError, match="undefined parameter"):
        count("a > @x", y=1)
    with pytest.raises(TypeError, match="raw array"):
        count("a > @x", x=np.arange(3))
    with pytest.raises(TypeError, match="@x"):
        count("a > @x", x=object())


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        *(
            (text, "could not parse")
            for text in ("", "a >", "a > 3 b", "a = 3", "a := 3", "import os", "a > (3", "a\n> 3")
        ),
        *((text, "unknown name") for text in ("zz > 3", "abs > 3", "inf > a", "nan == a", "__import__ > 3")),
        *(
            (text, "unsupported expression element")
            for text in (
                "abs(a) > 3",
                "a.real > 3",
                "a[0] > 3",
                "lambda: a",
                "a if b else b",
                "a in {1, 2}",
                "f'{a}' == a",
            )
        ),
        ("a is None", "unsupported comparison"),
        ("a is not None", "unsupported comparison"),
        *((text, "unsupported operator") for text in ("a << 1 > 2", "a >> 1 > 2", "a @ a > 2")),
        *((text, "boolean condition") for text in ("a + 1", "~a", "a", "f", "s")),
        *((text, "at least one column") for text in ("True", "3 > 2", "[a]", "a>3,")),
        ("1 in [1]", "left side"),
        ("3 in a", "left|side|right"),
        ("a in [f]", "in"),
    ],
)
def test_rejections(ds, text, fragment):
    with pytest.raises(QueryError, match=fragment):
        ds.query(text)
    assert issubclass(QueryError, ValueError)


def test_errors_show_the_place(ds):
    with pytest.raises(QueryError) as caught:
        ds.query("a > 3 and zz < 4")
    lines = str(caught.value).splitlines()
    assert lines[-2].endswith("a > 3 and zz < 4")
    assert lines[-1].index("^") - lines[-2].index("a > 3") == len("a > 3 and ")


def test_operations_that_there_are_not(ds):
    for text in ("a == 'x'", "t > 'x'", "b - b", "a > 3 & f"):
        with pytest.raises(TypeError) as caught:
            ds.query(text).count()
        assert isinstance(caught.value, QueryError)


def test_nothing_is_executed(ds, tmp_path):
    for text in (f"__import__('os').mkdir({str(tmp_path / 'made')!r})", "().__class__", "exec('1')", "a" * 100_000):
        with pytest.raises(QueryError):
            ds.query(text)
    with pytest.raises(QueryError):
        ds.query("(" * 100_000 + "a" + ")" * 100_000)
    assert not (tmp_path / "made").exists()


def test_arguments(ds):
    with pytest.raises(TypeError):
        ds.query(3)
    with pytest.raises(TypeError):
        ds.query("a > 3", ["f"])
    with pytest.raises(KeyError, match="nothing"):
        ds.query("a > 3", columns=["nothing"])
    assert ds.query("a > 3", columns="f").columns == ["f"]
    with pytest.raises(KeyError):
        ds.where("a > 3")
    with pytest.raises(QueryError, match="unknown column"):
        ds[col("nothing") > 3]
    with pytest.raises(QueryError, match="boolean condition"):
        ds[col("a") + 3]
    with pytest.raises(IndexError):
        ds[ds.edit()["a"] > 3]
    assert not hasattr(ds["a"], "query") and not hasattr(ds[["a"]], "where")


def test_names_that_are_no_identifiers(ds):
    assert ds[col("odd name") < 10].count() == 10


def test_closed(table, path):
    ds = write_columns(path, table)
    view = ds.query("a > 3")
    seen = ds.query("a > 3").evaluate()
    ds.close()
    for use in (view.count, seen.recarray, lambda: ds.query("a > 3"), lambda: ds[col("a") > 3]):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_a_growing_dataset(table, tmp_path):
    write_columns(tmp_path / "1.cstore", table).close()
    with colstore.open([tmp_path / "1.cstore"]) as ds:
        view = ds.query("a > 3")
        count = view.count()
        ds.append(tmp_path / "1.cstore")
        assert view.count() == 2 * count


def test_conditions_with_a_function_of_numpys(ds, table):
    with np.errstate(invalid="ignore"):
        expected = np.log(table["f"]) > -1
    with np.errstate(invalid="ignore"):
        assert np.array_equal(ds[np.log(col("f")) > -1].array("odd name"), np.flatnonzero(expected))
    with pytest.warns(RuntimeWarning, match="invalid value"):
        ds[np.log(col("f")) > -1].count()


def test_statistics_change_nothing(tmp_path):
    """Records are skipped by their limits: the same rows with and without them, for every comparison."""
    rng = np.random.default_rng(7)
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 5.0, 9.5])
    columns = {
        "f": np.concatenate([rng.choice(special[i : i + 3], 40) for i in range(6)]),
        "u": np.concatenate([rng.integers(i, i + 3, 40) for i in range(6)]).astype("u8") + np.uint64(2**63 - 2),
        "i": np.concatenate([rng.integers(i - 3, i, 40) for i in range(6)]),
        "t": np.concatenate([rng.choice([i, i + 1, -(2**63)], 40) for i in range(6)]).view("M8[s]"),
    }
    parts = [slice(i, i + 40) for i in range(0, 240, 40)]
    paths = []
    for at, part in enumerate(parts):
        paths.append(tmp_path / f"{at}.cstore")
        colstore.store({k: v[part] for k, v in columns.items()}, paths[-1], statistics=True).close()
    with colstore.open(paths) as ds:
        literals = {"f": special, "i": np.arange(-4, 6), "u": np.uint64(2**63) + np.arange(-3, 7).astype("u8")}
        literals["t"] = np.array([0, 1, 3, 9, -(2**63)]).view("M8[s]")
        ufuncs = (np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal)
        for (name, values), ufunc in itertools.product(literals.items(), ufuncs):
            for value in values:
                expected = np.flatnonzero(ufunc(columns[name], value))
                found = ds.where(ufunc(col(name), value))
                assert found.count() == len(expected), (name, ufunc, value)
                negated = ds.where(~ufunc(col(name), value))
                assert negated.count() == 240 - len(expected), (name, ufunc, value)


def test_integers_are_compared_exactly(path):
    big = 2**53
    columns = {
        "i": np.array([big, big + 1, -(2**63), 2**63 - 1]),
        "u": np.array([big, big + 1, 2**63, 2**64 - 1], "u8"),
        "f": np.array([float(big), float(big), -(2.0**63), 2.0**63]),
    }
    with colstore.store(columns, path) as ds:
        for text, expected in (
            (f"i == {big + 1}", [1]),
            (f"i > {float(big)!r}", [1, 3]),
            ("i == f", [0, 2]),
            ("i < f", [3]),
            ("u > f", [1, 2, 3]),
            ("i == u", [0, 1]),
            ("i < u", [2, 3]),
            (f"u == {2**64 - 1}", [3]),
            (f"u >= {2**63}", [2, 3]),
            ("u > -1", [0, 1, 2, 3]),
            (f"i < {2**64}", [0, 1, 2, 3]),
            (f"u in [{big + 1}, {2**64 - 1}, -1]", [1, 3]),
            (f"i in [{big + 1}]", [1]),
            (f"i in [{2**64}]", []),
            ("i in [1.5]", []),
        ):
            assert np.flatnonzero(np.isin(ds.array("u"), ds.query(text).array("u"))).tolist() == expected, text
        assert ds[col("u") == np.uint64(2**64 - 1)].count() == 1
        assert ds[col("i") > np.float64(big)].count() == 2


def test_nothing_is_left_behind(ds):
    from colstore._native import callbacks

    gc.collect()
    before = len(callbacks._held)
    for _ in range(20):
        ds[np.tanh(col("f")) > 0].count()
        with pytest.raises(QueryError):
            ds[np.tanh(col("f"))]
    gc.collect()
    assert len(callbacks._held) == before
