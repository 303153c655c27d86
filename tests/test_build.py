"""The notebook factory: editions, byte-identical rebuilds, planted faults, a second language."""

import base64
import io
import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from PIL import Image

import build
from course_utils import i18n
from sources import LESSONS, ROOT, cells

MODEL = "03"
NAME = LESSONS[MODEL].stem
BLANK_CHECK = 'check("03-mrr-rewards", ...)'


def edition(out, language="en", solutions=False):
    return build.Edition(LESSONS[MODEL], language, solutions, out)


def test_solutions_take_the_place_of_stubs():
    learner, solved = (build.compose(edition(ROOT / "notebooks", solutions=s)) for s in (False, True))
    ids = [[cell.id for cell in notebook.cells] for notebook in (learner, solved)]
    assert "ex-precision-stub" in ids[0] and "ex-precision-stub" not in ids[1]
    assert ids[1].index("ex-precision-solution") < ids[1].index("ex-precision-check")
    folded = next(cell for cell in learner.cells if cell.id == "ex-precision-solution")
    assert folded.cell_type == "markdown"
    assert folded.source.startswith("<details><summary>Solution</summary>")


def test_wrong_answers_and_instructor_cells_stay_out_of_both_editions():
    for solutions in (False, True):
        ids = " ".join(
            cell.id for cell in build.compose(edition(ROOT / "notebooks", solutions=solutions)).cells
        )
        assert not re.search("wrong|equivalent|instructor", ids)


def test_instructor_cells_become_a_page():
    page = build.instructor_notes(LESSONS[MODEL])
    assert page.startswith("<!-- Derived from notebooks/src/03_")
    assert "# Teaching notes: Measure recall and MRR" in page
    assert "**Ranks 1 and 4.**" in page


def test_quiz_answers_are_filled_in_for_the_solutions_edition():
    assert build.answered(BLANK_CHECK) == 'check("03-mrr-rewards", "c")'
    assert build.answered('check("03-shuffle-top", ...)') == 'check("03-shuffle-top", "abd")'
    assert build.answered('check("03-best-precision", ...)') == 'check("03-best-precision", 0.2)'
    assert build.answered('check("03-precision", precision_at_k)') == 'check("03-precision", precision_at_k)'


def test_links_of_deeper_editions_still_lead_to_the_assets():
    source = LESSONS["00"]
    for solutions, prefix in ((False, "](../assets/"), (True, "](../../assets/")):
        notebook = build.compose(build.Edition(source, "en", solutions, ROOT / "notebooks"))
        assert prefix in next(cell.source for cell in notebook.cells if cell.id == "map")


def test_a_source_cell_without_a_key_or_with_one_twice_is_refused(tmp_path):
    for text, message in (
        ("# %%\n1", "cell 1 has no key"),
        ('# %% key="a"\n1\n# %% key="a"\n2', "key 'a' again"),
    ):
        (tmp_path / "03_x.py").write_text(text)
        with pytest.raises(SystemExit, match=message):
            build.read_source(tmp_path / "03_x.py")


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory):
    """Build lesson 03 twice, in folders of different names."""
    folders = [tmp_path_factory.mktemp(name) for name in ("one", "another")]
    for folder in folders:
        os.environ["COURSE_STATE"] = str(folder / "state")
        for solutions in (False, True):
            build.build(edition(folder, solutions=solutions))
    return folders


def test_a_rebuild_is_byte_identical(rebuilt):
    for part in (f"{NAME}.ipynb", f"solutions/{NAME}.ipynb"):
        first, second = ((folder / part).read_bytes() for folder in rebuilt)
        assert first == second


def test_the_check_passes_on_what_was_built_and_names_the_first_difference(rebuilt, tmp_path):
    path = tmp_path / f"{NAME}.ipynb"
    shutil.copy(rebuilt[0] / path.name, path)
    assert list(build._difference(edition(tmp_path))) == []
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[5].source += "\n# changed by hand"
    nbformat.write(notebook, path)
    found = list(build._difference(edition(tmp_path)))
    assert found == [f"notebooks/{NAME}.ipynb: the cell {notebook.cells[5].id!r} differs from the source"]


