"""Case restored."""

from __future__ import annotations

from trasmallo.study.entities.finder import common_words
from trasmallo.study.entities.restored_case import is_lower, is_upper, lowered, raised


def test_sentences_in_one_case_are_told() -> None:
    assert is_upper(["ANA", "PÉREZ", "VIVE", "EN", "SORIA"])
    assert not is_upper(["ONU"])
    assert is_lower(["ana", "vive", "aquí"])
    assert not is_lower(["Ana", "vive", "aquí"])


def test_capitals_become_ordinary_writing() -> None:
    assert lowered(["ANA", "PÉREZ", "VIVE", "EN", "LA", "CASA"], common_words("es")) == [
        "Ana",
        "Pérez",
        "vive",
        "en",
        "la",
        "casa",
    ]


def test_names_in_small_letters_get_capitals() -> None:
    assert raised(["pérez", "vive", "en", "la", "casa"], common_words("es")) == ["Pérez", "vive", "en", "la", "casa"]
