from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.bad_texts import TEXTS
from support.effort import effort
from trasmallo.study.characters import CJK, GAP
from trasmallo.study.tokenise import columns, count_words, key, keys, tokenise, words

steady = settings(deadline=None, derandomize=True)


# Every sign that a rule looks at, so that random texts meet the rules often.
TRICKY = "aAñÑéßЖ19٣½²ªº.,:;-–'’·/@#_=<>!?…¿¡()[]\"«»—* \t\n\u00a0\u00ad\u200b\u200d\ufeff\x00\ud800\u0301\u0338\u0323"
TRICKY += "\u1100\u1161\u11a8"
TRICKY += "가각東京かが\u3099カﾊ\u212a\uf900\U0001f600\U0001f469\U0001f1ea\ufe0f\u20e3\U0001f3fd\U0001d15e\U00020000्िक"
PIECES = ["http://", "www.", "a@b.es", "el.com", "Sr.", "p. ej.", "EE. UU.", "l'", "1.º", "3,5", "don’t"]
hostile = st.lists(st.one_of(st.sampled_from(TRICKY), st.sampled_from(PIECES), st.characters()), max_size=40).map("".join)
codes = st.sampled_from(["es", "en", "und"])


def cut(text: str, language: str = "es") -> list[str]:
    return [token.word for token in tokenise(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        (
            "El Sr. Pérez, p. ej., y EE. UU. o EE.UU.",
            "es",
            ["El", "Sr.", "Pérez", ",", "p. ej.", ",", "y", "EE. UU.", "o", "EE.UU."],
        ),
        ("1.234,56 € (3,5 %) 10:30 1990-95", "es", ["1.234,56", "€", "(", "3,5", "%", ")", "10:30", "1990-95"]),
        ("1.º, 2ª y 3er", "es", ["1.º", ",", "2ª", "y", "3er"]),
        ("the 3rd and 4th", "en", ["the", "3rd", "and", "4th"]),
        ("don't O'Brien’s well-known", "en", ["don't", "O'Brien’s", "well-known"]),
        ("L'amour qu’il", "und", ["L'", "amour", "qu’", "il"]),
        ("L'Oréal franco-alemán 23-F COVID-19", "es", ["L'Oréal", "franco-alemán", "23-F", "COVID-19"]),
        ("(https://a.es/b_(c)?d=1).", "es", ["(", "https://a.es/b_(c)?d=1", ")", "."]),
        (
            "www.elpais.com, elpais.com/x.html o a.b@c.org.",
            "es",
            ["www.elpais.com", ",", "elpais.com/x.html", "o", "a.b@c.org", "."],
        ),
        ("L@s niñ@s y amig@. a@b.es, x@y", "es", ["L@s", "niñ@s", "y", "amig@", ".", "a@b.es", ",", "x", "@", "y"]),
        ("#Madrid2020 @ana_p #1", "es", ["#Madrid2020", "@ana_p", "#", "1"]),
        ("¿Qué?! Nada... fin.Luego", "es", ["¿", "Qué", "?!", "Nada", "...", "fin", ".", "Luego"]),
        ("J. R. R. Tolkien, a.C., U.S.A.", "es", ["J.", "R.", "R.", "Tolkien", ",", "a.C.", ",", "U.S.A."]),
        ("👩‍👩‍👧 🇪🇸 👍🏽 5️⃣ ❤️", "und", ["👩‍👩‍👧", "🇪🇸", "👍🏽", "5️⃣", "❤️"]),
        ("東京都 行 한국어", "und", ["東京", "京都", "行", "한국", "국어"]),
        ("m² ½ H₂O snake_case __init__", "es", ["m²", "½", "H₂O", "snake_case", "__", "init__"]),
    ],
)
def test_rules(text: str, language: str, expected: list[str]) -> None:
    assert cut(text, language) == expected


def test_kinds() -> None:
    kinds = {token.word: token.kind for token in tokenise("casa l33t 1.000 1.º #x http://a.es 👍 , Sr. 東京", "es")}
    assert kinds == {
        "casa": "alphabetic", "l33t": "alphanumeric", "1.000": "number", "1.º": "number", "#x": "other", "http://a.es": "other",
        "👍": "other", ",": "punctuation", "Sr.": "alphabetic", "東京": "alphabetic",
    }  # fmt: skip


def test_one_word_in_several_encodings() -> None:
    assert set(words("canción cancio\u0301n can\u00adción can\u00adcio\u0301n\u00ad", "es")) == {"canción"}


