"""Which project is followed, and when it is put on the timetable."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.project.project import Project
from trasmallo.project.timetable import Timetable
from trasmallo.values.errors import UsageError

URL = "https://example.org/"


def test_a_new_project_keeps_to_the_site_and_reads_its_sitemaps_and_feeds(tmp_path: Path) -> None:
    crawl = Project.to_follow(tmp_path / "p", [URL], language="en").config.crawl
    assert (crawl.seeds, crawl.scope, crawl.sitemaps, crawl.feeds, crawl.entries) == ((URL,), "host", True, True, True)
    assert Project.to_follow(tmp_path / "p", []).config.language == "en"
    assert Project.to_follow(tmp_path / "p", [URL]).config.crawl.seeds == (URL,)


def test_what_is_refused_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is nothing to follow"):
        Project.to_follow(tmp_path / "p", [])
    assert not (tmp_path / "p").exists()
    project = Project.to_follow(tmp_path / "p", [URL])
    with pytest.raises(UsageError, match="is no start address"):
        Project.to_follow(tmp_path / "p", ["https://other.example/"])
    table = tmp_path / "t.sqlite"
    for wrong in ({"every": "often"}, {"budget": "many"}):
        with pytest.raises(UsageError):
            project.follow(timetable=table, **wrong)  # nothing is run, either: there is no such host
    assert Timetable(table).entries() == []


def test_a_project_with_results_is_only_put_on_the_timetable(finished: Project, tmp_path: Path) -> None:
    table = tmp_path / "t.sqlite"
    found = finished.follow(every="6h", budget="50/day", timetable=table)
    assert Timetable(table).entries() == [found.entry]
    assert found.summary is None
    assert (found.entry.work, found.entry.when, found.entry.budget) == ("revisit", "every 6h", "50/day")
