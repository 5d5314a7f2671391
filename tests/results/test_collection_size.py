"""The size of a collection, as pairs of words tell it."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from trasmallo.results.collection_size import CollectionSize, estimate_collection
from trasmallo.store.index.asking import Manner
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter
from trasmallo.store.index.searcher import Searcher

Text = tuple[str, str]
LETTERS = "abcdefghijklmnop"


def told(folder: Path, texts: Iterable[Text]) -> CollectionSize:
    chance = random.Random(1)
    with IndexWriter(folder / "index") as writer:
        writer.add(
            IndexEntry(f"{chance.getrandbits(64):016x}", f"http://a.es/{number}", "a.es", 0.0, "", language, "text/html", text)
            for number, (language, text) in enumerate(texts)
        )
        writer.seal()
    return estimate_collection(Searcher(folder / "index"), Manner())


def made(number: int, language: str, lengths: tuple[int, ...], seed: int = 5) -> list[Text]:
    """Documents of words that are independent of each other, of which the first ones are the most frequent."""
    chance = random.Random(seed)
    words = [language + "".join(LETTERS[int(digit, 16)] for digit in f"{place:x}") for place in range(2_000)]
    weights = [1 / (place + 20) for place in range(len(words))]
    sizes = (chance.choice(lengths) for _ in range(number))
    return [(language, " ".join(chance.choices(words, weights, k=size))) for size in sizes]


def test_independent_words_tell_the_size(tmp_path: Path) -> None:
    found = told(tmp_path, made(300, "es", (200,)))
    assert found.documents == pytest.approx(300, rel=0.02)
    assert found.pairs > 10_000


def test_lengths_do_not_matter(tmp_path: Path) -> None:
    """The same sum over documents of all lengths says 161."""
    found = told(tmp_path, made(300, "es", (20, 50, 120, 300, 700)))
    assert found.documents == pytest.approx(300, rel=0.05)


def test_languages_do_not_matter(tmp_path: Path) -> None:
    """The same sum over documents in all languages says 433: few words of a rare language are in enough documents."""
    rare = [text for language in ("en", "ru", "fr", "pt") for text in made(40, language, (200,))]
    found = told(tmp_path, made(300, "es", (200,)) + rare + made(4, "it", (200,)))
    assert found.documents == pytest.approx(464, rel=0.02)


def test_nothing_has_no_size(tmp_path: Path) -> None:
    assert told(tmp_path, []).documents == 0
    assert told(tmp_path / "few", [("es", "mar y viento")]).documents <= 1
