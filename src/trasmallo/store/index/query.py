"""What may be asked, and its grammar.

A query is a row of clauses: a word, a "phrase", or a group of clauses in brackets, of which any may match.

| written | means |
| --- | --- |
| `casa` | better with this word; words that say little are passed over |
| `+casa` | only with this word, whatever it is |
| `-casa` | only without it |
| `"casa blanca"`, `"casa blanca"~2` | these words in this order, or with up to two others between |
| `title:casa`, `title:"casa blanca"` | in this part of the document |
| `cas*` | words that begin so |
| `casa~1`, `casa~2` | words that differ by one or two letters |
| `lemma:venir`, `lemma:poder/VERB`, `lemma:"té"` | where a word is of this lemma in context; of a category too; as written |
| `date:2024`, `date:2024-03..2025` | a date, or from one to another; either may be left out |
| `language:es`, `site:example.org`, `type:pdf` | only documents in it, of it, of that type |
| `seed:https://example.org/` | only documents to which this start address led |
| `docno:AP880212-0001` | the document that its collection calls so |
| `author:alice`, `from:alice`, `to:bob`, `cc:eve`, `subject:nets` | letters by who wrote them, to whom, about what |
| `list:nets.example.org`, `thread:ID`, `message:ID` | letters of a mailing list, of a discussion; one by its Message-ID |
| `folder:/home/ana/work`, `owner:ana` | files in a folder or below it, files of a user |

Every query is hostile: its length, its clauses, its depth and the letters before a `*` have limits.
"""

from __future__ import annotations

import calendar
import re

import msgspec

from trasmallo.values.errors import UrlError, UsageError
from trasmallo.values.local_addresses import canonical_seed
from trasmallo.values.nearest import nearest

LONGEST = 2_000  # judgement: characters; nobody types more, programs make more
MOST_CLAUSES = 64  # judgement: each clause is a look-up of the index
_DEEPEST = 5  # judgement: brackets in brackets that a person can still read
_SHORTEST_PREFIX = 2  # judgement: one letter begins a tenth of all words
_FARTHEST = 2  # tantivy's automata reach two changes

PARTS = ("title", "heading", "emphasis", "description", "keywords", "author", "address", "anchor", "comments", "to", "cc")
FILTERS = ("date", "language", "site", "type", "entity", "seed", "docno", "folder", "owner", "list", "thread", "message")
_AS_WRITTEN = ("entity", "docno", "folder", "owner", "thread", "message")
_NAMES = {**{name: name for name in PARTS}, "url": "address", "text": "words", "headings": "heading", "lang": "language"}
_NAMES |= {"subject": "title", "from": "author", "lemma": "lemma"}
_REPAIR = 'write words, "phrases", +must, -not, field:word, begin*, near~1, date:2024..2025, language:es, site:example.org'

_TOKEN = re.compile(
    r"(?P<blank>\s+)|(?P<sign>[+-])(?=[^\s+\-)])|(?P<open>\()|(?P<close>\))|(?P<field>[^\W\d_][\w-]*):(?=[^\s:/])"
    r'|"(?P<phrase>[^"]*)"(?:~(?P<slop>\d{1,3})(?=[\s)]|$))?|(?P<quote>")|(?P<word>[^\s()"]+)|(?P<other>.)',
    re.DOTALL,
)
_PLAIN = re.compile(r"[\w\s]+")
_WORD = re.compile(r"(?P<text>.*?)(?:(?P<star>\*)|~(?P<near>\d?))?", re.DOTALL)
_DAY = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


class TextClause(msgspec.Struct, frozen=True):
    """A word or phrase in a part of the document ("words" is all of them), or a lemma of its text (the part "lemma").

    `kind` is word, phrase, prefix or near; `near` is the distance of a near word or the words between those of a phrase.
    """

    text: str
    part: str = "words"
    kind: str = "word"
    near: int = 0


class ClauseGroup(msgspec.Struct, frozen=True):
    """Clauses in brackets."""

    clauses: tuple[Clause, ...]


class Filter(msgspec.Struct, frozen=True):
    """A condition on the document: a value of one of `FILTERS`, or the days of a `date`."""

    name: str
    value: str = ""
    first: int = 0
    last: int = 99_999_999


class Clause(msgspec.Struct, frozen=True):
    """What is asked, and whether it must be there ("+"), must not ("-") or may ("")."""

    what: TextClause | ClauseGroup | Filter
    sign: str = ""


class Question(msgspec.Struct, frozen=True):
    """A whole query."""

    clauses: tuple[Clause, ...]

    def texts(self) -> list[TextClause]:
        """The words and phrases that are not ruled out, those in brackets too."""
        return _texts(self.clauses)


def parse(query: str) -> Question:
    """The meaning of a query; raises UsageError in one line where it has none or is too large."""
    if len(query) > LONGEST:
        raise UsageError(
            "the query has {count:,} characters", "ask with at most {longest:,}", count=len(query), longest=LONGEST
        )
    words = query.split() if _PLAIN.fullmatch(query) else ()
    clauses = tuple(Clause(TextClause(word)) for word in words) if 0 < len(words) <= MOST_CLAUSES else _Parser(query).clauses()
    if not clauses:
        raise UsageError("the query is empty", _REPAIR)
    return Question(clauses)


