from __future__ import annotations

import pytest

from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing.criterion import parse
from trasmallo.clean.slicing.matching import Matcher, WordComparison
from trasmallo.clean.slicing.page import from_flat
from trasmallo.clean.slicing.relevance import Reason, find_relevant

LINK = '<a href="archivo.pdf">Información de la agenda.</a>'
PARENT = "<div id=padre><a href=Agenda.pdf> Agenda </a> <a href=Telefonos.pdf>Telefonos </a></div>"


def relevant(html: str, criterion: str, **reading: object) -> list[tuple[str, str]]:
    page = from_flat(flatten(html))
    found = find_relevant(Matcher(page, WordComparison(**reading)), parse(criterion))  # type: ignore[arg-type]
    return [(page.tag[node], Reason(reason).name) for node, reason in zip(found.nodes, found.reasons, strict=True)]


@pytest.mark.parametrize(
    ("html", "criterion", "found"),
    [
        (LINK, "citas", []),
        (LINK, "pdf", [("a", "ATTRIBUTES")]),
        (LINK, "pdf AND agenda", [("a", "TOGETHER")]),
        (PARENT, "agenda AND telefonos", [("div", "CHILDREN")]),
        (LINK, "agenda", [("a", "TEXT")]),
        ("<a href=agenda.pdf>Agenda</a>", "agenda", [("a", "TEXT")]),
        ("<p>Real <b>Madrid</b></p>", "real madrid", [("p", "CHILDREN")]),
        ("<p>Real <b>Madrid</b></p>", "madrid", [("b", "TEXT")]),
        ("<p><img alt=madrid> <b>gol</b></p>", "madrid AND gol", [("p", "CHILDREN")]),
        ("<body class=madrid><p>nada</p>", "madrid", [("body", "ATTRIBUTES")]),
        ("<body class=madrid><p>madrid</p>", "madrid", [("p", "TEXT")]),
        ("<p>uno</p><p>dos</p><br>", "NOT uno", [("p", "TEXT")]),
        ("<p>gol gol</p><p>gol</p>", "MIN(gol, 2)", [("p", "TEXT")]),
        ("<p>gol</p><p>gol</p>", "MIN(gol, 2)", [("body", "CHILDREN")]),
        ("<script>madrid</script><style>madrid</style>", "madrid", []),
        ("<select><option>madrid<option>roma</select>", "madrid", [("option", "TEXT")]),
    ],
)
def test_the_deepest_nodes_and_their_reasons(html: str, criterion: str, found: list[tuple[str, str]]) -> None:
    assert relevant(html, criterion) == found


@pytest.mark.parametrize(
    ("where", "found"),
    [("text", []), ("attributes", [("a", "ATTRIBUTES")]), ("both", [("a", "ATTRIBUTES")])],
)
def test_where_to_look(where: str, found: list[tuple[str, str]]) -> None:
    assert relevant(LINK, "pdf", where=where) == found


@pytest.mark.parametrize(
    ("criterion", "found"),
    [
        ("nav", [("nav", "NAME"), ("nav", "NAME")]),
        ("NAV AND img", [("nav", "CHILDREN")]),
        ("ul OR img", [("img", "NAME"), ("ul", "NAME")]),
        ("na*", [("nav", "NAME"), ("nav", "NAME")]),
        ("texto", []),
        ("MIN(li, 2)", [("ul", "CHILDREN")]),
        ("script", []),
    ],
)
def test_names_of_elements(criterion: str, found: list[tuple[str, str]]) -> None:
    html = "<nav title=ul><img></nav><nav>texto</nav><ul class=nav><li>nav<li>img</ul><script></script>"
    assert relevant(html, criterion, where="elements") == found


def test_together_needs_both_places() -> None:
    assert relevant(LINK, "pdf AND agenda", where="text") == []
    assert relevant(LINK, "pdf AND agenda", where="attributes") == []
