"""The Spanish pages: each source dressed by the template of its family, with its gold.

What varies inside a family (which boxes there are, where they stand) is drawn with the page's name as the seed, so a page is
the same bytes in every run.
"""

from __future__ import annotations

import hashlib
import html
import random
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from quality.spanish.source import Block, Source, parse

HERE = Path(__file__).resolve().parent
# Browsers read Latin-1 as this too; one family is as old as its encoding.
_ENCODINGS = {"cuaderno": "cp1252"}
_ITEMS = {"list": ("<li>", "</li>"), "steps": ("<li>", "</li>")}
_WRAP = {
    "paragraph": ("<p>", "</p>"),
    "question": ("<p><strong>", "</strong></p>"),
    "standfirst": ("<h2>", "</h2>"),
    "heading": ("<h2>", "</h2>"),
    "quote": ("<blockquote><p>", "</p></blockquote>"),
    "list": ("<ul>", "</ul>"),
    "steps": ("<ol>", "</ol>"),
    "table": ("<table>", "</table>"),
    "code": ("<pre><code>", "</code></pre>"),
    "caption": ('<figure><img src="/img/foto.jpg" alt=""><figcaption>', "</figcaption></figure>"),
    "promotion": ("<p>", "</p>"),
}


@dataclass(frozen=True)
class Page:
    """One page of the set: its markup as a server would send it, and its main content."""

    name: str
    family: str
    content: bytes
    gold: str


@cache
def sources() -> dict[str, tuple[Source, ...]]:
    """The sources by family."""
    folders = sorted(path for path in (HERE / "pages").iterdir() if path.is_dir())
    return {folder.name: tuple(parse(path) for path in sorted(folder.glob("*.txt"))) for folder in folders}


@cache
def pages() -> tuple[Page, ...]:
    """All pages, always in the same order."""
    return tuple(render(source) for family in sources().values() for source in family)


def digest() -> str:
    """One figure for the markup and gold of the whole set."""
    total = hashlib.sha256()
    for page in pages():
        total.update(page.content + b"\0" + page.gold.encode() + b"\0")
    return total.hexdigest()


def render(source: Source) -> Page:
    """A source in the clothes of its family."""
    template = _templates().get_template(f"{source.family}.html")
    text = template.render(page=source, **source.fields, **_drawn(source))
    charset = _ENCODINGS.get(source.family, "utf-8")
    return Page(f"{source.family}/{source.name}", source.family, text.encode(charset, "xmlcharrefreplace"), source.gold)


def _drawn(source: Source) -> dict[str, Callable[..., Any]]:
    """What a template may draw by lot: a choice, one that is the same for the same name, a chance, a number, other titles."""
    lot = random.Random(zlib.crc32(f"{source.family}/{source.name}".encode()))
    titles = [other.fields["title"] for other in sources()[source.family] if other.name != source.name]
    return {
        "pick": lambda *choices: lot.choice(choices),
        "always": lambda name, *choices: choices[zlib.crc32(name.encode()) % len(choices)],
        "chance": lambda share: lot.random() < share,
        "number": lot.randint,
        "others": lambda count: lot.sample(titles, min(count, len(titles))),
    }


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(HERE / "templates")
    found = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    found.filters.update(inner=inner, outer=outer, slug=slug)
    return found


def slug(text: str) -> str:
    """A text as the last step of an address."""
    return re.sub(r"\W+", "-", text.lower()).strip("-")[:60]


def inner(text: str) -> Markup:
    """A line with its emphasis, links and notes as markup."""
    found = html.escape(text, quote=False)
    found = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", found)
    found = re.sub(r"`(.+?)`", r"<code>\1</code>", found)
    found = re.sub(r"\[([^\]]+)\]", lambda match: f'<a href="/{slug(match[1])}">{match[1]}</a>', found)
    return Markup(re.sub(r"\{(\d+)\}", r'<sup class="reference"><a href="#cita-\1">[\1]</a></sup>', found))


def outer(block: Block, tag: str = "") -> Markup:
    """A block in plain markup; `tag`, such as `div class="p"`, takes the place of its usual element."""
    before, after = (f"<{tag}>", f"</{tag.split()[0]}>") if tag else _WRAP[block.kind]
    return Markup(before + _filled(block) + after)


def _filled(block: Block) -> str:
    if block.kind == "code":
        return html.escape("\n".join(block.lines))
    if block.kind == "table":
        return "\n".join(_row(cells, "th" if not number else "td") for number, cells in enumerate(block.rows))
    before, after = _ITEMS.get(block.kind, ("", ""))
    return "\n".join(f"{before}{inner(line)}{after}" for line in block.lines)


def _row(cells: list[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{inner(cell)}</{tag}>" for cell in cells) + "</tr>"
