"""Languages of the blocks of a document; who tells the language of a text is handed in."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from trasmallo.study import languages
from trasmallo.values.language_tags import primary

Detect = Callable[[str], str]
"""From a text to its language as an ISO 639-1 code, "" for none (`language_detection.detect_language`)."""

_ENOUGH = 80
"""Letters from which a block tells its language by itself: of sentence beginnings in Spanish and English treebanks 97 and 99 %
are recognised at this length, 90 and 96 % at half of it."""

_LOOKED_AT = 200
"""Letters of a block that tell its script. Judgement: more change nothing in a block of one script."""


def by_block(blocks: Sequence[str], detect: Detect, document: str = "") -> list[str]:
    """The language of each block of a document; `document` is what is known of the whole, "" for nothing.

    A short block has the language of the one before it that tells its own, or of the document, if it is written in the same
    script; one without letters is in "".
    """
    document = document or detect("\n".join(blocks))
    found: list[str] = []
    current, script = document, ""
    for text in blocks:
        letters = list(islice(filter(str.isalpha, text), _LOOKED_AT))
        own = _script(letters)
        if len(letters) >= _ENOUGH or (letters and script and own != script):
            current, script = detect(text) or document, own
        found.append(current if letters else "")
        script = script or own
    return found


def _script(letters: Sequence[str]) -> str:
    """The script of most letters, by the first word of their Unicode names; "" without letters."""
    names = Counter(unicodedata.name(letter, "?").partition(" ")[0] for letter in letters)
    return names.most_common(1)[0][0] if names else ""


class LanguageSpan(NamedTuple):
    """A part of a text in one language: `text[start:end]`."""

    language: str
    start: int
    end: int


_LONG = 100
"""Characters from which a line can tell its language: about `_ENOUGH` letters."""
_SURE = 0.2
"""Share of the different words of a line that are function words of its language: of Spanish sentences in treebanks 99 % have
more, and fewer than that are function words of English."""
_NONE = 0.1
"""Share of a line's words below which it has next to no function words of a language. Judgement: half of `_SURE`."""
_NEAR = 0.1
"""Share of the function words of a language that another has too, from which they can be taken for each other (Spanish with
Catalan, Galician, Portuguese and Italian)."""
_FEW, _FEW_LETTERS = 4, 20
"""Different words and letters of the shortest line that may be in another language than its neighbours. Judgement: fewer are a
name."""
_SAMPLE = 300
"""Characters of a line whose words are looked at."""
_FOREIGN_LETTERS = 5
"""Letters of another script from which a line may be written in it. Judgement: a word or two."""
_WORD = re.compile(r"[^\W\d_]+")
_NOT_LATIN = re.compile("[^\\W\\d_\u0000-\u024f\u1e00-\u1eff]")


def stretches(text: str, detect: Detect, document: str) -> list[LanguageSpan]:
    """The parts of a text, a line a block, that are in one language each; together they are the text.

    `document` is the language of the whole. Function words tell whether a line is in it, at a few millionths of a second; who
    detects languages is asked only about lines that they leave in doubt, and is believed when those of another language
    outnumber them, or, of a language whose function words nobody lists, when there are none and both halves of the line are
    in it. A short line is in the language of the one before it, unless it has more function words of the document's, or some
    of another and none of that.
    """
    found: list[LanguageSpan] = []
    for language, start, end in _lines(text, _Judge(detect, document)):
        if found and found[-1].language == language:
            found[-1] = found[-1]._replace(end=end)
        else:
            found.append(LanguageSpan(language, start, end))
    return found


def _lines(text: str, judge: _Judge) -> Iterator[LanguageSpan]:
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield LanguageSpan(judge.judge(text[start:end]), start, end)
        start = end


class _Judge:
    """Tells the languages of one document's lines, one after the other."""

    def __init__(self, detect: Detect, document: str) -> None:
        self._detect = detect
        self._home, self._current = document, document
        self._primary = primary(document)
        self._own = languages.stopwords(document)
        self._near = _near(self._primary)
        self._by_script: dict[str, str] = {}

    def judge(self, line: str) -> str:
        if not line.isascii() and self._is_of_another_script(line):
            return self._of_script(line)
        if len(line) >= _LONG:
            self._current = self._of_long(line)
        else:
            return self._of_short(line)
        return self._current

    def _of_short(self, line: str) -> str:
        """What a short line says counts for those after it only when it is in the document's language again."""
        if len(line) < _FEW_LETTERS and self._current == self._home:
            return self._home
        words = set(_WORD.findall(line.lower()))
        own = len(self._own & words)
        if self._current != self._home:
            if own > len(_lists().get(self._current, frozenset()) & words):
                self._current = self._home
        elif not own and self._own and len(words) >= _FEW:
            return self._told_by(words) or self._home
        return self._current

    def _told_by(self, words: set[str]) -> str:
        """The language with most function words among these, "" where that is not clear."""
        counts = sorted(((len(listed & words), code) for code, listed in _lists().items()), reverse=True)
        (most, code), (next_one, _) = counts[:2]
        return code if most > next_one and most >= max(2, _SURE * len(words)) else ""

    def _of_long(self, line: str) -> str:
        words = set(_WORD.findall(line[:_SAMPLE].lower()))
        own = len(self._own & words)
        if own >= _SURE * len(words) and all(own >= len(listed & words) for listed in self._near):
            return self._home
        others = {code: len(listed & words) for code, listed in _lists().items() if code != self._primary}
        told = self._detect(line)
        if told == self._primary or not told:
            return self._home
        if told in others:
            return told if others[told] > max(own, _SURE * len(words)) else self._home
        return told if own < _NONE * len(words) and self._is_prose_of(told, line) else self._home

    def _is_prose_of(self, language: str, line: str) -> bool:
        """Whether both halves of a line are in a language that has no list here, and most words are no names."""
        small = sum(word[0].islower() for word in _WORD.findall(line)) * 2 > len(_WORD.findall(line))
        middle = len(line) // 2
        return small and self._detect(line[:middle]) == self._detect(line[middle:]) == language

    def _is_of_another_script(self, line: str) -> bool:
        sample = line[:_LOOKED_AT]
        strange = len(_NOT_LATIN.findall(sample))
        return strange >= _FOREIGN_LETTERS and 2 * strange > sum(map(str.isalpha, sample))

    def _of_script(self, line: str) -> str:
        """One question for each script of a document."""
        script = _script(line[:_LOOKED_AT])
        if script not in self._by_script:
            told = self._detect(line)
            self._by_script[script] = self._home if told in (self._primary, "") else told
        return self._by_script[script]


@cache
def _lists() -> dict[str, frozenset[str]]:
    return {language.code: language.stopwords for language in languages.known() if language.has("stopwords.txt")}


@cache
def _near(language: str) -> tuple[frozenset[str], ...]:
    own = languages.stopwords(language)
    return tuple(listed for code, listed in _lists().items() if code != language and len(own & listed) >= _NEAR * len(listed))
