"""What a focused crawl knows: which pages were on topic, which addresses are promising, and why.

Everything follows from the window of pages, the topics and the marks: after a kill the same pages give the same order. Models
are fitted anew in batches: after each page at first, then after a twelfth as many as there are, at most twenty-five.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping

import msgspec
import numpy as np

from trasmallo.crawl.focus.link_scorer import Scored, score_links
from trasmallo.crawl.focus.notes import PageNote, SeenPage, note
from trasmallo.crawl.focus.observed import Observed
from trasmallo.crawl.focus.page_classifier import Judged, classify
from trasmallo.crawl.focus.topic import FocusSetup, Topic
from trasmallo.crawl.focus.weights import LINK_FEATURES
from trasmallo.crawl.focus.words import numbers_of, words_of
from trasmallo.values.arrays import Array

_EXAMPLE = "example:"
_UNQUOTED = str.maketrans({"*": "", "`": "", ";": ","})
_LARGEST_BATCH = 25  # judgement: pages after which what waits is scored again; a tenth of a second each
_BATCH_SHARE = 12  # judgement: models hardly change by a twelfth more pages
EXPLORED = 0.02
"""Share of addresses that get a bonus by chance, so that the crawl learns what it would not look at."""
_BONUS = 1.0  # judgement: in log-odds; an address that is hopeless stays behind
ON_TOPIC = 0.5
"""From this probability on a page counts as on topic."""


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why an address waits where it does: its score (a probability), what it is made of in log-odds, and that in words."""

    score: float
    parts: dict[str, float] = {}
    why: str = ""


class Hub(msgspec.Struct, frozen=True, kw_only=True):
    """A page that leads to pages on topic: the share of those it led to so far, and how many were followed."""

    url: str
    title: str
    share: float
    followed: int


