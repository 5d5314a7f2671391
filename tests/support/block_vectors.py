"""Pages for finding blocks, and what is found in each: Python writes it down, every browser must agree.

    PYTHONPATH=tests python -m support.block_vectors                        # writes tests/golden/blocks anew
    PYTHONPATH=tests python -m support.block_vectors FOLDER SEED PAGES      # other random pages, in another folder
    node tests/golden/blocks/node.js extension/core FOLDER MODEL

Pages are as a DOM has them, with all white space and what stands in scripts. Everything is drawn with one seed.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from trasmallo.clean.content import bte, cetr, cnr
from trasmallo.clean.content.cover import common, cover
from trasmallo.clean.content.headline import add_headline
from trasmallo.clean.content.menus import find_menus
from trasmallo.clean.content.registry import method_named
from trasmallo.clean.dom import see
from trasmallo.clean.flat import TEXT, FlatPage, flatten
from trasmallo.clean.layout import Layout
from trasmallo.clean.pictures.panels import Subject, sampled, tree_places

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "blocks"
SEED, SOUPS = 11, 150
FAVOURS = [n / 20 for n in range(21)]
_COUNT = 5

_BLOCKS, _INLINES, _UNREAD, _CLASSES, _WORDS, _BLANKS, _STYLES = json.loads((GOLDEN / "words.json").read_text("utf-8")).values()
_PROSE = "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado. "

HARD = [
    "",
    "uno",
    "<p>uno<p>dos",
    "<p><a href=/a>uno</a> <a href=/b>dos</a> | <a href=/c>tres</a>",
    f"<nav>{'<li><a href=/>Sección del menú</a>' * 9}</nav><article><h1>Redes</h1>{f'<p>{_PROSE * 3}</p>' * 4}</article>",
    f"<div hidden>{_PROSE * 30}</div><p>Cargando",
    f"<p>{_PROSE * 6}</p><p style='display: none'>{f'<div>{_PROSE * 3}uno</div>' * 2}<div hidden>{_PROSE * 40}</div>",
    f"<p>{_PROSE * 6}</p><div hidden><p>{_PROSE * 6}</p></div>",
    "<pre>\n  uno\n    dos\n\n</pre> <pre></pre> <b>x</b> <pre> <b> y</b></pre><listing>\r\n a <br> b</listing>",
    "<p>uno<br>dos<br> <br>tres<svg><text>no</text></svg> <b>cuatro</b><select><option>x</select>cinco",
    "<p>uno<svg></svg> <b>dos</b><template><p>no</p></template> <i>tres</i><script>x = '<p>'</script> fin",
    "<div>uno<p>dos</p>tres<b>cuatro</b><p>cinco</p> seis <!-- x --> siete</div>",
    "<body><p>日本語の文章です。<p>ข่าว ข่าว<p>\u00ad\ufeff<p>\ufeff\u3000<p>\u3000日<p>a\u00adb<p>&nbsp;<p>&#x1d;",
    "<frameset><frame src=x></frameset>",
    "<dialog>uno</dialog><dialog open>dos</dialog><p popover>tres<p hidden=until-found>x<details><summary>s</summary>t",
    "<html hidden><body><p>uno",
    "<html><body hidden><p>uno",
    "<title>Título de la página &amp; más</title>"
    "<meta name=description content='La red se cala al anochecer y se recoge de madrugada'>"
    f"<meta property=og:type content=Article><h1>Título de la página</h1><p>{_PROSE * 5}<p>12.30 2019<p>© 2019 | TODO",
    f"<table><tr><td>{_PROSE * 4}<br><br>{_PROSE * 3}<td><a href=/>uno</a><tr><td>dos</table>",
    f"<div id=comments class='Comment list'>{'<div class=comment><p>' + _PROSE + '</p><span>3 min</span></div>'}" * 5,
    "<div>" * 300 + _PROSE * 5 + "</div>" * 300,
    "<p>" + "a " * 3000 + "<p>" + "<b>x</b> " * 300 + "<p>" + "\u00a0" * 50,
    "<svg><linearGradient/></svg><p>uno<svg><clipPath><g/></clipPath></svg> <b>dos</b>",
    f"<math><mi>x</mi><annotation>y</annotation></math><p>{_PROSE * 5}<object><p>dentro {_PROSE}</object>",
    "<ul>" + "<li>uno<li>dos<li>tres" * 30 + "</ul>" + "<p>cuatro" * 12,
]


class Raw(NamedTuple):
    """A page as a DOM has it."""

    parent: list[int]
    tag: list[str]
    attrs: list[list[tuple[str, str]] | None]
    text: list[str]


class Case(NamedTuple):
    """A page as browsers get it, as Python sees it, and the numbers that browsers have for the nodes of the latter."""

    raw: Raw
    page: FlatPage
    layout: Layout
    origin: list[int]


def read_raw(html: str) -> Raw:
    """Every element and text of a page."""
    raw = Raw([], [], [], [])
    waiting: list[tuple[Any, int]] = [(LexborHTMLParser(html.encode("utf-8", "replace"), scripting=True).root, -1)]
    while waiting:
        node, parent = waiting.pop()
        is_text = node.tag_id == 2
        if not is_text and (node.tag is None or node.tag[0] in "-!_"):
            continue
        attributes = [] if is_text else [(name, value or "") for name, value in node.attributes.items()]
        _add(raw, parent, TEXT if is_text else node.tag.lower(), attributes, node.text_content or "" if is_text else "")
        # A browser keeps what stands in a template elsewhere.
        if not is_text and node.tag != "template":
            waiting.extend((child, len(raw.tag) - 1) for child in reversed(_children(node)))
    return raw


def _add(raw: Raw, parent: int, tag: str, attributes: list[tuple[str, str]], text: str) -> None:
    raw.parent.append(parent)
    raw.tag.append(tag)
    raw.attrs.append(attributes or None)
    raw.text.append(text)


def _children(node: Any) -> list[Any]:
    found, child = [], node.first_child
    while child is not None:
        found.append(child)
        child = child.next
    return found


def case_of(html: str) -> Case | None:
    """The two forms of a page; None for one that Python reads without scripts or frames, which browsers do not do."""
    page, layout = see(html)
    if page.tag != flatten(html).tag:
        return None
    raw = read_raw(html)
    return Case(raw, page, layout, _origins(page, raw))


def _origins(page: FlatPage, raw: Raw) -> list[int]:
    """The flat page has its nodes in the order of the raw one, and leaves some of them out."""
    origin: list[int] = []
    at = -1
    for parent, tag, text in zip(page.parent, page.tag, page.text, strict=True):
        wanted = (origin[parent] if parent >= 0 else -1, tag, text)
        at += 1
        while (raw.parent[at], raw.tag[at], raw.text[at]) != wanted:
            at += 1
        origin.append(at)
    return origin


def write_markup(chance: random.Random, size: int) -> str:
    """Tags and words in no good order, but for some prose."""
    found: list[str] = []
    for _ in range(size):
        kind = chance.random()
        if kind < 0.32:
            found.append(_open(chance, chance.choice(_BLOCKS)))
        elif kind < 0.47:
            found.append(_open(chance, chance.choice(_INLINES)))
        elif kind < 0.5:
            found.append(_open(chance, chance.choice(_UNREAD)) + write_text(chance, 3) + f"</{chance.choice(_UNREAD)}>")
        elif kind < 0.65:
            found.append(f"</{chance.choice(_BLOCKS + _INLINES)}>")
        elif kind < 0.68:
            found.append(chance.choice(["<!-- x -->", "</body>", "&nbsp;", "<br><br>", "<hr>"]))
        else:
            found.append(write_text(chance, chance.choice([2, 4, 8, 40])))
    return "".join(found)


def _open(chance: random.Random, tag: str) -> str:
    attributes = ""
    if chance.random() < 0.3:
        attributes += f' class="{" ".join(chance.sample(_CLASSES, chance.choice([1, 1, 2])))}"'
    if chance.random() < 0.1:
        attributes += f" id={chance.choice(_CLASSES)}"
    if tag == "a" and chance.random() < 0.9:
        attributes += " href=/x"
    if chance.random() < 0.08:
        attributes += chance.choice(
            [" hidden", " popover", f' style="{chance.choice(_STYLES)}"', " role=navigation", " role=main", " class='menu\n'",
             " aria-hidden=true", " itemprop=articleBody", " open"]
        )  # fmt: skip
    return f"<{tag}{attributes}>"


def write_text(chance: random.Random, most: int) -> str:
    words = [chance.choice(_WORDS) for _ in range(chance.randrange(most + 1))]
    return "".join(part for word in words for part in (word, chance.choice(_BLANKS)))


def write_page(chance: random.Random) -> str:
    """A soup, or repeated shapes with prose, with a head more often than not."""
    head = f"<title>{write_text(chance, 6)}</title><meta name=description content='{write_text(chance, 12)}'>"
    head += chance.choice(["", "<meta property=og:type content=article>", "<meta property=og:type content='Product x'>"])
    size = chance.choice([4, 15, 40, 90])
    if chance.random() < 0.5:
        return head * chance.randrange(2) + write_markup(chance, size)
    unit = write_markup(chance, 5)
    prose = "".join(f"<p>{write_text(chance, 60)}</p>" for _ in range(chance.randrange(6)))
    parts = [unit] * chance.randrange(1, 9) + [prose, write_markup(chance, size // 2)]
    chance.shuffle(parts)
    return head + f"<div>{'</div><div>'.join(parts)}</div>"


def spanish() -> Iterator[str]:
    """A page of each family of the Spanish set."""
    from quality.spanish.render import pages

    families = {page.family: page for page in pages()}
    for page in families.values():
        yield page.content.decode("cp1252" if page.family == "cuaderno" else "utf-8")


def cases(chance: random.Random, soups: int) -> Iterator[Case]:
    """Pages drawn by lot."""
    made = 0
    while made < soups:
        case = case_of(write_page(chance))
        if case is not None:
            made += 1
            yield case


def digest(numbers: Iterable[int]) -> int:
    """FNV-1a of 32 bits over numbers, low byte first; simple enough to be written in any language."""
    value = 0x811C9DC5
    for number in numbers:
        for shift in (0, 8, 16, 24):
            value = ((value ^ (number >> shift & 255)) * 0x01000193) & 0xFFFFFFFF
    return value


def digest_text(text: str) -> int:
    return digest(map(ord, text))


def main_nodes(case: Case, method: str, favour: float, headline: bool) -> list[int]:
    """The nodes of the main content; CNR's main block is one node, the headline beside it another."""
    page, layout = case.page, case.layout
    block = cnr.find_block(page, cnr.compute(page, layout.hidden), favour=favour) if method == "cnr" else None
    main = method_named(method).find(page, layout, favour=favour)
    both = add_headline(page, layout, main) if headline else main
    if block is None:
        return cover(page, layout, both)
    return [*cover(page, layout, [one and not other for one, other in zip(both, main, strict=True)]), block.node]


