"""Bad input ends as text or with a reason, and the program lives on.

A sample of the damage and the quick ones of the hostile files; `benchmarks/badinput.py` runs all of them and measures.
"""

from __future__ import annotations

import re

import pytest

from support.damaged_files import ENDINGS, HOSTILE, REFUSED, damaged
from trasmallo.clean.convert import convert
from trasmallo.clean.read import extract, read

SAMPLE = 12
SLOW = {
    "zip bomb in xlsx",
    "drawing without end in PDF",
    "cyclic forms in PDF",
    "nested lists in markdown",
    "nested brackets in markdown",
    "nested emphasis in markdown",
    "nested mail",
    "an open quote in a table",
    "base64 for ever in mail",
} | {name for name in HOSTILE if "50 MB" in name}


@pytest.mark.parametrize("ending", ENDINGS)
def test_damaged_files_end_as_text_or_with_a_reason(ending: str) -> None:
    for content in damaged(ending, SAMPLE):
        converted = convert(content, name=f"a.{ending}")
        assert bool(converted.html) is (converted.drop is None) or not content
        assert converted.drop is None or converted.cause
        assert not re.match(r"\w+(?:Error|Exception): |.*died of it", converted.cause)
        page = read(content, url=f"http://example.org/a.{ending}")
        assert page.text or page.drop is not None


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", sorted(set(HOSTILE) - SLOW))
def test_hostile_files_end_in_time(name: str) -> None:
    ending, make = HOSTILE[name]
    content = make()
    found = extract(content, name=f"a.{ending}")

    assert found.text or (found.drop is not None and found.cause)
    assert name not in REFUSED or (found.drop is not None and not found.text)
