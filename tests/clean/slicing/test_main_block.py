from __future__ import annotations

from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing.main_block import find_main
from trasmallo.clean.slicing.page import from_flat
from trasmallo.clean.slicing.sliced import slice_page

SENTENCE = "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado. "
MENU = "<nav><ul>" + "".join(f"<li><a href=/{n}>Puerto de red {n}</a></li>" for n in range(9)) + "</ul></nav>"
HTML = f"{MENU}<article><h1>La red</h1><p>{SENTENCE * 4}</p><p>{SENTENCE.replace('red', 'vela') * 4}</p></article>"


def test_the_main_block_is_its_texts() -> None:
    page = from_flat(flatten(HTML))
    found = find_main(page, method="plain")
    assert [page.tag[page.parent[node]] for node in found] == ["h1", "p", "p"]


def test_what_a_reader_does_not_see_is_not_main() -> None:
    flat = flatten(HTML.replace("<article>", "<article hidden>"))
    page = from_flat(flat)
    assert {page.tag[page.parent[node]] for node in find_main(page, method="all", hidden=flat.hidden)} == {"a"}


def test_main_block_before_and_after() -> None:
    everywhere = slice_page(HTML, "red")
    before = slice_page(HTML, "red", main="before")
    after = slice_page(HTML, "red", main="after")
    assert "Puerto" in everywhere.text
    assert "Puerto" not in before.text
    assert "calmado" in before.text
    assert "vela" not in before.text + after.text
    assert [node.tag for node in before.nodes] == [node.tag for node in after.nodes] == ["h1", "p"]
    assert "Puerto" not in after.text or everywhere.text == after.text
