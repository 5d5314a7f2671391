"""What parameters say."""

from __future__ import annotations

import pytest

from trasmallo.crawl.traps.parameters import Bare, choices, is_random, is_session, last_word, without_sessions

TOKEN = "9f86d081884c7d659a2feaa0c55ad015"


@pytest.mark.parametrize("text", [TOKEN, "123e4567-e89b-12d3-a456-426614174000", "dQw4w9WgXcQ", "a1b2c3d4"])
def test_random_texts(text: str) -> None:
    assert is_random(text)


@pytest.mark.parametrize(
    "text", ["", "covid19", "1234567890123456", "el-titular-de-hoy", "iphone14pro", "deadbeef", "2019-03-12"]
)
def test_texts_of_people(text: str) -> None:
    assert not is_random(text)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("PHPSESSID", "1", True),
        ("ASPSESSIONIDQQABCDEF", "x", True),
        ("sid", TOKEN, True),
        ("sid", "1234", False),
        ("s", "madrid", False),
        ("wtk", TOKEN, False),
        ("own", TOKEN, True),
        ("own", "3", False),
    ],
)
def test_sessions(name: str, value: str, expected: bool) -> None:
    assert is_session(name, value, ["own"]) is expected


def test_a_page_without_its_sessions() -> None:
    assert without_sessions("/a;jsessionid=9/b;v=1", f"x=1&sid={TOKEN}&y") == Bare("/a/b;v=1", [("x", "1"), ("y", "")], True)
    assert without_sessions("/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "") == Bare("/a.aspx", [], True)
    assert without_sessions("/a_(b)/(c)", "sid=4") == Bare("/a_(b)/(c)", [("sid", "4")], False)


def test_choices_are_items_of_lists_and_one_date() -> None:
    chosen = choices([("f", "red,blue%2Cgreen"), ("page", "3"), ("year", "2019"), ("month", "5"), ("q", "")])
    assert chosen == [("f", "red"), ("f", "blue"), ("f", "green"), ("q", ""), ("date", "year=2019&month=5")]


def test_the_last_word_of_a_name() -> None:
    assert [last_word(name) for name in ("tribe-bar-date", "date_to", "Year", "filter[month]", "")] == [
        "date",
        "to",
        "year",
        "month",
        "",
    ]
