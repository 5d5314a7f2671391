"""Texts of the app in each of its languages: `words/<code>.json` maps the same keys to texts.

A text may hold `{names}`; a pair of texts is the one for 1 and the one for other numbers, chosen by the value of `n`. Other
numbers bring their own noun: `{documents:document|documents}` is 1 document, 2 documents.
"""

from __future__ import annotations

import re
from functools import cache
from math import log10
from pathlib import Path

import msgspec

from trasmallo import config_text
from trasmallo.results.registry import GROUPS, all_tables
from trasmallo.study.languages import find as find_language
from trasmallo.values.decodable import decodable
from trasmallo.values.messages import Message
from trasmallo.values.setting_texts import setting_texts
from trasmallo.web.error_translation import error_texts, translate

LANGUAGES = ("es", "en")
_FOLDER = Path(__file__).with_name("words")
_ACCEPTED = re.compile(r"([a-z]{2,3})(?:-[a-z0-9]+)*\s*(?:;\s*q=([0-9.]{1,6}))?", re.IGNORECASE)
_NAMES = re.compile(r"`[^`]*`|'[^']*'|\b(?!robots\.txt\b)[\w-]+(?:\.[\w-]+)+|(?<!\S)/\S+|\d[\d.,:]*\d|\d")
"""What differs from one stored cause to the next: quoted texts, hosts, paths and numbers; `live.js` knows the same pattern."""

_SAID = re.compile(r"\*([^*`]*)\*")

