"""Names by models that a user trained."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo import entities
from trasmallo.study.entities.learning import train_model
from trasmallo.study.entities.model_files import save
from trasmallo.study.entities.own_models import OwnModelNames
from trasmallo.study.entities.tagged_text import TaggedText
from trasmallo.study.morphology import tag_types
from trasmallo.study.sentences import cut

SENTENCES = [
    [(word, "B-DRUG" if word in ("aspirina", "naproxeno") else "B-TOWN" if word == "Soria" else "O") for word in text.split()]
    for text in ("Ana toma aspirina en Soria .", "Ana toma naproxeno en casa .", "Ana toma agua en Soria .")
] * 4


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "own.model"
    save(train_model(SENTENCES, "hmm", "es", "here"), path)
    return path


def found_by(path: Path, text: str, *kinds: str) -> list[tuple[str, str, str]]:
    known = cut(text, "es")
    tagged = TaggedText(text, known, tag_types(known, "es").spread(), "es")
    return [(text[one.start : one.end], one.kind, one.source) for one in OwnModelNames(path, kinds, "es").find(tagged)]


def test_a_trained_model_finds_its_kinds(model: Path) -> None:
    text = "Ana toma aspirina en Soria."
    assert found_by(model, text) == [("aspirina", "DRUG", "trained"), ("Soria", "TOWN", "trained")]
    assert found_by(model, text, "DRUG") == [("aspirina", "DRUG", "trained")]


def test_it_is_believed_before_the_shipped_model_and_after_lists(model: Path, tmp_path: Path) -> None:
    (tmp_path / "drugs.txt").write_text("aspirina\tN02\n", "utf-8")
    (tmp_path / "entities.toml").write_text(
        f'[[list]]\nkind = "DRUG"\nfile = "drugs.txt"\n[[model]]\nfile = "{model}"\n', "utf-8"
    )
    told = [(one.text, one.kind, one.source) for one in entities("Ana toma aspirina en Soria.", kinds=tmp_path)]
    assert ("aspirina", "DRUG", "list") in told
    assert ("Soria", "TOWN", "trained") in told


def test_a_log_linear_model_serves_too(tmp_path: Path) -> None:
    pytest.importorskip("pycrfsuite")
    save(train_model(SENTENCES, "crf", "es", "here"), tmp_path / "crf.model")
    ((text, kind, _),) = found_by(tmp_path / "crf.model", "Ana toma agua en Soria.")
    assert (text, kind) == ("Soria", "TOWN")
