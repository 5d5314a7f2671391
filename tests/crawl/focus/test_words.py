from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.focus.words import (
    MOST_WORDS,
    SPACE,
    count_words,
    has_digit,
    number_of,
    numbers_of,
    words_of,
    words_of_address,
)


def test_words_of_any_script() -> None:
    assert words_of("La VELA latina, año 1492") == ["la", "vela", "latina", "año"]
    assert words_of("海洋帆船 sails") == ["海洋", "洋帆", "帆船", "sails"]


def test_words_of_addresses_are_read_from_their_path() -> None:
    assert words_of_address("https://barcos.example/velas/vela_latina.html?x=ca%C3%B1a") == [
        "velas",
        "vela",
        "latina",
        "html",
        "caña",
    ]
    assert words_of_address("https://barcos.example") == []
    assert words_of_address("id:7") == []


def test_the_title_counts_more_and_stop_words_not_at_all() -> None:
    words, counts = count_words("vela", "vela barco la", frozenset(["la"]))
    assert dict(zip(words, counts, strict=True)) == {number_of("vela"): 4, number_of("barco"): 1}
    assert numbers_of(["la", "vela"], frozenset(["la"])) == [number_of("vela")]


def test_digits() -> None:
    assert has_digit("en 1492")
    assert not has_digit("vela")


@given(st.text(), st.text(max_size=3_000))
def test_any_text_gives_few_numbers_in_range(title: str, text: str) -> None:
    words, counts = count_words(title, text)
    assert len(words) == len(set(words)) == len(counts) <= MOST_WORDS
    assert all(0 <= word < SPACE for word in words)
    assert all(count > 0 for count in counts)
