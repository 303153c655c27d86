"""Findings about ids and judgements."""

import pandas as pd

from course_utils.golden_set._findings import Finding, Findings, some
from course_utils.golden_set._set import GoldenSet
from course_utils.schema import DOC_ID, QUERY_ID, RELEVANCE, TEXT, plural

GRADES = range(3)
TOO_POPULAR, POPULAR_FROM = 0.20, 5  # a share of the answerable questions, and at least so many of them


def ids(golden: GoldenSet) -> Findings:
    """Ids that stand twice, and questions or documents without a text."""
    for frame, column, what in (
        (golden.questions, QUERY_ID, "question"),
        (golden.documents, DOC_ID, "document"),
    ):
        for one in frame.loc[frame[column].duplicated(), column].unique():
            message = f"the id of two {what}s: give each its own, and check which one the judgements mean"
            yield Finding("error", "duplicate-id", one, message)
        for one in frame.loc[frame[TEXT].str.strip() == "", column]:
            yield Finding("error", "empty-text", one, f"the {what} has no text: write it or take the row out")


def judged_ids(golden: GoldenSet) -> Findings:
    """Judgements of a question or a document that does not exist."""
    qrels = golden.qrels
    for code, column, other, known in (
        ("unknown-query", QUERY_ID, DOC_ID, golden.questions[QUERY_ID]),
        ("unknown-document", DOC_ID, QUERY_ID, golden.documents[DOC_ID]),
    ):
        lost = qrels[~qrels[column].isin(known)]
        for one, rows in lost.groupby(column, sort=False):
            what = "question" if column == QUERY_ID else "document"
            relevant = int((rows[RELEVANCE] > 0).sum())
            harm = f"; {relevant} as relevant, which no system can find" if relevant else ""
            message = (
                f"judged ({some(rows[other])}{harm}), but there is no such {what}: correct the id, "
                f"put the {what} back, or take these judgements out"
            )
            yield Finding("error", code, str(one), message)


def grades(golden: GoldenSet) -> Findings:
    """Grades outside the scale, and documents that were judged twice for a question."""
    qrels = golden.qrels
    for row in qrels[~qrels[RELEVANCE].isin(GRADES)].itertuples():
        message = f"grade {row.relevance}: use 2 (answers the need), 1 (a true part of it) or 0 (no use)"
        yield Finding("error", "grade-outside-scale", f"{row.query_id}, {row.doc_id}", message)
    again = qrels[qrels.duplicated([QUERY_ID, DOC_ID], keep=False)]
    for (query, document), rows in again.groupby([QUERY_ID, DOC_ID], sort=False):
        found = sorted(rows[RELEVANCE].unique())
        if len(found) > 1:
            message = f"judged {' and '.join(map(str, found))}: decide by the guideline and keep one"
            yield Finding("error", "conflicting-labels", f"{query}, {document}", message)
        else:
            message = f"the same judgement {len(rows)} times: keep one"
            yield Finding("warning", "duplicate-judgement", f"{query}, {document}", message)


def answers(golden: GoldenSet) -> Findings:
    """Answerability that is not stated, or that the judgements contradict."""
    questions = golden.questions.drop_duplicates(QUERY_ID)
    silent = questions.loc[questions["answerable"].isna(), QUERY_ID]
    if len(silent):
        where = "questions" if len(silent) == len(questions) else some(silent)
        message = (
            "answerable is not stated: add the column answerable with TRUE or FALSE for every question (it is never "
            "inferred: a question without judgements may only be unjudged)"
        )
        yield Finding("error", "answerable-missing", where, message)
    best = golden.qrels.groupby(QUERY_ID)[RELEVANCE].max()
    has_relevant = questions[QUERY_ID].map(best).fillna(0) > 0
    stated = questions["answerable"]
    for query in questions.loc[stated.eq(True).fillna(False) & ~has_relevant, QUERY_ID]:
        message = (
            "stated answerable, but no document is judged 1 or 2: judge its pool, or state answerable FALSE"
        )
        yield Finding("error", "answerable-without-document", query, message)
    for query in questions.loc[stated.eq(False).fillna(False) & has_relevant, QUERY_ID]:
        documents = golden.qrels.loc[
            (golden.qrels[QUERY_ID] == query) & (golden.qrels[RELEVANCE] > 0), DOC_ID
        ]
        message = f"stated unanswerable, but {some(documents)} is judged relevant: correct the grade or the statement"
        yield Finding("error", "unanswerable-with-document", query, message)


def twins(golden: GoldenSet) -> Findings:
    """Twins of nothing, and twins that were judged otherwise than their original."""
    questions = golden.questions.drop_duplicates(QUERY_ID).set_index(QUERY_ID)
    for twin, original in questions.loc[questions["twin_of"] != "", "twin_of"].items():
        if original not in questions.index or original == twin:
            message = f"twin_of names {original!r}, which is no other question of the set: correct it or clear the cell"
            yield Finding("error", "unknown-twin", str(twin), message)
            continue
        differ = _differing(golden.qrels, str(twin), original)
        if differ:
            message = (
                f"a twin of {original} shares its judgements, but {some(differ)} differ: make them the same"
            )
            yield Finding("error", "conflicting-labels", str(twin), message)


def _differing(qrels: pd.DataFrame, twin: str, original: str) -> list[str]:
    """Documents graded otherwise for the two; judged for one only counts if it is relevant there."""
    pair = [
        dict(zip(rows[DOC_ID], rows[RELEVANCE], strict=True))
        for rows in (qrels[qrels[QUERY_ID] == one] for one in (twin, original))
    ]
    return sorted(doc for doc in {**pair[0], **pair[1]} if pair[0].get(doc, 0) != pair[1].get(doc, 0))


def popular(golden: GoldenSet) -> Findings:
    """One document that answers everything: a system that always returns it looks good."""
    asked = int(golden.questions["answerable"].fillna(False).sum())
    positive = golden.qrels[golden.qrels[RELEVANCE] > 0].drop_duplicates([QUERY_ID, DOC_ID])
    for document, count in positive[DOC_ID].value_counts().items():
        if count >= POPULAR_FROM and count > TOO_POPULAR * asked:
            message = (
                f"relevant to {count} of {plural(asked, 'answerable question')} (more than {TOO_POPULAR:.0%}): check "
                "the grades, split the document, or ask about other documents"
            )
            yield Finding("warning", "answers-everything", str(document), message)
