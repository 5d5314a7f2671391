"""Code in texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.code_spans import blanked, find_code, is_prose, joined, read_spans, written


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Abra /etc/hosts, o bien ~/.bashrc.", ["/etc/hosts,", "~/.bashrc."]),
        ("En ./configure y C:\\Windows\\System32 hay más.", ["./configure", "C:\\Windows\\System32"]),
        ("Escriba:\n$ pip install trasmallo\ny espere.", ["$ pip install trasmallo"]),
        ("ana@casa:~/redes$ ls -l\n>>> print(1)", ["ana@casa:~/redes$ ls -l\n>>> print(1)"]),
        ("PS C:\\Users> dir", ["PS C:\\Users> dir"]),
        # What only looks like it.
        ("Cuesta\n$ 500 millones y/o 24/7, a 90 km/h el 3/4/2020.", []),
        ("Véase https://example.org/a/b/c o example.org/a/b.", []),
        ("Hola, mundo.", []),
    ],
)
def test_paths_and_lines_of_a_terminal(text: str, code: list[str]) -> None:
    found = [text[start:end] for start, end in find_code(text)]
    assert "".join(found).replace(".", "").replace(",", "") == "".join(code).replace(".", "").replace(",", "").replace("\n", "")


def test_preformatted_prose_is_prose() -> None:
    letter = (
        "Querido amigo: te escribo desde el puerto, donde los barcos que salieron ayer no han vuelto todavía,\n"
        "y la gente espera en la playa a que el viento cambie para que las redes no se pierdan en la mar."
    )
    assert is_prose(letter)
    assert not is_prose(letter[:60]), "too short to tell"
    assert not is_prose("for name in names:\n    if name not in found:\n        found[name] = len(found) + 1\n" * 9)
    assert not is_prose("total 12\ndrwxr-xr-x 2 ana ana 4096 nov 17 redes\n" * 9)


@given(st.text("ab\n ", max_size=20), st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5)), max_size=4))
def test_what_is_blanked_moves_nothing(text: str, drawn: list[tuple[int, int]]) -> None:
    spans = joined((min(start, len(text)), min(start + size, len(text))) for start, size in drawn)
    found = blanked(text, spans)
    assert len(found) == len(text)
    assert [place for place, letter in enumerate(found) if letter == "\n"] == [
        place for place, letter in enumerate(text) if letter == "\n"
    ]
    inside = {place for start, end in spans for place in range(start, end)}
    assert all(letter.isspace() if place in inside else letter == text[place] for place, letter in enumerate(found))
    assert read_spans(written(spans)) == spans
