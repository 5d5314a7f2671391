"""The criterion language: words, phrases, AND, OR, NOT, XOR, parentheses, and how often words must or may appear.

    madrid AND (auxerre OR "liga de campeones") AND NOT baloncesto
    MIN(gol, 2)   MAX(anuncio, 1)   SUM(valencia, levante, 3)   lang*   marcar~

Words side by side must all appear; `-word` is NOT word, `marcar~` any form of the word. NOT binds closest, then AND, XOR, OR.
English operators may be written in any case; the Spanish ones (Y, O, NO, XO) in capitals, since in small letters they are
common words. `docs/slicing.md` has the whole grammar.
"""

from __future__ import annotations

from typing import NamedTuple, NoReturn

import msgspec

from trasmallo.clean.slicing.characters import SPACE, class_of, folding
from trasmallo.values.errors import CriterionError
from trasmallo.values.messages import Message

MAX_LENGTH = 10_000
"""Characters of a criterion. Judgement, as all of these: more than anybody types."""
MAX_DEPTH = 100
"""Groups inside groups."""
MAX_WORDS = 500
"""Words of a criterion."""

_QUOTES = {'"': '"', "“": "”", "«": "»", "'": "'", "‘": "’"}
_APOSTROPHES = frozenset("'’")
"""Marks that stand inside words too: one closes a phrase only where a word may end."""
_STOPS = frozenset('(),"“”«»')
_ENGLISH = {"and": "and", "or": "or", "not": "not", "xor": "xor"}
_SPANISH = {"Y": "and", "O": "or", "NO": "not", "XO": "xor"}
_FUNCTIONS = {"min": "min", "max": "max", "sum": "sum", "suma": "sum"}
_MOST_DIGITS = 6
"""Digits of a number."""

_PROBLEMS = {
    "empty": ("the criterion is empty", "write a word to look for"),
    "too-long": ("the criterion is too long", "write at most {text} characters"),
    "too-deep": ("the criterion has too many parentheses inside each other", "nest at most {text} of them"),
    "too-many": ("the criterion has too many words", "write at most {text} of them"),
    "unclosed-quote": ("a quotation mark is not closed", "close it with {text}"),
    "unopened-quote": ("a quotation mark was never opened", 'write phrases as "two words"'),
    "empty-phrase": ("there is nothing between the quotation marks", "write a phrase there or remove them"),
    "empty-word": ("there is no letter to look for", "write some letters beside the * or ~"),
    "star-and-forms": ("a word has both * and ~", "write * for any ending, or ~ for the forms of the word"),
    "forms-of-phrase": ("~ stands behind a phrase", "write it behind single words, such as marcar~ gol~"),
    "unclosed-parenthesis": ("a parenthesis is not closed", "close it with )"),
    "unopened-parenthesis": ("a parenthesis was never opened", "remove it or write ( before"),
    "empty-parentheses": ("there is nothing between the parentheses", "write a word there or remove them"),
    "missing-operand": ("{text} lacks a word beside it", "write a word on each side, or put {text} in quotation marks"),
    "unexpected-comma": ("a comma stands where none may", 'write AND or OR, or put the words in "quotation marks"'),
    "word-expected": ("{text} needs a word here", "write it as {text}(word, 2)"),
    "number-expected": ("{text} must end with a number of times", "write it as {text}(word, 2)"),
    "comma-expected": ("{text} needs a comma here", "write it as {text}(word, 2)"),
}


class Word(msgspec.Struct, frozen=True, tag_field="op", tag="word"):
    """A word or phrase; with `head` or `tail` it may go on before or after in the page's word.

    `inflected` asks for every form of it; `forms` has them once a table of forms was asked (`inflection`), () where none knows
    the word.
    """

    text: str
    head: bool = False
    tail: bool = False
    inflected: bool = False
    forms: tuple[str, ...] = ()


class Not(msgspec.Struct, frozen=True, tag_field="op", tag="not"):
    """Holds where its item does not."""

    item: Tree


class And(msgspec.Struct, frozen=True, tag_field="op", tag="and"):
    """Holds where every item does."""

    items: tuple[Tree, ...]


class Or(msgspec.Struct, frozen=True, tag_field="op", tag="or"):
    """Holds where some item does."""

    items: tuple[Tree, ...]


class Xor(msgspec.Struct, frozen=True, tag_field="op", tag="xor"):
    """Holds where an odd number of items does: of two, exactly one."""

    items: tuple[Tree, ...]


class AtLeast(msgspec.Struct, frozen=True, tag_field="op", tag="min"):
    """Holds where the words together appear `times` times or more."""

    words: tuple[Word, ...]
    times: int


class AtMost(msgspec.Struct, frozen=True, tag_field="op", tag="max"):
    """Holds where the words together appear `times` times or less."""

    words: tuple[Word, ...]
    times: int


Tree = Word | Not | And | Or | Xor | AtLeast | AtMost

