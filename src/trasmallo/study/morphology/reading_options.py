"""What users choose of the readings of words out of context: contractions split, older stages of the language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

import msgspec

from trasmallo.study import languages
from trasmallo.study.morphology.inclusive import INCLUSIVE
from trasmallo.study.morphology.old_spelling import OldSpelling
from trasmallo.study.morphology.rules import load
from trasmallo.study.morphology.tags import TYPO
from trasmallo.study.tokenise import key
from trasmallo.values.model import Analysis


class ReadingOptions(msgspec.Struct, frozen=True):
    """`split_contractions`: del is de with el behind it. `old_spanish`: words as they were written once are read too."""

    split_contractions: bool = False
    old_spanish: bool = False

    @classmethod
    def chosen(cls, choices: Iterable[str]) -> ReadingOptions:
        """Those that a project file names, see `config.ReadingChoice`."""
        return cls(split_contractions="split contractions" in choices, old_spanish="old Spanish" in choices)


AS_LISTED = ReadingOptions()
"""Nothing chosen."""


def with_options(
    analyse: Callable[[str], list[Analysis]], language: str, options: ReadingOptions
) -> Callable[[str], list[Analysis]]:
    """Analyses of a language as the options want them; `analyse` itself where they want nothing."""
    if not options.split_contractions and not options.old_spanish:
        return analyse
    code = languages.choose(language)
    contractions = _contractions(code) if options.split_contractions else {}
    old = OldSpelling(code, analyse) if options.old_spanish else None

    def chosen(word: str) -> list[Analysis]:
        form = key(word)
        found = list(_split(analyse(word), contractions[form])) if form in contractions else analyse(word)
        return _with_old(found, old.analyse(form)) if old is not None and not _is_listed(found, form, old) else found

    return chosen


def split_readings(readings: Iterable[Analysis], word: str, language: str) -> list[Analysis]:
    """The readings of a word, a contraction as the words that it is made of."""
    parts = _contractions(languages.choose(language)).get(key(word))
    return list(_split(readings, parts)) if parts else list(readings)


def _split(readings: Iterable[Analysis], parts: tuple[str, str]) -> Iterator[Analysis]:
    preposition, behind = parts
    for number, one in enumerate(readings):
        if one.category != "ADP":
            yield one
        elif number == 0:
            yield msgspec.structs.replace(one, lemma=preposition, clitics=(behind,))


def _is_listed(found: list[Analysis], form: str, old: OldSpelling) -> bool:
    """Whether a word is one of today, so that only the list of old words may add to it."""
    return not old.names(form) and any(one.by == "lexicon" for one in found)


def _with_old(found: list[Analysis], old: list[Analysis]) -> list[Analysis]:
    if not old:
        return found
    right = [one for one in found if one.by != "guess" and TYPO not in one.features and INCLUSIVE not in one.features]
    return [*right, *(one for one in old if one not in right)]


@lru_cache(maxsize=64)
def _contractions(code: str) -> dict[str, tuple[str, str]]:
    return {word: (first, behind) for word, first, behind in load(code).contractions.split}
