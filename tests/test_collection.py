"""The handbook collection in ``assets``: frozen, complete, and written to its protocol."""

import difflib
import hashlib
import itertools
import json
import re
import unicodedata

import pandas as pd
import pytest

from course_utils import paths

GOLDEN_SET = paths.assets("golden_set")


def listed(names):
    """Return the names in a text, in order."""
    return re.findall(r"\S+", names)


TYPES = {"keyword", "paraphrase", "identifier", "multi_document", "noisy", "version_or_region"}
KINDS = {"out_of_scope", "near_miss", "false_premise", "expired", "wrong_region", "personal_data"}
SECTIONS = listed(
    "leave travel-expenses it-support security api-platform payroll benefits office onboarding "
    "oncall-incidents data-privacy procurement"
)
DOCUMENT_FIELDS = listed("doc_id title text section status updated region roles")
QUESTION_FIELDS = listed(
    "query_id text type lang script answerable unanswerable_kind split need twin_of showcase"
)
STOP_WORDS = set(
    listed("a an the of to in on for and or is are be do does i my we our you your it how what with")
)


def lines(*parts):
    return [json.loads(line) for line in paths.assets(*parts).read_text(encoding="utf-8").splitlines()]


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def words(text):
    return re.findall(r"[\w\u0900-\u0963\u0966-\u097F]+(?:['’]\w+)?", text.lower())


def runs_of_four(text):
    found = words(text)
    return {tuple(found[i : i + 4]) for i in range(len(found) - 3)}


DOCUMENTS = lines("corpus", "handbook.jsonl")
QUESTIONS = lines("golden_set", "questions.jsonl")
ENGLISH = [q for q in QUESTIONS if q["lang"] == "en"]
TWINS = [q for q in QUESTIONS if q["lang"] == "hi"]
BY_ID = {q["query_id"]: q for q in QUESTIONS}
FROZEN = dict(
    reversed(line.split("  "))
    for line in (GOLDEN_SET / "FREEZE.txt").read_text(encoding="utf-8").splitlines()
)


def logged_hashes(log):
    """Return the hashes in the rows of a table of changes, oldest first."""
    return re.findall(r"\| *`?([0-9a-f]{64})`? *\|$", log, flags=re.MULTILINE)


def current_hash(frozen, log):
    """Return the hash that the questions must have: the last logged one, else the frozen one."""
    return [frozen, *logged_hashes(log)][-1]


# --- the freeze ---------------------------------------------------------------------------------


def test_the_freeze_names_the_four_files():
    names = [
        "corpus/handbook.jsonl",
        *(f"golden_set/{n}" for n in ("questions.jsonl", "GUIDELINE.md", "PREDICTIONS.md")),
    ]
    assert sorted(FROZEN) == sorted(f"assets/{name}" for name in names)


@pytest.mark.parametrize("name", [name for name in FROZEN if not name.endswith("questions.jsonl")])
def test_a_frozen_file_is_unchanged(name):
    assert sha256(paths.root() / name) == FROZEN[name]


def test_questions_are_as_frozen_or_as_logged():
    log = (GOLDEN_SET / "CHANGES.md").read_text(encoding="utf-8")
    frozen = FROZEN["assets/golden_set/questions.jsonl"]
    assert sha256(GOLDEN_SET / "questions.jsonl") == current_hash(frozen, log), "log the change in CHANGES.md"


def test_a_logged_change_moves_the_expected_hash():
    row = f"| 2026-12-01 | q001 | fault | change | `{'b' * 64}` |"
    log = f"| date | query_id | fault | change | sha256 of questions.jsonl |\n|---|---|---|---|---|\n{row}\n"
    assert current_hash("a" * 64, log) == "b" * 64
    assert current_hash("a" * 64, "| none |") == "a" * 64


# --- documents ----------------------------------------------------------------------------------


def test_documents_have_their_fields_in_order():
    assert all(list(d) == DOCUMENT_FIELDS and all(d.values()) for d in DOCUMENTS)
    assert len(DOCUMENTS) == 169
    assert [section for section, _ in itertools.groupby(d["section"] for d in DOCUMENTS)] == SECTIONS
    assert {d["status"] for d in DOCUMENTS} == {"current", "archived"}
    assert {d["region"] for d in DOCUMENTS} == {"all", "uk", "in", "pt", "us"}


