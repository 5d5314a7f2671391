"""A project: a folder with its file, its store and its runs, and the verbs that both doors offer."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from trasmallo import __version__, config
from trasmallo.config import CrawlConfig
from trasmallo.events import Emit, EventFile, RunEnded, RunStarted, Warned
from trasmallo.project.lock import hold, holder
from trasmallo.project.queries import Answers
from trasmallo.store import run_folders
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import ConfigError, UsageError, disk_errors

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


class Project(Answers):
    """Opened with `Project.open` or made with `Project.new`; holds nothing open between its verbs."""

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
            return self._read_again(run_folders.latest(self.runs))

    def study(self) -> Summary:
        """Study the stored texts of the latest run again, going on where an interrupted study stopped.

        Pages are read again only when [clean] has changed since, or nobody has read them yet.
        """
        from trasmallo.pipeline.restudy import take_over

        with self._held():
            run = run_folders.latest(self.runs)
            take_over(run)
            self._need_texts(run)
            if run.stale(self.config) != "clean":
                return self._work(run, crawl=False, read=True) if self._study_again(run) else self._as_before(run)
            self.bus.emit(Warned(message="[clean] has changed: the pages are read again before they are studied"))
            return self._read_again(run)

    def import_file(self, path: str | Path) -> Summary:
        """Take in the pages of a collection or a folder as a run of its own, and study them; see `importing` for which."""
        from trasmallo.pipeline.importing import open_foreign, take_in

        with self._held():
            pages = open_foreign(Path(path))
            run = run_folders.start(self.runs, self.config, "import", SOFTWARE)
            with self._listening(run), self._stores() as (archive, catalog):
                take_in(pages, archive, catalog, run.name, self.bus.emit)
            run.manifest.crawled = True
            return self._work(run, crawl=False, read=True)

    def summary(self) -> Summary:
        """What the latest run has brought so far."""
        from trasmallo.results.summary import summarise

        return summarise(run_folders.latest(self.runs), self.store, self.config.study)

    def status(self) -> dict[str, Any]:
        """Where the latest run stands: its state, counts and queues; `process` is 0 when nobody works on it."""
        from trasmallo.results.summary import status

        return status(run_folders.latest(self.runs), self.store, holder(self.folder))

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
        from trasmallo.crawl.queue_search import Wanted
        from trasmallo.project import control

        return control.pending(self, Wanted(text, host, (), limit))

    def retry(self, *urls: str, what: str = "", text: str = "") -> Any:
        """Have addresses asked for again that failed in the latest run (`control.Retried`): now if it runs, else by `run`.

        These addresses, or all that ended so (`what`, as `incidents` tells) and have a text in the address or the cause.
        """
        from trasmallo.project import control

        return control.retry(self, urls, what, text)

    def preview(self, exclude: Sequence[str]) -> Any:
        """What exclusions would remove (`control.Excluded`): addresses that wait, and pages that are stored."""
        from trasmallo.project import control

        return control.preview(self, exclude)

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
            stale = run.stale(self.config) == "study" or not run.parts.exists()
            if read and stale and not self._study_again(run):
                return self._as_before(run)
            return self._work(run, crawl=crawl, read=read)

    def _read_again(self, run: Run) -> Summary:
        from trasmallo.results.summary import forget_results

        run.mark("stopped")
        forget_results(run)
        return self._work(run, crawl=False, read=True)

    def _need_texts(self, run: Run) -> None:
        with self.tables(run.name) as tables:
            if not tables.number("pages"):
                raise UsageError(f"no page of {run.name} has been read yet", f"read them with: trasmallo clean {self.folder}")

    def _study_again(self, run: Run) -> bool:
        """Bring the results of a run under the present [study], from its texts; False when that was interrupted."""
        from trasmallo.pipeline.restudy import begin, end, open_texts
        from trasmallo.pipeline.session import Sitting

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
        from trasmallo.results.summary import summarise

        ended = "the study was stopped: these are the results before it, and the same command goes on"
        return msgspec.structs.replace(summarise(run, self.store, self.config.study), ended=ended)

    def _held(self) -> Any:
        from trasmallo.study.word_lists import settle

        settle(self.config.study, self.folder)
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        return hold(self.folder)

    def _resumed(self, *, new: bool) -> Run:
        """The run that was interrupted or has addresses to try again, or a new one; what was cleaned otherwise is forgotten."""
        from trasmallo.crawl.retries import wished
        from trasmallo.crawl.workers.worker_crawl import number_of_processes
        from trasmallo.pipeline.restudy import take_over
        from trasmallo.results.summary import forget_results, forget_tables, remove_parts

        found = [run for run in run_folders.find(self.runs) if run.manifest.kind == "crawl"]
        if new or not found or (found[-1].finished and not wished(found[-1])):
            return run_folders.start(self.runs, self.config, "crawl", SOFTWARE, number_of_processes(self.config.crawl))
        run = found[-1]
        if run.finished:
            remove_parts(run)  # a kill may have left some of them
            run.mark("stopped")
        run.manifest.crawled = False
        take_over(run)
        if run.parts.exists():
            forget_tables(run)
        if run.stale(self.config) == "clean":
            forget_results(run)
        return run

    def _work(self, run: Run, *, crawl: bool, read: bool) -> Summary:
        from trasmallo.pipeline.session import Sitting
        from trasmallo.results.summary import complete, remove_parts, summarise

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
        return summarise(run, self.store, self.config.study)

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
