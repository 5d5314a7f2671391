"""Readers of exported running text that know the rules of each format and complain of whatever breaks one of them.

The rules are those of the formats' own descriptions: universaldependencies.org/format.html, the TEI Guidelines (P5), and the
documentation of Manatee's vertical text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import unescape

from hypothesis import strategies as st
from lxml import etree

from support.token_documents import told
from trasmallo.results.exports.documents import TokenisedDocument
from trasmallo.results.exports.documents import _tokenised as tokenised
from trasmallo.results.exports.header import Header
from trasmallo.results.exports.rendering import UPOS
from trasmallo.results.rows import PageRow
from trasmallo.store.tokens import Corpus, DocumentTokens
from trasmallo.values.model import Tagged

HEADER = Header("corpus <&\"'\n>", "run-1", "--where 'title~<\"&>'", "trasmallo/0.1.0", "2026-11-16T07:00:00Z")
NAMESPACE = "{http://www.tei-c.org/ns/1.0}"

hostile = st.text(st.sampled_from("aé<>&\"'_ \t\n\r\x00\x1b\x85\u2028\u202e\u200d\ud800\ufffe😀=|#/"), max_size=6)
"""Words as no tokeniser would cut them."""

tokens = st.lists(
    st.tuples(
        hostile,
        hostile,
        st.sampled_from(["NOUN", "PUNCT", "alphabetic", "punctuation", "", "<x>"]),
        st.one_of(hostile, st.just("Number=Sing|Gender=Fem")),
        st.booleans(),
        st.integers(0, 2),
    ),
    max_size=30,
)
"""Word, lemma, category, tag, whether it begins a sentence, what parts it from the one before: nothing, a blank, a line end."""


class Token(NamedTuple):
    """A token as a reader sees it; `joined` says that no blank follows."""

    word: str
    lemma: str
    category: str
    joined: bool


def document(rows: list[tuple[str, str, str, str, bool, int]], title: str = "t") -> tuple[DocumentTokens, str, PageRow]:
    """The tokens of a document of drawn rows, its text, and its row of `pages`."""
    text, starts, ends = "", [], []
    for row in rows:
        text += ("", " ", "\n")[row[5]]
        starts.append(len(text))
        text += row[0].replace("\n", "?")
        ends.append(len(text))
    flags = bytes(int(row[4]) for row in rows)
    columns = [[row[place] for row in rows] for place in range(4)]
    found = told("00000000000000aa", "es", list(map(Tagged, *columns)), flags, starts, ends)
    url = 'http://example.org/?a=1&b="2"'
    page = PageRow("00000000000000aa", url, "example.org", 1.5, title, "es", "utf-8", "text/html", 9, "sha1:A", words=len(rows))
    return found, text, page


def laid_out(corpus: Corpus, text: str, page: PageRow) -> TokenisedDocument:
    """The only document of a corpus, ready to be written."""
    return tokenised(page, text, corpus, 0)


def read_conllu(data: bytes) -> Iterator[tuple[list[str], list[Token]]]:
    """Comments and tokens of every sentence."""
    text = data.decode()
    assert text.endswith("\n\n")
    assert len(text.splitlines()) == text.count("\n"), "no other line ends"
    names = set()
    for block in text[:-2].split("\n\n"):
        lines = block.split("\n")
        comments = [line for line in lines if line.startswith("#")]
        assert lines[: len(comments)] == comments, "comments come first"
        named = [line[12:] for line in comments if line.startswith("# sent_id = ")]
        assert len(named) == 1
        assert named[0] not in names
        names.update(named)
        sentence = [_conllu_token(line, number) for number, line in enumerate(lines[len(comments) :], 1)]
        assert sentence, "no sentence is empty"
        (said,) = [line[9:] for line in comments if line.startswith("# text = ")]
        assert said == "".join(token.word + " " * (not token.joined) for token in sentence).strip()
        yield comments, sentence


def _conllu_token(line: str, number: int) -> Token:
    columns = line.split("\t")
    assert len(columns) == 10
    assert columns[0] == str(number)
    assert all(columns)
    for free in (columns[1], columns[2], columns[9]):
        assert free == free.strip()
        assert not re.search(r"\s\s", free)
    assert not any(re.search(r"\s", columns[place]) for place in (3, 4, 5, 6, 7, 8))
    assert columns[3] in UPOS
    features = [] if columns[5] == "_" else [pair.split("=")[0] for pair in columns[5].split("|")]
    assert features == sorted(features, key=str.lower)
    assert columns[6:9] == ["_"] * 3
    assert re.fullmatch(r"_|SpaceAfter=No|(SpaceAfter=No\|)?ner=[BI]-[A-Z0-9_]+", columns[9])
    return Token(columns[1], columns[2], columns[3], columns[9].startswith("SpaceAfter=No"))


_NAMED = "persName|placeName|orgName|name|date|time|measure|email"
_CHILDREN = {
    "teiCorpus": ["teiHeader", "TEI+"],
    "TEI": ["teiHeader", "text"],
    "text": ["body"],
    "body": ["p+"],
    "teiHeader": ["fileDesc", "encodingDesc?", "profileDesc?"],
    "fileDesc": ["titleStmt", "publicationStmt", "sourceDesc"],
    "titleStmt": ["title"],
    "encodingDesc": ["samplingDecl", "editorialDecl", "appInfo"],
    "application": ["label"],
    "langUsage": ["language"],
    "s": [f"w|pc|{_NAMED}+"],
    **{name: ["w|pc+"] for name in ("persName", "placeName", "orgName", "measure")},
}
_ATTRIBUTES = {"w": {"lemma", "pos", "msd", "join"}, "pc": {"pos", "msd", "join"}}


def read_tei(data: bytes) -> list[list[Token]]:
    """The sentences; complains of what the TEI Guidelines do not allow."""
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, huge_tree=True))
    assert root.tag == NAMESPACE + "teiCorpus"
    ids = root.xpath("//@xml:id")
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[A-Za-z_][\w.-]*", name) for name in ids)
    for element in root.iter(tag=etree.Element):
        name = element.tag.removeprefix(NAMESPACE)
        assert element.tag.startswith(NAMESPACE)
        if name in _CHILDREN:
            inside = "".join(child.tag.removeprefix(NAMESPACE) + " " for child in element)
            assert re.fullmatch("".join(map(_pattern, _CHILDREN[name])), inside), (name, inside)
            assert not "".join([element.text or "", *(child.tail or "" for child in element)]).strip()
        assert {str(key) for key in element.attrib} <= _ATTRIBUTES.get(name, {str(key) for key in element.attrib})
    assert root.xpath("count(//t:publicationStmt/t:availability)", namespaces={"t": NAMESPACE[1:-1]}) == 1
    return [list(map(_tei_token, found.iter(NAMESPACE + "w", NAMESPACE + "pc"))) for found in root.iter(NAMESPACE + "s")]


def _pattern(child: str) -> str:
    name, repeated = (child[:-1], child[-1]) if child[-1] in "+?" else (child, "")
    return f"(?:(?:{name}) ){repeated}"


def _tei_token(element: etree._Element) -> Token:
    assert element.get("join") in (None, "right")
    word = element.text or ""
    return Token(word, element.get("lemma") or word, element.get("pos") or "", element.get("join") == "right")


_TAG = re.compile(r"<(/?)([a-z]+)((?: [a-z_]+=\"[^\"<>]*\")*)(/?)>")
_NESTED = {"doc": "corpus", "p": "doc", "s": "p", "corpus": ""}


def read_vertical(data: bytes) -> tuple[list[list[Token]], dict[str, list[dict[str, str]]]]:
    """The sentences, and the attributes of every structure by its name."""
    text = data.decode()
    assert text.endswith("\n")
    assert len(text.splitlines()) == text.count("\n"), "no other line ends"
    open_tags, sentences, structures = [""], list[list[Token]](), dict[str, list[dict[str, str]]]()
    for line in text[:-1].split("\n"):
        if not line.startswith("<") or line.split("\t")[0] == "<":
            sentences[-1].append(_vertical_token(line, open_tags))
            continue
        found = _TAG.fullmatch(line)
        assert found, line
        closing, name, attributes, empty = found.groups()
        if empty:
            assert (name, attributes) == ("g", "")
            sentences[-1][-1] = sentences[-1][-1]._replace(joined=True)
        elif closing:
            assert open_tags.pop() == name
        else:
            assert open_tags[-1] == _NESTED[name]
            open_tags.append(name)
            sentences += [[]] if name == "s" else []
            pairs = re.findall(r" ([a-z_]+)=\"([^\"]*)\"", attributes)
            structures.setdefault(name, []).append({key: unescape(value, {"&quot;": '"'}) for key, value in pairs})
    assert open_tags == [""]
    return sentences, structures


def _vertical_token(line: str, open_tags: list[str]) -> Token:
    assert open_tags[-1] == "s", "tokens are in sentences"
    word, lemma, category, _ = line.split("\t")
    assert word
    assert category in UPOS
    word = re.sub(r"^&(lt|amp);", lambda found: {"lt": "<", "amp": "&"}[found[1]], word) if len(word) > 4 else word
    return Token(word, lemma, category, False)
