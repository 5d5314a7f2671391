"""The scope of the app: chosen once, kept in the address."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def test_a_scope_goes_with_every_link(client: Any, played: Path, enter: Any) -> None:
    client = enter(played)
    name = played.name
    goto = client.get(f"/p/{name}/scope?text=language%3Den&to=/p/{name}/tables/pages?sort=url").headers["location"]
    assert goto == f"/p/{name}%3A%3Alanguage%3Den/tables/pages?sort=url"
    page = client.page(goto)
    assert f'/p/{name}%3A%3Alanguage%3Den/search"' in page
    assert 'value="language=en"' in page
    rows = client.json(f"/api/p/{name}%3A%3Alanguage%3Den/tables/pages")
    assert "--scope language=en" in rows["command"]
    assert ".subcorpus('language=en')" in rows["python"]
    assert rows["number"] < client.json(f"/api/p/{name}/tables/pages")["number"]
    back = client.get(f"/p/{name}%3A%3Alanguage%3Den/scope?to=/p/{name}%3A%3Alanguage%3Den/laws").headers["location"]
    assert back == f"/p/{name}/laws"


def test_what_is_no_scope_is_told(played: Path, enter: Any) -> None:
    client = enter(played)
    answer = client.get(f"/p/{played.name}/scope?text=wordz%3E3")
    assert answer.status_code == 400
    assert "wordz" in answer.text


def test_an_address_elsewhere_is_not_gone_to(played: Path, enter: Any) -> None:
    client = enter(played)
    answer = client.get(f"/p/{played.name}/scope?text=language%3Den&to=https://evil.example/")
    assert answer.headers["location"] == f"/p/{played.name}%3A%3Alanguage%3Den"


def test_files_name_the_scope_and_the_run(played: Path, enter: Any) -> None:
    client = enter(played)
    run = next((played / "runs").iterdir()).name
    for place in ("tables/words/export?", "concordance/export?query=de&", "search/export?query=mar&"):
        head = client.get(f"/p/{played.name}%3A%3Alanguage%3Des/{place}kind=csv").text.splitlines()[0]
        assert " --scope language=es | run " in head, head
        assert run in head
        assert "trasmallo/" in head
    assert "--scope" not in client.get(f"/p/{played.name}/tables/words/export?kind=csv").text.splitlines()[0]


def test_the_own_language_is_offered(played: Path, enter: Any) -> None:
    page = enter(played).page(f"/p/{played.name}")
    assert '<option value="language=es">' in page
    assert f"/p/{played.name}/scope?text=language%3Den&amp;to=" in page
