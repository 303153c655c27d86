# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] key="title"
# # Change one thing
#
# Five colleagues have five ideas. Each may be right. Try them all at once, and you will never know which.
#
# **By the end you can**
# - change the model, the chunks, the filter, the reranker or the index, one at a time, and keep each result with its configuration;
# - tell index recall, retrieval recall and the recall of the pool apart;
# - let a gate stop a broken change, and say what it cannot see.
#
# **60 minutes.** Before: [Trust a difference](10_trust_a_difference.ipynb).

# %% key="start"
import sys

sys.path += ["..", "../..", "../../.."]  # so that the course is found, wherever this notebook lies
from dataclasses import replace

import numpy as np
import pandas as pd

from course_utils import evaluate, ledger, load_golden_set, paths, plots, significance
from course_utils.golden_set import judged_at, pool
from course_utils.i18n import text
from course_utils.lessons import check, predict, quiz, reveal, start
from course_utils.retrievers import BM25, HNSW, IVF, Dense, Exact, Features, Filtered, Passages, Reranked
from course_utils.retrievers import Store, cut_passages, distractors, document_texts, index_recall
from course_utils.retrievers import passage_texts, region_of

start()

# %% [markdown] key="base"
# ## One base, five ideas
#
# The base is dense search over whole pages, with the e5 vectors of lesson 05. Not because it is good, but because each idea has its place there. BM25, say, has no model.
#
# Every result goes into a **ledger**: a folder with one file per experiment. It holds the configuration, the score of each question, and the fingerprints of corpus, questions and judgements: hashes, which change with any edit. Run a cell twice, and you get the record that is there. Get other scores under the same configuration, and the ledger refuses: something changed that you did not write down.
#
# We choose on dev: all languages, without the showcase questions. Linear gain.

# %% key="record-base"
handbook = load_golden_set()
dev = handbook.subset(split="dev", showcase=False)
folder = paths.state_folder() / "ledger"
wanted = ("Recall@3", "Recall@10", "nDCG@10")
dense = Dense(handbook.documents, "e5")
setup = {"model": "e5", "unit": "page", "filter": "none", "reranker": "none", "index": "exact"}
base = ledger.record(folder, setup, dev, dense.search(dev.texts), measures=wanted)
pd.DataFrame([base.summary["all"]], ["base"])[[*wanted, "n"]].round(3)

# %% key="predict-best"
predict("11-best", ...)

# %% [markdown] key="model"
# ## Change 1: the model
#
# MiniLM instead of e5. One line of the configuration differs, and the ledger checks that the data are the same. Differences are b − a, with a 95% interval.


# %% key="try-model"
tried, runs = {}, {}


def try_change(name, run, before=base, **changed):
    runs[name] = run
    tried[name] = ledger.record(folder, before.config | changed, dev, run, measures=wanted)
    return ledger.compare(before, tried[name])


print(try_change("model", Dense(handbook.documents, "minilm").search(dev.texts), model="minilm"))

# %% [markdown] key="model-read"
# The mean rises by 0.056, and the interval holds 0: these questions cannot tell. (Status is that of lesson 06: right, wrong, declined.) Who gains? By script:

# %% key="model-script"
script = dev.questions.set_index("query_id")["script"]
moved = (tried["model"].scores["nDCG@10"] - base.scores["nDCG@10"]).dropna()
moved.groupby(script).agg(["mean", "size"]).round(3)

# %% [markdown] key="model-script-read"
# MiniLM knows English. On six questions in Devanagari it loses what little e5 had. Six are few, yet the direction is no surprise. Split by what your users differ in, or a mean will hide them.

# %% [markdown] key="chunks"
# ## Change 2: chunks
#
# A whole page has one vector for all it says. Cut it into **chunks** (here passages of 120 words), and each gets its own. But judgements speak of pages. Six chunks, best first:

# %% key="chunks-by-hand"
six = [["leave#2", 0.91], ["leave#1", 0.88], ["leave#4", 0.86], ["pay#1", 0.85], ["pay#3", 0.84]]
six += [["visa#1", 0.80]]
pd.DataFrame(six, columns=["chunk", "score"]).assign(page=[chunk.split("#")[0] for chunk, _ in six])

