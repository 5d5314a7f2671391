"""The sites of a collection."""

from __future__ import annotations

from pathlib import Path

from support.runs import make_run
from trasmallo.results.database.tables import Tables
from trasmallo.results.site_counts import site_counts
from trasmallo.store.left_out_sites import LeftOutSite, leave_out


def test_sites_are_counted_the_largest_first(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    with Tables(run) as tables:
        found = site_counts(tables, tmp_path)
        assert [(site.host, site.pages, site.documents, site.words) for site in found] == [
            ("a0.es", 8, 8, 800),
            ("a1.es", 8, 8, 800),
            ("a2.es", 7, 7, 700),
            ("a3.es", 7, 7, 700),
        ]
        leave_out(tmp_path, {"a1.es": LeftOutSite("a1.es", 5.0)})
        after = site_counts(tables, tmp_path)
    assert [site.host for site in after] == ["a0.es", "a2.es", "a3.es", "a1.es"]
    assert (after[-1].taken_out, after[-1].documents) == (5.0, 0)