_LEAST = 1e-100
"""The least probability that is told by its digits. Judgement: below it nobody compares."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Text = str | tuple[str, str]


@cache
def texts(language: str) -> dict[str, Text]:
    """Every text of a language by its key; those of tables, and in English of settings, are where these are defined.

    What a table calls a column (`column.TABLE.NAME`) is what others call it (`column.NAME`) only where they say nothing else.
    """
    found = msgspec.json.decode((_FOLDER / f"{language}.json").read_bytes(), type=decodable(dict[str, Text]))
    for name, table in all_tables().items():
        found |= {f"table.{name}": getattr(table.title, language), f"about.{name}": getattr(table.about, language)}
        own = {column: getattr(text, language) for column, text in table.columns.items()}
        found |= {f"column.{name}.{column}": text for column, text in own.items()}
        found = {f"column.{column}": text for column, text in own.items()} | found
    found |= {f"tables.{group}": getattr(text, language) for group, text in GROUPS.items()}
    if language == "en":
        found |= {f"meaning.{_key(section, name)}": meaning for section, name, _, meaning in config_text.describe_keys()}
    found |= {f"meaning.{key}": text for key, text in setting_texts(language).items() if key and key[0] != "["}
    return found


class Words:
    """Says things in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = texts(language)

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key with its values filled in; numbers are written as the language does."""
        text = self._texts[key]
        if isinstance(text, tuple):
            text = text[values.get("n", 0) != 1]
        shown = {name: _Shown(self.show(value), one=value == 1) for name, value in values.items()}
        return text.format_map(shown) if values else text

    def known(self, key: str) -> bool:
        """Whether there is a text."""
        return key in self._texts

    def named(self, family: str, name: str) -> str:
        """What a value of the program is called (an outcome, a state, a column), itself when it has no other name."""
        text = self._texts.get(f"{family}.{name}", name)
        return text if isinstance(text, str) else text[1]

    def column(self, table: str, name: str) -> str:
        """What a table calls one of its columns."""
        return self.named("column", f"{table}.{name}" if self.known(f"column.{table}.{name}") else name)

    def phrase(self, text: str) -> str:
        """A sentence of the program in this language: a message by its code, a text that was stored by what it says."""
        return translate(text, error_texts(self.language)) if isinstance(text, Message) else self._stored(text)

    def own(self, family: str, value: str) -> str:
        """A value that is the program's own text: one of a family, or a whole sentence where there is none."""
        return self.named(family, value) if family else self.phrase(value)

    def reasons(self, text: str) -> str:
        """Why an address waits where it does, reason by reason; what a page says of it, between asterisks, stays as it is."""
        parts = (_SAID.sub(r"`\1`", part) for part in text.split("; "))
        return "; ".join(self._part(part).replace("`", "*") for part in parts)

    def _stored(self, text: str) -> str:
        """A cause that was stored as a text, part by part, where it is known; its numbers and names stay as they are."""
        return ": ".join(map(self._part, text.split(": ")))

    def _part(self, text: str) -> str:
        known = self._texts.get("phrase." + _NAMES.sub("#", text)) or error_texts(self.language).get(text)
        names = iter(_NAMES.findall(text))
        return re.sub("#", lambda _: next(names, "#"), known) if isinstance(known, str) else text

    def tree(self, *families: str) -> dict[str, Text]:
        """All texts of some families, for scripts."""
        return {key: text for key, text in self._texts.items() if key.partition(".")[0] in families}

    def show(self, value: object) -> str:
        """A value as people write it: 1.234,5 in Spanish and 1,234.5 in English."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return str(value)
        written = f"{value:,}" if isinstance(value, int) else f"{value:,.6g}" if abs(value) < 1 else f"{value:,.2f}"
        return written.translate({44: ".", 46: ","}) if self.language == "es" else written

    def percent(self, share: float) -> str:
        """A share of 1 as a percentage: 6,81 % in Spanish and 6.81% in English."""
        written = "< 0.01" if 0 < share < 0.0001 else f"{100 * share:.2f}"
        return written.replace(".", ",") + "\N{NO-BREAK SPACE}%" if self.language == "es" else written + "%"

    def decimals(self, value: float, digits: int = 2) -> str:
        """A number with so many decimals, so that those of a column stand under each other."""
        written = f"{value:,.{digits}f}"
        return written.translate({44: ".", 46: ","}) if self.language == "es" else written

    def tiny(self, probability: float) -> str:
        """A probability in two digits: 0,021 or 3,1·10⁻⁷ in Spanish."""
        if probability >= 0.001:
            written = f"{probability:.3f}"
        elif probability < _LEAST:
            written = f"< 10{_raised(round(log10(_LEAST)))}"
        else:
            digits, _, exponent = f"{probability:.1e}".partition("e")
            written = f"{digits}·10{_raised(int(exponent))}"
        return written.replace(".", ",") if self.language == "es" else written

    def language_name(self, code: str) -> str:
        """What a language is called, its code where nobody knows it."""
        found = find_language(code)
        if found is None:
            return code
        return found.description.spanish if self.language == "es" else found.description.english


def _raised(exponent: int) -> str:
    return str(exponent).translate(_RAISED)


class _Shown:
    """A value as it is written; a format of two nouns adds the one that goes with it."""

    def __init__(self, text: str, *, one: bool) -> None:
        self._text = text
        self._one = one

    def __format__(self, nouns: str) -> str:
        singular, _, plural = nouns.partition("|")
        return f"{self._text} {singular if self._one else plural}" if nouns else self._text


def choose(asked: str, accepted: str) -> str:
    """The language that was asked for, or else the first of those a browser accepts that we speak, or else English."""
    if asked in LANGUAGES:
        return asked
    wishes = [(float(found[2] or 1), found[1].lower()) for found in map(_wish, accepted[:500].split(",")) if found]
    ours = [language for weight, language in sorted(wishes, key=lambda wish: -wish[0]) if language in LANGUAGES]
    return ours[0] if ours else "en"


def _wish(text: str) -> re.Match[str] | None:
    found = _ACCEPTED.fullmatch(text.strip())
    return found if found and (found[2] or "1").count(".") <= 1 and found[2] != "." else None


def _key(section: str, name: str) -> str:
    return f"{section}.{name}" if section else name
