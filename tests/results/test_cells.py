"""What is behind a cell."""

from __future__ import annotations

import pytest

from trasmallo.results.cells import ConcordanceCell, fill, of_category, of_form, of_lemma, of_word
from trasmallo.study.query.parsing import parse

HOSTILE = ['"', "\\", '"]', "a b", "%c", "$word"]


def test_a_template_that_is_one_name_is_written_as_a_person_types_a_word() -> None:
    assert ConcordanceCell("$word").query_of({"word": "casa"}) == "casa"
    assert ConcordanceCell("$word").query_of({"word": "a.m."}) == of_form("a.m.")


def test_a_function_of_the_row_may_have_nothing_to_say() -> None:
    assert ConcordanceCell(lambda row: "" if row["of"] == "characters" else "x").query_of({"of": "characters"}) == ""


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_a_row_holds_makes_one_query(text: str) -> None:
    for query in (of_word(text), of_form(text), of_lemma(text, text), of_category(text)):
        parse(query)
    assert fill("word=$word", {"word": text}) == f"word={text}"


def test_a_column_that_is_not_there_is_told() -> None:
    with pytest.raises(KeyError):
        fill("word=$word", {})
    with pytest.raises(KeyError):
        ConcordanceCell("[lemma=$lemma]").query_of({})
