"""Every test starts with an empty state folder and in English."""

import pytest


@pytest.fixture(autouse=True)
def empty_state(tmp_path, monkeypatch):
    """Give every test an empty folder for guesses and English as its language."""
    monkeypatch.setenv("COURSE_STATE", str(tmp_path / "state"))
    monkeypatch.delenv("COURSE_LANG", raising=False)
    monkeypatch.delenv("COURSE_LOCALE", raising=False)
    return tmp_path / "state"
