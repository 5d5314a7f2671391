from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from support.token_documents import Rows, document, documents, write_documents
from trasmallo.store.tokens import Corpus, merge
from trasmallo.store.tokens.positions import Positions, write_positions
from trasmallo.store.tokens.sections import Sections, Writer
from trasmallo.store.tokens.streams import TypeColumn


def corpus_of(found: dict[str, tuple[str, Rows]], folder: Path, *, listed: bool = True) -> Corpus:
    part = write_documents(folder / "part", [document(name, *rest) for name, rest in found.items()])
    merge([part], folder / "tokens", positions=listed)
    corpus = Corpus.open(folder / "tokens")
    corpus.verify()
    return corpus


@settings(max_examples=30)
@given(documents, st.integers(1, 5))
def test_every_type_knows_its_tokens(found: dict[str, tuple[str, Rows]], together: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        corpus = corpus_of(found, folder)
        counts = corpus.counts.astype(np.int64)
        with Writer(folder / "lists") as writer:
            write_positions(writer, counts, TypeColumn(Sections(folder / "tokens")), together=together, bits=2)
            writer.finish(())
        for places_of in (corpus.positions, Positions(Sections(folder / "lists"), corpus.counts, long=2).of):
            types = corpus.types(slice(0, len(corpus)))
            for kind in range(len(corpus.counts)):
                places = places_of(np.array([kind]))
                assert places is not None
                assert places.tolist() == np.flatnonzero(types == kind).tolist()
            listed = places_of(np.arange(0, len(corpus.counts), 2))
            assert listed is not None
            assert sorted(listed.tolist()) == np.flatnonzero(types % 2 == 0).tolist()


def test_a_file_without_lists_says_so(tmp_path: Path) -> None:
    rows: Rows = [("casa", "casa", "NOUN", "", 0, 1, 0)]
    assert corpus_of({"0" * 16: ("es", rows)}, tmp_path, listed=False).positions(np.array([0])) is None


def test_the_same_documents_give_the_same_bytes_in_whatever_parts_they_come(tmp_path: Path) -> None:
    rows: Rows = [(word, word, "NOUN", "", 0, 1, 0) for word in ("casa", "de", "casa")]
    made = [document(f"{number:016x}", "es", rows[: number + 1]) for number in range(3)]
    parts = [write_documents(tmp_path / f"part-{number}", [one]) for number, one in enumerate(made)]
    merge(parts, tmp_path / "one", positions=True)
    merge([write_documents(tmp_path / "all", made[::-1])], tmp_path / "other", positions=True)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