# %% [markdown] key="ex-collapse" exercise="11-collapse"
# The first three chunks are *one* page. As pages the list is leave, pay, visa, and visa has rank 3, not 6. A page is as good as its best chunk. To go from chunks to pages is to **collapse** them.
#
# ### Exercise 1: collapse (8 minutes)
#
# `chunks` is a list of `[chunk_id, score]`, best first. The page is what stands before the `#`. Return the first `k` *pages*, best first, each once.
#
# <details><summary>Hint 1</summary>
#
# Collapse first, cut to `k` last.
#
# </details>
# <details><summary>Hint 2</summary>
#
# Best first means: the first chunk of a page that you meet is its best.
#
# </details>


# %% key="ex-collapse-stub" tags=["stub"] exercise="11-collapse"
def collapse(chunks, k):
    return ...  # put your code here


# %% key="ex-collapse-check" exercise="11-collapse"
check("11-collapse", collapse)


# %% key="ex-collapse-solution" tags=["solution"] exercise="11-collapse"
def collapse(chunks, k):
    pages = []
    for chunk, _ in chunks:
        page = chunk.split("#")[0]
        if page not in pages:
            pages.append(page)
    return pages[:k]


# %% key="ex-collapse-wrong-cut" tags=["wrong"] exercise="11-collapse" case="cases.0.mistakes.0"
def collapse(chunks, k):
    return list(dict.fromkeys(chunk.split("#")[0] for chunk, _ in chunks[:k]))


# %% key="ex-collapse-wrong-twice" tags=["wrong"] exercise="11-collapse" case="cases.0.mistakes.2"
def collapse(chunks, k):
    return [chunk.split("#")[0] for chunk, _ in chunks][:k]


# %% key="ex-collapse-wrong-all" tags=["wrong"] exercise="11-collapse" case="cases.0.mistakes.1"
def collapse(chunks, k):
    return list(dict.fromkeys(chunk.split("#")[0] for chunk, _ in chunks))


# %% key="ex-collapse-wrong-sum" tags=["wrong"] exercise="11-collapse" case="cases.1.mistakes.0"
def collapse(chunks, k):
    total = {}
    for chunk, score in chunks:
        page = chunk.split("#")[0]
        total[page] = total.get(page, 0) + score
    return sorted(total, key=total.get, reverse=True)[:k]


# %% key="ex-collapse-wrong-last" tags=["wrong"] exercise="11-collapse" case="cases.2.mistakes.0"
def collapse(chunks, k):
    last = {chunk.split("#")[0]: score for chunk, score in chunks}
    return sorted(last, key=last.get, reverse=True)[:k]


# %% key="ex-collapse-equivalent" tags=["equivalent"] exercise="11-collapse"
def collapse(chunks, k):
    best = {}
    for chunk, score in chunks:
        page = chunk.split("#")[0]
        best[page] = max(score, best.get(page, score))
    return sorted(best, key=best.get, reverse=True)[:k]


# %% key="ten-chunks"
store, cut = Store("e5"), cut_passages(handbook.documents)
chunk_vectors = store.all_rows("passages", passage_texts(cut))
asked, _ = store.rows("questions", dev.texts)
chunk_run = Exact(chunk_vectors, cut["passage_id"]).search(asked, dev.texts.index, k=100)


def by_page(run):
    pages = run.assign(doc_id=run["doc_id"].str.split("#").str[0])
    return pages.drop_duplicates(["query_id", "doc_id"]).groupby("query_id").head(10)


first_ten = by_page(chunk_run.groupby("query_id").head(10))
pages_each = first_ten.groupby("query_id").size()
print(f"ten chunks: {pages_each.mean():.1f} pages, on average over {len(pages_each)} questions")

# %% [markdown] key="ten-chunks-read"
# Ten chunks are not ten pages. So search deeper, collapse, then take ten. `Passages` does that; `by_page` above, too. (Of the 113 questions, 91 can be answered.)

# %% key="try-chunks"
passages_run = Passages(handbook.documents).search(dev.texts)
both = [sorted(zip(run["query_id"], run["doc_id"])) for run in (passages_run, by_page(chunk_run))]
print("the same pages:", both[0] == both[1])
try_change("chunks", passages_run, unit="passage").scores.round(3)

