"""Documents named on the command line."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from support.browsers.loopback_site import Site as Pages
from support.stored_pages import html
from trasmallo.clean.slicing.sliced import Filter
from trasmallo.demo.site import Site
from trasmallo.pipeline.documents import extract_from, load, slice_from
from trasmallo.values.errors import DocumentError, UrlError


def test_a_file_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.html").write_bytes(html("La farola."))
    assert load(str(tmp_path / "a.html")).content == html("La farola.")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hola")))
    assert load("-").content == b"hola"


def test_a_url_is_fetched_as_the_crawler_does(site: Site) -> None:
    redirect, target = next(iter(site.truth().redirects.items()))
    source = load(redirect)
    assert source.url == target
    assert (source.media, bool(source.content)) == ("text/html", True)
    assert extract_from(site.truth().pdf).text


@pytest.mark.parametrize("kind", ["forbidden", "missing", "login", "broken"])
def test_what_the_crawler_would_not_get_is_refused(site: Site, kind: str) -> None:
    url = min(getattr(site.truth(), kind))
    before = len(site.requests)
    with pytest.raises(DocumentError, match=url):
        load(url)
    asked = [request.path for request in site.requests[before:] if request.path != "/robots.txt"]
    assert len(asked) == (kind != "forbidden")


def test_refusals_end_with_the_repair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DocumentError, match=r"No such file.*: give a file, a URL, or - for standard input$"):
        load(str(tmp_path / "none"))
    with pytest.raises(DocumentError, match=r"Is a directory"):
        load(str(tmp_path))
    with pytest.raises(UrlError):
        load("gopher://a.es/")
    (tmp_path / "b").write_bytes(b"\x7fELF\x00")
    with pytest.raises(DocumentError, match=r"format not read.*: give a document in a format that trasmallo reads$"):
        extract_from(str(tmp_path / "b"))
    os.truncate(tmp_path / "b", 100_000_001)
    with pytest.raises(DocumentError, match="give a smaller document$"):
        load(str(tmp_path / "b"))


def test_frames_of_the_same_host_are_fetched() -> None:
    with Pages() as pages:
        pages.add("/robots.txt", "User-agent: *\nDisallow: /secret", Content_Type="text/plain")
        pages.add("/in.html", html("Dentro del marco.").decode())
        pages.add("/secret.html", html("Esto no se pide.").decode())
        frames = "<frame src=in.html><frame src=secret.html><frame src=none.html><frame src='http://a b/'>"
        url = pages.add("/", f"<html lang=es><head><title>Marcos</title></head><frameset>{frames}</frameset>")
        found = extract_from(url)
        assert (found.title, found.text.startswith("Dentro del marco.")) == ("Marcos", True)
        assert "Esto no se pide" not in found.page_text
        sliced = slice_from(url, [Filter("dentro")], "collapse")
        assert (sliced.count, "Esto no se pide" not in sliced.text) == (1, True)


def test_frames_beside_a_file_are_its_content(tmp_path: Path) -> None:
    (tmp_path / "in.html").write_bytes(html("Dentro del marco."))
    (tmp_path / "a.html").write_text("<p>Fuera</p><iframe src=in.html></iframe>", "utf-8")
    assert "Dentro del marco." in extract_from(str(tmp_path / "a.html")).text
