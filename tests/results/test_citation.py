"""The citation of a corpus."""

from __future__ import annotations

import re

import msgspec

from trasmallo.project.project import Project


def test_it_says_what_when_and_how_much(finished: Project) -> None:
    found, summary = finished.cite(), finished.summary()
    assert (found.documents, found.words, found.run) == (summary.documents, summary.words, summary.run)
    assert found.languages == {name: count for name, count in summary.languages.items() if count}
    assert sum(found.languages.values()) == found.documents
    assert re.fullmatch(r"[0-9a-f]{32}", found.digest)
    for text in (found.text(), found.text("es"), found.bibtex):
        assert all(told in text for told in (found.run, found.digest, found.last, found.software))
    assert f"{found.words:,} words" in found.text()
    assert "palabras" in found.text("es")
    assert found == finished.cite()


def test_a_scope_is_cited_with_its_own_figures(finished: Project) -> None:
    whole, part = finished.cite(), finished.subcorpus("language=es").cite()
    assert part.scope == "language=es"
    assert "In the scope language=es." in part.text()
    assert part.documents == whole.languages["es"]
    assert part.digest != whole.digest


def test_what_is_asked_later_does_not_change_the_digest(finished: Project) -> None:
    scoped = finished.subcorpus("words>200")
    before = scoped.cite().digest
    scoped.table("collocations", limit=1)
    assert scoped.cite().digest == before


def test_signs_of_tex_are_escaped(finished: Project) -> None:
    odd = msgspec.structs.replace(finished.cite(), scope="title~a_b & 5%")
    assert r"a\_b \& 5\%" in odd.bibtex
