from __future__ import annotations

import numpy as np

from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing.criterion import parse
from trasmallo.clean.slicing.page import Integers, PageArrays, from_flat
from trasmallo.clean.slicing.steps import Slice, Step, slice_flat
from trasmallo.clean.slicing.tolerance import read_tolerance

HTML = "<ul><li>madrid gana <b>liga</b><li>madrid pierde<li>roma gana</ul>"


def shown(page: PageArrays, found: Slice) -> list[str]:
    texts = []
    for node, text in enumerate(page.text):
        if text.strip() and found.states[node] != 0:
            texts += [text[a:b] for a, b in found.parts.get(node, [(0, len(text))])]
    return texts


def sliced(*steps: Step, html: str = HTML) -> list[str]:
    page = from_flat(flatten(html))
    return shown(page, slice_flat(page, steps))


def test_one_step() -> None:
    assert sliced(Step(parse("madrid"))) == ["madrid gana ", "liga", "madrid pierde"]
    assert sliced(Step(parse("madrid"), inverse=True)) == ["roma gana"]


def test_a_step_sees_only_what_the_one_before_left() -> None:
    assert sliced(Step(parse("madrid")), Step(parse("gana"))) == ["madrid gana ", "liga"]
    assert sliced(Step(parse("gana")), Step(parse("gana"), inverse=True)) == []
    assert sliced(Step(parse("madrid OR roma")), Step(parse("pierde"), inverse=True)) == ["madrid gana ", "liga", "roma gana"]


def test_the_words_of_a_text_in_parts_do_not_grow_together() -> None:
    html = "<p>uno dos tres cuatro</p>"
    near = Step(parse("uno OR tres"), tolerance=read_tolerance("near:0"))
    assert sliced(near, html=html) == ["uno", "tres"]
    assert sliced(near, Step(parse('"uno tres"')), html=html) == []
    assert sliced(near, Step(parse("tres"), tolerance=read_tolerance("near:0")), html=html) == ["tres"]
    assert sliced(near, Step(parse("tres"), inverse=True, tolerance=read_tolerance("near:0")), html=html) == ["uno"]


def test_nodes_found_otherwise() -> None:
    page = from_flat(flatten(HTML))
    items = [node for node, tag in enumerate(page.tag) if tag == "li"]
    block = Step(nodes=(items[2], items[0]))
    assert shown(page, slice_flat(page, [block])) == ["madrid gana ", "liga", "roma gana"]
    assert shown(page, slice_flat(page, [Step(parse("roma")), block])) == ["roma gana"]
    assert shown(page, slice_flat(page, [block, Step(parse("roma"))])) == ["roma gana"]


def test_nodes_found_in_what_is_left() -> None:
    seen = []

    def last_item(page: PageArrays) -> Integers:
        seen.append(page.tag.count("li"))
        return np.array([max(node for node, tag in enumerate(page.tag) if tag == "li")])

    assert sliced(Step(parse("madrid")), Step(find=last_item)) == ["madrid pierde"]
    assert seen == [2]


def test_relevant_nodes_are_numbered_as_in_the_page() -> None:
    page = from_flat(flatten(HTML))
    found = slice_flat(page, [Step(parse("gana")), Step(parse("roma"))])
    assert [page.tag[node] for node in found.relevant] == ["li"]
    assert page.text[found.relevant[0] + 1] == "roma gana"


def test_no_steps_leave_the_page_alone() -> None:
    assert sliced() == ["madrid gana ", "liga", "madrid pierde", "roma gana"]