# %% [markdown] key="chunks-read"
# A large step. But is it fair? Ten pages are far more to read than ten chunks. So compare at equal length, too: hand over results until a budget of words is spent, the last result cut off there. Which relevant pages are among them, at least in part?


# %% key="equal-words"
def recall_within(run, words, budget):
    own = run["doc_id"].map(words)
    begun = own.groupby(run["query_id"]).cumsum() - own < budget
    found = run[begun & run["query_id"].isin(answerable.texts.index)]
    found = found.assign(doc_id=found["doc_id"].str.split("#").str[0]).drop_duplicates(["query_id", "doc_id"])
    return evaluate(answerable.qrels, found, ("Recall@50",), queries=answerable.texts.index)["Recall@50"]


answerable = dev.subset(answerable=True)
indexed = (document_texts(handbook.documents), passage_texts(cut))  # titles count, too
page_words, chunk_words = (texts.str.split().str.len() for texts in indexed)
page_run, budgets = dense.search(dev.texts, k=50), (250, 500, 1000, 2000)
handed = {"pages": (page_run, page_words), "chunks": (chunk_run, chunk_words)}
parts = {budget: {name: recall_within(*one, budget) for name, one in handed.items()} for budget in budgets}
gain = significance.compare(parts[1000]["chunks"], parts[1000]["pages"], groups=dev.originals)
low, high = gain.interval
print(f"1,000 words, chunks - pages: {gain.mean:.3f} [{low:.3f}, {high:.3f}], n = {gain.n}")
at_words = pd.DataFrame({budget: pd.DataFrame(both).mean() for budget, both in parts.items()})
at_words.rename_axis(columns="words").round(3)

# %% [markdown] key="equal-words-read"
# With 1,000 words to spend, chunks reach 0.849 of the relevant pages, whole pages 0.410. The lengths show why: dense's ten pages have 6,805 words on average, where ten average pages have 2,672. Long pages crowd the lists, perhaps because one vector for so much resembles everything.
#
# A warning: the labels are for pages. A part of a relevant page need not hold the answer. To know that, somebody must mark the *evidence*, the lines that answer.

# %% key="quiz-chunks"
quiz("11-chunks")

# %% key="check-chunks"
check("11-chunks", ...)

# %% [markdown] key="filter"
# ## Change 3: a filter
#
# In lesson 09 a page that was out of date stood first. So: search among current pages only, and where the question names an office or a country, only among the pages that hold there.

# %% key="try-filter"
filtered = Filtered(Dense, handbook.documents, regions=region_of)
filtered_run = filtered.search(dev.texts)
try_change("filter", filtered_run, filter="current, region named").scores.round(3)

# %% [markdown] key="filter-read"
# A small step up. But others moved into the places of the pages that went, and some of them *nobody has judged*. The table above takes all of them as useless. Now take each as an answer, and measure base and filter again:

# %% key="filter-holes"
holes = pool({"filter": filtered_run}, answerable)
hopeful = replace(dev, qrels=pd.concat([dev.qrels, holes[["query_id", "doc_id"]].assign(relevance=2)]))
hoped = [ledger.measure({}, hopeful, run, measures=wanted) for run in (dense.search(dev.texts), filtered_run)]
print(f"{len(holes)} unjudged, Judged@10 {judged_at(filtered_run, dev).mean():.3f}")
ledger.compare(*hoped).scores.round(3)

# %% [markdown] key="filter-holes-read"
# So the gain in nDCG@10 is 0.019 if none of them is of use, and 0.074 if all answer. The second is absurd, but only labels can close the gap: 34 pairs to judge. When a change looks *worse* and its Judged@10 is low, judge first.
#
# Our filter reads the place from the question. A profile would know it more often, but who works in Lisbon may ask about Leeds.

# %% [markdown] key="rerank"
# ## Change 4: a reranker
#
# A **reranker** takes the first candidates of a search and puts them in a better order. Ours takes dense's first 50 and adds up four numbers: the dense score, the BM25 score, the question's words in the title, its codes in the page. How much each weighs is learnt from dev's judgements, from pairs: which of two pages should stand above the other?
#
# It learns from dev, and we score on dev. So each question is ranked by weights learnt *without* it and without its twins (cross-validation, ten folds).
#
# And does the *learning* help? Two controls learn nothing: all four numbers with equal weights, and only dense and BM25.

