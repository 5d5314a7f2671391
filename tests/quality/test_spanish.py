"""The Spanish set: its gold is what its pages show, its words are used once, and main content stays above its floor."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from quality.spanish.render import Page, digest, inner, outer, pages, render, sources
from quality.spanish.source import Block, Source, parse
from support import benchmark_scripts as benchmark
from trasmallo.clean.read import extract

FLOORS: dict[str, Any] = json.loads((Path(__file__).parent / "floors.json").read_text("utf-8"))["spanish"]
ALL = [source for family in sources().values() for source in family]
each_source = pytest.mark.parametrize("source", ALL, ids=lambda source: f"{source.family}/{source.name}")


def _parsed(folder: Path, text: str, family: str = "diario") -> Source:
    path = folder / family / "page.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return parse(path)


def _shown(page: Page) -> str:
    """What a page shows but for the marks of its notes, without white space."""
    tree = LexborHTMLParser(page.content.decode("cp1252" if page.family == "cuaderno" else "utf-8"))
    tree.strip_tags(["script", "style", "sup"])
    assert tree.body is not None
    return "".join(tree.body.text().split())


def _blocks(source: Source) -> Iterator[Block]:
    for units in (source.units, *source.apart.values()):
        for unit in units:
            yield from unit.blocks


def test_blocks_say_by_their_sign_what_they_are(tmp_path: Path) -> None:
    text = "title: T\n\n^ Uno\n\nDos\ntres\n\n# Cuatro\nCinco\n\n- seis\n- siete\n\n| a | b |\n\n$ x = [1]\n$\n$ y\n\n! Pie"
    [unit] = _parsed(tmp_path, text).units

    assert [(block.kind, block.text) for block in unit.blocks] == [
        ("standfirst", "Uno"),
        ("paragraph", "Dos tres"),
        ("heading", "Cuatro"),
        ("paragraph", "Cinco"),
        ("list", "seis\nsiete"),
        ("table", "a b"),
        ("code", "x = [1]\n\ny"),
        ("caption", "Pie"),
    ]


def test_captions_promotions_and_what_stands_apart_are_not_gold(tmp_path: Path) -> None:
    source = _parsed(
        tmp_path, "title: T\n\nDentro **fuerte** [enlace]{1}.\n\n! Pie\n\n~ Lea\n\n% comments\n\n@ Ana | hoy\nFuera."
    )

    assert source.gold == "Dentro fuerte enlace."
    assert source.apart["comments"][1].head == ("Ana", "hoy")


@pytest.mark.parametrize(("family", "gold"), [("foro", "Texto"), ("portal", "Una\nTexto"), ("agenda", "Una\nhoy\nTexto")])
def test_heads_of_posts_are_not_gold_and_those_of_listed_items_are(tmp_path: Path, family: str, gold: str) -> None:
    assert _parsed(tmp_path, "title: T\n\n@ Una | hoy\nTexto", family).gold == gold


def test_a_block_with_a_line_that_lacks_its_mark_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="lacks the mark"):
        _parsed(tmp_path, "title: T\n\n- uno\ndos")


def test_inline_marks_become_markup_and_text_cannot() -> None:
    assert inner("a < b **c** [d e] `f`{2}") == (
        'a &lt; b <strong>c</strong> <a href="/d-e">d e</a> <code>f</code>'
        '<sup class="reference"><a href="#cita-2">[2]</a></sup>'
    )


@pytest.mark.parametrize(
    ("kind", "lines", "markup"),
    [
        ("list", ("a & b", "**c**"), "<ul><li>a &amp; b</li>\n<li><strong>c</strong></li></ul>"),
        ("table", ("a | b", "c | d"), "<table><tr><th>a</th><th>b</th></tr>\n<tr><td>c</td><td>d</td></tr></table>"),
        ("code", ("if a < [b]:", "    `c`"), "<pre><code>if a &lt; [b]:\n    `c`</code></pre>"),
    ],
)
def test_blocks_have_the_markup_of_their_kind(kind: str, lines: tuple[str, ...], markup: str) -> None:
    assert outer(Block(kind, lines)) == markup


def test_a_template_may_choose_the_element_of_a_block() -> None:
    assert outer(Block("paragraph", ("a",)), 'div class="p"') == '<div class="p">a</div>'


@each_source
def test_a_page_shows_its_gold_in_order_and_what_stands_apart_too(source: Source) -> None:
    shown, at = _shown(render(source)), 0

    for line in source.gold.splitlines():
        wanted = "".join(line.split())
        found = shown.find(wanted, at)
        assert found >= at, line
        at = found + len(wanted)
    for block in _blocks(source):
        assert all("".join(line.split()) in shown for line in block.text.splitlines()), block


def test_no_paragraph_is_used_twice() -> None:
    paragraphs = Counter(block.text for source in ALL for block in _blocks(source) if block.kind == "paragraph")

    assert [text for text, count in paragraphs.items() if count > 1] == []


def test_the_set_is_as_large_and_varied_as_it_says() -> None:
    readme = (Path(__file__).parent / "spanish" / "README.md").read_text("utf-8")
    words = sorted(len(re.findall(r"\w+", page.gold)) for page in pages())

    assert readme.partition("\n\n")[2].startswith(f"{len(pages())} pages")
    assert [family for family, found in sources().items() if f"| `{family}` | {len(found)} |" not in readme] == []
    assert sum(words) >= 25_000
    assert words[0] < 70
    assert words[-1] > 1_300


@pytest.mark.quality
def test_favour_goes_from_precision_to_recall_on_spanish_pages() -> None:
    spanish = benchmark.load("extraction").spanish
    sure, whole = (spanish(lambda content, favour=favour: extract(content, favour=favour).text)["all"] for favour in (0.0, 1.0))

    assert sure.precision >= FLOORS["precision at favour 0"]
    assert whole.recall >= FLOORS["recall at favour 1"]


@pytest.mark.quality
def test_main_content_of_spanish_pages_stays_above_its_floor() -> None:
    assert digest() == FLOORS["sha256"], "the pages are not those that the floor was measured on: measure and pin both anew"

    reached = benchmark.load("extraction").spanish(lambda content: extract(content).text)

    assert reached["all"].quality >= FLOORS["f1"], {name: round(score.quality, 4) for name, score in reached.items()}
    assert reached["all"].empty == 0
