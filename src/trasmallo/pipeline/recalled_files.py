"""What the catalog knows of folders and mailboxes, for a pass whose own memory of them was lost.

Nothing of the files themselves is known, so each is compared by what it holds; one that is no longer there is missed, though.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trasmallo.crawl.files.manifest import Held, RootManifest
from trasmallo.crawl.files.walker import FileState, WalkedFile
from trasmallo.store.catalog import Catalog
from trasmallo.values.local_addresses import PLACES, file_address, place_of
from trasmallo.values.model import Fetch, Locator

_ANOTHER = -1  # the size of no file, so that whatever is there is read


def recalled_roots(catalog: Catalog, seeds: Sequence[str]) -> dict[str, RootManifest]:
    """The roots of these seeds with the files whose documents are there, and what each held when it was last read."""
    files: dict[str, dict[str, WalkedFile]] = {seed: {} for seed in seeds}
    held: dict[str, dict[str, list[Held]]] = {seed: {} for seed in seeds}
    for row in _rows(catalog):
        if row.origin.seed not in files:
            continue
        address = _file_of(row, catalog)
        path = place_of(address).path
        files[row.origin.seed][path] = WalkedFile(path, _ANOTHER, 0, 0, 0, FileState.DOCUMENT)
        if row.url != file_address(path):
            place = row.locator or Locator("", 0, 0)
            held[row.origin.seed].setdefault(path, []).append(Held(row.url, row.digest, place.offset, place.length))
    return {seed: RootManifest(files[seed], {path: tuple(some) for path, some in held[seed].items()}) for seed in files}


def recalled_letters(catalog: Catalog, account: str, seed: str) -> list[str]:
    """The addresses of letters of an account that a pass from a seed kept and that are there, with what is attached to them."""
    rows = (catalog.latest(url) for url in catalog.urls(f"{account}/"))
    return [row.url for row in rows if row is not None and row.outcome.obtained and row.origin.seed == seed]


def _rows(catalog: Catalog) -> Iterator[Fetch]:
    for scheme in PLACES:
        for url in catalog.urls(f"{scheme}://"):
            row = catalog.latest(url)
            if row is not None and row.outcome.obtained:
                yield row


def _file_of(row: Fetch, catalog: Catalog) -> str:
    """The address of the file that a document lies in. Of a message that the archive has a copy of, only its way tells."""
    if row.location:
        return row.location
    place = place_of(row.url)
    if not place.message:
        return row.url
    letter = catalog.latest(row.url.partition("/;part=")[0]) if place.part else row
    return (letter or row).origin.via
