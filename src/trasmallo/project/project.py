"""A project: a folder with its file, its store and its runs, and the verbs that both doors offer."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from trasmallo import __version__, config
from trasmallo.config import Config, CrawlConfig
from trasmallo.errors import ConfigError, UsageError, disk_errors
from trasmallo.events import Bus, Emit, EventFile, RunEnded, RunStarted, log_events
from trasmallo.project import runs
from trasmallo.project.lock import hold, holder
from trasmallo.project.reading.parts import TOKENS
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
        """Read all pages of the latest run again, without crawling."""
        with self._held():
            run = runs.latest(self.runs)
            run.mark("stopped")
            _forget_results(run)
            return self._work(run, crawl=False, read=True)

    def import_file(self, path: str | Path) -> Summary:
        """Take in the pages of a WARC, ARC, TRECText or TRECWeb file as a run of its own, and study them."""
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

    def incidents(self) -> Iterator[Any]:
        """What was refused, failed or dropped in the latest run, and why."""
        from trasmallo.project.results.results import incidents

        return incidents(runs.latest(self.runs), self.store)

    @contextmanager
    def tables(self, run: str = "") -> Iterator[Any]:
        """The result tables of a run, the latest unless named."""
        from trasmallo.project.results.tables import Tables

        with Tables(self._run_named(run), self.config.study) as tables:
            yield tables

    def table(self, name: str, **question: Any) -> list[dict[str, Any]]:
        """The rows of a result table as dictionaries; see `tables.Question` for the keywords."""
        from trasmallo.project.results.tables import Question

        with self.tables() as tables:
            answer = tables.ask(name, msgspec.convert(question, Question))
            return [dict(zip(answer.columns, row, strict=True)) for row in answer]

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

    def export(self, kind: str, path: str | Path, *, table: str = "pages") -> int:
        """Write results of the latest run in a format that others read; returns the number of rows or records."""
        from trasmallo.plugins import load

        write = load("trasmallo.exporters", kind)
        path = Path(path)
        if not path.parent.is_dir():
            raise UsageError(f"there is no folder {path.parent}", "make it, or choose another place")
        return int(write(self, path, table))

    def _run_named(self, name: str) -> Run:
        if not name:
            return runs.latest(self.runs)
        found = [run for run in runs.find(self.runs) if run.name == name]
        if not found:
            raise UsageError(
                f"there is no run {name!r}", f"choose one of {', '.join(run.name for run in runs.find(self.runs))}"
            )
        return found[0]

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
            return self._work(self._resumed(new=new), crawl=crawl, read=read)

    def _held(self) -> Any:
        from trasmallo.project.lists import settle

        settle(self.config.study, self.folder)
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        return hold(self.folder)

    def _resumed(self, *, new: bool) -> Run:
        """The run that was interrupted, or a new one; results under other settings are made again."""
        from trasmallo.project.crawling.shares import number_of_processes

        found = [run for run in runs.find(self.runs) if run.manifest.kind == "crawl"]
        if new or not found or found[-1].finished:
            return runs.start(self.runs, self.config, "crawl", SOFTWARE, number_of_processes(self.config.crawl))
        run = found[-1]
        run.manifest.crawled = False
        _forget_tables(run)
        if run.is_stale(self.config):
            _forget_results(run)
        return run

    def _work(self, run: Run, *, crawl: bool, read: bool) -> Summary:
        from trasmallo.project.results.results import complete, remove_parts, summarise
        from trasmallo.project.sitting import Sitting

        resumed = run.events.exists()
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


def _forget_tables(run: Run) -> None:
    """Remove what is made of the parts at the end of a run; a crash may have left half of it."""
    made = [run.folder / name for name in ("copies.jsonl", "frequent.jsonl", TOKENS)]
    for path in [*run.folder.glob("*.parquet"), *made]:
        path.unlink(missing_ok=True)


def _forget_results(run: Run) -> None:
    """Remove what cleaning and study made; stored pages stay."""
    from trasmallo.project.results.indexing import forget_index

    _forget_tables(run)
    forget_index(run)
    shutil.rmtree(run.parts, ignore_errors=True)
    run.parts.mkdir()


def _name_of(folder: Path) -> str:
    """A project is called like its folder, as far as a name allows."""
    name = "".join(letter if letter.isalnum() or letter in " ._-" else "-" for letter in folder.resolve().name)
    return name.lstrip(" .-")[:64] or CrawlConfig.__name__.removesuffix("Config").lower()
