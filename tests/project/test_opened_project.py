"""A project as somebody has opened it."""

from __future__ import annotations

import pytest

from trasmallo.project.project import Project
from trasmallo.values.errors import ConfigError, TrasmalloError


def test_keywords_win_over_the_file(unfinished: Project) -> None:
    assert Project.open(unfinished.folder, pages=7).config.crawl.pages == 7
    with pytest.raises(ConfigError, match="pags"):
        Project.open(unfinished.folder, pags=7)


def test_a_project_without_limits_is_itself(unfinished: Project) -> None:
    assert unfinished.whole() is unfinished
    assert not unfinished.restricted
    assert unfinished.home == unfinished.folder


def test_a_run_that_is_not_there_and_a_user_that_nobody_is(finished: Project) -> None:
    with pytest.raises(TrasmalloError, match="there is no run"):
        finished.as_of("nonsense")
    with pytest.raises(TrasmalloError, match="nobody-of-this-name"):
        Project.open(finished.folder, user="nobody-of-this-name")


def test_as_of_a_run_only_that_copy_answers_for_it(finished: Project) -> None:
    name = finished.run_named().name
    chosen = finished.as_of(name)
    assert chosen is not finished
    assert chosen.run_named().name == name
