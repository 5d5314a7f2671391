"""The facade and its verbs."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from support.command_line import hurried
from trasmallo import config
from trasmallo.demo.site import Site
from trasmallo.events import Warned
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.values.errors import ConfigError, DocumentError, UrlError, UsageError


def test_a_new_project_can_be_opened(tmp_path: Path) -> None:
    made = Project.new(tmp_path / "Mi corpus!", ["HTTP://a.es"], language="en", delay=2.0)
    opened = Project.open(tmp_path / "Mi corpus!")
    assert opened.config == made.config
    assert (opened.config.name, opened.config.language, opened.config.crawl.delay) == ("Mi corpus-", "en", 2.0)
    assert opened.config.crawl.seeds == ("http://a.es/",)
    with pytest.raises(ConfigError, match="already holds a project: change "):
        Project.new(tmp_path / "Mi corpus!")


def test_a_refused_project_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UrlError):
        Project.new(tmp_path / "p", ["nonsense"])
    with pytest.raises(ConfigError):
        Project.new(tmp_path / "p", ["http://a.es/"], lines=0)
    assert not (tmp_path / "p").exists()


@pytest.mark.parametrize("name", ["...", "-", "ñandú", "日本", "x" * 200])
def test_any_folder_name_gives_a_project_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name if name != "..." else tmp_path / "…"
    assert Project.new(folder).config.name


def test_keywords_win_over_the_file(tmp_path: Path) -> None:
    Project.new(tmp_path, ["http://a.es/"])
    assert Project.open(tmp_path, pages=7, exclude=["x"]).config.crawl.pages == 7
    assert Project.open(tmp_path).config.crawl.pages == 0
    with pytest.raises(ConfigError, match="unknown key `crawl.page`: did you mean `pages`"):
        Project.open(tmp_path, page=7)


def test_without_addresses_or_runs_there_is_a_hint(tmp_path: Path) -> None:
    project = Project.new(tmp_path)
    with pytest.raises(ConfigError, match=r"has no addresses to start from: add some to `seeds`"):
        project.run()
    for verb in (project.clean, project.status, project.summary):
        with pytest.raises(UsageError, match="has no results yet: make some with: trasmallo run"):
            verb()


def test_a_refused_import_leaves_no_run(tmp_path: Path) -> None:
    project = Project.new(tmp_path / "p")
    (tmp_path / "text").write_text("hola")
    for path in (tmp_path / "none", tmp_path / "text"):
        with pytest.raises(DocumentError):
            project.import_file(path)
    assert run_folders.find(project.runs) == []


def test_a_run_is_named_or_the_latest(finished: Project) -> None:
    (run,) = run_folders.find(finished.runs)
    with finished.tables(run.name) as named, finished.tables() as latest:
        assert named.number("words") == latest.number("words")
    with pytest.raises(UsageError, match=f"there is no run 'x': choose one of {run.name}"), finished.tables("x"):
        pass


def test_crawl_then_run_then_new(site: Site, tmp_path: Path) -> None:
    project = hurried(tmp_path, site.seeds, pages=3)
    crawled = project.crawl()
    assert (crawled.state, crawled.pages, crawled.outcomes["fetched"]) == ("stopped", 0, 3)
    assert project.crawl().outcomes["fetched"] == 3, "nothing is fetched beyond the limit"
    ran = project.run()
    assert (ran.run, ran.state, ran.pages) == (crawled.run, "finished", 3)
    parts = run_folders.latest(project.runs).parts
    assert not parts.exists()
    names = {project.crawl(new=True).run, project.crawl(new=True).run, ran.run}
    assert len(names) == 3


def test_other_settings_read_again_without_crawling(site: Site, tmp_path: Path) -> None:
    project = hurried(tmp_path, site.seeds, pages=3)
    words = project.run().words
    asked = len(site.requests)
    text = (tmp_path / config.FILE_NAME).read_text().replace('method = "best"', 'method = "all"')
    (tmp_path / config.FILE_NAME).write_text(text)
    cleaned = Project.open(tmp_path).clean()
    assert cleaned.state == "finished"
    assert cleaned.words > words
    assert len(site.requests) == asked


def test_half_made_tables_do_not_hide_new_pages(site: Site, tmp_path: Path) -> None:
    """Killed while the tables were compiled, then run with a higher limit."""
    project = hurried(tmp_path, site.seeds, pages=2)
    project.crawl()
    run = run_folders.latest(project.runs)
    project.clean()
    run.mark("running")
    assert (run.folder / "pages.parquet").exists()
    assert Project.open(tmp_path, pages=4).run().pages == 4


def test_failures_are_logged_for_programs_that_listen(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    project = Project.new(tmp_path / "p", ["http://a.es/"])
    with caplog.at_level(logging.WARNING, logger="trasmallo"):
        project.bus.emit(Warned(message="the disk is slow"))
    assert [record.name for record in caplog.records] == ["trasmallo"]