def test_offsets_point_into_the_text_as_given() -> None:
    text = "Una can\u00adcio\u0301n, sí"
    token = tokenise(text, "es")[1]
    assert (token.word, text[token.start : token.end]) == ("canción", "can\u00adcio\u0301n")


def test_a_query_finds_a_word_inside_a_cjk_run() -> None:
    assert set(words("京都")) <= set(words("東京都に"))


def test_key_joins_spellings_of_one_word() -> None:
    assert {key("EE. UU."), key("EE.UU."), key("ee.\u00a0uu.")} == {"ee.uu."}
    assert {key("Don’t"), key("don't")} == {"don't"}
    assert key("CANCIÓN") == "canción"


def test_unknown_language_is_cut_by_the_generic_rules() -> None:
    assert cut("l'eau", "../../es") == ["l'", "eau"]
    assert cut("L'Oréal", "es-MX") == ["L'Oréal"]


@example("a\u00ad\u1161", "es")
@steady
@given(hostile, codes)
def test_tokens_are_exact_ordered_and_leave_only_blanks(text: str, language: str) -> None:
    check_tokens(text, language)


@pytest.mark.parametrize("language", ["es", "und"])
@pytest.mark.parametrize("name", TEXTS)
def test_tokens_of_bad_texts_are_exact(name: str, language: str) -> None:
    check_tokens(TEXTS[name](3_000), language)


def test_a_line_of_ten_megabytes() -> None:
    text = TEXTS["one line"](10_000_000)
    table = columns(text, "es")
    assert len(table) == 2_222_223
    chosen = range(0, len(table), 997)
    assert [text[table.starts[at] : table.ends[at]] for at in chosen] == [table.words[at] for at in chosen]


def check_tokens(text: str, language: str) -> None:
    gap = re.compile(f"[{GAP}]*+")
    done = start = 0
    for token in tokenise(text, language):
        surface = text[token.start : token.end]
        assert token.word == unicodedata.normalize("NFC", surface.replace("\u00ad", ""))
        assert token.start >= start and token.end > done
        assert token.start >= done or re.match(f"[{CJK}]", token.word)
        assert gap.fullmatch(text, done, max(token.start, done))
        start, done = token.start + 1, token.end
    assert gap.fullmatch(text, done)


@example("ahttp://\u1161", "es")
@steady
@given(hostile, codes)
def test_words_and_counts_are_those_of_the_tokens(text: str, language: str) -> None:
    expected = [token.word for token in tokenise(text, language) if token.kind != "punctuation"]
    assert list(words(text, language)) == expected
    assert count_words(text, language) == Counter(expected)


@steady
@given(hostile, codes)
def test_composed_and_decomposed_texts_have_the_same_words(text: str, language: str) -> None:
    assert cut(unicodedata.normalize("NFD", text), language) == cut(unicodedata.normalize("NFC", text), language)


@steady
@given(hostile)
def test_a_view_agrees_with_its_columns(text: str) -> None:
    table = columns(text, "es")
    assert table.tokens() == [table.token(index) for index in range(len(table))]
    assert len(table) == len(table.starts) == len(table.ends) == len(table.kinds)


HOSTILE_UNITS = [
    "a", "1", ".", "-", "_", "(", "'", "#", "@", "=", "a.", "a-", "1,", "1a", "a@", "a1-", "http://", "www.", "!a", "_a",
    "\u0301", "\u0301\u0323", "a\u00ad", "東", "é", "👩‍", "Sr. ", "l'", "1-a", "aa.aa", "x.com", "a@a.", "#1", "\x00",
    "\ud800", "a_-",
]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE_UNITS, ids=ascii)
def test_time_grows_with_the_length(unit: str) -> None:
    small, large = (_seconds(unit * (size // len(unit)) + "1x") for size in (4_000, 32_000))
    assert large < 0.1 or large < 24 * small, f"8 times the text took {large / small:.0f} times as long"


def _seconds(text: str) -> float:
    def cut() -> None:
        columns(text, "und")
        for word in count_words(text, "und"):
            key(word)

    return effort(cut, 0)


@steady
@given(st.text(max_size=200))
def test_any_text_is_cut(text: str) -> None:
    assert all(0 <= token.start < token.end <= len(text) for token in tokenise(text, "es"))


def test_a_long_line() -> None:
    text = "palabra, " * 100_000
    assert len(columns(text, "es")) == 200_000


SPELT = st.text(st.sampled_from("aÑÍΣσİ’‐ \u00a0\u0301\u00ad\n\r\U0001f600\ud800東"), max_size=4)


@given(st.lists(SPELT))
def test_keys_of_many_words_are_those_of_each(found: list[str]) -> None:
    assert keys(found) == list(map(key, found))