def test_the_check_names_a_missing_a_stripped_and_a_left_over_notebook(rebuilt, tmp_path):
    assert list(build._difference(edition(tmp_path))) == [f"notebooks/{NAME}.ipynb is missing"]
    notebook = nbformat.read(rebuilt[0] / f"{NAME}.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.write(notebook, tmp_path / f"{NAME}.ipynb")
    assert "was not executed" in next(build._difference(edition(tmp_path)))
    nbformat.write(notebook, tmp_path / "99_old.ipynb")
    found = list(build.differences([edition(tmp_path)], True, ROOT / "classroom" / "notes"))
    assert "notebooks/99_old.ipynb has no source in notebooks/src" in found


def nbval(path):
    """Run the strict notebook gate on one notebook, as `course.py check` does."""
    shutil.copy(ROOT / "notebooks" / "conftest.py", path.parent)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--nbval",
        str(path),
        "-o",
        "addopts=-p no:cacheprovider",
    ]
    env = os.environ | {"PYTHONPATH": str(ROOT), "COURSE_STATE": str(path.parent / "state")}
    done = subprocess.run(
        [*command, f"--rootdir={path.parent}", "-c", str(ROOT / "pyproject.toml")],
        capture_output=True,
        text=True,
        env=env,
        cwd=path.parent,
    )
    return done.returncode, done.stdout


def tiny(path, figure="[1, 2]", shown=None):
    """Build a small notebook: a number and a figure."""
    code = [
        "from course_utils import measures, plots",
        'measures.reciprocal_rank(["d2", "d1"], {"d1"})',
        f"fig, (ax,) = plots.axes(3, 2)\n_ = ax.plot({figure})\nplots.show(fig, 'a line')",
    ]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(c) for c in code], metadata=build.KERNEL
    )
    notebook = build.execute(build.Edition(path, "en", False, path.parent), notebook)
    if shown:
        notebook.cells[2].source = code[2].replace(figure, shown)
    nbformat.write(notebook, path)
    return notebook


def test_the_gate_passes_a_sound_notebook_also_when_a_figure_was_packed_otherwise(tmp_path):
    path = tmp_path / "sound.ipynb"
    notebook = tiny(path)
    html = notebook.cells[2].outputs[0].data["text/html"]
    data = re.search(r"base64,([^\"]+)", html)[1]
    repacked = io.BytesIO()
    Image.open(io.BytesIO(base64.b64decode(data))).save(repacked, "png", compress_level=1)
    other = base64.b64encode(repacked.getvalue()).decode()
    assert other != data
    notebook.cells[2].outputs[0].data["text/html"] = html.replace(data, other)
    nbformat.write(notebook, path)
    code, output = nbval(path)
    assert code == 0, output


def test_the_gate_refuses_a_planted_wrong_number(tmp_path):
    path = tmp_path / "number.ipynb"
    notebook = tiny(path)
    notebook.cells[1].outputs[0].data["text/plain"] = "0.25"
    nbformat.write(notebook, path)
    code, output = nbval(path)
    assert code == 1
    assert "0.25" in output


def test_the_gate_refuses_a_swapped_figure(tmp_path):
    path = tmp_path / "figure.ipynb"
    tiny(path, figure="[1, 2]", shown="[2, 1]")
    code, output = nbval(path)
    assert code == 1
    assert "Cell outputs differ" in output and "330x220" in output


