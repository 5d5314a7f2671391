from __future__ import annotations

import re

import pytest

from trasmallo.project.project import Project
from trasmallo.web.views import FAMILIES, all_pages
from web.conftest import Client


def test_no_two_pages_have_one_address() -> None:
    addresses = [(page.method, page.path) for page in all_pages()]
    assert len(set(addresses)) == len(addresses)
    assert len(addresses) == sum(len(family.all) for family in FAMILIES)


@pytest.mark.parametrize("language", ["es", "en"])
def test_results_of_a_project_that_has_not_run_are_a_page_with_a_button(client: Client, cats: Project, language: str) -> None:
    assert cats.folder.name == "cats"
    button = {"es": "Ejecutar", "en": "Run"}[language]
    found = [page.path for page in all_pages() if page.method == "GET" and page.template and "{project}" in page.path]
    paths = [path.format(project="cats", table="words") for path in found if not re.search(r"\{(document|name|group)\}", path)]
    shown = []
    for path in paths:
        answer = client.get(path, headers={"Accept-Language": language})
        assert answer.status_code == 200, path
        said = re.sub(r"<[^>]*>", "", answer.text)
        assert "trasmallo run" not in said, f"{path}: who looks at a page has no terminal"
        shown += [path] if 'action="/p/cats/run"' in answer.text and f">{button}</button>" in answer.text else []
    assert {"/p/cats", "/p/cats/tables/words", "/p/cats/search", "/p/cats/laws", "/p/cats/neologisms"} <= set(shown)


def test_programs_are_told_that_there_are_no_results(client: Client, cats: Project) -> None:
    answer = client.get(f"/api/p/{cats.folder.name}/tables/words")
    assert answer.status_code == 400
    assert answer.json()["error"]["kind"] == "NoResults"
