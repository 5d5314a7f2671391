"""How much a text changed, without what changes by itself."""

from __future__ import annotations

import time

import pytest

from trasmallo.results.change_scores import noise_classes, score_change

TEXT = "El transbordador sale a las ocho y a las doce.\nLos billetes se compran en la taquilla del muelle viejo."


def test_texts_that_are_the_same_have_no_change() -> None:
    assert score_change(TEXT, TEXT).score == 0
    assert score_change("", "").score == 0


def test_a_new_text_is_all_change() -> None:
    found = score_change("uno dos tres", "cuatro cinco")
    assert (found.score, found.added, found.removed) == (1.0, 2, 3)
    assert score_change("", "cuatro cinco").score == 1.0


def test_words_that_differ_are_counted() -> None:
    found = score_change(TEXT, TEXT.replace("ocho", "nueve"))
    assert (found.added, found.removed, found.noise) == (1, 1, ())
    assert found.score == pytest.approx(2 / 40, abs=1e-4)
    assert found.excerpt == "El transbordador sale a las nueve y a las doce."


def test_a_paragraph_that_moved_changes_nothing() -> None:
    found = score_change(TEXT, "\n".join(reversed(TEXT.splitlines())))
    assert (found.score, found.added, found.removed, found.excerpt) == (0.0, 0, 0, "")


def test_what_is_removed_is_quoted_where_nothing_is_added() -> None:
    assert score_change(TEXT, TEXT.splitlines()[0]).excerpt.startswith("Los billetes")


@pytest.mark.parametrize(
    ("before", "after", "noise"),
    [
        ("Publicado el 3 de marzo de 2026", "Publicado el 14 de abril de 2026", "dates"),
        ("Updated: March 3, 2026", "Updated: April 14th, 2026", "dates"),
        ("Visto 2026-03-03", "Visto 2026-04-14", "dates"),
        ("Fecha 03/03/2026", "Fecha 14/04/26", "dates"),
        ("A las 12:31:07 horas", "A las 09:05 horas", "times"),
        ("Ana, hace 2 días", "Ana, hace una semana", "relative dates"),
        ("Posted 2 days ago by Ana", "Posted 3 weeks ago by Ana", "relative dates"),
        ("Leído: 1.234 visitas", "Leído: 1.301 visitas", "counters"),
        ("Comments (12)", "Comments (13)", "counters"),
        ("12 comentarios, 3 votos", "15 comentarios, 8 votos", "counters"),
        ("© 2025 La Lonja S. L.", "© 2026 La Lonja y Compañía", "footers"),
        ("La Lonja. Todos los derechos reservados.", "La Lonja, S. A. Todos los derechos reservados.", "footers"),
    ],
)
def test_what_changes_by_itself_is_told_and_does_not_count(before: str, after: str, noise: str) -> None:
    found = score_change(f"{TEXT}\n{before}", f"{TEXT}\n{after}")
    assert (found.score, found.added, found.removed) == (0.0, 0, 0)
    assert found.noise == (noise,)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("El barco lleva 12 marineros", "El barco lleva 13 marineros"),
        ("Hoy la mar está en calma", "Ayer la mar estaba en calma"),
        ("El mes de marzo es frío", "El mes de abril es frío"),
        ("Los derechos del marinero", "Los deberes del marinero"),
    ],
)
def test_what_a_page_says_is_no_noise(before: str, after: str) -> None:
    assert score_change(f"{TEXT}\n{before}", f"{TEXT}\n{after}").score > 0


def test_noise_beside_a_change_leaves_the_change() -> None:
    found = score_change("Hace 2 días salió un barco", "Hace 3 días volvió un barco")
    assert (found.added, found.removed, found.noise) == (1, 1, ("relative dates",))


def test_more_change_has_a_higher_score() -> None:
    small = score_change(TEXT, TEXT.replace("ocho", "nueve"))
    large = score_change(TEXT, TEXT.splitlines()[0] + "\nOtra cosa completamente distinta se dice ahora en esta página.")
    assert 0 < small.score < large.score < 1


@pytest.mark.parametrize("text", ["1" * 200_000, "hace " * 40_000, "© " * 50_000, "12 " * 60_000, "a de " * 40_000])
def test_hostile_texts_take_no_time(text: str) -> None:
    begun = time.process_time()
    score_change(text, text + "x")
    assert time.process_time() - begun < 2


def test_classes_have_names() -> None:
    assert list(noise_classes()) == ["dates", "times", "relative dates", "counters", "footers"]


def test_hostile_paragraphs_take_time_by_their_length_only() -> None:
    """Numbers without an end, and lines that look like footers at every letter, would otherwise take minutes."""
    digits, letters = "1.2.3," * 660, "palabra " * 500
    before, after = ("\n".join(f"{digits}{number}\n{letters}{number}" for number in range(at, at + 60)) for at in (0, 100))
    assert score_change(before, after).score > 0
