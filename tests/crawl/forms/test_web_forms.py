# ruff: noqa: E501 - markup is one line
"""Forms of pages: what each is for, and which may be asked."""

from __future__ import annotations

import pytest

from trasmallo.crawl.forms.web_forms import WebForm, find_forms, is_named, names_of

PAGE = "https://a.example/dir/page"


def form(html: str) -> WebForm:
    (found,) = find_forms(html.encode(), PAGE)
    return found


@pytest.mark.parametrize(
    "html",
    [
        '<form action="/search"><input name="q"></form>',
        '<form role="search"><input type="search" name="words"></form>',
        '<FORM ACTION="?x=1"><INPUT NAME=texto><INPUT TYPE=submit VALUE="Buscar"></FORM>',
        '<form action="/s"><input name="title"><select name="year"><option value="">-<option value="1999">1999</select><button>Find</button></form>',
    ],
)
def test_searches_by_get_may_be_asked(html: str) -> None:
    assert (form(html).kind, form(html).why_not) == ("search", "")


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ('<form method=post action="/search"><input name="q"></form>', "unknown"),
        ('<form action="/login"><input name="user"><input type="password" name="p"></form>', "log-in"),
        ('<form action="/x"><input name="q"><textarea name="comment"></textarea></form>', "comment"),
        ('<form action="/cart/add"><input name="q"></form>', "order"),
        ('<form action="/logout"><input name="q"><button>Search</button></form>', "search"),
        ('<form action="/delete"><input name="q" type="search"></form>', "search"),
        ('<form action="/find"><input name="q"><button>Darse de baja</button></form>', "search"),
        ('<form action="/find"><input name="q"><input type="file" name="f"></form>', "search"),
        ('<form action="/unsubscribe"><input name="email" type="email"></form>', "unknown"),
    ],
)
def test_whatever_could_change_something_is_listed_and_never_asked(html: str, kind: str) -> None:
    assert form(html).kind == kind
    assert form(html).why_not


def test_an_address_has_the_words_the_hidden_fields_and_one_choice() -> None:
    found = form(
        '<form action="/s?old=1"><input type=hidden name=lang value="es"><input name=q><select name=y><option value="1 9">1</select>'
        "<input type=submit name=go value=Buscar></form>"
    )
    assert found.address("dos palabras") == "https://a.example/s?lang=es&q=dos+palabras"
    assert found.address("", (("y", "1 9"),)) == "https://a.example/s?lang=es&q=&y=1+9"
    assert found.query_field == "q"


def test_what_is_no_form_is_left_out() -> None:
    assert find_forms(b"<p>no <b>form</b>", PAGE) == []
    assert find_forms(b"<form></form><form action='mailto:a@b'><input name=q></form>", PAGE) == []


def test_a_form_is_named_by_its_host_with_or_without_the_port_or_by_its_address() -> None:
    named = {"a.example", "a.example:8080", "http://a.example:8080/buscar", "http://a.example:8080/buscar?lang=es"}
    assert names_of("http://a.example:8080/Buscar?lang=es") == named
    assert is_named("http://a.example:8080/buscar", ["b.example", "HTTP://A.example:8080/buscar/"])
    assert not is_named("http://a.example:8080/buscar", ["a.example:8081", "http://a.example:8080/"])
    assert names_of("https://a.example/") >= {"a.example", "https://a.example"}
