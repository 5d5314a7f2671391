"""Words that are written nearly alike: what near words stand for, and what a misspelt word may have meant.

The edits of a word are tried against the index (Norvig 2007): 600 look-ups for a word of ten letters take less than a
millisecond, while walking the dictionary would take as long as it is large. Words at a distance of two are looked for among
the frequent ones with the same beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trasmallo.store.index.words import hidden

_LETTERS = hidden("abcdefghijklmnopqrstuvwxyzñ0123456789")
_LONGEST = 32  # judgement: letters; longer words are addresses or worse
_BEGINNING = 2  # judgement: letters that a second slip leaves alone
_LISTED = 2_000  # judgement: words with that beginning that are compared

Count = Callable[[str], int]
"""In how many documents a term is."""
Listing = Callable[[str, int], list[tuple[str, int]]]
"""The most frequent terms with a beginning, and in how many documents they are."""


def near_terms(term: str, most: int, count: Count, listing: Listing) -> list[tuple[str, int, int]]:
    """(term, distance, documents) of other terms within a distance of 1 or 2, the nearest first, then the most frequent."""
    if not 1 < len(term) <= _LONGEST:
        return []
    found = {edit: (1, number) for edit in set(_edits(term)) - {term} if (number := count(edit))}
    for other, number in listing(term[:_BEGINNING], _LISTED) if most > 1 else ():
        if other != term and other not in found and distance(term, other, most) <= most:
            found[other] = 2, number
    return sorted(((other, *how) for other, how in found.items()), key=lambda one: (one[1], -one[2], one[0]))


def distance(one: str, other: str, most: int) -> int:
    """Letters to add, drop, change or swap with the next to make one word the other; `most` + 1 for anything beyond."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        after = [i]
        for j, second in enumerate(other, 1):
            cost = min(row[j] + 1, after[-1] + 1, row[j - 1] + (letter != second))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == second:
                cost = min(cost, before[j - 2] + 1)
            after.append(cost)
        if min(after) > most:
            return most + 1
        before, row = row, after
    return min(row[-1], most + 1)


def _edits(word: str) -> Iterator[str]:
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in _LETTERS)
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        yield from (head + letter + tail for letter in _LETTERS)
