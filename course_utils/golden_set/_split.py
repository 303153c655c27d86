"""Draw a dev and a test split: by type and answerability, twins with their original."""

from dataclasses import replace

import numpy as np

from course_utils.golden_set._set import GoldenSet
from course_utils.schema import QUERY_ID


def draw_split(golden_set: GoldenSet, test: float = 0.4, seed: int = 0) -> GoldenSet:
    """Return the golden set with its questions split anew into dev and test.

    Parameters
    ----------
    golden_set
        Draw once, before any system runs, and keep the result.
    test
        Share of the questions that go to test.
    seed
        The same seed draws the same split.

    Returns
    -------
    GoldenSet
        Each type, and within it the answerable and the unanswerable, is divided by this share as nearly as whole
        questions allow; a twin goes with its original.

    Examples
    --------
    >>> import pandas as pd
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1"], "text": ["a"]}),
    ...     questions=pd.DataFrame({"query_id": list("abcde"), "text": list("abcde"), "answerable": True}),
    ...     qrels=pd.DataFrame({"query_id": ["a"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> draw_split(golden).questions["split"].value_counts().to_dict()
    {'dev': 3, 'test': 2}
    """
    if not 0 < test < 1:
        raise ValueError(f"test must be a share between 0 and 1, got {test}")
    questions = golden_set.questions
    originals = questions[questions["twin_of"] == ""]
    shuffled = originals.sort_values(QUERY_ID).sample(frac=1, random_state=np.random.default_rng(seed))
    ordered = shuffled.sort_values(["type", "answerable"], kind="stable")
    # Walking through the strata, every (1 / test)-th question goes to test: each stratum gets its share.
    taken = np.diff(np.floor(np.arange(len(ordered) + 1) * test + 0.5)) > 0
    splits = dict(zip(ordered[QUERY_ID], np.where(taken, "test", "dev"), strict=True))
    drawn = golden_set.originals.map(splits).fillna("dev")
    return replace(golden_set, questions=questions.assign(split=drawn.to_numpy()))