def tell(case: Case, method: str, favour: float, *, headline: bool = False) -> list[Any]:
    """The nodes of the main content, and of each block its nodes, ratio, characters and path."""
    page, layout, origin = case.page, case.layout, case.origin
    ratios = cnr.compute(page, layout.hidden)
    nodes = main_nodes(case, method, favour, headline)
    found = [] if not nodes else [(nodes, *_measure(ratios, nodes))]
    if nodes:
        further = cnr.find_blocks(page, layout.hidden, _COUNT - 1, favour=favour, taken=nodes)
        found += [([one.node], one.ratio, one.size) for one in further]
    return [[origin[node] for node in nodes], [_tell_block(case, *block) for block in found]]


def _tell_block(case: Case, nodes: list[int], ratio: float, size: int) -> list[Any]:
    around = common(case.page, nodes)
    path = digest_text(case.page.paths()[around])
    return [case.origin[around], [case.origin[node] for node in nodes], ratio, size, path]


def _measure(ratios: cnr.Ratios, nodes: list[int]) -> tuple[float, int]:
    size, weight = sum(ratios.characters[node] for node in nodes), sum(ratios.weight[node] for node in nodes)
    return size / weight if weight else 0, size


def tell_menus(case: Case, favour: float) -> list[Any]:
    return [[case.origin[node], ratio, links] for node, ratio, links in find_menus(case.page, case.layout, 100, favour=favour)]


