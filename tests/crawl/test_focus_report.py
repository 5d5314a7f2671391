from __future__ import annotations

from pathlib import Path

from trasmallo.crawl.focus import Hub
from trasmallo.crawl.focus_report import FocusReport, HarvestPoint, add_reports, read_report, write_report


def test_reports_are_kept_and_those_of_workers_add_up(tmp_path: Path) -> None:
    assert read_report(tmp_path) == FocusReport()
    points = (HarvestPoint(pages=30, on_topic=20, lately=0.6),)
    one = FocusReport(
        pages=30, on_topic=20, unfocused=5.0, harvest=points, hubs=(Hub(url="a", title="", share=0.5, followed=2),)
    )
    write_report(tmp_path, one)
    assert read_report(tmp_path) == one
    two = FocusReport(pages=10, on_topic=1, unfocused=1.0, hubs=(Hub(url="b", title="", share=0.9, followed=9),), notes=("x",))
    both = add_reports([one, FocusReport(), two])
    assert (both.pages, both.on_topic, both.unfocused, both.share) == (40, 21, 6.0, 21 / 40)
    assert [hub.url for hub in both.hubs] == ["b", "a"]
    assert both.harvest == points
    assert both.notes == ("x",)
    assert add_reports([]) == FocusReport()
    assert FocusReport().share is None
