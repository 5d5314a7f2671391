"""Commands that move the border of a project's crawl."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.lock import hold
from trasmallo.project.project import Project

Command = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Project.new(tmp_path / "p", ["https://example.org/"])
    return tmp_path / "p"


@pytest.mark.parametrize("verb", ["exclude", "include"])
def test_texts_are_added_listed_and_removed(trasmallo: Command, folder: Path, verb: str) -> None:
    assert trasmallo(verb, folder).out == f"`{verb}` is empty.\n"
    assert trasmallo(verb, folder, "deportes", "/tag/").out == f"`{verb}` has 2 now; the next run keeps to it.\n"
    assert trasmallo(verb, folder, "--list", "ignored") == Done(0, "deportes\n/tag/\n", "")
    assert trasmallo(verb, folder, "--remove", "deportes", "--json").value() == {verb: ["/tag/"], "process": 0}
    assert trasmallo(verb, folder, "x", "/tag/", "--quiet") == Done(0, "", "")
    assert getattr(Project.open(folder).config.crawl, verb) == ("/tag/", "x")


def test_who_works_on_the_project_is_named(trasmallo: Command, folder: Path) -> None:
    with hold(folder):
        assert "the crawl that runs (process " in trasmallo("exclude", folder, "deportes").out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("exclude", ""), "what you typed: `crawl.exclude` has '', which every address matches: write a part of"),
        (("include", "a\nb"), "what you typed: `crawl.include` has 'a\\nb', with a character that no address has: write it on"),
        (("exclude", "a" * 9_000), "which is longer than the 8192 characters of an address: write a shorter part of it"),
        (("exclude", "--remove", "b"), "'b' is no text of `exclude`: see them all with: trasmallo exclude "),
    ],
)
def test_bad_texts_are_refused_and_change_nothing(
    trasmallo: Command, folder: Path, arguments: tuple[str, ...], line: str
) -> None:
    before = (folder / "trasmallo.toml").read_bytes()
    refused = trasmallo(arguments[0], folder, *arguments[1:])
    assert refused.code == 2
    assert line in refused.refusal()
    assert (folder / "trasmallo.toml").read_bytes() == before
