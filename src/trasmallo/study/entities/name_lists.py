"""The lists that ship: given names, surnames, countries, towns, names of WordNet; and what nouns mean in the broad.

Both files are written by `training/entity_lists.py`: zstandard text, a line an entry, the entry's letters behind a tab.
Keys are folded: lower case, without accents, so that they are met in text of any case.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

import zstandard

_FOLDER = Path(__file__).parent
GIVEN, SURNAME, COUNTRY, AREA, TOWN = "g", "s", "c", "a", "t"
"""Letters of the shipped list; besides p, l and o are persons, places and groups that WordNet knows by name."""
LONGEST = 5
"""Words of the longest name that is looked up."""


def fold(text: str) -> str:
    """The key of a name: lower case, without accents; ñ is kept, for it is a letter of its own."""
    low = text.lower()
    if low.isascii():
        return low
    plain = unicodedata.normalize("NFD", low.replace("ñ", "\0"))
    return "".join(char for char in plain if not unicodedata.combining(char)).replace("\0", "ñ")


@cache
def names() -> dict[str, str]:
    """Every listed name with the letters of its lists."""
    return _read("names.zst")


@cache
def nouns() -> dict[str, str]:
    """Every noun of WordNet, Spanish or English, with the letters of its broad meanings, the commonest first."""
    return _read("nouns.zst")


def _read(name: str) -> dict[str, str]:
    text = zstandard.decompress((_FOLDER / name).read_bytes()).decode()
    return dict(line.split("\t") for line in text.split("\n"))
