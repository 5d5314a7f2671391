"""The glossary: one word for one thing, used where it says; words that were given up stay away."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "trasmallo"
GLOSSARY = ROOT / "docs" / "glossary.md"
DESIGN = ROOT / "docs" / "design.md"


def terms() -> list[str]:
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)
    return [term for term, meaning in rows if meaning not in ("meaning", "---")]


@cache
def written() -> str:
    """All code and docs but the glossary, in small letters, with names in code taken apart into words."""
    files = [*SOURCE.rglob("*.py"), *(path for path in (ROOT / "docs").rglob("*.md") if path != GLOSSARY)]
    return "\n".join(path.read_text(encoding="utf-8") for path in files).lower().replace("_", " ")


def unwanted() -> set[str]:
    """The names of modules that the design has given up."""
    text = DESIGN.read_text(encoding="utf-8").partition("## Names")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]+`) \|", text, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def test_terms_stand_in_order_and_once() -> None:
    assert terms() == sorted(set(terms()), key=str.casefold)
    assert len(terms()) > 60


def test_every_term_is_used() -> None:
    assert [term for term in terms() if not re.search(rf"\b{re.escape(term.lower())}", written())] == []


def test_names_that_were_given_up_do_not_come_back() -> None:
    assert len(unwanted()) > 20
    assert sorted(path.stem for path in SOURCE.rglob("*.py") if path.stem in unwanted()) == []
