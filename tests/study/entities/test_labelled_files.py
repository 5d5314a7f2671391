"""Files of labelled sentences, sound and broken."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from trasmallo.study.entities.labelled_files import lone_kind, read_labelled
from trasmallo.values.errors import DocumentError

COLUMNS = "Ana\tB-PER\nPérez\tI-PER\nvive\tO\n\nSoria\tB-LOC\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "labelled"


def test_columns_are_read(file: Path) -> None:
    expected = [[("Ana", "B-PER"), ("Pérez", "I-PER"), ("vive", "O")], [("Soria", "B-LOC")]]
    file.write_text(COLUMNS, "utf-8")
    assert read_labelled(file) == expected
    file.write_bytes(gzip.compress(COLUMNS.encode()))
    assert read_labelled(file) == expected


def test_other_habits_become_bio(file: Path) -> None:
    file.write_text("Ana X I-PER\nPérez X E-PER\nSoria X S-LOC\n", "utf-8")
    assert read_labelled(file) == [[("Ana", "B-PER"), ("Pérez", "I-PER"), ("Soria", "B-LOC")]]


def test_xml_is_read(file: Path) -> None:
    file.write_text("<p><persName>Ana Pérez</persName> vive en <hi><placeName>Soria</placeName></hi>.</p>", "utf-8")
    assert read_labelled(file) == [
        [("Ana", "B-PER"), ("Pérez", "I-PER"), ("vive", "O"), ("en", "O"), ("Soria", "B-LOC"), (".", "O")]
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("Ana\tB-PER\nvive\n", "line 2 of .* has 1 columns and not 2"),
        ("Ana\tB-PER\nvive\tX\tO\n", "line 2 of .* has 3 columns"),
        ("Ana\tperson\n", "line 1 of .* has the label 'person'"),
        ("vive\tO\n", "no labelled name"),
        ("", "no labelled name"),
        ("<p>Ana", "no sound XML"),
    ],
)
def test_what_is_broken_is_told_with_its_line(file: Path, content: str, said: str) -> None:
    file.write_text(content, "utf-8")
    with pytest.raises(DocumentError, match=said):
        read_labelled(file)


def test_what_cannot_be_read_is_told(file: Path) -> None:
    with pytest.raises(DocumentError, match="cannot read"):
        read_labelled(file)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DocumentError, match="cannot read"):
        read_labelled(file)


def test_one_kind_alone_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "one.conll"
    path.write_text("vive\tO\nAna\tB-PER\n\n", "utf-8")
    assert lone_kind(path, read_labelled(path)) == (
        "one.conll has names of one kind alone: PER, first in line 2; the model will know no other"
    )
    path.write_text("Ana\tB-PER\nSoria\tB-LOC\n", "utf-8")
    assert lone_kind(path, read_labelled(path)) == ""
