"""README and tutorial say the same in Spanish: one that is changed without the other fails here.

Figures are compared as numbers: 1,125 and 0.5 in English are 1125 (or, with a no-break space, 503 434) and 0,5 in Spanish.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAIRS = [(path, path.with_suffix(".es.md")) for path in (ROOT / "README.md", ROOT / "docs" / "tutorial.md")]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"(?<=\S) +# .*")
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")


class Part(NamedTuple):
    """What a heading, a paragraph, a row of a table or a block of code has in common with its translation."""

    kind: str
    cells: int
    figures: list[float]
    code: list[str]
    links: list[str]


def parts(path: Path) -> list[Part]:
    """The page, part by part."""
    text, spanish = path.read_text(encoding="utf-8"), path.name.endswith(".es.md")
    pieces = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return [part for piece in pieces for part in (block(piece) if piece.startswith("```") else prose(piece, spanish))]


def block(piece: str) -> list[Part]:
    """A block of code: the same line for line, but for the remarks behind commands."""
    found = FENCE.match(piece)
    assert found, piece
    return [Part(f"code {found[1]}", 1, [], [COMMENT.sub("", line) for line in found[2].splitlines()], [])]


def prose(piece: str, spanish: bool) -> list[Part]:
    """Headings, rows and paragraphs."""
    lines = re.sub(r"^(#.*|\|.*|[-*] .*|\d+\. .*)$", r"\n\1\n", piece, flags=re.MULTILINE)
    return [common(paragraph.strip(), spanish) for paragraph in re.split(r"\n\s*\n", lines) if paragraph.strip()]


def common(paragraph: str, spanish: bool) -> Part:
    """Words may stand in another order in the other language, and in a row of a table only inside their cell."""
    kind = next((sign for sign in ("####", "###", "##", "#", "|", "-", "!") if paragraph.startswith(sign)), "")
    links = [re.sub(r"\.es(?=\.md)", "", link) for link in LINK.findall(paragraph)]
    plain = CODE.sub(" ", LINK.sub("]", paragraph))
    cells = plain.split("|") if kind == "|" else [plain]
    figures = [figure for cell in cells for figure in sorted(numbers(cell, spanish))]
    return Part(kind, len(cells), figures, sorted(CODE.findall(paragraph)), links if kind == "!" else sorted(links))


def numbers(text: str, spanish: bool) -> list[float]:
    """The figures of a text as they are written in its language."""
    if spanish:
        found = re.findall(r"\d+(?:\u00a0\d{3}(?!\d))*(?:[.,]\d+)?", text)
        return [float(figure.replace("\u00a0", "").replace(",", ".")) for figure in found]
    return [float(figure.replace(",", "")) for figure in re.findall(r"\d+(?:,\d{3}(?!\d))*(?:\.\d+)?", text)]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0].stem)
def test_both_languages_say_the_same(pair: tuple[Path, Path]) -> None:
    for number, (english, spanish) in enumerate(zip_longest(*map(parts, pair)), 1):
        assert english == spanish, f"part {number} of {pair[0].name} differs from {pair[1].name}: change both"


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0].stem)
def test_each_language_leads_to_the_other_and_stays_in_its_own(pair: tuple[Path, Path]) -> None:
    texts = [path.read_text(encoding="utf-8") for path in pair]
    heads = [text.split("\n\n")[1] for text in texts]
    assert f"]({pair[1].name})" in heads[0]
    assert f"]({pair[0].name})" in heads[1]
    translated = {path.name for path, _ in PAIRS}
    elsewhere = LINK.findall(texts[1].replace(heads[1], ""))
    assert not [link for link in elsewhere if Path(link).name in translated - {"README.md"}]


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("| crawl | 1,125 pages |", "| recorrer | 1152 páginas |"),
        ("| crawl | 1,125 pages |", "| recorrer | 1.125 páginas |"),
        ("| crawl | 0.5 s | 2 |", "| recorrer | 2 | 0,5 s |"),
        ("| crawl |\n| clean |", "| recorrer |"),
        ("```console\n$ trasmallo run a\n```", "```console\n$ trasmallo run b\n```"),
        ("See [it](a.md).", "Véase [esto](b.md)."),
        ("## One", "### Uno"),
        ("Run `a`.", "Se ejecuta `b`."),
        ("One.\n\nTwo.", "Uno. Dos."),
    ],
)
def test_a_difference_is_seen(english: str, spanish: str, tmp_path: Path) -> None:
    assert read(tmp_path, english, ".md") != read(tmp_path, spanish, ".es.md")


def test_what_a_language_writes_in_its_own_way_is_the_same(tmp_path: Path) -> None:
    english = "503,434 of 3.11, [here](a.md)\n\n```console\n$ x '#' # say\n```\n"
    spanish = "De 3,11, 503\u00a0434, [aquí](a.es.md)\n\n```console\n$ x '#'  # decir\n```\n"
    assert read(tmp_path, english, ".md") == read(tmp_path, spanish, ".es.md")


def read(folder: Path, text: str, ending: str) -> list[Part]:
    path = folder / f"page{ending}"
    path.write_text(text, encoding="utf-8")
    return parts(path)