def test_a_lesson_runs_with_the_network_cut_off(tmp_path, monkeypatch):
    """Any address but this machine's own is refused, in the kernel too."""
    guard = tmp_path / "guard"
    guard.mkdir()
    (guard / "sitecustomize.py").write_text(
        "import socket\nhere = ('127.0.0.1', 'localhost', '::1')\n_connect = socket.socket.connect\n"
        "def connect(self, address):\n"
        "    if self.family != getattr(socket, 'AF_UNIX', None) and address[0] not in here:\n"
        "        raise OSError('the network is cut off')\n"
        "    return _connect(self, address)\n"
        "def lookup(host, *rest, **more):\n"
        "    if host not in (*here, None, ''):\n"
        "        raise OSError('the network is cut off')\n"
        "    return _lookup(host, *rest, **more)\n"
        "_lookup, socket.getaddrinfo, socket.socket.connect = socket.getaddrinfo, lookup, connect\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(guard))
    cut = nbformat.v4.new_notebook(metadata=build.KERNEL)
    cut.cells = [
        nbformat.v4.new_code_cell("import urllib.request\nurllib.request.urlopen('http://example.org')")
    ]
    with pytest.raises(Exception, match="the network is cut off"):
        build.execute(edition(tmp_path), cut)
    build.build(edition(tmp_path))
    assert (tmp_path / f"{NAME}.ipynb").is_file()


ACCENTS = str.maketrans("aeiouAEIOU", "àéîõüÀÉÎÕÜ")
KEPT = re.compile(r"(`[^`]*`|\$[^$]*\$|\]\([^)]*\)|<[^>]*>|\{[^}]*\}|https?://\S+)")


def pseudo(sentence):
    """Mark a sentence as translated: every vowel gets an accent, but code, links, tags and placeholders stay."""
    return "".join(p if n % 2 else p.translate(ACCENTS) for n, p in enumerate(KEPT.split(sentence)))


@pytest.fixture
def pseudo_locale(tmp_path, monkeypatch):
    """Write catalogues of a language in which every vowel has an accent."""
    folder = tmp_path / "locale" / "xx"
    folder.mkdir(parents=True)
    markdown = {c.id: c.source for c in cells(MODEL) if c.cell_type == "markdown"}
    for name, messages in ((NAME, markdown), ("course_utils", i18n.english())):
        catalogue = Catalog(locale="en")
        for key, sentence in messages.items():
            catalogue.add(sentence, pseudo(sentence), context=key)
        with (folder / f"{name}.po").open("wb") as file:
            write_po(file, catalogue, width=0)
    monkeypatch.setenv("COURSE_LOCALE", str(tmp_path / "locale"))
    return tmp_path


def test_a_second_language_needs_catalogues_and_no_code(pseudo_locale):
    out = pseudo_locale / "out"
    foreign = edition(out, language="xx")
    build.build(foreign)
    notebook = nbformat.read(foreign.path, as_version=4)
    english = build.compose(edition(out))
    assert foreign.path == out / "xx" / f"{NAME}.ipynb"
    assert (out / "xx" / i18n.MARKER).read_text() == "xx\n"
    for mine, other in zip(english.cells, notebook.cells, strict=True):
        assert mine.cell_type != "code" or mine.source == other.source
    shown = [c.source for c in notebook.cells if c.cell_type == "markdown"]
    shown += [
        o.data.get("text/html", o.data["text/plain"])
        for c in notebook.cells
        if c.cell_type == "code"
        and re.match(r"(quiz|check|predict|reveal)\(|.*show\(", c.source.splitlines()[-1])
        for o in c.outputs
    ]
    text = re.sub(
        r"```.*?```|base64,[^\"]*|<[^>]*style=[^>]*>|&\w+;|\w+\([^)]*\)", " ", "\n".join(shown), flags=re.S
    )
    left = [
        word for piece in KEPT.split(text)[::2] for word in re.findall(r"\b[a-z]*[aeiou][a-z]{3,}\b", piece)
    ]
    assert left == []


def test_a_cell_without_a_translation_stops_the_build(pseudo_locale):
    path = pseudo_locale / "locale" / "xx" / f"{NAME}.po"
    path.write_text(
        path.read_text(encoding="utf-8").replace('msgctxt "title"', 'msgctxt "titel"'), encoding="utf-8"
    )
    with pytest.raises(SystemExit, match=r"03_measure_recall_and_mrr\.po: no message for the cell 'title'"):
        build.compose(edition(pseudo_locale / "out", language="xx"))
