"""Control of a project's run from another process, whoever started it: start, stop, pause, queue, retries."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.queue_search import QueueAnswer, QueueQuestion, search_folders
from trasmallo.crawl.retries import FAILED, request_retries
from trasmallo.crawl.revisit.budget import parse_budget
from trasmallo.crawl.scope import Scope
from trasmallo.pipeline import control_files
from trasmallo.project import inbox
from trasmallo.project.lock import holder
from trasmallo.results.run_counts import crawl_left
from trasmallo.store import pushed, run_folders
from trasmallo.values.errors import NoResults, ProjectBusy, ProjectError, UsageError, disk_errors
from trasmallo.values.messages import Message
from trasmallo.values.model import Fetch, Outcome

if TYPE_CHECKING:
    from trasmallo.project.queries import Queries

LOG = "run.log"
"""What a run that was started in the background printed, in the project's folder."""

_STARTING = 10.0
"""Seconds in which a command of ours must hold its project. Judgement: room for a busy machine."""

_POLL = 0.05
"""Seconds between two looks whether it does. Judgement: too short to be noticed."""


class Excluded(msgspec.Struct, frozen=True):
    """What exclusions would remove: of the addresses that wait, and pages that are stored already (they stay)."""

    waiting: int
    stored: int
    examples: tuple[str, ...]
    complete: bool


class Retried(msgspec.Struct, frozen=True):
    """So many addresses of a run are to be asked for again: by the process at work on it, or when it goes on if that is 0."""

    run: str
    addresses: int
    process: int


def start(project: Queries, *, new: bool = False) -> int:
    """Start `trasmallo run` as a process of its own that outlives us; its number, once it holds the project."""
    return _start(project, "run", str(project.folder.resolve()), *["--new"] * new)


def start_files(project: Queries) -> int:
    """Start to take in what changed in the folders and mailboxes of a project, as `start` does."""
    return _start(project, "run", str(project.folder.resolve()), "--files")


def start_revisit(project: Queries, budget: str = "") -> int:
    """Start `trasmallo revisit` as `start` does; raises UsageError for what is no budget, NoResults before the first run."""
    if budget:
        parse_budget(budget)
    if run_folders.last_completed(project.runs) is None:
        raise NoResults("{folder} has no results yet", "make some with: trasmallo run {folder}", folder=project.folder)
    return _start(project, "revisit", str(project.folder.resolve()), *(["--budget", budget] if budget else []))


def start_selection(project: Queries, host: str, *, put_back: bool = False) -> int:
    """Start to take a site out of the collection, or to put it back, as `start` does."""
    return _start(project, "sites", str(project.folder.resolve()), "--put-back" if put_back else "--take-out", host)


def start_import(project: Queries) -> int:
    """Start the study of the pages that were sent to a project, as `start` does; raises UsageError when there are none."""
    found = inbox.files(project.folder)
    if not found:
        raise UsageError("no pages were sent to this project", "send some with the browser extension")
    return _start(project, "import", str(found[-1].resolve()), "--into", str(project.folder.resolve()))


def start_pushes(project: Queries) -> int:
    """Start to take in what hubs pushed to a project, as `start` does; raises UsageError when nothing waits."""
    if not pushed.pushes(project.folder):
        raise UsageError("nothing that hubs pushed waits", "wait until one pushes")
    return _start(project, "import", str((project.folder / pushed.FOLDER).resolve()), "--into", str(project.folder.resolve()))


def start_repair(project: Queries, *, accept_loss: bool = False) -> int:
    """Start `trasmallo repair` as `start` does."""
    return _start(project, "repair", str(project.folder.resolve()), *["--accept-loss"] * accept_loss)


def need_peace(project: Queries) -> None:
    """Raise ProjectBusy when somebody works on a project."""
    if process := holder(project.folder):
        raise ProjectBusy(
            "process {process} already works on {folder}",
            "wait for it, or stop it first",
            process=process,
            folder=project.folder,
        )


def _start(project: Queries, *arguments: str) -> int:
    need_peace(project)
    return launch(project.folder, project.folder / LOG, *arguments)


def launch(folder: Path, log: Path, *arguments: str) -> int:
    """Start a command of ours as a process that outlives us and prints to `log`; its number, once it holds `folder`."""
    with disk_errors(log), log.open("w+b") as file:
        command = [sys.executable, "-P", "-m", "trasmallo", *arguments, "--quiet"]
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True, cwd=folder
        )
        # Somebody must ask for its end, or it stays a zombie as long as we live.
        threading.Thread(target=child.wait, daemon=True).start()
        return _settled(folder, child, file)


def stop(project: Queries, *, at_once: bool = False) -> int:
    """Have the run stop its downloads and analyse what is there, or finish at once; the process that was told."""
    process = _worker(project)
    try:
        os.kill(process, signal.SIGTERM if at_once else signal.SIGINT)
    except ProcessLookupError:  # it ended by itself meanwhile
        raise _idle(project) from None
    return process