def tell_layout(case: Case) -> list[int]:
    """How many blocks there are, and a digest of their texts and places."""
    layout = case.layout
    numbers = [*(case.origin[node] for node in (*layout.node, *layout.first, *layout.last)), *layout.weight, *layout.linked]
    return [len(layout), digest(numbers), digest_text(layout.text)]


def explain(case: Case, favour: float) -> dict[str, Any]:
    """What the pictures of a page show, as the extension's `explain` tells it."""
    page, layout = case.page, case.layout
    subject = Subject(page, layout, favour)
    ratios, found = subject.ratios, subject.found
    values = sorted(map(ratios.ratio, ratios.nodes))
    smoothed = cetr.smooth(cetr.tag_ratios(page, layout))

    def told(node: int) -> dict[str, Any]:
        return {
            "node": case.origin[node], "tag": page.tag[node], "ratio": ratios.ratio(node),
            "characters": ratios.characters[node], "weight": ratios.weight[node],
            "path": subject.paths[node], "main": subject.is_main(node),
        }  # fmt: skip

    return {
        "total": len(ratios.nodes),
        "taken": min(subject.taken, len(ratios.nodes)),
        "main": found and told(found.node),
        "nodes": [told(node) for node in subject.ranked[:24]],
        "curve": [[place, values[place]] for place in sampled(len(values))],
        "tree": [told(node) | {"depth": depth, "at": at} for node, (depth, at) in tree_places(subject).items()],
        "cnr": {
            "ratios": [ratios.ratio(node) for node in layout.node],
            "main": cnr.within(page, layout, found.node) if found else [True] * len(layout),
        },
        "cetr": {
            "ratios": smoothed.tolist(),
            "changes": cetr.changes(smoothed).tolist(),
            "main": cetr.find_main(page, layout, favour=favour),
        },
        "slope": _slope(case, favour),
    }


