"""Figures: described, small, the same bytes each time, labelled in the edition's language."""

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


@pytest.mark.parametrize("colour", [plots.INK, plots.BLUE, plots.ORANGE, plots.GREEN])
def test_text_colours_have_contrast_on_white(colour):
    """WCAG 2: at least 4.5 for text."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    assert 1.05 / (luminance + 0.05) >= 4.5
