"""Names that mean the same over a corpus."""

from __future__ import annotations

from trasmallo.study.entities.variants import Beside, NamedEntity, find_variants


def joined(*names: tuple[str, str, int], beside: tuple[Beside, ...] = ()) -> dict[str, tuple[str, str]]:
    found = find_variants([NamedEntity(*one) for one in names], beside)
    return {one.entity: (one.name, one.evidence) for one in found}


def test_spellings_are_one_and_the_commonest_is_the_name() -> None:
    assert joined(("EE. UU.", "LOC", 9), ("EEUU", "LOC", 3), ("EE.UU.", "LOC", 1)) == {
        "EEUU": ("EE. UU.", "spelling"),
        "EE.UU.": ("EE. UU.", "spelling"),
    }
    assert joined(("Ana Pérez", "PER", 1), ("ana perez", "PER", 5), ("Ana Pérez", "LOC", 5)) == {
        "Ana Pérez": ("ana perez", "spelling")
    }


def test_letters_of_their_own_stay_apart() -> None:
    assert joined(("Peña", "PER", 1), ("Pena", "PER", 1), ("La Coruña", "LOC", 1), ("Lacoruña", "LOC", 1)) == {}


def test_initials_are_the_one_person_that_has_them() -> None:
    one = (("Ana Pérez", "PER", 3), ("Ana Perez", "PER", 1), ("A. Pérez", "PER", 1))
    assert joined(*one)["A. Pérez"] == ("Ana Pérez", "initials")
    assert "A. Pérez" not in joined(*one, ("Alba Pérez", "PER", 1))


def test_what_was_found_beside_one_full_name_is_that_one() -> None:
    madrid = Beside("UPM", "Universidad Politécnica de Madrid", "ORG", 3)
    assert joined(("UPM", "ORG", 2), beside=(madrid,)) == {"UPM": ("Universidad Politécnica de Madrid", "beside")}
    other = Beside("UPM", "Unión de Pueblos Mayas", "ORG", 1)
    assert joined(("UPM", "ORG", 2), beside=(madrid, other)) == {}
    assert joined(beside=(Beside("Pérez", "Ana Pérez", "PER", 5),)) == {}
    assert joined(beside=(Beside("Ana Pérez", "Ana Pérez Gil", "PER", 1),)) == {"Ana Pérez": ("Ana Pérez Gil", "beside")}


def test_chains_end_at_one_name_and_values_are_no_names() -> None:
    found = joined(
        ("Ana Perez", "PER", 1),
        ("Ana Pérez", "PER", 3),
        ("2020-05", "DATE", 1),
        ("202005", "DATE", 1),
        beside=(Beside("Ana Pérez", "Ana Pérez Gil", "PER", 1),),
    )
    assert found == {"Ana Perez": ("Ana Pérez Gil", "spelling"), "Ana Pérez": ("Ana Pérez Gil", "beside")}
