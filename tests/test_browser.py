"""The lessons in a real browser: visible before running, reachable by keyboard alone, without accessibility faults."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from sources import ROOT

pytestmark = pytest.mark.browser

LESSON = "03_measure_recall_and_mrr.ipynb"
QUIETLY = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
QUIETLY += ["--disable-component-update", "--disable-sync"]
QUIZZES, OPTIONS = 5, 20
# What axe finds in the frames that others draw around our content.
FOREIGN = {
    "link-in-text-block": "nbconvert's template tells links from text by colour alone",
    "empty-table-header": "the corner cell of a pandas table",
}


def chromium():
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)))


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=QUIETLY)
        yield started
        started.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Serve a fresh copy of the course, which this user has never trusted."""
    home = tmp_path_factory.mktemp("home")
    for part in ("notebooks", "assets", "course_utils"):
        shutil.copytree(ROOT / part, home / "course" / part, ignore=shutil.ignore_patterns("__pycache__"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    places = {f"JUPYTER_{name}_DIR": str(home / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        f"--port={port}",
        "--ServerApp.port_retries=0",
    ]
    command += ["--IdentityProvider.token=", "--allow-root", "--LabApp.news_url=None"]
    process = subprocess.Popen(
        command,
        cwd=home / "course",
        env=os.environ | places | {"HOME": str(home), "COURSE_STATE": str(home / "state")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: answers(address), "the server answers")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)


def answers(address):
    try:
        with urllib.request.urlopen(f"{address}/api", timeout=2) as reply:
            return reply.status == 200
    except OSError:
        return False


def wait_until(true, what, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"gave up waiting until {what}"
        time.sleep(0.2)


@pytest.fixture(params=["lab/tree", "notebooks"], ids=["JupyterLab", "Notebook 7"])
def page(request, browser, server):
    """Open the untrusted lesson; nothing is run. The window is high enough to show every cell."""
    view = browser.new_page(viewport={"width": 1200, "height": 9000})
    view.goto(f"{server}/{request.param}/notebooks/{LESSON}")
    view.wait_for_selector("fieldset details", timeout=60_000)
    wait_until(lambda: view.locator("fieldset").count() == QUIZZES, "every quiz is shown")
    yield view
    view.close()


def test_quizzes_and_figures_are_there_before_anything_is_run(page):
    assert page.locator("fieldset details summary").count() == OPTIONS
    assert page.locator("fieldset").first.get_by_text("What does MRR reward?").is_visible()
    alts = page.locator("img[src^='data:image/png']").evaluate_all("images => images.map(i => i.alt)")
    assert len(alts) >= 2
    assert all(len(alt) > 60 for alt in alts)
    assert page.locator("fieldset details[open]").count() == 0


def focused(page):
    return page.evaluate("document.activeElement.tagName + ':' + document.activeElement.textContent")


def test_every_option_is_reached_and_opened_by_keyboard_alone(page):
    wanted = page.locator("fieldset summary").all_text_contents()
    opened = []
    for _ in range(400):
        page.keyboard.press("Tab")
        name = focused(page)
        if name.startswith("SUMMARY:") and name[8:] in wanted:
            page.keyboard.press("Enter")
            opened.append(name[8:])
        if len(opened) == len(wanted):
            break
    assert opened == wanted
    assert page.locator("fieldset details[open]").count() == OPTIONS
    assert page.get_by_text("A first relevant result at rank 1 scores 1").first.is_visible()


def test_typing_d_twice_on_an_option_deletes_nothing(page):
    cell = page.locator(".jp-Cell", has_text='quiz("03-mrr-rewards")')
    cell.locator("fieldset summary").first.focus()
    page.keyboard.press("d")
    page.keyboard.press("d")
    page.wait_for_timeout(500)
    assert cell.count() == 1
    assert page.locator("fieldset").count() == QUIZZES


def test_a_learner_runs_all_and_gets_the_same_page_again(page):
    # Before the kernel is there, "Run All Cells" does nothing.
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=60_000)
    page.locator(".jp-Cell").first.click()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.wait_for_selector(".jp-InputPrompt:has-text('[*]')", timeout=30_000)
    wait_until(lambda: page.locator(".jp-InputPrompt:has-text('[*]')").count() == 0, "all cells have run")
    assert page.locator("fieldset details summary").count() == OPTIONS
    assert page.locator(".jp-RenderedText[data-mime-type$='stderr']").count() == 0
    assert page.get_by_text("mean recall@3: 0.667 | mean MRR: 0.5").count() >= 1


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Export the lesson as a page, as a teacher would send it."""
    out = tmp_path_factory.mktemp("exported")
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--no-prompt", "--embed-images"]
    command += [str(ROOT / "notebooks" / LESSON), "--output-dir", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    return Path(out, LESSON).with_suffix(".html")


def test_the_exported_page_works_offline_and_has_no_accessibility_fault_of_ours(browser, exported):
    context = browser.new_context(offline=True)
    view = context.new_page()
    view.goto(exported.as_uri())
    summary = view.locator("fieldset summary").first
    summary.focus()
    view.keyboard.press("Enter")
    assert view.locator("fieldset details[open]").count() == 1
    scope = {"include": [[".jp-OutputArea"], [".jp-RenderedMarkdown"]]}
    rules = {"rules": {rule: {"enabled": False} for rule in FOREIGN}}
    found = Axe().run(view, context=scope, options=rules).response["violations"]
    ours = {v["id"]: [n["html"][:200] for n in v["nodes"] if not theirs(n)] for v in found}
    assert not any(ours.values()), ours
    context.close()


def theirs(node):
    """Tell whether a fault lies in the colours of nbconvert's own code highlighting, not in what we render."""
    return "highlight" in node["html"] or any(".highlight" in str(t) for t in node["target"])
