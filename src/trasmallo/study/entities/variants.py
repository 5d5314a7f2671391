"""One entity over a corpus: names of different spelling that mean the same, each with the evidence; the doubtful stay apart.

1. spelling: the same letters without case, accents and signs (EE. UU., EEUU; Banco de Espana); the commonest is its name.
2. initials: A. Pérez is Ana Pérez, where one person alone has this surname and initial.
3. beside: in documents an acronym, or a shorter name of two words, was found beside the one full name that it stands for
   (`linking`), and beside no other; then it is that one where it stands alone, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from trasmallo.study.entities.found import RULED
from trasmallo.study.entities.name_lists import fold

_INITIAL = 2
"""Characters of an initial with its point."""
_MOST_STEPS = 5  # judgement: an initial, an accent, an acronym; more is a circle


class NamedEntity(NamedTuple):
    """An entity as documents name it, how often."""

    entity: str
    kind: str
    times: int


class Beside(NamedTuple):
    """A spelling that was taken for an entity in so many documents."""

    written: str
    entity: str
    kind: str
    documents: int


class Variant(msgspec.Struct, frozen=True):
    """A name that means the same as another; `evidence` is spelling, initials or beside, `documents` how many show it."""

    entity: str
    kind: str
    name: str
    evidence: str
    documents: int = 0


def find_variants(entities: Sequence[NamedEntity], beside: Iterable[Beside]) -> list[Variant]:
    """The names that are another's, in the order of kind and name; those that have a value of their own are none."""
    named = [one for one in entities if one.kind not in RULED]
    found: dict[tuple[str, str], Variant] = {}
    for one in (*_spellings(named), *_initials(named), *_beside(beside)):
        found.setdefault((one.entity, one.kind), one)
    return sorted(_ended(found), key=lambda one: (one.kind, one.entity))


def _ended(found: Mapping[tuple[str, str], Variant]) -> Iterator[Variant]:
    """Variants with the name at the end of their chains; one that is a circle stays as it is."""
    for one in found.values():
        name, steps = one.name, 0
        while (name, one.kind) in found and steps < _MOST_STEPS:
            name, steps = found[name, one.kind].name, steps + 1
        if name != one.entity and steps < _MOST_STEPS:
            yield msgspec.structs.replace(one, name=name)


def _bare(name: str) -> str:
    """A name by its letters and digits alone; words stay apart, but those of an acronym do not."""
    words = ["".join(filter(str.isalnum, word)) for word in fold(name).split()]
    return ("" if name.isupper() else " ").join(filter(None, words)) or fold(name)


def _spellings(entities: Sequence[NamedEntity]) -> Iterator[Variant]:
    groups: dict[tuple[str, str], list[NamedEntity]] = defaultdict(list)
    for one in entities:
        groups[_bare(one.entity), one.kind].append(one)
    for some in groups.values():
        best = min(some, key=lambda one: (-one.times, one.entity.isupper(), one.entity))
        yield from (Variant(one.entity, one.kind, best.entity, "spelling") for one in some if one is not best)


def _initials(entities: Sequence[NamedEntity]) -> Iterator[Variant]:
    full: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    persons = [one.entity for one in entities if one.kind == "PER"]
    for name in persons:
        given, _, surname = name.partition(" ")
        if surname and not _is_initial(given):
            full[fold(given)[:1], fold(surname)].setdefault(_bare(name), name)
    for name in persons:
        given, _, surname = name.partition(" ")
        meant = full.get((fold(given)[:1], fold(surname)), {}) if surname and _is_initial(given) else {}
        if len(meant) == 1:
            yield Variant(entity=name, kind="PER", name=next(iter(meant.values())), evidence="initials")


def _is_initial(word: str) -> bool:
    return len(word) == _INITIAL and word[0].isupper() and word[1] == "."


def _beside(pairs: Iterable[Beside]) -> Iterator[Variant]:
    meant: dict[tuple[str, str], list[Beside]] = defaultdict(list)
    for one in pairs:
        if one.written != one.entity and one.kind not in RULED and (" " in one.written or one.written.isupper()):
            meant[one.written, one.kind].append(one)
    for (written, kind), some in meant.items():
        if len(some) == 1:
            yield Variant(written, kind, some[0].entity, "beside", some[0].documents)
