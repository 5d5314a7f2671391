"""Misspellings that a corpus itself shows: it has a known word, one slip away, at least as often.

The lexicon does not list all adverbs, verbs with pronouns and derived words; a corpus has those that its writers use, and so
tells that `actualmene` is none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from trasmallo.study.morphology import words_of
from trasmallo.study.morphology.error_costs import error_costs
from trasmallo.study.unlisted.word_facts import MISSPELT, SAID, UNKNOWN, said_of

_SHORTEST = 6
"""Letters of a word that is one slip away from another not by chance. Judgement, as the next ones, looked at on manuals in
Spanish (Debian's installation guide, FreedomBox)."""
_TIMES_MORE = 1
"""How many times as often a corpus has the right word at least. Judgement, on the same manuals."""
_MOST_WORDS = 2_000
"""Words that are looked at: each asks for some hundred others. Judgement: a second of work."""
_LETTERS = "abcdefghijlmnopqrstuvyzáéíóúñ"


def meant_in_corpus(
    counts: Mapping[str, int], counts_of: Callable[[Sequence[str]], Mapping[str, int]], code: str
) -> dict[str, str]:
    """The known words that some words, given with how often a corpus has them, are meant for; those that are none are left out.

    `counts_of` tells how often the corpus has words.
    """
    asked = [word for word in counts if len(word) >= _SHORTEST and word.isalpha()][:_MOST_WORDS]
    near = {word: _undone(word, code) for word in asked}
    met = counts_of(list(set[str]().union(*near.values())))
    found = {}
    for word, forms in near.items():
        often = [form for form in forms & met.keys() if met[form] >= _TIMES_MORE * counts[word] and _is_known(form, code)]
        if often:
            found[word] = max(often, key=lambda form: (met[form], form))
    return found


def _undone(word: str, code: str) -> set[str]:
    """What a word is without a slip of the hand (letters changed about, one or two too many, one too few), or of the ear."""
    forms = {form for form, _ in error_costs(code).respellings(word)}
    for place in range(len(word)):
        before, behind, next_behind = word[:place], word[place:], word[place + 2 :]
        forms.update((before + behind[1:], before + next_behind, before + behind[1:2] + behind[:1] + next_behind))
        forms.update([before + letter + behind for letter in _LETTERS])
    return forms


def _is_known(form: str, code: str) -> bool:
    return len(form) >= _SHORTEST and said_of(form, words_of(code).analyse(form)) & SAID not in (UNKNOWN, MISSPELT)
