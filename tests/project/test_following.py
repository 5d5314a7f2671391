"""Which project is followed, and when it is put on the timetable."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.project.following import follow, open_followed
from trasmallo.project.project import Project
from trasmallo.project.timetable import Timetable
from trasmallo.values.errors import UsageError

URL = "https://example.org/"


def test_a_new_project_keeps_to_the_site_and_reads_its_sitemaps_and_feeds(tmp_path: Path) -> None:
    crawl = open_followed(tmp_path / "p", [URL], "en").config.crawl
    assert (crawl.seeds, crawl.scope, crawl.sitemaps, crawl.feeds, crawl.entries) == ((URL,), "host", True, True, True)
    assert open_followed(tmp_path / "p", []).config.language == "en"
    assert open_followed(tmp_path / "p", [URL]).config.crawl.seeds == (URL,)


def test_what_is_refused_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is nothing to follow"):
        open_followed(tmp_path / "p", [])
    assert not (tmp_path / "p").exists()
    project = open_followed(tmp_path / "p", [URL])
    with pytest.raises(UsageError, match="is no start address"):
        open_followed(tmp_path / "p", ["https://other.example/"])
    table = Timetable(tmp_path / "t.sqlite")
    for wrong in ({"every": "often"}, {"budget": "many"}):
        with pytest.raises(UsageError):
            follow(project, timetable=table, **wrong)  # nothing is run, either: there is no such host
    assert table.entries() == []


def test_a_project_with_results_is_only_put_on_the_timetable(finished: Project, tmp_path: Path) -> None:
    table = Timetable(tmp_path / "t.sqlite")
    found = follow(finished, every="6h", budget="50/day", timetable=table)
    assert found.summary is None
    assert (found.entry.work, found.entry.when, found.entry.budget) == ("revisit", "every 6h", "50/day")
