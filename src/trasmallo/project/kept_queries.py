"""Corpus queries that a project keeps: saved by name to be asked again, and the history of those that were asked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from trasmallo.project.entities import EntityQueries
from trasmallo.project.options import checked
from trasmallo.project.working import works
from trasmallo.store import kept_queries
from trasmallo.store.kept_queries import KeptQuery
from trasmallo.values.arguments import checked_text
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    from trasmallo.results.concordance.concordance import ConcordancePage, Options

_PAGED = ("limit", "offset")
"""Options of a page, which are no part of a query."""


class KeptQueries(EntityQueries):
    """The verbs of a project for queries that are asked again and again."""

    def saved_queries(self) -> list[KeptQuery]:
        """The saved queries by their names; none for who may not read all of the project."""
        return [] if self.restricted else kept_queries.saved_queries(self.folder)

    def query_history(self) -> list[KeptQuery]:
        """What the app and the command line asked, the latest first; none for who may not read all of the project."""
        return [] if self.restricted else kept_queries.query_history(self.folder)

    def save_query(self, name: str, query: str, **options: object) -> KeptQuery:
        """Save a corpus query under a name, with its scope and keywords of `kwic`; one that had the name makes way."""
        from trasmallo.results.concordance.concordance import Options, read_query

        if strange := options.keys() - set(Options.__struct_fields__):
            problem, repair = "`{name}` is no choice of hits", "use keywords of kwic: {known}"
            raise UsageError(problem, repair, name=min(strange)[:80], known=", ".join(Options.__struct_fields__))
        read_query(checked_text(query, "query"), self.config.language)
        kept = self._kept(query, checked(Options, **options))
        kept = msgspec.structs.replace(kept, name=checked_text(name, "name"))
        self._change_saved(kept)
        return kept

    @works
    def remove_query(self, name: str) -> KeptQuery:
        """Forget a saved query, and tell what it was."""
        return kept_queries.remove_query(self.folder, checked_text(name, "name"))

    def saved_query(self, name: str) -> KeptQuery:
        """The saved query of a name; raises NotFound that names the nearest."""
        self.whole()
        return kept_queries.find_query(self.folder, checked_text(name, "name"))

    def ask_saved(self, name: str, *, limit: int = 20, offset: int = 0) -> ConcordancePage:
        """Ask a saved query again, in its own scope unless the project is asked in one."""
        from trasmallo.results.concordance.concordance import Options

        kept = self.saved_query(name)
        asked = self.subcorpus(kept.scope) if kept.scope and not self.scope else self
        with asked.concordance() as concordance:
            return concordance.find(kept.query, checked(Options, **kept.options, limit=limit, offset=offset))

    def remember_query(self, query: str, options: Options, hits: int | None = None) -> None:
        """Add a query to the history, as the app and the command line do with those they are asked."""
        self._change_history(msgspec.structs.replace(self._kept(query, options), hits=hits))

    @works
    def forget_history(self) -> int:
        """Forget what was asked; how many queries that were."""
        return kept_queries.forget_history(self.folder)

    @works
    def _change_saved(self, kept: KeptQuery) -> None:
        kept_queries.save_query(self.folder, kept)

    @works
    def _change_history(self, kept: KeptQuery) -> None:
        kept_queries.remember_query(self.folder, kept)

    def _kept(self, query: str, options: Options) -> KeptQuery:
        from trasmallo.project.scopes import scope_text
        from trasmallo.results.concordance.concordance import Options

        usual = Options()
        chosen = {name: getattr(options, name) for name in Options.__struct_fields__ if name not in _PAGED}
        chosen = {name: value for name, value in chosen.items() if value != getattr(usual, name)}
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        return KeptQuery(query=query, options=chosen, scope=scope_text(self.scope), when=when)
