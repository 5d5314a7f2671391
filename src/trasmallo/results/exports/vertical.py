"""Vertical text: a token a line, structures as tags of their own, and the registry file with which NoSketch Engine loads it.

Lines are word, lemma, pos (UPOS) and tag, parted by tabs. Structures are corpus (the header), doc, p (a line of the text), s,
and the empty g between tokens that no blank parts. A line that begins with "<" is taken for a tag, and nobody decodes entities
in words: so only the "<" in front of a longer word is written as "&lt;" (and, to be reversible, "&lt;" itself as "&amp;lt;").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import quoteattr

from trasmallo.results.exports.documents import TokenisedDocument
from trasmallo.results.exports.header import ExportRequest, Header
from trasmallo.results.exports.rendering import ExportedToken, TextFormat, clean, obtained, write_text
from trasmallo.results.exports.source import ExportSource
from trasmallo.results.rows import PageRow
from trasmallo.study import languages
from trasmallo.values.atomic_files import drafted

ATTRIBUTES = ("word", "lemma", "pos", "tag")
_DOCUMENT = ("id", "docno", "url", "host", "date", "title", "language", "words")
_MISTAKEN = re.compile(r"<.|&(?:lt|amp);", re.DOTALL)
_ESCAPED = {"<": "&lt;", "&": "&amp;"}


def write_vert(source: ExportSource, path: Path, wanted: ExportRequest) -> int:
    """The documents as vertical text, and `OUT.registry` beside it; returns the number of documents."""
    wanted.only_conditions("vertical text")
    number = write_text(source, path, wanted, Vertical)
    with drafted(path.with_name(path.name + ".registry")) as draft:
        draft.write_text(registry(Header.of(source, wanted), path.absolute(), source.language), encoding="utf-8")
    return number


class Vertical(TextFormat):
    """Writes vertical text."""

    def begin(self) -> bytes:
        """The header as the attributes of a structure around all documents."""
        return f"<corpus{_attributes(self.header.pairs)}>\n".encode()

    def end(self) -> bytes:
        """The end of that structure."""
        return b"</corpus>\n"

    def token(self, word: ExportedToken) -> str:
        """A line."""
        form = _ESCAPED[word.word[0]] + word.word[1:] if _MISTAKEN.match(word.word) else word.word or "\ufffd"
        return f"{form}\t{word.lemma}\t{word.category}\t{word.tag}\n"

    def joined(self, line: bytes) -> bytes:
        """With the glue behind it."""
        return line + b"<g/>\n"

    def document(self, document: TokenisedDocument) -> bytes:
        """A structure `doc`."""
        between = b"</s>\n</p>\n<p>\n<s>\n"
        lines = document.opened(self.rendering.lines(document), b"<p>\n<s>\n", between, b"</s>\n<s>\n")
        closed = b"</s>\n</p>\n</doc>\n" if lines else b"</doc>\n"
        return f"<doc{_attributes(_about(document.page, document.docno))}>\n".encode() + b"".join(lines) + closed


def _name(language: str) -> str:
    """The English name of a language, as NoSketch Engine knows it; its code where it has none."""
    known = languages.find(language)
    return known.description.english if known else language


def registry(header: Header, vertical: Path, language: str) -> str:
    """The registry file of a vertical text; who loads it may have to change its two paths."""
    name = clean(header.corpus)
    identifier = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower() or "corpus"
    about = "; ".join(f"{key}: {clean(text)}" for key, text in header.pairs.items() if text)
    lines = [
        f"# {about}",
        f"NAME {_quoted(name)}",
        f"INFO {_quoted(about)}",
        f"PATH {_quoted(f'/corpora/manatee/{identifier}')}",
        f"VERTICAL {_quoted(str(vertical))}",
        'ENCODING "UTF-8"',
        f"LANGUAGE {_quoted(_name(language))}",
        'DOCSTRUCTURE "doc"',
        "",
        *(f"ATTRIBUTE {attribute}" for attribute in ATTRIBUTES),
        _LOWERED.format(name="lc", source="word"),
        _LOWERED.format(name="lemma_lc", source="lemma"),
        "",
        _structure("corpus", tuple(header.pairs)),
        _structure("doc", _DOCUMENT),
        "STRUCTURE p",
        "STRUCTURE s",
        'STRUCTURE g {\n    DISPLAYTAG 0\n    DISPLAYBEGIN "_EMPTY_"\n}',
    ]
    return "\n".join(lines) + "\n"


_LOWERED = """\
ATTRIBUTE {name} {{
    DYNAMIC utf8lowercase
    DYNLIB internal
    ARG1 "C"
    FUNTYPE s
    FROMATTR {source}
    TYPE index
    TRANSQUERY yes
}}"""


def _structure(name: str, attributes: tuple[str, ...]) -> str:
    return f"STRUCTURE {name} {{\n" + "".join(f"    ATTRIBUTE {attribute}\n" for attribute in attributes) + "}"


def _about(page: PageRow, docno: str) -> dict[str, str]:
    values = (page.document, docno, page.url, page.host, obtained(page.at)[:10], page.title, page.language, str(page.words))
    return dict(zip(_DOCUMENT, values, strict=True))


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f" {name}={quoteattr(clean(text), _DOUBLE)}" for name, text in values.items())


# Readers know no other quotes than double ones.
_DOUBLE = {'"': "&quot;"}


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "/").replace('"', "'") + '"'
