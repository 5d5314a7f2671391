from __future__ import annotations

import pytest

from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing.criterion import parse
from trasmallo.clean.slicing.page import from_flat
from trasmallo.clean.slicing.steps import Step, slice_flat
from trasmallo.clean.slicing.tolerance import read_tolerance
from trasmallo.clean.slicing.views import plan_bare


def plan(html: str, criterion: str, tolerance: str = "0", inverse: bool = False) -> list[str]:
    """Each element as its tags from the body down; `+` for new ones, `!` for those with their content."""
    page = from_flat(flatten(html))
    step = Step(parse(criterion), tolerance=read_tolerance(tolerance), inverse=inverse)
    clones = plan_bare(page, slice_flat(page, [step]).states)
    paths: list[str] = []
    for clone in clones:
        above = paths[clone.parent] + "/" if clone.parent >= 0 else ""
        paths.append(f"{above}{'+' if clone.source < 0 else ''}{clone.tag}{'!' if clone.deep else ''}")
    return paths


@pytest.mark.parametrize(
    ("html", "paths"),
    [
        ("<div><p>x</p></div>", ["p!"]),
        ("<ul><li>a<li>x<li>b</ul>", ["ul", "ul/li!"]),
        ("<ul><li>x<li>x</ul><ol><li>x</ol>", ["ul", "ul/li!", "ul/li!", "ol", "ol/li!"]),
        ("<table><tr><td>x<td>y</table>", ["table", "table/tbody", "table/tbody/tr", "table/tbody/tr/td!"]),
        ("<dl><dt>x<dd>y</dl>", ["dl", "dl/dt!"]),
        ("<select><option>x</select>", ["select", "select/option!"]),
        ("<div><li>x</div>", ["+ul", "+ul/li!"]),
        ("<figure><figcaption>x</figure>", ["figure", "figure/figcaption!"]),
        ("<svg><g><text>x</text></g></svg>", ["svg", "svg/g", "svg/g/text!"]),
        ("<p>y", []),
    ],
)
def test_parents_that_are_needed(html: str, paths: list[str]) -> None:
    assert plan(html, "x") == paths


def test_texts_in_parts_stay_in_their_paragraph() -> None:
    assert plan("<div><p>uno <b>x</b> dos tres</p></div>", "x", "near:1") == ["p", "p/#text!", "p/b!", "p/#text!"]


def test_the_inverse_leaves_the_children_of_the_body() -> None:
    assert plan("<div>a<p>x</p></div><p>b</p>", "x", inverse=True) == ["div!", "p!"]
