"""A text with its readings."""

from __future__ import annotations

from trasmallo.study.entities.found import found_in
from trasmallo.study.entities.tagged_text import TaggedText
from trasmallo.study.morphology import tag_types
from trasmallo.study.sentences import cut


def test_it_is_what_entities_are_found_in() -> None:
    text = "Ana Pérez vive en Soria."
    found = cut(text, "es")
    tagged = TaggedText(text, found, tag_types(found, "es").spread(), "es")
    assert [(one.text, one.kind) for one in found_in(tagged)] == [("Ana Pérez", "PER"), ("Soria", "LOC")]
