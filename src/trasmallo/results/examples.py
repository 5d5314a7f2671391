"""Examples of what can be asked of a corpus, in its own words: frequent ones that say what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.study.stop_lists import StopList, standard, standard_of

WORDS = 3  # judgement: as many as the examples of a page need

_LOOKED_AT = 400
"""Rows that are looked at for words that are no function words. Judgement: these are among the first hundred of a corpus."""

_SHORTEST = 4
"""Letters of a word that is shown as an example. Judgement: shorter ones say little, and are often function words."""


class Examples(msgspec.Struct, frozen=True, kw_only=True):
    """Frequent words of a corpus, nouns where they are known; two that stand together, a verb's lemma, a word of a title.

    Each of these is "" where there is none.
    """

    words: tuple[str, ...] = ()
    phrase: str = ""
    verb: str = ""
    titled: str = ""


def find_examples(tables: Tables, language: str) -> Examples:
    """The examples of a run; `language` is that of the project."""
    empty = standard_of(language, tables.tally("pages", "language", ("drop=",)))
    nouns = _texts(tables, "words_by_category", "word", "category=NOUN") or _texts(tables, "words", "word")
    segments = _texts(tables, "segments", "segment", "of=words", "length=2")
    verbs = _texts(tables, "lemmas", "lemma", "category=VERB")
    titles = tables.ask("pages", Question(("drop=",), "-words", _LOOKED_AT, columns=("title",)))
    return Examples(
        words=tuple(islice(_telling(nouns, empty), WORDS)),
        titled=next(_telling((word for (title,) in titles for word in title.lower().split()), empty), ""),
        phrase=next(_telling(segments, empty), ""),
        verb=next(_telling(verbs, empty), ""),
    )


def find_words(tables: Tables, document: str, language: str) -> tuple[str, ...]:
    """The same of one document, which is in a language: words only."""
    found = _texts(tables, "words_by_page", "word", f"document={document}")
    return tuple(islice(_telling(found, standard(language)), WORDS))


def _texts(tables: Tables, table: str, column: str, *where: str) -> list[str]:
    """The most frequent texts of a table."""
    return [row[0] for row in tables.ask(table, Question(where, "-count", _LOOKED_AT, columns=(column,)))]


def _telling(texts: Iterable[str], empty: StopList) -> Iterator[str]:
    """The texts of which every word says something."""
    return (text for text in texts if all(_tells(word, empty) for word in text.split()))


def _tells(word: str, empty: StopList) -> bool:
    return len(word) >= _SHORTEST and word.isalpha() and word not in empty.words
