"""A page's way from its record to its rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.stored_pages import HTML, html, store
from support.token_documents import columns
from trasmallo import plugins
from trasmallo.config import CleanConfig, StudyConfig
from trasmallo.pipeline.analysis.document import read_page
from trasmallo.results.registry import FromParts, made_by
from trasmallo.store.archive import ArchiveReader
from trasmallo.values.model import Drop

URL = "http://a.es/"


def rows(
    folder: Path, body: bytes, media: str = HTML, study: StudyConfig | None = None, **clean: Any
) -> dict[str, list[dict[str, Any]]]:
    (fetch,) = store(folder, {URL: body}, media)
    with ArchiveReader(folder / "archive") as reader:
        assert fetch.locator is not None
        record = reader.read(fetch.locator)
        settings = {"clean": CleanConfig(**clean), "study": study or StudyConfig()}
        found = read_page(fetch, record, **settings, language="es", agent="trasmallo")  # type: ignore[arg-type]
    tokens = found.pop("tokens", [])
    read: dict[str, list[dict[str, Any]]] = {table: msgspec.to_builtins(listed) for table, listed in found.items()}
    if tokens:
        read["tokens"] = [_named(one) for one in tokens]
    return read


def _named(found: Any) -> dict[str, Any]:
    words, lemmas, *_, starts, ends = columns(found)
    named = {"words": words, "lemmas": lemmas, "starts": starts, "ends": ends}
    return named | {"document": found.document, "language": found.language}


def test_a_page_gives_rows_for_every_table(tmp_path: Path) -> None:
    found = rows(tmp_path, html("La farola.", "<link rel=alternate href=/feed>").replace(b"</p>", b"<a href=/b>enlace</a></p>"))
    assert set(found) == {*made_by(FromParts), "tokens"}
    (page,) = found["pages"]
    assert (page["url"], page["host"], page["title"], page["language"], page["drop"]) == (URL, "a.es", "Título", "es", "")
    assert (page["words"], page["types"]) == (52, 16)
    assert {(link["url"], link["anchor"], link["rel"]) for link in found["links"]} == {
        ("http://a.es/b", "enlace", ""),
        ("http://a.es/feed", "", "alternate"),
    }
    assert sum(part["words"] for part in found["profiles"]) == page["words"]
    (tokens,), (text,) = found["tokens"], found["texts"]
    places = zip(tokens["starts"], tokens["ends"], strict=True)
    assert [text["text"][start:end] for start, end in places] == tokens["words"]
    assert (tokens["document"], tokens["language"]) == (page["document"], "es")


def test_words_that_nobody_lists_come_with_their_surroundings(tmp_path: Path) -> None:
    text = "La barcoteca abre de noche en Valdemarea, junto al muelle."
    found = rows(tmp_path, html(text))["unknown"]

    assert {(row["word"], row["kind"]) for row in found} == {("barcoteca", "candidate"), ("valdemarea", "proper name")}
    assert {row["written"] for row in found} == {"barcoteca", "Valdemarea"}
    assert found[0]["context"] in text


def test_lists_hold_for_words_that_nobody_lists(tmp_path: Path) -> None:
    text = "Las barcotecas abren en Valdemarea y la barcoteca cierra. Un guasapeo más."
    own = tmp_path / "own.txt"
    every = rows(tmp_path, html(text))
    lemma = next(iter({row["word"] for row in every["unknown"]} & {"barcoteca"}))
    own.write_text(f"lemma:{lemma}\n")
    without = rows(tmp_path, html(text), study=StudyConfig(stop=str(own)))
    assert {row["word"] for row in every["unknown"]} - {row["word"] for row in without["unknown"]} >= {"barcoteca"}
    assert without["pages"][0]["words"] < every["pages"][0]["words"], "nor are they counted"
    own.write_text("guasapeo\n")
    alone = rows(tmp_path, html(text), study=StudyConfig(only=str(own)))
    assert {row["word"] for row in alone["unknown"]} == {"guasapeo"}


def test_only_neologisms_are_looked_for(tmp_path: Path) -> None:
    text = "La barcoteca abre de noche en Valdemarea, junto al muelle."
    every, quick = (rows(tmp_path, html(text), study=study) for study in (StudyConfig(), StudyConfig(analyses=("neologisms",))))
    assert quick["unknown"] == every["unknown"]
    assert quick["pages"] == every["pages"]
    assert quick["tokens"][0]["lemmas"] != every["tokens"][0]["lemmas"], "nothing is tagged"
    assert rows(tmp_path, html(text), study=StudyConfig(analyses=("words",)))["unknown"] == []


def test_foreign_blocks_are_read_in_their_language(tmp_path: Path) -> None:
    spanish = (
        "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado y vuelven los barcos al puerto. " * 3
    )
    english = "The boats come back at dawn, when the wind has dropped and all of the nets have been hauled in by the old men."
    page = f"<html lang=es><body><p>{spanish}</p><p>{english}</p><p>{spanish}</p></body></html>".encode()
    found = rows(tmp_path, page)
    languages = {row["language"]: (row["blocks"], row["words"]) for row in found["languages"]}
    assert languages == {"es": (2, 132), "en": (1, 24)}
    assert found["pages"][0]["language"] == "es"
    tokens = found["tokens"][0]
    lemmas = dict(zip(tokens["words"], tokens["lemmas"], strict=True))
    assert (lemmas["nets"], lemmas["barcos"], lemmas["hauled"]) == ("net", "barco", "haul")
    text = found["texts"][0]["text"]
    assert [text[start:end] for start, end in zip(tokens["starts"], tokens["ends"], strict=True)] == tokens["words"]
    assert not {row["word"] for row in found["unknown"]} & {"boats", "nets", "hauled"}


def test_a_page_that_tells_a_wrong_language_is_read_in_its_own(tmp_path: Path) -> None:
    found = rows(tmp_path, html("La farola.").replace(b"lang=es", b"lang=en"))
    assert {row["language"] for row in found["pages"] + found["languages"]} == {"es"}


def test_of_a_language_without_a_lexicon_no_word_is_called_unknown(tmp_path: Path) -> None:
    text = "Aamulla verkot nostetaan ja kalat viedään satamaan, jossa vanhat kalastajat odottavat laivoja ja myyvät saaliinsa. "
    page = f"<html lang=fi><body><p>{text * 3}</p></body></html>".encode()

    assert rows(tmp_path, page)["unknown"] == []


@pytest.mark.parametrize(
    ("body", "media", "drop"),
    [
        (b"", HTML, Drop.EMPTY),
        (b"\x7fELF\x00\x00", "application/octet-stream", Drop.FORMAT),
        (b"%PDF-1.4 broken", "application/pdf", Drop.BROKEN),
        (html("a", "<meta name=robots content=noindex>"), HTML, Drop.NOINDEX),
        (html("a", "<meta name=trasmallo content=none>"), HTML, Drop.NOINDEX),
        (b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'></urlset>", "application/xml", Drop.LISTING),
        (b"<rss version='2.0'><channel><title>x</title></channel></rss>", "application/rss+xml", Drop.LISTING),
    ],
)
def test_what_gives_no_document_says_why(tmp_path: Path, body: bytes, media: str, drop: Drop) -> None:
    found = rows(tmp_path, body, media)
    assert [page["drop"] for page in found["pages"]] == [drop]
    assert not found.get("profiles")
    assert not found.get("tokens")


SPANISH = "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado y vuelven los barcos al puerto. "
ENGLISH = "The boats come back at dawn, when the wind has dropped and all of the nets have been hauled in by the old men. "


@pytest.mark.parametrize(("text", "wanted"), [(ENGLISH, ("es",)), (SPANISH, ("en", "fr"))])
def test_a_document_in_a_language_that_is_not_wanted_is_left_out_with_its_language(
    tmp_path: Path, text: str, wanted: tuple[str, ...]
) -> None:
    # What the page says of itself is wrong: its text tells.
    page = f"<html lang={wanted[0]}><body><p>{text * 3}</p><p><a href=/b>b</a></p></body></html>".encode()

    found = rows(tmp_path, page, languages=wanted)

    (row,) = found["pages"]
    assert set(found) == {"pages"}
    assert (row["drop"], row["cause"], row["language"]) == (Drop.LANGUAGE, *[row["language"]] * 2)
    assert row["language"] not in wanted


def test_a_document_in_one_of_the_wanted_languages_is_studied(tmp_path: Path) -> None:
    page = f"<html><body><p>{SPANISH * 3}</p><p>{ENGLISH}</p></body></html>".encode()

    found = rows(tmp_path, page, languages=("ca", "es"))

    assert (found["pages"][0]["drop"], found["pages"][0]["language"]) == ("", "es")
    assert found["tokens"]


def test_noindex_can_be_ignored_and_the_whole_page_kept(tmp_path: Path) -> None:
    body = html("a", "<meta name=robots content=noindex>").replace(b"<body>", b"<body><nav>inicio</nav>")
    found = rows(tmp_path, body, noindex=False, method="all")
    assert found["pages"][0]["drop"] == ""
    assert found["texts"][0]["text"].startswith("inicio")


@pytest.mark.parametrize("method", plugins.own_names("trasmallo.methods"))
def test_the_main_content_is_found_by_the_method_of_the_project(tmp_path: Path, method: str) -> None:
    links = "".join(f"<li><a href=/{n}>Enlace {n}</a></li>" for n in range(40))
    prose = "<p>La red se cala al anochecer, y se recoge de madrugada, cuando el viento ha calmado.</p>" * 12
    body = f"<!doctype html><html lang=es><body><ul>{links}</ul><div>{prose}</div></body></html>".encode()

    text = rows(tmp_path, body, method=method)["texts"][0]["text"]

    assert "se recoge de madrugada" in text
    assert ("Enlace 7" in text) == (method == "all")


def test_what_is_no_web_page_is_kept_whole(tmp_path: Path) -> None:
    text = b"titulo\n\n" + b"Una frase larga, con su coma y con su punto.\n" * 20

    assert rows(tmp_path, text, "text/csv", method="cnr")["texts"][0]["text"].startswith("titulo")


CODE = f"""<html lang=es><body><article><p>{SPANISH}</p><p>Para calarla ejecute <code>calar --redes</code> en su terminal,
y abra luego /etc/redes/mallas.conf con calma.</p><pre>$ pip install trasmallo</pre><p>{SPANISH}</p></article></body></html>"""


@pytest.mark.parametrize("code", ["leave out", "study"])
def test_code_is_in_the_text_and_studied_only_by_choice(tmp_path: Path, code: str) -> None:
    found = rows(tmp_path, CODE.encode(), study=StudyConfig(code=code))  # type: ignore[arg-type]
    (text,), (tokens,) = found["texts"], found["tokens"]
    marked = [text["text"][slice(*map(int, span.split("-")))] for span in text["code"].split()]
    assert marked == ["calar --redes", "/etc/redes/mallas.conf", "$ pip install trasmallo"]
    studied = {"mallas", "pip", "install"} & set(tokens["words"])
    assert bool(studied) == (code == "study")
    unknown = {row["word"] for row in found["unknown"]}
    assert ("pip" in unknown) == (code == "study")
    # All other tokens keep their places, and their sentence goes on.
    places = zip(tokens["starts"], tokens["ends"], strict=True)
    assert [text["text"][start:end] for start, end in places] == tokens["words"]


def test_a_page_that_stays_empty_in_a_browser_says_so(tmp_path: Path) -> None:
    (fetch,) = store(tmp_path, {URL: b"<html><title>App</title><body><div id=root></div></body></html>"}, HTML)
    rendered = msgspec.structs.replace(fetch, cause="rendered: the element that its scripts fill is empty")
    with ArchiveReader(tmp_path / "archive") as reader:
        assert fetch.locator is not None
        record = reader.read(fetch.locator)
        (page,) = read_page(rendered, record, clean=CleanConfig(), study=StudyConfig(), language="es", agent="trasmallo")[
            "pages"
        ]
    assert (page.drop, page.cause) == (Drop.EMPTY, "it shows nothing, though its scripts have run")  # type: ignore[union-attr]
