"""The values that flow: what they answer about themselves."""

from __future__ import annotations

import msgspec
import pytest

from trasmallo.values import model
from trasmallo.values.model import Block, Drop, Fetch, Locator, Outcome, Page, Response, Target


def test_values_are_frozen() -> None:
    target = Target("http://a.es/")
    with pytest.raises(AttributeError):
        target.url = "http://b.es/"  # type: ignore[misc]


def test_only_obtained_outcomes_can_be_read() -> None:
    assert {outcome for outcome in Outcome if outcome.obtained} == {Outcome.FETCHED, Outcome.UNCHANGED}


def test_a_name_of_old_projects_is_understood() -> None:
    assert msgspec.json.decode(b'"certificate not valid"', type=Outcome) is Outcome.TLS
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'"certificate"', type=Outcome)


def test_headers_are_found_in_any_case() -> None:
    response = Response("http://a.es/", 0.0, 200, "OK", (("Content-Type", "text/html"), ("content-type", "x")), b"", b"")
    assert response.header("CONTENT-TYPE") == "text/html"
    assert response.header("Etag") == ""


def test_the_main_text_is_a_line_a_block() -> None:
    blocks = (Block(0, 3, "p", "/p", True), Block(4, 8, "p", "/p", False), Block(9, 12, "p", "/p", True))
    page = Page(url="http://a.es/", text="uno menu dos", blocks=blocks)
    assert page.main_text == "uno\ndos"


@pytest.mark.parametrize(
    "value", [Fetch("http://a.es/", 1.5, Outcome.FETCHED, locator=Locator("f", 1, 2)), Target("http://a.es/", 1, 2, "x")]
)
def test_values_travel_as_messages(value: msgspec.Struct) -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=type(value)) == value


def test_reasons_are_words_for_people() -> None:
    assert all(" " in reason or reason.islower() for reason in [*Outcome, *Drop])
    assert model.__doc__
