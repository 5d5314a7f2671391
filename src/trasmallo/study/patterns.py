"""The regular expressions that cut a text: for every token and for words alone, compiled once a language.

Every alternative either consumes the whole run that it looked at or looks at a bounded number of characters, with possessive
repeats only, so that hostile texts cost linear time too. Texts come folded (NFC, no soft hyphens), see `tokenise`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from importlib import resources

from trasmallo.study import languages
from trasmallo.study.characters import CJK, EMOJI, FLAG_LETTER, GAP, Classes, classes

KINDS = ("alphabetic", "alphanumeric", "number", "other", "punctuation")
ALPHABETIC, ALPHANUMERIC, NUMBER, OTHER, PUNCTUATION = range(5)
# Not kinds: a run of CJK characters, cut into bigrams afterwards because they overlap; and what only its context tells.
CJK_RUN = 5
IN_CONTEXT = 6  # one more than the kinds that a token has by itself

_Tree = dict[str, "_Tree"]

_LATIN = "A-Za-zÀ-ÖØ-öø-ÿ"
_BLANK = "[ \u00a0\u202f]?"


class Patterns:
    """The expressions of a language: `tokens` finds what `grouped` does, several times faster, but does not tell the kinds.

    `kinds[match.lastindex]` is the kind of what `grouped` matched. Each is compiled when it is first asked for, in 80 ms.
    """

    def __init__(self, words: Sequence[tuple[int, str]], sign: str) -> None:
        self._words = [pattern for _, pattern in words]
        self._every = [*self._words, sign]
        self.kinds = (PUNCTUATION, *(kind for kind, _ in words), PUNCTUATION)

    @cached_property
    def tokens(self) -> re.Pattern[str]:
        """Finds all tokens."""
        return re.compile(_join(self._every))

    @cached_property
    def words(self) -> re.Pattern[str]:
        """Finds those that are no punctuation."""
        return re.compile(_join(self._words))

    @cached_property
    def grouped(self) -> re.Pattern[str]:
        """Finds all tokens, each kind in a group of its own."""
        return re.compile(_join([f"({pattern})" for pattern in self._every]))

    def kind_of(self, token: str) -> int:
        """The kind of a token by itself; `IN_CONTEXT` when it is none without what stands around it."""
        for following in (" ", "a", ""):
            found = self.grouped.match(token + following)
            if found and found.end() == len(token):
                return self.kinds[found.lastindex or 0]
        return IN_CONTEXT


@cache
def compiled(code: str) -> Patterns:
    """The expressions of a language folder."""
    kinds = classes()
    return Patterns(_word_alternatives(languages.load(code), kinds), _sign(kinds))


def _join(alternatives: list[str]) -> str:
    # One test of the blank spares the others; blanks are every second thing a search meets.
    return rf"{alternatives[0]}|(?!\s)(?:{'|'.join(alternatives[1:])})"


def _word_alternatives(language: languages.Language, kinds: Classes) -> list[tuple[int, str]]:
    letter, mark, digit = f"[{kinds.letter}]", f"[{kinds.mark}]", rf"[\d{kinds.numeral}]"
    within = rf"[{kinds.letter}\d{kinds.numeral}_]"
    joiner = f"[{re.escape(language.rules.joiners)}\u200c\u200d]"
    starts = r"(?=\w)"
    return [
        # Most words are Latin letters before a blank or a comma: nothing that the other alternatives look for.
        (ALPHABETIC, rf"[{_LATIN}]++(?=[\s,;)»”?!])"),
        (OTHER, starts + rf"(?:{_url()}|{_mail(within)}|{_domain(within)})"),
        (ALPHABETIC, starts + rf"(?:{_abbreviation(language, letter)})(?!{mark})"),
        *_neutral(language.rules.neutral, rf"(?!{mark}){letter}++"),
        (OTHER, rf"\d\ufe0f?\u20e3|#\ufe0f?\u20e3|{_emoji(mark)}"),
        *_ordinal(language.rules.ordinals, within),
        (NUMBER, _number(digit, rf"-?[{kinds.letter}_]")),
        (CJK_RUN, f"[{CJK}](?:[{CJK}]|{mark})*+"),
        *_elision(language.rules.elisions, f"(?!{mark}){letter}"),
        (ALPHABETIC, rf"(?!{mark}){letter}++(?:{joiner}{letter}++)*+(?!{joiner}?[\d{kinds.numeral}_])"),
        (ALPHANUMERIC, rf"(?![{kinds.mark}_]){within}++(?:{joiner}{within}++)*+"),
        (OTHER, rf"(?<![\w&])#(?=\d*+[{kinds.letter}_{CJK}]){_tag(kinds)}++|(?<![\w@/])@(?=[\w{CJK}]){_tag(kinds)}++"),
    ]


def _neutral(endings: tuple[str, ...], letters: str) -> list[tuple[int, str]]:
    """Words with a sign in the place of their gender's vowel (tod@s); what goes on behind it is an address."""
    signs = "|".join(map(re.escape, endings))
    return [(ALPHABETIC, rf"{letters}(?:{signs})(?![\w@]|\.\w)")] if signs else []


