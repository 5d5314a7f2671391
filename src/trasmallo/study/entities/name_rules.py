"""What a model of names overlooks, by rules over its names and the words beside them; the words are the language's.

1. A single word that opens a sentence, that no list of names has and that is formed by rule as a verb or an adverb is no name:
   *Algoritmear*, *Lávese*, *Actualmente*.
2. A place has the word for it that stands before: *río* Ebro, *calle de* Alcalá. Annotated texts differ in it; the words listed
   are those that do not make either of the two below worse.
3. A national team is one organisation: *selección de fútbol de* Chile.
4. The name of an organisation or a thing goes on with a number: *Sevilla* 92.
5. What stands in quotation marks is the name of a thing, unless the word before is a person, a group, a place or the press.
6. A listed place is one behind a preposition of place: *en* Santander. Initials alone are a person: *P. B. H.*

On a third of WikiNEuRal's validation text F1 rises from 76.9 to 80.3, without the kinds from 85.4 to 89.0; on CoNLL-2002's
training text from 69.6 to 69.8 and from 87.9 to 88.0. The model has seen neither.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from trasmallo.study.entities.name_lists import AREA, COUNTRY, TOWN, fold, names
from trasmallo.study.entities.rule_words import RuleWords, either, rule_words
from trasmallo.study.entities.sequence_tagger import LabelledName
from trasmallo.study.entities.word_features import broad_meanings, opening
from trasmallo.study.morphology import words_of

_LONGEST_NUMBER = 4  # a year, by definition
_BEFORE = 8
"""Words before a name among which that of a team is looked for. Judgement."""
_PLACES = frozenset((COUNTRY, AREA, TOWN, "l"))
"""Lists of places; the last is that of WordNet."""
_INITIAL = re.compile(r"[^\W\d_a-z]\.?")
_FORMED = ("VERB", "ADV")
_OPENING, _CLOSING = '"«“', '"»”'


def amended(words: Sequence[str], found: Sequence[LabelledName], language: str) -> list[LabelledName]:
    """The names of a sentence after the rules; as they are in a language without words for them."""
    told = rule_words(language)
    if not found or not told.place_words:
        return list(found)
    start = opening(words)
    kept = [one for one in found if one.start >= start or not _is_formed(words, one, language)]
    wider = _apart([_numbered(words, _team(words, _placed(words, one, told), told)) for one in kept])
    return [_quoted(words, _initials(words, _where(words, one, told)), told) for one in wider]


def _apart(found: Sequence[LabelledName]) -> list[LabelledName]:
    """The names without those that a wider one took in."""
    kept: list[LabelledName] = []
    for one in found:
        while kept and kept[-1].start >= one.start:
            kept.pop()
        if kept and kept[-1].end > one.start:
            kept[-1] = kept[-1]._replace(end=one.start)
        kept.append(one)
    return kept


def _is_formed(words: Sequence[str], one: LabelledName, language: str) -> bool:
    """Whether a name is one word that no list has, and that only rules know: as a form of a verb, or an adverb."""
    if one.end - one.start > 1 or fold(words[one.start]) in names():
        return False
    readings = words_of(language).analyse(words[one.start].lower())
    return bool(readings) and all(reading.by == "rule" and reading.category in _FORMED for reading in readings)


def _placed(words: Sequence[str], one: LabelledName, told: RuleWords) -> LabelledName:
    """A name with the word for the place before it, whether or not a preposition stands between."""
    if one.kind not in ("LOC", "PER"):
        return one
    before = re.sub(rf"\s(?:{either(told.of_place)})$", "", " ".join(words[max(0, one.start - 3) : one.start]))
    word = before.rpartition(" ")[2]
    if word not in told.place_words:
        return one
    start = max(place for place in range(one.start) if words[place] == word)
    return one._replace(start=start, kind="LOC")


def _where(words: Sequence[str], one: LabelledName, told: RuleWords) -> LabelledName:
    """A name that lists have as a place too, behind a preposition that persons and organisations rarely follow."""
    if one.kind not in ("PER", "ORG") or not one.start or words[one.start - 1].lower() not in told.where:
        return one
    lists = names().get(fold(" ".join(words[one.start : one.end])), "")
    return one._replace(kind="LOC") if _PLACES.intersection(lists) else one


def _initials(words: Sequence[str], one: LabelledName) -> LabelledName:
    spelt = words[one.start : one.end]
    return one._replace(kind="PER") if len(spelt) > 1 and all(map(_INITIAL.fullmatch, spelt)) else one


def _team(words: Sequence[str], one: LabelledName, told: RuleWords) -> LabelledName:
    if one.kind not in ("LOC", "PER"):
        return one
    before = " ".join(words[max(0, one.start - _BEFORE) : one.start])
    match = _team_pattern(told.team, told.of_place).search(before)
    if not match or not match["sport"].split()[-1].islower():
        return one
    return one._replace(start=one.start - len(match["all"].split()), kind="ORG")


@cache
def _team_pattern(team: str, of_place: tuple[str, ...]) -> re.Pattern[str]:
    either_case = f"[{team[0].upper()}{team[0]}]{team[1:]}"
    return re.compile(rf"(?:^|\s)(?P<all>{either_case}(?: \w+)? de (?P<sport>\w+(?: \w+)?) (?:{either(of_place)}))$")


def _numbered(words: Sequence[str], one: LabelledName) -> LabelledName:
    if one.kind not in ("ORG", "MISC") or one.end == len(words) or not _is_number(words[one.end]):
        return one
    after = words[one.end + 1] if one.end + 1 < len(words) else "."
    goes_on = after in _SCORES or (after.isalpha() and after.lower() not in _AFTER_NUMBER)
    return one if goes_on else one._replace(end=one.end + 1)


_AFTER_NUMBER = frozenset(("y", "de", "del", "en", "con"))
"""Words behind a number that do not say what is counted."""
_SCORES = frozenset(("-", "–", "(", ":", "/"))
"""Signs behind the points of a team."""


def _is_number(word: str) -> bool:
    return word.isdigit() and len(word) <= _LONGEST_NUMBER


def _quoted(words: Sequence[str], one: LabelledName, told: RuleWords) -> LabelledName:
    """A name that fills quotation marks is that of a thing; of a nickname or a group its neighbour tells otherwise."""
    if not one.start or one.end == len(words) or words[one.start - 1][0] not in _OPENING or words[one.end][0] not in _CLOSING:
        return one
    place = one.start - 2
    while place >= 0 and words[place].lower() in told.before_quotes:
        place -= 1
    before = words[place] if place >= 0 else ""
    bearer = before[:1].isupper() or before in told.press or broad_meanings(fold(before))[:1] in ("p", "g", "l")
    return one._replace(kind="MISC") if not (before and bearer) else one
