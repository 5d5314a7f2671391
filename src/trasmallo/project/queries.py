"""Queries of a project: the verbs that read the results of its runs and change nothing but verdicts on words."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self, Unpack

import msgspec

from trasmallo import config
from trasmallo.config import Config, StudyConfig
from trasmallo.project.lock import holder
from trasmallo.project.opened_project import OpenedProject
from trasmallo.project.options import StudyOptions, checked
from trasmallo.project.table import TableRows
from trasmallo.store import run_folders
from trasmallo.store.run_folders import Run
from trasmallo.values.arguments import checked_path, checked_text
from trasmallo.values.errors import UsageError
from trasmallo.values.messages import Message
from trasmallo.values.urls import canonical

if TYPE_CHECKING:
    from trasmallo.results.comparison import Comparison
    from trasmallo.results.concordance.concordance import Concordance, ConcordancePage
    from trasmallo.results.database.tables import Tables
    from trasmallo.results.document import DocumentRoom
    from trasmallo.results.estimates import Estimate
    from trasmallo.results.incidents import Incident, IncidentReport
    from trasmallo.results.keyness import By
    from trasmallo.results.links.question import RankedDocuments
    from trasmallo.results.search.finder import Finder, Hit, Reader, Results
    from trasmallo.results.sketches import Sketch
    from trasmallo.store.index.entries import Stored
    from trasmallo.study.laws import Laws
    from trasmallo.study.measures.keyness import Key, KeynessLimits, Measure
    from trasmallo.study.query.hits import Keep
    from trasmallo.study.trends import Period, Trend, Unit

ALL_DOCUMENTS = "*"
"""What is told in the place of a scope for all documents."""

_logger = logging.getLogger("trasmallo")
_logger.addHandler(logging.NullHandler())  # programs that use us decide what becomes of our lines


class Queries(OpenedProject):
    """Reading half of a project; `Project` adds the verbs that work on it."""

    def incidents(self) -> Iterator[Incident]:
        """What was refused, failed or dropped in the latest run, and why."""
        from trasmallo.results.incidents import incidents

        return incidents(self._told_of(), self.store, self.config.crawl)

    def incident_report(self) -> IncidentReport:
        """How many addresses of the latest run were asked, obtained and not obtained, by cause."""
        from trasmallo.results.incidents import report

        working = bool(holder(self.home))
        return report(self._told_of(), self.store, self.config.crawl, working=working)

    def _told_of(self) -> Run:
        """The run whose state and counts are told: the latest, or an older one that goes on now."""
        return run_folders.told_of(self.runs, working=bool(holder(self.home)))

    @contextmanager
    def tables(self, run: str = "", *, address: str = "", **study: Unpack[StudyOptions]) -> Iterator[Tables]:
        """The result tables of a run, the latest unless named; with `address` those of what this start address led to.

        Keywords are keys of [study] that win over the file: tables of the tokens of all documents are then made anew.
        """
        from trasmallo.results.database.tables import Tables

        chosen = self._run_of_address(run, address) if address else self.run_named(run)
        with Tables(chosen, self._studied(study), anew=bool(study)) as tables:
            yield tables

    def table(
        self,
        name: str,
        *,
        where: Sequence[str] = (),
        sort: str = "",
        limit: int = 0,
        offset: int = 0,
        columns: Sequence[str] = (),
        study: StudyOptions | None = None,
        run: str = "",
        address: str = "",
    ) -> TableRows:
        """The rows of a result table as dictionaries; see `tables` for `study`, `run` and `address`.

        `where` are conditions ("words>100"), `sort` is a column ("-words" downwards), a `limit` of 0 is none.
        """
        from trasmallo.results.database.planner import Question

        question = checked(Question, where=where, sort=sort, limit=limit, offset=offset, columns=columns)
        with self.tables(run, address=address, **(study or {})) as tables:
            answer = tables.ask(checked_text(name, "name"), question)
            return TableRows(answer.columns, answer)

    @contextmanager
    def documents(self, run: str = "") -> Iterator[DocumentRoom]:
        """The documents of a run seen one by one, of the latest unless named."""
        from trasmallo.results.document import DocumentRoom

        with self.tables(run) as tables:
            yield DocumentRoom(self.run_named(run), tables, self.store, self.config.study.readings)

    def frequent_words(self, number: int, field: str = "text") -> list[str]:
        """The most frequent words of the latest run's texts, titles or anchors, in alphabetical order."""
        from trasmallo.results.frequent_words import most_frequent

        with self.tables() as tables:
            return sorted(most_frequent(tables, number, field).words)

    def laws(self, *, language: str = "", site: str = "") -> Laws:
        """The laws of the latest run's words, or of those in a language or of a site."""
        from trasmallo.results.laws import compute

        with self.tables() as tables:
            return compute(tables, language=language, site=site)

    def sketch(
        self,
        word: str,
        other: str = "",
        *,
        category: str = "",
        language: str = "",
        least: int = 1,
        number: int = 15,
        near: int = 15,
    ) -> Sketch:
        """What a lemma of the latest run governs and is governed by, relation by relation, and its nearest words.

        With `other` two lemmas side by side. `category` and `language` are the usual ones of the word unless told; of each
        relation `number` partners are told (0: all), of pairs that occur `least` times.
        """
        from trasmallo.results.sketches import SketchQuestion, find_sketch

        asked = {"word": word, "other": other, "category": category, "language": language}
        question = checked(SketchQuestion, **asked, least=least, number=number, near=near)
        with self.tables() as tables:
            return find_sketch(tables, question)

    def trend(self, name: str, *, unit: Unit = "word", by: Period = "month", language: str = "") -> Trend:
        """How often a word or lemma of the latest run occurs in each month or week, and whether it rises or falls.

        `language` is that of most of its occurrences unless told. Dates are those of the table `dates`.
        """
        from trasmallo.results.trends import TrendQuestion, find_trend

        question = checked(TrendQuestion, name=name, unit=unit, by=by, language=language)
        with self.tables() as tables:
            return find_trend(tables, question)

    def keywords(
        self,
        reference: str,
        *,
        by: By = "word",
        measure: Measure = "log_likelihood",
        limits: KeynessLimits | None = None,
        number: int = 100,
    ) -> list[Key]:
        """The words, lemmas or categories of the latest run that differ most from a reference.

        That is another project's folder, a file of counts, or the frequencies of a language in general: `general:es` and
        `general:en` come with trasmallo, `wordfreq:CODE` with that package.
        """
        from trasmallo.results.keyness import find_keywords

        with self.tables() as tables:
            return find_keywords(
                tables, reference, by=by, measure=measure, limits=limits, number=number, results_in=self._results_in
            )

    def _results_in(self, folder: Path) -> Run:
        """The results of another project, as far as who asks may read them."""
        return type(self).open(folder, user=str(self.asker.uid)).run_named()

    def rank(
        self,
        *,
        hits: bool = False,
        topic: str = "",
        surprise: float = 0.15,
        foreign: bool = False,
        without: Sequence[str] = (),
        limit: int = 20,
    ) -> RankedDocuments:
        """The documents of the latest run that rank first by their links; `RankQuestion` says what the keywords mean."""
        from trasmallo.results.links.question import RankQuestion, rank

        run = self.run_named("")
        question = checked(
            RankQuestion, hits=hits, topic=topic, surprise=surprise, foreign=foreign, without=without, limit=limit
        )
        with self.tables(run.name) as tables:
            return rank(tables, run, question)

    def compare(
        self,
        other: str | Path = "",
        *,
        run: str = "",
        other_run: str = "",
        other_scope: str = "",
        by: By = "word",
        measure: Measure = "log_likelihood",
        least: int = 3,
        number: int = 50,
    ) -> Comparison:
        """A run beside another one, of this project or of the one in folder `other`, or beside a reference (see `keywords`).

        The run is the latest unless named, the other one the run before it, or the latest of another project. It answers about
        the documents of `other_scope` ("*" is all of them; unless told those of this project's scope, or all of another
        project); in another scope the run is compared with itself. Words of at least `least` occurrences are compared, and
        `number` of each kind told. Raises UsageError when there is none before it, and when both are the same.
        """
        from trasmallo.results.comparison import CompareOptions, compare
        from trasmallo.results.keyness import is_general, is_reference, read_reference

        reference = str(other) if is_general(str(other)) else ""
        options = checked(CompareOptions, by=by, measure=measure, least=least, number=number, reference=reference)
        ours = self.run_named(run)
        if is_reference(str(other)):
            with self.tables(ours.name) as tables:
                found = compare(tables, read_reference(str(other), by), options)
            return msgspec.structs.replace(found, run=ours.name, other_run=str(other), scope=self._scope_text())
        second = self._beside(other, other_scope)
        same_run = bool(other_scope) and second.folder.samefile(self.folder)
        theirs = self._run_beside(ours, second, other_run or (ours.name if same_run else ""))
        with self.tables(ours.name) as tables, second.tables(theirs.name) as others:
            found = compare(tables, others, options)
        told = {"scope": self._scope_text(), "other_scope": second._scope_text()}
        return msgspec.structs.replace(found, run=ours.name, other_run=theirs.name, **told)

    def _scope_text(self) -> str:
        from trasmallo.project.scopes import scope_text

        return scope_text(self.scope)

    def _beside(self, other: str | Path, scope: str) -> Self:
        """What is compared with: another project or this one, in a scope of its own."""
        second = type(self).open(other, user=str(self.asker.uid)) if other else self
        if not scope:
            return second
        return second.subcorpus("" if scope == ALL_DOCUMENTS else scope)

    def _run_beside(self, ours: Run, second: Self, name: str) -> Run:
        """The run that is compared with one of ours: that of a name, else the one before it or another project's latest."""
        from trasmallo.results.comparison import run_beside

        theirs = second.run_named(name) if name else run_beside(ours, run_folders.with_results(second.runs))
        if theirs.folder.samefile(ours.folder):
            how = "name another run with --with-run, another project with --with, or other documents with --with-scope"
            raise UsageError("{name} would be compared with itself", how, name=ours.name)
        return theirs

    @contextmanager
    def concordance(self, run: str = "") -> Iterator[Concordance]:
        """The tokens of a run, the latest unless named, held open to be asked several times."""
        with self.concordance_of(self.run_named(run)) as concordance:
            yield concordance

    def concordance_of(self, results: Run) -> Concordance:
        """The tokens of results that `run_named` gave, to be closed."""
        from trasmallo.results.concordance.concordance import Concordance

        return Concordance(results, self.config.language)

    def kwic(
        self,
        query: str,
        *,
        where: Sequence[str] = (),
        keep: Keep = "all",
        sample: int = 0,
        seed: int = 1,
        limit: int = 20,
        offset: int = 0,
        context: str = "8",
        sort: str = "",
        reverse: bool = False,
        since: str = "",
        until: str = "",
        per_document: int = 0,
        in_group: str = "",
        not_in: Sequence[str] = (),
    ) -> ConcordancePage:
        """Hits of a word, a phrase or a corpus query with their surroundings; `Options` says what the keywords mean."""
        from trasmallo.results.concordance.concordance import Options

        options = checked(
            Options,
            where=where,
            keep=keep,
            sample=sample,
            seed=seed,
            limit=limit,
            offset=offset,
            context=context,
            sort=sort,
            reverse=reverse,
            since=since,
            until=until,
            per_document=per_document,
            in_group=in_group,
            not_in=not_in,
        )
        with self.concordance() as concordance:
            return concordance.find(checked_text(query, "query"), options)

    def find(
        self,
        query: str,
        *,
        limit: int = 10,
        offset: int = 0,
        facets: Sequence[str] = (),
        groups: Sequence[str] | None = (),
        all_words: bool = False,
        copies: bool = False,
        language: str = "",
    ) -> Results:
        """Search the latest run, the best hits first; `Reader` says what the last four keywords mean."""
        from trasmallo.store.index.searcher import HitRequest

        wanted = checked(HitRequest, limit=limit, offset=offset, facets=facets)
        reader = _reader(groups, all_words=all_words, copies=copies, language=language)
        return self.finder().find(checked_text(query, "query"), wanted, reader)

    def find_every(
        self,
        query: str,
        *,
        groups: Sequence[str] | None = (),
        all_words: bool = False,
        copies: bool = False,
        language: str = "",
    ) -> Iterator[Hit]:
        """All hits of a query in the latest run, streamed; the keywords are those of `find`."""
        reader = _reader(groups, all_words=all_words, copies=copies, language=language)
        return self.finder().every(checked_text(query, "query"), reader)

    def cached(self, page: str, *, groups: Sequence[str] | None = ()) -> Stored:
        """What is stored of a document, by its address or id, if somebody of these groups may see it (None: everybody)."""
        from trasmallo.store.parts import document_id

        document = document_id(page) if "://" in checked_text(page, "page") else page
        return self.finder().cached(document, _reader(groups))

    def cached_page(self, page: str, *, groups: Sequence[str] | None = ()) -> bytes:
        """The page itself as it was stored, decompressed, under the same conditions as `cached`."""
        from trasmallo.results.search.finder import read_stored

        return read_stored(self.store, self.cached(page, groups=groups).url)

    def estimate(
        self,
        query: str,
        *,
        share: float = 0.2,
        pair: Sequence[str] = (),
        groups: Sequence[str] | None = (),
        copies: bool = False,
        language: str = "",
    ) -> Estimate:
        """How many documents of the latest run have all words of a query, counted as `find` does and estimated.

        `share` of the rarest word's documents is looked at for C/s; two words in `pair` tell the collection's size, all pairs
        of many words when there is none. The other keywords are those of `find`.
        """
        from trasmallo.results.estimates import EstimateOptions

        options = checked(EstimateOptions, share=share, pair=pair)
        reader = _reader(groups, copies=copies, language=language)
        return self.finder().estimate(checked_text(query, "query"), reader, options)

    def finder(self, run: str = "", *, later: bool = False) -> Finder:
        """Searcher of a run that answers many questions, of the latest unless named.

        With `later` a run that goes on is followed by a thread beside the questions, which are answered from what is there.
        """
        return self.finder_of(self.run_named(run), later=later)

    def finder_of(self, results: Run, *, later: bool = False) -> Finder:
        """The searcher of results that `run_named` gave."""
        from trasmallo.results.search.finder import Finder

        early = _early_entries(self.home, self.config)
        study, language = self.config.study, self.config.language
        return Finder(results, study, language, self.bus.emit, is_idle=lambda: not holder(self.home), later=later, early=early)

    def export(
        self,
        kind: str,
        path: str | Path,
        *,
        table: str = "",
        where: Sequence[str] = (),
        columns: Sequence[str] = (),
        sort: str = "",
        raw: bool = False,
        bom: bool = False,
    ) -> int:
        """Write results of the latest run in a format that others read; returns the number of rows, documents or answers.

        `table` is "" where the format chooses; the next three keywords are those of `table`. Cells of CSV and TSV that
        spreadsheets would take for formulas get an apostrophe unless they stay `raw`; `bom` begins them with a byte order mark.
        """
        from trasmallo.plugins import load
        from trasmallo.results.exports.header import ExportRequest
        from trasmallo.results.exports.source import ExportSource

        write = load("trasmallo.exporters", checked_text(kind, "kind"))
        path = checked_path(path, "path")
        if not path.parent.is_dir():
            raise UsageError("there is no folder {parent}", "make it, or choose another place", parent=path.parent)
        source = ExportSource(
            name=self.config.name,
            language=self.config.language,
            run=self.run_named(""),
            store=self.store,
            study=self.config.study,
            emit=self.bus.emit,
        )
        wanted = checked(ExportRequest, table=table, where=where, columns=columns, sort=sort, raw=raw, bom=bom)
        return int(write(source, path, wanted))

    def _studied(self, keys: StudyOptions) -> StudyConfig:
        merged = {**msgspec.to_builtins(self.config.study), **keys}
        return config.build({"study": merged}, Message("what you typed")).study if keys else self.config.study

    def _run_of_address(self, run: str, address: str) -> Run:
        from trasmallo.results.by_address import run_of_address

        return self.run_named(run_of_address(self.run_named(run), canonical(checked_text(address, "address"))))


def _reader(groups: Sequence[str] | None, *, all_words: bool = False, copies: bool = False, language: str = "") -> Reader:
    from trasmallo.results.search.finder import Reader

    return checked(Reader, groups=groups, all_words=all_words, copies=copies, language=language)


def _early_entries(folder: Path, config: Config) -> Callable[[Run], Mapping[str, Path]]:
    """What looks for entries of feeds in a run that goes on; what it needs is loaded when there is one."""
    looking: list[Callable[[Run], Mapping[str, Path]]] = []

    def look(asked: Run) -> Mapping[str, Path]:
        if not holder(folder):
            return {}
        if not looking:
            from trasmallo.pipeline.early_entries import EarlyEntries

            looking.append(EarlyEntries(folder, config))
        return looking[0](asked)

    return look
