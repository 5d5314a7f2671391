"""The calendar of planned visits, over a real collection."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from support.editable_web import EditableWeb
from trasmallo.pipeline.revisiting import open_planner
from trasmallo.pipeline.visit_calendar import make_calendar
from trasmallo.project.project import Project
from trasmallo.values.errors import UsageError

DAY = 86_400.0


@pytest.fixture
def project(tmp_path: Path) -> Project:
    with EditableWeb() as web:
        names = [f"/pueblo{number}" for number in range(5)]
        for name in names:
            web.write(name, f"Un texto sobre el pueblo {name} y sobre la gente que vive en él desde hace años.")
        web.write("/", "Lista de los pueblos de la comarca.", *names, "/nada")
        made = Project.new(tmp_path / "p", [web.url()], name="p", delay=0.0, address_delay=0.0, sitemaps=False)
        made.run()
    return made


def test_each_day_has_its_visits_and_one_can_be_opened(project: Project) -> None:
    now = time.time() + 1.5 * DAY
    with open_planner(project.folder, project.config, now) as planner:
        found = make_calendar(planner, 2, now, days=4)
    assert [day.visits for day in found.days] == [2, 2, 2, 2]
    with open_planner(project.folder, project.config, now) as planner:
        opened = make_calendar(planner, 2, now, date=found.days[3].date, days=4)
    assert opened.days == found.days
    assert [visit.seen for visit in opened.visits] < [now + 3 * DAY] * 2
    assert all("last seen" in visit.reason for visit in opened.visits)


def test_addresses_that_were_never_found_are_asked_for_again(project: Project) -> None:
    now = time.time() + 1.5 * DAY
    with open_planner(project.folder, project.config, now) as planner:
        again = planner.missing(now)
        assert [visit.url[-5:] for visit in again] == ["/nada"]
        assert not planner.missing(now - DAY), "not on the same day"
        chosen = planner.choose(now, 100)
        assert [visit.url for visit in chosen[-1:]] == [again[0].url]
        (reason,) = [visit.reason for visit in planner.explain(again, now)]
        assert reason == "never found: asked for once, 2 days ago"
        assert planner.choose(now, 5) == chosen[:5], "a small budget is for pages"
        make_calendar(planner, 100, now, days=1)
        assert not planner.missing(now + 1.9 * DAY), "twice as long each time"
        assert planner.missing(now + 2.1 * DAY)


def test_a_date_beyond_the_calendar_is_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="choose one from"):
        project.visit_calendar(date="2020-01-01")
