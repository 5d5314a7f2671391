"""The sitemap of a folder: shown, taken away, and never written into the folder."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest

from support.command_line import call
from trasmallo.crawl.discover import sitemaps
from trasmallo.crawl.discover.sitemaps import read_sitemap
from trasmallo.web.guard import AppDoor
from web.conftest import HOST, TOKEN, Client

BASE = "https://example.org/"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    site = tmp_path / "sitio web"
    (site / "docs").mkdir(parents=True)
    for name in ("index.html", "docs/año & más.html", "docs/uno.pdf", "logo.png"):
        (site / name).write_text("x")
    return site


def asked(folder: Path | str, base: str = BASE, **more: str) -> str:
    return "?" + urlencode({"folder": str(folder), "base": base, **more})


def test_it_is_shown_and_taken_away(client: Client, folder: Path, tmp_path: Path) -> None:
    before = sorted(folder.rglob("*"))
    twin = client.json("/sitemap" + asked(folder))
    assert (twin["number"], [file["name"] for file in twin["files"]]) == (3, ["sitemap.xml"])
    page = client.page("/sitemap" + asked(folder))
    assert "docs/uno.pdf" in page and "/sitemap/files?" in page
    answer = client.get("/sitemap/files" + asked(folder))
    assert (answer.status_code, "sitemap.xml" in answer.headers["content-disposition"]) == (200, True)
    found = {entry.url for entry in read_sitemap(answer.content, BASE).entries}
    assert found == {entry["url"] for entry in twin["entries"]}
    assert sorted(folder.rglob("*")) == before, "nothing is written there"
    assert call(*twin["command"].split()[1:2], folder, "--base", BASE, "--into", tmp_path / "out").code == 0
    assert (tmp_path / "out" / "sitemap.xml").read_bytes() == answer.content


def test_many_documents_are_a_zip_file(client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "FILE_URLS", 2)
    twin = client.json("/sitemap" + asked(folder, gzip="true"))
    names = ["sitemap.xml.gz", "sitemap-0001.xml.gz", "sitemap-0002.xml.gz"]
    assert [file["name"] for file in twin["files"]] == names
    answer = client.get("/sitemap/files" + asked(folder, gzip="true"))
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.namelist() == names
        index = read_sitemap(packed.read(names[0]), BASE)
    assert index.children == tuple(BASE + name for name in names[1:])


@pytest.mark.parametrize(
    ("question", "field"),
    [(asked("/nowhere/at all"), "folder"), (asked("relative"), "folder"), (asked("/tmp", "no address"), "base")],
)
def test_a_mistake_is_told_beside_its_field(client: Client, question: str, field: str) -> None:
    twin = client.json("/sitemap" + question)
    assert (twin["field"], twin["files"]) == (field, [])
    assert f'id="error-{field}"' in client.page("/sitemap" + question)
    assert client.get("/sitemap/files" + question).status_code in (400, 404, 422)


def test_the_empty_form_is_in_both_languages(client: Client) -> None:
    assert "Sitemap of a folder" in client.page("/sitemap")
    assert "Mapa de una carpeta" in client.page("/sitemap", headers={"Accept-Language": "es"})


def test_who_only_reads_sees_no_folders(enter: Callable[..., Client], folder: Path) -> None:
    reader = enter(door=AppDoor(TOKEN, frozenset({HOST}), read_only=True))
    assert reader.json("/sitemap" + asked(folder))["problem"] == "this app only shows results"
    assert reader.get("/sitemap/files" + asked(folder)).status_code >= 400
