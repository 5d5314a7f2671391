"""The commands of forms and log-ins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    Project.new(tmp_path / "p", ["https://example.org/"])
    return tmp_path / "p"


def test_forms_are_listed_and_switched(trasmallo: Command, folder: Path) -> None:
    assert trasmallo("forms", folder).out == "No form was met: crawl first.\n"
    assert trasmallo("forms", folder, "--json").rows() == []
    assert trasmallo("forms", folder, "--on", "example.org", "--quiet") == Done(0, "", "")
    assert Project.open(folder).config.crawl.forms == ("example.org",)
    assert trasmallo("forms", folder, "--off", "example.org", "--quiet").code == 0
    assert Project.open(folder).config.crawl.forms == ()


def test_a_log_in_is_kept_listed_and_forgotten(trasmallo: Command, folder: Path, tmp_path: Path) -> None:
    assert trasmallo("login", folder).out == "No log-in is kept.\n"
    (tmp_path / "c.txt").write_text("example.org\tFALSE\t/\tTRUE\t4000000000\tsid\ts3cret\n")
    kept = trasmallo("login", folder, "example.org", "--cookies", tmp_path / "c.txt")
    assert kept.out == "The log-in for example.org is kept (cookies). The next run uses it.\n"
    listed = trasmallo("login", folder, "--json")
    assert [(row["host"], row["kind"]) for row in listed.rows()] == [("example.org", "cookies")]
    assert "s3cret" not in listed.out
    assert trasmallo("login", folder, "example.org", "--forget", "--json").rows() == []


def test_without_a_way_to_log_in_the_ways_are_named(trasmallo: Command, folder: Path) -> None:
    for more in ([], ["--basic", "a", "--digest", "b"]):
        refused = trasmallo("login", folder, "example.org", *more)
        assert refused.code == 2
        assert "one of --cookies, --basic, --digest, --bearer, --form" in refused.err
