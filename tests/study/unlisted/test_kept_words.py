"""What words say by themselves is worked out once for all processes."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from trasmallo.study.morphology.corrections import Meant
from trasmallo.study.unlisted.classifier import Classifier
from trasmallo.study.unlisted.kept_words import KeptWords, Known, kept_words
from trasmallo.study.unlisted.kind_model import load
from trasmallo.study.unlisted.kinds import TOLD_APART
from trasmallo.study.unlisted.word_facts import Gatherer, gatherer_of

WORDS = ["barcoteca", "travajo", "dgt", "whiplash", "xyzxyzxyz"]


def known(number: float, form: str = "") -> Known:
    return Known(np.full(len(TOLD_APART), number), Meant(form, 0.1 * number, 2.0) if form else None)


def same(one: Known, other: Known) -> bool:
    return bool((one.scores == other.scores).all()) and one.meant == other.meant


def test_what_was_saved_is_found_by_the_next_process(tmp_path: Path) -> None:
    path = tmp_path / "es-1.kinds"
    said = {"travajo": known(0.1, "trabajo"), "xyz": known(0.7)}
    KeptWords(path).save(said)
    KeptWords(path).save({"año\udc80": known(3.0, "año")})
    found = KeptWords(path).find(["xyz", "nada", "travajo", "año\udc80"])
    assert list(found) == ["xyz", "travajo", "año\udc80"]
    assert all(same(found[word], one) for word, one in said.items())
    assert found["año\udc80"].meant == Meant("año", 0.1 * 3.0, 2.0)


def test_there_is_room_for_so_many_and_the_last_come_first(tmp_path: Path) -> None:
    path = tmp_path / "es-1.kinds"
    KeptWords(path, most=3).save({word: known(1.0) for word in "abc"})
    KeptWords(path, most=3).save({word: known(2.0) for word in "cd"})
    found = KeptWords(path).find(list("abcd"))
    assert len(found) == 3
    assert [found[word].scores[0] for word in "cd"] == [2.0, 2.0]


@pytest.mark.parametrize("content", [None, b"", b"garbage", b"\x94\xc4\x01"])
def test_a_file_that_is_missing_or_damaged_has_no_words(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "es-1.kinds"
    if content is not None:
        path.write_bytes(content)
    assert KeptWords(path).find(WORDS) == {}
    assert KeptWords(path).find([]) == {}


def test_files_of_old_editions_go_and_a_place_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    for age, name in enumerate(("es-0.kinds", "es-2.kinds", "es-3.kinds", "en-0.kinds", "es-0.lexicon")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1_000 - age, 1_000 - age))
    KeptWords(tmp_path / "es-1.kinds").save({"xyz": known(1.0)})
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["en-0.kinds", "es-0.kinds", "es-0.lexicon", "es-1.kinds", "es-2.kinds"]
    KeptWords(tmp_path / "en-0.kinds" / "es-1.kinds").save({"xyz": known(1.0)})


def test_two_installations_do_not_take_each_other_their_words(tmp_path: Path) -> None:
    one, other = tmp_path / "es-1.kinds", tmp_path / "es-2.kinds"
    for path in (one, other, one):
        KeptWords(path).save({path.stem: known(1.0)})
    assert KeptWords(other).find(["es-2"])


class Counted(Gatherer):
    """A gatherer that remembers what it was asked for."""

    def __init__(self, gatherer: Gatherer) -> None:
        self.__dict__ |= gatherer.__dict__
        self.asked: list[str] = []

    def facts_of(self, words, but=None):  # type: ignore[no-untyped-def]
        self.asked += words
        return super().facts_of(words, but)


def test_a_classifier_works_out_only_what_nobody_has(tmp_path: Path) -> None:
    model, path = load("es"), tmp_path / "es-1.kinds"
    assert model is not None
    first = Classifier(model, gatherer_of("es"), kept=KeptWords(path))
    said = first.known(WORDS)
    first.keep()
    gatherer = Counted(gatherer_of("es"))
    again = Classifier(model, gatherer, kept=KeptWords(path))
    assert all(map(same, again.known(WORDS), said))
    assert gatherer.asked == []
    again.known(["blablero"])
    assert gatherer.asked == ["blablero"]


def test_the_file_is_named_by_what_decides() -> None:
    assert kept_words("es")._path == kept_words("es")._path != kept_words("en")._path
