from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done, hurried
from trasmallo.demo.site import Site
from trasmallo.project.project import Project

Command = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Project.new(tmp_path / "p", ["https://example.org/"])
    return tmp_path / "p"


def test_a_topic_is_said_shown_and_forgotten(trasmallo: Command, folder: Path) -> None:
    assert trasmallo("topic", folder).out == "No topic: the crawl follows all links.\n"
    assert trasmallo("topic", folder, "vela", "latina").out == "topic: vela, latina\n"
    (shown,) = trasmallo("topic", folder, "--show", "ignored", "--json").rows()
    assert shown["terms"] == ["vela", "latina"]
    assert trasmallo("topic", folder, "--remove", "--quiet") == Done(0, "", "")
    assert Project.open(folder).topics() == []


def test_marks_say_what_they_change(trasmallo: Command, folder: Path) -> None:
    assert trasmallo("mark", folder).out == "No marks.\n"
    assert trasmallo("mark", folder, "https://example.org/a", "yes").out == "https://example.org/a: yes; 1 mark in all.\n"
    assert "and was yes" in trasmallo("mark", folder, "https://example.org/a", "no").out
    (row,) = trasmallo("mark", folder, "--json").rows()
    assert (row["url"], row["on_topic"]) == ("https://example.org/a", False)
    assert trasmallo("mark", folder, "https://example.org/a", "none", "--json").value()["marks"] == 0
    refused = trasmallo("mark", folder, "https://example.org/a")
    assert refused.code == 2
    assert "add yes, no or none" in refused.err
    assert (
        "'perhaps' is not one of 'yes', 'no', 'none'" in trasmallo("mark", folder, "https://example.org/a", "perhaps").refusal()
    )


def test_a_focused_crawl_tells_how_well_it_goes(trasmallo: Command, tmp_path: Path, site: Site) -> None:
    project = hurried(tmp_path / "p", site.seeds[:1], pages=12, lines=1)
    assert "No page was judged" in trasmallo("focus", project.folder).out
    assert trasmallo("topic", project.folder, "mar", "pesca").code == 0
    assert trasmallo("crawl", "--into", project.folder, "--quiet").code == 0
    told = trasmallo("focus", project.folder, "--json").value()
    assert told["pages"] > 0
    assert "pages are on topic" in trasmallo("focus", project.folder).out
    waiting = trasmallo("pending", project.folder, "--json").rows()
    assert all(row["why"] and 0 <= row["score"] <= 1 for row in waiting)
    assert any("its page is" in row["why"] for row in waiting)


def test_pages_off_topic_are_left_out_by_choice_and_counted(trasmallo: Command, tmp_path: Path, site: Site) -> None:
    project = hurried(tmp_path / "p", site.seeds[:1], lines=1)
    trasmallo("topic", project.folder, "mar", "pesca")
    assert trasmallo("run", project.folder, "--topicality", "0.5", "--pages", "12", "--quiet").code == 0
    told = trasmallo("incidents", project.folder, "--json").rows()
    dropped = [row for row in told if row["what"] == "off topic"]
    assert dropped
    assert all("less than 0.50" in row["cause"] for row in dropped)
    assert trasmallo("status", project.folder, "--json").value()["outcomes"]["off topic"] == len(dropped)
    pages = {row["url"] for row in trasmallo("list", project.folder, "pages", "--json").rows()}
    assert not pages & {row["url"] for row in dropped}
    wanted = dropped[0]["url"]
    trasmallo("mark", project.folder, wanted, "yes")
    assert trasmallo("retry", project.folder, "--text", wanted).code == 2, "what failed is tried again, not what was left out"
    assert trasmallo("retry", project.folder, wanted, "--quiet").code == 0
    assert trasmallo("run", project.folder, "--topicality", "0.5", "--quiet").code == 0
    assert wanted in {row["url"] for row in trasmallo("list", project.folder, "pages", "--json").rows()}
    wrong = trasmallo("run", project.folder, "--topicality", "2")
    assert wrong.code == 2
    assert "topicality" in wrong.err
