"""An opened project: its folder and settings, who asks, about which of its documents, and as of when."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Self, Unpack

import msgspec

from trasmallo import config
from trasmallo.config import Config
from trasmallo.events import Bus, log_events
from trasmallo.project.options import CrawlOptions
from trasmallo.project.permissions import asker_named, own_asker, owner_of
from trasmallo.project.subcorpora import Subcorpora
from trasmallo.project.working import works
from trasmallo.store import run_folders
from trasmallo.store.run_folders import Run
from trasmallo.store.subcorpora import Scope, find_scope, save_scopes, saved_scopes
from trasmallo.values.access import Asker
from trasmallo.values.arguments import checked_path, checked_text
from trasmallo.values.errors import UsageError
from trasmallo.values.messages import Message

_logger = logging.getLogger("trasmallo")
_logger.addHandler(logging.NullHandler())  # programs that use us decide what becomes of our lines


class OpenedProject:
    """A folder with its file, its store and its runs, as somebody sees it; `Queries` adds the verbs that read."""

    def __init__(self, folder: Path, settings: Config, asker: Asker | None = None) -> None:
        self.folder = folder
        self.config = settings
        self._subcorpora = Subcorpora(folder, settings, asker or own_asker())
        self.bus = Bus()
        self.bus.listen(log_events(_logger))
        self._chosen = ""

    @classmethod
    def open(
        cls, folder: str | Path, *, seeds: Sequence[str] | None = None, user: str = "", **crawl: Unpack[CrawlOptions]
    ) -> Self:
        """Open a project; keywords are keys of [crawl] that win over the file, where `seeds` is None too.

        Answers hold only what the system lets `user` read, who is this process's own unless named; the superuser and the
        project's owner may name others.
        """
        folder = checked_path(folder, "folder")
        settings = config.load(folder / config.FILE_NAME)
        given = crawl if seeds is None else {**crawl, "seeds": seeds}
        if given:
            merged = msgspec.to_builtins(settings.crawl) | given
            settings = msgspec.structs.replace(settings, crawl=config.build({"crawl": merged}, Message("what you typed")).crawl)
        return cls(folder, settings, asker_named(checked_text(user, "user"), folder))

    def as_of(self, run: str) -> Self:
        """The project as it answers for a run by its name, or for the collection as it was on a date (as 2026-11-16)."""
        run_folders.named(self.folder / "runs", checked_text(run, "run"))
        chosen = copy(self)
        chosen._chosen = run
        return chosen

    def subcorpus(self, scope: str | Scope) -> Self:
        """The project as it answers about some documents alone: every count, table, search and export is of these.

        `scope` is the name of a saved subcorpus, conditions ("language=es site=example.org since=2025"), or a `Scope`; with
        "as-of=2026-05" among them the results of a run, a snapshot or a date answer, as with `as_of`.
        """
        from trasmallo.project.scopes import checked_scope, read_scope

        wanted = checked_scope(scope) if isinstance(scope, Scope) else read_scope(checked_text(scope, "scope"), self.folder)
        chosen = self.as_of(wanted.as_of) if wanted.as_of else copy(self)
        chosen._subcorpora = self._subcorpora.within(msgspec.structs.replace(wanted, as_of=""))
        return chosen

    def subcorpora(self) -> dict[str, Scope]:
        """The subcorpora that were saved, by their names."""
        return saved_scopes(self.folder)

    @works
    def save_subcorpus(self, name: str, scope: str | Scope) -> Scope:
        """Save a subcorpus under a name, in the place of one that had it; see `subcorpus` for `scope`."""
        from trasmallo.project.scopes import checked_name

        wanted = self.subcorpus(scope).scope
        save_scopes(self.folder, saved_scopes(self.folder) | {checked_name(checked_text(name, "name")): wanted})
        return wanted

    @works
    def remove_subcorpus(self, name: str) -> Scope:
        """Forget a saved subcorpus, and tell what it was; its documents stay."""
        found = find_scope(self.folder, checked_text(name, "name"))
        save_scopes(self.folder, {known: scope for known, scope in saved_scopes(self.folder).items() if known != name})
        return found

    @property
    def scope(self) -> Scope:
        """What is asked about, and as of when; an empty one is everything as it is now."""
        return msgspec.structs.replace(self._subcorpora.scope, as_of=self._chosen)

    @property
    def store(self) -> Path:
        """Where raw pages and their rows are kept, over all runs."""
        return self.home / "store"

    @property
    def runs(self) -> Path:
        """Where the runs' folders are."""
        return self.home / "runs"

    @property
    def home(self) -> Path:
        """The folder that answers are read from: the project's own, or one with what the asker may read and asks about."""
        return self._subcorpora.home()

    @property
    def is_ready(self) -> bool:
        """Whether what is asked about can be asked at once: a new scope has to be made first, which takes a while."""
        return self._subcorpora.is_ready(self._chosen)

    @property
    def asker(self) -> Asker:
        """Who asks."""
        return self._subcorpora.asker

    def whole(self) -> Self:
        """The project as who works on it has it: with all documents, for its owner and the superuser.

        Raises UsageError for others who may not read some of it.
        """
        if not self.restricted and not self._subcorpora.scope:
            return self
        if self.restricted and (self.asker.uid != os.geteuid() or self.asker.uid != owner_of(self.folder)):
            problem, repair = "only its owner may change {folder}, or who may read all of it", "ask them to"
            raise UsageError(problem, repair, folder=self.folder)
        found = copy(self)
        found._subcorpora = self._subcorpora.without_limits()
        return found

    @property
    def restricted(self) -> bool:
        """Whether the project has documents that the asker may not read."""
        return self._subcorpora.restricts

    def run_named(self, name: str = "") -> Run:
        """The results of a run or snapshot by its name, of a date, or of the collection; as far as the asker may read them."""
        return self._subcorpora.results(name or self._chosen)
