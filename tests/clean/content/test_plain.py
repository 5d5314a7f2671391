from __future__ import annotations

import pytest

from trasmallo.clean.content.plain import find_main
from trasmallo.clean.dom import see

SENTENCE = "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado. "
MENU = "<ul>" + "".join(f"<li><a href=/{n}>Sección {n}</a>" for n in range(12)) + "</ul>"
ARTICLE = f"<h1>Las redes</h1><p>{SENTENCE * 3}</p><p>{SENTENCE * 2}</p><ul><li>paño</li><li>plomo</li></ul>"


def main_of(html: str, favour: float = 0.5) -> list[str]:
    page, layout = see(html)
    flags = find_main(page, layout, favour=favour)
    return [layout.text[a:b] for a, b, main in zip(layout.start, layout.end, flags, strict=True) if main]


@pytest.mark.parametrize(
    "html",
    [
        f"<nav>{MENU}</nav><main>{ARTICLE}</main><footer>Pie de página con <a href=/>enlace</a></footer>",
        f"<div>{MENU}</div><div><div>{ARTICLE}</div></div><div>{MENU}</div>",
        f"<table><tr><td>{MENU}<td>{ARTICLE}<td>{MENU}</table>",
        f"<div>{ARTICLE}</div><div id=comments>{f'<p>{SENTENCE}</p>' * 3}</div>",
        f"<div>{ARTICLE}<div class='related'>{MENU}</div></div>",
        f"<div>{ARTICLE}<form><p>Suscríbase</p><button>Enviar</button></form></div>",
        f"<div>{ARTICLE}</div><aside><p>{SENTENCE}</p></aside>",
    ],
)
def test_the_article_and_nothing_else(html: str) -> None:
    assert main_of(html) == ["Las redes", (SENTENCE * 3).strip(), (SENTENCE * 2).strip(), "paño", "plomo"]


def test_a_page_of_comments_is_its_comments() -> None:
    assert len(main_of(f"<p>Hilo</p><div class=comments>{f'<p>{SENTENCE}</p>' * 9}</div>")) >= 9


def test_a_page_of_links_is_not_empty() -> None:
    assert main_of(MENU) != []
    assert main_of(f"<nav>{MENU}</nav>") != []


def test_no_text_no_blocks() -> None:
    assert main_of("<div></div>") == []


def test_favour_goes_from_precision_to_recall() -> None:
    html = f"<div>{ARTICLE}</div><div><p>Corto.</p><p>{SENTENCE}</p></div><div class=comments><p>{SENTENCE * 2}</p></div>"

    sizes = [len(" ".join(main_of(html, favour / 4))) for favour in range(5)]

    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