# %% key="try-rerank"
clues = {"dense": dense, "bm25": BM25(handbook.documents)}
features = Features(handbook.documents, [dense], clues, depth=50)
reranked_run = Reranked(features).cross_validate(dev.texts, dev.qrels, groups=dev.originals)
print(try_change("reranker", reranked_run, reranker="dense 50, 4 features, 10 folds").scores.round(3))
controls = {}
for label, names in {"all four": features.names, "dense, bm25": ["dense", "bm25"]}.items():
    plain_run = Reranked(features, weights=dict.fromkeys(names, 1)).search(dev.texts)
    plain = {"reranker": f"dense 50, equal weights of {', '.join(names)}"}
    plain_record = ledger.record(folder, setup | plain, dev, plain_run, measures=wanted)
    controls[label] = ledger.compare(plain_record, tried["reranker"]).scores.loc["nDCG@10"]
controls = pd.DataFrame(controls).T.rename(columns={"a": "equal", "b": "learnt"}).astype({"n": int})
controls.rename_axis("nDCG@10").round(3)

# %% [markdown] key="rerank-read"
# Nearly as much as the chunks. Recall@10 rises as well, because pages from rank 11 to 50 come up. A reranker over ten candidates could never do that.
#
# But the learning earns nothing here: the same four numbers with equal weights score 0.714, the learnt ones 0.695. Dense and BM25 alone, a hybrid as in lesson 05, have 0.689. So most of the gain is BM25's. (Intervals uncorrected.)

# %% [markdown] key="index"
# ## Change 5: the index
#
# Exact search compares the question with every vector. With millions that is slow, so one compares a few. **HNSW** walks from neighbour to neighbour in a graph; `efSearch` says how many candidates it keeps in mind. **IVF** sorts the vectors into groups and looks into the `nprobe` nearest.
#
# With 169 pages there is nothing to skip. So they go into a crowd of 20,000 synthetic vectors, made like more of the same: in each direction, mean and spread are those of the pages. They have no text, so none of them can be relevant.

# %% key="crowd"
pages = store.all_rows("documents", document_texts(handbook.documents))
crowd = distractors(pages, 20_000)
everything = np.vstack([pages, crowd])
ids = [*handbook.documents["doc_id"], *(f"synthetic-{number}" for number in range(len(crowd)))]
exact, hnsw, ivf = Exact(everything, ids), HNSW(everything, ids), IVF(everything, ids, lists=128)
exact_run = exact.search(asked, dev.texts.index)
crowded = ledger.record(folder, setup | {"crowd": 20_000}, dev, exact_run, measures=wanted)
means = pd.DataFrame([base.summary["all"], crowded.summary["all"]], ["169 pages", "in the crowd"])
means[[*wanted, "n"]].round(3)

# %% [markdown] key="crowd-read"
# Nothing was skipped yet, and Recall@10 falls from 0.714 to 0.310. That is the crowd's doing, not an index's. So exact search *in the crowd* is the base of this change. Corpus, questions and judgements are the same files, so the ledger would not have stopped you. Only the configuration says `crowd`.
#
# Three numbers are called recall now:
#
# | name | of what | how much |
# |---|---|---|
# | recall of the [pool](02_label_with_agreement.ipynb) | of the relevant pages that exist | was judged? 12 of 13 (interval .67 to .99), for ten needs that were [judged completely](../assets/golden_set/OUTCOMES.md) |
# | retrieval recall | of the pages judged relevant | stands in the ten? 0.310 |
# | **index recall** | of the ten *nearest* vectors | did the index find? |

# %% [markdown] key="ex-index" exercise="11-index"
# ### Exercise 2: index recall (7 minutes)
#
# It is often written 10-recall@10. `exact_ids` and `found_ids` are lists of document numbers, best first. Return the share of the first `k` of `exact_ids` that is among the first `k` of `found_ids`. FAISS fills short lists with −1: that is no document, in either list.
#
# <details><summary>Hint 1</summary>
#
# Cut both lists to `k`. After that, order does not matter.
#
# </details>
# <details><summary>Hint 2</summary>
#
# Divide by what exact search found, without the −1.
#
# </details>


