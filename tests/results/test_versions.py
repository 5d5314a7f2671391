"""Versions of a page as catalog and archive tell them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.pipeline.keeper import Keeper
from trasmallo.results.versions import compare_words, page_history, version_as_of, version_difference, version_text
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.errors import NotFound, UsageError
from trasmallo.values.model import Failure, Outcome, Response, Target

URL = "http://a.es/"
OLD, NEW = "El barco sale del puerto muy temprano.", "El barco vuelve al puerto cuando ya es de noche."


def answer(at: float, text: str, status: int = 200) -> Response:
    body = f"<html><body><p>El puerto de la villa tiene tres muelles.</p><p>{text}</p></body></html>".encode() if text else b""
    return Response(URL, at, status, "", (("Content-Type", "text/html; charset=utf-8"),), body, body)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with Archive(tmp_path / "archive", software="t/1", roll_at=10**9) as archive, Catalog(tmp_path / "catalog") as catalog:
        keeper = Keeper(archive, catalog, "run", lambda _fetch: None)
        target = Target(URL)
        keeper.keep(target, answer(1.0, OLD), Outcome.FETCHED, "")
        keeper.keep(target, answer(2.0, "", 304), Outcome.UNCHANGED, "")
        keeper.keep(target, Failure(URL, 3.0, Outcome.TIMED_OUT, "late"), Outcome.TIMED_OUT, "late")
        keeper.keep(target, answer(4.0, NEW), Outcome.FETCHED, "")
    return tmp_path


def test_visits_that_show_the_same_are_one_version(store: Path) -> None:
    history = page_history(store, URL)
    assert [(each.number, each.at, each.seen, each.visits) for each in history.versions] == [(1, 1.0, 2.0, 2), (2, 4.0, 4.0, 1)]
    assert [(each.outcome, each.version) for each in history.visits] == [
        ("fetched", 1), ("unchanged", 1), ("timed out", 0), ("fetched", 2),
    ]  # fmt: skip


def test_the_text_as_of_a_time_and_what_changed(store: Path) -> None:
    assert OLD in version_text(store, URL, 3.5)
    assert NEW in version_text(store, URL, 9.0)
    found = version_difference(store, page_history(store, URL))
    assert [(each.kind, each.text) for each in found.changes if each.kind != "same"] == [("removed", OLD), ("added", NEW)]


def test_the_version_as_of_a_time(store: Path) -> None:
    history = page_history(store, URL)
    then, now = version_as_of(store, history, 3.5), version_as_of(store, history, 9.0)
    assert (then.version.number, now.version.number) == (1, 2)
    assert OLD in then.text
    assert NEW in now.text
    with pytest.raises(NotFound, match="by then"):
        version_as_of(store, history, 0.5)


def test_what_is_not_there_is_told(store: Path) -> None:
    with pytest.raises(NotFound, match="never asked for"):
        page_history(store, "http://b.es/")
    with pytest.raises(NotFound, match="nothing is stored"):
        version_text(store, URL, 0.5)
    history = page_history(store, URL)
    with pytest.raises(UsageError, match="choose from 1 to 2"):
        version_difference(store, history, 1, 3)
    single = msgspec.structs.replace(history, versions=history.versions[:1])
    with pytest.raises(UsageError, match="has one version, and nothing to compare it with: visit it again"):
        version_difference(store, single)


def test_the_words_that_differ_in_an_edited_paragraph() -> None:
    found = [
        (change.kind, change.text)
        for change in compare_words("Abre a las ocho, y cierra.", "Abre a las nueve y media, y cierra.")
    ]
    assert found == [
        ("same", "Abre a las "), ("removed", "ocho"), ("added", "nueve y media"), ("same", ", y cierra."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after"), [("El barco sale.", "Nadie sabe nada de eso"), ("a " * 2_001, "a " * 2_002), ("", "x")]
)
def test_other_paragraphs_are_told_whole(before: str, after: str) -> None:
    assert [(change.kind, change.text) for change in compare_words(before, after)] == [("removed", before), ("added", after)]


@given(*[st.lists(st.sampled_from(["a", "bé", " ", ",", "\n"]), max_size=12).map("".join)] * 2)
def test_the_parts_are_both_texts(before: str, after: str) -> None:
    parts = list(compare_words(before, after))
    assert "".join(part.text for part in parts if part.kind != "added") == before
    assert "".join(part.text for part in parts if part.kind != "removed") == after
