"""Pages with known main content, and what share of each of their blocks belongs to it."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import numpy as np
import zstandard

from trasmallo.clean.content.features import Floats, Matrix, smooth
from trasmallo.clean.dom import see
from trasmallo.clean.flat import FlatPage
from trasmallo.clean.layout import Layout

FULL = ("scrapinghub", "cleanportaleval", "daniel", "wcxb")
SETS = (*FULL, "trafilatura")
# One token a character in scripts without spaces, as benchmarks/extraction.py counts.
_DENSE = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(f"[{_DENSE}]|[^\\W{_DENSE}]+")
_SHINGLE = 4
_TRUSTED = 8
_BELL = np.exp(-(np.arange(-8, 9) ** 2) / 32.0)
UNKNOWN = -1.0
# A short text that the gold has somewhere is meant when main content is near.
_NEAR = 0.1


class Sample(msgspec.Struct):
    """A page to learn from: `label` is the share of each block that is main content, or UNKNOWN; `size` its tokens."""

    name: str
    site: str
    page: FlatPage
    layout: Layout
    label: Floats
    size: Floats
    gold: Counter[str] | None
    bags: list[Counter[str]]
    wanted: list[str]
    unwanted: list[str]
    first: Matrix | None = None
    second: Matrix | None = None
    blocks: Any = None

    def texts(self) -> list[str]:
        """The text of each block."""
        layout = self.layout
        return [layout.text[start:end] for start, end in zip(layout.start, layout.end, strict=True)]


def tokens(text: str) -> list[str]:
    """The words of a text as the scorer counts them."""
    return _TOKEN.findall(text.lower())


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def load(folder: Path, every: int = 1) -> Iterator[Sample]:
    """The pages of all sets that show any text."""
    for name in SETS:
        for number, line in enumerate(_lines(folder / f"{name}.jsonl.zst")):
            if number % every == 0 and (sample := _sample(name, json.loads(line.decode("utf-8", "surrogatepass")))):
                yield sample


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as reader:
        yield from io.BufferedReader(reader, 1 << 20)


def _sample(name: str, record: dict[str, Any]) -> Sample | None:
    page, layout = see(record["html"])
    if not len(layout):
        return None
    texts = [layout.text[start:end] for start, end in zip(layout.start, layout.end, strict=True)]
    bags = [tokens(text) for text in texts]
    gold, wanted, unwanted = record["gold_text"], record.get("with_") or [], record.get("without") or []
    label = _label_text(bags, tokens(gold)) if gold is not None else _label_segments(texts, wanted, unwanted)
    size = np.array([len(bag) for bag in bags], dtype=np.float64)
    known = Counter(tokens(gold)) if gold is not None else None
    return Sample(name, _site(record), page, layout, label, size, known, [Counter(bag) for bag in bags], wanted, unwanted)


def _site(record: dict[str, Any]) -> str:
    """The registered domain, nearly; a page without an address is its own site."""
    host = urlsplit(record.get("url") or "").hostname
    if not host:
        return f"id:{record['id']}"
    parts = host.split(".")
    return ".".join(parts[-3:] if len(parts) > 2 and len(parts[-2]) <= 3 else parts[-2:])


def _shingles(words: list[str]) -> list[tuple[str, ...]]:
    return list(zip(*(words[k:] for k in range(_SHINGLE)), strict=False))


def _label_text(bags: list[list[str]], gold: list[str]) -> Floats:
    """By what the gold says; short texts count only as often as the gold has them, those nearest to long matches first."""
    whole, known = f" {' '.join(gold)} ", set(_shingles(gold))
    label, size = np.zeros(len(bags)), np.array([min(len(bag), 60) for bag in bags], dtype=np.float64)
    short: dict[str, list[int]] = defaultdict(list)
    for number, bag in enumerate(bags):
        text = f" {' '.join(bag)} "
        if bag and len(bag) < _TRUSTED and text in whole:
            short[text].append(number)
        elif len(bag) >= _TRUSTED:
            label[number] = 1.0 if text in whole else _share(bag, known)
    near = smooth(label * size, _BELL) / smooth(size + 1, _BELL)
    for text, numbers in short.items():
        likely = [number for number in numbers if near[number] > _NEAR or _continues(bags, number, whole)]
        for number in sorted(likely, key=lambda number: -near[number])[: whole.count(text)]:
            label[number] = 1.0
    return label


def _continues(bags: list[list[str]], number: int, whole: str) -> bool:
    """Whether the gold has the text of a block together with the beginning of the next or the end of the one before."""
    before, own, after = ([], *bags, [])[number : number + 3]
    return any(len(run) > len(own) and f" {' '.join(run)} " in whole for run in (own + after[:3], before[-3:] + own))


def _share(bag: list[str], known: set[tuple[str, ...]]) -> float:
    shingles = _shingles(bag)
    share = sum(shingle in known for shingle in shingles) / len(shingles)
    return share if share > 0.2 else 0.0


def _label_segments(texts: list[str], wanted: list[str], unwanted: list[str]) -> Floats:
    """By segments that must and must not be there; what no segment speaks of is unknown."""
    label = np.full(len(texts), UNKNOWN)
    for number, text in enumerate(texts):
        if any(segment and segment in text for segment in unwanted):
            label[number] = 0.0
        if any(segment and segment in text for segment in wanted):
            label[number] = 1.0
    return label