# %% key="ex-index-stub" tags=["stub"] exercise="11-index"
def own_index_recall(exact_ids, found_ids, k):
    return ...  # put your code here


# %% key="ex-index-check" exercise="11-index"
check("11-index", own_index_recall)


# %% key="ex-index-solution" tags=["solution"] exercise="11-index"
def own_index_recall(exact_ids, found_ids, k):
    truly, found = ({one for one in ids[:k] if one != -1} for ids in (exact_ids, found_ids))
    return len(truly & found) / len(truly)


# %% key="ex-index-wrong-uncut" tags=["wrong"] exercise="11-index" case="cases.0.mistakes.0"
def own_index_recall(exact_ids, found_ids, k):
    return len(set(exact_ids[:k]) & set(found_ids)) / k


# %% key="ex-index-wrong-places" tags=["wrong"] exercise="11-index" case="cases.0.mistakes.3"
def own_index_recall(exact_ids, found_ids, k):
    return sum(a == b for a, b in zip(exact_ids[:k], found_ids[:k])) / k


# %% key="ex-index-wrong-whole" tags=["wrong"] exercise="11-index" case="cases.0.mistakes.1"
def own_index_recall(exact_ids, found_ids, k):
    return len(set(exact_ids) & set(found_ids)) / len(set(exact_ids))


# %% key="ex-index-wrong-count" tags=["wrong"] exercise="11-index" case="cases.0.mistakes.2"
def own_index_recall(exact_ids, found_ids, k):
    return len(set(exact_ids[:k]) & set(found_ids[:k]))


# %% key="ex-index-wrong-found" tags=["wrong"] exercise="11-index" case="cases.2.mistakes.0"
def own_index_recall(exact_ids, found_ids, k):
    truly, found = ({one for one in ids[:k] if one != -1} for ids in (exact_ids, found_ids))
    return len(truly & found) / len(found)


# %% key="ex-index-wrong-padding" tags=["wrong"] exercise="11-index" case="cases.3.mistakes.0"
def own_index_recall(exact_ids, found_ids, k):
    truly, found = set(exact_ids[:k]), set(found_ids[:k])
    return len(truly & found) / len(truly)


# %% key="ex-index-wrong-k" tags=["wrong"] exercise="11-index" case="cases.3.mistakes.1"
def own_index_recall(exact_ids, found_ids, k):
    return sum(one in found_ids[:k] for one in exact_ids[:k] if one != -1) / k


# %% key="ex-index-equivalent" tags=["equivalent"] exercise="11-index"
def own_index_recall(exact_ids, found_ids, k):
    wanted_ids = [one for one in exact_ids[:k] if one >= 0]
    return sum(one in found_ids[:k] for one in wanted_ids) / len(wanted_ids)


# %% key="predict-together"
predict("11-together", ...)


# %% key="curves"
def both_recalls(run):
    of_answerable = run[run["query_id"].isin(answerable.texts.index)]
    retrieved = evaluate(answerable.qrels, of_answerable, ("Recall@10",), queries=answerable.texts.index)
    nearest = index_recall(exact_run, run)[answerable.texts.index]
    return {"index": nearest.mean(), "retrieval": retrieved["Recall@10"].mean()}


def ask(index, **effort):
    return index.search(asked, dev.texts.index, **effort)


curve = {"efSearch": {n: both_recalls(ask(hnsw, ef_search=n)) for n in (16, 32, 64, 128, 256)}}
curve["nprobe"] = {n: both_recalls(ask(ivf, nprobe=n)) for n in (1, 2, 4, 8, 16, 32, 64, 128)}
fig, panels = plots.axes(8, 3, columns=2)
for ax, points in zip(panels, curve.values()):
    plots.curves(ax, range(len(points)), pd.DataFrame(points).T.to_dict("list"))
    ax.set_xticks(range(len(points)), list(points))
panels[0].set_xlabel(text("11-label-efsearch"))
panels[1].set_xlabel(text("11-label-nprobe"))
plots.show(fig, text("11-alt-curves"))

