"""A pass over folders without a whole run: an archive, a catalog and a keeper, as a run has them."""

from __future__ import annotations

from pathlib import Path

from trasmallo import config
from trasmallo.config import Config
from trasmallo.events import Event
from trasmallo.pipeline.keeper import Keeper
from trasmallo.pipeline.local_sources import LocalPass, PassResult
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Fetch


class LocalProject:
    """A project in `folder` that starts from some places."""

    def __init__(self, folder: Path, *seeds: str, copy: bool = False, **crawl: object) -> None:
        self.folder = folder
        self.events: list[Event] = []
        values = {"crawl": {"seeds": list(seeds), **crawl}, "store": {"copy": copy}}
        self.config: Config = config.build(values)

    def take(self, run: str = "run") -> PassResult:
        """One pass."""
        store = self.folder / "store"
        with Archive(store / "archive", software="test") as archive, Catalog(store / "catalog") as catalog:
            keeper = Keeper(archive, catalog, run, lambda _fetch: None)
            return LocalPass(
                folder=self.folder, config=self.config, keeper=keeper, catalog=catalog, emit=self.events.append
            ).take()

    def rows(self) -> list[Fetch]:
        """All rows, in order of arrival."""
        with Catalog(self.folder / "store" / "catalog", read_only=True) as catalog:
            return list(catalog.every())

    def state(self) -> dict[str, Fetch]:
        """The newest row of each address."""
        return {row.url: row for row in sorted(self.rows(), key=lambda row: row.at)}

    def there(self) -> dict[str, str]:
        """The digest of each document that is there."""
        return {url: row.digest for url, row in self.state().items() if row.outcome.obtained}
