"""What the first pages of a site teach."""

from __future__ import annotations

from pathlib import Path

from trasmallo.crawl.browser.decision import Decision
from trasmallo.crawl.browser.site_labels import CHECK_EVERY, EXPIRES, SiteLabels

YES, NO = Decision(render=True, reason="a sign"), Decision(render=False, reason="no sign")


def test_two_good_runs_make_a_label_and_one_does_not() -> None:
    labels = SiteLabels()
    labels.learn("a", pays=False)
    assert labels.weigh("a", YES, lambda: 10) == YES
    labels.learn("a", pays=False)
    assert not labels.weigh("a", YES, lambda: 10).render
    assert labels.weigh("b", YES, lambda: 10) == YES


def test_a_site_that_pays_is_rendered_where_its_pages_say_little() -> None:
    labels = SiteLabels()
    labels.learn("a", pays=True)
    labels.learn("a", pays=True)
    assert labels.weigh("a", NO, lambda: 10).render
    assert labels.weigh("a", NO, lambda: 1_000) == NO


def test_a_label_is_looked_at_again_and_given_up_when_it_is_wrong() -> None:
    labels = SiteLabels()
    labels.learn("a", pays=False)
    labels.learn("a", pays=False)
    assert [labels.weigh("a", YES, lambda: 10).render for _ in range(CHECK_EVERY)].count(True) == 1
    labels.learn("a", pays=True)
    assert labels.weigh("a", YES, lambda: 10) == YES


def test_labels_expire_and_are_kept_between_sessions(tmp_path: Path) -> None:
    now = [1_000.0]
    labels = SiteLabels(tmp_path / "labels", lambda: now[0])
    labels.learn("a", pays=False)
    labels.learn("a", pays=False)
    labels.save()
    again = SiteLabels(tmp_path / "labels", lambda: now[0])
    assert not again.weigh("a", YES, lambda: 10).render
    now[0] += EXPIRES + 1
    assert again.weigh("a", YES, lambda: 10) == YES
    (tmp_path / "labels").write_text("{")
    assert SiteLabels(tmp_path / "labels").weigh("a", YES, lambda: 10) == YES
