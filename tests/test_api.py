"""The public names, listed: adding or losing one is a decision. Importing them costs nothing heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import trasmallo

NAMES = [
    "Project",
    "TrasmalloError",
    "__version__",
    "analyse",
    "duplicates",
    "entities",
    "extract",
    "sitemap",
    "slice_page",
    "tag",
    "tag_many",
    "tokenise",
]
HEAVY = [
    "asyncio",
    "chardet",
    "click",
    "duckdb",
    "feedparser",
    "lxml",
    "numpy",
    "py3langid",
    "pypdfium2",
    "rich",
    "rocksdict",
    "selectolax",
    "uvloop",
]
SOURCE = Path(__file__).resolve().parent.parent / "src"


def modules_after(statement: str) -> set[str]:
    """Top-level modules that a fresh Python has loaded after a statement."""
    names = "{name.partition('.')[0] for name in sys.modules}"
    code = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); {statement}; print(*{names})"
    return set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())


def test_the_public_names_are_these() -> None:
    assert trasmallo.__all__ == NAMES
    assert dir(trasmallo) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(trasmallo, name) is not None


def test_an_unknown_name_is_told_as_usual() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'projekt'"):
        _ = trasmallo.projekt


def test_importing_trasmallo_loads_nothing_heavy() -> None:
    assert modules_after("import trasmallo").isdisjoint(HEAVY)


def test_help_loads_neither_tables_nor_parsers() -> None:
    asked = "from click.testing import CliRunner; from trasmallo.cli import program; CliRunner().invoke(program, ['--help'])"
    assert modules_after(asked).isdisjoint(set(HEAVY) - {"click", "asyncio"})
