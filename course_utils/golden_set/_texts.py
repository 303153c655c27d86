"""Findings about wording: duplicates, near-duplicates, copied titles, and splits that leak."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence

from course_utils.golden_set._findings import Finding, Findings, some
from course_utils.golden_set._set import GoldenSet
from course_utils.schema import DOC_ID, QUERY_ID, TEXT

NEAR = 0.85  # cosine of character 3- to 5-grams within words, counted, not weighted
COPIED = 4  # consecutive words
WHOLE_TITLE = 3  # a title of so many words may not stand in a question, nor a question in a title


def normalised(text: str) -> str:
    r"""Return a text as words in lower case: punctuation, accents' spelling and blanks do not matter.

    Vowel signs of Devanagari are kept: they are marks, which a plain `\w` would drop.

    Examples
    --------
    >>> normalised("  How many days-off, per YEAR?"), normalised("छुट्टी कितने दिन की है?")
    ('how many days off per year', 'छुट्टी कितने दिन की है')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = "".join(" " if unicodedata.category(letter)[0] in "PSZC" else letter for letter in folded)
    return " ".join(kept.split())


def near_duplicates(texts: Sequence[str], threshold: float = NEAR) -> Iterator[tuple[int, int, float]]:
    """Give the pairs of texts whose character n-grams are alike, with their cosine.

    Examples
    --------
    >>> texts = ["how many days off do i get", "how many days off do we get", "where is lunch"]
    >>> [(a, b, round(cosine, 2)) for a, b, cosine in near_duplicates(texts)]
    [(0, 1, 0.95)]
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    if not any(texts):
        return
    grams = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), use_idf=False).fit_transform(texts)
    alike = (grams @ grams.T).tocoo()
    for a, b, cosine in sorted(zip(alike.row.tolist(), alike.col.tolist(), alike.data.tolist(), strict=True)):
        if a < b and cosine >= threshold:
            yield a, b, cosine


def questions_alike(golden: GoldenSet) -> Findings:
    """Two questions that ask the same in the same words; twins are meant to."""
    questions, families = golden.questions, golden.originals.tolist()
    texts = [normalised(text) for text in questions[TEXT]]
    for a, b, cosine in near_duplicates(texts):
        if families[a] == families[b]:
            continue
        first, second = questions.iloc[a], questions.iloc[b]
        where = f"{first[QUERY_ID]}, {second[QUERY_ID]}"
        if texts[a] == texts[b]:
            yield Finding(
                "error", "duplicate-question", where, f"the same question ({first[TEXT]!r}): keep one"
            )
        else:
            message = (
                f"{first[TEXT]!r} and {second[TEXT]!r} (cosine {cosine:.2f}, from {NEAR}): reword or drop one"
            )
            yield Finding("warning", "near-duplicate-question", where, message)
        if first["split"] != second["split"]:
            message = (
                f"alike, but one is in {first['split']} and one in {second['split']}: put both in one split"
            )
            yield Finding("warning", "split-leak", where, message)


def needs_apart(golden: GoldenSet) -> Findings:
    """Twins, or questions with one and the same need, in different splits."""
    families: dict[str, set[tuple[str, str]]] = defaultdict(set)
    columns = (golden.questions[name] for name in (QUERY_ID, "split", "need"))
    for query, split, need, original in zip(*columns, golden.originals, strict=True):
        families[f"twins of {original}"].add((query, split))
        if normalised(need):
            families[f"need {normalised(need)!r}"].add((query, split))
    leaking: dict[str, str] = {}
    for why, members in families.items():
        if len({split for _, split in members}) > 1:
            leaking.setdefault(", ".join(sorted(query for query, _ in members)), why)
    for where, why in leaking.items():
        message = f"{why}: they stand in different splits, so that dev knows a test question; put them in one"
        yield Finding("error", "split-leak", where, message)


def titles(golden: GoldenSet) -> Findings:
    """Questions that copy a title: whoever writes with the page open favours term matching."""
    known = {
        doc: _joined(title) for doc, title in golden.documents[[DOC_ID, "title"]].itertuples(index=False)
    }
    for query, text in golden.questions[[QUERY_ID, TEXT]].itertuples(index=False):
        copied = [doc for doc, title in known.items() if title and copies(_joined(text), title)]
        if copied:
            message = (
                f"{text!r} copies the title of {some(copied)}: ask it as someone who has not seen the page"
            )
            yield Finding("warning", "copies-title", query, message)


def copies(question: str, title: str) -> bool:
    """Tell whether a normalised question equals or holds a title, or shares four words in a row with it.

    Examples
    --------
    >>> copies("how do i start rotating a compromised api key", "rotating a compromised api key")
    True
    >>> copies("vpn drops in the hotel", "vpn")
    False
    """
    if question == title:
        return True
    shorter, longer = sorted((question, title), key=lambda one: len(one.split()))
    if len(shorter.split()) >= WHOLE_TITLE and f" {shorter} " in f" {longer} ":
        return True
    return bool(_runs(question) & _runs(title))


def _joined(text: str) -> str:
    """Normalise, with a hyphened word as one: "On-call pay" is two words, too few to be a copy."""
    return normalised(text.replace("-", ""))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[at : at + COPIED]) for at in range(len(words) - COPIED + 1)}


def documents_alike(golden: GoldenSet) -> Findings:
    """Documents with the same title and text: recall pays twice."""
    same = defaultdict(list)
    columns = (golden.documents[name] for name in (DOC_ID, "title", TEXT))
    for document, title, text in zip(*columns, strict=True):
        if normalised(text):
            same[normalised(f"{title} {text}")].append(document)
    for documents in same.values():
        if len(set(documents)) > 1:
            message = "the same title and text: keep one, or judge all copies alike (recall counts each)"
            yield Finding("warning", "duplicate-document", some(documents), message)
