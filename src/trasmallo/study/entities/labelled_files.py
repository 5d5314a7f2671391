"""Files of sentences with labelled names: CoNLL columns (word first, BIO label last), or XML with a tag a kind.

In XML every element inside the outermost one whose name is a kind, or one of TEI's (persName, placeName, orgName, name), is a
name; other elements are only passed through. Labels without B or I are taken as BIO would have them.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from lxml import etree

from trasmallo.study.entities.found_spans import FoundSpan
from trasmallo.study.entities.token_places import TokenPlaces
from trasmallo.study.sentences import cut
from trasmallo.values.errors import DocumentError

TEI = {"PER": "persName", "LOC": "placeName", "ORG": "orgName", "MISC": "name", "DATE": "date", "TIME": "time",
       "QUANTITY": "measure", "MONEY": "measure", "PERCENT": "measure", "ADDRESS": "address", "EMAIL": "email"}  # fmt: skip
"""The element of TEI for each kind; others are <name>."""
_PLAIN = {"person": "PER", "name": "MISC", "location": "LOC", "place": "LOC", "city": "LOC", "organization": "ORG",
          "organisation": "ORG", "persname": "PER", "placename": "LOC", "orgname": "ORG", "misc": "MISC", "per": "PER",
          "loc": "LOC", "org": "ORG"}  # fmt: skip
Labelled = list[tuple[str, str]]


def read_labelled(path: Path, language: str = "es") -> list[Labelled]:
    """The sentences of a file; raises DocumentError, with the line, for one that cannot be understood."""
    text = _text(path)
    found = list(_marked_up(text, path, language) if text.lstrip().startswith("<") else _columns(text, path))
    kinds = {label[2:] for sentence in found for _, label in sentence if label != "O"}
    if not kinds:
        raise DocumentError(
            "{path} has no labelled name in {count} sentences",
            "label names as B-PER, I-PER in the last column",
            path=path,
            count=len(found),
        )
    return found


def lone_kind(path: Path, sentences: Iterable[Labelled]) -> str:
    """What to say of a file whose names are all of one kind, with the first line that has one; "" of any other."""
    kinds = {label[2:] for sentence in sentences for _, label in sentence if label != "O"}
    if len(kinds) != 1:
        return ""
    (kind,) = kinds
    lines = enumerate(_text(path).split("\n"), 1)
    line = next((number for number, line in lines if line.rstrip().endswith(f"-{kind}") or f"<{kind}" in line), 1)
    return f"{path.name} has names of one kind alone: {kind}, first in line {line}; the model will know no other"


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise DocumentError("cannot read {path} ({error})", "name a file in UTF-8", path=path, error=error) from None


def _columns(text: str, path: Path) -> Iterator[Labelled]:
    sentence: Labelled = []
    width = 0
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.split()
        if not fields or line.startswith("-DOCSTART-"):
            if sentence:
                yield _as_bio(sentence)
            sentence = []
            continue
        width = width or len(fields)
        if len(fields) != width or len(fields) < 2:
            raise DocumentError(
                "line {line} of {path} has {count} columns and not {width}",
                "give each word a line with its label in the last column",
                line=number, path=path, count=len(fields), width=max(width, 2),
            )  # fmt: skip
        label = fields[-1]
        if label != "O" and not (len(label) > 2 and label[1] == "-" and label[0] in "BIES"):
            raise DocumentError(
                "line {line} of {path} has the label {label!r}",
                "write O, or B- or I- and a kind",
                line=number,
                path=path,
                label=label,
            )
        sentence.append((fields[0], label))
    if sentence:
        yield _as_bio(sentence)


def _as_bio(sentence: Labelled) -> Labelled:
    """Labels of other habits (IOB1, BIOES) as BIO."""
    found: Labelled = []
    for word, label in sentence:
        if label[0] in "IE" and (not found or found[-1][1][2:] != label[2:]):
            label = f"B-{label[2:]}"
        found.append((word, label.replace("E-", "I-").replace("S-", "B-") if label[0] in "ES" else label))
    return found


def _marked_up(text: str, path: Path, language: str) -> Iterator[Labelled]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise DocumentError("{path} is no sound XML ({error})", "close every element", path=path, error=error) from None
    pieces: list[tuple[str, str]] = []
    _walk(root, "", pieces, outermost=True)
    plain = "".join(piece for piece, _ in pieces)
    kinds, place = [], 0
    for piece, kind in pieces:
        if kind:
            kinds.append(FoundSpan(place, place + len(piece), kind, ""))
        place += len(piece)
    yield from labelled(plain, kinds, language)


def _walk(element: etree._Element, kind: str, pieces: list[tuple[str, str]], *, outermost: bool = False) -> None:
    name = etree.QName(element).localname if isinstance(element.tag, str) else ""
    own = kind if outermost else kind or _kind_of(name, element.get("type", ""))
    pieces.append((element.text or "", own) if isinstance(element.tag, str) else ("", ""))
    for child in element:
        _walk(child, own, pieces)
        pieces.append((child.tail or "", own))


def _kind_of(name: str, told: str) -> str:
    return _PLAIN.get(name.lower(), "") if not name.isupper() else name if not told else told.upper()


class _Marked(Protocol):
    """A name in a text: its characters and its kind."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def kind(self) -> str: ...


def labelled(text: str, names: Iterable[_Marked], language: str) -> Iterator[Labelled]:
    """The sentences of a text with BIO labels for its names."""
    found = cut(text, language)
    tokens, places = found.tokens, TokenPlaces.of(found)
    labels = ["O"] * len(tokens)
    for one in names:
        low, high = places.tokens(one.start, one.end)
        labels[low:high] = [f"{'I' if place > low else 'B'}-{one.kind}" for place in range(low, high)]
    for low, high in found.sentences:
        yield list(zip(tokens.words[low:high], labels[low:high], strict=True))
