"""Entities in corpus queries."""

from __future__ import annotations

import pytest

from support.entity_project import make_entity_project
from trasmallo.project.project import Project
from trasmallo.results.concordance.lines import written
from trasmallo.values.errors import UsageError


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return make_entity_project(tmp_path_factory.mktemp("spans"))


def hits(project: Project, query: str) -> list[str]:
    return sorted(written(hit.hit) for hit in project.kwic(query, keep="longest").hits)


def test_tokens_are_found_by_the_kind_of_their_entity(project: Project) -> None:
    assert hits(project, '[ent="DRUG"]') == ["aspirinas", "ibuprofeno"]
    assert hits(project, '[ent="QUANTITY|DOSE"]+') == ["500 mg", "mg"]
    assert len(hits(project, '[ent="LOC"]')) == 3
    assert hits(project, '[ent="ZZZ"]') == []


def test_and_by_its_name_whatever_is_written(project: Project) -> None:
    found = project.kwic('[entity="Ana Pérez" & ent="PER"]')
    assert (found.total, found.documents) == (7, 3)
    assert hits(project, '[ent="PER"]+ [lemma="vivir"] [] [ent="LOC"]') == ["Ana Pérez vive en Soria", "Pérez vive en Soria"]


def test_a_decision_changes_the_answer(project: Project) -> None:
    project.merge_entities(["Juan Gómez"], "Juan Gómez Ruiz", "PER")
    assert project.kwic('[entity="Juan Gómez Ruiz"]').total == 4
    project.undo_decision()
    assert project.kwic('[entity="Juan Gómez Ruiz"]').total == 0


def test_points_are_of_tokens_alone(project: Project) -> None:
    with pytest.raises(UsageError, match="names no token"):
        project.kwic('[ent="LOC"]', sort="ent/1")
