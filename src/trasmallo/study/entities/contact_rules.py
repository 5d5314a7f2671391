"""Addresses, e-mail, telephones and identifiers, these with their check digits where they have some."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from trasmallo.study.entities.found_spans import FoundSpan
from trasmallo.study.entities.rule_sets import DIGITS, Begins, Rule, RuleSet
from trasmallo.study.entities.rule_words import either, rule_words

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}(?![\w-])", re.IGNORECASE)
_PHONE = re.compile(
    r"(?<![\w.,/-])(?P<plus>\+|00)\s?\d{1,3}(?:[\s.-]?(?:\(\d{1,4}\)|\d{2,4})){2,5}(?![\w-]|[.,]\d)"
    r"|(?<![\w.,/+-])[679]\d{2}(?:[\s.-]?\d{3}[\s.-]?\d{3}|[\s.-]?\d{2}[\s.-]?\d{2}[\s.-]?\d{2})(?![\w-]|[.,]\d)"
    r"|(?<![\w.,/+-])9\d\s\d{3}\s\d{2}\s\d{2}(?!\w)"
    r"|(?<![\w.,/+-])\(?\d{3}\)?[\s.-]\d{3}[.-]\d{4}(?![\w-]|[.,]\d)"
)
_SHORTEST_PHONE, _LONGEST_PHONE = 9, 15  # digits: of Spain, and at most (E.164)
_NIF_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_NAME = r"(?:[A-ZÁÉÍÓÚÑ](?:[a-záéíóúñ]{1,3}\.(?=\s+[A-ZÁÉÍÓÚÑ])|[\w'’-]*)|de|del|la|las|los|el|y|i|d['’])"


def find_contacts(text: str, language: str) -> Iterator[FoundSpan]:
    """Every address, e-mail, telephone and identifier of a text."""
    return contacts(language).find(text)


@cache
def contacts(language: str) -> RuleSet:
    """The rules that find them."""
    streets = rule_words(language)
    street = Begins.with_any(streets.streets, whole=False) if streets.street_first else DIGITS
    return RuleSet(
        [
            Rule(_EMAIL, None, lambda match: FoundSpan(match.start(), match.end(), "EMAIL", match[0].lower()), "@"),
            Rule(_PHONE, Begins(digits=True, signs="+("), _phone),
            *(Rule(pattern, begins, _identifier(check)) for pattern, begins, check in _IDENTIFIERS),
            Rule(_address(language), street, _addressed),
        ]
    )


def _phone(match: re.Match[str]) -> FoundSpan | None:
    digits = re.sub(r"\D", "", match[0])
    if not _SHORTEST_PHONE <= len(digits) <= _LONGEST_PHONE:
        return None
    return FoundSpan(match.start(), match.end(), "PHONE", f"+{digits.removeprefix('00')}" if match["plus"] else digits)


def _identifier(check: Callable[[str], str]) -> Callable[[re.Match[str]], FoundSpan | None]:
    def found(match: re.Match[str]) -> FoundSpan | None:
        value = check(match[0])
        return FoundSpan(match.start(), match.end(), "ID", value) if value else None

    return found


def _addressed(match: re.Match[str]) -> FoundSpan:
    return FoundSpan(match.start(), match.end(), "ADDRESS", re.sub(r"\s+", " ", match[0]))


def _nif(text: str) -> str:
    plain = re.sub(r"[\s.-]", "", text).upper()
    number = plain[:-1].translate(str.maketrans("XYZ", "012"))
    return plain if _NIF_LETTERS[int(number) % 23] == plain[-1] else ""


def _iban(text: str) -> str:
    plain = text.replace(" ", "").upper()
    digits = "".join(str(int(char, 36)) for char in plain[4:] + plain[:4])
    return plain if int(digits) % 97 == 1 else ""


def _isbn(text: str) -> str:
    plain = re.sub(r"^ISBN(?:-1[03])?:?\s*", "", text, flags=re.IGNORECASE).replace("-", "").replace(" ", "").upper()
    if len(plain) == 13:
        return plain if sum(int(char) * (1, 3)[place % 2] for place, char in enumerate(plain)) % 10 == 0 else ""
    total = sum((10 - place) * (10 if char == "X" else int(char)) for place, char in enumerate(plain))
    return plain if total % 11 == 0 else ""


def _as_written(text: str) -> str:
    return re.sub(r"^(?:doi:\s*|ISSN:?\s*)", "", text, flags=re.IGNORECASE).rstrip(".,;")


_ISBN = r"(?<!\w)ISBN(?:-1[03])?:?\s*(?:97[89][- ]?)?(?:\d[- ]?){9}[\dX](?!\w)"
_DOI = r"(?<![\w/])(?:doi:\s*)?10\.\d{4,9}/[^\s\"<>]{1,100}[^\s\"<>.,;)]"
_IDENTIFIERS: tuple[tuple[re.Pattern[str], Begins, Callable[[str], str]], ...] = (
    (
        re.compile(r"(?<![\w-])(?:\d{8}|\d{2}\.\d{3}\.\d{3}|[XYZ]-?\d{7})-?[A-HJ-NP-TV-Z](?![\w-])"),
        Begins(prefixes=("x", "y", "z"), digits=True),
        _nif,
    ),
    (
        re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?(?!\w)"),
        Begins(like=re.compile(r"[A-Z]{2}\d{2}")),
        _iban,
    ),
    (re.compile(_ISBN, re.IGNORECASE), Begins(prefixes=("isbn",)), _isbn),
    (re.compile(_DOI, re.IGNORECASE), Begins(words=frozenset({"doi", "10"})), _as_written),
    (re.compile(r"(?<!\w)ISSN:?\s*\d{4}-\d{3}[\dX](?!\w)"), Begins(prefixes=("issn",)), _as_written),
)


@cache
def _address(language: str) -> re.Pattern[str]:
    words = rule_words(language)
    streets, signs, floors = either(words.streets), either(words.number_signs), either(words.floors)
    floor = rf"(?:\s*,\s*(?:\d{{1,2}}\s?\.?[ºª°]\s?[A-Z]?\b|(?:{floors})(?:\s+\w{{1,4}})?))?"
    if words.street_first:
        capital = r"[A-ZÁÉÍÓÚÑ]"
        part = rf"{capital}[\w'’-]+"
        coded = rf"\s*,?\s*(?:\(\s*)?\d{{5}}\s+{part}(?:\s+(?:de(?:l|\s+la|\s+los)?\s+)?{part}){{0,3}}"
        town = rf"(?:{coded}|\s*,?\s+de\s+{capital}\w+(?:\s+{capital}\w+)?|\s*,\s*{capital}\w+)?"
        number = rf"(?:\s*,\s*|\s+)(?:(?:{signs})\s*)?(?:\d{{1,4}}(?:\s?bis|[A-Z])?|s/n)(?![\w.,]\d|\s*(?:%|€|de\s+[a-z]))"
        return re.compile(rf"(?<!\w)(?i:{streets})\s*{_NAME}(?:\s+{_NAME}){{0,5}}(?i:{number}){floor}{town}")
    code = r",?\s+(?:[A-Z]{2}\s+)?\d{5}(?:-\d{4})?\b|,?\s+[A-Z]{1,2}\d[\dA-Z]?\s+\d[A-Z]{2}\b|,\s*[A-Z]{2}\b"
    town = rf"(?:,\s*[A-Z][^\W\d]+\b(?:\s+[A-Z][^\W\d]+\b){{0,2}})?(?:{code})?"
    name = r"(?:[A-Z][\w'’.-]*\s+){1,4}"
    return re.compile(rf"(?<![\w.,$€£])\d{{1,5}}[A-Za-z]?\s+{name}(?i:{streets})(?!\w){floor}{town}")
