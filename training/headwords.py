"""Makes the dictionary of the Krovetz stemmer from WordNet 3.0: its headwords, and exceptions with the word they belong to.

    python training/headwords.py FOLDER    a folder with WordNet's index, data, exc and cntlist.rev files

The exceptions are irregular forms (mice, mouse), adjectives that only mean "of or relating to" a noun (italian, italy) and
adverbs that only mean "in the manner of" an adjective (quickly, quick).
A headword that looks inflected (-s, -ed, -ing) counts only when WordNet's own texts use it so: marketing, but not chattering.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import zstandard

TARGET = Path(__file__).resolve().parent.parent / "src" / "trasmallo" / "study" / "languages" / "en" / "headwords.txt.zst"
_PLAIN = re.compile(r"[a-z]{2,}")
_LOOKS_INFLECTED = re.compile(r"(?:[^s]s|ed|ing)$")
_PARTS = ("noun", "verb", "adj", "adv")
_SOURCES = {"adj": ("noun", "n"), "adv": ("adj", "[as]")}
_ALIKE = 3


def main(folder: Path) -> None:
    """Write the dictionary: a headword a line, or an exception, a blank, and its headword."""
    found = set(headwords(folder))
    words = {word for word, _ in found}
    pairs = dict(derived(folder, found))
    for part in _PARTS:
        for line in (folder / f"{part}.exc").read_text("utf-8").splitlines():
            form, word = line.split()[:2]
            if _PLAIN.fullmatch(form) and word in words and form not in words:
                pairs[form] = word
    pairs = {form: word for form, word in pairs.items() if form != word}
    lines = sorted({*(f"{form} {word}" for form, word in pairs.items()), *(words - set(pairs))})
    TARGET.write_bytes(zstandard.ZstdCompressor(19).compress(("\n".join(lines) + "\n").encode()))
    print(f"{len(words):,} headwords, {len(pairs):,} exceptions, {TARGET.stat().st_size:,} bytes")


def headwords(folder: Path) -> Iterator[tuple[str, str]]:
    """Words of one piece without capitals, and their part of speech."""
    used = {line.split("%")[0] for line in (folder / "cntlist.rev").read_text("utf-8").splitlines()}
    for word, _, offsets, part in entries(folder):
        named = all(is_name(folder, part, offset, word) for offset in offsets)
        if _PLAIN.fullmatch(word) and not named and (word in used or not _LOOKS_INFLECTED.search(word)):
            yield word, part


def entries(folder: Path) -> Iterator[tuple[str, int, list[str], str]]:
    """(word, senses, places of them, part of speech) of every entry."""
    for part in _PARTS:
        for line in (folder / f"index.{part}").read_text("utf-8").splitlines():
            if not line.startswith(" "):
                fields = line.split()
                yield fields[0], int(fields[2]), fields[-int(fields[2]) :], part


_DATA: dict[str, dict[str, str]] = {}


def sense(folder: Path, part: str, offset: str) -> str:
    """The line of a sense."""
    if part not in _DATA:
        lines = (folder / f"data.{part}").read_text("utf-8").splitlines()
        _DATA[part] = {line[:8]: line for line in lines if not line.startswith(" ")}
    return _DATA[part][offset]


def spelt(line: str) -> list[str]:
    """The words of a sense as they are written, without the marks of adjectives."""
    fields = line.split()
    return [fields[4 + 2 * number].partition("(")[0] for number in range(int(fields[3], 16))]


def is_name(folder: Path, part: str, offset: str, word: str) -> bool:
    """Whether a sense writes the word with a capital only."""
    forms = [form for form in spelt(sense(folder, part, offset)) if form.lower() == word]
    return part == "noun" and all(form != word for form in forms)


def derived(folder: Path, words: set[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Adjectives and adverbs that are nothing else, all of whose senses point to words that begin alike; with the first."""
    known = {word for word, _ in words}
    for word, _, offsets, part in entries(folder):
        if part in _SOURCES and (word, part) in words and not any((word, other) in words for other in _PARTS if other != part):
            sources = [source for offset in offsets for source in pertains(folder, part, offset, word)[:1]]
            alike = len(sources) == len(offsets) and sources[0][:_ALIKE].lower() == word[:_ALIKE]
            if alike and (sources[0] in known or (sources[0].istitle() and sources[0].isalpha())):
                yield word, sources[0].lower()


def pertains(folder: Path, part: str, offset: str, word: str) -> list[str]:
    """The nouns to which a sense of an adjective pertains, or the adjectives of which an adverb is made."""
    line = sense(folder, part, offset)
    number = [form.lower() for form in spelt(line)].index(word) + 1
    kind, sign = _SOURCES[part]
    found = re.findall(rf"\\ (\d{{8}}) {sign} (\w\w)(\w\w)", line.partition("|")[0])
    return [
        spelt(sense(folder, kind, place))[int(target, 16) - 1] for place, source, target in found if int(source, 16) == number
    ]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
