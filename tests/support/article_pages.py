"""Pages with an article and furniture around it, and what a method takes for their main content."""

from __future__ import annotations

from trasmallo.clean.content.registry import FindMain
from trasmallo.clean.dom import see

SENTENCE = "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado. "
MENU = "<ul>" + "".join(f"<li><a href=/{n}>Sección {n}</a>" for n in range(12)) + "</ul>"


def furnished(article: str) -> list[str]:
    """Pages of several builds around the same article."""
    return [
        f"<nav>{MENU}</nav><main>{article}</main><footer>Pie de página con <a href=/>enlace</a></footer>",
        f"<div>{MENU}</div><div><div>{article}</div></div><div>{MENU}</div>",
        f"<table><tr><td>{MENU}<td>{article}<td>{MENU}</table>",
        f"<div>{article}<div class='related'>{MENU}</div></div>",
        f"<div>{article}<form><p>Suscríbase</p><button>Enviar</button></form></div>",
    ]


def main_of(method: FindMain, html: str, favour: float = 0.5) -> list[str]:
    """The blocks that a method takes for main content."""
    page, layout = see(html)
    flags = method(page, layout, favour=favour)
    return [layout.text[a:b] for a, b, main in zip(layout.start, layout.end, flags, strict=True) if main]
