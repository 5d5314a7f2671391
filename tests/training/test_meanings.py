from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from trasmallo.clean.slicing.meaning import Lexicon

TRAINING = Path(__file__).resolve().parents[2] / "training"
NOUNS = """  1 a licence
00000001 03 n 02 dog 0 domestic_dog 0 001 @ 00000002 n 0000 | a tame animal; "the dog barked"
00000002 03 n 01 animal 0 001 ~ 00000001 n 0000 | a living being
"""
INDEX = """  1 a licence
animal n 1 1 ~ 1 0 00000002
dog n 1 1 @ 1 1 00000001
domestic_dog n 1 1 @ 1 0 00000001
"""


@pytest.fixture
def meanings() -> Iterator[ModuleType]:
    sys.path.insert(0, str(TRAINING))
    yield importlib.import_module("meanings")
    sys.path.remove(str(TRAINING))


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    for name in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"data.{name}").write_text(NOUNS if name == "noun" else "", "latin-1")
        (tmp_path / f"index.{name}").write_text(INDEX if name == "noun" else "", "latin-1")
        (tmp_path / f"{name}.exc").write_text("dogges dog\n" if name == "noun" else "", "latin-1")
    return tmp_path


@pytest.fixture
def multiwordnet(tmp_path: Path) -> Path:
    (tmp_path / "english").mkdir()
    (tmp_path / "spanish").mkdir()
    insert = "INSERT INTO t VALUES"
    older = f"{insert} ('n#99999999',' dog domestic_dog ',NULL,'a tame animal; \\\\\"another example\\\\\"');\n"
    (tmp_path / "english" / "english_synset.sql").write_text(older, "utf-8")
    rows = f'{insert} ("perro","n#99999999",NULL,NULL,NULL);\n{insert} ("Ánimal","n#00000002",NULL,NULL,NULL);\n'
    (tmp_path / "spanish" / "spanish_index.sql").write_text(rows, "utf-8")
    return tmp_path


def lexicon(meanings: ModuleType, language: str, words: object, senses: object) -> Lexicon:
    return Lexicon("".join(f"{line}\n" for line in meanings.write_lines(language, words, senses)))


def test_english_words_and_irregular_forms(meanings: ModuleType, wordnet: Path) -> None:
    senses = meanings.read_wordnet(wordnet)
    found = lexicon(meanings, "en", meanings.read_english(wordnet), senses)
    assert found.relate(["dogs"]) == {"dog": 1, "dogges": 1, "animal": 2}
    assert found.weigh("the") == 0


def test_spanish_words_are_found_again_in_the_newer_version(meanings: ModuleType, wordnet: Path, multiwordnet: Path) -> None:
    senses = meanings.read_wordnet(wordnet)
    assert meanings.match_versions(multiwordnet, senses) == {"n#99999999": "n#00000001"}
    found = lexicon(meanings, "es", meanings.read_spanish(multiwordnet, senses), senses)
    assert found.relate(["perros"]) == {"perro": 1, "animal": 2}


def test_numbers_are_written_as_differences(meanings: ModuleType) -> None:
    assert meanings.differences([40, 3, 3, 41]) == "3 11 1"
    assert meanings.base36(0) == "0"
