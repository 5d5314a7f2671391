"""What a page says that others did not."""

from __future__ import annotations

import pytest

from support.effort import effort
from support.made_prose import prose
from trasmallo.crawl.traps.novelty import Memory, middle_of, words_of

URL = "https://a.es/agenda/2027/01"


def said(html: str, url: str = URL) -> frozenset[int]:
    return words_of(html.encode(), url).pairs


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Agenda de 2027, 31 actos", "Agenda de 2028, 7 actos"),
        ("<p>No hay nada</p> <a href=x>enero</a>", "<p>No hay nada</p> <a href=y class=z>febrero próximo</a>"),
        ("<script>var a = uno</script>hola a todos", "<style>dos {tres: cuatro}</style>hola a todos"),
        ("<P>Hola a Todos", "<div class='uno dos'>hola a todos</div><!-- tres cuatro -->"),
    ],
)
def test_numbers_links_and_markup_say_nothing(one: str, other: str) -> None:
    assert said(one) == said(other)
    assert words_of(one.encode(), URL).digest == words_of(other.encode(), URL).digest


def test_words_of_the_address_say_nothing_but_titles_do() -> None:
    assert said("Carpeta barco red", "https://a.es/barco/red/") == said("Carpeta", "https://a.es/")
    assert said("una casa roja", "https://a.es/una-casa-roja") == said("una casa roja", "https://a.es/")
    assert said("mañana", "https://a.es/ma%C3%B1ana") == said("", "https://a.es/")


def test_another_month_is_nothing_new_and_another_text_is() -> None:
    memory = Memory()
    assert memory.is_new(said("Agenda de enero. No hay actos este mes, vuelva usted pronto."))
    assert not memory.is_new(said("Agenda de enero. No hay actos este mes, vuelva usted pronto."))
    assert not memory.is_new(said("Agenda de febrero. No hay actos este mes, vuelva usted pronto."))
    assert memory.is_new(said("La feria del libro abre el sábado."))


def test_a_memory_forgets_and_never_fills_up() -> None:
    memory = Memory()
    assert all(memory.is_new(said(" ".join(prose(seed, 300)))) for seed in range(200))
    again = said(" ".join(prose(199, 300)))
    assert not memory.is_new(again)


def test_long_pages_are_remembered_by_samples() -> None:
    long = said(" ".join(prose(1, 30_000)))
    assert 500 <= len(long) <= 2_048


@pytest.mark.parametrize("piece", [b"<", b"<a ", b"<a>", b"<script>", b"</", b"<!--", b"a<b ", b"\xff"])
def test_hostile_markup_takes_little_time(piece: bytes) -> None:
    page = piece * (1_000_000 // len(piece))
    assert effort(lambda: words_of(page, URL), 2) < 2, "linear in what is looked at"


@pytest.mark.parametrize("name", ["script", "STYLE"])
def test_the_middle_of_a_page_is_outside_of_scripts(name: str) -> None:
    head, tail = "<p>antes</p>" * 200, "<p>después de todo</p>" * 400
    page = f"{head}<{name}>{'sin sentido ' * 300}</{name}>{tail}".encode()
    middle = middle_of(page)
    assert b"sin sentido" not in middle
    assert middle.count("después".encode()) > 50


def test_short_pages_have_no_middle() -> None:
    assert middle_of(b"<p>hola</p>") == b""
    assert middle_of(b"") == b""


@pytest.mark.parametrize("piece", [b"<script>", b"<script", b"</style", b"<", b"a"])
def test_a_middle_takes_little_time(piece: bytes) -> None:
    page = piece * (1_000_000 // len(piece))
    assert effort(lambda: middle_of(page), 2) < 0.1
