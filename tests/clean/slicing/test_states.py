from __future__ import annotations

import numpy as np

from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing.page import GAP, PageArrays, from_flat
from trasmallo.clean.slicing.states import NodeState, complement, cover, hide, keep, restrict

HTML = "<div>uno <b>dos</b> <i>tres</i><script>x</script></div><p>cuatro</p>"


def page_of(html: str = HTML) -> PageArrays:
    return from_flat(flatten(html))


def named(page: PageArrays, states: np.ndarray) -> dict[str, str]:
    names = [text.strip() or tag for tag, text in zip(page.tag, page.text, strict=True)]
    return {name: NodeState(state).name for name, state in zip(names, states, strict=True)}


def test_what_is_around_stays_without_its_other_content() -> None:
    page = page_of()
    bold = np.array([page.tag.index("b")])
    states = named(page, keep(page, cover(page, bold), {}, bold))
    assert states == {
        "html": "NEUTRAL", "head": "NEUTRAL", "body": "ANCESTOR", "div": "ANCESTOR", "uno": "HIDDEN", "b": "RELEVANT",
        "dos": "SHOWN", "#text": "SHOWN", "i": "HIDDEN", "tres": "HIDDEN", "script": "NEUTRAL", "p": "HIDDEN",
        "cuatro": "HIDDEN",
    }  # fmt: skip


def test_the_inverse_hides_only_what_is_covered() -> None:
    page = page_of()
    states = named(page, hide(page, cover(page, np.array([page.tag.index("div")])), {}))
    assert [states[name] for name in ("body", "div", "uno", "script", "p")] == ["SHOWN", "HIDDEN", "HIDDEN", "HIDDEN", "SHOWN"]


def test_the_scope_stays_when_nothing_does() -> None:
    page = page_of()
    nothing = np.zeros(len(page), dtype=bool)
    assert keep(page, nothing, {}, np.array([], dtype=np.int64))[page.scope] == NodeState.ANCESTOR
    assert hide(page, cover(page, np.array([page.scope])), {})[page.scope] == NodeState.ANCESTOR


def test_parts_and_their_complement() -> None:
    page = page_of("<p>uno dos tres</p>")
    node = page.text.index("uno dos tres")
    assert complement(page, {node: [(0, 3), (8, 12)]}) == {node: [(3, 8)]}
    states = keep(page, np.zeros(len(page), dtype=bool), {node: [(4, 7)]}, np.array([], dtype=np.int64))
    assert named(page, states) == {
        "html": "NEUTRAL", "head": "NEUTRAL", "body": "ANCESTOR", "p": "ANCESTOR", "uno dos tres": "PARTIAL",
    }  # fmt: skip


def test_what_a_step_leaves_is_a_page() -> None:
    page = page_of("<p>uno dos tres</p><div>x</div>")
    node = page.text.index("uno dos tres")
    parts = {node: [(4, 7)]}
    states = keep(page, np.zeros(len(page), dtype=bool), parts, np.array([], dtype=np.int64))
    rest = restrict(page, states, parts)
    assert rest.page.tag == ["html", "head", "body", "p", GAP, "#text", GAP]
    assert rest.page.text[5] == "dos"
    assert rest.page.parent == [-1, 0, 0, 2, 3, 3, 3]
    assert rest.origin.tolist() == [0, 1, 2, 3, node, node, node]
    assert rest.before.tolist()[-3:] == [4, 4, 12]
