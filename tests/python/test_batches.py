"""`iter_batches`: the rows of a frame as frames in memory."""

import numpy as np
import pytest

import colstore
from colstore import ColStoreFrame, col
from colstore.testing import write_columns

N = 1000


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(9)
    return {"i": np.arange(N), "f": rng.normal(size=N).astype("f4"), "s": rng.choice([b"a", b"bcd"], N)}


@pytest.fixture(params=[1, 7])
def frame(request, table, path):
    with write_columns(path, table, records=request.param) as ds:
        yield ds.edit()


def whole(batches):
    return np.concatenate([batch.recarray() for batch in batches])


@pytest.mark.parametrize("size", [1, 7, 128, N - 1, N, N + 1, "1 KiB", "3 B", None])
def test_together_they_are_the_frame(frame, size):
    if size == 1:
        frame = frame.where("i < 20")
    for one in (frame, frame.assign(x=np.tanh(col("f"))).where("i % 3 == 0").drop("s"), frame._store[::-2].edit()):
        for copy in (True, False):
            expected = one.recarray()
            parts = [batch.recarray() for batch in one.iter_batches(size, copy=copy)]
            assert parts[0].dtype == expected.dtype
            assert np.array_equal(np.concatenate(parts), expected)


def test_sizes(frame):
    assert [batch.n_rows for batch in frame.iter_batches(300)] == [300, 300, 300, 100]
    assert [batch.n_rows for batch in frame.select("i").iter_batches("1 KiB")][:2] == [128, 128]
    assert [batch.n_rows for batch in frame.iter_batches()] == [N]
    for wrong, error in ((0, ValueError), (-3, ValueError), ("x", ValueError), (2.0, TypeError), (True, TypeError)):
        with pytest.raises(error, match="must be positive" if wrong in (0, -3) and wrong is not True else None):
            next(frame.iter_batches(wrong))
    with pytest.raises(TypeError):
        next(frame.iter_batches(np.int64(3)))


def test_nothing(frame):
    assert list(frame.where("i > 5000").iter_batches(3)) == []
    assert list(frame.select().iter_batches(3)) == []


def test_batches_are_frames(frame, table):
    for at, batch in enumerate(frame.where("i >= 100").iter_batches(200)):
        start = 100 + 200 * at
        assert type(batch) is ColStoreFrame and batch.columns == list(table)
        assert len(batch.report()) == 0
        batch["x"] = batch["i"] * 2
        batch["array"] = np.arange(batch.n_rows)
        edited = batch.where("array < 10").rename({"x": "y"})
        assert edited.array("y").tolist() == list(range(2 * start, 2 * start + 20, 2))
        assert edited.sum("i") == sum(range(start, start + 10))
        assert [part.n_rows for part in edited.iter_batches(6)] == [6, 4]
        with pytest.raises(ValueError, match="does not match"):
            batch["wrong"] = np.arange(N)


def test_a_batch_is_written(frame, tmp_path):
    batch = next(frame.iter_batches(50))
    with batch.write(tmp_path / "batch.cstore") as written:
        assert np.array_equal(written.recarray(), batch.recarray())


def test_more_rows_than_the_table_has(table, path):
    with write_columns(path, {"i": np.arange(3)}) as ds:
        frame = ds[np.zeros(50, int)].edit()
        assert [batch.n_rows for batch in frame.iter_batches(20)] == [20, 20, 10]
        assert whole(frame.iter_batches(20))["i"].tolist() == [0] * 50


def test_columns_are_lent_where_they_lie_in_one_piece(table, path):
    with write_columns(path, table) as ds:
        lent = ds.array("i", copy=False)
        for frame in (ds.edit().assign(x=col("i") + 1), ds[100:900].edit().rename({"f": "x"})):
            for batch in frame.iter_batches(300, copy=False):
                for array in (batch.array("i"), batch.dict()["i"], batch["i"].array(), np.asarray(batch["i"])):
                    assert np.shares_memory(array, lent) and not array.flags.writeable
                assert not np.shares_memory(batch.array("x"), lent)
                inner = next(batch.iter_batches(5, copy=False))
                assert np.shares_memory(inner.array("i"), lent)
                batch["i"] = batch["i"] + 1
                assert not np.shares_memory(batch.array("i"), lent)
                assert batch.where("i > 0").array("s").flags.owndata
        for frame in (ds.edit(), ds.edit().where("i > 3"), ds[[3, 4]].edit()):
            for batch in frame.iter_batches(300):
                assert batch.array("i").flags.owndata and not np.shares_memory(batch.array("i"), lent)
        cut = next(ds.edit().where("i > 3").iter_batches(300, copy=False))
        assert not np.shares_memory(cut.array("i"), lent)


def test_memory_is_used_again(table, path):
    with write_columns(path, table, records=5) as ds:
        batches = ds.edit().iter_batches(300, copy=False)
        first = next(batches).array("f")
        before = first.copy()
        second = next(batches).array("f")
        assert np.shares_memory(first, second) and not np.array_equal(first, before)
        assert len(list(batches)[-1].array("f")) == N % 300


def test_batches_of_what_the_frame_was(frame):
    batches = frame.iter_batches(600)
    next(batches)
    frame.where("i < 0", inplace=True)
    assert next(batches).n_rows == 400


def test_closed(table, path):
    ds = write_columns(path, table)
    batches = ds.edit().iter_batches(10)
    next(batches)
    ds.close()
    with pytest.raises(ValueError, match="closed"):
        list(batches)
    with pytest.raises(ValueError, match="closed"):
        list(colstore.ColStoreFrame(ds).iter_batches())