def pause(project: Queries, *, paused: bool) -> int:
    """Have the run pause its downloads, or go on; the process that was told."""
    process = _worker(project)
    control_files.pause(run_folders.told_of(project.runs, working=True), paused=paused)
    return process


def pending(project: Queries, wanted: QueueQuestion) -> QueueAnswer:
    """What waits in the queue of the latest crawl, or of an older one that a run goes on with.

    It is asked of who works on it, or read from its files.
    """
    run = _queued(project.runs, working=bool(holder(project.folder)))
    if run is None or not run.frontier.is_dir():
        return QueueAnswer()
    if not holder(project.folder):
        answer = asyncio.run(search_folders(run.frontiers, wanted, project.config.crawl))
        if not holder(project.folder):  # who has begun to work meanwhile has changed what was read
            return answer
    return control_files.ask(run, wanted)


def _queued(runs: Path, *, working: bool) -> run_folders.Run | None:
    """The run whose queue is meant: that of who is `working`, else an older crawl that waits, else the latest that has one."""
    queued = [run for run in run_folders.find(runs) if run.manifest.kind in run_folders.QUEUED]
    if queued and working and (at_work := run_folders.told_of(runs, working=True)).manifest.kind in run_folders.QUEUED:
        return at_work
    left = crawl_left(run_folders.latest(runs)) if queued and not working else None
    return next((run for run in queued if left and run.name == left.run), queued[-1] if queued else None)


def retry(project: Queries, urls: Sequence[str], what: str, text: str) -> Retried:
    """Have addresses asked for again that failed in the latest run: these, or all of a kind and with a text in them."""
    from trasmallo.results.incidents import failures

    run = run_folders.told_of(project.runs, working=bool(holder(project.folder)))
    if what and what not in FAILED:
        raise UsageError(
            "{what!r} is no failure that can be tried again", "choose one of {failed}", what=what[:80], failed=", ".join(FAILED)
        )
    wanted = frozenset(urls)
    found = [fetch for fetch in failures(run, project.store) if _is_wanted(fetch, wanted, what, text.lower())]
    strange = sorted(wanted - {fetch.url for fetch in found})
    if strange or not found:
        problem = "{url!r} has not failed in {run}" if strange else "nothing of that kind has failed in {run}"
        how = "see what has with: trasmallo incidents {folder}"
        raise UsageError(problem, how, url="".join(strange[:1])[:200], run=run.name, folder=project.folder)
    request_retries(run.retry_folders, found)
    return Retried(run.name, len(found), holder(project.folder))


def _is_wanted(fetch: Fetch, urls: frozenset[str], what: str, text: str) -> bool:
    if fetch.outcome is Outcome.OFF_TOPIC and not (urls or what):  # left out by choice: only who names them wants them
        return False
    if (urls and fetch.url not in urls) or (what and fetch.outcome != what):
        return False
    return not text or text in fetch.url.lower() or text in fetch.cause.lower()


def preview(project: Queries, exclude: Sequence[str], most: int = 10) -> Excluded:
    """What some exclusions would remove, counted over all addresses that are known."""
    scope = Scope(CrawlConfig(scope="any", exclude=tuple(exclude)))
    seen = pending(project, QueueQuestion(exclude=tuple(exclude), limit=most))
    stored = [url for url in _stored(project) if scope.refuses(url)]
    examples = [*(waiting.url for waiting in seen.found), *stored]
    return Excluded(seen.matching, len(stored), tuple(examples[:most]), seen.complete)


def _stored(project: Queries) -> Sequence[str]:
    if not run_folders.find(project.runs):
        return ()
    return [str(row["url"]) for row in project.table("pages", columns=["url"])]


def _settled(folder: Path, child: subprocess.Popen[bytes], log: BinaryIO) -> int:
    """Wait until the child holds the project or has ended; its last line is the error when it ended badly.

    The log is open, since the project may be moved away meanwhile.
    """
    end = time.monotonic() + _STARTING
    while time.monotonic() < end:
        if holder(folder) == child.pid or child.poll() == 0:
            return child.pid
        if child.poll() is not None:
            log.seek(0)
            lines = log.read().decode(errors="replace").strip().splitlines() or [f"it ended with {child.returncode}"]
            raise ProjectError(Message(lines[-1].removeprefix("trasmallo: ")), "see {log}", log=log.name)
        time.sleep(_POLL)
    return child.pid


def _worker(project: Queries) -> int:
    process = holder(project.folder)
    if not process:
        raise _idle(project)
    return process


def _idle(project: Queries) -> UsageError:
    return UsageError("nobody works on this project now", "start it with: trasmallo run {folder}", folder=project.folder)
