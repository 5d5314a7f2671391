"""A project: a folder with its file, its store and its runs, and the verbs that both doors offer."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import msgspec

from trasmallo import config, config_text
from trasmallo.project.focused_project import FocusedProject
from trasmallo.project.lock import hold, holder
from trasmallo.project.options import CrawlOptions, checked
from trasmallo.project.working import works
from trasmallo.store import pushed, run_folders
from trasmallo.values.arguments import checked_text
from trasmallo.values.errors import ConfigError, NotFound, UsageError, disk_errors
from trasmallo.values.messages import Message
from trasmallo.values.nearest import nearest
from trasmallo.values.urls import host as host_of

if TYPE_CHECKING:
    from trasmallo.crawl.deep_web_report import DeepWebReport
    from trasmallo.crawl.queue_search import QueueAnswer
    from trasmallo.crawl.shared.cluster_status import ClusterStatus
    from trasmallo.pipeline.checking import Finding
    from trasmallo.pipeline.repair import RepairStep
    from trasmallo.pipeline.stages import Stages
    from trasmallo.project.control import Excluded, Retried
    from trasmallo.project.deep_web import FormShown, LoginShown
    from trasmallo.project.file_watch import WatchEvent
    from trasmallo.project.following import Followed
    from trasmallo.results.summary import ProjectStatus, Summary


class Project(FocusedProject):
    """A project, opened with `Project.open` or made with `Project.new`; holds nothing open between its verbs."""

    @classmethod
    def new(
        cls,
        folder: str | Path,
        seeds: Sequence[str] = (),
        *,
        name: str = "",
        language: str = "es",
        languages: Sequence[str] = (),
        **crawl: Unpack[CrawlOptions],
    ) -> Project:
        """Make a folder with a commented project file; keywords are keys of [crawl]. A folder with a project is refused.

        `languages`, unless empty, are the only ones whose documents are studied.
        """
        folder = Path(folder)
        path = folder / config.FILE_NAME
        if path.exists():
            raise ConfigError(
                "{folder} already holds a project", "change {path}, or choose another folder", folder=folder, path=path
            )
        values = {
            "name": name or _name_of(folder),
            "language": language,
            "crawl": {"seeds": list(seeds), **crawl},
            "clean": {"languages": list(languages)},
        }
        settings = config.build(values, Message("what you typed"))
        with disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)  # others would read all that is in it
        config_text.write(settings, path)
        return cls(folder, settings)

    @classmethod
    def to_follow(cls, folder: str | Path, urls: Sequence[str] = (), *, language: str = "es") -> Project:
        """The project in a folder; where there is none, a new one of these sites with their sitemaps, feeds and entries."""
        place = Path(folder)
        if not (place / config.FILE_NAME).exists():
            if not urls:
                raise UsageError("there is nothing to follow", "give the address of a site behind the folder")
            return cls.new(place, urls, language=language, scope="host", sitemaps=True, feeds=True, entries=True)
        project = cls.open(place)
        if new := [url for url in urls if url not in project.config.crawl.seeds]:
            repair = "add it to `seeds` in {path}, or follow it in a folder of its own"
            raise UsageError("{url} is no start address of this project", repair, url=new[0], path=place / config.FILE_NAME)
        return project

    @works
    def exclude(self, *texts: str, remove: bool = False) -> tuple[str, ...]:
        """Add texts to `exclude` in the project file, or take them out; all of them then. A running crawl takes it up."""
        return self._change("exclude", texts, remove=remove)

    @works
    def include(self, *patterns: str, remove: bool = False) -> tuple[str, ...]:
        """Add patterns to `include` in the project file, or take them out; all of them then. A running crawl takes it up."""
        return self._change("include", patterns, remove=remove)

    @works
    def run(self, *, new: bool = False) -> Summary:
        """Crawl, clean and study, going on where an interrupted run stopped or a limit ended it; `new` starts another one."""
        self._need_seeds()
        with self._stages() as stages:
            return stages.crawl(new=new, read=True)

    @works
    def take_files(self) -> Summary:
        """Take in what changed in the project's folders and mailboxes, and ask for nothing else; `run` does both."""
        from trasmallo.project.file_watch import need_roots

        need_roots(self.config, self.folder)
        with self._stages() as stages:
            return stages.take_files()

    def watch(
        self, tell: Callable[[WatchEvent], None], *, duration: str = "", poll: bool = False, takes_in: bool = True
    ) -> None:
        """Watch the project's folders and mailboxes until interrupted, or for a `duration` ("12h"); see `file_watch`.

        What is saved can be searched at once; with `takes_in` a run takes it in when it is calm. A project without results is
        run first. With `poll` roots are looked at from time to time, whatever the system would tell.
        """
        from trasmallo.project import control
        from trasmallo.project.file_watch import watch_files

        if run_folders.last_completed(self.runs) is None:
            self.run()
        start = (lambda: control.start_files(self)) if takes_in else None
        watch_files(self.folder, self.config, tell, start, duration=duration, poll=poll)

    @works
    def revisit(self, budget: str = "", *, duration: str = "") -> Summary:
        """Ask again for the pages that most need it, and read what has changed.

        `budget` is a number of visits, now ("500") or a day ("500/day"). With a `duration` ("12h", "7d") it goes on for so
        long, with a part of the day's visits every hour; what the last round brought is told.
        """
        from trasmallo.crawl.revisit.budget import parse_budget, parse_duration
        from trasmallo.project.rounds import in_rounds

        allowed = parse_budget(budget) if budget else None
        seconds = parse_duration(duration) if duration else 0.0

        def visit() -> Summary:
            with self._stages() as stages:
                return stages.revisit(allowed)

        return in_rounds(visit, seconds)

    @works
    def follow(self, *, every: str = "1h", budget: str = "", timetable: str | Path | None = None) -> Followed:
        """Put revisits on the timetable, so many visits (`budget`, as in `revisit`) `every` so often ("30m", "6h", "1d").

        A project without results is run first. `trasmallo scheduler` does the visits; `timetable` is a file, None the user's.
        """
        from trasmallo.project.following import follow

        def first_run() -> Summary | None:
            return None if run_folders.last_completed(self.runs) else self.run()

        file = Path(timetable) if timetable else None
        return follow(self.folder, first_run, every=checked_text(every, "every"), budget=budget, timetable=file)

    @works
    def crawl(self, *, new: bool = False) -> Summary:
        """Only the crawl; `run` or `clean` reads the pages later."""
        self._need_seeds()
        with self._stages() as stages:
            return stages.crawl(new=new, read=False)

    @works
    def clean(self, *, accept_loss: bool = False) -> Summary:
        """Read and study all pages of the latest run again, without crawling.

        The results before are kept when fewer pages can be read than then, because the archive is damaged; unless
        `accept_loss`.
        """
        with self._stages() as stages:
            return stages.clean(accept_loss=accept_loss)

    @works
    def check(self) -> Iterator[Finding]:
        """Read every file of the project and tell what is not as it was written; nothing is changed."""
        from trasmallo.pipeline.checking import check_project
        from trasmallo.project import control
        from trasmallo.project.jobs import answer_findings

        control.need_peace(self)
        return chain(check_project(self.folder, self.config.study), answer_findings(self.folder))

    @works
    def repair(self, *, accept_loss: bool = False) -> list[RepairStep]:
        """Make again what is damaged or lost and follows from the project file and the archive; what was done.

        Where the archive itself is damaged, nothing is done unless `accept_loss`: then the rest of it is all there is.
        """
        with self._stages() as stages:
            return stages.repair(accept_loss=accept_loss)

    @works
    def study(self) -> Summary:
        """Study the stored texts of the latest run again, going on where an interrupted study stopped.

        Pages are read again only when [clean] has changed since, or nobody has read them yet.
        """
        with self._stages() as stages:
            return stages.study()

    @works
    def import_file(self, path: str | Path) -> Summary:
        """Take in the pages of a collection or a folder as a run of its own, and study them; see `importing` for which.

        The project's own folder `pushed` is what hubs pushed to it.
        """
        with self._stages() as stages:
            if Path(path).resolve() == (self.folder / pushed.FOLDER).resolve():
                return stages.take_pushes()
            return stages.import_file(Path(path))

    @works
    def take_out(self, *hosts: str) -> Summary:
        """Take sites out of the collection by their hosts: tables, search and counts are without their pages from then on.

        What is stored stays, results of earlier runs too; `put_back` undoes it. A site that is taken out is not asked for.
        """
        from trasmallo.pipeline.site_selection import begun_selection
        from trasmallo.store.left_out_sites import LeftOutSite, leave_out, left_out_sites

        known = {site.host for site in self.sites()}
        with self._stages() as stages:
            listed = left_out_sites(self.folder)
            free = known - listed.keys() | begun_selection(self.folder)
            chosen = [_known_host(host, free, "the collection has no site {host!r}") for host in hosts]
            leave_out(self.folder, {host: LeftOutSite(host, time.time()) for host in chosen} | listed)
            return stages.select_sites()

    @works
    def put_back(self, *hosts: str) -> Summary:
        """Put sites back that were taken out, with all their pages that are stored."""
        from trasmallo.pipeline.site_selection import begun_selection
        from trasmallo.store.left_out_sites import leave_out, left_out_sites

        with self._stages() as stages:
            listed = left_out_sites(self.folder)
            free = listed.keys() | begun_selection(self.folder)
            chosen = [_known_host(host, free, "the site {host!r} was not taken out") for host in hosts]
            leave_out(self.folder, {host: site for host, site in listed.items() if host not in chosen})
            return stages.select_sites()

    def summary(self) -> Summary:
        """What the latest run has brought so far."""
        from trasmallo.results.summary import summarise

        return summarise(self._told_of(), self.store, self.config.study, working=bool(self.worker()))

    def status(self) -> ProjectStatus:
        """Where the latest run stands: its state, counts and queues; `process` is 0 when nobody works on it."""
        from trasmallo.results.summary import status

        return status(self._told_of(), self.store, holder(self.home))

    @works
    def start(self, *, new: bool = False) -> int:
        """Run in a process of its own, which outlives this one; its number. `status` tells how it goes."""
        from trasmallo.project import control

        self._need_seeds()
        return control.start(self, new=new)

    def wait(self) -> None:
        """Wait until nobody works on the project."""
        while self.worker():
            time.sleep(0.1)

    @works
    def start_import(self) -> int:
        """Study the pages that a browser sent, in a process of its own; its number."""
        from trasmallo.project import control

        return control.start_import(self)

    @works
    def start_repair(self, *, accept_loss: bool = False) -> int:
        """Repair in a process of its own; its number."""
        from trasmallo.project import control

        return control.start_repair(self, accept_loss=accept_loss)

    @works
    def start_revisit(self, budget: str = "") -> int:
        """Revisit in a process of its own; its number."""
        from trasmallo.project import control

        return control.start_revisit(self, budget)

    @works
    def start_selection(self, host: str, *, put_back: bool = False) -> int:
        """Take a site out of the collection, or put it back, in a process of its own; its number."""
        from trasmallo.project import control

        known = {site.host for site in self.sites() if bool(site.taken_out) is put_back}
        problem = "the site {host!r} was not taken out" if put_back else "the collection has no site {host!r}"
        return control.start_selection(self, _known_host(host, known, problem), put_back=put_back)

    @works
    def stop(self, *, at_once: bool = False) -> int:
        """Have the run that is at work stop its downloads and analyse what is there, or finish `at_once`; its process."""
        from trasmallo.project import control

        return control.stop(self, at_once=at_once)

    @works
    def cluster(self) -> ClusterStatus:
        """The machines that share the crawl of this project: workers, leases, rates, and why some idle."""
        from trasmallo.crawl.shared.cluster_status import read_status

        return read_status(self.shared_address())

    @works
    def shared_address(self) -> str:
        """The database of a crawl that other machines join, as the project file names it; raises UsageError without one."""
        if not self.config.cluster.frontier:
            raise UsageError(
                "{folder} is crawled by this machine alone",
                "name a database as `frontier` in [cluster] of its file, then start another run: trasmallo run {folder} --new",
                folder=self.folder,
            )
        return self.config.cluster.frontier.split()[0]

    @works
    def pause(self, *, paused: bool = True) -> int:
        """Have the run that is at work pause its downloads, or go on; its process."""
        from trasmallo.project import control

        return control.pause(self, paused=paused)

    def pending(self, text: str = "", *, host: str = "", limit: int = 200) -> QueueAnswer:
        """Addresses of the latest crawl that wait, of a host or with a text in them."""
        from trasmallo.crawl.queue_search import QueueQuestion
        from trasmallo.project import control

        return control.pending(self, checked(QueueQuestion, text=text, host=host, limit=limit))

    def deep_web(self) -> DeepWebReport:
        """What the latest crawl found behind scripts and forms, and what that cost."""
        from trasmallo.project import deep_web

        return deep_web.report(self)

    def forms(self) -> list[FormShown]:
        """Every form that the latest crawl met, what may be asked of it, and what asking has brought."""
        from trasmallo.project import deep_web

        return deep_web.forms(self)

    @works
    def switch_forms(self, places: Sequence[str], *, remove: bool = False) -> tuple[str, ...]:
        """Let the next run ask search forms, by their addresses or hosts, or take that back; those that may be asked then."""
        from trasmallo.project import deep_web

        known = self.forms()
        return self._change("forms", [deep_web.check_form(known, place) for place in places], remove=remove)

    @works
    def login(self, host: str, kind: str, given: Mapping[str, str], done: Callable[[], None] | None = None) -> LoginShown:
        """Keep a log-in for a host, outside of the project: `kind` is cookies, basic, digest, bearer, form or browser.

        `given` has the `file` of cookies, `user` and `secret`, or the `page` of a form and its fields as `field:NAME`, and for
        any of them a `probe` page with the `probe_text` that it shows. A browser is closed when the probe shows it, or when
        `done` returns.
        """
        from trasmallo.project import deep_web

        return deep_web.keep_login(self, host, kind, given, done)

    @works
    def forget_login(self, host: str) -> None:
        """Forget the log-in for a host."""
        from trasmallo.project import deep_web

        deep_web.forget_login(self, host)

    @works
    def logins(self) -> list[LoginShown]:
        """The log-ins that are kept, without their secrets."""
        from trasmallo.project import deep_web

        return deep_web.logins(self)

    @works
    def retry(self, *urls: str, what: str = "", text: str = "") -> Retried:
        """Have addresses asked for again that failed in the latest run: now if it runs, else by `run`.

        These addresses, or all that ended so (`what`, as `incidents` tells) and have a text in the address or the cause.
        """
        from trasmallo.project import control

        return control.retry(self, urls, what, text)

    def preview(self, exclude: Sequence[str]) -> Excluded:
        """What exclusions would remove: addresses that wait, and pages that are stored."""
        from trasmallo.project import control

        return control.preview(self, exclude)

    def _change(self, key: str, texts: Sequence[str], *, remove: bool) -> tuple[str, ...]:
        from trasmallo.project.settings import change_texts

        known = getattr(self.config.crawl, key)
        if remove and (strange := [text for text in texts if text not in known]):
            problem = "{strange!r} is no text of `{key}`"
            how = "see them all with: trasmallo {key} {folder} --list"
            raise UsageError(problem, how, strange=strange[0], key=key, folder=self.folder)
        if not remove:
            config.build({"crawl": {key: list(texts)}}, Message("what you typed"))
        path = self.folder / config.FILE_NAME
        found = change_texts(path, key, *(((), texts) if remove else (texts, ())))
        self.config = msgspec.structs.replace(self.config, crawl=msgspec.structs.replace(self.config.crawl, **{key: found}))
        return found

    def _need_seeds(self) -> None:
        if not self.config.crawl.seeds:
            raise ConfigError(
                "{folder} has no addresses to start from",
                "add some to `seeds` in {file}",
                folder=self.folder,
                file=self.folder / config.FILE_NAME,
            )

    @contextmanager
    def _stages(self) -> Iterator[Stages]:
        """The stages of the project's runs, while nobody else works on it."""
        from trasmallo.pipeline.executors.choice import choose_executor
        from trasmallo.pipeline.site_selection import without_sites
        from trasmallo.pipeline.stages import Stages
        from trasmallo.study.word_lists import resolve_lists

        resolve_lists(self.config.study, self.folder)
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        config = without_sites(self.config, self.folder)
        with hold(self.folder), choose_executor(config) as executor:
            yield Stages(self.folder, config, self.bus, executor)


def _known_host(written: str, known: Collection[str], problem: str) -> str:
    """A host as the collection knows it, which may be written as an address; raises NotFound that names the nearest."""
    name = checked_text(written, "host").strip().lower()
    found = host_of(name) if "://" in name else name.rstrip("/")
    if found not in known:
        near = nearest(found, list(known)) if known else ""
        repair = "did you mean {near!r}? `trasmallo sites DIR` lists them" if near else "`trasmallo sites DIR` lists them"
        raise NotFound(problem, repair, host=found[:80], near=near)
    return found


def _name_of(folder: Path) -> str:
    """A project is called like its folder, as far as a name allows."""
    name = "".join(letter if letter.isalnum() or letter in " ._-" else "-" for letter in folder.resolve().name)
    return name.lstrip(" .-")[:64] or "crawl"
