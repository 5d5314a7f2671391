"""What the text of a block tells by itself: its length, its signs, and the words that it begins with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

ROWS = ("least", "most", "tone", "digits", "dated", "spaces", "commas", "end", "upper", "lower", "sign", "price")
SHORT = 200
"""Characters below which a text is remembered with what is told of it. Judgement: those that repeat are short."""
_FIRST = 72
"""Characters whose words are looked up; part of what the model is trained on."""
_MAX_KNOWN = 20_000
"""Texts that are remembered; then all are forgotten. Judgement: a bound on memory."""
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_SIGN = re.compile(r"[\d©|»$€£]")
_DATE = re.compile(r"(?:19|20)\d\d|\d{1,2}[.:/-]\d\d|\d+ (?:min|hour|day|week|month|year|stund|tag)")
_ENDS = frozenset('.!?:;"”’»…。！？）)')

Told = tuple[float, ...]


def text_words(text: str) -> list[str]:
    """The words that a text begins with, by which furniture is known ("Read more", "Advertisement")."""
    beginning = text[:_FIRST].lower()
    return _WORD.findall(beginning if beginning.isascii() else as_one_sigma(beginning))


def as_one_sigma(text: str) -> str:
    """The text with one letter for both forms of sigma: which one a capital becomes depends on what follows it."""
    return text.replace("ς", "σ")


def _signs(text: str) -> tuple[float, bool, bool, bool]:
    """The share of digits, whether there is a date, a sign of furniture, a price."""
    digits = len(_DIGIT.findall(text))
    dated = digits > 2 and _DATE.search(text) is not None
    sign = "©" in text or "|" in text or "»" in text
    return digits / (len(text) + 1), dated, sign, "$" in text or "€" in text or "£" in text


class Phrases:
    """What texts tell, remembered when they are short: a page repeats its furniture, and so does a site."""

    def __init__(self, value: Callable[[str], float | None]) -> None:
        """`value` gives what was learned of a word, None or 0 without anything."""
        self._value = value
        self._known: dict[str, Told] = {}

    def __call__(self, texts: Iterable[str]) -> list[Told]:
        """For each text a figure for each of `ROWS`; no text may be empty."""
        known, read = self._known.get, self._read
        return [known(text) or read(text) for text in texts]

    def _read(self, text: str) -> Told:
        """What is not known of a text yet."""
        found = self._look_at(text)
        if len(text) < SHORT:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            self._known[text] = found
        return found

    def _look_at(self, text: str) -> Told:
        least, most, tone = self._weigh(text_words(text))
        commas, spaces = text.count(",") + text.count(". "), text.count(" ")
        end, lower = text[-1] in _ENDS, text[0].islower()
        if len(text) >= SHORT:
            commas += text.count("，") + text.count("。")
            return least, most, tone, 0.0, False, spaces, commas, end, False, lower, False, False
        digits, dated, sign, price = _signs(text) if _SIGN.search(text) else (0.0, False, False, False)
        return least, most, tone, digits, dated, spaces, commas, end, text.isupper(), lower, sign, price

    def _weigh(self, words: list[str]) -> tuple[float, float, float]:
        """The least, the greatest and the mean value of the words."""
        known = list(filter(None, map(self._value, words)))
        if not known:
            return 0.0, 0.0, 0.0
        if len(known) < len(words):
            known.append(0.0)
        return min(known), max(known), sum(known) / len(words)