def test_document_ids_are_unique_slugs():
    ids = [d["doc_id"] for d in DOCUMENTS]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", i) for i in ids)


def test_dates_are_real_and_not_after_today_of_the_handbook():
    dates = pd.to_datetime(pd.Series([d["updated"] for d in DOCUMENTS]), format="%Y-%m-%d")
    assert dates.between("2023-01-01", "2026-09-30").all()


def test_lengths_are_skewed_as_in_life():
    lengths = pd.Series([len(d["text"].split()) for d in DOCUMENTS])
    assert lengths.between(800, 1500).sum() >= 12
    assert (lengths <= 40).sum() >= 5
    assert lengths.between(60, 250).mean() > 0.5
    assert lengths.max() <= 1500


def test_archived_pages_exist_beside_current_ones():
    status = pd.Series([d["status"] for d in DOCUMENTS], index=[d["doc_id"] for d in DOCUMENTS])
    archived = status[status == "archived"].index
    assert len(archived) == 13
    successors = [re.sub(r"-20\d\d$", "", i) for i in archived if re.search(r"-20\d\d$", i)]
    assert sum(status.get(i) == "current" for i in successors) >= 7


def test_codes_kept_for_near_misses_are_in_no_document():
    text = "\n".join(d["title"] + "\n" + d["text"] for d in DOCUMENTS)
    codes = listed("HR-171 HR-125 IT-329 PW-13 CV-229 BS-20 VM-4170 VM-4701 VM-5301")
    assert [code for code in codes if code in text] == []


def test_equivalence_groups_name_documents_and_overlap():
    groups = pd.read_csv(paths.assets("corpus", "equivalence.tsv"), sep="\t")
    assert list(groups.columns) == ["group", "doc_id"]
    vocabulary = {d["doc_id"]: set(words(d["text"])) - STOP_WORDS for d in DOCUMENTS}
    assert set(groups["doc_id"]) <= set(vocabulary) and groups["doc_id"].is_unique
    for _, ids in groups.groupby("group")["doc_id"]:
        assert len(ids) >= 2
        for a, b in itertools.combinations(ids, 2):
            shared = vocabulary[a] & vocabulary[b]
            assert len(shared) / min(len(vocabulary[a]), len(vocabulary[b])) >= 0.55, (a, b)


# --- questions ----------------------------------------------------------------------------------


def test_questions_have_their_fields_and_values():
    assert all(list(q) == QUESTION_FIELDS for q in QUESTIONS)
    assert {q["type"] for q in QUESTIONS} == TYPES
    assert {q["split"] for q in QUESTIONS} == {"dev", "test"}
    assert all((q["unanswerable_kind"] in KINDS) != q["answerable"] for q in QUESTIONS)
    assert all(q["unanswerable_kind"] is None for q in QUESTIONS if q["answerable"])
    assert all(q["text"].strip() == q["text"] and q["need"].endswith(".") for q in QUESTIONS)


def test_counts_and_quotas():
    english = pd.DataFrame(ENGLISH)
    assert (len(ENGLISH), len(TWINS)) == (160, 30)
    assert english["answerable"].value_counts().to_dict() == {True: 130, False: 30}
    assert english["type"].value_counts().min() >= 20
    unanswerable = english[~english["answerable"]]
    assert set(unanswerable["type"]) == TYPES and unanswerable["type"].value_counts().min() >= 4
    assert set(unanswerable["unanswerable_kind"]) == KINDS
    assert unanswerable["unanswerable_kind"].value_counts().between(3, 7).all()


def test_showcase_questions_are_the_four_of_the_lessons():
    shown = {q["text"] for q in QUESTIONS if q["showcase"]}
    api_key = "how do I rotate the API key after it has been compromised"
    assert shown == {api_key, "hotel limit", "stolen laptop", "vacation days"}


def test_query_ids_carry_no_type():
    assert [q["query_id"] for q in ENGLISH] == [f"q{n:03d}" for n in range(1, 161)]
    assert len(BY_ID) == len(QUESTIONS)
    changes = sum(a["type"] != b["type"] for a, b in itertools.pairwise(ENGLISH))
    assert changes > 100


