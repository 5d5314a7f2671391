"""What users of the workbench meet in real corpora: endless words, other scripts, emoji, two windows, runs that go away."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest

from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.web.app import build
from trasmallo.web.guard import AppDoor
from web.conftest import HOST, TOKEN, Client

LONG = "supercali" * 55 + "fragil"
"""A word of 501 letters."""

HEBREW, EMOJI, COMBINED = "שלום", "👩‍👩‍👧", "cafe\u0301"
TEXTS = (
    f"El barco {LONG} salió del puerto. El barco volvió al puerto.",
    f"Dijo {HEBREW} עולם y se marchó del puerto. قال مرحبا بالعالم en el puerto.",
    f"Un {COMBINED} {EMOJI} en el puerto, y otro café 🚢🚢 junto al mar del puerto.",
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    pages = "".join(
        f"<DOC>\n<DOCNO>{number}</DOCNO>\n<DOCHDR>\nhttp://a{number}.example/\nHTTP/1.1 200 OK\n"
        "Content-Type: text/html; charset=utf-8\n</DOCHDR>\n"
        f"<html lang=es><title>{number}</title><p>{text}</p></html>\n</DOC>\n"
        for number, text in enumerate(TEXTS)
    )
    (tmp_path / "pages.trecweb").write_text(pages, encoding="utf-8")
    made = Project.new(tmp_path / "odd", name="odd", language="es")
    made.import_file(tmp_path / "pages.trecweb")
    return made


@pytest.fixture
def client(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    app = build(Workspace([project.folder]), AppDoor(TOKEN, frozenset({HOST})))
    found = Client(app, **{"Accept": "text/html", "Accept-Language": "es"})
    found.get(f"/?token={TOKEN}")
    return found


@pytest.mark.parametrize("word", [LONG, HEBREW, EMOJI, COMBINED, "café", "مرحبا"])
def test_any_word_has_its_page_and_its_lines(client: Client, word: str) -> None:
    page = client.page(f"/p/odd/word?word={quote(word)}")
    assert "problem" in client.json(f"/p/odd/word?word={quote(word)}")
    found = client.json(f"/p/odd/concordance?query={quote(word)}")
    if word != EMOJI:  # a picture is no word, and is told to be none
        assert found["found"]["hits"], found["problem"]
    assert len(page) < 500_000
    for place in ("search?query=", "tables/words?where=word%3D", "collocations?word=", "trend?word="):
        assert client.get(f"/p/odd/{place}{quote(word)}").status_code == 200, place


def test_two_windows_mark_the_same_lines_once(client: Client, project: Project) -> None:
    hits = client.json("/p/odd/concordance?query=puerto")["found"]["hits"]
    lines = [f"{hit['document']}:{hit['start']}:{hit['end']}" for hit in hits]
    with ThreadPoolExecutor(4) as windows:
        deeds = [
            windows.submit(client.send, "/p/odd/concordance/mark", query="puerto", group="mar", lines=lines) for _ in range(4)
        ]
        assert {deed.result().status_code for deed in deeds} == {303}
    assert len(project.line_group("mar")) == len(lines) == 6


def test_a_run_that_is_deleted_while_it_is_looked_at(client: Client, project: Project) -> None:
    (run,) = (path.name for path in project.runs.iterdir() if (path / "run.json").exists())
    places = [
        f"concordance?query=puerto&run={run}",
        f"tables/words?run={run}",
        f"word?word=puerto&run={run}",
        f"search?query=puerto&run={run}",
    ]
    for place in places:
        assert client.get(f"/p/odd/{place}").status_code == 200, place
    shutil.rmtree(project.runs / run)
    for place in places:
        answer = client.get(f"/p/odd/{place}")
        assert answer.status_code in (200, 404), place
        assert "Traceback" not in answer.text
    assert client.get("/p/odd").status_code == 200
