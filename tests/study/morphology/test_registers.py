from __future__ import annotations

import numpy as np

from trasmallo.study.interned_forms import forms_of
from trasmallo.study.morphology.registers import MOST_TOKENS, everyday_sentences, is_everyday


def test_short_sentences_are_everyday_language() -> None:
    assert is_everyday(["Paso", "de", "ti", "."])
    assert not is_everyday(["palabra"] * (MOST_TOKENS + 1))


def test_sentences_of_a_text_are_judged_as_alone() -> None:
    sentences = [["uno"] * length for length in (1, MOST_TOKENS + 1, MOST_TOKENS)]
    bounds = np.array([(0, 1), (1, 2 + MOST_TOKENS), (2 + MOST_TOKENS, 2 + 2 * MOST_TOKENS)])
    forms = forms_of([word for sentence in sentences for word in sentence])
    assert (
        everyday_sentences(forms, bounds).tolist() == [is_everyday(sentence) for sentence in sentences] == [True, False, True]
    )
