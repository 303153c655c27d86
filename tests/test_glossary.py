"""Bold is for terms, and every term is in the glossary."""

import re

import build
from sources import LESSONS, ROOT, cells

FIXED = re.compile(r"By the end .*you can|\d+ minutes\.")
ROW = re.compile(r"^\| ([^|]+?) \| ([^|]+?) \| (\d\d) \|$", re.M)
GLOSSARY = ROW.findall((ROOT / "assets" / "glossary.md").read_text(encoding="utf-8"))
# A verb form or a plural of a term.
SAME = {"labelled": "label"}


def bold(lesson):
    text = "\n".join(
        c.source for c in cells(lesson) if c.cell_type == "markdown" and "instructor" not in build.tags(c)
    )
    return {
        SAME.get(t.casefold(), t.casefold())
        for t in re.findall(r"\*\*([^*]+)\*\*", text)
        if not FIXED.fullmatch(t)
    }


def test_every_bold_term_of_a_lesson_is_in_the_glossary():
    known = {term.casefold() for term, _, _ in GLOSSARY}
    for lesson in LESSONS:
        assert bold(lesson) <= known, lesson


def test_every_entry_is_explained_in_the_lesson_that_it_names():
    for term, meaning, lesson in GLOSSARY:
        assert term.casefold() in bold(lesson), term
        assert len(meaning) > 20


def test_entries_are_in_order_and_there_once():
    terms = [term.casefold() for term, _, _ in GLOSSARY]
    assert terms == sorted(set(terms))
