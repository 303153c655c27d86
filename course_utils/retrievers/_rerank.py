"""A reranker that is learnt from judgements: which of two candidates should stand above the other."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from course_utils.retrievers._features import Features
from course_utils.retrievers._ranking import Scored, as_run, best, check_count
from course_utils.retrievers._text import question_texts
from course_utils.schema import DOC_ID, QUERY_ID, RELEVANCE, Table, check_qrels

Floats = npt.NDArray[np.float64]


class Reranked:
    """Reorder candidates by a weighted sum of features, with weights that are learnt from pairs.

    Every pair of candidates of one question with unlike grades says which should be above. The weights are those
    of a logistic regression that tells the better of two from the difference of their features: the idea is
    Joachims' (Optimizing search engines using clickthrough data, KDD 2002), the logistic loss that of RankNet
    (Burges and others, ICML 2005). Each question counts the same, however many pairs it has. No document is
    found that was no candidate; an unjudged candidate counts as grade 0.

    Parameters
    ----------
    features
        What is known of each candidate; see `Features`.
    weights
        Weights by the name of their feature, instead of learning: a feature that is not named has none.
    strength
        How closely learnt weights follow the examples: the C of scikit-learn.

    Examples
    --------
    >>> from course_utils.retrievers import BM25
    >>> documents = pd.DataFrame({"doc_id": ["d1", "d2"], "title": ["Leave", "Thread"],
    ...                           "text": ["25 days a year, sick days apart.", "Leave it, leave early!"]})
    >>> bm25 = BM25(documents)
    >>> plain = Reranked(Features(documents, [bm25], {"bm25": bm25}))
    >>> learnt = plain.fit(["leave", "sick leave"], {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 2, "d2": 0}})
    >>> bm25.search(["leave"])["doc_id"].to_list(), learnt.search(["leave"])["doc_id"].to_list()
    (['d2', 'd1'], ['d1', 'd2'])
    """

    def __init__(
        self, features: Features, *, weights: Mapping[str, float] | None = None, strength: float = 1.0
    ) -> None:
        if not strength > 0:
            raise ValueError(f"strength is {strength!r}; expected a number above 0")
        self._features, self._strength = features, strength
        self._weights = None if weights is None else _by_feature(weights, features.names)

    @property
    def weights(self) -> pd.Series:
        """The weight of each feature: what one more of it, from 0 to 1, adds to the score."""
        if self._weights is None:
            raise ValueError("this reranker has learnt nothing yet; use what fit(questions, qrels) returns")
        return self._weights.copy()

    def fit(self, questions: Any, qrels: Table) -> "Reranked":
        """Return a reranker that has learnt from these questions; this one stays as it is.

        Parameters
        ----------
        questions
            As for `search`. Questions without a pair to learn from are passed over.
        qrels
            Their judgements.

        Raises
        ------
        ValueError
            No question has two candidates of unlike grades.
        """
        return self._fitted(_graded(self._features.of(questions), qrels))

    def search(
        self, questions: pd.DataFrame | pd.Series | Mapping[Any, str] | Sequence[str], k: int = 10
    ) -> pd.DataFrame:
        """Return the k best of the candidates; see `BM25.search`."""
        weights, k = self.weights, check_count(k, "k")
        frame = self._features.of(questions)
        return as_run(dict(_ranked(frame, weights, k)))

    def cross_validate(
        self,
        questions: Any,
        qrels: Table,
        *,
        groups: Mapping[Any, Any] | pd.Series | None = None,
        folds: int = 10,
        k: int = 10,
    ) -> pd.DataFrame:
        """Return a run in which every question was ranked by weights that were learnt without it.

        Parameters
        ----------
        questions, qrels
            As for `fit`.
        groups
            `{query_id: group}`, such as the need behind each question: a group is in one fold, or the twin of a
            question would teach its answer. By default each question is its own group.
        folds
            In how many parts the groups are dealt out, in the order of their names.
        k
            How many documents at most.

        Returns
        -------
        pandas.DataFrame
            query_id, doc_id, score. Scores of two folds come from two sets of weights.

        Examples
        --------
        >>> from course_utils.retrievers import BM25
        >>> documents = pd.DataFrame({"doc_id": ["d1", "d2"], "title": ["Leave", "Hotels"], "text": ["days", "days"]})
        >>> bm25 = BM25(documents)
        >>> plain = Reranked(Features(documents, [bm25], {"bm25": bm25}))
        >>> run = plain.cross_validate(["leave days", "hotel days"], {"q1": {"d1": 2}, "q2": {"d2": 2}}, folds=2)
        >>> run["doc_id"].to_list()
        ['d1', 'd2', 'd2', 'd1']
        """
        folds, k, texts = check_count(folds, "folds"), check_count(k, "k"), question_texts(questions)
        given: Mapping[Any, Any] | pd.Series = {} if groups is None else groups
        group_of = pd.Series({query: str(given.get(query, query)) for query in texts.index})
        names = sorted(set(group_of))
        if not 2 <= folds <= len(names):
            raise ValueError(f"folds is {folds}; expected 2 to {len(names)}, the number of groups")
        fold_of = group_of.map({name: place % folds for place, name in enumerate(names)})
        graded = _graded(self._features.of(texts), qrels)
        fold = graded[QUERY_ID].map(fold_of)
        lists: dict[str, Scored] = {}
        for one in range(folds):
            weights = self._fitted(graded[fold != one]).weights
            lists |= dict(_ranked(graded[fold == one], weights, k))
        return as_run({query: lists.get(query, []) for query in texts.index})

    def _fitted(self, graded: pd.DataFrame) -> "Reranked":
        from sklearn.linear_model import LogisticRegression

        pairs = [one for one in _differences(graded, self._features.names) if len(one)]
        if not pairs:
            raise ValueError("no question has two candidates of unlike grades; expected some to learn from")
        better = np.vstack(pairs)
        share = np.concatenate([np.full(len(one), 1 / len(one)) for one in pairs])
        # Each pair stands there both ways, half a pair each. This solver ends so near the one best set of
        # weights that six decimals of a score are the same on every CPU.
        model = LogisticRegression(C=self._strength, fit_intercept=False, solver="newton-cholesky", tol=1e-10)
        model.fit(np.vstack([better, -better]), [1] * len(better) + [0] * len(better), np.tile(share / 2, 2))
        weights = dict(zip(self._features.names, model.coef_[0], strict=True))
        return Reranked(self._features, weights=weights, strength=self._strength)


def _by_feature(weights: Mapping[str, float], names: list[str]) -> pd.Series:
    for name in [name for name in weights if name not in names][:1]:
        raise ValueError(f"there is no feature {name!r}; expected some of {', '.join(names)}")
    return pd.Series([float(weights.get(name, 0.0)) for name in names], index=names, name="weight")


def _graded(frame: pd.DataFrame, qrels: Table) -> pd.DataFrame:
    judged = check_qrels(qrels)
    graded = frame.merge(judged, how="left", on=[QUERY_ID, DOC_ID])
    return graded.assign(**{RELEVANCE: graded[RELEVANCE].fillna(0).clip(lower=0)})


def _differences(graded: pd.DataFrame, names: list[str]) -> Iterator[Floats]:
    """Give for each question features of the better less those of the worse, for its pairs of unlike grades."""
    values, grades = graded[names].to_numpy(np.float64), graded[RELEVANCE].to_numpy()
    for _, rows in sorted(graded.groupby(QUERY_ID).indices.items()):
        better, worse = np.nonzero(grades[rows, None] > grades[None, rows])
        yield values[rows[better]] - values[rows[worse]]


def _ranked(frame: pd.DataFrame, weights: pd.Series, k: int) -> Iterator[tuple[str, Scored]]:
    scores = (frame[list(weights.index)] * weights).sum(axis=1)
    for query, rows in frame.groupby(QUERY_ID, sort=False):
        yield str(query), best(zip(rows[DOC_ID], scores[rows.index], strict=True), k)
