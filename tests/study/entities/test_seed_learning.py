"""Names and patterns learnt from seeds."""

from __future__ import annotations

from trasmallo.study.entities.seed_learning import SeedLearning, learn
from trasmallo.study.morphology import tag_types
from trasmallo.study.query.text_columns import TextColumns
from trasmallo.study.sentences import cut

DRUGS = ("aspirina", "ibuprofeno", "amoxicilina", "insulina")
TEXT = " ".join(
    f"El médico le recetó {drug} durante una semana. La paciente toma {drug} cada ocho horas. El perro bebe agua cada mañana."
    for drug in DRUGS
)
PERSONS = " ".join(
    f"El portavoz {name} habló con la prensa. Mucha gente pasea por {town} los domingos."
    for name, town in (("Ana Pérez", "Soria"), ("Juan Gómez", "Cuenca"), ("Eva Ruiz Gil", "Lugo"))
)


def learnt(text: str, *seeds: str, known: tuple[str, ...] = ()) -> SeedLearning:
    found = cut(text, "es")
    return learn(TextColumns(found, tag_types(found, "es").spread()), seeds, known=known)


def test_names_stand_where_seeds_do() -> None:
    found = learnt(TEXT, "Aspirina", "ibuprofeno")
    assert found.met == 4
    assert [one.name for one in found.names[:2]] == ["amoxicilina", "insulina"]
    best = found.names[0]
    assert best.count == 2 and any("recetar" in pattern for pattern in best.patterns)
    assert "amoxicilina" in best.example
    assert all(one.score > other.score for one in found.names[:2] for other in found.names if other.name == "agua")


def test_patterns_tell_how_many_seeds_and_others_they_stand_beside() -> None:
    found = learnt(TEXT, "aspirina", "ibuprofeno")
    told = {(one.before, one.after): one for one in found.patterns}
    before = told['[lemma=="recetar"]', ""]
    assert (before.seeds, before.others, before.score) == (2, 2, 0.4)
    assert told["", '[lemma=="cada"]'].others == 3
    assert '[lemma=="tomar"]' in {one.before for one in found.patterns}


def test_what_was_judged_is_not_offered_again() -> None:
    names = {one.name for one in learnt(TEXT, "aspirina", "ibuprofeno", known=("insulina",)).names}
    assert "amoxicilina" in names
    assert not names.intersection(("insulina", "aspirina", "ibuprofeno"))


def test_seeds_with_capitals_find_runs_of_capitals() -> None:
    found = learnt(PERSONS, "Ana Pérez", "Juan Gómez")
    assert found.names[0].name == "Eva Ruiz Gil"
    assert not {"Soria", "Lugo"}.intersection(one.name for one in found.names)
    assert found.shape == '[word="\\p{Lu}.*"]+'


def test_one_seed_or_none_proves_nothing() -> None:
    assert learnt(TEXT, "aspirina").names == ()
    unmet = learnt(TEXT, "Zzyx", "Qwrt")
    assert (unmet.met, unmet.names, unmet.patterns) == (0, (), ())
    assert learnt("", "a", "b").met == 0
