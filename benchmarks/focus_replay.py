"""Focused crawls replayed over a graph: ours, breadth-first, and page and link classifiers as ACHE has them.

    python benchmarks/focus_spanish.py OUT
    python benchmarks/focus_replay.py OUT/pages.jsonl.zst OUT/topics.json [--runs 3] [--marks 20] [--language es]

Each strategy gets the words of a topic and three start pages that are on it, and asks for a tenth of the graph, a page at a
time; only what a page that it has leads to can be asked for. h@R is the share of pages on topic among the first R, R being the
number of those there are; recall is the share of them that was found. Errors are standard errors over topics. The classifiers
are a plain version of ACHE's idea, not ACHE itself, and not tuned: naive Bayes over the words of pages (on topic: start pages
and what is likest to them), and over anchors and the words around them, by what these led to.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter
from pathlib import Path
from typing import Any, Protocol

import focus_plug
import numpy as np
import zstandard

from trasmallo.crawl.focus.words import words_of
from trasmallo.study.languages import stopwords

STARTS, FEWEST_LINKS, BUDGET = 3, 3, 0.1
Page = dict[str, Any]


class Strategy(Protocol):
    """What a replay asks of a crawl."""

    def seed(self, pages: list[Page]) -> None:
        """The start pages."""

    def fetched(self, page: Page, label: bool | None) -> None:
        """A page has come, perhaps with a mark."""

    def nxt(self) -> int | None:
        """What to ask for."""


class BreadthFirst:
    """Links in the order in which they were found."""

    def __init__(self, _words: str, _language: str) -> None:
        self._waiting: dict[int, None] = {}
        self._fetched: set[int] = set()

    def seed(self, _pages: list[Page]) -> None:
        """All start pages are fetched at once."""

    def fetched(self, page: Page, _label: bool | None) -> None:
        """Queue its links."""
        self._fetched.add(page["id"])
        self._waiting.pop(page["id"], None)
        self._waiting.update((target, None) for target, *_ in page["links"] if target not in self._fetched)

    def nxt(self) -> int | None:
        """The one that was found first."""
        return next(iter(self._waiting), None)


class Classifiers:
    """Page classifier by likeness to examples and marks, link classifier by what links led to; the best link first."""

    def __init__(self, words: str, language: str) -> None:
        self._stop = stopwords(language)
        self._query = self._counts(words)
        self._good, self._all = Counter(self._query), Counter(self._query)
        self._good_links, self._all_links = Counter[str](), Counter[str]()
        self._likeness: list[float] = []
        self._starts: set[int] = set()
        self._links: dict[int, list[tuple[float, list[str]]]] = {}
        self._fetched: set[int] = set()

    def seed(self, pages: list[Page]) -> None:
        """Start pages are on topic."""
        self._starts = {page["id"] for page in pages}

    def fetched(self, page: Page, label: bool | None) -> None:
        """Judge a page, learn from it and from the links that led to it, and note its own."""
        self._fetched.add(page["id"])
        words = self._counts(f"{page['title']} {page['text']}")
        topicality = 1.0 if page["id"] in self._starts else self._topicality(words) if label is None else float(label)
        self._all.update(words)
        if topicality > 0.5:
            self._good.update(words)
        for _, said in self._links.pop(page["id"], []):
            self._all_links.update([*said, ""])
            if topicality > 0.5:
                self._good_links.update([*said, ""])
        for target, anchor, context in page["links"]:
            if target not in self._fetched:
                said = [*self._counts(anchor), *(f"~{word}" for word in self._counts(context))]
                self._links.setdefault(target, []).append((topicality, said))

    def nxt(self) -> int | None:
        """The address with the best link."""
        return max(self._links, key=self._score) if self._links else None

    def _score(self, target: int) -> float:
        return max(topicality + self._link_odds(said) for topicality, said in self._links[target])

    def _link_odds(self, said: list[str]) -> float:
        base = (self._good_links[""] + 1) / (self._all_links[""] + 2)
        odds = [math.log((self._good_links[word] + base) / ((self._all_links[word] + 1) * base)) for word in said]
        named = sum(word in self._query for word in said)
        return named + (sum(odds) / len(odds) if odds else 0.0)

    def _topicality(self, words: Counter[str]) -> float:
        """How like the good pages it is, among all that came."""
        total_good, total = self._good.total() + 1, self._all.total() + 1
        odds = (
            number * math.log((self._good[word] + 0.1) / total_good / ((self._all[word] + 1) / total))
            for word, number in words.items()
        )
        likeness = sum(odds) / max(words.total(), 1)
        self._likeness.append(likeness)
        return float(np.mean([likeness >= other for other in self._likeness]) > 0.8)

    def _counts(self, text: str) -> Counter[str]:
        return Counter(word for word in words_of(text) if word not in self._stop)


class Ours(focus_plug.Strategy):
    """The product's focus."""

    def __init__(self, words: str, language: str) -> None:
        self.language = language
        super().__init__(words, None)


