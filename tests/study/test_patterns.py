from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study import languages
from trasmallo.study.patterns import (
    ALPHABETIC,
    ALPHANUMERIC,
    CJK_RUN,
    IN_CONTEXT,
    KINDS,
    NUMBER,
    OTHER,
    PUNCTUATION,
    compiled,
)

RULED = sorted({languages.choose(language.code) for language in languages.known()})
"""The languages with rules of their own, and und."""


@pytest.mark.parametrize("code", RULED)
def test_every_group_has_a_kind(code: str) -> None:
    patterns = compiled(code)
    assert patterns.grouped.groups + 1 == len(patterns.kinds)
    assert patterns.words.groups == 0
    assert KINDS[patterns.kinds[-1]] == "punctuation" and patterns.kinds.count(PUNCTUATION) == 2


def test_no_unbounded_repeat_may_backtrack() -> None:
    for code in RULED:
        sets_out = re.sub(r"\[(?:\\.|[^\]\\])*\]", "x", compiled(code).grouped.pattern)
        assert re.findall(r"[*+](?![+])(?<![*+?}][+])(?<!\\[*+])", sets_out) == []


@pytest.mark.parametrize(
    ("token", "language", "kind"),
    [
        ("casa", "es", ALPHABETIC),
        ("J.", "es", ALPHABETIC),
        ("l'", "fr", ALPHABETIC),
        ("3º", "es", NUMBER),
        ("B12", "es", ALPHANUMERIC),
        ("http://a.es/x", "es", OTHER),
        ("#red", "es", OTHER),
        ("…", "es", PUNCTUATION),
        ("東京", "es", CJK_RUN),
        ("casa de", "es", IN_CONTEXT),
    ],
)
def test_the_kind_of_a_token_by_itself(token: str, language: str, kind: int) -> None:
    assert compiled(languages.choose(language)).kind_of(token) == kind


@given(st.text("aB1 .,-'’#@lSr.º_½\u200d\u0301東/:es☺👩🇪🇸&$\n", max_size=40), st.sampled_from(["es", "en", "und"]))
def test_without_groups_the_same_is_found(text: str, code: str) -> None:
    patterns = compiled(code)
    matches = list(patterns.grouped.finditer(text))
    assert patterns.tokens.findall(text) == [match.group() for match in matches]
