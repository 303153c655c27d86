"""Messages by key: one per key and language, none missing without a word."""

import re

import pytest

from course_utils import i18n, paths
from sources import ROOT


def test_the_language_comes_from_outside_the_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert i18n.language() == "en"
    (tmp_path / i18n.MARKER).write_text("hi\n")
    assert i18n.language() == "hi"
    (tmp_path / "solutions").mkdir()
    monkeypatch.chdir(tmp_path / "solutions")
    assert i18n.language() == "hi"
    monkeypatch.setenv("COURSE_LANG", "pt")
    assert i18n.language() == "pt"


def test_a_missing_key_is_an_error_that_says_where_to_add_it():
    with pytest.raises(
        LookupError, match=r"no message 'no-such-key' in assets/messages\.json or assets/quizzes"
    ):
        i18n.text("no-such-key")


def test_a_language_without_a_message_never_falls_back_to_english(tmp_path, monkeypatch):
    folder = tmp_path / "xx"
    folder.mkdir()
    (folder / "course_utils.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        '#, fuzzy\nmsgctxt "quiz.title"\nmsgid "Quiz"\nmsgstr "Kwiz"\n\n'
        'msgctxt "plot.rank"\nmsgid "Rank"\nmsgstr "Rang"\n'
    )
    monkeypatch.setenv("COURSE_LOCALE", str(tmp_path))
    monkeypatch.setenv("COURSE_LANG", "xx")
    assert i18n.text("plot.rank") == "Rang"
    for key in ("quiz.title", "plot.cutoff"):
        with pytest.raises(LookupError, match=r"assets/locale/xx/course_utils\.po"):
            i18n.text(key)


def test_every_key_in_the_code_has_a_message_and_every_message_is_used():
    files = [*(ROOT / "course_utils").rglob("*.py"), ROOT / "notebooks" / "build.py"]
    files += (ROOT / "notebooks" / "src").glob("*.py")
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    own = set(i18n._read_json(paths.assets("messages.json")))
    assert set(re.findall(r"""\btext\(\s*["']([a-z]+\.[a-z_.]+)["']""", code)) <= own
    used = {key for key in own if f'"{key}"' in code or f"'{key}'" in code}
    by_kind = {key for key in own if f'"{key.rpartition(".")[0]}.{{' in code}
    assert own == used | by_kind
