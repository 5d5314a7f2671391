"""What the forms of a lemma count."""

from __future__ import annotations

from trasmallo.store.index.lemma_use import MOST_FORMS, LemmaUse, form_weights

COUNTS = {"vino": 40, "vendran": 2, "vine": 5}


def rarity(count: int) -> float:
    return 10 / count


def use(forms: dict[str, float]) -> LemmaUse:
    return LemmaUse(("1" * 16,) * 10, forms, lambda _document: [])


def test_a_form_weighs_by_its_share_and_no_more_than_all_forms_together() -> None:
    weights = form_weights(use({"vino": 0.5, "vendran": 1.0}), COUNTS.__getitem__, rarity)
    assert weights == {"vino": 0.5 * rarity(10) / rarity(40), "vendran": rarity(10) / rarity(2)}
    assert weights["vendran"] * rarity(COUNTS["vendran"]) == rarity(10)


def test_forms_that_the_index_does_not_have_are_passed_over() -> None:
    assert form_weights(use({"vino": 1.0, "viniera": 1.0}), lambda term: COUNTS.get(term, 0), rarity).keys() == {"vino"}


def test_the_most_frequent_forms_count() -> None:
    many = {f"forma{number}": 1.0 for number in range(MOST_FORMS + 5)}
    weights = form_weights(use(many), lambda term: int(term.removeprefix("forma")) + 1, rarity)
    assert set(weights) == set(list(many)[5:])
