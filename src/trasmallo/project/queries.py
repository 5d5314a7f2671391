"""What a project answers about its runs: the verbs that read results and change nothing but verdicts on words."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import msgspec

from trasmallo import config
from trasmallo.config import Config, StudyConfig
from trasmallo.events import Bus, log_events
from trasmallo.project.lock import holder
from trasmallo.store import run_folders
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import UsageError
from trasmallo.values.messages import Message

_logger = logging.getLogger("trasmallo")
_logger.addHandler(logging.NullHandler())  # programs that use us decide what becomes of our lines


class Answers:
    """A folder with a project file, a store and runs, as those see it who ask; `Project` is who works on it."""

    def __init__(self, folder: Path, settings: Config) -> None:
        self.folder = folder
        self.config = settings
        self.bus = Bus()
        self.bus.listen(log_events(_logger))

    @classmethod
    def open(cls, folder: str | Path, **crawl: Any) -> Self:
        """Open a project; keywords are keys of [crawl] that win over the file."""
        folder = Path(folder)
        settings = config.load(folder / config.FILE_NAME)
        if crawl:
            merged = msgspec.to_builtins(settings.crawl) | crawl
            settings = msgspec.structs.replace(settings, crawl=config.build({"crawl": merged}, Message("what you typed")).crawl)
        return cls(folder, settings)

    @property
    def store(self) -> Path:
        """Where raw pages and their rows are kept, over all runs."""
        return self.folder / "store"

    @property
    def runs(self) -> Path:
        """Where the runs' folders are."""
        return self.folder / "runs"

    def incidents(self) -> Iterator[Any]:
        """What was refused, failed or dropped in the latest run, and why."""
        from trasmallo.results.summary import incidents

        return incidents(run_folders.latest(self.runs), self.store)

    @contextmanager
    def tables(self, run: str = "", **study: Any) -> Iterator[Any]:
        """The result tables of a run, the latest unless named.

        Keywords are keys of [study] that win over the file: tables of the tokens of all documents are then made anew.
        """
        from trasmallo.results.tables import Tables

        with Tables(self._run_named(run), self._studied(study), anew=bool(study)) as tables:
            yield tables

    def table(self, name: str, *, study: Mapping[str, Any] | None = None, **question: Any) -> list[dict[str, Any]]:
        """The rows of a result table as dictionaries; see `tables.Question` for the keywords, `tables` for `study`."""
        from trasmallo.results.tables import Question

        with self.tables(**(study or {})) as tables:
            answer = tables.ask(name, msgspec.convert(question, Question))
            return [dict(zip(answer.columns, row, strict=True)) for row in answer]

    @contextmanager
    def documents(self, run: str = "") -> Iterator[Any]:
        """The documents of a run seen one by one (`results.document.DocumentRoom`), of the latest unless named."""
        from trasmallo.results.document import DocumentRoom

        with self.tables(run) as tables:
            yield DocumentRoom(self._run_named(run), tables, self.store)

    def frequent_words(self, number: int, field: str = "text") -> list[str]:
        """The most frequent words of the latest run's texts, titles or anchors, in alphabetical order."""
        from trasmallo.results.frequent_words import most_frequent

        with self.tables() as tables:
            return sorted(most_frequent(tables, number, field).words)

    def verdicts(self) -> list[Any]:
        """What was decided about words that nobody lists, over all runs (`verdicts.Verdict`); the latest come last."""
        from trasmallo.study.verdicts import load

        return list(load(self.folder).values())

    def judge(self, words: Iterable[str], verdict: str, *, note: str = "") -> list[Any]:
        """Say of words that they are accepted, rejected, typo, name, foreign or later; "" takes back what was said."""
        from trasmallo.study.verdicts import judge

        return judge(self.folder, words, verdict, note)

    def import_verdicts(self, path: str | Path, verdict: str = "") -> int:
        """Take over the verdicts of a file, or give this one on its words that have none; returns how many there are."""
        from trasmallo.study.verdicts import change, read

        found = read(Path(path), verdict)
        change(self.folder, found)
        return len(found)

    def laws(self, *, language: str = "", site: str = "") -> Any:
        """The laws of the latest run's words (`study.laws.Laws`), or of those in a language or of a site."""
        from trasmallo.results.laws import compute

        with self.tables() as tables:
            return compute(tables, language=language, site=site)

    def keywords(self, reference: str, **options: Any) -> list[Any]:
        """The words of the latest run that differ most from a reference; see `results.keyness.find_keywords`."""
        from trasmallo.results.keyness import find_keywords

        with self.tables() as tables:
            return find_keywords(tables, reference, **options)

    def rank(self, **question: Any) -> Any:
        """The documents of the latest run that rank first by their links; see `results.links.question.RankQuestion`."""
        from trasmallo.results.links.question import RankQuestion, rank

        asked, run = msgspec.convert(question, RankQuestion), run_folders.latest(self.runs)
        with self.tables(run.name) as tables:
            return rank(tables, run, asked)

    def compare(self, other: str | Path = "", *, run: str = "", other_run: str = "", **options: Any) -> Any:
        """A run beside another one (`results.comparison.Comparison`), of this project or of the one in folder `other`.

        Runs are the latest unless named. Keywords: `by` word, lemma or category, and the `number` of words of each kind.
        """
        from trasmallo.results.comparison import compare

        second = type(self).open(other) if other else self
        with self.tables(run) as tables, second.tables(other_run) as others:
            return compare(tables, others, **options)

    @contextmanager
    def concordance(self, run: str = "") -> Iterator[Any]:
        """The tokens of a run, the latest unless named, held open to be asked several times; see `results.concordance`."""
        from trasmallo.results.concordance.concordance import Concordance

        with Concordance(self._run_named(run), self.config.language) as concordance:
            yield concordance

    def kwic(self, query: str, **options: Any) -> Any:
        """Hits of a word, a phrase or a corpus query with their surroundings; see `results.concordance.concordance.Options`."""
        from trasmallo.results.concordance.concordance import Options

        with self.concordance() as concordance:
            return concordance.find(query, msgspec.convert(options, Options))

    def find(self, query: str, *, limit: int = 10, offset: int = 0, facets: Sequence[str] = (), **reader: Any) -> Any:
        """Search the latest run (`results.search.Results`); see `results.search.Reader` for the keywords."""
        from trasmallo.results.search.finder import Reader
        from trasmallo.store.index.searcher import Wanted

        wanted = Wanted(limit, offset, tuple(facets))
        return self.finder().find(query, wanted, msgspec.convert(reader, Reader))

    def find_every(self, query: str, **reader: Any) -> Iterator[Any]:
        """All hits of a query in the latest run, streamed; see `results.search.Reader` for the keywords."""
        from trasmallo.results.search.finder import Reader

        yield from self.finder().every(query, msgspec.convert(reader, Reader))

    def cached(self, page: str, **reader: Any) -> Any:
        """What is stored of a document, by its address or id (`store.index.entries.Stored`), if the reader may see it."""
        from trasmallo.results.search.finder import Reader
        from trasmallo.store.parts import document_id

        document = document_id(page) if "://" in page else page
        return self.finder().cached(document, msgspec.convert(reader, Reader))

    def cached_page(self, page: str, **reader: Any) -> bytes:
        """The page itself as it was stored, decompressed, under the same conditions as `cached`."""
        from trasmallo.results.search.finder import read_stored

        return read_stored(self.store, self.cached(page, **reader).url)

    def estimate(self, query: str) -> Any:
        """How many documents of the latest run have all words of a query, counted and estimated (`results.estimates`)."""
        from trasmallo.results.estimates import estimate

        return estimate(self.finder().searcher(), query)

    def finder(self, run: str = "") -> Any:
        """Somebody who answers many questions about a run (`results.search.Finder`), the latest unless named."""
        from trasmallo.results.search.finder import Finder

        named = self._run_named(run)
        study, language = self.config.study, self.config.language
        return Finder(named, study, language, self.bus.emit, is_idle=lambda: not holder(self.folder))

    def export(self, kind: str, path: str | Path, **wanted: Any) -> int:
        """Write results of the latest run in a format that others read; returns the number of rows, documents or answers.

        See `exports.header.Wanted` for the keywords: table, where, columns, sort.
        """
        from trasmallo.plugins import load
        from trasmallo.results.exports.header import Wanted

        write = load("trasmallo.exporters", kind)
        path = Path(path)
        if not path.parent.is_dir():
            raise UsageError("there is no folder {parent}", "make it, or choose another place", parent=path.parent)
        return int(write(self, path, msgspec.convert(wanted, Wanted)))

    def _studied(self, keys: Mapping[str, Any]) -> StudyConfig:
        merged = msgspec.to_builtins(self.config.study) | keys
        return config.build({"study": merged}, Message("what you typed")).study if keys else self.config.study

    def _run_named(self, name: str) -> Run:
        return run_folders.named(self.runs, name)
