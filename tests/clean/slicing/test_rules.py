from __future__ import annotations

import shlex

import pytest

from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing.criterion import parse
from trasmallo.clean.slicing.matching import WordComparison
from trasmallo.clean.slicing.page import from_flat
from trasmallo.clean.slicing.rules import as_command, as_filters, as_style_sheet, quote, selector_of
from trasmallo.clean.slicing.steps import Step, slice_flat

HTML = "<div>a</div><div><p>x</p><p>b</p></div><my.tag>x</my.tag>"


@pytest.mark.parametrize("text", ["plain", "two words", "it's", "$(rm)", "ñ", "", "a'b'c"])
def test_words_of_a_shell(text: str) -> None:
    assert shlex.split(quote(text)) == [text]


def test_commands() -> None:
    url = "https://example.org/?a=1&b=2"
    steps = [("a AND b", "near:2", True), ("c", "0", False), ("d", "1", False), ("e", "0", True)]
    assert as_command(url, steps[:1], ["--part"]) == f"trasmallo slice '{url}' 'a AND b' --tolerance near:2 --inverse --part"
    options = "--tolerance near:2 --tolerance 0 --tolerance 1 --inverse --then c --then d --without e"
    assert as_command("a.html", steps, []) == f"trasmallo slice a.html 'a AND b' {options}"


@pytest.mark.parametrize(
    "steps", [[("a", "0", False), ("b", "0", True), ("c", "0", False)], [("a", "0", False), ("b", "1", True)]]
)
def test_steps_that_no_command_has(steps: list[tuple[str, str, bool]]) -> None:
    with pytest.raises(ValueError, match="no command"):
        as_command("a.html", steps, [])


def sheet(criterion: str, **options: bool) -> str:
    page = from_flat(flatten(HTML))
    states = slice_flat(page, [Step(parse(criterion), inverse=options.get("inverse", False))]).states
    return as_style_sheet(page, states, inverse=options.get("inverse", False), keep_space=options.get("keep_space", False))


def test_selectors_lead_to_one_node() -> None:
    page = from_flat(flatten(HTML))
    assert selector_of(page, page.tag.index("p")) == "html > body > div:nth-of-type(2) > p:nth-of-type(1)"
    assert selector_of(page, page.tag.index("my.tag")) == "html > body > my\\2e tag:nth-of-type(1)"


def test_style_sheets() -> None:
    where = ":is(html > body > div:nth-of-type(2) > p:nth-of-type(2))"
    assert sheet("b") == f"body :not({where}, {where} *, :has({where})) {{ display: none !important; }}\n"
    assert sheet("b", inverse=True) == f"{where} {{ display: none !important; }}\n"
    assert sheet("b", inverse=True, keep_space=True) == f"{where} {{ visibility: hidden !important; }}\n"
    assert sheet("b", keep_space=True) == (
        f"body {{ visibility: hidden !important; }}\n{where}, {where} * {{ visibility: visible !important; }}\n"
    )
    assert sheet("nada") == "body :not(:not(*), :not(*) *, :has(:not(*))) { display: none !important; }\n"


def test_a_style_sheet_for_too_many_nodes_is_refused() -> None:
    page = from_flat(flatten("<p>x</p><i>y</i>" * 600))
    states = slice_flat(page, [Step(parse("x"))]).states
    with pytest.raises(ValueError, match="too many nodes"):
        as_style_sheet(page, states, inverse=False, keep_space=False)


def filters(criterion: str, inverse: bool = True, levels: int = 0, **reading: object) -> list[str]:
    told = WordComparison(**({"where": "text", "part": True, "accents": True} | reading))  # type: ignore[arg-type]
    written = as_filters("e.org", criterion, parse(criterion), told, levels=levels, inverse=inverse)
    first, *lines = written.splitlines()
    assert first == f"! trasmallo: {criterion}"
    return lines


def test_filters_that_hide() -> None:
    assert filters("ads") == ["e.org##body *:has-text(/ads/iu):not(:has(*:has-text(/ads/iu)))"]
    assert filters("ads", levels=2)[0].endswith(":upward(2)")
    assert filters("ads", case=True) == ["e.org##body *:has-text(/ads/u):not(:has(*:has-text(/ads/u)))"]
    both = filters("a AND NOT b")[0]
    assert both.startswith("e.org##body *:has-text(/a/iu):not(:has-text(/b/iu))")
    assert len(filters("a OR b")) == len(filters("a XOR b")) == 2
    assert "(?:(?:a|b)[^]*?){3}" in filters("SUM(a, b, 3)")[0]
    assert ":not(:has-text(/(?:(?:a)[^]*?){3}/iu))" in filters("MAX(a, 2)")[0]
    assert filters("ads", where="attributes") == [
        'e.org##body *:matches-attr("/^(href|src|alt|title|class|id)$/"="/ads/iu")'
        ':not(:has(*:matches-attr("/^(href|src|alt|title|class|id)$/"="/ads/iu")))'
    ]


def test_filters_that_keep() -> None:
    assert filters("a", inverse=False) == [
        "e.org##:is(p, li, dt, dd, tr, h1, h2, h3, h4, h5, h6, blockquote, pre, figure):not(:has-text(/a/iu))"
    ]
    assert len(filters("a b", inverse=False)) == 2


def test_words_in_filters_are_compared_as_ours() -> None:
    assert "(?<![\\p{L}\\p{M}\\p{N}])ads(?![\\p{L}\\p{M}\\p{N}])" in filters("ads", part=False)[0]
    assert "(?<![\\p{L}\\p{M}\\p{N}])ads/iu" in filters("ads*", part=False)[0]
    assert "/d[oòóôõöø]s\\s+[eèéêë]s/iu" in filters('"dós es"', accents=False)[0]
    assert "/a\\.b\\/\\x22/iu" in filters('«a.b/"»')[0]


def test_a_criterion_for_too_many_filters_is_refused() -> None:
    with pytest.raises(ValueError, match="too many filters"):
        filters(" XOR ".join("abcdefgh"))
