"""Reads corpus queries of the CQL family; a query without brackets and quotation marks is a word or a phrase.

query     sequence [& 1.lemma = 2.lemma]... [[!]within | [!]containing   s | <s/> | <doc site="..."/> | (query)]...
sequence  things one after the other, | for choices, ( ) for groups, ? * + {2} {0,3} behind a thing for repeats
thing     [condition]   1:[condition]   "expression"   "two words"   <s> </s> <doc> </doc>
condition word="expression"%cd   lemma!="..."   word=="plain text"   & | ! ( )
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, NoReturn, TypeVar

import msgspec

from trasmallo.study.query.query_errors import broken
from trasmallo.study.query.syntax import (
    ATTRIBUTES,
    LIMITS,
    STRUCTURES,
    Agreement,
    Area,
    Both,
    Choice,
    Compare,
    Condition,
    Edge,
    Either,
    Not,
    One,
    Pattern,
    PatternSequence,
    Query,
    Repeat,
    Restriction,
)
from trasmallo.values.messages import Message
from trasmallo.values.nearest import nearest

_SYMBOL = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<name>\w+)|(?P<sign>!==|==|!=|>=|<=|</|/>|\S)|$)""", re.DOTALL
)
_SIGNS_OF_QUERIES = re.compile(r"""[\[\]"<]""")
_QUOTED_PHRASE = re.compile(r"""\s*"([^"\\\[\]<]*[^"\\\[\]<\s]\s+[^"\\\[\]<\s][^"\\\[\]<]*)"\s*""").fullmatch
_QUOTED_NOTHING = re.compile(r"""\s*(?:"\s*"|'\s*')\s*""").fullmatch
_OPERATORS = ("=", "!=", "==", "!==")
_COMPARISONS = ("=", "!=", ">", "<", ">=", "<=", "~")
_ALIKE = 0.6
"""Likeness from which an attribute is taken for a misspelt one and not for another thing. Judgement: difflib's own."""
_EXAMPLE = 'write it like [lemma="hacer"] []{0,3} [pos="NOUN"]'

Part = TypeVar("Part")


class _Symbol(NamedTuple):
    """A piece of the query: a text in quotation marks, a name or a sign; the last one is empty."""

    kind: str
    text: str
    at: int


def is_phrase(query: str) -> bool:
    """Whether a query is a plain word or phrase, which the caller cuts into words: `phrase` makes a query of these."""
    return not _SIGNS_OF_QUERIES.search(query)


def unquoted(query: str) -> str:
    """A phrase without the quotation marks around it, as a search is asked for one; any other query as it is."""
    if _QUOTED_NOTHING(query):
        return ""
    found = _QUOTED_PHRASE(query)
    return found[1] if found else query


def phrase(words: list[str]) -> Query:
    """A query for words one after the other, in capital or small letters; `*` in a word stands for any letters."""
    if not words:
        raise broken("", 0, Message("it is empty"), Message("give a word, a phrase or a query"))
    return Query(PatternSequence(tuple(One(_plain(word)) for word in words)) if len(words) > 1 else One(_plain(words[0])))


def parse(query: str) -> Query:
    """The query in a text; raises QueryError that says where it breaks and how it is written."""
    if len(query) > LIMITS.characters:
        said = Message("it is longer than {longest:,} characters", longest=LIMITS.characters)
        raise broken(query, LIMITS.characters, said, Message("ask for less at once"))
    return _Parser(query).whole()


def _plain(word: str) -> Compare:
    if "*" not in word or not word.strip("*"):
        return Compare("word", word, literal=True, any_case=True)
    return Compare("word", ".*".join(map(re.escape, word.split("*"))), any_case=True)


