"""A text in several languages: each of its stretches cut into tokens and analysed by the rules of its own."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from trasmallo.study.detection import LanguageSpan
from trasmallo.study.factorising import Factorised, concatenated
from trasmallo.study.interned_forms import joined_forms
from trasmallo.study.languages import choose
from trasmallo.study.morphology import has_lexicon, tag_types
from trasmallo.study.neologisms import UnrecognisedWords, unrecognised_in
from trasmallo.study.sentences import Cut, cut
from trasmallo.study.tokenise import TokenColumns
from trasmallo.values.arrays import Whole
from trasmallo.values.model import Tagged


class LanguageSection(NamedTuple):
    """A stretch, cut: its places count from `start` of the text."""

    language: str
    start: int
    cut: Cut


class MultilingualText(NamedTuple):
    """A text, cut: as a whole, and its sections, one for each stretch of a language."""

    whole: Cut
    sections: list[LanguageSection]

    def tag(self) -> Factorised[Tagged]:
        """The words of the whole in their context, each in the language of its section."""
        return concatenated([tag_types(section.cut, section.language) for section in self.sections])

    def unrecognised(self, home: str = "") -> Iterator[tuple[str, Whole, UnrecognisedWords]]:
        """Words that nobody lists of each section, with its language and where they begin in the whole.

        Of a language without a lexicon that would be all. `home` is a language whose words are known in every section: that of
        a section is told by most of its words, and titles and references are often in another.
        """
        for section in self.sections:
            if has_lexicon(section.language):
                beside = (home,) if home and choose(home) != choose(section.language) and has_lexicon(home) else ()
                found = unrecognised_in(section.cut, section.language, beside)
                starts = np.asarray(section.cut.tokens.starts, np.int64)[found.places] + section.start
                yield section.language, starts, found


def cut_stretches(text: str, stretches: Sequence[LanguageSpan], language: str) -> MultilingualText:
    """Cut a text whose stretches are given; `language` is that of the whole. One stretch costs no more than `cut`."""
    if len(stretches) <= 1:
        own = stretches[0].language if stretches else language
        whole = cut(text, own)
        return MultilingualText(whole, [LanguageSection(own, 0, whole)])
    sections = [LanguageSection(one.language, one.start, cut(text[one.start : one.end], one.language)) for one in stretches]
    return MultilingualText(_whole(text, sections, cut("", language).tokens.language), sections)


def _whole(text: str, sections: Sequence[LanguageSection], language: str) -> Cut:
    starts, ends, kinds, sentences = array("L"), array("L"), bytearray(), []
    for _, start, (tokens, ranges) in sections:
        before = len(kinds)
        sentences += [(first + before, last + before) for first, last in ranges]
        starts.frombytes((np.asarray(tokens.starts) + np.uint(start)).tobytes())
        ends.frombytes((np.asarray(tokens.ends) + np.uint(start)).tobytes())
        kinds += tokens.kinds
    tokens = TokenColumns(
        text=text,
        language=language,
        forms=joined_forms([section.cut.tokens.forms for section in sections]),
        starts=starts,
        ends=ends,
        kinds=kinds,
    )
    return Cut(tokens, sentences)
