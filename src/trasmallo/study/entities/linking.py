"""One entity, many mentions: which mentions of a document mean the same one, and the fullest name that it has there.

A surname or given name alone is the person whose full name has it, when only one has; an acronym is the organisation whose
initials it is, best when it stands in brackets behind it; "Pérez, Ana" is Ana Pérez. What is not told apart stays as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from trasmallo.study.entities.name_lists import fold
from trasmallo.values.model import Entity

_SMALL = frozenset(["de", "del", "la", "las", "los", "el", "y", "e", "i", "of", "the", "and", "for", "para", "en"])
_SHORTEST_ACRONYM = 2  # judgement: one letter is an initial


def linked(entities: Sequence[Entity]) -> list[str]:
    """For each mention the fullest name of what it means: its value where it has one, else a name of the document."""
    persons = _by_part([one.text for one in entities if one.kind == "PER"])
    expanded = _by_initials([one.text for one in entities if one.kind in ("ORG", "MISC", "LOC")])
    return [_full(one, persons, expanded) for one in entities]


def _full(one: Entity, persons: dict[str, str], expanded: dict[str, str]) -> str:
    text = uninverted(" ".join(one.text.split())) if one.kind == "PER" else " ".join(one.text.split())
    if one.value:
        return one.value
    if one.kind == "PER":
        return persons.get(fold(text), text)
    return expanded.get(text.replace(".", ""), text) if text.replace(".", "").isupper() else text


def uninverted(name: str) -> str:
    """A name as it is said: "Pérez Gil, Ana" is Ana Pérez Gil."""
    surname, comma, given = name.partition(",")
    return f"{given.strip()} {surname.strip()}" if comma and given.strip() and "," not in given else name


def _by_part(names: Sequence[str]) -> dict[str, str]:
    """Parts of full names that only one of them has, with that one."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in dict.fromkeys(uninverted(" ".join(name.split())) for name in names):
        words = name.split()
        for low in range(len(words)):
            for high in range(low + 1, len(words) + 1):
                if high - low < len(words):
                    found[fold(" ".join(words[low:high]))].add(name)
    longest = {part: max(full, key=len) for part, full in found.items() if _same(full)}
    return {part: name for part, name in longest.items() if part not in _SMALL}


def _same(names: set[str]) -> bool:
    """Whether the longest of some names has all others inside."""
    longest = max(names, key=len)
    return all(name == longest or f" {fold(name)} " in f" {fold(longest)} " for name in names)


def _by_initials(names: Sequence[str]) -> dict[str, str]:
    """Acronyms of the names that have several words, where only one has these initials."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in dict.fromkeys(" ".join(name.split()) for name in names):
        words = name.split()
        for kept in (words, [word for word in words if word.lower() not in _SMALL]):
            if len(kept) >= _SHORTEST_ACRONYM and len(words) > 1:
                found["".join(word[0].upper() for word in kept)].add(name)
    return {initials: next(iter(full)) for initials, full in found.items() if len(full) == 1}