class _Parser:
    """Reads from left to right, one symbol ahead."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._depth = 0
        self._symbols = self._cut()
        self._next = 0

    def whole(self) -> Query:
        query = self._restricted()
        if self._peek.kind:
            self._refuse("nothing more is expected here", _EXAMPLE)
        return query

    def _cut(self) -> list[_Symbol]:
        found, at = [], 0
        while True:
            match = _SYMBOL.match(self._query, at)
            assert match is not None, "a sign is anything"
            kind = match.lastgroup or ""
            symbol = _Symbol(kind, match[kind] if kind else "", match.start(kind) if kind else len(self._query))
            if kind == "sign" and symbol.text in "\"'":
                said, how = Message("this quotation mark is never closed"), Message("close it behind the value")
                raise broken(self._query, symbol.at, said, how)
            found.append(symbol)
            if not kind:
                return found
            at = match.end()

    @property
    def _peek(self) -> _Symbol:
        return self._symbols[self._next]

    def _is(self, *signs: str) -> bool:
        return self._peek.kind == "sign" and self._peek.text in signs

    def _take(self) -> _Symbol:
        symbol = self._peek
        self._next += bool(symbol.kind)
        return symbol

    def _taken(self, *signs: str) -> bool:
        found = self._is(*signs)
        if found:
            self._take()
        return found

    def _refuse(self, what: str, repair: str, symbol: _Symbol | None = None, /, **arguments: object) -> NoReturn:
        symbol = symbol or self._peek
        said, how = Message(what, **arguments), Message(repair, **arguments)
        raise broken(self._query, symbol.at, said, how, len(symbol.text))

    def _expect(self, sign: str, opened: _Symbol | None = None) -> None:
        if self._taken(sign):
            return
        if opened:
            self._refuse(
                "{sign!r} is missing for the {text!r} of character {at}",
                "add {sign} there",
                sign=sign,
                text=opened.text,
                at=opened.at + 1,
            )
        self._refuse("{sign!r} is expected", _EXAMPLE, sign=sign)

    def _deeper(self, read: Callable[[], Part]) -> Part:
        self._depth += 1
        self._check_depth(self._depth)
        found = read()
        self._depth -= 1
        return found

    def _check_depth(self, depth: int) -> None:
        if depth > LIMITS.depth:
            self._refuse("brackets are nested more than {depth} deep", "write it flatter", depth=LIMITS.depth)

    # What stands behind a sequence.

    def _restricted(self) -> Query:
        pattern = self._choice()
        agreements: list[Agreement] = []
        restrictions: list[Restriction] = []
        while True:
            if self._taken("&"):
                agreements.append(self._agreement())
            elif (restriction := self._restriction()) is not None:
                restrictions.append(restriction)
            else:
                return Query(pattern, tuple(agreements), tuple(restrictions))

    def _agreement(self) -> Agreement:
        first = self._labelled()
        sign = self._take()
        if sign.text not in ("=", "!="):
            self._refuse("two labelled tokens are compared with = or !=", "write it like & 1.lemma = 2.lemma", sign)
        second = self._labelled()
        return Agreement(first[0], second[0], (first[1], second[1]), sign.text == "!=")

    def _labelled(self) -> tuple[str, str]:
        label = self._take()
        if label.kind != "name" or not self._taken("."):
            self._refuse("a label and its attribute are expected", "write it like & 1.lemma = 2.lemma", label)
        return label.text, self._attribute()

    def _restriction(self) -> Restriction | None:
        begun = self._next
        negated = self._taken("!")
        if self._peek.kind != "name" or self._peek.text not in ("within", "containing"):
            self._next = begun
            return None
        kind = self._take().text
        negated |= self._taken("!")
        return Restriction(kind, self._target(), negated)

    def _target(self) -> Area | Query:
        symbol = self._peek
        if symbol.kind == "name":
            self._take()
            return Area(self._structure(symbol))
        after = self._symbols[self._next + 1 : self._next + 4]
        if symbol.text == "<" and after and after[0].kind == "name" and not (len(after) > 1 and after[1].text == ">"):
            return self._area()
        return self._grouped() if symbol.text == "(" else Query(self._choice())

    def _grouped(self) -> Query:
        """What stands in brackets behind `within`: a whole query."""
        opened = self._take()
        query = self._deeper(self._restricted)
        self._expect(")", opened)
        return query

    def _area(self) -> Area:
        self._take()
        structure = self._structure(self._take())
        conditions = []
        while not self._taken("/>"):
            name = self._take()
            sign = self._take()
            if name.kind != "name" or sign.text not in _COMPARISONS:
                self._refuse(
                    "a column, a comparison and a value are expected, or />",
                    'write it like within <doc language="es"/>',
                    name if name.kind != "name" else sign,
                )
            conditions.append((name.text, sign.text, _unescaped(self._value())))
        if conditions and structure != "doc":
            self._refuse("only documents have columns", 'write <s/>, or <doc language="es"/>')
        return Area(structure, tuple(conditions))

    def _structure(self, symbol: _Symbol) -> str:
        if symbol.text not in STRUCTURES:
            self._refuse("{text!r} is no structure", "there are s (sentences) and doc (documents)", symbol, text=symbol.text)
        return symbol.text

    # Sequences.

    def _choice(self) -> Pattern:
        parts = [self._row()]
        while self._taken("|"):
            parts.append(self._row())
        return Choice(tuple(parts)) if len(parts) > 1 else parts[0]

    def _row(self) -> Pattern:
        parts = []
        while (part := self._thing()) is not None:
            parts.append(self._repeated(part))
        if not parts:
            self._refuse("a token is expected", _EXAMPLE)
        return PatternSequence(tuple(parts)) if len(parts) > 1 else parts[0]

    def _thing(self) -> Pattern | None:
        symbol = self._peek
        if symbol.kind == "text":
            return self._words()
        if self._is("["):
            return self._token("")
        if self._is("("):
            return self._group()
        if self._is("<", "</"):
            return self._edge()
        if symbol.kind == "name" and self._symbols[self._next + 1].text == ":":
            self._take()
            self._take()
            return self._token(symbol.text)
        if symbol.kind == "name" and symbol.text not in ("within", "containing"):
            self._refuse("a word stands in quotation marks here", 'write it like "{text}"', text=symbol.text)
        return None

    def _group(self) -> Pattern:
        opened = self._take()
        found = self._deeper(self._choice)
        self._expect(")", opened)
        return found

    def _edge(self) -> Edge:
        end = self._take().text == "</"
        structure = self._structure(self._take())
        self._expect(">")
        return Edge(structure, end)

    def _words(self) -> Pattern:
        """A word in quotation marks, or several one after the other: no token has a blank inside."""
        test = self._test("word", "=")
        parts = [One(msgspec.structs.replace(test, pattern=part)) for part in test.pattern.split()]
        return PatternSequence(tuple(parts)) if len(parts) > 1 else One(test)

    def _token(self, label: str) -> One:
        if self._peek.kind == "text":
            return One(self._test("word", "="), label)
        opened = self._peek
        if not self._taken("["):
            self._refuse("a token is expected behind a label", 'write it like 1:[pos="NOUN"]')
        condition = Both() if self._is("]") else self._deeper(self._either)
        self._expect("]", opened)
        return One(condition, label)

    def _repeated(self, part: Pattern) -> Pattern:
        repeats = 0
        while (symbol := self._peek).kind == "sign" and symbol.text in ("?", "*", "+", "{"):
            least, most = self._times()
            if isinstance(part, Edge):
                self._refuse("the edge of a structure cannot be repeated", "leave the repeat out", symbol)
            part = Repeat(part, least, most)
            repeats += 1
            self._check_depth(repeats)
        return part

    def _times(self) -> tuple[int, int]:
        symbol = self._take()
        if symbol.text != "{":
            return {"?": (0, 1), "*": (0, LIMITS.repeats), "+": (1, LIMITS.repeats)}[symbol.text]
        least = self._number(0)
        most = self._number(LIMITS.repeats) if self._taken(",") else least
        self._expect("}", symbol)
        if least > most or not most:
            self._refuse("{{least},{most}} is no range", "write it like {0,3}", symbol, least=least, most=most)
        if most > LIMITS.repeats:
            self._refuse(
                "{most:,} repeats are more than the {repeats} that are looked for",
                "write at most {{least},{repeats}}",
                symbol,
                most=most,
                repeats=LIMITS.repeats,
                least=min(least, LIMITS.repeats),
            )
        return least, most

    def _number(self, default: int) -> int:
        symbol = self._peek
        if self._is(",", "}"):
            return default
        if not re.fullmatch(r"[0-9]{1,9}", symbol.text):
            self._refuse("a number is expected", "write it like {0,3}")
        self._take()
        return int(symbol.text)

    # Conditions.

    def _either(self) -> Condition:
        parts = [self._both()]
        while self._taken("|"):
            parts.append(self._both())
        return Either(tuple(parts)) if len(parts) > 1 else parts[0]

    def _both(self) -> Condition:
        parts = [self._single()]
        while self._taken("&"):
            parts.append(self._single())
        return Both(tuple(parts)) if len(parts) > 1 else parts[0]

    def _single(self) -> Condition:
        if self._taken("!"):
            return Not(self._deeper(self._single))
        opened = self._peek
        if self._taken("("):
            found = self._deeper(self._either)
            self._expect(")", opened)
            return found
        if self._peek.kind == "text":
            return self._test("word", "=")
        return self._test(self._attribute(allow_lc=True), self._operator())

    def _operator(self) -> str:
        symbol = self._take()
        if symbol.text not in _OPERATORS:
            self._refuse("= or != is expected behind an attribute", 'write it like [lemma="hacer"]', symbol)
        return symbol.text

    def _attribute(self, *, allow_lc: bool = False) -> str:
        symbol = self._take()
        known = [*ATTRIBUTES, *(["lc"] if allow_lc else [])]
        if symbol.text not in known:
            alike = nearest(symbol.text, known, _ALIKE)
            how = "did you mean {meant}? there are {known}" if alike else "there are {known}"
            self._refuse("an attribute is expected", how, symbol, meant=alike, known=", ".join(known))
        return symbol.text

    def _test(self, attribute: str, operator: str) -> Compare:
        literal, negated = operator.endswith("=="), operator.startswith("!")
        value = self._value()
        flags = self._flags()
        pattern = _unescaped(value) if literal or "l" in flags else value
        name = "word" if attribute == "lc" else attribute
        return Compare(
            attribute=name,
            pattern=pattern,
            negated=negated,
            literal=literal or "l" in flags,
            any_case="c" in flags or attribute == "lc",
            any_accent="d" in flags,
        )

    def _value(self) -> str:
        symbol = self._take()
        if symbol.kind != "text":
            shown = symbol.text if symbol.kind == "name" else "..."
            self._refuse("a value in quotation marks is expected", 'write it like "{shown}"', symbol, shown=shown)
        return symbol.text[1:-1]

    def _flags(self) -> str:
        if not self._taken("%"):
            return ""
        symbol = self._take()
        if not symbol.text or set(symbol.text) - set("cdl"):
            self._refuse(
                "c, d or l is expected behind %", "write %c for any case, %d for any accents, %l for plain text", symbol
            )
        return symbol.text


def _unescaped(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)
