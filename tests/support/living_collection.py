"""A collection of small documents that change, made without a crawl: each run adds to the one before, as revisits do."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import msgspec

from trasmallo.config import Config
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.pipeline.collection_state import carry
from trasmallo.pipeline.completion import complete, remove_parts
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.rows import CopyRow, EntryRow, FieldRow, GoneRow, LanguageRow, LinkRow, PageRow, TextRow, UnknownRow
from trasmallo.store.carried import COPIES, ENTRIES, GONE
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import Builder
from trasmallo.study.sentences import cut

_WORDS = ["la", "red", "de", "pesca", "el", "mar", "azul", "barco", "un", "puerto", "viejo", "sardinas", "Juan", "12"]
_WORDS += ["guasapeo", "y", "los", "peces", "nadan"]
_SITES = 5


def sentence(draw: random.Random, words: int = 12) -> str:
    """Some words of few, so that sequences come again."""
    return " ".join(draw.choice(_WORDS) for _ in range(words)) + "."


class LivingCollection:
    """Documents by address, each with its text and the time it was obtained; some are copies of others, or gone.

    `told` are entries of a feed: addresses and authors.
    """

    def __init__(self, folder: Path, config: Config) -> None:
        self.folder = folder
        self.texts: dict[str, str] = {}
        self.times: dict[str, float] = {}
        self.copies: dict[str, str] = {}
        self.gone: set[str] = set()
        self.told: dict[str, str] = {}
        self._config = config
        self._written: set[str] = set()
        self._before: set[str] = set()
        self._now = 1_700_000_000.0

    def write(self, url: str, text: str) -> None:
        """A document is new, or has another text."""
        self._now += 3_600
        self.texts[url], self.times[url] = text, self._now
        self._written.add(url)
        self.gone.discard(url)

    def add(self) -> Run:
        """A run that adds what was written since the last to it."""
        run = start_run(self.folder / "runs", self._config, "revisit", "trasmallo/0")
        carry(run)
        # What was a copy has no tokens in the results before.
        self._end(run, self._written | (self._before - self.copies.keys() - self.gone))
        self._written, self._before = set(), set(self.copies)
        return run

    def make_new(self, folder: Path) -> Run:
        """A run of its own with all that is there."""
        run = start_run(folder / "runs", self._config, "crawl", "trasmallo/0")
        self._end(run, self.texts.keys() - self.gone)
        return run

    def _end(self, run: Run, read: Collection[str]) -> None:
        builder = Builder()
        for url in sorted(read):
            builder.add(document_tokens(document_id(url), *cut(self.texts[url], "es")))
        write_part(run.parts, "00000001", self._rows(sorted(read)), builder)
        self._list(run, COPIES, self._copies())
        self._list(run, GONE, (GoneRow(document_id(url), url, self.times[url], 1.0) for url in sorted(self.gone)))
        self._list(run, ENTRIES, self._entries())
        complete(run, self._config, lambda _event: None, finished=True, copies_known=True)
        run.manifest.completed = True
        run.mark("finished")
        remove_parts(run)

    def _list(self, run: Run, name: str, rows: Iterable[msgspec.Struct]) -> None:
        (run.folder / name).write_bytes(msgspec.json.Encoder().encode_lines(list(rows)))

    def _copies(self) -> Iterable[CopyRow]:
        for url, original in sorted(self.copies.items()):
            yield CopyRow(document_id(url), url, document_id(original), original, 1.0)

    def _entries(self) -> Iterable[EntryRow]:
        for url, author in sorted(self.told.items()):
            yield EntryRow("t", url, "http://feed.es/", author, 1_700_000_000.0, None, f"id of {url}", 1.0, document_id(url))

    def _rows(self, urls: list[str]) -> Mapping[str, list[msgspec.Struct]]:
        tables: dict[str, list[msgspec.Struct]] = {
            name: [] for name in ("pages", "texts", "links", "unknown", "fields", "languages")
        }
        for url in urls:
            text, document = self.texts[url], document_id(url)
            words = text.removesuffix(".").split()
            at, host = self.times[url], url.split("/")[2]
            tables["pages"].append(
                PageRow(document, url, host, at, text[:9], "es", "utf-8", "text/html", len(text), text[:20], len(words))
            )
            tables["texts"].append(TextRow(document, text, "00"))
            tables["links"].append(LinkRow(document, f"http://s0.es/{len(words) % 7}", words[0], "", "s0.es"))
            tables["fields"].append(FieldRow(document, "title", text[:9]))
            tables["languages"].append(LanguageRow(document, "es", 1, len(words), len(text)))
            starts = [place for place, word in enumerate(words) if word == "guasapeo"]
            tables["unknown"] += [UnknownRow(document, "guasapeo", "candidate", "", start, "c", "es", "g") for start in starts]
        return tables


def make_collection(folder: Path, config: Config, documents: int, draw: random.Random) -> LivingCollection:
    """So many documents of some sites, some of them copies."""
    collection = LivingCollection(folder, config)
    for number in range(documents):
        collection.write(f"http://s{number % _SITES}.es/{number}", " ".join(sentence(draw) for _ in range(4)))
    for number in (20, 25):
        copy, original = f"http://s{number % _SITES}.es/{number}", "http://s0.es/5"
        collection.texts[copy] = collection.texts[original]
        collection.copies[copy] = original
    return collection
