"""Two corpora side by side: runs or scopes of one project or of two, or a run beside a reference.

What each uses more, what is new, and what has vanished.

Memory: the counts of both, some 200 bytes a distinct word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from typing import Annotated

import msgspec
from msgspec import Meta

from trasmallo.results.database.tables import Tables
from trasmallo.results.keyness import By, comparable_counts, counts_of, with_documents
from trasmallo.store.run_folders import Run
from trasmallo.study.measures.keyness import Key, KeynessLimits, Measure, keywords
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
    `other_run` are the names of the two, `scope` and `other_scope` about which of their documents they answer.
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
    scope: str = ""
    other_scope: str = ""


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


class CompareOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How two corpora are compared: by what, sorted by which measure, words of at least so many occurrences, `number` told.

    `reference` names the language in general that the counts are of which a run is compared with, "" for any other counts.
    """

    by: By = "word"
    measure: Measure = "log_likelihood"
    least: Annotated[int, Meta(ge=1)] = 3
    number: Annotated[int, Meta(ge=1)] = 50
    reference: str = ""


def compare(tables: Tables, others: Tables | Mapping[str, float], options: CompareOptions | None = None) -> Comparison:
    """Compare what two runs count, or a run and a reference of words with their counts; the strongest are told first."""
    options = options or CompareOptions()
    tell_step(0, _STEPS)
    ours = comparable_counts(tables, options.by, options.reference)
    tell_step(1, _STEPS)
    theirs: Mapping[str, float] = others if isinstance(others, Mapping) else dict(counts_of(others, options.by))
    tell_step(2, _STEPS)
    size = sum(ours.values())
    # A word that only the other has is too rare here; it counts as none.
    absent = ((word, 0) for word in theirs.keys() - ours.keys())
    more = _keys(ours.items(), size, theirs, options, negative=False)
    tell_step(3, _STEPS)
    less = _keys([*ours.items(), *absent], size, theirs, options, negative=True)
    tell_step(_STEPS, _STEPS)
    return Comparison(
        more=tuple(with_documents(tables, options.by, more)),
        less=tuple(with_documents(tables, options.by, less)),
        new=_most(ours, theirs, options.number),
        vanished=_most(theirs, ours, options.number),
        size=size,
        other_size=round(sum(theirs.values())),
        types=len(ours),
        other_types=len(theirs),
        shared=len(ours.keys() & theirs.keys()),
    )


def _keys(
    counts: Iterable[tuple[str, int]], size: int, theirs: Mapping[str, float], options: CompareOptions, *, negative: bool
) -> list[Key]:
    limits = KeynessLimits(least_count=options.least, negative=negative)
    return keywords(counts, size, theirs, measure=options.measure, limits=limits, number=options.number)


def _most(counts: Mapping[str, float], without: Mapping[str, float], number: int) -> tuple[Counted, ...]:
    """The most frequent words that the others do not have."""
    alone = ((count, word) for word, count in counts.items() if word not in without)
    return tuple(Counted(word, round(count)) for count, word in nlargest(number, alone))