# %% key="together-table"
chosen = pd.DataFrame({f"efSearch {n}": curve["efSearch"][n] for n in (16, 256)}).T
chosen = pd.concat([chosen, pd.DataFrame({f"nprobe {n}": curve["nprobe"][n] for n in (32, 64, 128)}).T])
print(chosen.round(3).assign(n=len(answerable.texts)))
reveal("11-together", round(chosen.at["nprobe 32", "retrieval"], 3))

# %% [markdown] key="together-read"
# `nprobe` 128 is every group: exact search again. On other data the curves look otherwise.
#
# `efSearch` 256 and `nprobe` 32 have nearly the same index recall, and not the same Recall@10. And from `nprobe` 32 to 64 index recall *rises* while Recall@10 *falls*: newly found synthetic neighbours pushed pages out. Each gap is two questions of 91: enough to show that the numbers part, too few to prefer an index. What an index misses may be what nobody wanted, or just what everybody did. Only the golden set knows.
#
# The change itself: HNSW with `efSearch` 16, FAISS's default.

# %% key="try-index"
try_change("index", ask(hnsw, ef_search=16), before=crowded, index="HNSW, efSearch 16").scores.round(3)

# %% key="quiz-recalls"
quiz("11-recalls")

# %% key="check-recalls"
check("11-recalls", ...)

# %% [markdown] key="all-five"
# ## All five in one table
#
# Five comparisons, n = 91 each, intervals and p corrected for five. `gate` looks for drops; more below. Beside the quality stands a cost that no machine changes: how many vectors are compared per question. (For the reranker, 50 candidates are read again, and BM25 searches, too. For the index, the whole would be 20,169.)

# %% key="summary"
before = {name: crowded if name == "index" else base for name in tried}
scores = {name: [one.scores["nDCG@10"].dropna() for one in (tried[name], before[name])] for name in tried}
options = {"groups": dev.originals, "comparisons": 5}
found = {name: significance.compare(*pair, **options) for name, pair in scores.items()}
columns = ["change", "low", "high", "p"]
summary = pd.DataFrame({n: [f.mean, *f.interval, f.p_value] for n, f in found.items()}, columns).T
summary["Judged@10"] = [judged_at(run, dev).mean() for run in runs.values()]
allowed = np.mean([len(filtered.allowed(region_of(question))) for question in dev.texts])
summary["compared"] = [169, len(cut), round(allowed), 169 + 50, round(hnsw.compared(asked, ef_search=16))]
summary["gate"] = ["passed" if ledger.gate(kept, before[n]).passed else "failed" for n, kept in tried.items()]
summary.round({"change": 3, "low": 3, "high": 3, "p": 4, "Judged@10": 3})

# %% key="reveal-best"
reveal("11-best", {"model": "a", "chunks": "b", "filter": "c", "reranker": "d"}[summary["change"].idxmax()])

# %% [markdown] key="summary-read"
# Chunks and reranker are ahead of the base, the default index is behind its own. The model: cannot tell. The filter is the odd one: it moves 11 of 91 questions, all of them up, so its interval just excludes 0. But it has unjudged pairs, and so has the reranker.
#
# *Passed* is not *better*: the gate passed the model, too. It says that nothing was seen to drop. Judged@10 of the index is low, but here that is no hole: synthetic vectors cannot be relevant.
#
# Per type, with intervals, each against its own base:


# %% key="types"
def spelt(part):
    low, high = significance.bootstrap_mean(part, groups=dev.originals[part.index], resamples=1999)
    return f"{part.mean():+.2f} [{low:+.2f}, {high:+.2f}]"


deltas = {name: now - then for name, (now, then) in scores.items()}
by_type = pd.DataFrame({name: delta.groupby(dev.types).agg(spelt) for name, delta in deltas.items()})
by_type.assign(n=dev.types[moved.index].value_counts())

# %% [markdown] key="types-read"
# The reranker gains most on identifiers. MiniLM seems to lose there and to gain on paraphrases. Those are 30 cells with 11 to 20 questions each, uncorrected: hints, not claims.
#
# ## What you may claim
#
# Choose on dev: chunks, the largest change. (Ahead of the reranker? Cannot tell.) Then report on test, one comparison:

