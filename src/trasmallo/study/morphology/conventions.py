"""Turns the lexicon's readings of a form into those of the treebanks, by `conventions.tsv` and `words.tsv`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from trasmallo.study import languages
from trasmallo.study.morphology.tables import Readings, SetReading
from trasmallo.study.morphology.tags import Tags, merged, only


class _Convention(NamedTuple):
    tag: re.Pattern[str]
    form: re.Pattern[str]
    instead: bool
    lemma: str
    category: str
    kept: str


class _Word(NamedTuple):
    lemma: str
    category: str
    features: str


_INFLECTED = ("NOUN", "ADJ", "DET", "PRON", "NUM", "PROPN")
"""Categories that share gender and number: a word has none of these as an adverb or a conjunction, nor those of a verb."""
_Found = tuple[int, str, str, str, str]
"""Letters to cut off and to add, category, names of the features to keep ("" for all), tag."""


class Conventions:
    """The two tables of a language. `words` are the forms that `words.tsv` names."""

    def __init__(self, code: str, tags: Tags) -> None:
        self._tags = tags
        self._rows = [
            _Convention(
                tag=re.compile(tag), form=re.compile(form), instead=sign == "=", lemma=lemma, category=category, kept=kept
            )
            for tag, form, sign, lemma, category, kept in languages.load(code).rows("conventions.tsv")
        ]
        self._of_tag: dict[str, list[_Convention]] = {}
        # Most forms have the readings of thousands of others: known by what is cut off and added, and by the tag.
        self._known: dict[tuple[_Found, ...], Readings] = {}
        self._plain: dict[tuple[tuple[int, str, str], ...], Readings] = {}
        self.words: dict[str, list[_Word]] = {}
        for forms, lemma, category, features in languages.load(code).rows("words.tsv"):
            for form in forms.split():
                self.words.setdefault(form, []).append(_Word(form if lemma == "." else lemma, category, features))

    def readings(self, form: str, listed: Sequence[tuple[str, str]]) -> Readings:
        """The readings of a form whose (lemma, tag) pairs are given, each (lemma, category) once."""
        if form in self.words:
            return self._with_words(form, self._made(self._found(form, listed)), self.words[form])
        if all(not self._rows_for(tag) for _, tag in listed):
            key = tuple([(*split(form, lemma), tag) for lemma, tag in listed])
            made = self._plain.get(key)
            if made is None:
                made = self._plain[key] = self._made(self._found(form, listed))
            return made
        found = self._found(form, listed)
        made = self._known.get(found)
        if made is None:
            made = self._known[found] = self._made(found)
        return made

    def _found(self, form: str, listed: Sequence[tuple[str, str]]) -> tuple[_Found, ...]:
        return tuple(
            (*split(form, its_lemma), category, kept, tag)
            for lemma, tag in listed
            for its_lemma, category, kept in self._read(form, lemma, tag)
        )

    def _made(self, found: Iterable[_Found]) -> Readings:
        tags: dict[tuple[int, str, str], dict[str, str]] = {}
        for cut, add, category, kept, tag in found:
            tags.setdefault((cut, add, category), {}).setdefault(tag, kept)
        return tuple(
            SetReading(
                cut=cut,
                add=add,
                category=category,
                features=self._features(its_tags),
                clitics=(),
                by="lexicon",
                tag=" ".join(its_tags),
            )
            for (cut, add, category), its_tags in tags.items()
        )

    def _features(self, tags: dict[str, str]) -> str:
        return merged(
            only(self._tags.read(tag)[1], kept.split()) if kept else self._tags.read(tag)[1] for tag, kept in tags.items()
        )

    def _with_words(self, form: str, listed: Readings, words: list[_Word]) -> Readings:
        """What the lexicon says of a form, without the readings that `words.tsv` takes away and with those that it adds."""
        inflection = _inflection(reading.features for reading in listed if reading.category in _INFLECTED)
        taken = {(*split(form, word.lemma[1:]), word.category) for word in words if word.lemma.startswith("!")}
        kept = [reading for reading in listed if reading[:3] not in taken]
        for word in words:
            cut, add = split(form, word.lemma)
            if not word.lemma.startswith("!") and all(reading[:3] != (cut, add, word.category) for reading in kept):
                kept.append(
                    SetReading(
                        cut=cut,
                        add=add,
                        category=word.category,
                        features=word.features or (inflection if word.category in _INFLECTED else ""),
                        clitics=(),
                        by="lexicon",
                        tag="",
                    )
                )
        return tuple(kept)

    def _rows_for(self, tag: str) -> list[_Convention]:
        rows = self._of_tag.get(tag)
        if rows is None:
            rows = self._of_tag[tag] = [row for row in self._rows if row.tag.match(tag)]
        return rows

    def _read(self, form: str, lemma: str, tag: str) -> list[tuple[str, str, str]]:
        plain = (lemma, self._tags.read(tag)[0], "")
        fitting = [row for row in self._rows_for(tag) if row.form.fullmatch(form)]
        first = [] if any(row.instead for row in fitting) else [plain]
        return first + [(_lemma(row.lemma, form), row.category, row.kept) for row in fitting]


def split(form: str, lemma: str) -> tuple[int, str]:
    """How many letters to cut off a form, and what to add, to make its lemma."""
    common = max(len(lemma) - 2, 0)
    if not form.startswith(lemma[:common]):
        common = 0
    for left, right in zip(form[common:], lemma[common:], strict=False):
        if left != right:
            break
        common += 1
    return len(form) - common, lemma[common:]


def _inflection(several: Iterable[str]) -> str:
    """Gender and number of the readings that a form already has."""
    kept = [only(features, ("Gender", "Number")) for features in several]
    return merged([features for features in kept if features] or [""])


def _lemma(how: str, form: str) -> str:
    return _LEMMAS[how](form) if how in _LEMMAS else how


def _masculine(form: str) -> str:
    return re.sub(r"(?:as|os|a)$", "o", form)


def _singular(form: str) -> str:
    return form.removesuffix("s")


_LEMMAS: dict[str, Callable[[str], str]] = {"form": str, "masculine": _masculine, "singular": _singular}
