"""A project: a folder with its file, its store and its runs, and the verbs that both doors offer."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from trasmallo import __version__, config
from trasmallo.config import Config, CrawlConfig, StudyConfig
from trasmallo.errors import ConfigError, UsageError, disk_errors
from trasmallo.events import Bus, Emit, EventFile, RunEnded, RunStarted, Warned, log_events
from trasmallo.project import runs
from trasmallo.project.lock import hold, holder
from trasmallo.project.runs import Run

_logger = logging.getLogger("trasmallo")
_logger.addHandler(logging.NullHandler())  # programs that use us decide what becomes of our lines

SOFTWARE = f"trasmallo/{__version__}"


class Summary(msgspec.Struct, frozen=True):
    """What a run brought: how its addresses ended, and what the documents hold.

    `ended` says why the downloads ended before nothing was left, "" when nothing was.
    """

    run: str
    state: str
    outcomes: dict[str, int]
    pages: int
    documents: int
    dropped: dict[str, int]
    copies: int
    words: int
    types: int
    languages: dict[str, int]
    ended: str = ""


class Project:
    """Opened with `Project.open` or made with `Project.new`; holds nothing open between its verbs."""

    def __init__(self, folder: Path, settings: Config) -> None:
        self.folder = folder
        self.config = settings
        self.bus = Bus()
        self.bus.listen(log_events(_logger))

    @classmethod
    def new(
        cls, folder: str | Path, seeds: Sequence[str] = (), *, name: str = "", language: str = "es", **crawl: Any
    ) -> Project:
        """Make a folder with a commented project file; keywords are keys of [crawl]. A folder with a project is refused."""
        folder = Path(folder)
        path = folder / config.FILE_NAME
        if path.exists():
            raise ConfigError(f"{folder} already holds a project", f"change {path}, or choose another folder")
        values = {"name": name or _name_of(folder), "language": language, "crawl": {"seeds": list(seeds)} | crawl}
        settings = config.build(values, "what you typed")
        with disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        config.write(settings, path)
        return cls(folder, settings)

    @classmethod
    def open(cls, folder: str | Path, **crawl: Any) -> Project:
        """Open a project; keywords are keys of [crawl] that win over the file."""
        folder = Path(folder)
        settings = config.load(folder / config.FILE_NAME)
        if crawl:
            merged = msgspec.to_builtins(settings.crawl) | crawl
            settings = msgspec.structs.replace(settings, crawl=config.build({"crawl": merged}, "what you typed").crawl)
        return cls(folder, settings)

    @property
    def store(self) -> Path:
        """Where raw pages and their rows are kept, over all runs."""
        return self.folder / "store"

    @property
    def runs(self) -> Path:
        """Where the runs' folders are."""
        return self.folder / "runs"

    def exclude(self, *texts: str, remove: bool = False) -> tuple[str, ...]:
        """Add texts to `exclude` in the project file, or take them out; all of them then. A running crawl takes it up."""
        return self._change("exclude", texts, remove=remove)

    def include(self, *patterns: str, remove: bool = False) -> tuple[str, ...]:
        """Add patterns to `include` in the project file, or take them out; all of them then. A running crawl takes it up."""
        return self._change("include", patterns, remove=remove)

    def worker(self) -> int:
        """The process that works on the project now, 0 when there is none."""
        return holder(self.folder)

    def run(self, *, new: bool = False) -> Summary:
        """Crawl, clean and study, going on where an interrupted run stopped; `new` starts another one."""
        self._need_seeds()
        return self._sit(new=new, crawl=True, read=True)

    def crawl(self, *, new: bool = False) -> Summary:
        """Only the crawl; `run` or `clean` reads the pages later."""
        self._need_seeds()
        return self._sit(new=new, crawl=True, read=False)

    def clean(self) -> Summary:
        """Read and study all pages of the latest run again, without crawling."""
        with self._held():
            return self._read_again(runs.latest(self.runs))

    def study(self) -> Summary:
        """Study the stored texts of the latest run again, going on where an interrupted study stopped.

        Pages are read again only when [clean] has changed since, or nobody has read them yet.
        """
        from trasmallo.project.studying import take_over

        with self._held():
            run = runs.latest(self.runs)
            take_over(run)
            self._need_texts(run)
            if run.stale(self.config) != "clean":
                return self._work(run, crawl=False, read=True) if self._study_again(run) else self._as_before(run)
            self.bus.emit(Warned(message="[clean] has changed: the pages are read again before they are studied"))
            return self._read_again(run)

    def import_file(self, path: str | Path) -> Summary:
        """Take in the pages of a collection or a folder as a run of its own, and study them; see `importing` for which."""
        from trasmallo.project.importing import open_foreign, take_in

        with self._held():
            pages = open_foreign(Path(path))
            run = runs.start(self.runs, self.config, "import", SOFTWARE)
            with self._listening(run), self._stores() as (archive, catalog):
                take_in(pages, archive, catalog, run.name, self.bus.emit)
            run.manifest.crawled = True
            return self._work(run, crawl=False, read=True)

    def summary(self) -> Summary:
        """What the latest run has brought so far."""
        from trasmallo.project.results.results import summarise

        return summarise(runs.latest(self.runs), self.store)

    def status(self) -> dict[str, Any]:
        """Where the latest run stands: its state, counts and queues; `process` is 0 when nobody works on it."""
        from trasmallo.project.results.results import status

        return status(runs.latest(self.runs), self.store, holder(self.folder))

    def start(self, *, new: bool = False) -> int:
        """Run in a process of its own, which outlives this one; its number. `status` tells how it goes."""
        from trasmallo.project import control

        self._need_seeds()
        return control.start(self, new=new)

    def wait(self) -> None:
        """Wait until nobody works on the project."""
        while self.worker():
            time.sleep(0.1)

    def start_import(self) -> int:
        """Study the pages that a browser sent, in a process of its own; its number."""
        from trasmallo.project import control

        return control.start_import(self)

    def stop(self, *, at_once: bool = False) -> int:
        """Have the run that is at work stop its downloads and analyse what is there, or finish `at_once`; its process."""
        from trasmallo.project import control

        return control.stop(self, at_once=at_once)

    def pause(self, *, paused: bool = True) -> int:
        """Have the run that is at work pause its downloads, or go on; its process."""
        from trasmallo.project import control

        return control.pause(self, paused=paused)

    def pending(self, text: str = "", *, host: str = "", limit: int = 200) -> Any:
        """Addresses of the latest crawl that wait (`crawling.search.Seen`), of a host or with a text in them."""
        from trasmallo.project import control
        from trasmallo.project.crawling.search import Wanted

        return control.pending(self, Wanted(text, host, (), limit))

    def preview(self, exclude: Sequence[str]) -> Any:
        """What exclusions would remove (`control.Excluded`): addresses that wait, and pages that are stored."""
        from trasmallo.project import control

        return control.preview(self, exclude)

    def incidents(self) -> Iterator[Any]:
        """What was refused, failed or dropped in the latest run, and why."""
        from trasmallo.project.results.results import incidents

        return incidents(runs.latest(self.runs), self.store)

    @contextmanager
    def tables(self, run: str = "", **study: Any) -> Iterator[Any]:
        """The result tables of a run, the latest unless named.

        Keywords are keys of [study] that win over the file: tables of the tokens of all documents are then made anew.
        """
        from trasmallo.project.results.tables import Tables

        with Tables(self._run_named(run), self._studied(study), anew=bool(study)) as tables:
            yield tables

    def table(self, name: str, *, study: Mapping[str, Any] | None = None, **question: Any) -> list[dict[str, Any]]:
        """The rows of a result table as dictionaries; see `tables.Question` for the keywords, `tables` for `study`."""
        from trasmallo.project.results.tables import Question

        with self.tables(**(study or {})) as tables:
            answer = tables.ask(name, msgspec.convert(question, Question))
            return [dict(zip(answer.columns, row, strict=True)) for row in answer]

    @contextmanager
    def documents(self, run: str = "") -> Iterator[Any]:
        """The documents of a run seen one by one (`results.document.DocumentRoom`), of the latest unless named."""
        from trasmallo.project.results.document import DocumentRoom

        with self.tables(run) as tables:
            yield DocumentRoom(self._run_named(run), tables, self.store)

    def frequent_words(self, number: int, field: str = "text") -> list[str]:
        """The most frequent words of the latest run's texts, titles or anchors, in alphabetical order."""
        from trasmallo.project.results.frequent import most_frequent

        with self.tables() as tables:
            return sorted(most_frequent(tables, number, field).words)

    def verdicts(self) -> list[Any]:
        """What was decided about words that nobody lists, over all runs (`verdicts.Verdict`); the latest come last."""
        from trasmallo.project.verdicts import load

        return list(load(self.folder).values())

    def judge(self, words: Iterable[str], verdict: str, *, note: str = "") -> list[Any]:
        """Say of words that they are accepted, rejected, typo, name, foreign or later; "" takes back what was said."""
        from trasmallo.project.verdicts import judge

        return judge(self.folder, words, verdict, note)

    def import_verdicts(self, path: str | Path, verdict: str = "") -> int:
        """Take over the verdicts of a file, or give this one on its words that have none; returns how many there are."""
        from trasmallo.project.verdicts import change, read

        found = read(Path(path), verdict)
        change(self.folder, found)
        return len(found)

    def laws(self, *, language: str = "", site: str = "") -> Any:
        """The laws of the latest run's words (`study.laws.Laws`), or of those in a language or of a site."""
        from trasmallo.project.results.laws import compute

        with self.tables() as tables:
            return compute(tables, language=language, site=site)

    def keywords(self, reference: str, **options: Any) -> list[Any]:
        """The words of the latest run that differ most from a reference; see `results.keyness.find_keywords`."""
        from trasmallo.project.results.keyness import find_keywords

        with self.tables() as tables:
            return find_keywords(tables, reference, **options)

    def rank(self, **question: Any) -> Any:
        """The documents of the latest run that rank first by their links; see `results.links.question.RankQuestion`."""
        from trasmallo.project.results.links.question import RankQuestion, rank

        asked, run = msgspec.convert(question, RankQuestion), runs.latest(self.runs)
        with self.tables(run.name) as tables:
            return rank(tables, run, asked)

    def compare(self, other: str | Path = "", *, run: str = "", other_run: str = "", **options: Any) -> Any:
        """A run beside another one (`results.comparison.Comparison`), of this project or of the one in folder `other`.

        Runs are the latest unless named. Keywords: `by` word, lemma or category, and the `number` of words of each kind.
        """
        from trasmallo.project.results.comparison import compare

        second = Project.open(other) if other else self
        with self.tables(run) as tables, second.tables(other_run) as others:
            return compare(tables, others, **options)

    @contextmanager
    def concordance(self, run: str = "") -> Iterator[Any]:
        """The tokens of a run, the latest unless named, held open to be asked several times; see `results.concordance`."""
        from trasmallo.project.results.concordance.concordance import Concordance

        with Concordance(self._run_named(run), self.config.language) as concordance:
            yield concordance

    def kwic(self, query: str, **options: Any) -> Any:
        """Hits of a word, a phrase or a corpus query with their surroundings; see `results.concordance.concordance.Options`."""
        from trasmallo.project.results.concordance.concordance import Options

        with self.concordance() as concordance:
            return concordance.find(query, msgspec.convert(options, Options))

    def find(self, query: str, *, limit: int = 10, offset: int = 0, facets: Sequence[str] = (), **reader: Any) -> Any:
        """Search the latest run (`results.search.Results`); see `results.search.Reader` for the keywords."""
        from trasmallo.project.results.search import Reader
        from trasmallo.store.index.searcher import Wanted

        wanted = Wanted(limit, offset, tuple(facets))
        return self.finder().find(query, wanted, msgspec.convert(reader, Reader))

    def find_every(self, query: str, **reader: Any) -> Iterator[Any]:
        """All hits of a query in the latest run, streamed; see `results.search.Reader` for the keywords."""
        from trasmallo.project.results.search import Reader

        yield from self.finder().every(query, msgspec.convert(reader, Reader))

    def cached(self, page: str, **reader: Any) -> Any:
        """What is stored of a document, by its address or id (`store.index.entries.Stored`), if the reader may see it."""
        from trasmallo.project.reading.parts import document_id
        from trasmallo.project.results.search import Reader

        document = document_id(page) if "://" in page else page
        return self.finder().cached(document, msgspec.convert(reader, Reader))

    def cached_page(self, page: str, **reader: Any) -> bytes:
        """The page itself as it was stored, decompressed, under the same conditions as `cached`."""
        from trasmallo.project.results.search import read_stored

        return read_stored(self.store, self.cached(page, **reader).url)

    def estimate(self, query: str) -> Any:
        """How many documents of the latest run have all words of a query, counted and estimated (`results.estimates`)."""
        from trasmallo.project.results.estimates import estimate

        return estimate(self.finder().searcher(), query)

    def finder(self, run: str = "") -> Any:
        """Somebody who answers many questions about a run (`results.search.Finder`), the latest unless named."""
        from trasmallo.project.results.search import Finder

        named = self._run_named(run)
        study, language = self.config.study, self.config.language
        return Finder(named, study, language, self.bus.emit, is_idle=lambda: not holder(self.folder))

    def export(self, kind: str, path: str | Path, **wanted: Any) -> int:
        """Write results of the latest run in a format that others read; returns the number of rows, documents or answers.

        See `exports.header.Wanted` for the keywords: table, where, columns, sort.
        """
        from trasmallo.plugins import load
        from trasmallo.project.results.exports.header import Wanted

        write = load("trasmallo.exporters", kind)
        path = Path(path)
        if not path.parent.is_dir():
            raise UsageError(f"there is no folder {path.parent}", "make it, or choose another place")
        return int(write(self, path, msgspec.convert(wanted, Wanted)))

    def _studied(self, keys: Mapping[str, Any]) -> StudyConfig:
        merged = msgspec.to_builtins(self.config.study) | keys
        return config.build({"study": merged}, "what you typed").study if keys else self.config.study

    def _run_named(self, name: str) -> Run:
        return runs.named(self.runs, name)

    def _change(self, key: str, texts: Sequence[str], *, remove: bool) -> tuple[str, ...]:
        from trasmallo.project.settings import change_texts

        known = getattr(self.config.crawl, key)
        if remove and (strange := [text for text in texts if text not in known]):
            raise UsageError(
                f"{strange[0]!r} is no text of `{key}`", f"see them all with: trasmallo {key} {self.folder} --list"
            )
        if not remove:
            config.build({"crawl": {key: list(texts)}}, "what you typed")
        path = self.folder / config.FILE_NAME
        found = change_texts(path, key, *(((), texts) if remove else (texts, ())))
        self.config = msgspec.structs.replace(self.config, crawl=msgspec.structs.replace(self.config.crawl, **{key: found}))
        return found

    def _need_seeds(self) -> None:
        if not self.config.crawl.seeds:
            raise ConfigError(
                f"{self.folder} has no addresses to start from", f"add some to `seeds` in {self.folder / config.FILE_NAME}"
            )

    def _sit(self, *, new: bool, crawl: bool, read: bool) -> Summary:
        with self._held():
            run = self._resumed(new=new)
            if read and run.stale(self.config) == "study" and not self._study_again(run):
                return self._as_before(run)
            return self._work(run, crawl=crawl, read=read)

    def _read_again(self, run: Run) -> Summary:
        from trasmallo.project.results.results import forget_results

        run.mark("stopped")
        forget_results(run)
        return self._work(run, crawl=False, read=True)

    def _need_texts(self, run: Run) -> None:
        with self.tables(run.name) as tables:
            if not tables.number("pages"):
                raise UsageError(f"no page of {run.name} has been read yet", f"read them with: trasmallo clean {self.folder}")

    def _study_again(self, run: Run) -> bool:
        """Bring the results of a run under the present [study], from its texts; False when that was interrupted."""
        from trasmallo.project.sitting import Sitting
        from trasmallo.project.studying import begin, end, open_texts

        if begin(run, self.config):
            with self._listening(run), self._stores() as (archive, catalog), open_texts(run) as texts:
                self.bus.emit(RunStarted(run=run.name, resumed=True))
                sitting = Sitting(self.config, run, archive, catalog, self.bus.emit, SOFTWARE, self.folder, texts)
                if not sitting.work(crawl=False, read=True):
                    self.bus.emit(RunEnded(run=run.name, state=run.manifest.state))
                    return False
        end(run)
        return True

    def _as_before(self, run: Run) -> Summary:
        from trasmallo.project.results.results import summarise

        ended = "the study was stopped: these are the results before it, and the same command goes on"
        return msgspec.structs.replace(summarise(run, self.store), ended=ended)

    def _held(self) -> Any:
        from trasmallo.project.lists import settle

        settle(self.config.study, self.folder)
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        return hold(self.folder)

    def _resumed(self, *, new: bool) -> Run:
        """The run that was interrupted, or a new one; results that were cleaned under other settings are forgotten."""
        from trasmallo.project.crawling.shares import number_of_processes
        from trasmallo.project.results.results import forget_results, forget_tables
        from trasmallo.project.studying import take_over

        found = [run for run in runs.find(self.runs) if run.manifest.kind == "crawl"]
        if new or not found or found[-1].finished:
            return runs.start(self.runs, self.config, "crawl", SOFTWARE, number_of_processes(self.config.crawl))
        run = found[-1]
        run.manifest.crawled = False
        take_over(run)
        forget_tables(run)
        if run.stale(self.config) == "clean":
            forget_results(run)
        return run

    def _work(self, run: Run, *, crawl: bool, read: bool) -> Summary:
        from trasmallo.project.results.results import complete, remove_parts, summarise
        from trasmallo.project.sitting import Sitting

        resumed = run.events.exists()
        if read:
            run.adopt(self.config)
        run.mark("running")
        with self._listening(run):
            self.bus.emit(RunStarted(run=run.name, resumed=resumed))
            with self._stores() as (archive, catalog):
                sitting = Sitting(self.config, run, archive, catalog, self.bus.emit, SOFTWARE, self.folder)
                done = sitting.work(crawl=crawl, read=read)
            if crawl:
                run.manifest.ended = sitting.ended
            run.manifest.crawled |= crawl and done
            finished = read and done and run.manifest.crawled
            if read:
                complete(run, self.config, self.bus.emit, finished=finished)
                run.manifest.studying = ""
            run.mark("finished" if finished else "stopped")
            if finished:
                remove_parts(run)
            self.bus.emit(RunEnded(run=run.name, state=run.manifest.state))
        return summarise(run, self.store)

    @contextmanager
    def _stores(self) -> Iterator[Any]:
        from trasmallo.store.archive import Archive
        from trasmallo.store.catalog import Catalog

        roll_at = self.config.store.megabytes * 1_000_000
        with (
            Archive(self.store / "archive", software=SOFTWARE, roll_at=roll_at) as archive,
            Catalog(self.store / "catalog") as catalog,
        ):
            yield archive, catalog

    @contextmanager
    def _listening(self, run: Run) -> Iterator[Emit]:
        """Write the run's events while the block lasts."""
        file = EventFile(run.events)
        end = self.bus.listen(file)
        try:
            yield self.bus.emit
        finally:
            end()
            file.close()


def _name_of(folder: Path) -> str:
    """A project is called like its folder, as far as a name allows."""
    name = "".join(letter if letter.isalnum() or letter in " ._-" else "-" for letter in folder.resolve().name)
    return name.lstrip(" .-")[:64] or CrawlConfig.__name__.removesuffix("Config").lower()
