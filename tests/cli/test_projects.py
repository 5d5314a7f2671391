"""Commands that make, run and watch a project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.demo.site import Site
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_new_says_what_is_next(trasmallo: Command, tmp_path: Path) -> None:
    made = trasmallo("new", tmp_path / "a", "https://example.org/", "--language", "en")
    assert made == Done(0, f"Wrote {tmp_path / 'a' / 'trasmallo.toml'}. Next: trasmallo run {tmp_path / 'a'}\n", "")
    assert Project.open(tmp_path / "a").config.language == "en"
    assert trasmallo("new", tmp_path / "b", "--json").value()["config"]["language"] == "es"
    again = trasmallo("new", tmp_path / "a")
    assert again.code == 2
    assert again.refusal().endswith("or choose another folder")
    bad = trasmallo("new", tmp_path / "c", "--language", "spanish")
    assert (bad.code, (tmp_path / "c").exists()) == (2, False)


def test_status_and_incidents_before_a_run(trasmallo: Command, tmp_path: Path) -> None:
    trasmallo("new", tmp_path, "https://example.org/")
    for verb in ("status", "incidents", "clean"):
        done = trasmallo(verb, tmp_path)
        assert done.code == 2
        assert done.refusal() == f"trasmallo: {tmp_path} has no results yet: make some with: trasmallo run {tmp_path}"


def test_status_of_a_run(finished: Project, trasmallo: Command) -> None:
    status = trasmallo("status", finished.folder, "--json").value()
    assert (status["state"], status["process"]) == ("finished", 0)
    shown = trasmallo("status", finished.folder).out
    assert f"{status['run']}: finished" in shown
    assert "fetched" in shown


def test_crawl_makes_a_project_with_its_options(site: Site, trasmallo: Command, tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text(f"\ufeff# los tres sitios\n\n{site.seeds[0]}\n  {site.seeds[1]}\n", encoding="utf-8")
    folder = tmp_path / "p"
    done = trasmallo(
        "crawl", site.seeds[2], "--into", folder, "--seeds", seeds, "--pages", 3, "--delay", 0, "--exclude", "secreto",
        "--include", "*", "--lines", 2, "--depth", 1, "--scope", "host", "--json",
    )  # fmt: skip
    assert (done.code, done.value()["outcomes"]["fetched"], done.value()["state"]) == (0, 3, "stopped")
    crawl = Project.open(folder).config.crawl
    assert set(crawl.seeds) == set(site.seeds)
    assert (crawl.pages, crawl.delay, crawl.exclude, crawl.include) == (3, 0.0, ("secreto",), ("*",))
    assert (crawl.lines, crawl.depth, crawl.scope) == (2, 1, "host")
    again = trasmallo("crawl", "--into", folder, "--quiet", "--pages", 4)
    assert again == Done(0, "", "")
    assert Project.open(folder).summary().outcomes["fetched"] == 4
    assert Project.open(folder).config.crawl.pages == 3, "options win over the file and do not change it"


@pytest.mark.parametrize(
    ("seeds", "repair"),
    [(b"", "give some URLs, or a file of them with --seeds"), (b"http://a.es/\xf1", "in UTF-8 with an address a line")],
)
def test_seeds_that_are_none(trasmallo: Command, tmp_path: Path, seeds: bytes, repair: str) -> None:
    (tmp_path / "seeds").write_bytes(seeds)
    done = trasmallo("crawl", "--into", tmp_path / "p", "--seeds", tmp_path / "seeds")
    assert done.code == 2
    assert done.refusal().endswith(repair)
    assert not (tmp_path / "p").exists()


def test_an_import_that_is_refused_makes_no_project(trasmallo: Command, tmp_path: Path) -> None:
    done = trasmallo("import", tmp_path / "none", "--into", tmp_path / "p")
    assert done.code == 2
    assert done.refusal() == f"trasmallo: there is no file {tmp_path / 'none'}: check its name"
    assert not (tmp_path / "p").exists()
