"""What lesson 11 changes in a system: which documents it may find."""

import pandas as pd
import pytest

from course_utils.retrievers import BM25, Filtered, region_of

COLUMNS = ["doc_id", "title", "text", "status", "region"]
RULES = pd.DataFrame(
    [
        ("leave", "Annual leave", "leave leave leave", "current", "all"),
        ("leave-2023", "Annual leave", "leave leave leave leave", "archived", "all"),
        ("leave-pt", "Annual leave in Lisbon", "leave", "current", "pt"),
        ("leave-uk", "Annual leave in Leeds", "leave leave", "current", "uk"),
        ("hotel", "Hotels", "A hotel may cost 140 euros.", "current", "all"),
    ],
    columns=COLUMNS,
)


def found(system, questions=("leave",), k=10):
    run = system.search(list(questions), k)
    return {query: set(rows["doc_id"]) for query, rows in run.groupby("query_id")}


# Filter


def test_filter_before_the_search_keeps_the_list_full_and_after_makes_it_shorter():
    plain = list(BM25(RULES).search(["leave"], k=2)["doc_id"])
    assert "leave-2023" in plain
    before, after = (Filtered(BM25, RULES, after=after).search(["leave"], k=2) for after in (False, True))
    assert list(after["doc_id"]) == [doc for doc in plain if doc != "leave-2023"]
    assert len(before) == 2 and "leave-2023" not in set(before["doc_id"])


def test_filter_before_the_search_is_a_search_in_the_smaller_collection():
    current = RULES[RULES["status"] == "current"]
    expected = BM25(current).search(["leave", "hotel"])
    pd.testing.assert_frame_equal(Filtered(BM25, RULES).search(["leave", "hotel"]), expected)


@pytest.mark.parametrize("after", [False, True])
def test_filter_gives_each_asker_the_pages_of_the_region(after):
    system = Filtered(BM25, RULES, regions={"q1": "pt", "q2": "uk", "q3": None}, after=after)
    assert found(system, ["leave"] * 4) == {
        "q1": {"leave", "leave-pt"},
        "q2": {"leave", "leave-uk"},
        "q3": {"leave", "leave-pt", "leave-uk"},
        "q4": {"leave", "leave-pt", "leave-uk"},
    }


def test_filter_takes_a_region_from_the_text_and_can_let_archived_pages_in():
    system = Filtered(BM25, RULES, status=None, regions=region_of)
    assert found(system, ["leave in Lisbon"]) == {"q1": {"leave", "leave-2023", "leave-pt"}}


def test_filter_leaves_questions_in_their_order_and_documents_alone():
    documents = RULES.copy()
    run = Filtered(BM25, documents, regions={"q1": "uk", "q3": "uk"}).search(["leave"] * 4)
    assert list(run["query_id"].unique()) == ["q1", "q2", "q3", "q4"]
    pd.testing.assert_frame_equal(documents, RULES)


def test_filter_refuses_a_region_that_would_hide_pages_silently():
    with pytest.raises(
        ValueError, match="question q1 has the region 'Lisbon'; expected None or one of in, pt, uk"
    ):
        Filtered(BM25, RULES, regions={"q1": "Lisbon"}).search(["leave"])
    with pytest.raises(ValueError, match="documents has no column status"):
        Filtered(BM25, RULES.drop(columns="status"))


@pytest.mark.parametrize(
    "text, region",
    [
        ("shuttle from PUNE office", "in"),
        ("Which of the two US health plans", "us"),
        ("which limit applies to us?", None),
        ("from Pune to Lisbon", None),
        ("Bengaluru, India", "in"),
        ("Augustine in Leedsville", None),
    ],
)
def test_region_of_a_text(text, region):
    assert region_of(text) == region
