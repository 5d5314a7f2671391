"""A slow evaluator of corpus queries that is plainly right, and what hypothesis draws queries and corpora from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from hypothesis import strategies as st

from support.token_documents import told
from trasmallo.store.tokens import DocumentTokens
from trasmallo.study.query.syntax import (
    Agreement,
    Area,
    Both,
    Choice,
    Compare,
    Condition,
    Edge,
    Either,
    Not,
    One,
    Pattern,
    PatternSequence,
    Query,
    Repeat,
    Restriction,
)
from trasmallo.values.model import Tagged


class Token(NamedTuple):
    """A token of a made corpus; `opens` a sentence."""

    word: str
    lemma: str
    pos: str
    tag: str
    opens: bool


Documents = list[list[Token]]
Match = tuple[int, int, tuple[tuple[str, int], ...]]

_LABELS = ("1", "2")


def hits(query: Query, documents: Documents) -> list[tuple[int, int]]:
    """First tokens, counted over all documents, and lengths of the hits."""
    found, before = [], 0
    for document in documents:
        found += [(before + begin, end - begin) for begin, end in sorted(_spans(query, document))]
        before += len(document)
    return found


def _spans(query: Query, document: list[Token]) -> set[tuple[int, int]]:
    found = set()
    for begin in range(len(document)):
        for end, labels in _match(query.pattern, document, begin, {}):
            if end > begin and all(_agrees(one, document, labels) for one in query.agreements):
                found.add((begin, end))
    return {span for span in found if all(_restricted(one, span, document) for one in query.restrictions)}


def _match(pattern: Pattern, document: list[Token], at: int, labels: dict[str, int]) -> Iterator[tuple[int, dict[str, int]]]:
    if isinstance(pattern, One):
        if at < len(document) and holds(pattern.condition, document[at]):
            yield at + 1, labels | ({pattern.label: at} if pattern.label else {})
    elif isinstance(pattern, Edge):
        if _is_edge(pattern, document, at):
            yield at, labels
    elif isinstance(pattern, Choice):
        for part in pattern.parts:
            yield from _match(part, document, at, labels)
    elif isinstance(pattern, PatternSequence):
        if not pattern.parts:
            yield at, labels
        else:
            for middle, more in _match(pattern.parts[0], document, at, labels):
                yield from _match(PatternSequence(pattern.parts[1:]), document, middle, more)
    else:
        yield from _repeat(pattern, document, at, labels)


def _repeat(pattern: Repeat, document: list[Token], at: int, labels: dict[str, int]) -> Iterator[tuple[int, dict[str, int]]]:
    if pattern.least == 0:
        yield at, labels
    if pattern.most > 0:
        for middle, more in _match(pattern.part, document, at, labels):
            yield from _repeat(Repeat(pattern.part, max(pattern.least - 1, 0), pattern.most - 1), document, middle, more)


def _is_edge(edge: Edge, document: list[Token], at: int) -> bool:
    outer = at == (len(document) if edge.end else 0)
    return outer or (edge.structure == "s" and 0 < at < len(document) and document[at].opens)


def holds(condition: Condition, token: Token) -> bool:
    """Whether a token fulfils a condition."""
    if isinstance(condition, Compare):
        return _tested(condition, token) != condition.negated
    if isinstance(condition, Not):
        return not holds(condition.part, token)
    if isinstance(condition, Both):
        return all(holds(part, token) for part in condition.parts)
    return any(holds(part, token) for part in condition.parts)


def _tested(test: Compare, token: Token) -> bool:
    values = token.tag.split("|") if test.attribute == "feats" else [str(getattr(token, test.attribute))]
    pattern = re.escape(test.pattern) if test.literal else test.pattern
    if test.any_accent:
        pattern, values = _bare(pattern), list(map(_bare, values))
    return any(re.fullmatch(pattern, value, re.IGNORECASE if test.any_case else 0) for value in values)


def _bare(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))


def _agrees(agreement: Agreement, document: list[Token], labels: dict[str, int]) -> bool:
    if agreement.first not in labels or agreement.second not in labels:
        return False
    one, other = (
        getattr(document[labels[label]], "tag" if name == "feats" else name)
        for label, name in zip((agreement.first, agreement.second), agreement.attributes, strict=True)
    )
    return bool(one == other) != agreement.negated


def _restricted(restriction: Restriction, span: tuple[int, int], document: list[Token]) -> bool:
    begin, end = span
    if isinstance(restriction.target, Area):
        opens = [at for at, token in enumerate(document) if token.opens or not at] + [len(document)]
        others = set(pairwise(opens))
    else:
        others = _spans(restriction.target, document)
    if restriction.kind == "within":
        return any(low <= begin and end <= high for low, high in others) != restriction.negated
    return any(begin <= low and high <= end for low, high in others) != restriction.negated


def document_tokens(number: int, tokens: list[Token]) -> DocumentTokens:
    """A document of a made corpus for the store."""
    starts = [10 * place for place in range(len(tokens))]
    ends = [start + len(token.word) for start, token in zip(starts, tokens, strict=True)]
    readings = [Tagged(token.word, token.lemma, token.pos, token.tag) for token in tokens]
    return told(f"{number:016x}", "es", readings, bytes(token.opens for token in tokens), starts, ends)


tokens = st.builds(
    Token,
    st.sampled_from(["a", "á", "A", "b", "ab", "aba", "ñ"]),
    st.sampled_from(["a", "b", "ab"]),
    st.sampled_from(["NOUN", "ADJ", "VERB"]),
    st.sampled_from(["", "Number=Sing", "Gender=Fem|Number=Plur"]),
    st.booleans(),
)
documents = st.lists(st.lists(tokens, max_size=10), min_size=1, max_size=4)

_expressions = st.sampled_from(["a", "a|b", ".*a", "a.*", "(a|b)+", "[^a].*", ".", "(ab?)*", "b{1,2}", "[a-b]*", "ab|a.a", "x"])
_word_tests = st.builds(
    Compare,
    st.sampled_from(["word", "lemma"]),
    _expressions,
    negated=st.booleans(),
    any_case=st.booleans(),
    any_accent=st.booleans(),
)
_tests = st.one_of(
    _word_tests,
    st.builds(Compare, st.just("word"), st.sampled_from(["a", "A", "ñ", "."]), literal=st.just(True), any_case=st.booleans()),
    st.builds(Compare, st.just("pos"), st.sampled_from(["NOUN", "NOUN|ADJ", "V.*"]), negated=st.booleans()),
    st.builds(Compare, st.just("tag"), st.sampled_from(["", ".*Number.*"])),
    st.builds(Compare, st.just("feats"), st.sampled_from(["Number=Plur", "Number=.*", "Gender=Fem"]), negated=st.booleans()),
)
_conditions: st.SearchStrategy[Condition] = st.recursive(
    st.one_of(_tests, st.just(Both())),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(Both, st.tuples(inner, inner)),
        st.builds(Either, st.tuples(inner, inner)),
    ),
    max_leaves=3,
).filter(lambda condition: condition == Both() or not _has_empty(condition))


def _has_empty(condition: Condition) -> bool:
    """Whether any token is one of the parts, which cannot be written."""
    parts = () if isinstance(condition, Compare) else (condition.part,) if isinstance(condition, Not) else condition.parts
    return condition == Both() or any(map(_has_empty, parts))


_ones = st.builds(One, _conditions, st.sampled_from(["", "", *_LABELS]))
_edges = st.builds(Edge, st.sampled_from(["s", "doc"]), st.booleans())


def _repeats(inner: st.SearchStrategy[Pattern]) -> st.SearchStrategy[Pattern]:
    ranges = st.sampled_from([(0, 1), (1, 1), (0, 2), (1, 3), (2, 2), (0, 4)])
    return st.tuples(inner, ranges).filter(lambda pair: not isinstance(pair[0], Edge)).map(
        lambda pair: Repeat(pair[0], *pair[1])
    )  # fmt: skip


patterns: st.SearchStrategy[Pattern] = st.recursive(
    st.one_of(_ones, _ones, _ones, _edges),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: PatternSequence(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: Choice(tuple(parts))),
        _repeats(inner),
    ),
    max_leaves=5,
)
_names = st.sampled_from(["word", "lemma", "pos", "tag"])
_agreements = st.builds(Agreement, st.sampled_from(_LABELS), st.sampled_from(_LABELS), st.tuples(_names, _names), st.booleans())
_targets = st.one_of(st.just(Area("s")), st.just(Area("s")), st.builds(Query, patterns))
_restrictions = st.builds(Restriction, st.sampled_from(["within", "containing"]), _targets, st.booleans())
queries = st.builds(
    Query, patterns, st.lists(_agreements, max_size=1).map(tuple), st.lists(_restrictions, max_size=2).map(tuple)
)
