from __future__ import annotations

import re

import pytest

from trasmallo.study import languages
from trasmallo.study.patterns import KINDS, PUNCTUATION, compiled


@pytest.mark.parametrize("code", sorted(languages.available()))
def test_every_group_has_a_kind(code: str) -> None:
    patterns = compiled(code)
    assert patterns.every.groups + 1 == len(patterns.kinds)
    assert patterns.words.groups == 0
    assert KINDS[patterns.kinds[-1]] == "punctuation" and patterns.kinds.count(PUNCTUATION) == 2


def test_no_unbounded_repeat_may_backtrack() -> None:
    for code in sorted(languages.available()):
        sets_out = re.sub(r"\[(?:\\.|[^\]\\])*\]", "x", compiled(code).every.pattern)
        assert re.findall(r"[*+](?![+])(?<![*+?}][+])(?<!\\[*+])", sets_out) == []
