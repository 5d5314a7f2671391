"""Words of a criterion by what they are in their sentences."""

from __future__ import annotations

import pytest

import trasmallo
from trasmallo.clean.slicing.lemmas_in_context import no_lemmas
from trasmallo.clean.slicing.sliced import slice_page
from trasmallo.values.errors import UsageError

PAGE = """<html lang=es><body>
<p id=verb>Mi hermano no <b>vi</b>no a la fiesta.</p>
<p id=noun>Bebimos un vino tinto.</p>
<p id=moved>ﬁn: él no vi\u00adno a \u00adcasa, ni probó los vinos.</p>
<img alt="Botella de vino tinto"></body></html>"""


def found(criterion: str, **options: bool) -> list[str]:
    sliced = trasmallo.slice_page(PAGE, criterion, in_context=True, **options)
    return [node.path.rpartition("/")[2] for node in sliced.nodes]


def test_a_node_with_a_form_of_another_word_is_not_kept() -> None:
    assert found("venir~") == ["p[1]", "p[3]"]
    assert found("vino~") == found("vinos~") == ["p[2]", "p[3]", "img[1]"]
    assert [node.tag for node in trasmallo.slice_page(PAGE, "venir~").nodes] == ["p", "p", "p", "img"]


def test_the_switch_for_all_words_and_counts_know_context() -> None:
    assert found("venir fiesta", forms=True) == ["p[1]"]
    assert found("MIN(vino~, 2)") == ["body"]
    assert found("MIN(vino~, 4)") == []
    assert found("NOT venir~ AND tinto") == ["p[2]", "img[1]"]


def test_words_without_a_tilde_go_by_their_letters() -> None:
    assert found("vino AND beber~") == ["p[2]"]


def test_a_word_that_no_table_has_is_its_own_lemma() -> None:
    page = "<html lang=es><p>El xilotrón suena muy bien.</p><p>Nada.</p></html>"
    assert [node.text for node in trasmallo.slice_page(page, "xilotrón~", in_context=True).nodes] == [
        "El xilotrón suena muy bien."
    ]


def test_marks_stand_where_folding_moves_letters() -> None:
    html = trasmallo.slice_page(PAGE, "venir~", in_context=True, mark=True).html
    assert "no <b><mark>vi</mark></b><mark>no</mark> a la fiesta" in html
    assert "él no <mark>vi\u00adno</mark> a" in html
    assert "<mark>vinos</mark>" not in html


def test_the_next_step_reads_what_is_left() -> None:
    first = trasmallo.slice_page(PAGE, "venir~", in_context=True)
    assert [node.text[:2] for node in first.slice("vino~").nodes] == ["ﬁn"]


def test_rules_say_that_context_counts_or_that_they_cannot() -> None:
    sliced = trasmallo.slice_page(PAGE, "venir~", in_context=True, url="https://example.org/")
    assert "--in-context" in sliced.rule("command")
    with pytest.raises(UsageError, match="words in context"):
        sliced.rule("ublock")


def test_context_without_forms_is_refused() -> None:
    with pytest.raises(UsageError, match="no word is asked for in its forms"):
        trasmallo.slice_page(PAGE, "vino", in_context=True)


def test_without_a_reader_nothing_is_found_in_context() -> None:
    assert slice_page(PAGE, "venir~", in_context=True, read_lemmas=no_lemmas).count == 0
