from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from support.naive_queries import Token, document_tokens
from support.token_documents import write_documents
from trasmallo.store.tokens import Corpus
from trasmallo.study.query.conditions import Conditions
from trasmallo.study.query.parsing import parse
from trasmallo.study.query.syntax import One

WORDS = [
    Token("Casa", "casa", "NOUN", "Gender=Fem|Number=Sing", True),
    Token("cantaba", "cantar", "VERB", "Person=1,3", False),
    Token("casas", "casa", "NOUN", "Gender=Fem|Number=Plur", False),
]


@pytest.fixture
def conditions(tmp_path: Path) -> Conditions:
    return Conditions(Corpus.open(write_documents(tmp_path / "tokens", [document_tokens(1, WORDS)])))


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ('word="Casa"', [True, False, False]),
        ('word="casa"%c', [True, False, False]),
        ('word="casas|Casa"', [True, False, True]),
        ('lemma="casa" & word!="Casa"', [False, False, True]),
        ('feats="Number=Plur"', [False, False, True]),
        ('feats="Person=3"', [False, True, False]),
        ('feats="Person=1,3"', [False, True, False]),
        ('feats!="Number=.*"', [False, True, False]),
        ('tag="Gender=Fem.*"', [True, False, True]),
        ('pos="NOUN|VERB" & !(pos="VERB")', [True, False, True]),
        ('pos="nothing"', [False, False, False]),
        ("", [True, True, True]),
    ],
)
def test_conditions_hold_or_not(conditions: Conditions, condition: str, found: list[bool]) -> None:
    pattern = parse(f"[{condition}]").pattern
    assert isinstance(pattern, One)
    wanted = conditions.wanted(pattern.condition)
    assert wanted.holds(slice(0, 3)).tolist() == wanted.holds(np.arange(3)).tolist() == found
    assert wanted.mask[conditions.columns.types(slice(0, 3))].tolist() == found
    assert wanted.frequency == sum(found)
    assert wanted.every == all(found)
    assert (wanted.categories is not None) == (condition.startswith("pos"))
