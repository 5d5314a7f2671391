"""Names of projects with a scope, as they stand in addresses."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.project.scoped_names import scoped_name, split_name


@given(st.text().filter(lambda text: ":" not in text), st.text())
def test_both_come_back(project: str, scope: str) -> None:
    name = scoped_name(project, scope)
    assert split_name(name) == (project, scope)
    assert "/" not in name.removeprefix(project)


def test_another_scope_takes_its_place() -> None:
    assert scoped_name(scoped_name("press", "language=es"), "start=http://a.es/") == "press::start=http:%2F%2Fa.es%2F"
    assert scoped_name("press::language=es", "") == "press"
