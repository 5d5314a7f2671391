"""The classifier of languages is that of py3langid, whether its model is unpacked, mapped or damaged."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import py3langid
import pytest
from py3langid import langid

from trasmallo.study import language_letters
from trasmallo.study.language_letters import FeatureWalk, classifier, mapped

TEXTS = [
    "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado.",
    "The boats come back at dawn, when the wind has dropped.",
    "Все суда вернулись в порт",
    "水は低きに流れる",
    "xyz 123",
    "",
]
PACKED = langid.MODEL_DIR / langid.MODEL_FILE


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    classifier.cache_clear()
    return tmp_path / "trasmallo"


def told() -> list[tuple[str, float]]:
    classifier.cache_clear()
    return [classifier()(text) for text in TEXTS]


def test_the_answers_are_those_of_the_package(own_cache: Path) -> None:
    expected = [py3langid.classify(text) for text in TEXTS]
    assert told() == expected
    kept = {path: path.stat().st_mtime_ns for path in own_cache.glob("languages-*.npy")}
    assert told() == expected
    assert kept and kept == {path: path.stat().st_mtime_ns for path in own_cache.glob("languages-*.npy")}


def test_the_large_arrays_are_mapped() -> None:
    arrays = mapped(PACKED)
    assert arrays["nextmove"].filename and arrays["ptc"].filename


def test_damaged_files_are_made_again(own_cache: Path) -> None:
    mapped(PACKED)
    for path in own_cache.glob("languages-*-nextmove.npy"):
        path.write_bytes(path.read_bytes()[:1000])
    assert told() == [py3langid.classify(text) for text in TEXTS]


def test_without_a_cache_the_package_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert told() == [py3langid.classify(text) for text in TEXTS]
    assert language_letters.classifier() is langid.classify


def test_features_found_all_at_once_are_those_of_a_walk() -> None:
    arrays = mapped(PACKED)
    walk = FeatureWalk(arrays["nextmove"], arrays["row"], arrays["output"])
    rows, output = [number << 8 for number in arrays["row"].tolist()], arrays["output"].tolist()
    chance = Random(26)
    texts = [
        "".join(chr(chance.choice((chance.randrange(32, 592), chance.randrange(0x3000, 0x9000)))) for _ in range(size))
        for size in range(60)
    ]
    for text in (*(text.encode() for text in (*TEXTS, *texts)), b"\xff\x00" * 9):
        known = langid.visit_counts(memoryview(arrays["nextmove"]), rows, output, text) or Counter()
        features, times = walk.count(text)
        assert list(zip(features.tolist(), times.tolist(), strict=True)) == list(known.items())
