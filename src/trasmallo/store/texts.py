"""Texts of others, or our own exports, read for import: JSON lines, CoNLL-U, vertical text, TEI.

A document becomes a page of the type PREPARED, whose text is studied as it is: words are cut and analysed anew, so that what
the program exported gives the same words, lemmas and counts again. A document that names no web address of its own gets the
stable address `http://text.invalid/ID`. One of more than 2 million characters is cut into several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import quote
from xml.sax.saxutils import unescape

import msgspec

from trasmallo.store.stream import BrokenError, ByteStream
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.model import PREPARED, Failure, Outcome, PreparedText, Response

Found = Response | Failure

_MOST_CHARACTERS = 2_000_000  # judgement: characters of one document; a book has a million
_LONGEST_LINE = 1 << 22  # judgement: bytes; a sentence of CoNLL-U has some hundred


class _Line(msgspec.Struct):
    """A document in JSON, under the names that are usual for its parts."""

    text: str = ""
    url: str | None = None
    title: str | None = None
    language: str | None = None
    at: float | None = None
    id: str | None = None
    document: str | None = None


def read_json_lines(stream: ByteStream, limit: int) -> Iterator[Found]:
    """An object with `text` a line, and perhaps `url`, `title`, `language`, `at` (seconds since 1970), `id`."""
    decode = msgspec.json.Decoder(decodable(_Line)).decode
    number = 0
    while line := stream.line(limit):
        number += 1
        if not line.strip():
            continue
        try:
            found = decode(line)
        except UNDECODABLE as error:
            yield Failure(f"http://text.invalid/?line={number}", 0.0, Outcome.BROKEN, str(error)[:200])
            continue
        gathered = Gathered(found.id or found.document or str(number))
        gathered.url, gathered.title, gathered.language = found.url or "", found.title or "", found.language or ""
        gathered.at = max(found.at or 0.0, 0.0)
        gathered.add(found.text, "")
        yield from gathered.finish()


class Gathered:
    """A document that is read piece by piece."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.url = ""
        self.title = ""
        self.language = ""
        self.at = 0.0
        self._pieces: list[str] = []
        self._size = 0
        self._cut = 0

    def add(self, text: str, before: str) -> None:
        """The next piece, and what parts it from the one before."""
        self._pieces += (before, text) if self._pieces else (text,)
        self._size += len(before) + len(text)

    def split(self) -> Iterator[Response]:
        """When it has become too long, what there is so far as a document of its own."""
        if self._size >= _MOST_CHARACTERS:
            yield from self.finish()

    def finish(self) -> Iterator[Response]:
        """The document, if it has any text."""
        text = "".join(self._pieces)
        self._pieces, self._size = [], 0
        if not text.strip():
            return
        self._cut += 1
        url = self.url or "http://text.invalid/" + quote(self.name, safe="")
        if self._cut > 1:
            url += f"{'&' if '?' in url else '?'}part={self._cut}"
        body = msgspec.json.encode(PreparedText(text, self.title, self.language))
        yield Response(
            url=url, at=self.at, status=200, reason="", headers=(("Content-Type", PREPARED),), body=body, content=body
        )


def read_conllu(stream: ByteStream, limit: int) -> Iterator[Found]:  # noqa: ARG001 - the signature of a reader
    """Documents between `# newdoc` comments; the form of a multiword token stands for its parts."""
    document, sentence = Gathered("1"), _Sentence()
    number = 1
    while line := _line(stream):
        if line.startswith("# newdoc"):
            yield from document.finish()
            number += 1
            document = Gathered(_value(line) or str(number))
        elif line.startswith("#"):
            _describe(document, sentence, line)
        elif line.strip():
            sentence.token(line.rstrip("\r\n").split("\t"))
        elif sentence.words:
            document.add(sentence.text, sentence.before)
            sentence = _Sentence(joined=sentence.joined)
            yield from document.split()
    if sentence.words:
        document.add(sentence.text, sentence.before)
    yield from document.finish()


class _Sentence:
    """A sentence of CoNLL-U; `joined` says that nothing parts its last word from what follows."""

    def __init__(self, *, joined: bool = False) -> None:
        self.before = "" if joined else " "
        self.said = ""
        self.words: list[str] = []
        self.joined = False
        self._covered = 0

    @property
    def text(self) -> str:
        """As the comment says it, else of its words."""
        return self.said or "".join(self.words).strip()

    def token(self, columns: list[str]) -> None:
        """The next line; one that is no token is passed over."""
        number, _, last = columns[0].partition("-")
        if len(columns) < 2 or not number.isdecimal() or int(number) <= self._covered:
            return
        self._covered = int(last) if last.isdecimal() else int(number)
        self.joined = "SpaceAfter=No" in columns[-1].split("|")
        self.words.append(columns[1] + ("" if self.joined else " "))


def _describe(document: Gathered, sentence: _Sentence, line: str) -> None:
    name = line[1:].partition("=")[0].strip()
    if name == "newpar" or name.startswith("newpar "):
        sentence.before = "\n"
    elif name == "text":
        sentence.said = _value(line)
    elif name in ("url", "title", "language"):
        setattr(document, name, _value(line))
    elif name == "fetched":
        document.at = time_of(_value(line))


def _value(line: str) -> str:
    return line.partition("=")[2].strip()


def read_vertical(stream: ByteStream, limit: int) -> Iterator[Found]:  # noqa: ARG001 - the signature of a reader
    """Documents between <doc> tags; <p> begins a line of the text, <g/> parts no words."""
    document, number, before = Gathered("1"), 1, ""
    while line := _line(stream):
        found = _TAG.fullmatch(line.strip())
        if not found:
            word = line.rstrip("\r\n").partition("\t")[0]
            document.add(_UNMASKED.sub(lambda mask: unescape(mask[0]), word), before)
            before = " "
        elif found["name"] == "g":
            before = ""
        elif found["name"] in ("p", "head"):
            before = "\n"
        elif found["name"] in ("doc", "text"):
            yield from document.finish()
            number += not found["end"]
            document, before = _described(found["attributes"], number), ""
        elif found["name"] == "s":
            yield from document.split()
    yield from document.finish()


_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z_]\w*)(?P<attributes>(?:\s+[\w.:-]+=(?:\"[^\"]*\"|'[^']*'))*)\s*/?>")
_ATTRIBUTE = re.compile(r"([\w.:-]+)=(?:\"([^\"]*)\"|'([^']*)')")
_UNMASKED = re.compile(r"\A&(?:lt|amp);(?=.)", re.DOTALL)


def _described(attributes: str, number: int) -> Gathered:
    values = {name: unescape(one or other, {"&quot;": '"'}) for name, one, other in _ATTRIBUTE.findall(attributes)}
    document = Gathered(values.get("id") or str(number))
    document.url, document.title = values.get("url", ""), values.get("title", "")
    document.language, document.at = values.get("language", ""), time_of(values.get("date", ""))
    return document


def time_of(text: str) -> float:
    """A time in ISO 8601, in UTC where it names no zone; 0 where it is none."""
    try:
        found = datetime.fromisoformat(text.strip())
        return max(0.0, (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        return 0.0


def _line(stream: ByteStream) -> str:
    try:
        return stream.line(_LONGEST_LINE).decode()
    except UnicodeDecodeError as error:
        raise BrokenError("bytes that are no UTF-8") from error
