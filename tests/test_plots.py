"""Figures: described, small, the same bytes each time, labelled in the edition's language."""

import pandas as pd
import pytest

from course_utils import plots


def picture():
    fig, (ax,) = plots.axes()
    plots.score_by_cutoff(ax, {"Recall@k": [0.0, 0.5, 0.5, 1.0]}, ceiling=[0.25, 0.5, 0.75, 1.0])
    return plots.show(fig, "a curve that rises")


def test_the_same_figure_has_the_same_bytes_and_is_small():
    first, second = picture(), picture()
    assert first.png == second.png
    assert 1_000 < len(first.png) <= 80_000


def test_a_figure_carries_its_description():
    html = plots.Picture(b"x", 'a "b" < c')._repr_html_()
    assert 'alt="a &quot;b&quot; &lt; c"' in html
    assert html.count("<img") == 1


def test_a_figure_without_a_description_is_refused():
    fig, _ = plots.axes()
    with pytest.raises(ValueError, match="a figure needs an alternative text"):
        plots.show(fig, "  ")


def test_the_strip_writes_the_grade_into_each_box():
    _, (ax,) = plots.axes()
    plots.grade_strip(ax, {"BM25": [2, 0, 1], "Hybrid": [2, 1]})
    assert [t.get_text() for t in ax.texts] == ["2", "0", "1", "2", "1"]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["BM25", "Hybrid"]


def test_contributions_write_what_the_discount_leaves():
    _, (ax,) = plots.axes()
    plots.contributions(ax, "BM25", [2, 0, 0, 1, 0, 0, 2])
    assert [t.get_text() for t in ax.texts] == ["2", "0.43", "0.67"]


def test_curves_are_labelled_at_their_end():
    _, (ax,) = plots.axes()
    plots.score_by_cutoff(ax, {"A": [0.1, 0.2], "B": [0.3, 0.4]})
    assert [t.get_text().strip() for t in ax.texts] == ["A", "B"]


@pytest.mark.parametrize("chart", [lambda ax, values: plots.curves(ax, [1], values), plots.strips])
def test_a_fifth_group_is_refused_and_not_left_out(chart):
    _, (ax,) = plots.axes()
    with pytest.raises(ValueError, match="5 groups in one figure; expected at most 4"):
        chart(ax, {name: [0.5] for name in "abcde"})


@pytest.mark.parametrize("colour", [plots.INK, plots.BLUE, plots.ORANGE, plots.GREEN])
def test_text_colours_have_contrast_on_white(colour):
    """WCAG 2: at least 4.5 for text."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    assert 1.05 / (luminance + 0.05) >= 4.5


def test_marks_tick_what_is_true():
    _, (ax,) = plots.axes()
    plots.marks(ax, pd.DataFrame({"perfect": [True, False], "swap": [True, True]}, index=["bug 1", "bug 2"]))
    assert [t.get_position() for t in ax.texts] == [(0, 0), (1, 0), (1, -1)]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["bug 1", "bug 2"]


def test_strips_show_every_value_and_its_count():
    _, (ax,) = plots.axes()
    plots.strips(ax, {"yes": [3.0, 1.0, 2.0], "no": [1.0, 1.0]})
    assert [len(line.get_xdata()) for line in ax.lines] == [3, 2, 2, 2]
    assert ax.lines[1].get_xdata()[0] == 2.0
    assert [t.get_text() for t in ax.get_yticklabels()] == ["yes (3)", "no (2)"]


def test_differences_and_pairs_say_what_each_side_means():
    _, (left, right) = plots.axes(columns=2)
    plots.differences(left, [0.5, -0.25, 0.0], "B better", "A better")
    assert [t.get_text() for t in left.texts] == ["B better", "A better"]
    plots.pairs(right, pd.DataFrame({"need": [0.2, 0.4], "page": [0.8, 1.0]}, index=["q1", "q2"]))
    assert [t.get_text() for t in right.texts] == ["need", "page"]


def test_labels_at_the_end_of_curves_do_not_lie_on_each_other():
    _, (ax,) = plots.axes()
    plots.curves(ax, [0, 1], {"a": [0.5, 0.66], "b": [0.5, 0.65]})
    heights = sorted(t.xyann[1] for t in ax.texts)
    assert heights[1] - heights[0] >= 0.09 - 1e-9


@pytest.mark.parametrize(
    ("first", "sides"),
    [((0.58, 0.579), ["left", "right"]), ((0.5, 0.5), ["right", "left"]), ((0.4, 0.8), ["center", "center"])],
)
def test_names_of_near_pairs_are_written_away_from_each_other(first, sides):
    _, (ax,) = plots.axes()
    plots.pairs(ax, pd.DataFrame([first], columns=["bm25", "minilm"], index=["all"]))
    assert [t.get_ha() for t in ax.texts] == sides
