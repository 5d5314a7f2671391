"""Marks in documents: kept as they were made, refused where they cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.study.entities.annotated_documents import (
    FOLDER,
    Annotation,
    MarkedSpan,
    annotate,
    find,
    forget,
    load,
    stamp,
    take_over,
)
from trasmallo.values.errors import UsageError

ID = "0123456789abcdef"
TEXT = "Ana vive en Soria."


def marks(*spans: tuple[int, int, str], complete: bool = False) -> Annotation:
    return Annotation(ID, "", tuple(MarkedSpan(*one) for one in spans), complete)


def test_marks_are_kept_by_document_and_forgotten(tmp_path: Path) -> None:
    assert (load(tmp_path), find(tmp_path, ID), stamp(tmp_path)) == ([], None, (0,))
    made = annotate(tmp_path, marks((12, 17, "LOC"), (0, 3, "PER"), (0, 3, "PER"), complete=True), TEXT)
    assert [one.kind for one in made.spans] == ["PER", "LOC"]
    assert load(tmp_path) == [made] == [find(tmp_path, ID)]
    first = stamp(tmp_path)
    annotate(tmp_path, marks((0, 3, "PER")), TEXT)
    assert stamp(tmp_path) != first
    assert take_over(tmp_path, [made]) == 1
    assert load(tmp_path) == [made]
    assert (forget(tmp_path, ID), forget(tmp_path, ID), load(tmp_path)) == (True, False, [])


@pytest.mark.parametrize(
    ("spans", "said"),
    [
        (((0, 3, "PER"), (2, 5, "LOC")), "overlap"),
        (((3, 3, "PER"),), "empty"),
        (((-1, 3, "PER"),), "outside"),
        (((0, 99, "PER"),), "outside"),
        (((0, 3, "per"),), "no kind"),
    ],
)
def test_marks_that_cannot_be_are_refused(tmp_path: Path, spans: tuple[tuple[int, int, str], ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        annotate(tmp_path, marks(*spans), TEXT)
    assert load(tmp_path) == []


@pytest.mark.parametrize("content", [b"", b"{}", b"[1", b'{"document":"../x","digest":""}', b"\xff"])
def test_a_damaged_file_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / f"{ID}.json").write_bytes(content)
    with pytest.raises(UsageError):
        load(tmp_path)


def test_a_document_is_named_by_its_id_alone(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no document"):
        find(tmp_path, "../../etc/passwd")
