"""The entities of a text: names by lists and models, the rest by rules, flattened by layers.

entities("Ana Pérez vive en Soria desde el 3 de mayo de 2020.")     # places count characters
entities(["Ana", "Pérez", "vive", "en", "Soria"])                   # places count words
"""

from __future__ import annotations

import warnings
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from pathlib import Path

from trasmallo.study import languages
from trasmallo.study.entities.contact_rules import contacts
from trasmallo.study.entities.date_rules import dates
from trasmallo.study.entities.finder import names_of, shipped
from trasmallo.study.entities.found_spans import FoundSpan, flattened
from trasmallo.study.entities.measure_rules import measures
from trasmallo.study.entities.name_lists import fold
from trasmallo.study.entities.name_lists import names as known_names
from trasmallo.study.entities.own_finder import OwnFinder, finder_of
from trasmallo.study.entities.own_kinds import FILE_NAME
from trasmallo.study.entities.rule_sets import RuleSet
from trasmallo.study.entities.sequence_tagger import LabelledName
from trasmallo.study.entities.tagged_text import TaggedText
from trasmallo.study.morphology import tag_text, tag_types
from trasmallo.study.morphology.text_batches import checked_words
from trasmallo.study.sentences import cut
from trasmallo.values.arguments import checked_text
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Entity

NAMES = ("PER", "LOC", "ORG", "MISC")
RULED = ("DATE", "TIME", "QUANTITY", "MONEY", "PERCENT", "ADDRESS", "EMAIL", "PHONE", "ID")
KINDS = (*NAMES, *RULED)
"""Kinds that are found without anybody's help; users add their own."""
_PRIORITY = {
    kind: rank
    for rank, kind in enumerate(("EMAIL", "ID", "ADDRESS", "PHONE", "MONEY", "PERCENT", "DATE", "TIME", "QUANTITY", "YEAR"))
}
_SURE = 0.6
"""A name whose kind is less sure than this takes the kind that the same name has elsewhere in the document. Judgement."""
_CATEGORY = attrgetter("category")
_LONGEST_SENTENCE = 2_000
"""Words of a sentence that are looked at together; a text without sentences is cut. Judgement."""


def entities(text: str | Sequence[str], language: str = "es", *, kinds: str | Path = "") -> list[Entity]:
    """The entities of a text, or of one sentence given as a list of words, in order; they do not overlap.

    `kinds` is a file with kinds of one's own (`own_kinds`), or a project's folder that has one; they are for texts. Raises
    UsageError for what is no text, and for a language of which nothing is known, ConfigError for a broken file of kinds. In a
    language without a model of names a UserWarning says that none are looked for.
    """
    languages.check_known(checked_text(language, "language"))
    if nameless := nameless_in(language):
        warnings.warn(nameless, stacklevel=2)
    return find_entities(text, language, kinds=kinds)


def find_entities(text: str | Sequence[str], language: str, *, kinds: str | Path = "") -> list[Entity]:
    """The same without a warning, for callers that say themselves in which languages names are found."""
    languages.check_known(checked_text(language, "language"))
    if not isinstance(text, str):
        return _of_words(checked_words(text), language)
    found = cut(text, language)
    own = finder_of(str(kinds_file(kinds)), language) if kinds else None
    return found_in(TaggedText(text, found, tag_types(found, language).spread(), language), own=own)


def nameless_in(language: str) -> str:
    """What to say of a language in which no names are found; "" where they are, or when it is undetermined on purpose."""
    if shipped(language) is not None or language == languages.GENERIC:
        return ""
    found = languages.find(language)
    name = f"{found.description.english} ({language})" if found else language
    return f"no names are looked for in {name}: only e-mail, telephones, dates and what else has a form of its own"


def kinds_file(kinds: str | Path) -> Path:
    """The file of own kinds that is meant by its path, or by that of its folder; raises UsageError where there is none."""
    path = Path(kinds)
    path = path / FILE_NAME if path.is_dir() else path
    if not path.is_file():
        raise UsageError("there is no file of kinds {path}", "make one with: trasmallo kinds DIR --list KIND FILE", path=path)
    return path.resolve()


