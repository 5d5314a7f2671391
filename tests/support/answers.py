"""Answers of servers as a crawl gets them, and pages that look like something else than they are."""

from __future__ import annotations

from trasmallo.values.model import Response

PROSE = (
    "Los pescadores de Cudillero reparan las redes de tres paños antes de que amanezca. El trasmallo deja pasar los peces "
    "pequeños y enreda los grandes. Cada otoño vuelven a la misma cala, con la misma paciencia que sus abuelos."
)
SHORT = "La lonja abre hoy a las seis. El bonito llega desde Burela y se vende en una hora."
LOGIN_FORM = (
    '<form method="post" action="/login"><label>Usuario <input name="u"></label> '
    '<label>Contraseña <input type="password" name="p"></label> <button>Entrar</button></form>'
)


def answer(
    body: str | bytes = "", status: int = 200, url: str = "https://a.test/x", media: str = "text/html", **headers: str
) -> Response:
    """An answer; `_` in the name of a header stands for a hyphen."""
    content = body.encode() if isinstance(body, str) else body
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(url, 1.0, status, "", (("Content-Type", media), *named), content, content)


def page(title: str, body: str, head: str = "") -> str:
    """A page with a menu and a footer around its body."""
    return (
        f"<!doctype html><html><head><title>{title}</title>{head}</head><body><nav><a href='/'>Inicio</a> "
        f"<a href='/mar'>El mar</a> <a href='/puerto'>El puerto</a></nav><main>{body}</main>"
        "<footer>Cofradía de pescadores, muelle sin número. Todos los derechos reservados.</footer></body></html>"
    )
