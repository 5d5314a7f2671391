"""What is asked of a token, answered once for every type: truth values on the lexicon, never on the tokens themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.query import expressions
from trasmallo.study.query.automaton import Texts, matches
from trasmallo.study.query.columns import CorpusColumns
from trasmallo.study.query.expressions import Flags
from trasmallo.study.query.syntax import ATTRIBUTES, Both, Compare, Condition, Not
from trasmallo.values.arrays import Integers, Mask


class Wanted:
    """The types that fulfil a condition; `categories` are those that do when it asks for nothing else."""

    def __init__(self, columns: CorpusColumns, mask: Mask, *, by_category: bool) -> None:
        self._columns = columns
        self._given = mask
        self.categories: list[int] | None = np.flatnonzero(mask).tolist() if by_category else None

    @cached_property
    def mask(self) -> Mask:
        """Truth values by type."""
        return self._given if self.categories is None else self._given[self._columns.type_of("category")]

    @cached_property
    def types(self) -> NDArray[np.intp]:
        """The numbers of the types."""
        return np.flatnonzero(self.mask)

    @cached_property
    def frequency(self) -> int:
        """How many tokens they have."""
        if self.categories is None:
            return int(self._columns.counts[self.types].sum())
        return int(self._columns.strings("category").counts[self.categories].sum())

    @cached_property
    def every(self) -> bool:
        """Whether all tokens fulfil it."""
        return bool(self._given.all())

    def holds(self, key: slice | Integers) -> Mask:
        """For the tokens of a range or at these places whether they fulfil it."""
        if self.categories is None:
            return self.mask[self._columns.types(key)]
        column = self._columns.category[key]
        if len(self.categories) not in range(1, _FEW):
            return np.asarray(self._given[column])
        found: Mask = column == self.categories[0]
        for number in self.categories[1:]:
            found |= column == number
        return found


_FEW = 6
"""Categories from which looking all up is faster than comparing with each. Judgement."""


class Conditions:
    """Answers conditions on a corpus; what it had to make ready is kept for the next ones."""

    def __init__(self, columns: CorpusColumns) -> None:
        self.columns = columns
        self._texts: dict[str, Texts] = {}

    def wanted(self, condition: Condition) -> Wanted:
        """The types that fulfil a condition."""
        tests = _tests(condition)
        if tests and all(ATTRIBUTES[test.attribute] == "category" for test in tests):
            size = len(self.columns.strings("category"))
            return Wanted(self.columns, _combined(condition, size, self._by_category), by_category=True)
        return Wanted(self.columns, _combined(condition, len(self.columns.counts), self._tested), by_category=False)

    def _by_category(self, test: Compare) -> Mask:
        found = self._strings(test, self._plain(test))
        return ~found if test.negated else found

    def _tested(self, test: Compare) -> Mask:
        """Truth values by type, from those by string."""
        of_type = self.columns.type_of(ATTRIBUTES[test.attribute])
        if (numbers := self._plain(test)) is not None and len(numbers) == 1:
            found: Mask = of_type == numbers[0]
        else:
            found = self._strings(test, numbers)[of_type]
        return ~found if test.negated else found

    def _plain(self, test: Compare) -> list[int] | None:
        """The numbers of the strings when a look into the lexicon tells them, None when all must be looked at."""
        if test.any_case or test.any_accent or test.attribute == "feats":
            return None
        texts = [test.pattern] if test.literal else expressions.literals(test.pattern)
        strings = self.columns.strings(ATTRIBUTES[test.attribute])
        return None if texts is None else [number for text in texts if (number := strings.find(text)) is not None]

    def _strings(self, test: Compare, numbers: list[int] | None) -> Mask:
        if numbers is not None:
            found = np.zeros(len(self.columns.strings(ATTRIBUTES[test.attribute])), dtype=np.bool_)
            found[numbers] = True
            return found
        flags = Flags(test.any_case, test.any_accent)
        node = expressions.plain(test.pattern, flags) if test.literal else expressions.read(test.pattern, flags)
        if test.attribute != "feats":
            return matches(node, self._prepared(ATTRIBUTES[test.attribute]))
        texts, owners, size = self._features
        found = np.zeros(size, dtype=np.bool_)
        found[owners[matches(node, texts)]] = True
        return found

    def _prepared(self, attribute: str) -> Texts:
        if attribute not in self._texts:
            self._texts[attribute] = Texts(*self.columns.strings(attribute).joined())
        return self._texts[attribute]

    @cached_property
    def _features(self) -> tuple[Texts, NDArray[np.intp], int]:
        """The single features of all tags, and the tag that each belongs to; of Person=1,3 also Person=1 and Person=3."""
        strings = self.columns.strings("tag")
        pairs = [(one, number) for number in range(len(strings)) for one in _features(strings[number])]
        return Texts.of([one for one, _ in pairs]), np.array([number for _, number in pairs], dtype=np.intp), len(strings)


def _combined(condition: Condition, size: int, tested: Callable[[Compare], Mask]) -> Mask:
    """Truth values of a condition from those of the comparisons in it."""
    if isinstance(condition, Compare):
        return tested(condition)
    if isinstance(condition, Not):
        return ~_combined(condition.part, size, tested)
    every = isinstance(condition, Both)
    made = np.full(size, every)
    for part in condition.parts:
        (np.logical_and if every else np.logical_or)(made, _combined(part, size, tested), out=made)
    return made


def _features(tag: str) -> list[str]:
    found = []
    for feature in tag.split("|"):
        name, sign, values = feature.partition("=")
        found += [feature, *(f"{name}{sign}{value}" for value in values.split(",") if "," in values)]
    return found


def _tests(condition: Condition) -> list[Compare]:
    if isinstance(condition, Compare):
        return [condition]
    parts = (condition.part,) if isinstance(condition, Not) else condition.parts
    return [test for part in parts for test in _tests(part)]
