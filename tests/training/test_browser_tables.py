from __future__ import annotations

import importlib
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

TRAINING = Path(__file__).resolve().parents[2] / "training"


@pytest.fixture(scope="module")
def tables() -> Iterator[ModuleType]:
    sys.path.insert(0, str(TRAINING))
    yield importlib.import_module("browser_tables")
    sys.path.remove(str(TRAINING))


def test_the_browser_has_the_tables_of_python(tables: ModuleType) -> None:
    written, made = tables.SCRIPT.read_text("utf-8"), tables.text()
    # The characters are those of the Unicode version that the table was made with; tags and signs are always Python's.
    start = 0 if unicodedata.unidata_version == "14.0.0" else written.index("globalThis.trasmallo.content")

    assert written[start:] in made, "run: python training/browser_tables.py"


def test_small_letters_of_characters_one_by_one(tables: ModuleType) -> None:
    lowered = tables.characters()["lowered"]

    assert lowered["ß"] == "ß"
    assert lowered["ς"] == "ς"
    assert "A" not in lowered
    assert tables.is_title(ord("ǅ"))
    assert not tables.is_title(ord("A"))
