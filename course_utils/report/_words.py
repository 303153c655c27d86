"""The command line's word `report`."""

from collections.abc import Callable
from typing import Any


def add_words(words: Any, do: Callable[[Any], int]) -> None:
    """Add `report` to the words of a command line.

    Parameters
    ----------
    words
        From `argparse.ArgumentParser.add_subparsers`.
    do
        What the command line does with the words it has read.

    Examples
    --------
    >>> import argparse
    >>> parser = argparse.ArgumentParser()
    >>> add_words(parser.add_subparsers(), print)
    >>> parser.parse_args(["report", "my.run"]).out
    'report.html'
    """
    word = words.add_parser("report", help="write a page to read: by type, worst questions, biggest movers")
    word.add_argument(
        "runs", metavar="RUN", nargs="+", help="run files (TREC); the worst are those of the first"
    )
    word.add_argument("--golden-set", metavar="DIR", help="folder of a golden set (default: the handbook)")
    word.add_argument("--out", metavar="FILE", default="report.html", help="default report.html")
    word.add_argument(
        "--split", choices=("dev", "test", "all"), help="default dev, or all if there is no dev"
    )
    word.add_argument("--measure", default="nDCG@10", metavar="NAME", help="orders the questions (nDCG@10)")
    word.add_argument("--count", type=int, default=10, help="how many of the worst (default 10)")
    word.add_argument("--causes", metavar="FILE", help="causes that you assigned (CSV: query_id,cause)")
    word.set_defaults(do=do)
