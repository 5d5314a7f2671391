from __future__ import annotations

import pytest

from trasmallo.study.stem.snowball import LANGUAGES, algorithms, snowball


def test_every_algorithm_serves_a_language() -> None:
    assert set(algorithms()) == {*LANGUAGES.values(), "porter", "dutch_porter"}


@pytest.mark.parametrize(
    ("algorithm", "words", "stem"),
    [
        ("spanish", ("cantando", "cantaba", "cantar"), "cant"),
        ("english", ("generously", "generous"), "generous"),
        ("german", ("häuser", "hauses"), "haus"),
        ("french", ("continuellement", "continuelle"), "continuel"),
    ],
)
def test_forms_of_a_word_have_one_stem(algorithm: str, words: tuple[str, ...], stem: str) -> None:
    assert {snowball(algorithm)(word) for word in words} == {stem}
