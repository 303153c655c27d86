"""The built notebooks: nothing hollow, nothing too large, nothing that a reader trips over."""

import base64
import io
import re
import statistics

import nbformat
import pytest
from PIL import Image

import build
from sources import LESSONS, NOTEBOOKS, ROOT, SOURCES, cells

LESSON_WORDS = range(1200, 2001)
LESSON_CODE_CELLS = range(20, 36)
MAX_LINES, MAX_MEDIAN = 24, 4
FIGURE = re.compile(r'<img alt="([^"]*)"[^>]*src="data:image/png;base64,([^"]+)"')
LINK = re.compile(r"\]\(([^)\s]+)\)")
EACH = pytest.mark.parametrize(
    "path", NOTEBOOKS, ids=[str(p.relative_to(ROOT / "notebooks")) for p in NOTEBOOKS]
)


def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def figures(notebook):
    html = [str(o.get("data", {}).get("text/html", "")) for c in code_cells(notebook) for o in c.outputs]
    return FIGURE.findall("\n".join(html))


def test_every_source_has_its_products_and_the_other_way_round():
    languages = build.languages()
    expected = {
        build.Edition(source, language, solutions, ROOT / "notebooks").path
        for source in SOURCES
        for language in languages
        for solutions in (False, True)
    }
    assert set(NOTEBOOKS) == expected
    assert {p.stem for p in (ROOT / "classroom" / "notes").glob("*.md")} == set(LESSONS)


@EACH
def test_a_notebook_was_run_from_its_first_cell_to_its_last(path):
    notebook = read(path)
    nbformat.validate(notebook)
    code = code_cells(notebook)
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert sum(bool(cell.outputs) for cell in code) >= 0.6 * len(code)
    assert not [o for cell in code for o in cell.outputs if o.output_type == "error"]
    assert notebook.metadata == build.KERNEL


@EACH
def test_outputs_hold_nothing_that_differs_from_machine_to_machine(path):
    # A backslash is that of JSON: addresses and temporary paths would show as they are.
    text = "\n".join(str(cell.outputs) for cell in code_cells(read(path)))
    assert not re.search(r" at 0x[0-9a-f]{6,}|/tmp/|/home/|/root/|ipykernel_", text)


@EACH
def test_cells_are_short(path):
    lengths = [len(cell.source.splitlines()) for cell in code_cells(read(path))]
    assert max(lengths) <= MAX_LINES
    assert statistics.median(lengths) <= MAX_MEDIAN


@EACH
def test_quiz_cells_cannot_be_deleted_by_a_slip_of_the_keyboard(path):
    for cell in code_cells(read(path)):
        if re.match(r"(quiz|predict|check)\(", cell.source):
            assert cell.metadata.deletable is False


@EACH
def test_every_cell_is_core_or_stretch(path):
    for cell in read(path).cells:
        assert len({"core", "stretch"} & set(cell.metadata.tags)) == 1


@EACH
def test_figures_are_small_and_say_what_they_show(path):
    for alt, data in figures(read(path)):
        png = base64.b64decode(data)
        assert len(png) <= 80_000
        assert len(alt) > 60
        assert len(Image.open(io.BytesIO(png)).getcolors()) > 2


@EACH
def test_links_lead_somewhere(path):
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            for target in LINK.findall(cell.source):
                if not target.startswith(("http", "#")):
                    assert (path.parent / target.split("#")[0]).exists(), f"{cell.id}: {target}"


@EACH
def test_pictures_are_local_and_described(path):
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            for alt, target in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", cell.source):
                assert len(alt) > 40
                assert not target.startswith("http")


@pytest.mark.parametrize("lesson", [number for number in LESSONS if number != "00"])
def test_a_lesson_is_a_lesson_and_not_a_chapter(lesson):
    notebook = read(ROOT / "notebooks" / f"{LESSONS[lesson].stem}.ipynb")
    prose = [c.source for c in notebook.cells if c.cell_type == "markdown" and "```python" not in c.source]
    assert len(re.findall(r"\w[\w'-]*", "\n".join(prose))) in LESSON_WORDS
    assert len(code_cells(notebook)) in LESSON_CODE_CELLS
    assert figures(notebook)


@pytest.mark.parametrize("lesson", list(LESSONS))
def test_every_lesson_has_its_fixed_parts(lesson):
    markdown = [c for c in cells(lesson) if c.cell_type == "markdown"]
    title, text = markdown[0].source, "\n".join(c.source for c in markdown)
    assert re.search(r"\*\*By the end .*you can\*\*", title)
    assert re.search(r"\*\*\d+ minutes\.\*\*", title)
    assert any("instructor" in build.tags(c) and "**Timing.**" in c.source for c in markdown)
    if lesson != "00":
        assert "## Takeaways" in text and "## Now on your own data" in text
        assert any(c.source.startswith("predict(") for c in cells(lesson))


@pytest.mark.parametrize("lesson", list(LESSONS))
def test_an_answer_changes_nothing_but_its_own_check(lesson):
    """Both editions print the same, except where an exercise, a quiz or a guess is answered."""
    learner, solved = (
        {c.id: c for c in code_cells(read(folder / f"{LESSONS[lesson].stem}.ipynb"))}
        for folder in (ROOT / "notebooks", ROOT / "notebooks" / "solutions")
    )
    for key in learner.keys() & solved.keys():
        answered = learner[key].source.startswith("check(")
        assert answered or learner[key].outputs == solved[key].outputs, key


@pytest.mark.parametrize("lesson", list(LESSONS))
def test_in_the_solutions_edition_every_check_is_passed(lesson):
    notebook = read(ROOT / "notebooks" / "solutions" / f"{LESSONS[lesson].stem}.ipynb")
    for cell in code_cells(notebook):
        if cell.source.startswith('check("'):
            text = cell.outputs[0].data["text/plain"]
            assert not text.startswith(("Not yet", "Not answered")), cell.id
            assert "Right." in text, cell.id
