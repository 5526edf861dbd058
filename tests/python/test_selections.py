"""Every selection over every layout, against NumPy on the rows end to end."""

import numpy as np
import pytest
from conftest import assert_same
from layouts import LAYOUTS, bad_selections, make_table, open_layout, selections

import colstore

SIZES = [0, 1, 2, 7, 64, 65, 1000, 5003]


def expected_of(key, numpy_key):
    return np.asarray(key) if numpy_key is None else numpy_key


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(6))
def test_reads(layout, seed, tmp_path):
    rng = np.random.default_rng([seed, LAYOUTS.index(layout)])
    n = int(rng.choice(SIZES))
    columns = make_table(rng, n)
    with open_layout(layout, columns, tmp_path, rng) as ds:
        assert ds.n_rows == n
        names = list(columns)
        for key, numpy_key in selections(rng, n):
            wanted = {name: values[expected_of(key, numpy_key)] for name, values in columns.items()}
            view = ds[key]
            count = len(wanted[names[0]])
            assert view.count() == count
            some = [str(name) for name in rng.choice(names, int(rng.integers(1, 4)), replace=False)]
            for name in some:
                assert_same(ds[key, name].array(), wanted[name])
                assert_same(view.array(name), wanted[name])
                assert_same(ds[name][key].array(), wanted[name])
                assert_same(view[name].array(), wanted[name])
            found = ds[key, some].dict()
            assert list(found) == some
            for name in some:
                assert_same(found[name], wanted[name])
                assert found[name].flags.owndata and found[name].flags.writeable
            # Of rows that were counted before, and of such that nothing has asked for yet.
            for records in (view.recarray(), ds[key].recarray()):
                assert records.shape == (count,) and list(records.dtype.names) == names
                assert records.dtype.itemsize == sum(values.itemsize for values in columns.values())
                for name in names:
                    assert records[name].tobytes() == wanted[name].tobytes(), name


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(4))
def test_selections_of_selections(layout, seed, tmp_path):
    """A view of a view, and so on, equals indexing the array again."""
    rng = np.random.default_rng([seed, LAYOUTS.index(layout), 1])
    n = int(rng.choice(SIZES))
    columns = make_table(rng, n)
    name = next(iter(columns))
    with open_layout(layout, columns, tmp_path, rng) as ds:
        for key, numpy_key in selections(rng, n):
            outer = columns[name][expected_of(key, numpy_key)]
            view = ds[key]
            inner_keys = list(selections(rng, len(outer)))
            for i in rng.choice(len(inner_keys), 6):
                inner, numpy_inner = inner_keys[i]
                wanted = outer[expected_of(inner, numpy_inner)]
                assert_same(view[inner][name].array(), wanted)
                assert_same(view[inner, name].array(), wanted)
                assert_same(view[name][inner].array(), wanted)
                again = view[inner, [name]]
                assert_same(again[::-2][name].array(), wanted[::-2])
                assert again.count() == len(wanted)
            if len(outer):
                with pytest.raises(IndexError, match="out of bounds for the view"):
                    ds[slice(0, len(outer)), name][[0, len(outer)]]


@pytest.mark.parametrize("layout", ["one", "ragged", "files"])
@pytest.mark.parametrize("n", [0, 1, 50])
def test_bad_selections(layout, n, tmp_path):
    rng = np.random.default_rng(n)
    columns = {"x": np.arange(n), "s": np.full(n, b"abc")}
    with open_layout(layout, columns, tmp_path, rng) as ds:
        for key, fragment in bad_selections(rng, n):
            view, table = ds[key, "x"], ds[key, ["x", "s"]]  # not yet an error
            for attempt in (
                view.array, view.count, view.sum, view.head, view.evaluate, table.dict, table.recarray, table.count,
                lambda: view[:2], lambda: table[0], lambda: ds["x"][key].array(), lambda: view.array(copy=False),
            ):  # fmt: skip
                with pytest.raises(IndexError, match=fragment):
                    attempt()
            # A selection of rows that are known is checked at once.
            for make in (lambda: ds[:, "x"][:][key].array(), lambda: ds[0:n, "x"][key], lambda: ds[0:n][key, "x"]):
                with pytest.raises(IndexError, match=fragment):
                    make()
        with pytest.raises(ValueError, match="zero"):
            ds[::0, "x"].array()


def test_errors_name_position_and_value(tmp_path):
    with colstore.store({"x": np.arange(10)}, tmp_path / "x") as reader:
        index = np.arange(-5, 5)
        index[7] = -11
        with pytest.raises(IndexError, match=r"-11.*position 7"):
            reader[index, "x"].array()
        with pytest.raises(IndexError, match=r"row -11 "):
            reader[-11, "x"].array()
        with pytest.raises(IndexError, match=r"row 7 .*for the view.* 5 rows"):
            reader[:5]["x"][7]


