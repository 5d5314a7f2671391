"""Verbs of a focused crawl: topics, marks, and how well it keeps to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trasmallo.project.collection import CollectionQueries
from trasmallo.project.lock import holder
from trasmallo.project.working import works

if TYPE_CHECKING:
    from trasmallo.crawl.focus import Mark
    from trasmallo.crawl.focus_report import FocusReport
    from trasmallo.project.focus import Marked, TopicShown


class FocusedProject(CollectionQueries):
    """A project whose crawls may keep to topics."""

    def worker(self) -> int:
        """The process that works on the project now, 0 when there is none."""
        return holder(self.home)

    @works
    def topic(self, *words: str, like: Sequence[str] = (), search: str = "", name: str = "topic") -> TopicShown:
        """Say what the next crawl is to keep to: words, documents (files or URLs), the best hits of a search."""
        from trasmallo.project import focus

        return focus.set_topic(self, words, like, search, name)

    @works
    def remove_topic(self, name: str = "topic") -> None:
        """Forget a topic; without any the crawl is not focused."""
        from trasmallo.project import focus

        focus.remove_topic(self, name)

    def topics(self) -> list[TopicShown]:
        """The topics, with the terms that make them."""
        from trasmallo.project import focus

        return focus.topics(self)

    @works
    def mark(self, url: str, on_topic: bool | None) -> Marked:
        """Say whether a page is on topic; None takes it back. A crawl that runs takes it up within seconds."""
        from trasmallo.project import focus

        return focus.mark(self, url, on_topic=on_topic, process=self.worker())

    def marks(self) -> list[Mark]:
        """The marks that count."""
        from trasmallo.project import focus

        return focus.marks(self)

    def focus(self) -> FocusReport:
        """How well the latest crawl keeps to its topics, and what an unfocused one would have brought."""
        from trasmallo.project import focus

        return focus.report(self)