class _Parser:
    def __init__(self, query: str) -> None:
        self._tokens = [match for match in _TOKEN.finditer(query) if match.lastgroup != "blank"]
        self._at = 0
        self._number = 0

    def clauses(self, depth: int = 0) -> tuple[Clause, ...]:
        """The clauses up to the end, or to the bracket that closes the group."""
        found: list[Clause] = []
        while self._at < len(self._tokens):
            if self._tokens[self._at].lastgroup == "close":
                break
            if (clause := self._clause(depth)) is not None:
                found.append(clause)
                self._count()
        if depth == 0 and self._at < len(self._tokens):
            raise UsageError("a bracket is closed that nobody opened", "remove it, or put it inside quotes")
        return tuple(found)

    def _count(self) -> None:
        self._number += 1
        if self._number > MOST_CLAUSES:
            raise UsageError(
                "the query has more than {most_clauses} parts", "ask for fewer words at once", most_clauses=MOST_CLAUSES
            )

    def _clause(self, depth: int) -> Clause | None:
        sign = self._take("sign") or ""
        field = self._take("field") or ""
        token = self._tokens[self._at] if self._at < len(self._tokens) else None
        if token is None or token.lastgroup == "close":
            return None
        self._at += 1
        if token.lastgroup == "open":
            return Clause(self._group(depth, field), sign)
        if token.lastgroup == "quote":
            raise UsageError("a quotation mark is not closed", 'write phrases as "two words"')
        if token["phrase"] is None:
            what = _word(token[0], field)
        else:
            what = _filter_or_text(field, token["phrase"], "phrase", int(token["slop"] or 0))
        return Clause(what, sign) if what else None

    def _group(self, depth: int, field: str) -> ClauseGroup:
        if field:
            raise UsageError("{field}: stands before a bracket", "write it before each word inside", field=field)
        if depth == _DEEPEST:
            raise UsageError("brackets are nested more than {deepest} deep", "ask in a simpler way", deepest=_DEEPEST)
        inside = self.clauses(depth + 1)
        if self._at == len(self._tokens):
            raise UsageError("a bracket is not closed", "close it with ), or put it inside quotes")
        self._at += 1
        if any(isinstance(clause.what, Filter) for clause in inside):
            raise UsageError("{filters} stand outside brackets", _REPAIR, filters=", ".join(FILTERS))
        return ClauseGroup(inside)

    def _take(self, group: str) -> str | None:
        if self._at < len(self._tokens) and self._tokens[self._at].lastgroup == group:
            self._at += 1
            return self._tokens[self._at - 1][group]
        return None


def _word(written: str, field: str) -> TextClause | Filter | None:
    """A word with what follows it."""
    if not field and written.endswith(":") and _is_field(written[:-1]):
        raise _empty(written[:-1])
    found = _WORD.fullmatch(written)
    assert found is not None
    if found["star"]:
        if len(found["text"]) < _SHORTEST_PREFIX:
            problem = "{written!r} begins too many words"
            how = "write at least {shortest_prefix} letters before *"
            raise UsageError(problem, how, written=written, shortest_prefix=_SHORTEST_PREFIX)
        return _filter_or_text(field, found["text"], "prefix", 0)
    if found["near"] is not None:
        near = int(found["near"] or 1)
        if near > _FARTHEST:
            raise UsageError("{written!r} may differ too much", "write ~1 or ~{farthest}", written=written, farthest=_FARTHEST)
        return _filter_or_text(field, found["text"], "near", near)
    return _filter_or_text(field, written, "word", 0)


def _filter_or_text(field: str, text: str, kind: str, near: int) -> TextClause | Filter | None:
    name = _NAMES.get(field.lower(), field.lower())
    if name in FILTERS:
        return _filter(name, text.strip())
    if name and name not in _NAMES.values():
        known = [*_NAMES, *FILTERS]
        raise UsageError(
            "there is no field {field!r}",
            "did you mean {meant}:? There are {known}",
            field=field,
            meant=nearest(name, known),
            known=", ".join(known),
        )
    if field and not text.strip():
        raise _empty(field)
    if name == "lemma" and kind in ("prefix", "near"):
        raise UsageError("a lemma is given whole", "write lemma:{text}", text=text)
    return TextClause(text, name or "words", kind, near) if text.strip() else None


def _is_field(name: str) -> bool:
    return name.lower() in _NAMES or name.lower() in FILTERS


def _empty(name: str) -> UsageError:
    return UsageError("{name}: has no value", "write one right behind the colon, such as title:casa or language:es", name=name)


def _filter(name: str, value: str) -> Filter:
    if not value:
        raise _empty(name)
    if name in ("seed", "folder"):
        return Filter(name, _address(value) if name == "seed" else value.rstrip("/") or "/")
    if name != "date":
        return Filter(name, value.lower() if name not in _AS_WRITTEN else value)
    first, dots, last = value.partition("..")
    days = _days(first, value), _days(last if dots else first, value)
    return Filter(name, value, days[0][0], days[1][1])


def _address(value: str) -> str:
    """An address as pages keep it; what is none leads to nothing."""
    try:
        return canonical_seed(value)
    except UrlError:
        return value


def _days(text: str, whole: str) -> tuple[int, int]:
    """The first and the last day that a date may mean; any day when it is left out."""
    if not text:
        return 0, 99_999_999
    found = _DAY.fullmatch(text)
    year, month, day = (int(number or 0) for number in found.groups()) if found else (0, 0, 0)
    if not found or month > 12 or (day and not 1 <= day <= calendar.monthrange(max(year, 1), month)[1]):
        raise UsageError("{whole!r} is no date", "write date:2024, date:2024-03-01 or date:2024..2025-06", whole=whole)
    first = year * 10_000 + (month or 1) * 100 + (day or 1)
    return first, year * 10_000 + (month or 12) * 100 + (day or 31)


def _texts(clauses: tuple[Clause, ...]) -> list[TextClause]:
    found: list[TextClause] = []
    for clause in clauses:
        if clause.sign != "-" and isinstance(clause.what, TextClause):
            found.append(clause.what)
        elif clause.sign != "-" and isinstance(clause.what, ClauseGroup):
            found += _texts(clause.what.clauses)
    return found
