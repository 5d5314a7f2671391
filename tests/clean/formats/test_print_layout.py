from __future__ import annotations

from trasmallo.clean.formats.grids import TextLine
from trasmallo.clean.formats.print_layout import BOLD, in_columns, lay_out, paragraphs, without_running


def page(*texts: str, size: float = 12) -> list[TextLine]:
    return [TextLine(text, size, 700 - 14 * number) for number, text in enumerate(texts)]


def test_the_next_column_goes_on_an_open_sentence() -> None:
    lines = [TextLine("una frase", 12, 100), TextLine("sigue", 12, 86), TextLine("arriba.", 12, 700), TextLine("Otra", 12, 720)]

    assert paragraphs(lines, 12, []) == [("p", "una frase sigue arriba."), ("p", "Otra")]


def test_headings_have_their_levels_by_size() -> None:
    lines = [
        TextLine("Libro", 30, 700),
        TextLine("Parte", 20, 660),
        *(TextLine("texto " * 12, 12, 640 - 14 * n) for n in range(5)),
    ]

    assert [tag for tag, _ in lay_out([lines])] == ["h1", "h2", "p"]


def test_a_long_line_of_large_type_is_no_heading() -> None:
    assert [tag for tag, _ in paragraphs([TextLine("x" * 300, 30, 700)], 12, [30])] == ["p"]


def test_running_lines_and_page_numbers_are_left_out() -> None:
    texts = (["Uno.", "Dos.", "Tres.", "Cuatro."], ["A.", "B.", "C.", "D."], ["Sol.", "Mar.", "Red.", "Pez."])
    pages = [
        [TextLine("El mar, tomo I", 12, 760), *page(*text), TextLine(f"- {number} -", 12, 40)]
        for number, text in enumerate(texts, 8)
    ]

    found = without_running(pages)

    assert [[line.text for line in lines] for lines in found] == list(texts)


def test_two_pages_do_not_tell_what_runs() -> None:
    pages = [[TextLine("El mar", 12, 760), *page(text, "x", "y")] for text in ("uno", "dos")]

    assert without_running(pages) == pages


def test_rows_that_are_alike_on_every_page_do_not_run() -> None:
    pages = [page(*(f"fila {10 * number + row}" for row in range(10))) for number in range(5)]

    assert without_running(pages) == pages


def test_a_number_below_the_text_must_look_like_a_pages() -> None:
    pages = [[*page("a", "b", "c"), TextLine(f"{number}.50", 12, 40)] for number in range(5)]
    numbered = [[*page("a" * number, "b", "c"), TextLine(f"{number} / 9", 12, 40)] for number in range(1, 6)]

    assert without_running(pages) == pages
    assert [len(lines) for lines in without_running(numbered)] == [3] * 5


def test_columns_are_read_one_after_the_other() -> None:
    left, right = "texto de la izquierda", "texto de la derecha"
    lines = [
        TextLine(
            "Un titular que cruza toda la página entera", 20, 720, ((50, 500, "Un titular que cruza toda la página entera"),)
        ),
        *(
            TextLine(f"{left} {n} {right} {n}", 12, 700 - 14 * n, ((50, 240, f"{left} {n}"), (300, 490, f"{right} {n}")))
            for n in range(4)
        ),
    ]

    assert [line.text for line in in_columns(lines)][1:] == [f"{side} {n}" for side in (left, right) for n in range(4)]


def test_a_table_keeps_its_rows() -> None:
    lines = [TextLine(f"fila {n} {n}", 12, 700 - 14 * n, ((50, 80, f"fila {n}"), (300, 310, str(n)))) for n in range(9)]

    assert in_columns(lines) == lines


def test_a_paragraph_goes_on_over_the_end_of_a_page() -> None:
    assert lay_out([page("una frase que no"), page("acaba aquí.")]) == [("p", "una frase que no acaba aquí.")]
    assert lay_out([page("Una frase."), page("Otra.")]) == [("p", "Una frase."), ("p", "Otra.")]


def test_bold_words_stay_marked_when_lines_are_joined() -> None:
    found = lay_out([page(f"la {BOLD}red {BOLD}vie-", f"{BOLD}ja y {BOLD}rota")])

    assert found == [("p", f"la {BOLD}red {BOLD}vieja y {BOLD}rota")]


def test_hyphens_at_line_ends_are_joined() -> None:
    assert lay_out([page("muy co-", "nocida, semi\u00ad", "final; Ana-", "María")]) == [
        ("p", "muy conocida, semifinal; Ana- María")
    ]


def test_bold_lines_are_headings_when_they_stand_apart_and_are_no_sentence() -> None:
    def line(text: str, height: float, right: float = 500) -> TextLine:
        return TextLine(text, 12, height, ((50, right, text),))

    body = [line("texto corriente", 640 - 14 * number) for number in range(8)]
    title, label, part = f"{BOLD}Cómo {BOLD}se {BOLD}cala", f"{BOLD}Nota:", f"{BOLD}en {BOLD}negrita"
    lines = [line(title, 680, 200), *body, line(label, 500, 120), line(part, 486, 120)]

    assert [tag for tag, _ in paragraphs(lines, 12, [])] == ["h1", "p", "p"]


def test_items_rows_and_the_lines_that_go_on() -> None:
    lines = [
        TextLine("• uno que", 12, 700, ((50, 54, "•"), (70, 300, "uno que"))),
        TextLine("sigue", 12, 686, ((70, 99, "sigue"),)),
        TextLine("• dos", 12, 672, ((50, 54, "•"), (70, 99, "dos"))),
        TextLine("paño malla", 12, 630, ((50, 80, "paño"), (150, 190, "malla"))),
        TextLine("interior estrecha", 12, 616, ((50, 90, "interior"), (150, 199, "estrecha"))),
        TextLine("Fin.", 12, 590, ((50, 70, "Fin."),)),
    ]

    assert paragraphs(lines, 12, []) == [
        ("li", "uno que sigue"),
        ("li", "dos"),
        ("tr", "paño\tmalla"),
        ("tr", "interior\testrecha"),
        ("p", "Fin."),
    ]


def test_a_line_of_a_table_of_contents_is_no_heading() -> None:
    assert [tag for tag, _ in paragraphs([TextLine("3 Redes . . . . . . 5", 30, 700)], 12, [30])] == ["p"]
