from __future__ import annotations

import msgspec
import pytest

from trasmallo.study import languages
from trasmallo.study.morphology import rules

RULED = sorted({languages.choose(language.code) for language in languages.known()})
"""The languages with rules of their own, and und."""


@pytest.mark.parametrize("code", RULED)
def test_every_language_has_rules(code: str) -> None:
    found = rules.load(code)
    assert found.guesses.endings
    assert len(found.accents.forgotten) == len(found.accents.written)


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `prefix`"):
        msgspec.toml.decode(b"prefix = 1", type=rules.Affixes)
