"""The stages of a run, one after the other and again."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from support.command_line import hurried
from trasmallo.config import Config
from trasmallo.demo.site import Site
from trasmallo.events import Announced, Bus, CrawlEnded, Event, Failed, RunEnded, Warned
from trasmallo.pipeline.stages import Stages
from trasmallo.store import run_folders
from trasmallo.values.errors import ProjectError, UsageError


class Work:
    """The stages of a small project, and what they tell."""

    def __init__(self, folder: Path, config: Config) -> None:
        self.runs = folder / "runs"
        self.told: list[Event] = []
        bus = Bus()
        bus.listen(self.told.append)
        self.stages = Stages(folder, config, bus)

    def states(self) -> list[str]:
        return [event.state for event in self.told if isinstance(event, RunEnded)]


@pytest.fixture
def config(site: Site, tmp_path: Path) -> Config:
    return hurried(tmp_path, site.seeds, pages=4).config


def test_pages_are_crawled_then_cleaned_then_studied_again(config: Config, tmp_path: Path) -> None:
    first = Work(tmp_path, config)
    assert first.stages.crawl(new=False, read=False).documents == 0
    with pytest.raises(UsageError, match="no page of .* has been read yet"):
        first.stages.study()
    cleaned = first.stages.clean()
    assert cleaned.documents > 0
    assert first.states() == ["stopped", "finished"]

    other = Work(tmp_path, msgspec.structs.replace(config, clean=msgspec.structs.replace(config.clean, method="cetr")))
    assert other.stages.study().documents > 0
    assert [event.message for event in other.told if isinstance(event, Warned)] == [
        "[clean] has changed: the pages are read again before they are studied"
    ]
    assert len(run_folders.find(first.runs)) == 1


def test_a_finished_run_is_followed_by_another(config: Config, tmp_path: Path) -> None:
    seeds_only = msgspec.structs.replace(config.crawl, pages=0, depth=0)
    work = Work(tmp_path, msgspec.structs.replace(config, crawl=seeds_only))
    for _ in range(2):
        work.stages.crawl(new=False, read=True)
    assert work.states() == ["finished", "finished"], [event for event in work.told if isinstance(event, CrawlEnded | Warned)]
    assert len(run_folders.find(work.runs)) == 2
    assert not [event for event in work.told if isinstance(event, Announced)]


def test_after_a_limit_a_run_says_that_it_goes_on_and_does(config: Config, tmp_path: Path) -> None:
    work = Work(tmp_path, config)
    first = work.stages.crawl(new=False, read=True)
    waited = run_folders.latest(work.runs).status().counts.waiting
    assert (first.ended, first.outcomes["fetched"]) == ("the limit of 4 pages is reached", 4)
    second = work.stages.crawl(new=False, read=True)
    assert (second.run, second.outcomes["fetched"], second.ended) == (first.run, 8, "the limit of 8 pages is reached")
    assert second.pages == 8
    assert work.states() == ["finished", "finished"]
    assert [event.message for event in work.told if isinstance(event, Announced)] == [
        f"{first.run} goes on where the limit of 4 pages is reached: {waited:,} addresses wait, and limits count anew "
        "(--new starts another run)"
    ]
    assert work.stages.crawl(new=True, read=True).run != first.run


def test_a_limit_that_was_raised_is_one_of_the_whole_run(config: Config, tmp_path: Path) -> None:
    first = Work(tmp_path, config).stages.crawl(new=False, read=True)
    raised = Work(tmp_path, msgspec.structs.replace(config, crawl=msgspec.structs.replace(config.crawl, pages=6)))
    second = raised.stages.crawl(new=False, read=True)
    assert (second.run, second.outcomes["fetched"], second.ended) == (first.run, 6, "the limit of 6 pages is reached")
    (said,) = [event.message for event in raised.told if isinstance(event, Announced)]
    assert said.endswith("addresses wait (--new starts another run)")


def test_what_a_limit_left_waits_until_the_pages_are_read(config: Config, tmp_path: Path) -> None:
    work = Work(tmp_path, config)
    first = work.stages.crawl(new=False, read=False)
    read = work.stages.crawl(new=False, read=True)
    assert (read.run, read.outcomes["fetched"], read.pages) == (first.run, 4, 4)
    assert not [event for event in work.told if isinstance(event, Announced)]


def test_a_folder_is_taken_in_as_a_run_of_its_own(config: Config, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "page.html").write_text("<html lang=es><p>El gato duerme en la cocina y el perro ladra en la calle.</p></html>")
    work = Work(tmp_path, config)
    assert work.stages.import_file(folder).documents == 1
    (run,) = run_folders.find(work.runs)
    assert (run.manifest.kind, run.manifest.state) == ("import", "finished")


def test_without_a_network_a_run_says_so_at_once_and_the_next_one_asks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    def find_nobody(host: bytes, *_args: object, **_options: object) -> object:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    with monkeypatch.context() as offline:
        offline.setattr(socket, "getaddrinfo", find_nobody)
        config = hurried(tmp_path, ["http://one.example.org/", "http://two.example.org/"]).config
        work = Work(tmp_path, config)
        with pytest.raises(ProjectError, match=r"there is no network \(addresses of \S+ that wait: 2\): connect") as told:
            work.stages.crawl(new=False, read=True)
    assert (told.value.exit_code, work.states()) == (1, ["stopped"])
    assert not [event for event in work.told if isinstance(event, Failed)], "no address is tried in vain, nor tried again"
    run = run_folders.latest(tmp_path / "runs")
    assert (run.manifest.ended, run.status().counts.waiting) == ("there is no network", 2)

    again = Work(tmp_path, msgspec.structs.replace(config, crawl=hurried(tmp_path / "other", site.seeds, pages=2).config.crawl))
    with suppress(ProjectError):
        again.stages.crawl(new=False, read=False)
    assert [folder.name for folder in run_folders.find(tmp_path / "runs")] == [run.name], "the same run goes on"