def _tag(kinds: Classes) -> str:
    return rf"[{kinds.letter}\d{kinds.numeral}_{CJK}]"


def _url() -> str:
    trail = r".,;:!?)\]}'’*"
    inside = rf"\([^\s()<>\"«»“”]{{0,100}}+\)|[{trail}]*+[^\s<>\"«»“”{trail}]"
    return rf"(?:(?:[Hh][Tt][Tt][Pp][Ss]?|[Ff][Tt][Pp])://|[Ww][Ww][Ww]\.(?=\w))(?:{inside})++"


def _mail(within: str) -> str:
    label = "[A-Za-z0-9À-ÿ-]{1,63}"
    return rf"[A-Za-z0-9._%+-]{{1,64}}+@{label}(?:\.{label}){{1,8}}(?!{within})"


@cache
def _domains() -> tuple[str, ...]:
    """Endings of internet names that are recognised without http://."""
    lines = resources.files("trasmallo.study").joinpath("domains.txt").read_text("utf-8").splitlines()
    return tuple(line for line in lines if not line.startswith("#"))


def _domain(within: str) -> str:
    names = _domains()
    ending = _either([*names, *(name.upper() for name in names)])
    path = r"(?:/(?:[.,;:!?)\]'’]*+[^\s<>\"«»“”.,;:!?)\]'’])++)?+"
    return rf"(?:[A-Za-z0-9-]{{1,63}}+\.){{1,8}}?(?:{ending})(?!{within}|[-@]\w|\.\w){path}"


def _abbreviation(language: languages.Language, letter: str) -> str:
    dotted = rf"(?:{letter}\.){{2,}}+"
    initial = r"[A-ZÀ-ÖØ-Þ]\.(?=\s)"
    listed = f"(?={letter}{{1,8}}+\\.){_either(written(language))}|" if language.abbreviations else ""
    return f"{dotted}|{listed}{initial}"


def written(language: languages.Language) -> set[str]:
    """The abbreviations of a language in small letters and capitals; the only forms with a plain blank inside."""
    return {form for entry in language.abbreviations for form in (entry, entry[0].upper() + entry[1:], entry.upper())}


def _either(forms: Iterable[str]) -> str:
    """The forms as one nested alternation, the longest first at each branching; a blank may be absent."""
    tree: _Tree = {}
    for form in forms:
        node = tree
        for char in form:
            node = node.setdefault(char, {})
        node[""] = {}
    return _branch(tree)


def _branch(node: _Tree) -> str:
    choices = [(_BLANK if char == " " else re.escape(char)) + _branch(child) for char, child in sorted(node.items()) if char]
    if "" not in node:
        return choices[0] if len(choices) == 1 else f"(?:{'|'.join(choices)})"
    return f"(?:{'|'.join(choices)})?" if choices else ""


def _number(digit: str, no_more: str) -> str:
    # Each piece refuses a letter after it by itself: a refusal at the end of a long chain would be paid at every piece.
    piece = f"{digit}++(?!{no_more})"
    return rf"{piece}(?:[.,:/'’\-–\u00a0\u202f\u2009](?=\d){piece})*+"


def _ordinal(forms: tuple[str, ...], within: str) -> list[tuple[int, str]]:
    return [(NUMBER, rf"(?=\d)\d++\.?(?:{_either(forms)})(?!{within})")] if forms else []


def _elision(forms: tuple[str, ...], next_letter: str) -> list[tuple[int, str]]:
    if not forms:
        return []
    written = {case for form in forms for case in (form, form.capitalize(), form.upper())}
    return [(ALPHABETIC, rf"{_either(written)}['’](?={next_letter})")]


def _emoji(mark: str) -> str:
    tail = rf"(?:{mark}|[\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]|\u200d[{EMOJI}])*+"
    return rf"(?:[{FLAG_LETTER}]{{2}}|[{FLAG_LETTER}{EMOJI}]){tail}"


def _sign(kinds: Classes) -> str:
    marks = f"[{kinds.mark}]*+"
    runs = rf"[.!?…]++|-++|\*++|_++|~++|(?:=(?![{kinds.mark}]))++"
    return rf"(?:{runs}|[^{GAP}]){marks}"
