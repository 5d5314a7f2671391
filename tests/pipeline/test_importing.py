"""Pages from other people's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.stored_pages import html
from trasmallo.events import Event, Failed, Fetched, Warned
from trasmallo.pipeline.importing import open_foreign, take_in
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.warc import payload_digest
from trasmallo.values.errors import DocumentError
from trasmallo.values.model import Fetch, Response

HEADERS = (("Content-Type", "text/html"),)


def answer(url: str, at: float, body: bytes = html("x") * 3) -> Response:
    return Response(url, at, 200, "OK", HEADERS, body, body)


def write(folder: Path) -> Path:
    """A file as another crawler writes it: addresses in their own spelling, a revisit, rules, a revisit of something lost."""
    with Archive(folder, software="other/1") as out:
        first = answer("HTTP://A.es:80/", 10.0)
        locator, digest = out.append(first)
        seen = Fetch(first.url, first.at, "fetched", 200, "text/html", digest, 1, locator)  # type: ignore[arg-type]
        out.append_revisit(answer("http://a.es/copia", 20.0, b""), seen)
        out.append(answer("http://a.es/robots.txt", 21.0, b"User-agent: *"))
        lost = Fetch("http://lost.es/", 1.0, "fetched", 200, digest=payload_digest(b"lost"))  # type: ignore[arg-type]
        out.append_revisit(answer("http://a.es/perdida", 22.0, b""), lost)
    return next(folder.glob("*.warc.gz"))


def imported(path: Path, folder: Path) -> tuple[dict[str, Fetch], list[Event]]:
    told: list[Event] = []
    with Archive(folder / "archive", software="t/0") as archive, Catalog(folder / "catalog") as catalog:
        take_in(open_foreign(path), archive, catalog, "run", told.append)
        return {fetch.url: fetch for fetch in catalog.of_run("run")}, told


def test_pages_revisits_and_rules(tmp_path: Path) -> None:
    found, told = imported(write(tmp_path / "other"), tmp_path)
    assert set(found) == {"http://a.es/", "http://a.es/copia"}
    assert found["http://a.es/copia"].digest == found["http://a.es/"].digest
    assert (found["http://a.es/"].at, found["http://a.es/copia"].at) == (10.0, 20.0)
    assert [event.url for event in told if isinstance(event, Fetched)] == ["http://a.es/"]
    assert [event for event in told if isinstance(event, Failed)] == [
        Failed(url="http://a.es/perdida", outcome="not imported", cause="the page it repeats is not in the project")
    ]


@pytest.mark.parametrize("kept", [0.9, 0.3])
def test_a_torn_file_is_read_up_to_the_damage(tmp_path: Path, kept: float) -> None:
    whole = write(tmp_path / "other").read_bytes()
    torn = tmp_path / "torn.warc.gz"
    torn.write_bytes(whole[: int(len(whole) * kept)])
    found, told = imported(torn, tmp_path)
    assert len(found) == (2 if kept == 0.9 else 0)
    (warned,) = [event for event in told if isinstance(event, Warned)]
    assert f"{torn} is damaged at byte " in warned.message


def test_what_cannot_be_read_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"there is no file .*: check its name$"):
        open_foreign(tmp_path / "none")
    (tmp_path / "text").write_text("hola")
    with pytest.raises(DocumentError, match="give WARC, ARC, TRECText, .*, TEI, mbox, or the folder that it is in$"):
        open_foreign(tmp_path / "text")