def _slope(case: Case, favour: float) -> dict[str, Any]:
    slope = bte.slope_of(case.page, case.layout)
    stretch, tags = bte.plateau(slope, favour=favour), slope.stream.tags
    before = list(accumulate(tags))
    seen = list(accumulate(map(sum, zip(tags, slope.words, strict=True))))
    points = [[seen[place] - words, before[place]] for place in sampled(len(seen)) for words in (slope.words[place], 0)]
    held = stretch and {
        "from": seen[stretch.first] - slope.words[stretch.first],
        "to": seen[stretch.last],
        "words": sum(slope.words[stretch.first : stretch.last + 1]),
    }
    return {
        "points": points,
        "tags": sum(tags) + slope.stream.trailing,
        "tokens": sum(tags) + sum(slope.words) + slope.stream.trailing,
        "words": sum(slope.words),
        "plateau": held,
    }


def digest_told(value: Any) -> int:
    """A digest of numbers, texts, lists and objects; fractions count to about nine digits."""
    numbers: list[int] = []

    def walk(inner: Any) -> None:
        if isinstance(inner, dict):
            for key in sorted(inner):
                walk(inner[key])
        elif isinstance(inner, list | tuple):
            numbers.append(len(inner))
            for item in inner:
                walk(item)
        elif isinstance(inner, str):
            numbers.extend(map(ord, inner))
        else:
            numbers.extend(_parts(float(inner or 0)))

    walk(value)
    return digest(numbers)


def _parts(number: float) -> tuple[int, int]:
    whole = math.floor(number)
    return whole & 0xFFFFFFFF, math.floor((number - whole) * (1 << 30))


def tell_case(number: int, case: Case, chance: random.Random) -> Iterator[list[Any]]:
    """All cases of a page: the number of the page, what is asked, the favour, the answer."""
    yield [number, "layout", 0.5, tell_layout(case)]
    for method in ("cnr", "cetr", "best", "plain"):
        for favour in (0.5, chance.choice(FAVOURS)):
            yield [number, method, favour, tell(case, method, favour)]
        favour = chance.choice(FAVOURS)
        yield [number, f"{method} headline", favour, tell(case, method, favour, headline=True)]
    for favour in (0.5, chance.choice(FAVOURS)):
        yield [number, "menus", favour, tell_menus(case, favour)]
    favour = chance.choice(FAVOURS)
    yield [number, "explain", favour, digest_told(explain(case, favour))]


def write(folder: Path, made: Iterable[Case], chance: random.Random) -> None:
    """Write the files of some pages."""
    folder.mkdir(parents=True, exist_ok=True)
    pages, rows = folder / "pages.jsonl", folder / "cases.jsonl"
    with pages.open("w", encoding="ascii") as written, rows.open("w", encoding="ascii") as told:
        for number, case in enumerate(made):
            written.write(_line(case.raw._asdict()))
            told.writelines(map(_line, tell_case(number, case, chance)))


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"


def read_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def golden_cases(chance: random.Random) -> Iterator[Case]:
    """Hard pages written by hand, Spanish ones, soups."""
    for html in (*HARD, *spanish()):
        case = case_of(html)
        assert case is not None
        yield case
    yield from cases(chance, SOUPS)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        lot = random.Random(int(sys.argv[2]))
        write(Path(sys.argv[1]), cases(lot, int(sys.argv[3])), lot)
    else:
        lot = random.Random(SEED)
        write(GOLDEN, golden_cases(lot), lot)
