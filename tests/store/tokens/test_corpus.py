from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from support import token_documents as tokens
from trasmallo.store.tokens import CAPITAL, KIND_SHIFT, SENTENCE, Corpus, DocumentTokens, open_merged
from trasmallo.values.model import Tagged

WORDS = ["La", "casa", "del", "lago", ".", "Casa"]
LEMMAS = ["el", "casa", "de", "lago", ".", "casa"]
CASA = tokens.told(
    "00000000000000ff",
    "es",
    list(map(Tagged, WORDS, LEMMAS, ["DET", "NOUN", "ADP", "NOUN", "PUNCT", "NOUN"])),
    flags=bytes([SENTENCE | CAPITAL, 0, 0, 0, 4 << KIND_SHIFT, SENTENCE | CAPITAL]),
    starts=[0, 3, 8, 12, 16, 18],
    ends=[2, 7, 11, 16, 17, 22],
)


def told(found: Sequence[DocumentTokens]) -> list[object]:
    """Documents as they can be compared."""
    return [(one.document, one.language, tokens.columns(one)) for one in found]


def as_read(corpus: Corpus, index: int) -> DocumentTokens:
    """A document as it comes out of a corpus, through every column and lexicon."""
    first, last = corpus.documents.range(index)
    texts = [
        lexicon.texts(column[first:last].tolist())
        for lexicon, column in [
            (corpus.words, corpus.word),
            (corpus.lemmas, corpus.lemma),
            (corpus.categories, corpus.category),
            (corpus.tags, corpus.tag),
        ]
    ]
    starts, ends = (places.tolist() for places in corpus.places(index))
    flags = corpus.flags[first:last].tobytes()
    name, language = corpus.documents.id(index), corpus.documents.language(index)
    return tokens.told(name, language, list(map(Tagged, *texts)), flags, starts, ends)


@settings(max_examples=30, deadline=None)
@given(tokens.documents)
def test_what_was_given_is_read_again(drawn: dict[str, tuple[str, tokens.Rows]]) -> None:
    given_ = [tokens.document(name, language, rows) for name, (language, rows) in drawn.items()]
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus.open(tokens.write_documents(Path(folder) / "tokens", given_))
        corpus.verify()
        assert told([as_read(corpus, index) for index in range(len(corpus.documents))]) == told(given_)
        assert len(corpus) == sum(len(one.numbers) for one in given_)


@settings(max_examples=25, deadline=None)
@given(tokens.documents)
def test_numbers_go_from_frequent_to_rare_and_are_counted(drawn: dict[str, tuple[str, tokens.Rows]]) -> None:
    given_ = [tokens.document(name, language, rows) for name, (language, rows) in drawn.items()]
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus.open(tokens.write_documents(Path(folder) / "tokens", given_))
        expected = Counter(word for one in given_ for word in tokens.columns(one)[0])
        ranked = sorted(expected, key=lambda word: (-expected[word], word.encode("utf-8", "surrogatepass")))
        assert corpus.words.texts(range(len(corpus.words))) == ranked
        assert corpus.words.counts.tolist() == [expected[word] for word in ranked]
        assert [corpus.words.find(word) for word in ranked] == list(range(len(ranked)))
        assert corpus.words.lengths.tolist() == list(map(len, ranked))
        assert corpus.words.find("nowhere") is None


def test_columns_by_range_by_place_and_whole(tmp_path: Path) -> None:
    corpus = Corpus.open(tokens.write_documents(tmp_path / "tokens", [CASA]))
    whole = np.asarray(corpus.word)
    assert corpus.words.texts(whole.tolist()) == WORDS
    assert corpus.word[1:3].tolist() == whole[1:3].tolist()
    assert corpus.word[np.array([5, 0])].tolist() == whole[[5, 0]].tolist()
    assert corpus.lemmas.counts[corpus.lemmas.find("casa")] == 2
    assert corpus.category[:].dtype == np.uint8
    assert np.asarray(corpus.lemma, dtype=np.int64).dtype == np.int64
    with pytest.raises(ValueError, match="copy=False"):
        np.asarray(corpus.word, copy=False)


def test_sentences_documents_and_masks(tmp_path: Path) -> None:
    other = tokens.told("0" * 16, "en", [Tagged("Yes", "yes", "INTJ")], bytes([0]), [4], [7])
    empty = tokens.told("1" * 16, "en", [], b"", [], [])
    corpus = Corpus.open(tokens.write_documents(tmp_path / "tokens", [CASA, empty, other]))
    assert corpus.sentences.tolist() == [0, 5, 6]
    assert corpus.documents.holding(np.array([0, 5, 6])).tolist() == [0, 0, 2]
    assert corpus.documents.find("0" * 16) == 2
    assert corpus.documents.find("f" * 16) is None
    assert {code: places.tolist() for code, places in corpus.documents.languages().items()} == {"en": [1, 2], "es": [0]}
    mask = corpus.words.mask(str.istitle)
    assert {corpus.words[number] for number in np.flatnonzero(mask).tolist()} == {"La", "Casa", "Yes"}


def test_the_types_of_a_word_are_neighbours(tmp_path: Path) -> None:
    verb, noun = ("vino", "venir", "VERB", "", 0, 5, 0), ("vino", "vino", "NOUN", "", 0, 5, 0)
    rows: tokens.Rows = [verb, verb, verb, noun, ("el", "el", "DET", "", 0, 5, 0)]
    corpus = Corpus.open(tokens.write_documents(tmp_path / "tokens", [tokens.document("a" * 16, "es", rows)]))
    of_word = corpus.type_of("word")
    assert np.all(np.diff(of_word.astype(np.int64)) >= 0)
    assert corpus.lemmas.texts(corpus.type_of("lemma")[of_word == corpus.words.find("vino")].tolist()) == ["venir", "vino"]
    assert corpus.types(slice(0, 3)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(("types", "bytes_a_token"), [(1_000, 5), (70_000, 6)])
def test_a_token_takes_six_bytes(tmp_path: Path, types: int, bytes_a_token: int) -> None:
    number = 200_000
    words = [f"palabra{index % types}" for index in range(number)]
    spaces = np.cumsum([0, *(len(word) + 1 for word in words)])
    ends = (spaces[1:] - 1).tolist()
    readings = [Tagged(word, word, "NOUN") for word in words]
    made = tokens.told("a" * 16, "es", readings, bytes(number), spaces[:-1].tolist(), ends)
    path = tokens.write_documents(tmp_path / "tokens", [made])
    corpus = Corpus.open(path)
    lexicons = 2 * types * (12 + 8 + 4 + 8) + types * 28
    assert path.stat().st_size < bytes_a_token * number + lexicons + 4_096
    assert corpus.words.texts(corpus.word[-3:].tolist()) == words[-3:]
    assert [places[-3:].tolist() for places in corpus.places(0)] == [spaces[-4:-1].tolist(), ends[-3:]]


@settings(max_examples=25, deadline=None)
@given(tokens.documents)
def test_several_files_are_read_as_one(drawn: dict[str, tuple[str, tokens.Rows]]) -> None:
    given_ = [tokens.document(name, language, rows) for name, (language, rows) in drawn.items()]
    with tempfile.TemporaryDirectory() as folder:
        files = [tokens.write_documents(Path(folder) / f"{number}", given_[number::3]) for number in range(3)]
        scratch = Path(folder) / "scratch"
        corpus = open_merged(files, scratch)
        read = [as_read(corpus, index) for index in range(len(corpus.documents))]
        assert told(read) == told(sorted(given_, key=lambda one: one.document))
        assert list(scratch.iterdir()) == []
