"""SECURITY.md names the limits of the code, each with its number as it is there."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def limits() -> Iterator[tuple[str, float]]:
    """The names in the last column, and the numbers in the one before."""
    for said, name in re.findall(r"^\|[^|]+\|([^|]+)\| `(trasmallo[\w.]*:[\w.]+)` \|$", PAGE, re.MULTILINE):
        yield name, float(said.split()[0].replace(",", ""))


def value_of(name: str) -> float:
    """A constant of a module ("a.b:NAME"), or the default of a struct's field ("a.b:Struct.field")."""
    module, _, path = name.partition(":")
    found: object = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found() if isinstance(found, type) and issubclass(found, msgspec.Struct) else found, part)
    assert isinstance(found, int | float)
    return float(found)


@pytest.mark.parametrize(("name", "said"), list(limits()))
def test_a_limit_is_what_the_code_says(name: str, said: float) -> None:
    assert value_of(name) == said


def test_every_row_of_the_limits_is_compared() -> None:
    table = PAGE.partition("## What one thing may cost")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("|")][2:]
    assert len(rows) == len(list(limits())) > 25


def test_it_is_found_from_the_readme_and_the_docs() -> None:
    for readme in ("README.md", "README.es.md"):
        assert "(SECURITY.md)" in (ROOT / readme).read_text(encoding="utf-8")
    assert "../SECURITY.md" in (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    assert "(security.md)" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
