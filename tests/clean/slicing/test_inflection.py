from __future__ import annotations

import pytest

from support.slicing_vectors import FORMS
from trasmallo.clean.slicing import inflection
from trasmallo.clean.slicing.criterion import And, AtLeast, Not, Word, parse
from trasmallo.clean.slicing.inflection import FormTable, asks_for_forms, inflect

TABLE = FormTable(FORMS)


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("marcar", ("marca", "marcar", "marcas", "marcó")),
        ("MARCO", ("marca", "marcar", "marcas", "marcó")),
        ("telefonos", ("teléfono", "teléfonos")),
        ("strasse", ("straße", "straßen")),
        ("marc", ()),
        ("madrid", ()),
        ("", ()),
    ],
)
def test_forms_of_a_word(word: str, forms: tuple[str, ...]) -> None:
    assert TABLE.expand(word) == forms


def test_accents_matter_by_choice() -> None:
    assert TABLE.expand("marcó", accents=True) == TABLE.expand("marcar")
    assert TABLE.expand("marco", accents=True) == ()


def test_a_headword_stands_for_itself_and_another_form_for_all_its_words() -> None:
    table = FormTable('{"language":"es"}\n0 0 0s\n0ar 1 1r 0es\n0 0 0es\n\n0mes 2 1\n3a 0\n')
    assert table.expand("mesa") == ("mesa", "mesas"), "the noun, not mesar"
    assert table.expand("meses") == ("mes", "mesa", "mesar", "meses")


def test_only_words_that_ask_get_forms() -> None:
    tree = inflect(parse("marcar~ AND NOT gato AND MIN(perro~, 2)"), [TABLE])
    marcar = Word("marcar", inflected=True, forms=("marca", "marcar", "marcas", "marcó"))
    perro = Word("perro", inflected=True, forms=("perro", "perros"))
    assert tree == And((marcar, Not(Word("gato")), AtLeast((perro,), 2)))
    assert asks_for_forms(tree)
    assert not asks_for_forms(parse("marcar OR MIN(gato, 2)"))


@pytest.mark.parametrize(
    ("language", "word", "has", "lacks"),
    [
        ("es", "marcar", "marcó marquen marcándoselo márcalo", "marcos"),
        ("es", "ir", "voy fuimos iba vámonos", "ser"),
        ("es", "mesa", "mesas", "meses"),
        ("es", "oír", "oírlo oye óyeme", ""),
        ("es", "ver", "viéndola vi", "velas vela"),
        ("es", "lápices", "lápiz", ""),
        ("en", "run", "ran running runs", ""),
        ("en", "mouse", "mice", ""),
        ("en", "Children", "child", ""),
    ],
)
def test_the_tables_that_are_shipped(language: str, word: str, has: str, lacks: str) -> None:
    table = inflection.load(language)
    assert table is not None
    forms = set(table.expand(word))
    assert forms >= set(has.split())
    assert not forms & set(lacks.split())


def test_tables_are_small_and_only_for_their_languages() -> None:
    from importlib import resources

    folder = resources.files("trasmallo.clean.slicing").joinpath("forms")
    assert inflection.languages() == ["en", "es"]
    assert all(len(folder.joinpath(f"{code}.gz").read_bytes()) <= 1_500_000 for code in inflection.languages())
    assert inflection.load("fr") is None
