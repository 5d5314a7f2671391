"""Examples come from the corpus itself."""

from __future__ import annotations

from trasmallo.project.project import Project
from trasmallo.results.examples import find_examples, find_words
from trasmallo.study.stop_lists import standard


def test_examples_are_frequent_words_that_say_something(finished: Project) -> None:
    with finished.tables() as tables:
        found = find_examples(tables, "es")
    assert len(found.words) == 3
    assert not set(found.words) & set(standard("es").words)
    counts = [finished.table("words", where=[f"word={word}"])[0]["count"] for word in found.words]
    assert counts == sorted(counts, reverse=True)
    assert len(found.phrase.split()) == 2
    assert finished.table("lemmas", where=["category=VERB", f"lemma={found.verb}"])


def test_those_of_a_document_are_its_own(finished: Project) -> None:
    document = finished.table("pages", where=["drop="], sort="-words", limit=1)[0]["document"]
    with finished.tables() as tables:
        found = find_words(tables, document, "es")
        assert find_words(tables, "0" * 16, "es") == ()
    text = finished.table("texts", where=[f"document={document}"])[0]["text"].lower()
    assert found
    assert all(word in text for word in found)


def test_where_nothing_is_known_of_a_language_short_words_are_left_out(finished: Project) -> None:
    with finished.tables() as tables:
        assert all(len(word) > 3 for word in find_examples(tables, "xx").words)
