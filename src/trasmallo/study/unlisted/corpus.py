"""What a whole corpus says of an unlisted word: its kind, how likely that is, and why.

A single place can mislead: a word begins a sentence, stands in a title, in a file name. Here the shares of all places count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

import msgspec
import numpy as np

from trasmallo.study import languages
from trasmallo.study.unlisted.classifier import Classifier, classifier_of
from trasmallo.study.unlisted.corpus_mistakes import meant_in_corpus
from trasmallo.study.unlisted.derivations import Derivation, derivations_of
from trasmallo.study.unlisted.kind_model import Scores
from trasmallo.study.unlisted.kinds import TOLD_APART, Kind, rules_of
from trasmallo.study.unlisted.signs import SIGNS, Sign

_MOSTLY = 0.5
"""Share of places from which something is said of a word. Judgement: more than not."""
_LOAN_SMALL = 0.6
"""Share of places in small letters from which a foreign word may be a loan. Judgement, as the next ones, looked at on three
manuals of Debian in Spanish (reference, administrator's handbook, aptitude)."""
_LOAN_AMONG_STRANGERS = 0.34
"""Share of places beside other unknown words up to which it may be one: foreign words come together."""
_LOAN_DETERMINED = 0.15
"""Share of places behind an article or the like from which it is used as a word of the language."""
_LOAN_DOCUMENTS, _LOAN_LETTERS, _LOAN_TIMES = 2, 4, 4
"""Documents and letters of a loan at the least, and times where nothing but articles tells. Judgement: short ones are commands
and units."""
_STEM = 6
"""Letters that words of one family share. Judgement: enrutar, enrutador, enrutable."""
_SLIP = 2.3
"""What errors cost at the most that are thought of when a corpus has the right word more often. Judgement: letters that sound
alike, slips of the hand, no other letters."""
_MISTAKE = TOLD_APART.index(Kind.MISTAKE)
_EVEN = 0.5
"""The probability that is given where nothing was learnt of a language."""
_MARKED = 0.3
"""Share of places in quotation marks from which writers are seen to mark a word. Judgement."""
_DOUBT_IN_LOANS = 0.7
"""What is left of the probability of a loan at the least; it grows with the places behind an article."""


_NAMED = 0.7
"""Share of places inside names from which a candidate is a name. Judgement: some names are common words of a new sense."""
_MET = 2
"""Independent sources that a candidate is met in at the least. Judgement: nine of ten that one source has are never seen again
(Falk, Bernhard and Gérard 2014)."""


class Reason(StrEnum):
    """Why a word is of its kind; what it is near, or derived by, stands beside it."""

    CODE = "in code or paths"
    POINT = "ends with a point"
    CAPITALS = "all capitals"
    SHORT = "letters as in abbreviations"
    INSIDE = "capital inside sentences"
    NAME_LIST = "in a list of names"
    NAME_LETTERS = "letters as in names"
    MENTIONED = "part of names in texts"
    PROGRAM = "more often in code"
    SET_OFF = "set off, without article"
    WITHIN = "capitals within"
    ABROAD = "listed in another language"
    STRANGERS = "among foreign words"
    FOREIGN_LETTERS = "letters of another language"
    NEAR = "near a known word"
    AFFIX = "affix on a known word"
    NEUTRAL = "names no gender"
    INTRODUCED = "introduced as a term"
    MARKED = "marked by writers"
    LOAN = "foreign, used as a word of the language"
    NATIVE = "letters of the language, near no known word"
    UNLEARNT = "told by rules"


_MAY_BE_MISSPELT = (Reason.NATIVE, Reason.MARKED)


class Evidence(msgspec.Struct, frozen=True, gc=False):
    """What a corpus has of a word: its key, language, most frequent kind by place and word meant; how often, in how many pages.

    `shares` are those of each sign (`signs.SIGNS`) in its places, `emphasised` in how many documents it is set off by itself,
    `coded` in how many it stands in code, `named` the share of its places inside names of persons, places and organisations
    (`study.entities`). `sources` are those that are independent of each other: authors where pages name
    them, else sites.
    """

    word: str
    language: str
    kind: str
    nearest: str
    count: int
    documents: int
    shares: tuple[float, ...]
    emphasised: int = 0
    sources: int = 1
    coded: int = 0
    named: float = 0.0


class CorpusKind(NamedTuple):
    """What is said of a word: `affix` is the bucket of a derived one, `known` whether free lists have it for years."""

    kind: Kind
    probability: float
    reason: Reason
    nearest: str
    affix: str
    known: bool


def _told_nothing(_forms: Sequence[str]) -> Mapping[str, int]:
    return {}


def kinds_of(
    words: Sequence[Evidence], counts_of: Callable[[Sequence[str]], Mapping[str, int]] = _told_nothing, sources: int = 1
) -> list[CorpusKind]:
    """The kinds of words, in order; all of them are of one language. `counts_of` tells how often the corpus has known words.

    `sources` is how many independent ones the corpus has.
    """
    if not words:
        return []
    code = languages.choose(words[0].language)
    classifier = classifier_of(code)
    if classifier is None:
        return [_by_rules(one, sources) for one in words]
    likely = classifier.probabilities([one.word for one in words], np.array([one.shares for one in words]))
    likely = _beside_meant(words, likely, classifier, counts_of)
    classifier.keep()
    inflected = _inflected([one.word for one in words], rules_of(code).plurals.split())
    judged = [_Judge(one, row, classifier, code, inflected).judge() for one, row in zip(words, likely, strict=True)]
    judged = _without_mistakes(words, judged, counts_of, code)
    families = _families(words, judged)
    return [_unnamed(_admitted(kind, one, sources, families), one) for kind, one in zip(judged, words, strict=True)]


def _without_mistakes(
    words: Sequence[Evidence],
    judged: Sequence[CorpusKind],
    counts_of: Callable[[Sequence[str]], Mapping[str, int]],
    code: str,
) -> list[CorpusKind]:
    """Candidates that the corpus shows to be misspelt are so; foreign words and those that writers introduce are not asked."""
    pairs = zip(words, judged, strict=True)
    asked = {one.word: one.count for one, said in pairs if said.kind is Kind.CANDIDATE and said.reason in _MAY_BE_MISSPELT}
    meant = meant_in_corpus(asked, counts_of, code) if asked else {}
    return [
        said._replace(kind=Kind.MISTAKE, reason=Reason.NEAR, nearest=meant[one.word]) if one.word in meant else said
        for one, said in zip(words, judged, strict=True)
    ]


def _families(words: Sequence[Evidence], judged: Sequence[CorpusKind]) -> Counter[str]:
    """In how many documents candidates that begin alike are met, beginning by beginning, without those that are met once.

    One that is met once is in use if its relatives are (enrutable beside enrutar and enrutador).
    """
    found: Counter[str] = Counter()
    for one, said in zip(words, judged, strict=True):
        if said.kind is Kind.CANDIDATE and _is_plain(one.word) and one.documents >= _MET:
            found[one.word[:_STEM]] += one.documents
    return found


def _is_plain(word: str) -> bool:
    return len(word) > _STEM and word.isalpha()


def _inflected(words: Sequence[str], endings: Sequence[str]) -> frozenset[str]:
    """Those of which there is a singular and a plural: they are used as words."""
    listed = frozenset(words)
    pairs = ((word, word + ending) for word in words for ending in endings if word + ending in listed)
    return frozenset(word for pair in pairs for word in pair)


def _by_rules(one: Evidence, sources: int) -> CorpusKind:
    said = CorpusKind(Kind(one.kind), _EVEN, Reason.UNLEARNT, one.nearest, "", False)
    return _admitted(said, one, sources, Counter())


def _unnamed(judged: CorpusKind, one: Evidence) -> CorpusKind:
    """What is judged, but for a candidate that mostly stands in names: it is one of them."""
    if judged.kind not in (Kind.CANDIDATE, Kind.WAITING) or one.named < _NAMED:
        return judged
    return judged._replace(kind=Kind.NAME, probability=round(one.named, 3), reason=Reason.MENTIONED, nearest="", affix="")


def _admitted(said: CorpusKind, one: Evidence, sources: int, families: Counter[str]) -> CorpusKind:
    """Most candidates of one source are never seen again: they wait for a second one, or a page where all is of one source.

    Where all is of one source, relatives count as well.
    """
    met = one.sources if sources > 1 else one.documents + (families[one.word[:_STEM]] if _is_plain(one.word) else 0)
    return said._replace(kind=Kind.WAITING) if said.kind is Kind.CANDIDATE and met < _MET else said


def _beside_meant(
    words: Sequence[Evidence],
    likely: Scores,
    classifier: Classifier,
    counts_of: Callable[[Sequence[str]], Mapping[str, int]],
) -> Scores:
    """The probabilities with what the corpus has of the words meant: it has a right word more often than a wrong one.

    A word that lists of other languages have is not asked so: it may be near a frequent word by chance.
    """
    meant = [one.meant for one in classifier.known([one.word for one in words])]
    counts = counts_of(sorted({one.form for one in meant if one and one.cost <= _SLIP}))
    found = likely.copy()
    for row, (one, near) in enumerate(zip(words, meant, strict=True)):
        more = counts.get(near.form, 0) / one.count if near and near.cost <= _SLIP else 0
        if more > 1 and one.word not in classifier.model.foreign:
            found[row, _MISTAKE] *= more
    shares: Scores = found / found.sum(axis=1, keepdims=True)
    return shares


class _Judge:
    """One word before its judge."""

    def __init__(
        self, one: Evidence, likely: np.ndarray, classifier: Classifier, code: str, inflected: frozenset[str] = frozenset()
    ) -> None:
        self._one, self._likely, self._classifier, self._code = one, likely, classifier, code
        self._is_inflected = one.word in inflected

    def judge(self) -> CorpusKind:
        one = self._one
        if one.kind == Kind.SEQUENCE or self._share(Sign.IN_CODE) >= _MOSTLY:
            return self._said(Kind.SEQUENCE, 1.0, Reason.CODE)
        if one.kind == Kind.INCLUSIVE:
            return self._said(Kind.INCLUSIVE, 1.0, Reason.NEUTRAL)
        if one.word.endswith("."):
            return self._said(Kind.ABBREVIATION, 1.0, Reason.POINT)
        best = int(self._likely.argmax())
        kind, sure = TOLD_APART[best], float(self._likely[best])
        if kind is Kind.FOREIGN and self._is_loan():
            kind, sure = Kind.CANDIDATE, sure * self._used()
        if kind is Kind.CANDIDATE and (reason := self._against()):
            return self._said(Kind.NAME, sure, reason)
        return self._said(kind, sure, Reason.LOAN if kind is not TOLD_APART[best] else self._reason(kind))

    def _against(self) -> Reason | None:
        """Why a candidate is rather the name of something: it stands in code more often, is set off, or has capitals within."""
        if self._one.coded > self._one.documents and not self._is_inflected:
            return Reason.PROGRAM
        if self._one.emphasised * 2 >= self._one.documents > 1 and self._share(Sign.AFTER_DETERMINER) < _LOAN_DETERMINED:
            return Reason.SET_OFF
        return Reason.WITHIN if self._share(Sign.MIXED) >= _MOSTLY else None

    def _share(self, sign: Sign) -> float:
        return self._one.shares[SIGNS.index(sign)]

    def _is_loan(self) -> bool:
        strangers = max(self._share(Sign.AFTER_STRANGE), self._share(Sign.BEFORE_STRANGE))
        return (
            self._one.documents >= _LOAN_DOCUMENTS
            and len(self._one.word) >= _LOAN_LETTERS
            and "-" not in self._one.word
            and self._share(Sign.SMALL) >= _LOAN_SMALL
            and strangers <= _LOAN_AMONG_STRANGERS
            and self._share(Sign.AFTER_DETERMINER) >= _LOAN_DETERMINED
            and self._is_settled()
        )

    def _is_settled(self) -> bool:
        """Whether a foreign word has two numbers, is met in general, introduced, or mostly used with an article."""
        one = self._one
        return (
            self._is_inflected
            or one.word in self._classifier.model.current
            or self._share(Sign.INTRODUCED) > 0
            or (one.count >= _LOAN_TIMES and self._share(Sign.AFTER_DETERMINER) >= _MOSTLY)
        )

    def _used(self) -> float:
        return min(1.0, _DOUBT_IN_LOANS + self._share(Sign.AFTER_DETERMINER))

    def _said(self, kind: Kind, sure: float, reason: Reason) -> CorpusKind:
        one, known = self._one, self._one.word in self._classifier.model.recent
        nearest = self._classifier.nearest([one.word])[0] if kind is Kind.MISTAKE else ""
        found = derivations_of(self._code).find(one.word) if kind is Kind.FORMED else None
        return CorpusKind(kind, round(sure, 4), reason, nearest, _affix(found), known)

    def _reason(self, kind: Kind) -> Reason:
        word, model = self._one.word, self._classifier.model
        if kind is Kind.NAME:
            if self._share(Sign.CAPITAL_INSIDE) >= _MOSTLY:
                return Reason.INSIDE
            return Reason.NAME_LIST if word in model.names else Reason.NAME_LETTERS
        if kind is Kind.FOREIGN:
            if word in model.foreign:
                return Reason.ABROAD
            beside = max(self._share(Sign.AFTER_STRANGE), self._share(Sign.BEFORE_STRANGE))
            return Reason.STRANGERS if beside >= _MOSTLY else Reason.FOREIGN_LETTERS
        if kind is Kind.ABBREVIATION:
            return Reason.CAPITALS if self._share(Sign.CAPITALS) >= _MOSTLY else Reason.SHORT
        return {Kind.MISTAKE: Reason.NEAR, Kind.FORMED: Reason.AFFIX}.get(kind) or self._marked()

    def _marked(self) -> Reason:
        if self._share(Sign.INTRODUCED) > 0:
            return Reason.INTRODUCED
        marked = self._share(Sign.QUOTED) >= _MARKED or self._one.emphasised
        return Reason.MARKED if marked else Reason.NATIVE


def _affix(found: Derivation | None) -> str:
    return found.affix if found else ""
