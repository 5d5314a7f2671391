"""Train the model of names that ships for a language, and write it.

    python training/entities.py DATA [--language es]

DATA is the folder of the treebanks (see tagger.py); python-crfsuite must be installed.

1. Spanish: the names of AnCora (CC BY 4.0), whose tags mark where each begins and ends and the kind of some, and those of GSD
   (CC BY-SA 4.0); what the tags leave open was typed by hand in `entity_kinds/`. Sentences with a name that nobody typed are
   left out.
2. English: the names of EWT (CC BY-SA 4.0), typed by the lists that ship and by what stands around them.
3. Made sentences: datelines, bylines, line-ups, of listed places and persons, so that their form is known.
4. Weights by `sequence_training`, which every user has; categories are those of our own tagger.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections.abc import Iterator
from pathlib import Path

from treebanks import Sentence, read

from trasmallo.study.entities import name_lists
from trasmallo.study.entities.finder import common_words
from trasmallo.study.entities.model_files import save
from trasmallo.study.entities.sequence_training import train
from trasmallo.study.morphology import tag_many

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ROOT / "src" / "trasmallo" / "study" / "languages"
_KINDS = {"P": "PER", "L": "LOC", "O": "ORG", "M": "MISC", "p": "PER", "l": "LOC", "o": "ORG", "a": "MISC"}
_NONE = "-"
_JOINING = frozenset(["y", "e", "en", "a", "&"])
_LINKS = {
    tuple(link.split())
    for link in [
        "de",
        "del",
        "de la",
        "de los",
        "de las",
        "de el",
        "y",
        "e",
        "&",
        "von",
        "van",
        "of",
        "the",
        "of the",
        "di",
        "da",
        "du",
        "do",
        "dos",
        "der",
        "and",
        "para la",
        "-",
        "la",
        "el",
        "en",
        "a",
        "y la",
    ]
}
_MADE = 150
_LEAST_WEIGHT = 0.03
Labelled = list[tuple[str, str]]


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--language", default="es", choices=["es", "en"])
    asked = parser.parse_args()
    sentences = list(_spanish(asked.data) if asked.language == "es" else _english(asked.data))
    sources = {"es": "UD_Spanish-AnCora (CC BY 4.0), UD_Spanish-GSD (CC BY-SA 4.0)", "en": "UD_English-EWT (CC BY-SA 4.0)"}
    words = [[word for word, _ in sentence] for sentence in sentences]
    tags = [[one.category for one in tagged] for tagged in tag_many(words, asked.language)]
    model = train(
        sentences,
        tags,
        common_words(asked.language),
        language=asked.language,
        made_from=sources[asked.language],
        least=_LEAST_WEIGHT,
    )
    path = LANGUAGES / asked.language / "entities.model"
    digest = save(model, path)
    print(f"{len(sentences)} sentences, {len(model.attributes)} texts, {path.stat().st_size} bytes, sha256 {digest}")


def _typed(name: str) -> dict[str, str]:
    with (Path(__file__).parent / "entity_kinds" / f"{name}.tsv").open(encoding="utf-8") as file:
        return {row["name"]: row["kind"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


def _spanish(data: Path) -> Iterator[Labelled]:
    typed = _typed("ancora")
    for words, sentence in _with_tags(data / "ancora-dev.tsv.gz"):
        yield _ancora(words, sentence, typed)
    typed |= _typed("gsd")
    for words, sentence in _with_tags(data / "gsd-dev.tsv.gz"):
        found = _gsd(words, sentence, typed)
        if found:
            yield found
    yield from _made("es")


def _with_tags(path: Path) -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """The words of each sentence, and the category and tag of each."""
    import gzip

    words: list[str] = []
    tags: list[tuple[str, str]] = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line.strip():
                surface, parts, _ = line.rstrip("\n").split("\t")
                _, _, category, tag, _ = parts.split(" + ")[0].split("\x1f")
                words.append(surface)
                tags.append((category, tag))
            elif words:
                yield words, tags
                words, tags = [], []
    if words:
        yield words, tags


def _ancora(words: list[str], tags: list[tuple[str, str]], typed: dict[str, str]) -> Labelled:
    """A name begins with a tag np...; its other words have none."""
    labels = ["O"] * len(words)
    place = 0
    while place < len(words):
        tag = tags[place][1]
        end = place + 1
        if tag.startswith("np"):
            while end < len(words) and tags[end][1] == "_" and tags[end][0] != "NUM":
                end += 1
            name = " ".join(words[place:end])
            kind = typed.get(name, _NONE) if tag[-1] == "0" or (tag[-1] == "o" and typed.get(name) == "L") else tag[-1]
            _mark(labels, place, end, kind)
        place = end
    return list(zip(words, labels, strict=True))


def _mark(labels: list[str], start: int, end: int, kind: str) -> None:
    if kind != _NONE and start < end:
        labels[start:end] = [f"B-{_KINDS[kind]}", *[f"I-{_KINDS[kind]}"] * (end - start - 1)]


def _gsd(words: list[str], tags: list[tuple[str, str]], typed: dict[str, str]) -> Labelled | None:
    """Runs of names with what may join them; a kind in small letters says that the joined ones are names of their own."""
    labels = ["O"] * len(words)
    for start, end in _runs(words, [category for category, _ in tags]):
        kind = typed.get(" ".join(words[start:end]))
        if kind is None:
            return None
        if not kind.islower():
            _mark(labels, start, end, kind)
            continue
        begin = start
        for place in range(start, end + 1):
            if place == end or words[place] in _JOINING:
                _mark(labels, begin, place, kind.upper())
                begin = place + 1
    return list(zip(words, labels, strict=True))


def _runs(words: list[str], categories: list[str]) -> Iterator[tuple[int, int]]:
    named = [
        (category == "PROPN" and (word[0].isupper() or word[0].isdigit()))
        or (word[0].isupper() and category in ("NOUN", "ADJ", "X", "NUM"))
        for word, category in zip(words, categories, strict=True)
    ]
    place = 0
    while place < len(words):
        if not named[place]:
            place += 1
            continue
        end = place + 1
        while end < len(words):
            step = 1 if named[end] else next((size for size in (3, 2, 1) if _links(words, named, end, size)), 0)
            if not step:
                break
            end += step
        if "PROPN" in categories[place:end]:
            yield place, end
        place = end


def _links(words: list[str], named: list[bool], place: int, size: int) -> bool:
    return tuple(words[place : place + size]) in _LINKS and place + size < len(words) and named[place + size]


def _english(data: Path) -> Iterator[Labelled]:
    for sentence in read(data / "ewt-dev.tsv.gz"):
        yield _ewt(sentence)
    yield from _made("en")


_ORGANISATIONS = frozenset(
    [
        "inc",
        "corp",
        "company",
        "co",
        "ltd",
        "university",
        "college",
        "school",
        "department",
        "committee",
        "council",
        "bank",
        "party",
        "congress",
        "senate",
        "commission",
        "agency",
        "court",
        "association",
        "institute",
        "foundation",
        "times",
        "news",
        "group",
        "club",
        "union",
        "army",
        "navy",
        "police",
        "fbi",
        "cia",
        "nasa",
        "un",
        "eu",
        "nato",
        "ministry",
        "parliament",
        "systems",
        "energy",
        "services",
        "power",
        "enron",
    ]
)
_PLACES = frozenset(
    [
        "city",
        "county",
        "street",
        "avenue",
        "river",
        "mountain",
        "lake",
        "island",
        "islands",
        "hotel",
        "park",
        "airport",
        "ocean",
        "sea",
        "bay",
        "valley",
        "beach",
    ]
)
_DAYS = frozenset(
    [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "gmt",
        "est",
        "pst",
    ]
)
_TITLES = frozenset(
    [
        "mr",
        "mr.",
        "mrs",
        "mrs.",
        "ms",
        "ms.",
        "dr",
        "dr.",
        "president",
        "senator",
        "general",
        "judge",
        "sir",
        "lord",
        "king",
        "queen",
        "prime",
        "minister",
    ]
)


def _ewt(sentence: Sentence) -> Labelled:
    words = [one.surface for one in sentence]
    labels = ["O"] * len(words)
    place = 0
    while place < len(words):
        end = place
        while end < len(words) and sentence[end].category == "PROPN" and words[end].lower() not in _DAYS:
            end += 1
        while place < end and words[place].lower() in _TITLES:
            place += 1
        if end > place:
            _mark(labels, place, end, _kind_of(words, place, end))
        place = max(end, place + 1)
    return list(zip(words, labels, strict=True))


def _kind_of(words: list[str], start: int, end: int) -> str:
    """The kind of an English name by lists, its own words, and those before it."""
    name, keys = name_lists.fold(" ".join(words[start:end])), [word.lower() for word in words[start:end]]
    letters = name_lists.names().get(name, "")
    before = words[start - 1].lower() if start else ""
    first = name_lists.names().get(name_lists.fold(words[start]), "")
    if set(keys) & _ORGANISATIONS or (
        end == start + 1 and words[start].isupper() and len(words[start]) > 1 and "c" not in letters
    ):
        return "O"
    if set(keys) & _PLACES or "c" in letters or "a" in letters:
        return "L"
    if before in _TITLES or ("g" in first and "c" not in letters and (end - start > 1 or "t" not in letters)):
        return "P"
    if (letters and set(letters) <= set("tl")) or (set(letters) & set("tl") and before in ("in", "at", "from", "near", "to")):
        return "L"
    if set(letters) & set("gsp") or (end - start in (2, 3) and "s" in name_lists.names().get(keys[-1], "")):
        return "P"
    if "o" in letters:
        return "O"
    return "L" if before in ("in", "near") else "O" if before == "the" else "P" if end - start == 2 else "M"


def _made(language: str) -> Iterator[Labelled]:
    """Datelines, bylines and line-ups: forms of newspapers, which treebanks leave out."""
    draw = random.Random(24)
    lists = name_lists.names()
    towns = sorted(name.title() for name, letters in lists.items() if "t" in letters and len(name) > 4)
    countries = sorted(name.title() for name, letters in lists.items() if letters == "c")
    given = sorted(name.title() for name, letters in lists.items() if letters == "g")
    surnames = sorted(
        name.title() for name, letters in lists.items() if "s" in letters and "t" not in letters and " " not in name
    )
    months = {
        "es": ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"],
        "en": ["Jan", "Feb", "Mar", "Apr", "May", "Jun"],
    }[language]
    for _ in range(_MADE):
        town, country, month = draw.choice(towns), draw.choice(countries), draw.choice(months)
        day, agency = str(draw.randint(1, 31)), draw.choice(["EFE", "AFP", "AP", "Reuters", "EFECOM", "Europa Press"])
        person = f"{draw.choice(given)} {draw.choice(surnames)}"
        by = [("Por" if language == "es" else "By", "O"), *_words(person, "PER")] if draw.random() < 0.3 else []
        inside = [("(", "O"), *_words(country, "LOC"), (")", "O")] if draw.random() < 0.4 else []
        yield [*by, *_words(town, "LOC"), *inside, (",", "O"), (day, "O"), (month, "O"), ("(", "O"), *_words(agency, "ORG"),
               (")", "O"), (".", "O")]  # fmt: skip


def _words(name: str, kind: str) -> Labelled:
    first, *others = name.split()
    return [(first, f"B-{kind}"), *((word, f"I-{kind}") for word in others)]


if __name__ == "__main__":
    main()
