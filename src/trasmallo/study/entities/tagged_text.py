"""A text with all that finding entities needs of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trasmallo.study.sentences import Cut
from trasmallo.values.model import Tagged


class TaggedText(NamedTuple):
    """A text, its tokens and sentences, and each token's reading."""

    text: str
    cut: Cut
    tagged: Sequence[Tagged]
    language: str
