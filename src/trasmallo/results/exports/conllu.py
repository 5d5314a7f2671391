"""CoNLL-U, the format of Universal Dependencies (version 2), without syntax: HEAD and DEPREL are "_".

- The header stands in comments before the first sentence. Each document begins with `# newdoc id`, its address and its title,
  each line of its text with `# newpar`; `# text` is the sentence with one blank wherever it has white space.
- A word is what stands between blanks and signs: "del" and "dándoselo" are one word with one lemma, as the study counts them,
  and not the several syntactic words of a treebank; so there are no ranges of multiword tokens.
- UPOS of words that were not analysed is X, of signs PUNCT, of numbers NUM. A tag that is a list of features goes into FEATS,
  any other into XPOS. Names, dates and quantities are told in MISC as BIO labels (ner=B-PER).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path

from trasmallo.results.exports.documents import TokenisedDocument
from trasmallo.results.exports.header import ExportRequest, Header
from trasmallo.results.exports.rendering import FEATURES, MOST_KEPT, ExportedToken, TextFormat, clean, obtained, write_text
from trasmallo.results.exports.source import ExportSource
from trasmallo.results.rows import PageRow
from trasmallo.store.tokens import Corpus
from trasmallo.study.query.entity_columns import TokenSpan

_SPACES = re.compile(r"\s+")
_NUMBERS = [str(number).encode() for number in range(1, 1_001)]


def write_conllu(source: ExportSource, path: Path, wanted: ExportRequest) -> int:
    """The documents as CoNLL-U; returns their number."""
    wanted.only_conditions("CoNLL-U")
    return write_text(source, path, wanted, Conllu)


class Conllu(TextFormat):
    """Writes CoNLL-U."""

    def __init__(self, corpus: Corpus, header: Header) -> None:
        super().__init__(corpus, header)
        self._surface = _Surface()

    def begin(self) -> bytes:
        """The header as comments, which belong to the first sentence as all comments before it do."""
        return _comments(self.header.pairs)

    def token(self, word: ExportedToken) -> str:
        """The columns from FORM to MISC."""
        is_features = FEATURES.fullmatch(word.tag)
        features = "|".join(sorted(word.tag.split("|"), key=str.lower)) if is_features else "_"
        tag = "_" if is_features else _SPACES.sub(",", word.tag.strip()) or "_"
        columns = (_form(word.word), _form(word.lemma), word.category, tag, features, "_", "_", "_")
        return "\t" + "\t".join(columns) + "\t_\n"

    def joined(self, line: bytes) -> bytes:
        """With that said in MISC."""
        return line[:-2] + b"SpaceAfter=No\n"

    def document(self, document: TokenisedDocument) -> bytes:
        """Its sentences; nothing for a document without tokens."""
        lines = self.rendering.lines(document)
        surface = list(map(self._surface.__getitem__, lines))
        lines = _labelled(lines, document.entities)
        numbers: list[bytes] = []
        named = b"# sent_id = %b-" % document.page.document.encode()
        for number, (begin, end) in enumerate(pairwise([*document.sentences, len(lines)]), 1):
            opened = (b"\n" if begin else b"") + (b"# newpar\n" if begin in document.paragraphs else b"")
            text = b"".join(surface[begin:end]).strip()
            numbers.append(b"%b%b%d\n# text = %b\n1" % (opened, named, number, text))
            numbers += _following(end - begin)
        written = b"".join(chain.from_iterable(zip(numbers, lines, strict=True)))
        return _comments(_about(document.page, document.docno)) + written + b"\n" if lines else b""


def _labelled(lines: list[bytes], entities: Sequence[TokenSpan]) -> list[bytes]:
    """The lines of tokens with the BIO labels of entities in MISC (ner=B-PER)."""
    for one in entities:
        for place in range(one.first, one.last):
            label = f"ner={'I' if place > one.first else 'B'}-{one.kind}\n".encode()
            line = lines[place]
            lines[place] = line[:-2] + label if line.endswith(b"\t_\n") else line[:-1] + b"|" + label
    return lines


def _about(page: PageRow, docno: str) -> dict[str, str]:
    language = page.language or "und"
    about = {"newdoc id": page.document, "docno": docno, "url": page.url, "fetched": obtained(page.at)}
    return about | {"language": language, "title": page.title}


def _comments(values: dict[str, str]) -> bytes:
    cleaned = ((name, _SPACES.sub(" ", clean(text)).strip()) for name, text in values.items())
    return "".join(f"# {name} = {text}\n" for name, text in cleaned if text).encode()


def _form(text: str) -> str:
    """A form or lemma: no white space at its ends, none twice, never empty."""
    return (text if text.isprintable() and " " not in text else _SPACES.sub(" ", text).strip()) or "_"


class _Surface(dict[bytes, bytes]):
    """How tokens stand in `# text`, by their lines."""

    def __missing__(self, line: bytes) -> bytes:
        if len(self) >= MOST_KEPT:
            self.clear()
        form = line[1 : line.index(b"\t", 1)]
        found = self[line] = form + b" " if line.endswith(b"_\n") else form
        return found


def _following(count: int) -> Sequence[bytes]:
    """The numbers of the words of a sentence behind the first."""
    return _NUMBERS[1:count] if count <= len(_NUMBERS) else [str(number).encode() for number in range(2, count + 1)]
