"""Indexes of parts joined into one answer as one that was written whole: hits, scores, facets, counts, estimates."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trasmallo.store.index.asking import Manner
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter
from trasmallo.store.index.joining import join_indexes
from trasmallo.store.index.searcher import FACETS, HitRequest, Searcher
from trasmallo.values.errors import StoreDamaged

WORDS = ["vela", "viento", "mar", "red", "puerto", "faro", "noche", "barco", "pez", "ola", "norte", "arena", "sal", "luz"]
QUESTIONS = ["vela", "mar red", '"vela viento"', "vela OR faro", "ola -sal", "title:puerto", "pe*", "noche barco arena"]


def entries(number: int, seed: int) -> list[IndexEntry]:
    """Documents of words drawn by Zipf, so that some are frequent and some rare; no two have the same number."""
    draw = random.Random(seed)
    weights = [1 / rank for rank in range(1, len(WORDS) + 1)]
    return [
        IndexEntry(
            id=f"{draw.getrandbits(64):016x}", url=f"http://h{place % 5}.es/{place}", host=f"h{place % 5}.es", at=0.0,
            title="", language="es" if place % 3 else "en", media="text/html",
            text=" ".join(draw.choices(WORDS, weights, k=draw.randint(3, 80))),
            parts=(("title", " ".join(draw.choices(WORDS, k=2))),), day=20200101 + place % 9 * 10_000,
        )
        for place in range(number)
    ]  # fmt: skip


def written(folder: Path, documents: list[IndexEntry]) -> Path:
    with IndexWriter(folder, whole=True) as writer:
        writer.add(documents)
        writer.seal()
    return folder


def joined(folder: Path, parts: list[Path]) -> Searcher:
    join_indexes(parts, folder)
    with IndexWriter(folder, whole=True) as writer:
        writer.seal()
    return Searcher(folder)


def answers(searcher: Searcher) -> dict[str, object]:
    told: dict[str, object] = {"documents": searcher.documents, "languages": searcher.languages(Manner())}
    for question in QUESTIONS:
        found = searcher.search(searcher.ask(question), HitRequest(limit=50, facets=tuple(FACETS), snippet=0))
        told[question] = (found.total, found.facets, [(hit.score, hit.document.id) for hit in found.hits])
        told[f"estimate of {question}"] = searcher.number_within(searcher.terms(["vela", "mar"]), 0.5)
    return told


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1_000), cuts=st.lists(st.integers(0, 49), min_size=1, max_size=4))
def test_several_parts_answer_as_the_whole(tmp_path_factory: pytest.TempPathFactory, seed: int, cuts: list[int]) -> None:
    folder, documents = tmp_path_factory.mktemp("join"), entries(49, seed)
    bounds = [0, *sorted(cuts), 49]
    parts = [
        written(folder / f"part{number}", documents[low:high]) for number, (low, high) in enumerate(itertools.pairwise(bounds))
    ]
    before = {path: path.stat().st_size for part in parts for path in part.iterdir() if not path.name.endswith(".lock")}
    assert answers(joined(folder / "joined", parts)) == answers(Searcher(written(folder / "whole", documents)))
    assert all(path.stat().st_size == size for path, size in before.items()), "the parts stay as they are"


def test_a_joined_index_can_be_written_on(tmp_path: Path) -> None:
    documents = entries(30, 7)
    join_indexes([written(tmp_path / "a", documents[:10]), written(tmp_path / "b", documents[10:20])], tmp_path / "joined")
    with IndexWriter(tmp_path / "joined") as writer:
        writer.remove([documents[0].id, documents[15].id])
        writer.add(documents[20:])
        writer.seal()
    searcher = Searcher(tmp_path / "joined")
    assert searcher.documents == 28
    assert [searcher.holds(document.id) for document in documents].count(False) == 2


def test_what_is_no_index_of_ours_is_not_joined(tmp_path: Path) -> None:
    first, second = written(tmp_path / "a", entries(3, 1)), written(tmp_path / "b", entries(3, 2))
    (second / "meta.json").write_bytes((second / "meta.json").read_bytes().replace(b'"fast": true', b'"fast": false', 1))
    with pytest.raises(StoreDamaged, match="another version"):
        join_indexes([first, second], tmp_path / "joined")
