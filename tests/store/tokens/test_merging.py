from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import token_documents as tokens
from trasmallo.store.tokens import Corpus, merge
from trasmallo.values.errors import StoreDamaged, StoreFull


@settings(max_examples=25, deadline=None)
@given(tokens.documents, st.integers(1, 4), st.integers(1, 4))
def test_the_same_documents_give_the_same_bytes(drawn: dict[str, tuple[str, tokens.Rows]], one: int, other: int) -> None:
    made = [tokens.document(name, language, rows) for name, (language, rows) in drawn.items()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = []
        for parts in (one, other):
            files = [tokens.write_documents(folder / f"{parts}-{number}", made[number::parts]) for number in range(parts)]
            merge(files[:2], folder / f"{parts}-some")
            merge([folder / f"{parts}-some", *files[2:]], folder / f"{parts}-all")
            results.append((folder / f"{parts}-all").read_bytes())
        assert results[0] == results[1]


@settings(max_examples=25, deadline=None)
@given(tokens.documents, st.data())
def test_documents_left_out_leave_nothing_behind(drawn: dict[str, tuple[str, tokens.Rows]], data: st.DataObject) -> None:
    made = [tokens.document(name, language, rows) for name, (language, rows) in drawn.items()]
    without = data.draw(st.sets(st.sampled_from(sorted(drawn)))) if drawn else set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = tokens.write_documents(folder / "whole", made)
        kept = tokens.write_documents(folder / "kept", [one for one in made if one.document not in without])
        merge([whole], folder / "one", [*without, "0123456789abcdef"])
        merge([kept], folder / "other")
        assert (folder / "one").read_bytes() == (folder / "other").read_bytes()


def test_pieces_are_streamed(tmp_path: Path) -> None:
    rows: tokens.Rows = [(f"w{number}", "", "X", "", 0, 300 * (number % 2), 1) for number in range(10)]
    made = [tokens.document(f"{number:016x}", "es", rows[number:]) for number in range(9)]
    path = tokens.write_documents(tmp_path / "tokens", made)
    merge([path], tmp_path / "merged", at_once=3)
    one, other = Corpus.open(path), Corpus.open(tmp_path / "merged")
    for index in range(9):
        assert np.array_equal(one.places(index), other.places(index))
    assert np.array_equal(np.asarray(one.word), np.asarray(other.word))


def test_nothing_to_merge_is_an_empty_corpus(tmp_path: Path) -> None:
    merge([], tmp_path / "merged")
    corpus = Corpus.open(tmp_path / "merged")
    assert (len(corpus), len(corpus.documents), len(corpus.words), corpus.sentences.tolist()) == (0, 0, 0, [])
    assert np.asarray(corpus.word).tolist() == []


def test_a_damaged_file_is_not_merged(tmp_path: Path) -> None:
    made = tokens.document("a" * 16, "es", [("casa", "casa", "NOUN", "", 201, 1, 0)] * 9)
    path = tokens.write_documents(tmp_path / "tokens", [made])
    body = bytearray(path.read_bytes())
    flags = body.index(bytes([201] * 9))
    body[flags] ^= 1
    path.write_bytes(body)
    with pytest.raises(StoreDamaged, match="trasmallo repair"):
        merge([path], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    with pytest.raises(StoreFull, match="write permission"):
        merge([], tmp_path / "closed" / "tokens")