_JOINS: dict[str, type[And] | type[Or] | type[Xor]] = {"and": And, "or": Or, "xor": Xor}
# From the loosest to the closest.
_LEVELS = ("or", "xor", "and")


class _Token(NamedTuple):
    kind: str
    text: str
    at: int
    length: int


def parse(source: str, *, inflected: bool = False) -> Tree:
    """The tree of a criterion; raises CriterionError with the place of the first mistake.

    With `inflected` every word asks for its forms as if `~` stood behind it, but for phrases and words with a `*`.
    """
    if len(source) > MAX_LENGTH:
        _refuse("too-long", MAX_LENGTH, len(source) - MAX_LENGTH, str(MAX_LENGTH))
    return _Parser(_tokens(source), inflected).parse()


def words_of(tree: Tree, *, wanted: bool = True) -> list[Word]:
    """The words that a page should have, each once: not those that are only counted against it."""
    found: dict[Word, None] = {}
    waiting: list[tuple[Tree, bool]] = [(tree, True)]
    while waiting:
        item, positive = waiting.pop()
        if isinstance(item, Word):
            if positive == wanted:
                found[item] = None
        elif isinstance(item, Not):
            waiting.append((item.item, not positive))
        elif isinstance(item, AtLeast | AtMost):
            if (isinstance(item, AtLeast) and item.times > 0) == (positive == wanted):
                found.update(dict.fromkeys(item.words))
        else:
            waiting += [(part, positive) for part in reversed(item.items)]
    return list(found)


def _refuse(code: str, at: int, length: int, *args: str) -> NoReturn:
    problem, repair = (Message(text, text=args[0]) if args else Message(text) for text in _PROBLEMS[code])
    whole = "{problem}, at character {place} of the criterion"
    raise CriterionError(whole, repair, code, at, length, args, problem=problem, place=at + 1)


def _tokens(source: str) -> list[_Token]:
    found: list[_Token] = []
    place = 0
    while place < len(source):
        character = source[place]
        if class_of(character) == SPACE:
            place += 1
            continue
        if character in "(),":
            token = _Token(character, character, place, 1)
        elif character == "-":
            token = _minus(source, place)
        elif character in _QUOTES:
            token = _phrase(source, place, _QUOTES[character])
        elif character in _STOPS:
            _refuse("unopened-quote", place, 1)
        else:
            token = _word(source, place)
        found.append(token)
        place += token.length
    return [*found, _Token("end", "", len(source), 0)]


def _minus(source: str, place: int) -> _Token:
    """A `-` before a word is NOT, as in search engines; one that stands alone is rather part of a title."""
    if _is_border(source, place + 1) and source[place + 1 : place + 2] not in ("(", *_QUOTES):
        _refuse("missing-operand", place, 1, "-")
    return _Token("operator", "-", place, 1)


def _is_border(source: str, place: int) -> bool:
    """Whether a word ends before a place."""
    return place >= len(source) or source[place] in _STOPS or class_of(source[place]) == SPACE


def _phrase(source: str, place: int, close: str) -> _Token:
    end = source.find(close, place + 1)
    while end >= 0 and close in _APOSTROPHES and not (_is_border(source, end + 1) or source[end + 1] == "~"):
        end = source.find(close, end + 1)
    if end < 0:
        _refuse("unclosed-quote", place, len(source) - place, close)
    inside = source[place + 1 : end]
    if not _has_letters(inside):
        _refuse("empty-phrase", place, end + 1 - place)
    if source[end + 1 : end + 2] == "~":
        _refuse("forms-of-phrase", end + 1, 1)
    return _Token("phrase", inside, place, end + 1 - place)


def _word(source: str, place: int) -> _Token:
    end = place
    while end < len(source) and source[end] not in _STOPS and class_of(source[end]) != SPACE:
        end += 1
    text = source[place:end]
    name = folding(case=True, accents=True).fold(text)
    length = end - place
    if name in _FUNCTIONS and source[end : end + 1] == "(":
        return _Token("function", text, place, length)
    if name in _ENGLISH or text in _SPANISH:
        return _Token("operator", text, place, length)
    return _Token("word", text, place, length)


def _has_letters(text: str) -> bool:
    """Whether anything is left to look for when the text is folded."""
    folded = folding(case=True, accents=True).fold(text)
    return any(class_of(character) != SPACE for character in folded)


def _operator(token: _Token) -> str:
    """Which operator a token is, "" for none."""
    if token.kind != "operator":
        return ""
    if token.text == "-":
        return "not"
    return _SPANISH.get(token.text) or _ENGLISH[folding(case=True, accents=True).fold(token.text)]


