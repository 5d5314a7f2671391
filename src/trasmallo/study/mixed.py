"""A text in several languages: each of its stretches cut into tokens and analysed by the rules of its own."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from trasmallo.study.bounds import Whole
from trasmallo.study.detection import Stretch
from trasmallo.study.factorising import Numbered, joined
from trasmallo.study.morphology import has_lexicon, tag_types
from trasmallo.study.neologisms import Found, unrecognised_in
from trasmallo.study.sentences import Cut, cut
from trasmallo.study.tokenise import Columns
from trasmallo.study.vocabulary import joined_forms
from trasmallo.values.model import Tagged


class Piece(NamedTuple):
    """A stretch, cut: its places count from `start` of the text."""

    language: str
    start: int
    cut: Cut


class Mixed(NamedTuple):
    """A text, cut: as a whole, and its pieces, one for each stretch of a language."""

    whole: Cut
    pieces: list[Piece]

    def tag(self) -> Numbered[Tagged]:
        """The words of the whole in their context, each in the language of its piece."""
        return joined([tag_types(piece.cut, piece.language) for piece in self.pieces])

    def unrecognised(self) -> Iterator[tuple[Whole, Found]]:
        """Words that nobody lists, and where they begin in the whole; of a language without a lexicon that would be all."""
        for piece in self.pieces:
            if has_lexicon(piece.language):
                found = unrecognised_in(piece.cut, piece.language)
                yield np.asarray(piece.cut.tokens.starts, np.int64)[found.places] + piece.start, found


def cut_stretches(text: str, stretches: Sequence[Stretch], language: str) -> Mixed:
    """Cut a text whose stretches are given; `language` is that of the whole. One stretch costs no more than `cut`."""
    if len(stretches) <= 1:
        own = stretches[0].language if stretches else language
        whole = cut(text, own)
        return Mixed(whole, [Piece(own, 0, whole)])
    pieces = [Piece(one.language, one.start, cut(text[one.start : one.end], one.language)) for one in stretches]
    return Mixed(_joined(text, pieces, cut("", language).tokens.language), pieces)


def _joined(text: str, pieces: Sequence[Piece], language: str) -> Cut:
    starts, ends, kinds, sentences = array("L"), array("L"), bytearray(), []
    for _, start, (tokens, ranges) in pieces:
        before = len(kinds)
        sentences += [(first + before, last + before) for first, last in ranges]
        starts.frombytes((np.asarray(tokens.starts) + np.uint(start)).tobytes())
        ends.frombytes((np.asarray(tokens.ends) + np.uint(start)).tobytes())
        kinds += tokens.kinds
    return Cut(
        Columns(text, language, joined_forms([piece.cut.tokens.forms for piece in pieces]), starts, ends, kinds), sentences
    )