class FocusModel:
    """Model of one crawl, or of one worker of it."""

    def __init__(self, setup: FocusSetup, observed: Observed | None = None) -> None:
        self._setup = setup
        self._observed = observed or Observed()
        self._words = [numbers_of(words_of(" ".join(topic.words)), setup.stop) for topic in setup.topics]
        self._marks: dict[str, bool] = {}
        self._judged: list[Judged] = []
        self._scored: list[Scored] = []
        self._scores: Array = np.zeros(0)
        self._topicality: Array = np.zeros(0)
        self._behind = 0
        self._chances_of: list[str] = []
        self._bonuses: list[float] = []
        for topic in setup.topics:
            self._observe_examples(topic)

    @property
    def observed(self) -> Observed:
        """The window."""
        return self._observed

    def observe(self, page: SeenPage) -> PageNote:
        """Note a page that has come; what was noted, to be noted again after a kill."""
        noted = note(page, self._setup.stop)
        self.restore(noted)
        return noted

    def restore(self, noted: PageNote) -> None:
        """Note a page as it was noted before."""
        self._observed.add(noted)
        self._behind += 1

    def mark(self, marks: Mapping[str, bool]) -> None:
        """From now on these marks count, and no others."""
        self._marks = dict(marks)
        self._observed.held = frozenset(list(self._marks)[-self._observed.most_held :])
        self._behind = _LARGEST_BATCH

    @property
    def is_due(self) -> bool:
        """Whether enough has come to fit the models anew."""
        return self._behind >= max(1, min(_LARGEST_BATCH, len(self._observed.pages) // _BATCH_SHARE))

    def fit(self) -> None:
        """Judge all pages and score all addresses of the window anew."""
        self._behind = 0
        columns = self._observed.columns()
        self.judge()
        self._scored = [score_links(columns, judged) for judged in self._judged]
        self._scores = np.max([scored.scores for scored in self._scored], axis=0) + self._chances(len(columns.fetched))

    def judge(self) -> None:
        """Judge all pages of the window anew; addresses keep their scores until the next fit."""
        columns = self._observed.columns()
        self._judged = [
            classify(columns, words, self._known(topic)) for topic, words in zip(self._setup.topics, self._words, strict=True)
        ]
        self._topicality = np.max([judged.topicality for judged in self._judged], axis=0)

    def topicality(self, url: str) -> float | None:
        """How probable it is that a page is on topic; None for one that is not in the window or not judged yet."""
        number = self._observed.page_number(url)
        return float(self._topicality[number]) if number is not None and number < len(self._topicality) else None

    def score(self, url: str) -> float | None:
        """The log-odds that an address is worth asking for; None for one that no page of the window leads to."""
        number = self._observed.numbers.get(url)
        return float(self._scores[number]) if number is not None and number < len(self._scores) else None

    def provisional(self, page: str) -> float:
        """The score of links of a page that came after the last fit: that of what such pages led to."""
        topicality = self.topicality(page)
        return -2.0 if topicality is None else 4.0 * topicality - 4.0

    def promising(self, most: int) -> Iterator[tuple[str, float]]:
        """The best addresses that were not fetched, the best first; among equals the one that was found first."""
        waiting = self._observed.waiting(len(self._scores))
        best = waiting[np.argsort(-self._scores[waiting], kind="stable")[:most]]
        urls = self._observed.urls
        return ((urls[number], float(self._scores[number])) for number in best.tolist())

    def hubs(self, most: int) -> list[Hub]:
        """The pages that led to most that is on topic."""
        if not self._scored:
            return []
        columns = self._observed.columns()
        followed = np.bincount(columns.sources[columns.fetched[columns.targets] >= 0], minlength=len(self._topicality))
        shares = np.max([scored.hubs for scored in self._scored], axis=0)
        best = np.argsort(-shares * np.log1p(followed[: len(shares)]), kind="stable")[:most]
        pages = self._observed.pages
        return [
            Hub(url=pages[k].url, title=pages[k].title, share=float(shares[k]), followed=int(followed[k]))
            for k in best.tolist()
            if followed[k]
        ]

    def explain(self, url: str) -> Reason:
        """Why an address waits where it does."""
        number = self._observed.numbers.get(url, -1)
        if not 0 <= number < len(self._scores):
            return Reason(score=_probability(-2.0), why="found after the last fit, or long ago: scored with its page")
        best = max(self._scored, key=lambda scored: float(scored.scores[number]))
        shares = best.features[number] * best.weights
        parts = {name: round(float(part), 3) for name, part in zip(LINK_FEATURES, shares, strict=True) if abs(part) >= 0.005}
        if (held_back := float(best.scores[number]) - float(shares.sum())) < -0.005:
            parts["led_to_little"] = round(held_back, 3)
        return Reason(score=_probability(float(self._scores[number])), parts=parts, why=self._why(url, best))

    def _why(self, url: str, scored: Scored) -> str:
        """The best link to an address, in words."""
        links = [int(link) for link in self._observed.links_to(url) if link < len(scored.anchors)]
        if not links:
            return ""
        columns = self._observed.columns()
        anchor = max(links, key=lambda link: float(scored.anchors[link]))
        page = max(links, key=lambda link: float(self._topicality[columns.sources[link]]))
        said, source = self._observed.anchor(anchor), int(columns.sources[page])
        # The signs that part the reasons, and those that mark what is quoted, are not the page's to write.
        quoted = said.translate(_UNQUOTED)
        parts = [f"anchor says *{quoted}*"] if quoted else []
        parts.append(f"its page is {self._topicality[source]:.2f} on topic")
        parts.append(f"such pages led to {scored.hubs[source]:.2f}")
        if len(links) > 1:
            parts.append(f"{len(links)} links lead to it")
        return "; ".join(parts)

    def _known(self, topic: Topic) -> dict[int, float]:
        """Pages that somebody said are on topic or not: documents of the topic, start pages if it has none, and marks."""
        known = {}
        for number, page in enumerate(self._observed.pages):
            if page.url.startswith(_EXAMPLE):
                known[number] = float(page.url.startswith(f"{_EXAMPLE}{topic.name}:"))
            elif page.example and not topic.examples:
                known[number] = 1.0
            if page.url in self._marks:
                known[number] = float(self._marks[page.url])
        return known

    def _observe_examples(self, topic: Topic) -> None:
        for number, example in enumerate(topic.examples):
            self.observe(SeenPage(f"{_EXAMPLE}{topic.name}:{number}", example.title, example.text, example=True))

    def _chances(self, count: int) -> Array:
        """The bonus of those that are explored, by their addresses alone."""
        urls = self._observed.urls
        if urls is not self._chances_of:
            self._chances_of, self._bonuses = urls, []
        self._bonuses += [_BONUS if _is_explored(url) else 0.0 for url in urls[len(self._bonuses) : count]]
        return np.array(self._bonuses)


def _is_explored(url: str) -> bool:
    return zlib.crc32(url.encode("utf-8", "surrogatepass")) < EXPLORED * (1 << 32)


def _probability(score: float) -> float:
    return round(1 / (1 + float(np.exp(-np.clip(score, -30, 30)))), 4)
