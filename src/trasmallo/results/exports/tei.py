"""TEI P5: a teiCorpus with its header, and a TEI for each document, with p (a line of the text), s, w and pc.

`lemma`, `pos` (UPOS) and `msd` (the tag) are those of att.linguistic; `join="right"` says that no blank follows. Names, dates
and quantities are elements inside of s (persName, placeName, orgName, name, date, measure), `key` is what they mean. Nobody
knows the rights of the texts, so nothing is claimed about them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from trasmallo.results.exports.documents import TokenisedDocument
from trasmallo.results.exports.header import ExportRequest
from trasmallo.results.exports.rendering import ExportedToken, TextFormat, clean, obtained, write_text
from trasmallo.results.exports.source import ExportSource
from trasmallo.results.rows import PageRow
from trasmallo.study.entities.labelled_files import TEI
from trasmallo.study.query.entity_columns import TokenSpan
from trasmallo.values.software import __version__

_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")

_CORPUS = """\
<?xml version="1.0" encoding="UTF-8"?>
<teiCorpus xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader>
<fileDesc>
<titleStmt><title>{corpus}</title></titleStmt>
<publicationStmt>
<authority>Whoever keeps the corpus {corpus}</authority>
<availability status="unknown"><p>Each text belongs to its author; ask at its source before publishing it.</p></availability>
<date when="{date}">{date}</date>
</publicationStmt>
<sourceDesc><p>Pages of the web, in the run {run} of the corpus {corpus}; each document names its own.</p></sourceDesc>
</fileDesc>
<encodingDesc>
<samplingDecl><p>{query}</p></samplingDecl>
<editorialDecl>
<segmentation><p>A p is a line of the page's main text, an s a sentence found by rules, a w what stands between blanks and \
signs.</p></segmentation>
<interpretation><p>Lemmas and categories (Universal Dependencies) were assigned by the program.</p></interpretation>
</editorialDecl>
<appInfo><application ident="trasmallo" version="{version}"><label>{software}</label></application></appInfo>
</encodingDesc>
</teiHeader>
"""
_DOCUMENT = """\
<TEI xml:id="d{document}" xml:lang="{language}">
<teiHeader>
<fileDesc>
<titleStmt><title>{title}</title></titleStmt>
<publicationStmt><p>Part of a corpus, see its header.</p></publicationStmt>
<sourceDesc><bibl><title>{title}</title> <idno type="URI">{url}</idno>{named}{dated}</bibl></sourceDesc>
</fileDesc>
<profileDesc><langUsage><language ident="{language}"/></langUsage></profileDesc>
</teiHeader>
<text><body>
"""
_DOCUMENT_END = b"</body></text>\n</TEI>\n"


def write_tei(source: ExportSource, path: Path, wanted: ExportRequest) -> int:
    """The documents as TEI; returns their number."""
    wanted.only_conditions("TEI")
    return write_text(source, path, wanted, Tei)


class Tei(TextFormat):
    """Writes TEI P5."""

    def begin(self) -> bytes:
        """The head of the corpus."""
        values = {name: escape(clean(text)) for name, text in self.header.pairs.items()}
        values["query"] = f"The documents chosen by {values['query']}." if values["query"] else "All documents of the run."
        return _CORPUS.format(**values, version=__version__).encode()

    def end(self) -> bytes:
        """The end of the corpus."""
        return b"</teiCorpus>\n"

    def token(self, word: ExportedToken) -> str:
        """A w, or a pc for a sign."""
        tag = f" msd={quoteattr(word.tag)}" if word.tag else ""
        described = f' pos="{word.category}"{tag}>{escape(word.word)}'
        return f"<pc{described}</pc>\n" if word.category == "PUNCT" else f"<w lemma={quoteattr(word.lemma)}{described}</w>\n"

    def joined(self, line: bytes) -> bytes:
        """With the attribute that says so."""
        name, _, rest = line.partition(b" ")
        return name + b' join="right" ' + rest

    def document(self, document: TokenisedDocument) -> bytes:
        """A TEI."""
        named = _named(self.rendering.lines(document), document.entities)
        lines = document.opened(named, b"<p><s>\n", b"</s></p>\n<p><s>\n", b"</s>\n<s>\n")
        lines.append(b"</s></p>\n" if lines else b"<p/>\n")
        return _DOCUMENT.format(**_about(document.page, document.docno)).encode() + b"".join(lines) + _DOCUMENT_END


def _named(lines: list[bytes], entities: Sequence[TokenSpan]) -> list[bytes]:
    """The lines of tokens with elements around those of entities: persName, placeName, orgName, date, measure..."""
    for one in entities:
        name = TEI.get(one.kind, "name").replace("address", "name")  # TEI's own address has lines inside, not words
        told = f' type="{escape(one.kind.lower())}"' if name in ("name", "measure") else ""
        opening = f"<{name}{told} key={quoteattr(clean(one.name))}>\n" if one.name else f"<{name}{told}>\n"
        lines[one.first] = opening.encode() + lines[one.first]
        lines[one.last - 1] += f"</{name}>\n".encode()
    return lines


def _about(page: PageRow, docno: str) -> dict[str, str]:
    values = {"document": page.document, "title": page.title or page.url, "url": page.url}
    language, date = page.language if _LANGUAGE.fullmatch(page.language) else "und", obtained(page.at)
    dated = f' <date when="{date}">{date}</date>' if date else ""
    named = f' <idno type="docno">{escape(clean(docno))}</idno>' if docno else ""
    escaped = {name: escape(clean(text)) for name, text in values.items()}
    return escaped | {"language": language, "dated": dated, "named": named}
