"""What is behind a cell of a table, as data: the hits of a corpus query, rows of another table, a document, a page, an address.

`$name` in a template is the value of that column in the row: a quoted literal in a query, as it is in a condition. Values come
from pages of strangers; doors quote them once more as an address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from trasmallo.study.query.syntax import quoted

Value = str | int | float | None
Row = Mapping[str, Value]

_NAME = re.compile(r"\$(\w+)")


class ConcordanceCell(msgspec.Struct, frozen=True):
    """The concordance of a query, in documents that meet conditions.

    `query` is a template, or a function of the row that returns "" where there is none. A template that is one `$name` alone is
    written as a person types a word.
    """

    query: str | Callable[[Row], str]
    where: tuple[str, ...] = ()

    def query_of(self, row: Row) -> str:
        """The query for a row, "" for none; raises KeyError without a column that it needs."""
        if callable(self.query):
            return self.query(row)
        alone = _NAME.fullmatch(self.query)
        return of_word(str(row[alone[1]])) if alone else _NAME.sub(lambda found: _literal(str(row[found[1]])), self.query)


class Rows(msgspec.Struct, frozen=True):
    """The rows of a table that meet conditions; none where the column `unless` has a value."""

    table: str
    where: tuple[str, ...]
    sort: str = ""
    unless: str = ""


class InDocument(msgspec.Struct, frozen=True):
    """The document whose id is in a column; with `start` and `text`, columns too, that place in it is marked."""

    document: str = "document"
    start: str = ""
    text: str = ""


class Screen(msgspec.Struct, frozen=True):
    """A page of the project with the values of a column, and of some others, as the arguments of the same names.

    `argument` is the name of the column's own, where that is another; `narrowed` are columns that are told too where they are
    among those shown, `fixed` arguments that are always the same.
    """

    path: str
    column: str
    others: tuple[str, ...] = ()
    argument: str = ""
    narrowed: tuple[str, ...] = ()
    fixed: tuple[tuple[str, str], ...] = ()

    def arguments(self, row: Row) -> dict[str, Value]:
        """What the page is asked for of a row; raises KeyError without a column that it needs."""
        told = {name: row[name] for name in (*self.others, *(name for name in self.narrowed if row.get(name)))}
        return {self.argument or self.column: row[self.column]} | told | dict(self.fixed)


class Outside(msgspec.Struct, frozen=True):
    """An address elsewhere in the web, which the cell has as its value; nothing is asked of it before it is followed."""


CellLink = ConcordanceCell | Rows | InDocument | Screen | Outside


def fill(template: str, row: Row) -> str:
    """A condition with the values of a row; raises KeyError without a column that it needs."""
    return _NAME.sub(lambda found: str(row[found[1]]), template)


def word_page(column: str = "word") -> Screen:
    """The page of a word in a column."""
    return Screen("word", column, argument="word", narrowed=("language",), fixed=(("unit", "word"),))


def lemma_page(column: str = "lemma") -> Screen:
    """The page of a lemma in a column."""
    own = ("language",) if column in ("head", "dependent", "first", "second") else ("category", "language")
    return Screen("word", column, argument="word", narrowed=own, fixed=(("unit", "lemma"),))


def of_word(word: str) -> str:
    """The query for a word, in capital or small letters."""
    return word if word.isalnum() else of_form(word)


def of_form(word: str) -> str:
    """The query for one token that is a word, in capital or small letters."""
    return f"[word=={_literal(word)}%c]"


def of_lemma(lemma: str, category: str = "", *, any_case: bool = False) -> str:
    """The query for a lemma, in one of its categories when that is given; with `any_case` in capital or small letters."""
    also = f" & pos=={_literal(category)}" if category else ""
    return f"[lemma=={_literal(lemma)}{'%c' if any_case else ''}{also}]"


def of_category(category: str) -> str:
    """The query for a category."""
    return f"[pos=={_literal(category)}]"


def _literal(text: str) -> str:
    return quoted(text, literal=True)
