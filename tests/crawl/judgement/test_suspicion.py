"""When there is a reason to ask a host for an address that cannot exist."""

from __future__ import annotations

import pytest

from support.answers import PROSE, SHORT, answer, page
from trasmallo.crawl.judgement.suspicion import Suspicion, calls_itself_missing
from trasmallo.values.model import Outcome


def url(path: str) -> str:
    return "https://a.test/" + path


def test_pages_with_titles_of_their_own_are_none() -> None:
    suspicion = Suspicion()
    for number in range(100):
        assert not suspicion.rises(answer(page(f"Red {number}", SHORT), url=url(str(number))), Outcome.FETCHED)


def test_two_pages_with_one_title_and_one_length_are_one() -> None:
    suspicion = Suspicion()
    assert not suspicion.rises(answer(page("La cofradía", SHORT + " uno"), url=url("a")), Outcome.FETCHED)
    assert not suspicion.rises(answer(page("La cofradía", PROSE * 3), url=url("b")), Outcome.FETCHED)
    assert not suspicion.rises(answer(page("La cofradía", SHORT + " dos"), url="https://b.test/"), Outcome.FETCHED)
    assert suspicion.rises(answer(page("La cofradía", PROSE * 3 + " tres"), url=url("c")), Outcome.FETCHED)


def test_two_redirects_to_one_place_are_one() -> None:
    suspicion = Suspicion()
    assert not suspicion.rises(answer("", 302, url("a"), location="/"), Outcome.REDIRECTED)
    assert not suspicion.rises(answer("", 302, url("a"), location="/"), Outcome.REDIRECTED), "the same address twice"
    assert not suspicion.rises(answer("", 302, url("b"), location="/b/"), Outcome.REDIRECTED)
    assert suspicion.rises(answer("", 302, url("c"), location="/"), Outcome.REDIRECTED)


def test_a_host_that_says_404_is_believed() -> None:
    suspicion = Suspicion()
    suspicion.rises(answer("", 404, url("x")), Outcome.MISSING)
    for path in "abc":
        assert not suspicion.rises(answer("", 302, url(path), location="/"), Outcome.REDIRECTED)
        assert not suspicion.rises(answer(page("La cofradía", SHORT), url=url(path)), Outcome.FETCHED)
    assert suspicion.rises(answer(page("Página no encontrada", "x"), url=url("d")), Outcome.FETCHED), "unless a page says so"


def test_other_documents_are_none() -> None:
    suspicion = Suspicion()
    for path in "ab":
        assert not suspicion.rises(answer("<title>x</title>", url=url(path), media="image/svg+xml"), Outcome.FETCHED)
        assert not suspicion.rises(answer(SHORT, url=url(path)), Outcome.FETCHED)
        assert not suspicion.rises(answer(page("x", SHORT), 500, url(path)), Outcome.HTTP_ERROR)


@pytest.mark.parametrize(
    "title",
    [
        "404",
        "Error 404 - La cofradía",
        "Page not found | Example",
        "Página no encontrada",
        "El contenido no existe",
        "Seite nicht gefunden",
    ],
)
def test_titles_that_say_that_nothing_is_there(title: str) -> None:
    assert calls_itself_missing(title.encode())


@pytest.mark.parametrize("title", ["", "La lonja", "Encontrada una red de 1404 metros"])
def test_titles_that_do_not(title: str) -> None:
    assert calls_itself_missing(title.encode()) == ("404" in title)
