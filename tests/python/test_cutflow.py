"""`report`: how many rows, and how much weight, each cut leaves."""

import json

import numpy as np
import pytest

import colstore
from colstore import col

WEIGHTS = np.array([1.5, 3, 4.5, 6, 7.5, 9, 10.5, 12, 13.5, 0])


@pytest.fixture
def frame(path):
    with colstore.store({"i": np.arange(10), "w": WEIGHTS, "b": np.arange(10) > 4, "s": np.full(10, b"x")}, path) as ds:
        yield ds.edit()


def test_counts(frame):
    report = frame.where("i >= 4", "sel").where(col("i") % 2 == 0).where("b", label="last").report()
    assert len(report) == 3 and [cut.label for cut in report] == ["sel", "#1", "last"]
    assert [(cut.entering, cut.passing) for cut in report] == [(10, 6), (6, 3), (3, 2)]
    assert [cut.efficiency for cut in report] == [0.6, 0.5, 2 / 3]
    assert all(cut.weighted_entering is None and cut.weighted_efficiency is None for cut in report)
    assert report[-1] is report[2] and report["last"] is report[2] and report[:2] == list(report)[:2]
    with pytest.raises(KeyError, match="no cut labeled"):
        report["nothing"]
    with pytest.raises(IndexError):
        report[3]
    label, entering, passing, weighted_entering, weighted_passing = report[0]
    assert (label, entering, passing, weighted_entering, weighted_passing) == ("sel", 10, 6, None, None)


def test_weights_stick(frame):
    edited = frame.where("i >= 2").where("i >= 4", weight="w").where("i >= 6").where("i >= 8", weight=col("w") * 2)
    first, second, third, fourth = edited.report()
    assert first.weighted_entering is None
    assert (second.weighted_entering, second.weighted_passing) == (WEIGHTS[2:].sum(), WEIGHTS[4:].sum())
    assert (third.weighted_entering, third.weighted_passing) == (WEIGHTS[4:].sum(), WEIGHTS[6:].sum())
    assert (fourth.weighted_entering, fourth.weighted_passing) == (2 * WEIGHTS[6:].sum(), 2 * WEIGHTS[8:].sum())
    assert type(second.weighted_passing) is float
    squares = [None, (WEIGHTS[4:] ** 2).sum(), (WEIGHTS[6:] ** 2).sum(), (4 * WEIGHTS[8:] ** 2).sum()]
    assert edited.report().weighted_variances == squares
    assert second.weighted_efficiency == second.weighted_passing / second.weighted_entering
    by_column = frame.where("i >= 4", weight=frame["w"] + 1).report()[0]
    assert by_column.weighted_passing == (WEIGHTS[4:] + 1).sum()
    # The weight is the column that it was.
    dropped = frame.where("i >= 4", weight="w").drop("w").report()[0]
    assert dropped.weighted_passing == WEIGHTS[4:].sum()


def test_nothing_enters(frame):
    report = frame.where("i > 100", weight="w").where("i > 3").report()
    assert report[1].entering == 0 and report[1].efficiency == 0.0 and report[1].weighted_efficiency == 0.0


def test_base_rows(frame):
    report = frame._store[2:8].edit().where("i >= 4").report()
    assert report[0].entering == 6 and report[0].passing == 4


def test_refused_weights(frame):
    with pytest.raises(KeyError):
        frame.where("i > 3", weight="nothing")
    for wrong in ("b", "s", col("i") > 3, frame["b"]):
        with pytest.raises(TypeError, match="numeric"):
            frame.where("i > 3", weight=wrong)
    for wrong in (3, WEIGHTS):
        with pytest.raises(TypeError):
            frame.where("i > 3", weight=wrong)
    for wrong in (3, b"x"):
        with pytest.raises(TypeError):
            frame.where("i > 3", label=wrong)


def test_records(frame):
    records = frame.where("i >= 4", "sel", weight="w").report().records()
    assert records == [
        {
            "label": "sel",
            "entering": 10,
            "passing": 6,
            "efficiency": 0.6,
            "weighted_entering": WEIGHTS.sum(),
            "weighted_passing": WEIGHTS[4:].sum(),
            "weighted_efficiency": WEIGHTS[4:].sum() / WEIGHTS.sum(),
        }
    ]
    assert json.loads(json.dumps(records)) == records
    assert {type(value) for value in records[0].values()} == {str, int, float}


def test_text(frame):
    assert repr(frame.report()) == "CutflowReport(no cuts)"
    cut = frame.where("i >= 4", "sel", weight="w").where("i % 2 == 0", "even")
    assert repr(cut.report()) == (
        "cut   entering  passing     eff  wt_entering  wt_passing  wt_eff\n"
        "sel         10        6  60.00%         67.5        52.5  77.78%\n"
        "even         6        3  50.00%         52.5        31.5  60.00%"
    )
    assert repr(cut.report("raw")).splitlines()[0].split() == ["cut", "entering", "passing", "eff"]
    assert repr(cut.report("weighted")).splitlines()[0].split() == ["cut", "wt_entering", "wt_passing", "wt_eff"]
    assert repr(cut.report("both")) == repr(cut.report())
    mixed = frame.where("i >= 4").where("i >= 6", weight="w").report()
    assert repr(mixed).splitlines()[1].split() == ["#0", "10", "6", "60.00%", "-", "-", "-"]
    plain = frame.where("i >= 4").report("weighted")
    assert repr(plain).splitlines()[0].split() == ["cut", "entering", "passing", "eff"]
    for wrong in ("all", 1, ""):
        with pytest.raises(ValueError, match="show must be"):
            cut.report(wrong)


def test_html(frame):
    assert "no cuts" in frame.report()._repr_html_() and 'class="cstore-tbl"' in frame.report()._repr_html_()
    html = frame.where("i >= 4", "<sel>", weight="w").report()._repr_html_()
    assert html.startswith("<div") and 'class="cstore-tbl"' in html
    assert "&lt;sel&gt;" in html and "<sel>" not in html
    assert "<td>60.00%</td>" in html and "<th>wt_eff</th>" in html


def test_a_report_is_of_its_time(frame):
    cut = frame.where("i >= 4")
    report = cut.report()
    cut.where("i >= 8", inplace=True)
    assert len(report) == 1 and len(cut.report()) == 2