# %% key="claim"
test = handbook.subset(split="test", showcase=False)
finalists = [Passages(handbook.documents), dense]
kept_test = [ledger.measure({}, test, system.search(test.texts), measures=wanted) for system in finalists]
on_test = [kept.scores["nDCG@10"].dropna() for kept in kept_test]
difference = significance.compare(*on_test, groups=test.originals)
basis = {"measure": "nDCG@10 (linear gain)", "population": "handbook questions, test part, Hindi included"}
print(significance.claim(difference, "Dense search by chunks", "dense search by pages", **basis))

# %% [markdown] key="claim-read"
# This test part is not fresh: earlier lessons and the [outcomes](../assets/golden_set/OUTCOMES.md) have shown results on it, chunks among them. A claim that must hold needs questions that nobody has looked at.
#
# And chunks *with* the reranker? Gains need not add up. A sixth experiment.

# %% [markdown] key="gate"
# ## A change that is broken
#
# The chunks are exported again, and the list of their owners slips by one place. Nothing crashes. Two chunks in three still lead to the right page: a spot check may well pass. A **gate** compares the record with the last one, each measure, overall and per type. It fails when a drop is beyond noise:

# %% key="broken"
owners = np.roll(cut["doc_id"], 1)
print(f"still with its owner: {(owners == cut['doc_id']).mean():.0%} of the chunks")
shifted = [f"{owner}#{number}" for number, owner in enumerate(owners)]
broken_run = by_page(Exact(chunk_vectors, shifted).search(asked, dev.texts.index, k=100))
chunked = tried["chunks"].config
broken = ledger.record(folder, chunked | {"owners": "new export"}, dev, broken_run, measures=wanted)
print(ledger.gate(broken, tried["chunks"]))

# %% [markdown] key="broken-read"
# Caught, though in 15 of 21 means no drop could have counted. In CI this is an exit code; [the example](../assets/templates/ci-gate.yml) is ready to copy. Now two cases that it lets through:

# %% key="unseen"
late = ledger.record(folder, chunked | {"collapse": "after ten"}, dev, first_ten, measures=wanted)
print("slipped owners, against the first base:", "passed" if ledger.gate(broken, base).passed else "failed")
print("collapsed after ten chunks:", "passed" if ledger.gate(late, tried["chunks"]).passed else "failed")
ledger.compare(tried["chunks"], late).scores.round(3)

# %% [markdown] key="unseen-read"
# Against an old baseline the broken export passes: it lost what the chunks had gained, and beyond that no more than noise. So move the baseline with each merge. (And keep a fixed one beside it: ten small drops are each noise, and together they are not.) And collapsing too late costs 0.022 of Recall@10, which drowns in noise. A gate sees what is large. For the rest you need property checks, as in lesson 08: *every list holds ten pages*.
#
# ## When the corpus changes
#
# Somebody edits one page. Which results still count, and which labels?

# %% key="drift"
edited = handbook.documents.copy()
edited.loc[edited["doc_id"] == "leave-annual-allowance", "text"] += "\n\nFrom 2027 on, 30 days everywhere."
later = replace(dev, documents=edited)
try:
    ledger.compare(base, ledger.measure(setup, later, dense.search(dev.texts), measures=wanted))
except ValueError as error:
    print(error)
pages_changed = edited["doc_id"][edited["text"] != handbook.documents["text"]]
redo = handbook.qrels[handbook.qrels["doc_id"].isin(pages_changed)]
print(len(redo), "judgements to redo, of which relevant until now:", (redo["relevance"] > 0).sum())

# %% [markdown] key="drift-read"
# The ledger refuses: its fingerprint of the corpus differs. This is **label drift**: the label was right, the page moved on. Redo the judgements of the pages that changed, the zeros too, since a page may *become* an answer. Then judge what the new lists bring up. And make the page's vector again.

# %% [markdown] key="numbers"
# The numbers in the text of this lesson are checked here. If one were wrong, this cell would stop.

