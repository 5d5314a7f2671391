"""Code in a text: program text, commands, what a terminal says, paths. It is no prose, and studied only by choice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from trasmallo.study import languages

Span = tuple[int, int]
"""Where something begins and ends in a text."""

_PROSE_WORDS = 20
"""Words from which preformatted text may be prose. Calibrated with the next two on the 256 `pre` elements without `code` inside
of the extraction sets (trafilatura, WCXB): 15 are taken for prose, 11 of them are (letters, verses), and none is missed."""
_PROSE_SHARE = 0.25
"""Share of function words of one language in the words of prose."""
_PROSE_LETTERS = 0.85
"""Share of letters in the characters of prose that are not white."""

_WORD = re.compile(r"[^\W\d_]+")
_PATH = re.compile(
    r"(?<![\w/:.~\\])(?:(?:~|\.{1,2})(?:/[\w.+@-]+)+|(?:/[\w.+@-]+){2,})/?"  # ~/.profile  ./configure  /usr/local/bin
    r"|(?<!\w)[A-Za-z]:\\[\w.\\-]+"  # C:\Windows
)
_TERMINAL = re.compile(
    r"^[ \t]*(?:\$ (?=[A-Za-z./~])|>>> |[\w.-]+@[\w.-]+:\S*[$#] |(?:PS )?[A-Z]:\\[^>\n]*> ?).*$",  # what follows a prompt
    re.MULTILINE,
)


def find_code(text: str) -> list[Span]:
    """Paths and lines of a terminal, in order, as any text may have them without marking them."""
    if not any(sign in text for sign in ("/", "\\", "$ ", ">>> ", "# ")):
        return []
    return joined([match.span() for pattern in (_TERMINAL, _PATH) for match in pattern.finditer(text)])


def is_prose(text: str) -> bool:
    """Whether preformatted text is prose all the same: letters, poems, what was once a plain file."""
    words = _WORD.findall(text.lower())
    if len(words) < _PROSE_WORDS:
        return False
    white = sum(map(str.isspace, text))
    if sum(map(str.isalpha, text)) < _PROSE_LETTERS * (len(text) - white):
        return False
    return max(sum(map(listed.__contains__, words)) for listed in _lists()) >= _PROSE_SHARE * len(words)


@cache
def _lists() -> tuple[frozenset[str], ...]:
    return tuple(language.stopwords for language in languages.known() if language.has("stopwords.txt"))


def joined(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that touch each other as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def blanked(text: str, spans: Iterable[Span]) -> str:
    """A text with blanks in the place of some spans, so that all else keeps its place; lines stay lines."""
    pieces, done = [], 0
    for start, end in spans:
        pieces += [text[done:start], _NO_LINE_END.sub(" ", text[start:end])]
        done = end
    return "".join([*pieces, text[done:]])


_NO_LINE_END = re.compile(r"[^\n]")


def written(spans: Iterable[Span]) -> str:
    """Spans as a text, such as "0-12 30-41"."""
    return " ".join(f"{start}-{end}" for start, end in spans)


def read_spans(text: str) -> list[Span]:
    """The spans of such a text."""
    pairs = (pair.partition("-") for pair in text.split())
    return [(int(start), int(end)) for start, _, end in pairs]
