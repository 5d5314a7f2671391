from __future__ import annotations

import pytest

from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing.criterion import Word, parse
from trasmallo.clean.slicing.matching import Mark, Matcher, WordComparison, find_all, find_marks, holds
from trasmallo.clean.slicing.page import from_flat


def matcher_of(html: str, **reading: object) -> Matcher:
    return Matcher(from_flat(flatten(html)), WordComparison(**reading))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("needle", "head", "tail", "places"),
    [
        ("ana", False, False, [(0, 3), (18, 21)]),
        ("ana", True, True, [(0, 3), (5, 8), (11, 14), (18, 21)]),
        ("ana", False, True, [(0, 3), (11, 14), (18, 21)]),
        ("ana", True, False, [(0, 3), (7, 10), (18, 21)]),
        ("ana banana", False, False, []),
        ("ananas ana", False, False, [(11, 21)]),
        (",", False, False, [(22, 23)]),
        ("日", False, False, [(23, 24), (24, 25)]),
    ],
)
def test_places_of_a_word(needle: str, head: bool, tail: bool, places: list[tuple[int, int]]) -> None:
    starts, ends = find_all("ana\0banana ananas ana ,日日", needle, head=head, tail=tail)
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == places


def test_a_phrase_may_have_any_blanks_but_no_break() -> None:
    matcher = matcher_of("<p>Real\n\t <b>&nbsp;Madrid</b></p><p>Real</p><p>Madrid</p>")
    assert matcher.in_text(Word("real madrid"))[matcher.page.scope] == 1


def test_counts_in_text_and_attributes() -> None:
    matcher = matcher_of("<div title=gol><p class=gol>gol y gol</p><img alt='gol gol'></div>")
    div = matcher.page.tag.index("div")
    assert matcher.in_text(Word("gol"))[div] == 2
    assert matcher.in_own_text(Word("gol"))[div] == 0
    assert matcher.in_own_attributes(Word("gol"))[div] == 1
    assert matcher.in_attributes(Word("gol"))[div] == 4
    assert matcher.in_content(Word("gol"))[div] == 6


def test_a_word_across_tags_belongs_to_the_element_around_both() -> None:
    matcher = matcher_of("<p><b>Ma</b>drid</p>")
    counts = matcher.in_text(Word("madrid"))
    assert [tag for tag, count in zip(matcher.page.tag, counts, strict=True) if count] == ["html", "body", "p"]
    assert not matcher.in_text(Word("ma")).any()


@pytest.mark.parametrize(
    ("reading", "found"),
    [({}, 2), ({"case": True}, 1), ({"accents": True}, 1), ({"case": True, "accents": True}, 1), ({"part": True}, 3)],
)
def test_how_words_are_compared(reading: dict[str, bool], found: int) -> None:
    matcher = matcher_of("<p>Málaga malaga malagueña Malagasy</p>", **reading)
    assert matcher.in_text(Word("MALAGA" if not reading.get("case") else "malaga"))[matcher.page.scope] == found


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("a b", True), ("a AND x", False), ("a OR x", True), ("a XOR b", False), ("a XOR x", True), ("a XOR b XOR c", True),
        ("NOT x", True), ("MIN(a, 2)", True), ("MIN(a, 3)", False), ("MAX(a, 2)", True), ("MAX(a, 1)", False),
        ("SUM(a, b, 3)", True), ("SUM(a, b, 4)", False), ("MIN(x, 0)", True),
    ],
)  # fmt: skip
def test_criteria(criterion: str, expected: bool) -> None:
    matcher = matcher_of("<p>a b a c</p>")
    assert bool(holds(parse(criterion), matcher.in_content)[matcher.page.scope]) is expected


def test_marks_say_where_matches_stand() -> None:
    matcher = matcher_of("<p>El co\u00adraz\u00f3n de <b>Ma</b>drid, Madrid</p>")
    page = matcher.page
    marks = find_marks(matcher, [Word("corazon"), Word("madrid"), Word("de madrid")])
    assert [(mark.number, page.text[mark.node][mark.start : mark.end]) for mark in marks] == [
        (0, "co\u00adrazón"),
        (1, "de "),
        (1, "Ma"),
        (1, "drid"),
        (2, "Madrid"),
    ]
    assert isinstance(marks[0], Mark)
