"""What stands around a word and how it is spelt, as clues to its state in a hidden Markov model.

A clue is a text. Of every word it is what follows; of one with a capital letter also how it begins and ends, the two words
before, the looks beside it, the next word of a name, and the nearest longer words in small letters on both sides (*el portavoz
de la* Junta *lo negó*: portavoz, negó).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from trasmallo.study.entities.word_features import EDGE, look

_AFFIX = 3
"""Letters of a beginning or an ending. Judgement."""
_BACK, _ON = 4, 6
"""How far back and on the longer words may stand. Judgement."""
_SHORTEST = 4
"""Their letters at least: articles and prepositions say nothing. Judgement."""


def clues(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The clues of each word of a sentence."""
    padded = [*words, EDGE, EDGE]
    for place, word in enumerate(words):
        following = _following(padded[place + 1], padded[place + 2])
        if look(word)[0] == "A":
            yield (f"A>{following}", *_spelt(word), *_around(words, place))
        else:
            yield (f"a>{following}",)


def _spelt(word: str) -> tuple[str, str]:
    low = word.lower()
    return f"p{low[:_AFFIX]}", f"x{low[-_AFFIX:]}"


def _around(words: Sequence[str], place: int) -> Iterator[str]:
    second, first = [EDGE, EDGE, *words[:place]][-2:]
    after = words[place + 1] if place + 1 < len(words) else EDGE
    yield f"b{second.lower()} {first.lower()}"
    yield f"l{look(first)[:2]} {look(words[place])} {look(after)[:2]}"
    yield f"<{_longer(reversed(words[max(0, place - _BACK) : place]))}"
    yield f"r{_longer(words[place + 1 : place + 1 + _ON])}"
    if after[0].isupper():
        yield f"n{after}"


def _following(first: str, second: str) -> str:
    """The two words after, a name as its capital letter alone; of a small word the looks."""
    if first[0].isupper():
        return f"A {'A' if second[0].isupper() else second.lower()}"
    return f"{look(first)[:2]} {second.lower()}"


def _longer(words: Iterable[str]) -> str:
    return next((word for word in words if len(word) >= _SHORTEST and word.islower()), EDGE)
