"""Words that nobody lists: how many get their kind, and how often words and misspellings are taken for what they are not.

`python benchmarks/unlisted.py [DATA] [--wrong]`: DATA is a folder of treebank files (`*.tsv.gz`, by default beside this
checkout); without it only the first table is printed.

kinds       words of known kind in sentences (`tests/quality/unlisted`): the first set was looked at while rules and weights
            were made, the second by an earlier model, the third and fourth by this one, of the fifth only totals,
            the sixth taught rules of misspellings, the seventh was written after them (87.9 % at the first look), the eighth
            after that (84.6, 95.9 without six rows that were written against what kinds mean). A misspelling
            needs the right word, a recent word to be known or listed as recent; other words that the lexicon has are left out
real words  words of treebanks in running text that are called candidates, a fifth of each bank at a time; names and foreign
            words that people annotated as such are left out. Whole texts tell more than sentences, so a fifth is one text
typos       random misspellings of words of the treebanks that a rule takes for words, and that are called mistakes, by seed
"""

from __future__ import annotations

import argparse
import gzip
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from trasmallo.study.morphology import words_of
from trasmallo.study.morphology.analyser import analyser
from trasmallo.study.neologisms import Kind, unrecognised
from trasmallo.study.unlisted.word_facts import LISTED, SAID, said_of

_HERE = Path(__file__).resolve().parents[1]
SETS = {
    name: _HERE / "tests" / "quality" / "unlisted" / f"{name}.tsv"
    for name in ("tuning", "final", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
}
ENGLISH = {name: SETS["third"].with_name(f"{name}.tsv") for name in ("english", "english_second")}
KINDS = {
    Kind.NAME: "name",
    Kind.FOREIGN: "foreign",
    Kind.MISTAKE: "typo",
    Kind.SEQUENCE: "sequence",
    Kind.ABBREVIATION: "sequence",
    Kind.FORMED: "formed",
    Kind.INCLUSIVE: "inclusive",
    Kind.CANDIDATE: "candidate",
}
"""Kinds as the sets name them; abbreviations and sequences count as one."""
_BANKS = ("ancora", "gsd", "coser")
_FOLDS = 5
_NO_WORDS = frozenset(("PROPN", "X", "PUNCT", "SYM", "NUM"))
_SEEDS = (5, 6, 7, 8, 9)


class Example(NamedTuple):
    """A word of known kind in a text; `meant` is what a misspelling stands for."""

    kind: str
    word: str
    meant: str
    text: str


def read(path: Path) -> list[Example]:
    """The words of a set."""
    lines = path.read_text("utf-8").splitlines()
    return [Example(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def is_right(one: Example, language: str = "es") -> bool:
    """Whether a word is listed with its kind, and a misspelt one with the word that it stands for.

    An abbreviation with its point may also be known, and then is not listed, or listed without the point.
    """
    listed = {found.word: found for found in unrecognised(one.text, language)}
    found = listed.get(one.word)
    if one.kind == "recent":
        return found is None or found.known
    if found is None and one.word.endswith("."):
        bare = listed.get(one.word.removesuffix("."))
        return bare is None or KINDS[bare.kind] == one.kind
    if found is None or KINDS[found.kind] != one.kind:
        return False
    return not one.meant or found.nearest.lower() == one.meant.lower()


def is_unlisted(one: Example, language: str = "es") -> bool:
    """Whether the lexicon lacks a word; who wrote the sets did not look. What is misspelt or recent counts in any case."""
    if one.kind in ("typo", "recent"):
        return True
    return said_of(one.word, words_of(language).analyse(one.word)) & SAID != LISTED


def _language_of(path: Path) -> str:
    return "en" if path in ENGLISH.values() else "es"


def wrong_words(path: Path) -> tuple[int, list[Example]]:
    """How many words of a set the lexicon lacks, and those of them that are told wrong."""
    language = _language_of(path)
    examples = [one for one in read(path) if is_unlisted(one, language)]
    return len(examples), [one for one in examples if not is_right(one, language)]


class Bank(NamedTuple):
    """A treebank: its sentences as written, and for each the words that are no names or foreign words."""

    texts: list[str]
    words: list[list[str]]


def read_bank(path: Path) -> Bank:
    """The sentences of a file (see `training/treebanks.py` for its lines)."""
    texts, words = [], []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for block in file.read().split("\n\n"):
            rows = [line.split("\t") for line in block.splitlines() if line.strip()]
            texts.append("".join(row[0] + (" " if row[2].strip() != "0" else "") for row in rows).strip())
            words.append([row[0] for row in rows if row[1].split("\x1f")[2] not in _NO_WORDS])
    return Bank(texts, words)


def called_candidates(texts: Sequence[str], words: Sequence[Sequence[str]]) -> tuple[int, Counter[str]]:
    """How many words a text has, and which of them are called candidates how often."""
    real = {word for sentence in words for word in sentence}
    found = Counter(one.word for one in unrecognised("\n".join(texts)) if one.kind is Kind.CANDIDATE and one.word in real)
    return sum(map(len, words)), found


def _print_kinds(*, wrong: bool) -> None:
    for name, path in (SETS | ENGLISH).items():
        number, missed = wrong_words(path)
        language = _language_of(path)
        by_kind = Counter(one.kind for one in missed)
        kinds = Counter(one.kind for one in read(path) if is_unlisted(one, language))
        told = ", ".join(f"{kind} {kinds[kind] - by_kind[kind]}/{kinds[kind]}" for kind in kinds)
        print(f"{name:15}{number:5} words, {100 * (number - len(missed)) / number:.1f} % right: {told}")
        if wrong:
            print("   ", ", ".join(f"{one.word} ({one.kind})" for one in missed))


def _folds(bank: Bank) -> Iterator[tuple[list[str], list[list[str]]]]:
    for fold in range(_FOLDS):
        low, high = (len(bank.texts) * place // _FOLDS for place in (fold, fold + 1))
        yield bank.texts[low:high], bank.words[low:high]


def _print_real_words(banks: dict[str, Bank], *, wrong: bool) -> None:
    for name, bank in banks.items():
        found = [called_candidates(*fold) for fold in _folds(bank)]
        shares = ", ".join(f"{100 * called.total() / number:.3f}" for number, called in found)
        number, called = sum(one for one, _ in found), sum((one for _, one in found), Counter[str]())
        print(f"{name:8}{number:9,} words, called candidates {100 * called.total() / number:.3f} % (folds {shares})")
        if wrong:
            print("   ", ", ".join(f"{word} {times}" for word, times in called.most_common(60)))


def _print_typos(words: list[str]) -> None:
    from morphology import typos  # it stands beside this script, and tests load this one from elsewhere

    found = [typos(words, analyser("es").analyse, seed) for seed in _SEEDS]
    told = ", ".join(f"{taken:.2f}" for taken, _ in found)
    print(f"typos taken for words {mean(taken for taken, _ in found):.2f} % (seeds {told})")
    print(f"typos called mistakes by a rule {mean(marked for _, marked in found):.2f} %")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=_HERE.parent / "shared" / "data" / "morph")
    parser.add_argument("--wrong", action="store_true", help="list what is told wrong, but for the third set")
    asked = parser.parse_args()
    _print_kinds(wrong=asked.wrong)
    banks = {name: read_bank(path) for name in _BANKS if (path := next(asked.data.glob(f"{name}*.tsv.gz"), None))}
    _print_real_words(banks, wrong=asked.wrong)
    if words := [word for name in ("ancora", "gsd") if name in banks for sentence in banks[name].words for word in sentence]:
        _print_typos(words)


if __name__ == "__main__":
    main()
