"""A document from all its sides; what strangers wrote is shown where nothing runs."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from warcio.archiveiterator import ArchiveIterator

from support.browsers.loopback_site import Site
from support.stored_pages import html
from trasmallo.project.project import Project
from web.conftest import Client
from web.views.conftest import Living


@pytest.fixture
def demo(enter: Callable[..., Client], played: Path) -> Client:
    return enter(played)


@pytest.fixture(scope="session")
def page(played: Path) -> dict[str, Any]:
    """The longest document of the demo."""
    return Project.open(played).table("pages", where=["drop=", "media=text/html"], sort="-words", limit=1)[0]


@pytest.mark.parametrize("tab", ["words", "page", "main", "slice", "versions"])
@pytest.mark.parametrize("language", ["es", "en"])
def test_every_side_has_a_page(demo: Client, page: dict[str, Any], tab: str, language: str) -> None:
    shown = demo.page(f"/p/demo/documents/{page['document']}?tab={tab}&lang={language}")
    assert page["url"] in shown


def test_words_stand_as_in_the_text_with_what_they_may_be(demo: Client, page: dict[str, Any], played: Path) -> None:
    twin = demo.json(f"/p/demo/documents/{page['document']}")
    words = twin["passage"]["words"]
    text = Project.open(played).table("texts", where=[f"document={page['document']}"])[0]["text"]
    assert "".join(word["before"] + word["text"] for word in words) == text[: words[-1]["end"]]
    assert any(len(word["readings"]) > 1 for word in words)
    assert all(word["text"] == text[word["start"] : word["end"]] for word in words)


def test_a_place_is_marked(demo: Client, page: dict[str, Any]) -> None:
    word = demo.json(f"/p/demo/documents/{page['document']}")["passage"]["words"][5]
    shown = demo.page(f"/p/demo/documents/{page['document']}?at={word['start']}-{word['end']}")
    assert shown.count("<mark") == 1
    assert f">{word['text']}</span></mark>" in shown


@pytest.mark.parametrize("what", ["page", "main", "slice&criterion=de"])
def test_a_stored_page_can_do_nothing(demo: Client, page: dict[str, Any], what: str) -> None:
    answer = demo.get(f"/p/demo/documents/{page['document']}/stored?what={what}")
    policy = answer.headers["content-security-policy"]
    assert answer.status_code == 200
    assert policy.startswith("sandbox; default-src 'none'")
    assert "script-src" not in policy
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert len(answer.text) > 200


def test_frames_are_sandboxed(demo: Client, page: dict[str, Any]) -> None:
    shown = demo.page(f"/p/demo/documents/{page['document']}?tab=page")
    assert '<iframe class="stored" sandbox referrerpolicy="no-referrer"' in shown


def test_a_slice_tells_what_it_found(demo: Client, page: dict[str, Any]) -> None:
    twin = demo.json(f"/p/demo/documents/{page['document']}?tab=slice&criterion={quote('de AND la')}")
    assert twin["matches"] > 0
    address = f"/p/demo/documents/{page['document']}?tab=slice&criterion=ser"
    assert demo.json(f"{address}&forms=true")["matches"] > demo.json(address)["matches"]
    assert "forms=true" in demo.page(f"{address}&forms=true").partition("<iframe")[2]


def test_a_slice_reads_words_in_context(demo: Client, page: dict[str, Any]) -> None:
    address = f"/p/demo/documents/{page['document']}?tab=slice&criterion=ser&forms=true"
    by_forms, in_context = demo.json(address), demo.json(f"{address}&in_context=true")
    assert 0 < in_context["matches"] <= by_forms["matches"]
    assert "in_context=true" in demo.page(f"{address}&in_context=true").partition("<iframe")[2]
    assert "--in-context" in in_context["command"]
    assert "nothing to read in context" in demo.json(address.replace("forms", "in_context"))["problem"]


def test_a_slice_looks_where_it_is_told(demo: Client, page: dict[str, Any]) -> None:
    address = f"/p/demo/documents/{page['document']}?tab=slice&criterion=body"
    assert demo.json(f"{address}&where=text")["matches"] == 0
    twin = demo.json(f"{address}&where=elements")
    assert (twin["matches"], twin["command"].endswith("--in elements")) == (1, True)
    shown = demo.page(f"{address}&where=elements&lang=es")
    assert "where=elements" in shown.partition("<iframe")[2]
    assert "nombres de elementos" in shown


TREE = '<criterio valor="xyzzy"><palabra valor="{word}"/></criterio>'


def test_a_slice_by_a_tree_of_related_words(demo: Client, page: dict[str, Any]) -> None:
    words = demo.json(f"/p/demo/documents/{page['document']}")["passage"]["words"]
    word = next(one["text"] for one in words if len(one["text"]) > 5)
    tree = quote(TREE.format(word=word))
    address = f"/p/demo/documents/{page['document']}?tab=slice&criterion=xyzzy&related={tree}"
    twin = demo.json(f"{address}&tolerance=meaning:1")
    assert (twin["matches"], twin["related"][0]) == (0, f"{word.lower()} (1)")
    assert "--related tree.xml" in twin["command"]
    assert "related=" in demo.page(f"{address}&tolerance=meaning:1").partition("<iframe")[2]
    frame = demo.get(twin["frame"]).text
    assert word in frame
    refused = demo.page(f"{address}&lang=es")
    assert "necesita una tolerancia por significado" in refused
    assert "<iframe" not in refused
    assert "no contiene ninguna palabra relacionada" in demo.page(
        f"/p/demo/documents/{page['document']}?tab=slice&criterion=de&tolerance=meaning:1&related=gato&lang=es"
    )
    assert demo.get(f"{address}{'x' * 4_000}").status_code == 400


@pytest.mark.parametrize(("asked", "at"), [("criterion=de+AND+(", 7), ("criterion=de&tolerance=much", -1)])
def test_what_is_wrong_with_a_slice_is_told_beside_what_was_typed(
    demo: Client, page: dict[str, Any], asked: str, at: int
) -> None:
    address = f"/p/demo/documents/{page['document']}?tab=slice&{asked}"
    twin = demo.json(address)
    assert (bool(twin["problem"]), twin["at"], twin["frame"]) == (True, at, "")
    shown = demo.page(address)
    assert page["url"] in shown
    assert 'role="alert"' in shown
    assert '<mark class="mistake">' in shown or at < 0
    assert "<iframe" not in shown


def test_a_slice_without_a_match_says_so(demo: Client, page: dict[str, Any]) -> None:
    address = f"/p/demo/documents/{page['document']}?tab=slice&criterion=xyzzy"
    shown = demo.page(address)
    assert "Nothing on this page matches." in shown
    assert "<iframe" not in shown
    assert "<iframe" in demo.page(address + "&inverse=true"), "the whole page speaks of something else"


def test_the_record_can_be_saved(demo: Client, page: dict[str, Any]) -> None:
    answer = demo.get(f"/p/demo/documents/{page['document']}/record")
    assert answer.headers["content-disposition"].startswith("attachment")
    (record,) = ArchiveIterator(io.BytesIO(answer.content))
    assert record.rec_headers.get_header("WARC-Target-URI") == page["url"]


def test_versions_are_listed_and_compared(demo: Client, page: dict[str, Any]) -> None:
    address = f"/p/demo/documents/{page['document']}?tab=versions"
    twin = demo.json(address)
    (version,) = twin["history"]["versions"]
    assert version["digest"] == page["digest"]
    assert twin["command"].endswith(f" {page['url']}")
    compared = demo.json(f"{address}&before=1&after=1")["compared"]
    assert {row["same"] for row in compared["rows"]} == {True}
    assert demo.get(f"{address}&before=1&after=9").status_code == 400


def test_versions_of_a_revisit_stand_side_by_side(alive: Client, living: Living) -> None:
    (page,) = [row for row in living.project.table("pages") if str(row["url"]).endswith("/gatos")]
    address = f"/p/diario/documents/{page['document']}?tab=versions"
    history = alive.json(address)["history"]
    assert [version["visits"] for version in history["versions"]] == [1, 2], "an answer without a body is a visit, no version"
    assert [visit["version"] for visit in history["visits"]] == [1, 2, 2]
    shown = alive.page(f"{address}&before=1&after=2")
    assert "<del>Los gatos duermen en los tejados.</del>" in shown
    assert "<ins>Los gatos juegan con un ovillo azul.</ins>" in shown
    assert shown.count("Llueve en la ciudad vieja desde ayer por la tarde.") == 2, "what is the same stands on both sides"
    record = alive.get(f"/p/diario/documents/{page['document']}/record?version={history['versions'][0]['at']}")
    assert record.status_code == 200


@pytest.mark.parametrize("document", ["0123456789abcdef", "x", "..%2f..", "' OR 1=1", "0" * 400])
def test_another_document_is_not_there(demo: Client, document: str) -> None:
    answer = demo.get(f"/p/demo/documents/{quote(document)}")
    assert answer.status_code == 404
    assert "choose one of the table of pages" in answer.text or "begin at /" in answer.text


@pytest.mark.parametrize("query", ["at=abc", "at=5", "begin=-1", "tab=nothing", "before=-1", "tolerance=" + "9" * 100])
def test_what_does_not_fit_is_refused(demo: Client, page: dict[str, Any], query: str) -> None:
    assert demo.get(f"/p/demo/documents/{page['document']}?{query}").status_code == 400


def test_what_is_suggested_is_found(demo: Client, page: dict[str, Any]) -> None:
    address = f"/p/demo/documents/{page['document']}?tab=slice"
    examples = demo.json(address)["examples"]
    assert len(examples) == 3
    assert demo.json(f"{address}&criterion={quote(examples[0])}")["matches"] > 0
    assert demo.json(f"{address}&criterion={quote(examples[1])}")["matches"] > 0


def test_frames_come_from_the_store(enter: Callable[..., Client], home: Path) -> None:
    with Site() as site:
        site.add("/in.html", html("Dentro del marco.").decode())
        frames = "<frame src=in.html><frame src=gone.html>"
        url = site.add("/", f"<html lang=es><head><title>Marcos</title></head><frameset>{frames}</frameset>")
        project = Project.new(home / "framed", [url], delay=0.0, sitemaps=False, processes=1)
        project.run()
    (framed,) = project.table("pages", where=[f"url={url}"])
    client = enter()
    address = f"/p/framed/documents/{framed['document']}"
    assert client.json(f"{address}?tab=slice&criterion=dentro")["matches"] == 1
    for what in ("main", "slice&criterion=dentro"):
        assert " del marco. El barco salió" in client.get(f"{address}/stored?what={what}").text