def found_in(
    text: TaggedText,
    further: Iterable[FoundSpan] = (),
    names: Iterable[FoundSpan] | None = None,
    own: OwnFinder | None = None,
) -> list[Entity]:
    """The same of a text that is cut and tagged, with what else is known; `names` stand in the place of the model's."""
    found = [*_ruled(text.text, text.language), *(_named(text) if names is None else names)]
    found += own.find(text, found) if own else ()
    spans = flattened([*further, *found])
    return [
        Entity(text.text[one.start : one.end], one.kind, one.start, one.end, one.value, one.source, one.score) for one in spans
    ]


def _named(text: TaggedText) -> Iterator[FoundSpan]:
    words, tags = text.cut.tokens.words, list(map(_CATEGORY, text.tagged))
    ranges = [piece for sentence in text.cut.sentences for piece in _pieces(*sentence)]
    names = names_of([words[low:high] for low, high in ranges], [tags[low:high] for low, high in ranges], text.language)
    starts, ends = text.cut.tokens.starts, text.cut.tokens.ends
    placed = [
        FoundSpan(starts[low + one.start], ends[low + one.end - 1], one.kind, "", "model", round(one.score, 3))
        for (low, _), of in zip(ranges, names, strict=True)
        for one in of
    ]
    return _alike(_without_openers(placed, text), text.text)


def _without_openers(spans: Sequence[FoundSpan], text: TaggedText) -> list[FoundSpan]:
    """Names without single words that open a sentence, stand in small letters elsewhere, and that no list of names knows."""
    openers = {text.cut.tokens.starts[low] for low, _ in text.cut.sentences}
    opening = {text.text[one.start : one.end] for one in spans if one.start in openers}
    low = {name.lower() for name in opening if fold(name) not in known_names()}
    small = {word for word in low.intersection(text.cut.tokens.words) if word.islower()}
    return [one for one in spans if one.start not in openers or not _is_small(text.text[one.start : one.end], small)]


def _is_small(name: str, small: set[str]) -> bool:
    return name.lower() in small and fold(name) not in known_names()


def _pieces(low: int, high: int) -> Iterator[tuple[int, int]]:
    for start in range(low, high, _LONGEST_SENTENCE):
        yield start, min(start + _LONGEST_SENTENCE, high)


def _alike(spans: Sequence[FoundSpan], text: str) -> Iterator[FoundSpan]:
    """One kind a name in a document: where a model is unsure, the kind that it is surest of elsewhere."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for one in spans:
        sums[text[one.start : one.end]][one.kind] += one.score  # type: ignore[assignment]
    for one in spans:
        best, _ = sums[text[one.start : one.end]].most_common(1)[0]
        yield one if one.score >= _SURE or best == one.kind else one._replace(kind=best)


def _ruled(text: str, language: str) -> list[FoundSpan]:
    """What rules find, without overlaps: an address has a number, a date a year."""
    found = list(_rules(language).find(text))
    found.sort(key=lambda one: (_PRIORITY[one.kind] // 4, one.start - one.end, _PRIORITY[one.kind]))
    taken: list[FoundSpan] = []
    for one in found:
        if all(one.end <= other.start or one.start >= other.end for other in taken):
            taken.append(_year_alone(one))
    return taken


@cache
def _rules(language: str) -> RuleSet:
    return RuleSet([*contacts(language).rules, *measures(language).rules, *dates(language).rules])


def _year_alone(one: FoundSpan) -> FoundSpan:
    """A year is found by the word before it, which is no part of the date."""
    return one if one.kind != "YEAR" else one._replace(start=one.end - 4, kind="DATE")


def _of_words(words: list[str], language: str) -> list[Entity]:
    """The entities of one sentence; a rule counts where it begins and ends with words."""
    text = " ".join(words)
    starts, place = [], 0
    for word in words:
        starts.append(place)
        place += len(word) + 1
    ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
    tags = [one.category for one in tag_text(words, language)] if words else []
    names: list[LabelledName] = names_of([words], [tags], language)[0] if words else []
    spans = [FoundSpan(starts[one.start], ends[one.end - 1], one.kind, "", "model", round(one.score, 3)) for one in names]
    found = flattened([*_ruled(text, language), *spans])
    placed = ((one, bisect_right(starts, one.start) - 1, bisect_left(ends, one.end) + 1) for one in found)
    return [
        Entity(" ".join(words[low:high]), one.kind, low, high, one.value, one.source, one.score) for one, low, high in placed
    ]
