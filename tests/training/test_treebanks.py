from __future__ import annotations

import gzip
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

TRAINING = Path(__file__).resolve().parents[2] / "training"
LINES = [
    "Dámelo\tDá\x1fdar\x1fVERB\x1f_\x1fMood=Imp + me\x1fyo\x1fPRON\x1f_\x1f_ + lo\x1fél\x1fPRON\x1f_\x1f_\t0",
    ".\t.\x1f.\x1fPUNCT\x1f_\x1f_\t1",
    "",
    "Sí\tSí\x1fSí\x1fINTJ\x1f_\x1f_\t1",
]


@pytest.fixture(scope="module")
def treebanks() -> Iterator[ModuleType]:
    sys.path.insert(0, str(TRAINING))
    yield importlib.import_module("treebanks")
    sys.path.remove(str(TRAINING))


def test_tokens_of_several_words_are_known_by_the_first(treebanks: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv.gz"
    path.write_bytes(gzip.compress("\n".join(LINES).encode()))
    first, second = treebanks.read(path)
    assert first[0] == ("Dámelo", "dar", "VERB", "Mood=Imp", 3)
    assert (first[1].features, second[0].lemma) == ("", "sí")


def test_folds_hold_every_sentence_once(treebanks: ModuleType) -> None:
    parts = [treebanks.without(list(range(11)), fold, 3) for fold in range(3)]
    assert sorted(number for _, held in parts for number in held) == list(range(11))
    assert all(sorted(kept + held) == list(range(11)) for kept, held in parts)