def test_split_is_stratified():
    cells = pd.DataFrame(ENGLISH).groupby(["type", "answerable"])["split"]
    dev = cells.apply(lambda split: (split == "dev").sum())
    assert ((dev - 0.6 * cells.size()).abs() < 1).all()
    assert dev.sum() == 96


def test_twins_follow_their_originals():
    scripts = {"deva": "Deva", "roman": "Latn", "mixed": "Mixed"}
    for twin in TWINS:
        original = BY_ID[twin["twin_of"]]
        shared = ("type", "answerable", "unanswerable_kind", "split", "need")
        assert [twin[field] for field in shared] == [original[field] for field in shared]
        assert original["lang"] == "en" and not original["showcase"] and not twin["showcase"]
        assert twin["query_id"] in {
            f"{twin['twin_of']}-{c}" for c, s in scripts.items() if s == twin["script"]
        }
    assert len({twin["twin_of"] for twin in TWINS}) == 30
    counts = pd.DataFrame(TWINS).groupby(["script", "answerable"]).size()
    assert {tuple(k): n for k, n in counts.items()} == {
        (s, a): 8 if a else 2 for s in scripts.values() for a in (True, False)
    }
    assert all(q["twin_of"] is None and q["script"] == "Latn" for q in ENGLISH)


def test_scripts_are_what_they_say():
    for question in QUESTIONS:
        text = question["text"]
        devanagari = bool(re.search(r"[\u0900-\u097f]", text))
        assert devanagari == (question["script"] in ("Deva", "Mixed")), text
        if question["script"] == "Mixed":
            assert re.search(r"[A-Za-z]{2}", text), text
    assert not re.search(r"[\u0966-\u096f\u200c\u200d]", "".join(q["text"] for q in QUESTIONS))


def test_everything_is_nfc_with_plain_line_ends():
    for path in (*paths.assets("corpus").iterdir(), *GOLDEN_SET.iterdir()):
        data = path.read_bytes().decode("utf-8")
        assert unicodedata.is_normalized("NFC", data) and "\r" not in data and data.endswith("\n"), path.name
    values = [v for row in (*DOCUMENTS, *QUESTIONS) for v in row.values() if isinstance(v, str)]
    assert all(unicodedata.is_normalized("NFC", v) and "\r" not in v for v in values)


def test_questions_are_as_short_as_people_type():
    lengths = pd.Series([len(q["text"].split()) for q in QUESTIONS])
    assert lengths.between(2, 25).all()
    assert lengths.median() <= 12


def test_no_question_copies_four_words_of_a_document():
    copied = set().union(*(runs_of_four(d["title"]) | runs_of_four(d["text"]) for d in DOCUMENTS))
    assert [q["query_id"] for q in QUESTIONS if runs_of_four(q["text"]) & copied] == []


def test_no_question_is_a_title_or_nearly_one():
    titles = {" ".join(words(d["title"])) for d in DOCUMENTS}
    for question in QUESTIONS:
        text = " ".join(words(question["text"]))
        assert not difflib.get_close_matches(text, titles, n=1, cutoff=0.8), question["text"]


def test_no_two_questions_are_nearly_the_same():
    vocabulary = [(q["text"], set(words(q["text"]))) for q in QUESTIONS]
    for (text, x), (other, y) in itertools.combinations(vocabulary, 2):
        assert len(x & y) / len(x | y) < 0.7, (text, other)


# --- the record of the lot ----------------------------------------------------------------------


def test_the_lot_drew_from_screened_drafts():
    lot = pd.read_csv(GOLDEN_SET / "lot.tsv", sep="\t", dtype=str, keep_default_na=False)
    drawn = lot[lot["query_id"] != ""]
    assert len(lot) == 248 and set(drawn["query_id"]) == {q["query_id"] for q in ENGLISH}
    assert set(drawn["decision"]) <= {"keep", "reworded"}
    assert (lot.loc[lot["decision"] != "keep", "reason"] != "").all()
    searched = lot[lot["answerable"] == "false"]
    assert ((searched["search_1"] != "") & (searched["search_2"] != "")).all()
    assert 0.10 <= (drawn["vague"] == "true").mean() <= 0.15
    twins = {f"{row.query_id}-{row.twin}" for row in drawn.itertuples() if row.twin}
    assert twins == {q["query_id"] for q in TWINS}
