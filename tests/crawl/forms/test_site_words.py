"""Words of the pages of a site, for its search."""

from __future__ import annotations

from trasmallo.crawl.forms.site_words import SiteWords, is_word, longest


def test_words_of_most_pages_come_first_and_those_of_the_frame_last() -> None:
    words = SiteWords()
    for page in ("mar barco", "mar barco red", "mar red", "mar", "mar", "mar"):
        words.hear(page + " Contacto")
    told: list[str] = []
    while word := words.next(told):
        told.append(word)
    assert told == ["barco", "red", "contacto", "mar"]


def test_few_pages_have_no_frame() -> None:
    words = SiteWords()
    assert words.next(()) == ""
    words.hear("Almadraba, de 1785 y red")
    assert [words.next(()), words.next({"red"})] == ["red", ""], "what has signs or digits is not asked for"


def test_the_rarer_half_of_too_many_words_is_forgotten() -> None:
    words = SiteWords()
    words.hear("almadraba")
    words.hear(
        "almadraba " + " ".join(f"x{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}" for n in range(17_000))
    )
    words.hear(
        "almadraba " + " ".join(f"y{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}" for n in range(17_000))
    )
    assert words.next(()) == "almadraba"
    assert len(words._found) == 10_000


def test_what_can_be_asked_for() -> None:
    assert [is_word(text) for text in ("mar", "el", "mar1", "mar.", "ñandú")] == [True, False, False, False, True]
    assert longest("El barco de la almadraba", most=2) == ["almadraba", "barco"]
