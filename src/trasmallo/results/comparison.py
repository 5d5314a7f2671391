"""Two runs side by side, of one project or of two: what each uses more, what is new, and what has vanished.

Memory: the counts of both, some 200 bytes a distinct word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nlargest

import msgspec

from trasmallo.results.database.tables import Tables
from trasmallo.results.keyness import By, counts_of
from trasmallo.store.run_folders import Run
from trasmallo.study.measures.keyness import Key, KeynessLimits, keywords
from trasmallo.values.errors import UsageError
from trasmallo.values.steps import tell_step


class Counted(msgspec.Struct, frozen=True):
    """A word and how often it occurs."""

    word: str
    count: int


_STEPS = 4
"""Steps that are told: the words of each are counted, then compared from either side."""


class Comparison(msgspec.Struct, frozen=True):
    """`more` and `less` are what the run uses more and less than the other; `new` the other has not, `vanished` only it has.

    `size` and `other_size` are words in all, `types` and `other_types` distinct ones, `shared` those that both have; `run` and
    `other_run` are the names of the two.
    """

    more: tuple[Key, ...]
    less: tuple[Key, ...]
    new: tuple[Counted, ...]
    vanished: tuple[Counted, ...]
    size: int
    other_size: int
    types: int
    other_types: int
    shared: int
    run: str = ""
    other_run: str = ""


def run_beside(run: Run, known: Sequence[Run]) -> Run:
    """What a run is compared with when nobody says so: the one before it, or the latest where it is none of the `known`.

    They are in the order of their beginnings; raises UsageError when there is none.
    """
    names = [other.name for other in known if other.folder.parent.samefile(run.folder.parent)]
    before = known[: names.index(run.name)] if run.name in names else known
    if not before:
        how = "make another one with: trasmallo run {folder} --new, or name another project with --with"
        raise UsageError("there is no run before {name} to compare with", how, name=run.name, folder=run.folder.parents[1])
    return before[-1]


def compare(tables: Tables, others: Tables, *, by: By = "word", number: int = 50) -> Comparison:
    """Compare what two runs count: words, lemmas or categories; `number` of each kind are told, the strongest first."""
    tell_step(0, _STEPS)
    ours = dict(counts_of(tables, by))
    tell_step(1, _STEPS)
    theirs = dict(counts_of(others, by))
    tell_step(2, _STEPS)
    sizes = sum(ours.values()), sum(theirs.values())
    # A word that only the other has is too rare here; it counts as none.
    absent = ((word, 0) for word in theirs.keys() - ours.keys())
    more = tuple(keywords(ours.items(), sizes[0], theirs, number=number))
    tell_step(3, _STEPS)
    less = tuple(keywords([*ours.items(), *absent], sizes[0], theirs, limits=KeynessLimits(negative=True), number=number))
    tell_step(_STEPS, _STEPS)
    return Comparison(
        more=more,
        less=less,
        new=_most(ours, theirs, number),
        vanished=_most(theirs, ours, number),
        size=sizes[0],
        other_size=sizes[1],
        types=len(ours),
        other_types=len(theirs),
        shared=len(ours.keys() & theirs.keys()),
    )


def _most(counts: Mapping[str, int], without: Mapping[str, int], number: int) -> tuple[Counted, ...]:
    """The most frequent words that the others do not have."""
    alone = ((count, word) for word, count in counts.items() if word not in without)
    return tuple(Counted(word, count) for count, word in nlargest(number, alone))
