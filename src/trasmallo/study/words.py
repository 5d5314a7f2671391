"""Counts words: of a text, of a document as a row of results, and of a corpus with the dispersion of each word.

A word is counted under its key (`tokenise.key`): lower case, NFC. How often it is capitalised where no sentence begins is kept
beside it, since only that tells names from other words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress

import msgspec

from trasmallo.model import Document
from trasmallo.study import languages
from trasmallo.study.measures import readability
from trasmallo.study.measures.dispersion import dp, dp_norm, juilland
from trasmallo.study.measures.richness import Richness, richness
from trasmallo.study.patterns import ALPHABETIC, ALPHANUMERIC, KINDS, PUNCTUATION
from trasmallo.study.sentences import Cut, cut
from trasmallo.study.stop import StopList
from trasmallo.study.tokenise import Columns, count_words, key


class WordCount(msgspec.Struct, frozen=True):
    """A word of a document; `capitalised` are its occurrences with a capital where no sentence begins."""

    word: str
    count: int
    capitalised: int
    kind: str


class Part(msgspec.Struct, frozen=True):
    """A part of a growth profile: its words, and those of them that appear in the text for the first time."""

    words: int
    new: int


class Options(msgspec.Struct, frozen=True):
    """What counts as a word: none of `stop`, and when `only` is given none but its words; `parts` of the profile."""

    parts: int = 10
    stop: StopList | None = None
    only: StopList | None = None


class DocumentStudy(msgspec.Struct, frozen=True):
    """What a document's words say; `tokens` has the punctuation too, `counts` goes from frequent to rare."""

    id: str
    language: str
    tokens: int
    sentences: int
    richness: Richness
    readability: readability.Readability
    profile: tuple[Part, ...]
    counts: tuple[WordCount, ...]


class WordUse(msgspec.Struct, frozen=True):
    """A word of a corpus and how evenly it is spread, see `measures.dispersion`; `juilland` is None in a single document."""

    word: str
    frequency: int
    documents: int
    juilland: float | None
    dp: float
    dp_norm: float


def count(text: str, language: str = languages.GENERIC) -> Counter[str]:
    """How often each word occurs in a text; punctuation is not counted."""
    counts: Counter[str] = Counter()
    for word, times in count_words(text, language).items():
        counts[key(word)] += times
    return counts


def profile(words: Sequence[str], parts: int = 10) -> tuple[Part, ...]:
    """The growth of a text's vocabulary: for each of `parts` equal parts its words and its new words (DAWeb, 2.2.5)."""
    seen: set[str] = set()
    grown: list[Part] = []
    for part in range(parts):
        piece = words[part * len(words) // parts : (part + 1) * len(words) // parts]
        before = len(seen)
        seen.update(piece)
        grown.append(Part(len(piece), len(seen) - before))
    return tuple(grown)


def study_document(document: Document, options: Options | None = None) -> DocumentStudy:
    """Tokenise and count one document in its own language."""
    return study_cut(document, cut(document.text, document.language), options or Options())


def study_cut(document: Document, cut_text: Cut, options: Options) -> DocumentStudy:
    """Count one document that has been cut."""
    cut, ranges = cut_text
    keys = {word: key(word) for word in set(cut.words)}
    chosen = [keys[word] for word in _chosen(cut, keys, options)]
    counts = Counter(chosen)
    capitalised: Counter[str] = Counter()
    for word, times in _capitalised(cut, ranges).items():
        capitalised[keys[word]] += times
    kinds = {keys[word]: KINDS[kind] for word, kind in zip(cut.words, cut.kinds, strict=True)}
    return DocumentStudy(
        id=document.id,
        language=cut.language,
        tokens=len(cut),
        sentences=len(ranges),
        richness=richness(chosen),
        readability=readability.measure(_sentence_words(cut, ranges), cut.language),
        profile=profile(chosen, options.parts),
        counts=tuple(WordCount(word, counts[word], capitalised[word], kinds[word]) for word in _ranked(counts)),
    )


def use(documents: Sequence[Mapping[str, int]]) -> list[WordUse]:
    """The words of a corpus from the counts of its documents, from frequent to rare."""
    sizes = [sum(counts.values()) for counts in documents]
    total = sum(sizes)
    where: dict[str, tuple[list[int], list[int]]] = {}
    for counts, size in zip(documents, sizes, strict=True):
        for word, times in counts.items():
            where.setdefault(word, ([], []))[0].append(times)
            where[word][1].append(size)
    frequencies = {word: sum(found[0]) for word, found in where.items()}
    smallest = min(filter(None, sizes), default=0)
    uses = []
    for word in _ranked(frequencies):
        there, parts = where[word]
        apart = dp(there, parts, total)
        even = juilland(there, parts, len(documents))
        uses.append(WordUse(word, frequencies[word], len(there), even, apart, dp_norm(apart, smallest, total)))
    return uses


def _ranked(counts: Mapping[str, int]) -> list[str]:
    return sorted(counts, key=lambda word: (-counts[word], word))


def _chosen(cut: Columns, keys: Mapping[str, str], options: Options) -> Iterable[str]:
    """The tokens that count as words under the options, in order."""
    words = compress(cut.words, [kind != PUNCTUATION for kind in cut.kinds])
    if options.stop is None and options.only is None:
        return words
    stop = options.stop.words if options.stop is not None else frozenset()
    only = options.only.words if options.only is not None else frozenset(keys.values())
    return (word for word in words if keys[word] in only and keys[word] not in stop)


def _sentence_words(cut: Columns, ranges: Iterable[tuple[int, int]]) -> Iterable[list[str]]:
    return ([cut.words[index] for index in range(*ends) if cut.kinds[index] == ALPHABETIC] for ends in ranges)


def _capitalised(cut: Columns, ranges: Iterable[tuple[int, int]]) -> Counter[str]:
    """Capitalised words inside sentences; a sentence with most words in capitals is a headline and tells nothing."""
    counts: Counter[str] = Counter()
    for first, last in ranges:
        words = [cut.words[index] for index in range(first, last) if cut.kinds[index] <= ALPHANUMERIC]
        names = [word for word in words[1:] if word[0].isupper()]
        if 2 * len(names) <= len(words):
            counts.update(names)
    return counts
