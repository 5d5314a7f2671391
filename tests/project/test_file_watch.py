"""Folders watched with the notifications of the system, from a file that is saved to a hit of the search."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from support import dovecot
from support.dovecot import PASSWORD, USER, Dovecot, letter
from support.waiting import until
from trasmallo.crawl.files.watching import EVENTS, POLLING
from trasmallo.crawl.logins.credentials import Login, logins_file, write_logins
from trasmallo.project import file_watch
from trasmallo.project.file_watch import FileWatch, WatchEvent, WatchTimes, need_roots, watch_files
from trasmallo.project.project import Project
from trasmallo.project.settings import write_values
from trasmallo.values.errors import NoResults, UsageError
from trasmallo.values.local_addresses import file_address

PATIENCE = 200.0
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("watched")
    (folder / "docs").mkdir()
    (folder / "docs" / "first.txt").write_text("El primer papel habla del puerto de Soria.")
    made = Project.new(folder / "p", [str(folder / "docs")])
    write_values(made.folder / "trasmallo.toml", {"study.analyses": ["search"]})
    made = Project.open(made.folder)
    made.run()
    return made


@contextmanager
def watched(
    project: Project,
    times: WatchTimes | None = None,
    *,
    poll: bool = False,
    start_run: Callable[[], object] | None = None,
    hear: Callable[[WatchEvent], object] = lambda _event: None,
) -> Iterator[list[WatchEvent]]:
    """A watch in a thread of its own, which is ready; `hear` is told of events as they happen."""
    events: list[WatchEvent] = []

    def tell(event: WatchEvent) -> None:
        hear(event)
        events.append(event)

    holder: list[tuple[FileWatch, asyncio.AbstractEventLoop]] = []

    async def run() -> None:
        watch = FileWatch(project.folder, project.config, tell, start_run=start_run, times=times, poll=poll)
        holder.append((watch, asyncio.get_running_loop()))
        await watch.run()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    try:
        until(lambda: any(event.what == "watching" for event in events), "the watch", PATIENCE)
        yield events
    finally:
        watch, loop = holder[0]
        loop.call_soon_threadsafe(watch.stop)
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the watch ends when it is told to"


def found(project: Project, query: str) -> list[str]:
    with suppress(NoResults):
        return [hit.url for hit in project.find(query).hits]
    return []


def docs(project: Project) -> Path:
    return Path(project.config.crawl.seeds[0].removeprefix("file://"))


def test_saved_renamed_and_deleted_is_found_so(project: Project) -> None:
    folder = docs(project)
    with watched(project) as events:
        assert [event.manner for event in events if event.what == "watching"] == [EVENTS]
        (folder / "nota.txt").write_text("Una nota sobre cangrejos y percebes.")
        until(lambda: found(project, "percebes"), "a saved file", PATIENCE)
        (folder / "nota.txt").rename(folder / "otra.txt")
        now = [file_address(str(folder / "otra.txt"))]
        until(lambda: found(project, "percebes") == now, "a moved file", PATIENCE)
        (folder / "otra.txt").unlink()
        until(lambda: not found(project, "percebes"), "a deleted file", PATIENCE)


def test_what_is_saved_as_soon_as_it_watches_is_heard(project: Project) -> None:
    def save(event: WatchEvent) -> None:
        if event.what == "watching":
            (docs(project) / "pronto.txt").write_text("Una caja de langostinos.")

    with watched(project, WatchTimes(polling=10_000.0, everything=10_000.0), hear=save):
        until(lambda: found(project, "langostinos"), "what was saved at once", PATIENCE)


def test_what_the_system_had_no_room_to_tell_is_found_when_it_is_silent_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = {str(docs(project) / f"{number}.txt") for number in range(2_000)}

    async def tells_too_little(_roots: object, stop: asyncio.Event) -> AsyncIterator[set[str]]:
        yield set()
        (docs(project) / "callada.txt").write_text("Una lonja con rodaballos.")
        yield many
        yield set()
        await stop.wait()

    monkeypatch.setattr(file_watch, "changed_paths", tells_too_little)
    with watched(project, WatchTimes(polling=10_000.0, everything=10_000.0)):
        until(lambda: found(project, "rodaballos"), "what nobody told of", PATIENCE)


def test_roots_without_notifications_are_looked_at(project: Project) -> None:
    with watched(project, WatchTimes(polling=0.1), poll=True) as events:
        told = [(event.manner, event.cause) for event in events if event.what == "watching"]
        assert told == [(POLLING, "as you asked")]
        (docs(project) / "lenta.txt").write_text("Una carta sobre centollos.")
        until(lambda: found(project, "centollos"), "a saved file", PATIENCE)


def test_a_root_that_was_away_is_heard_again(project: Project) -> None:
    folder, away = docs(project), docs(project).with_name("away")
    with watched(project, WatchTimes(polling=0.1, everything=10_000.0)) as events:
        folder.rename(away)
        until(lambda: any(event.what == "missing" for event in events), "that it is away", PATIENCE)
        away.rename(folder)
        until(lambda: sum(event.what == "watching" for event in events) == 2, "that it is back", PATIENCE)
        (folder / "vuelta.txt").write_text("Una red nueva con nécoras.")
        until(lambda: found(project, "nécoras"), "what was saved after that", PATIENCE)


@pytest.fixture
def mailbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Project, Dovecot]]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with dovecot.running() as server:
        made = Project.new(tmp_path / "p", [server.seed])
        login = Login(host="127.0.0.1", kind="basic", user=USER, secret=PASSWORD)
        write_logins(logins_file(made.folder), {"127.0.0.1": login})
        write_values(made.folder / "trasmallo.toml", {"study.analyses": ["search"]})
        yield Project.open(made.folder), server


def test_letters_that_come_while_it_watches_are_fetched_by_a_run(mailbox: tuple[Project, Dovecot]) -> None:
    made, server = mailbox
    server.deliver(letter(1, "Los percebes de la primera carta."))
    with watched(made, WatchTimes(calm=0.2), start_run=lambda: Project.open(made.folder).take_files()):
        until(lambda: found(made, "percebes"), "a letter that was there", PATIENCE)
        server.deliver(letter(2, "Los centollos de la segunda carta."), "Otra")
        server.deliver(letter(3, "Las nécoras de la tercera carta."))
        until(lambda: found(made, "nécoras"), "a letter that came", PATIENCE)
        until(lambda: found(made, "centollos"), "a letter in another folder", PATIENCE)


def test_a_watch_over_a_mailbox_where_nothing_happens_ends_at_once(mailbox: tuple[Project, Dovecot]) -> None:
    with watched(mailbox[0], WatchTimes(idle=100_000.0), start_run=lambda: None):
        until(lambda: any(each.name.startswith("mail") for each in threading.enumerate()), "the wait", PATIENCE)


def test_nothing_is_missed_in_random_operations(project: Project) -> None:
    chance, folder, texts = random.Random(5), docs(project) / "azar", {}
    folder.mkdir()
    with watched(project):
        for number in range(60):
            name = f"f{chance.randrange(12)}.txt"
            if name in texts and chance.random() < 0.4:
                (folder / name).unlink()
                del texts[name]
            else:
                texts[name] = f"zapato{number}q"
                (folder / name).write_text(f"Un papel con {texts[name]} dentro.")
        wanted = {file_address(str(folder / name)) for name in texts}
        until(lambda: set(found(project, f'papel folder:"{folder}"')) == wanted, "all of them", PATIENCE)
        assert all(found(project, text) for text in texts.values())


def test_what_was_saved_while_nobody_watched_is_found_when_it_begins(project: Project) -> None:
    (docs(project) / "antes.txt").write_text("Una lista de almejas.")
    with watched(project):
        until(lambda: found(project, "almejas"), "what was missed", PATIENCE)


def test_a_run_takes_it_in_and_what_was_early_is_forgotten(project: Project) -> None:
    (docs(project) / "final.txt").write_text("Un informe sobre mejillones de roca.")
    project.take_files()
    assert found(project, "mejillones")
    assert not list((project.folder / "early").glob("*"))
    assert project.take_files().ended == "nothing has changed"


def test_a_project_without_folders(tmp_path: Path) -> None:
    web = Project.new(tmp_path / "w", ["https://example.org/"])
    with pytest.raises(UsageError, match="starts from no folder"):
        need_roots(web.config, web.folder)
    with pytest.raises(UsageError, match="starts from no folder"):
        watch_files(web.folder, web.config, print, None, duration="1m")
