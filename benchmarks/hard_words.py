"""Hard Spanish words out of context: how many have the readings that a person wrote down, and no others.

`python benchmarks/hard_words.py [FILE...] [--wrong]`: by default the lists in `tests/quality`; all were looked at while
rules were written. At the first look the seventh had 85.2 %, the eighth 83.3, the ninth 92.4 (four of its rows lacked a
reading that is right, 95.8 with them), the tenth 97.8; of lemmas drawn at random the eleventh 89.8, the twelfth 89.4 and,
after what these two taught, the thirteenth 95.9; of words of all kinds that stand in no earlier list the fourteenth 87.7,
the fifteenth 90.6, the sixteenth 91.2 and the seventeenth 94.9 (97.4 with three of its own rows mended). A word is right
when every reading that must be there is, with its features, prefix and pronouns, and no reading that is neither marked as a
mistake nor a guess has a lemma that the list does not name (the word itself, its singular and its masculine are taken as
named). Contractions and old Spanish are asked for as options.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import trasmallo
from trasmallo.study.morphology.tags import TYPO, pairs
from trasmallo.values.model import Analysis

_HERE = Path(__file__).resolve().parents[1] / "tests" / "quality"
LISTS = {
    name: _HERE / f"hard_words_{name}.tsv"
    for name in (
        *("tuning", "held", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
        *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"),
    )
}
# A copula is a verb or an auxiliary, as the treebank likes.
_MERGED = {"AUX": "VERB"}


class Wanted(NamedTuple):
    """A reading as a person wrote it; `features` it has, `absent` it lacks."""

    lemma: str
    category: str
    features: dict[str, str]
    absent: frozenset[str]
    prefix: str
    clitics: tuple[str, ...]
    required: bool


class HardWord(NamedTuple):
    """A row of the list."""

    word: str
    kind: str
    readings: tuple[Wanted, ...]


def read(path: Path) -> Iterator[HardWord]:
    """The words of a list."""
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            word, kind, readings = line.split("\t")
            yield HardWord(word, kind, tuple(_wanted(reading) for reading in readings.split("; ")))


def _wanted(told: str) -> Wanted:
    lemma, category, *rest = told.removeprefix("?").split(" ")
    return Wanted(
        lemma=lemma,
        category=category,
        features=dict(pairs("|".join(part for part in rest if "=" in part))),
        absent=frozenset(part[1:] for part in rest if part.startswith("!")),
        prefix=next((part[:-1] for part in rest if part.endswith("-")), ""),
        clitics=next((tuple(part[1:].split("+")) for part in rest if part.startswith("+")), ()),
        required=not told.startswith("?"),
    )


def analyses(hard: HardWord) -> list[Analysis]:
    """What is found for a word, with the option that its kind needs."""
    return trasmallo.analyse(hard.word, split_contractions=hard.kind == "contraction", old_spanish=hard.kind == "old")


def faults(hard: HardWord, found: list[Analysis]) -> list[str]:
    """The readings that lack, and the lemmas that nobody named; [] when all is right."""
    lacking = [
        f"lacks {one.lemma} {one.category}" for one in hard.readings if one.required and not any(_fits(one, it) for it in found)
    ]
    named = {one.lemma.lower() for one in hard.readings} | _inflected(hard.word.lower())
    sure = [one for one in found if one.by != "guess" and TYPO not in one.features]
    return lacking + [f"has {one.lemma} {one.category}" for one in sure if one.lemma.lower() not in named]


def _inflected(word: str) -> set[str]:
    return {word, word.removesuffix("s"), re.sub("(?:as|os|a)$", "o", word)}


def _fits(wanted: Wanted, found: Analysis) -> bool:
    features = {name: value.split(",") for name, value in pairs(found.features)}
    same = (wanted.lemma, wanted.category, wanted.clitics) == (
        found.lemma,
        _MERGED.get(found.category, found.category),
        found.clitics,
    )
    has = all(value in features.get(name, ()) for name, value in wanted.features.items())
    return same and has and found.prefix.endswith(wanted.prefix) and wanted.absent.isdisjoint(features)


def wrong_words(path: Path) -> tuple[int, list[tuple[HardWord, list[str]]]]:
    """How many words a list has, and those that are wrong with their faults."""
    words = list(read(path))
    judged = [(hard, faults(hard, analyses(hard))) for hard in words]
    return len(words), [(hard, its) for hard, its in judged if its]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", default=list(LISTS.values()))
    parser.add_argument("--wrong", action="store_true", help="show the words that are wrong, and why")
    given = parser.parse_args()
    for path in given.files:
        count, wrong = wrong_words(path)
        kinds = Counter(hard.kind for hard, _ in wrong)
        print(f"{path.name}: {100 - 100 * len(wrong) / count:.1f} % of {count} words right")
        print("  wrong: " + ", ".join(f"{kind} {number}" for kind, number in kinds.most_common()))
        for hard, its in wrong if given.wrong else ():
            print(f"  {hard.kind:20}{hard.word:20}{'; '.join(its)}")


if __name__ == "__main__":
    main()
