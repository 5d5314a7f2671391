"""Registers: which sentences are everyday language, the short ones of talk, forums and messages.

The tagger has other weights for them. Who writes *Paso de ti* or *que haces?* uses the first and second person, imperatives and
questions; in the news, which treebanks are made of, the same forms are nouns and third persons.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.interned_forms import Forms
from trasmallo.values.arrays import Whole

MOST_TOKENS = 12
"""Tokens, signs included, of a sentence that is taken for everyday language. Judgement: most of what is said and posted has no
more; of the words of AnCora 3 in a hundred are in such sentences, of GSD 5, of COSER, which is talk, 28."""


def is_everyday(words: Sequence[str]) -> bool:
    """Whether a sentence, given as its tokens, is everyday language."""
    return len(words) <= MOST_TOKENS


def everyday_sentences(_forms: Forms, bounds: Whole) -> NDArray[np.bool_]:
    """The same of the sentences of a text; `bounds` are the first tokens of each and those after its last."""
    found: NDArray[np.bool_] = bounds[:, 1] - bounds[:, 0] <= MOST_TOKENS
    return found