class _Parser:
    """Descends from the loosest operator to the closest; as deep as there are parentheses, at most `MAX_DEPTH`."""

    def __init__(self, tokens: list[_Token], inflected: bool) -> None:
        self._tokens, self._inflected = tokens, inflected
        self._next = 0
        self._depth = 0
        self._words = 0

    def parse(self) -> Tree:
        tree = self._joined(0)
        token = self._tokens[self._next]
        if token.kind == ")":
            _refuse("unopened-parenthesis", token.at, 1)
        if token.kind == ",":
            _refuse("unexpected-comma", token.at, 1)
        return tree

    def _joined(self, level: int) -> Tree:
        """Items joined by the operator of a level; AND may be left out."""
        if level == len(_LEVELS):
            return self._negated()
        name = _LEVELS[level]
        items = [self._joined(level + 1)]
        while self._goes_on(name):
            items.append(self._joined(level + 1))
        return items[0] if len(items) == 1 else _JOINS[name](tuple(items))

    def _goes_on(self, name: str) -> bool:
        token = self._tokens[self._next]
        if _operator(token) == name:
            self._next += 1
            return True
        return name == "and" and (token.kind in ("word", "phrase", "function", "(") or _operator(token) == "not")

    def _negated(self) -> Tree:
        negated = False
        while _operator(self._tokens[self._next]) == "not":
            negated = not negated
            self._next += 1
        item = self._item()
        return Not(item) if negated else item

    def _item(self) -> Tree:
        token = self._tokens[self._next]
        if token.kind in ("word", "phrase"):
            self._next += 1
            return self._leaf(token)
        if token.kind == "function":
            self._next += 2
            return self._function(token)
        if token.kind != "(":
            self._complain(token)
        return self._group(token)

    def _group(self, opening: _Token) -> Tree:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            _refuse("too-deep", opening.at, 1, str(MAX_DEPTH))
        self._next += 1
        tree = self._joined(0)
        token = self._tokens[self._next]
        if token.kind == ",":
            _refuse("unexpected-comma", token.at, 1)
        if token.kind != ")":
            _refuse("unclosed-parenthesis", opening.at, 1)
        self._next += 1
        self._depth -= 1
        return tree

    def _complain(self, token: _Token) -> NoReturn:
        """Why no item can begin at a token; the operator or parenthesis before it is often to blame."""
        before = self._tokens[self._next - 1] if self._next else None
        if token.kind == ",":
            _refuse("unexpected-comma", token.at, 1)
        if before is not None and before.kind == "operator":
            _refuse("missing-operand", before.at, before.length, before.text)
        if token.kind == "operator":
            _refuse("missing-operand", token.at, token.length, token.text)
        if before is None:
            _refuse("unopened-parenthesis" if token.kind == ")" else "empty", token.at, token.length)
        if token.kind == ")":
            _refuse("empty-parentheses", before.at, token.at + 1 - before.at)
        _refuse("unclosed-parenthesis", before.at, 1)

    def _leaf(self, token: _Token) -> Word:
        self._words += 1
        if self._words > MAX_WORDS:
            _refuse("too-many", token.at, token.length, str(MAX_WORDS))
        if token.kind == "phrase":
            return Word(token.text)
        text = token.text.removeprefix("*")
        head, inflected = len(text) < len(token.text), text.endswith("~")
        text = text.removesuffix("~")
        tail = text.endswith("*")
        text = text.removesuffix("*")
        if not _has_letters(text):
            _refuse("empty-word", token.at, token.length)
        if inflected and (head or tail):
            _refuse("star-and-forms", token.at, token.length)
        return Word(text, head, tail, inflected or (self._inflected and not (head or tail)))

    def _function(self, name: _Token) -> Tree:
        """What stands between the parentheses of MIN, MAX or SUM: words, then a number."""
        arguments = [self._argument(name)]
        while self._tokens[self._next].kind == ",":
            self._next += 1
            arguments.append(self._argument(name))
        token = self._tokens[self._next]
        if token.kind == "end":
            _refuse("unclosed-parenthesis", name.at + name.length, 1)
        if token.kind != ")":
            _refuse("comma-expected", token.at, token.length, name.text)
        self._next += 1
        return self._counted(name, arguments)

    def _argument(self, name: _Token) -> _Token:
        token = self._tokens[self._next]
        if token.kind == "end":
            _refuse("unclosed-parenthesis", name.at + name.length, 1)
        # Between commas an operator's name is a word like any other.
        if token.kind not in ("word", "phrase", "operator") or token.text == "-":
            _refuse("word-expected", token.at, token.length, name.text)
        self._next += 1
        return token

    def _counted(self, name: _Token, arguments: list[_Token]) -> Tree:
        kind = _FUNCTIONS[folding(case=True, accents=True).fold(name.text)]
        *words, last = arguments
        if kind != "sum" and len(words) > 1:
            last = words[1]
        digits = last.text if last.kind == "word" and len(last.text) <= _MOST_DIGITS else ""
        if not words or not (digits.isascii() and digits.isdigit()) or (kind != "sum" and len(words) > 1):
            _refuse("number-expected", last.at, last.length, name.text)
        leaves = tuple(self._leaf(word) for word in words)
        return AtMost(leaves, int(digits)) if kind == "max" else AtLeast(leaves, int(digits))