@pytest.mark.parametrize("layout", ["one", "ragged", "files"])
def test_the_first_bad_index_of_many_is_named(layout, tmp_path):
    n = 20_000
    rng = np.random.default_rng(5)
    with open_layout(layout, {"x": np.arange(n), "s": np.full(n, b"abc")}, tmp_path, rng) as ds:
        for index in (rng.integers(-n, n, 200_000), np.sort(rng.integers(0, n, 200_000))):
            index[[5_000, 150_000, 199_999]] = [n, -n - 1, n + 7]
            for read in (
                ds[index, "x"].array, ds[index].dict, ds[index].recarray, ds[index].count, ds[index].frame,
                lambda index=index: ds["x"][index].array(),
            ):  # fmt: skip
                with pytest.raises(IndexError, match=rf"row {n}, at position 5000 "):
                    read()


def test_a_bad_index_leaves_nothing_behind(tmp_path):
    """Rows that are counted, or selected among, are checked before memory is asked for; a read gives it back."""
    import gc
    import tracemalloc

    with colstore.store({"x": np.arange(10)}, tmp_path / "x") as reader:
        index = np.zeros(2_000_000, "i4")
        index[-1] = 10
        tracemalloc.start()
        try:
            for check in (reader[index, "x"].count, reader[index].evaluate, lambda: reader[0:10][index]):
                with pytest.raises(IndexError):
                    check()
            assert tracemalloc.get_traced_memory()[1] < 1_000_000
            for read in (reader[index, "x"].array, reader[index].dict, reader[index].recarray):
                with pytest.raises(IndexError):
                    read()
            gc.collect()  # of the tracebacks
            assert tracemalloc.get_traced_memory()[0] < 1_000_000
        finally:
            tracemalloc.stop()


def test_a_view_is_read_again_and_again(tmp_path):
    """The first read of a view looks at its index while it reads, later ones know it: they agree."""
    rng = np.random.default_rng(11)
    x = rng.standard_normal(50_000)
    with colstore.store({"x": x, "y": -x}, tmp_path / "x") as reader:
        for index in (rng.integers(-50_000, 50_000, 100_000), np.arange(0, 50_000, 7), np.arange(49_999, -1, -1)):
            view = reader[index]
            for _ in range(3):
                assert_same(view.array("x"), x[index])
                assert_same(view.dict()["y"], -x[index])
                assert_same(view.recarray()["x"].copy(), x[index])
                assert view.count() == len(index)


def test_index_arrays_are_not_copied(tmp_path):
    with colstore.store({"x": np.arange(1000)}, tmp_path / "x") as reader:
        index = np.random.default_rng(0).integers(0, 1000, 100)
        view = reader[index, "x"]
        assert_same(view.array(), index)
        index[3] = 77  # what an array holds when the view is read counts
        assert view.array()[3] == 77
        index[3] = 1000
        with pytest.raises(IndexError, match="out of bounds"):
            view.array()
        del index
        view = reader[np.arange(999, 0, -7)[[5, 2, 1]], "x"]
        assert view.array().tolist() == [964, 985, 992]


def test_options_never_change_results(tmp_path, settings):
    rng = np.random.default_rng(5)
    columns = {"x": rng.standard_normal(200_000), "s": rng.integers(0, 9, 200_000).astype("S3")}
    index, mask = rng.integers(0, 200_000, 150_000), rng.random(200_000) < 0.3
    colstore.testing.write_columns(tmp_path / "x", columns, records=[70_001, 0, 129_999]).close()

    def digest(**options):
        with colstore.open(tmp_path / "x", **options) as reader:
            parts = [reader[key].recarray().tobytes() for key in (index, mask, slice(None, None, -3))]
            return [*parts, float(reader[index, "x"].sum()), reader["x"].std()]

    reference = digest()
    for options in (
        {"backend": "numpy"}, {"backend": "cpp"}, {"max_workers": 1}, {"max_workers": 3}, {"mlock": True},
        {"madvise": None}, {"madvise": "random"}, {"madvise": "willneed"},
    ):  # fmt: skip
        assert digest(**options) == reference, options
    for change in (
        lambda: settings.set_gather_thread_cap(1),
        lambda: settings.set_gather_thread_cap(7),
        lambda: settings.set_max_workers(2),
        lambda: settings.set_prefetch_distance(0),
        lambda: settings.set_prefetch_distance(16384),
        lambda: settings.set_mask_density_gate(0),
        lambda: settings.set_mask_density_gate(1.5),
        lambda: settings.set_numa_policy("interleave"),
        lambda: settings.set_numa_policy("local"),
        lambda: settings.set_read_backend("pread"),
        lambda: settings.set_default_backend("numpy"),
        lambda: settings.set_default_madvise("random"),
    ):
        change()
        assert digest() == reference


def test_cost_of_one_row_does_not_depend_on_the_layout(tmp_path):
    """One row of a thousand records allocates one row."""
    import tracemalloc

    with colstore.testing.write_columns(tmp_path / "x", {"x": np.arange(1_000_000)}, records=1000) as reader:
        reader[0, "x"].array()
        tracemalloc.start()
        try:
            for row in (0, 999_999, 123_456):
                assert reader[row, "x"].array().tolist() == [row]
                assert reader[[row], "x"].array().tolist() == [row]
            assert tracemalloc.get_traced_memory()[1] < 20_000
        finally:
            tracemalloc.stop()