STRATEGIES = {"breadth-first": BreadthFirst, "page and link classifiers": Classifiers, "trasmallo": Ours}


def replay(pages: list[Page], topic: dict[str, Any], strategy: Strategy, seed: int, marks: int) -> tuple[float, float]:
    """h@R and recall of one crawl."""
    relevant = set(topic["pages"])
    leading = [page for page in sorted(relevant) if len(pages[page]["links"]) >= FEWEST_LINKS]
    starts = np.random.default_rng(seed).choice(leading, STARTS, replace=False).tolist()
    strategy.seed([pages[page] for page in starts])
    for page in starts:
        strategy.fetched(pages[page], None)
    hits: list[bool] = []
    while len(hits) < max(int(BUDGET * len(pages)), len(relevant)) and (chosen := strategy.nxt()) is not None:
        hits.append(chosen in relevant)
        strategy.fetched(pages[chosen], hits[-1] if len(hits) <= marks else None)
    left = len(relevant) - STARTS
    return sum(hits[:left]) / left, sum(hits) / left


def main() -> None:
    """Replay all topics by all strategies, in turns, and print a table."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("pages", type=Path)
    asked.add_argument("topics", type=Path)
    asked.add_argument("--runs", type=int, default=1)
    asked.add_argument("--marks", type=int, default=0)
    asked.add_argument("--language", default="es")
    given = asked.parse_args()
    lines = zstandard.decompress(given.pages.read_bytes(), 1 << 30).decode().split("\n")
    pages, topics = [json.loads(line) for line in lines], json.loads(given.topics.read_text(encoding="utf-8"))
    figures: dict[str, list[tuple[float, float]]] = {name: [] for name in STRATEGIES}
    seconds = dict.fromkeys(STRATEGIES, 0.0)
    for number, topic in enumerate(topics):
        for name, made in STRATEGIES.items():
            began = time.process_time()
            runs = [
                replay(pages, topic, made(topic["words"], given.language), 100 * run + number, given.marks)
                for run in range(given.runs)
            ]
            seconds[name] += time.process_time() - began
            figures[name].append(tuple(np.mean(runs, axis=0).tolist()))  # type: ignore[arg-type]
    show(figures, seconds, f"{len(pages):,} pages, {len(topics)} topics, {given.runs} draws, {given.marks} marks")


def show(figures: dict[str, list[tuple[float, float]]], seconds: dict[str, float], caption: str) -> None:
    """Print means and standard errors."""
    print(f"{caption}\n\n| strategy | h@R | recall | CPU s |\n| --- | --- | --- | --- |")
    for name, topics in figures.items():
        means, errors = np.mean(topics, axis=0), np.std(topics, axis=0) / math.sqrt(len(topics))
        h, recall = (f"{mean:.3f} ± {error:.3f}" for mean, error in zip(means, errors, strict=True))
        print(f"| {name} | {h} | {recall} | {seconds[name]:.0f} |")


if __name__ == "__main__":
    main()
