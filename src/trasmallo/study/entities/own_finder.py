"""Finds entities of users' own kinds in a text: by lists and trained models, then by patterns, which see what all found."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from trasmallo.study.entities import own_kinds
from trasmallo.study.entities.compiled_lists import CompiledList
from trasmallo.study.entities.found_spans import FoundSpan, flattened
from trasmallo.study.entities.own_kinds import OwnKinds, OwnList, OwnPattern
from trasmallo.study.entities.own_models import OwnModelNames
from trasmallo.study.entities.tagged_text import TaggedText
from trasmallo.study.entities.token_places import TokenPlaces
from trasmallo.study.query.entity_columns import EntityColumns, TokenSpan
from trasmallo.study.query.evaluation import QueriedCorpus, search
from trasmallo.study.query.parsing import parse
from trasmallo.study.query.query_errors import QueryError
from trasmallo.study.query.syntax import Query
from trasmallo.study.query.text_columns import TextColumns

_STEPS = 4_000_000
"""Steps of a pattern in a document at most: some 0.2 s. Judgement; what takes more finds nothing there, and the log says so."""
_LONGEST_NAME = 6  # judgement: words of the name behind a title
_JOINING = frozenset(["de", "del", "la", "las", "los", "y", "van", "von", "da", "di", "of"])
_TITLE_SCORE = 0.9
"""How sure a name behind a title is. Judgement."""
_logger = logging.getLogger("trasmallo")


class _Rule(NamedTuple):
    """A pattern with its queries; None where nothing is asked of what stands beside it."""

    told: OwnPattern
    inside: Query
    before: Query | None
    after: Query | None


class OwnFinder:
    """The lists, patterns and models of a file ready to use; lists are cut as texts of `language` are."""

    def __init__(self, found: OwnKinds, folder: Path, language: str, *, most_steps: int = _STEPS) -> None:
        self._most_steps = most_steps
        self._lists = [(one, CompiledList(folder / one.file, one.options, language)) for one in found.lists]
        self._models = [OwnModelNames(folder / one.file, one.kinds, language) for one in found.models]
        self._rules = [_Rule(one, parse(one.pattern), *map(_query, (one.before, one.after))) for one in found.patterns]

    def find(self, text: TaggedText, others: Sequence[FoundSpan]) -> list[FoundSpan]:
        """What lists, patterns and models find; `others` is what rules and the model found."""
        if not len(text.cut.tokens):
            return []
        places = TokenPlaces.of(text.cut)
        listed = list(self._listed(text, places))
        trained = [span for model in self._models for span in model.find(text)]
        if not self._rules:
            return [*(span for span, verified in listed if not verified), *trained]
        seen = flattened([*(span for span, _ in listed), *trained, *others])
        source = _source(text, places, seen, self._most_steps)
        hits = [(rule.told, tokens) for rule in self._rules for tokens in _bounded(rule, source)]
        return [*_made_by(hits, places, seen), *_verified(listed, hits, places), *trained]

    def _listed(self, text: TaggedText, places: TokenPlaces) -> Iterator[tuple[FoundSpan, bool]]:
        """What lists find, and whether a pattern must verify it."""
        words, lemmas = text.cut.tokens.words, [one.lemma for one in text.tagged]
        for one, names in self._lists:
            for low, high in text.cut.sentences:
                for match in names.find(words[low:high], lemmas[low:high], gendered=one.titles):
                    span = (low + match.start, low + match.end)
                    if one.titles:
                        yield from ((found, one.verified) for found in _behind(one, words, span[1], high, places))
                    else:
                        value = names.value(match.entry)
                        yield FoundSpan(*places.characters(*span), one.kind, value, "list", 1.0), one.verified


_Hit = tuple[OwnPattern, tuple[int, int]]
"""A pattern, and the tokens of a hit."""


def _made_by(hits: Sequence[_Hit], places: TokenPlaces, seen: Sequence[FoundSpan]) -> Iterator[FoundSpan]:
    """The entities that hits are; one that stands where another was seen keeps the value of that."""
    values = {(one.start, one.end): one.value for one in seen}
    for told, tokens in hits:
        span = places.characters(*tokens)
        if told.kind:
            yield FoundSpan(*span, told.kind, values.get(span, ""), "pattern", told.score)


def _verified(listed: Sequence[tuple[FoundSpan, bool]], hits: Sequence[_Hit], places: TokenPlaces) -> Iterator[FoundSpan]:
    """Names of lists without those that no hit verifies and that ask for it."""
    confirmed = [(told.verifies, places.characters(*tokens)) for told, tokens in hits if told.verifies]
    for span, asks in listed:
        inside = (kinds for kinds, (low, high) in confirmed if low <= span.start and span.end <= high)
        if not asks or any(span.kind in kinds for kinds in inside):
            yield span


def _behind(title: OwnList, words: Sequence[str], place: int, last: int, places: TokenPlaces) -> Iterator[FoundSpan]:
    """The name behind a title: a run of words with capital letters, a comma may stand before it."""
    begin = place + 1 if place < last and words[place] == "," else place
    end = run = begin
    while run < min(last, begin + _LONGEST_NAME) and (words[run][:1].isupper() or (run > begin and words[run] in _JOINING)):
        run += 1
        end = run if words[run - 1][:1].isupper() else end
    if end > begin:
        yield FoundSpan(*places.characters(begin, end), title.kind, "", "list", _TITLE_SCORE)


def _source(text: TaggedText, places: TokenPlaces, seen: Sequence[FoundSpan], most_steps: int) -> QueriedCorpus:
    """The text as a corpus whose tokens know the entities they belong to."""
    spans, free = [], 0
    for one in seen:
        low, high = places.tokens(one.start, one.end)
        if free <= low < high:
            spans.append(TokenSpan(low, high, one.kind, text.text[one.start : one.end]))
            free = high
    return QueriedCorpus(EntityColumns(TextColumns(text.cut, text.tagged), spans), most_steps=most_steps)


def _bounded(rule: _Rule, source: QueriedCorpus) -> list[tuple[int, int]]:
    """The hits of a rule as ranges of tokens; none where they take too long."""
    try:
        return list(_hits(rule, source))
    except QueryError as error:
        _logger.warning("pattern %r of %s was given up in a document: %s", rule.told.pattern, rule.told.kind, error)
        return []


def _hits(rule: _Rule, source: QueriedCorpus) -> Iterator[tuple[int, int]]:
    inside = _ranges(rule.inside, source, "all" if rule.after else "longest")
    ends = {end for _, end in _ranges(rule.before, source, "all")} if rule.before and inside else None
    starts = {start for start, _ in _ranges(rule.after, source, "all")} if rule.after and inside else None
    for low, high in inside:
        if (ends is None or low in ends) and (starts is None or high in starts):
            yield low, high


def _ranges(query: Query, source: QueriedCorpus, keep: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for hits in search(query, source, keep=keep):  # type: ignore[arg-type]
        found += zip(hits.first.tolist(), (hits.first + hits.length).tolist(), strict=True)
    return found


def _query(text: str) -> Query | None:
    return parse(text) if text else None


@lru_cache(maxsize=16)
def _made(path: str, digest: str, language: str) -> OwnFinder | None:  # noqa: ARG001 - a changed file is another one
    found = own_kinds.load(Path(path))
    return OwnFinder(found, Path(path).parent, language) if len(found) else None


def finder_of(path: str, language: str) -> OwnFinder | None:
    """What finds the kinds of a file; None for "", no such file, and one without entries. Made once while nothing changes."""
    return _made(path, own_kinds.digest(Path(path)), language) if path else None


def fixed_finder(path: str) -> Callable[[str], OwnFinder | None]:
    """The same for each language of a run, whose lists are looked at once."""
    digest = own_kinds.digest(Path(path)) if path else ""
    return lambda language: _made(path, digest, language) if path else None