# %% key="numbers-true"
assert summary["change"][["model", "filter"]].round(3).tolist() == [0.056, 0.019] and gain.interval.low > 0
assert at_words[1000].round(3).to_dict() == {"pages": 0.410, "chunks": 0.849}
assert controls[["equal", "learnt"]].round(3).values.tolist() == [[0.714, 0.695], [0.689, 0.695]]
assert round(page_run.groupby("query_id").head(10)["doc_id"].map(page_words).sum() / len(dev.texts)) == 6805
assert (round(10 * page_words.mean()), len(holes), len(redo), len(everything)) == (2672, 34, 53, 20_169)
assert round(ledger.compare(*hoped).scores.at["nDCG@10", "difference"], 3) == 0.074
assert [round(one.summary["all"]["Recall@10"], 3) for one in (base, crowded)] == [0.714, 0.310]
assert ledger.compare(base, crowded).fingerprints.empty  # the ledger would not have stopped you
of_pool = "13 documents, 12 in the pool. Recall of the pool: .92, Wilson interval [.67, .99]"
assert of_pool in paths.assets("golden_set", "OUTCOMES.md").read_text(encoding="utf-8")
assert chosen["index"].round(3).tolist()[1:3] == [0.946, 0.945]
three = [ask(ivf, nprobe=32), ask(ivf, nprobe=64), ask(hnsw, ef_search=256)]
less = [evaluate(dev.qrels, run, "Recall@10")["Recall@10"] for run in three]
assert [((less[0] > one).sum(), (less[0] < one).sum()) for one in less[1:]] == [(2, 0), (2, 0)]
assert (summary["gate"] == ["passed"] * 4 + ["failed"]).all()
assert ((summary["low"] > 0) == [False, True, True, True, False]).all() and summary.at["index", "high"] < 0
assert tried["model"].scores.loc[script[script == "Deva"].index, "nDCG@10"].max() == 0
assert ((deltas["filter"] > 0).sum(), (deltas["filter"] < 0).sum(), len(moved)) == (11, 0, 91)
assert deltas["reranker"].groupby(dev.types).mean().idxmax() == "identifier"
assert dev.types[moved.index].value_counts().agg(["min", "max"]).tolist() == [11, 20]
against = [ledger.gate(broken, one) for one in (base, tried["chunks"])]
assert against[0].passed and against[1].cells["band"].isna().sum() == 15
lag, lead = (ledger.compare(tried["chunks"], one).scores for one in (late, tried["reranker"]))
assert round(lag.at["Recall@10", "difference"], 3) == -0.022 and lead.at["nDCG@10", "high"] > 0

# %% [markdown] key="quiz-head"
# ## Quiz

# %% key="quiz-claim"
quiz("11-claim")

# %% key="check-claim"
check("11-claim", ...)

# %% [markdown] key="takeaways"
# ## Takeaways
#
# - One change, one record, one comparison with the same data. Two changes at once explain nothing.
# - Ten chunks are not ten pages. Collapse, then cut, and compare at equal words, too.
# - Index recall, retrieval recall and recall of the pool are three numbers, and none follows from another.
# - Look at Judged@10 before you believe a change, at a control before you name its cause, at the cost before you ship it.
# - A gate that passes has seen no large drop. It has not seen that all is well.
#
# ## Now on your own data
#
# Write your system's configuration as a dictionary, with everything in it that could move a score. Record it. Change one value, record again, compare. Time both on your machine, and put seconds beside quality. Put the ledger into git.

# %% [markdown] key="instructor-plan" tags=["instructor"]
# **Timing.** 60 minutes: base and model (8), chunks with exercise 1 (15), filter (5), reranker and its controls (6), index with exercise 2 (14), all five and the claim (6), gate and drift (6).
# For 45: exercise 2 as homework, and the table by type as a hand-out.
#
# **Where they get lost.** Three recalls. Draw three circles on the board: nearest, relevant, judged. Ask which two each number compares.
#
# **Likely wrong answers.** Together .293, from multiplying: a miss of the index is spread over the ten evenly only on average, and what is missed may be noise. Collapse: cutting to k before collapsing, which passes every spot check. Why the reranker is better: "because it learnt", which the controls refute.
#
# **Discuss.** Who knows the crowd's Recall@10 of .310? It depends on how the crowd was made: more of the same in every direction is a hard one. Real neighbours may be kinder or crueller. What carries over is that the three numbers part, not their values.
#
# **By-hand sheet.** Chunks a#1 .9, a#2 .8, b#1 .7, c#1 .6, b#2 .5: pages a, b, c. Cut to three chunks first, and only a and b are left. Exact 4 7 1 9, found 7 1 8 4: index recall 3/4; at k = 2, 1/2.
