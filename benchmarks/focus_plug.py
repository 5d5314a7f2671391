"""The product's own focus behind the interface of the replay: replay.py PAGES TOPICS --plug focus_plug:Strategy."""

from __future__ import annotations

from typing import Any

from trasmallo.crawl.focus import FocusModel, FocusSetup, SeenLink, SeenPage, Topic
from trasmallo.study.languages import stopwords


class Strategy:
    """One topic, given by words and start pages; targets are addresses `id:N`, which say nothing."""

    language = "en"

    def __init__(self, words: str, _rng: Any, _marks: int = 0) -> None:
        topic = Topic(name="topic", words=tuple(words.split()))
        self._model = FocusModel(FocusSetup(topics=(topic,), stop=stopwords(self.language)))
        self._starts: set[int] = set()
        self._fetched: set[int] = set()
        self._marks: dict[str, bool] = {}
        self._best: list[int] = []

    def seed(self, pages: list[dict[str, Any]]) -> None:
        """The start pages, which are on topic."""
        self._starts = {page["id"] for page in pages}

    def fetched(self, page: dict[str, Any], label: bool | None) -> None:
        """A page has come, perhaps with a mark."""
        self._fetched.add(page["id"])
        self._model.observe(_seen(page, example=page["id"] in self._starts))
        if label is not None:
            self._marks[_address(page["id"])] = bool(label)
            self._model.mark(self._marks)

    def nxt(self) -> int | None:
        """The most promising address."""
        if self._model.is_due:
            self._model.fit()
            self._best = [int(url.partition(":")[2]) for url, _ in self._model.promising(40)][::-1]
        while self._best:
            if (chosen := self._best.pop()) not in self._fetched:
                return chosen
        self._model.fit()
        self._best = [int(url.partition(":")[2]) for url, _ in self._model.promising(40)][::-1]
        return self._best.pop() if self._best else None


class SpanishStrategy(Strategy):
    """The same for pages in Spanish."""

    language = "es"


def _address(number: int) -> str:
    return f"id:{number}"


def _seen(page: dict[str, Any], *, example: bool) -> SeenPage:
    links = []
    for target, anchor, context in page["links"]:
        before, _, after = context.partition("[]")
        links.append(SeenLink(_address(target), anchor, before, after))
    return SeenPage(_address(page["id"]), page["title"], page["text"], tuple(links), example=example)
