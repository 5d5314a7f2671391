"""What is behind each number of a table: the concordance, the pages or the other table that it counts.

Addresses are relative to the project's. Values come from pages of strangers: they are quoted twice, as a corpus query or a
condition, and as an address.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from trasmallo.study.query.syntax import quoted

Row = Mapping[str, Any]
Behind = Callable[[Row], str]

_MOST_TOKENS = 20


def concordance(query: str, *where: str) -> str:
    """Where the hits of a corpus query are shown."""
    return "concordance?" + urlencode([("query", query), *(("where", condition) for condition in where)])


def table(name: str, *where: str, sort: str = "") -> str:
    """Where the rows of a table that meet conditions are shown."""
    pairs = [("where", condition) for condition in where] + ([("sort", sort)] if sort else [])
    return f"tables/{name}" + ("?" + urlencode(pairs) if pairs else "")


def document(identity: str, start: int = -1, end: int = -1) -> str:
    """Where a document is shown, with a place in its text marked when one is given."""
    return f"documents/{identity}" + (f"?at={start}-{end}" if start >= 0 else "")


def of_word(word: str) -> str:
    """The query for a word, in capital or small letters."""
    return word if word.isalnum() else f"[word=={quoted(word, literal=True)}%c]"


def of_lemma(lemma: str, category: str = "") -> str:
    """The query for a lemma, in one of its categories when that is given."""
    also = f" & pos=={quoted(category, literal=True)}" if category else ""
    return f"[lemma=={quoted(lemma, literal=True)}{also}]"


def of_category(category: str) -> str:
    """The query for a category."""
    return f"[pos=={quoted(category, literal=True)}]"


def address(name: str, column: str, row: Row) -> str:
    """What is behind a value of a column, "" when there is nothing."""
    found = _BEHIND.get(name, {}).get(column) or _EVERYWHERE.get(column)
    if found is None or row[column] in ("", None):
        return ""
    try:
        return found(row)
    except KeyError:
        return ""  # the column that it needs is not among those that are shown


def _sequence(row: Row) -> str:
    tokens = str(row["segment"]).split(" ")
    if len(tokens) > _MOST_TOKENS or row["of"] == "characters":
        return ""
    if row["of"] == "words" and all(token.isalnum() for token in tokens):
        return concordance(" ".join(tokens))
    makers: dict[str, Callable[[str], str]] = {"words": _quoted_word, "lemmas": of_lemma, "categories": of_category}
    make = makers.get(str(row["of"]))
    return concordance(" ".join(make(token) for token in tokens)) if make else ""


def _quoted_word(word: str) -> str:
    return f"[word=={quoted(word, literal=True)}%c]"


def _phrase(row: Row) -> str:
    lemmas, categories = str(row["lemmas"]).split(" "), str(row["pattern"]).split(" ")
    if len(lemmas) != len(categories):
        return ""
    return concordance(" ".join(of_lemma(lemma, category) for lemma, category in zip(lemmas, categories, strict=True)))


def _near(row: Row, make: Callable[[str], str] = _quoted_word, most: int = 4) -> str:
    return concordance(f"{make(row['first'])} []{{0,{most}}} {make(row['second'])} within s")


def _category_pair(row: Row) -> str:
    between = f" []{{{row['distance'] - 1}}}" if row["distance"] > 1 else ""
    return concordance(f"{of_category(row['first'])}{between} {of_category(row['second'])} within s")


def _regime(row: Row) -> str:
    return concordance(f"{of_lemma(row['word'], row['category'])} []{{0,3}} {of_lemma(row['preposition'])} within s")


def _occurrence(row: Row) -> str:
    return document(row["document"], row["start"], row["start"] + len(row["word"]))


def _hits(row: Row) -> str:
    return concordance(of_word(row["word"]))


def _hits_of_lemma(row: Row) -> str:
    return concordance(of_lemma(row["lemma"], row["category"]))


def _hits_of_category(row: Row) -> str:
    return concordance(of_category(row["category"]))


def _words_of(page: Row, *where: str) -> str:
    """The words of a page; one that was left out, such as a copy, has none."""
    return "" if page.get("drop") else table("words_by_page", f"document={page['document']}", *where)


def _card(row: Row) -> str:
    return "neologisms?" + urlencode({"word": row["word"]})


_WORD: dict[str, Behind] = {
    "word": _hits,
    "count": _hits,
    "documents": lambda row: table("words_by_page", f"word={row['word']}", sort="-count"),
    "sites": lambda row: table("words_by_site", f"word={row['word']}", sort="-count"),
}
_PAGE: dict[str, Behind] = {
    "url": lambda row: document(row["document"]),
    "title": lambda row: document(row["document"]),
    "words": lambda row: _words_of(row),
    "types": lambda row: _words_of(row),
    "hapax": lambda row: _words_of(row, "count=1"),
    "drop": lambda row: table("pages", f"drop={row['drop']}"),
    "language": lambda row: table("pages", f"language={row['language']}"),
    "media": lambda row: table("pages", f"media={row['media']}"),
}
_EVERYWHERE: dict[str, Behind] = {
    "document": lambda row: document(row["document"]),
    "host": lambda row: table("pages", f"host={row['host']}"),
}
_BEHIND: dict[str, dict[str, Behind]] = {
    "pages": _PAGE,
    "words": _WORD,
    "dispersion": _WORD,
    "words_by_category": {
        "word": _hits,
        "count": lambda row: concordance(
            f"[word=={quoted(row['word'], literal=True)}%c & pos=={quoted(row['category'], literal=True)}]"
        ),
        "category": _hits_of_category,
    },
    "lemmas": {
        "lemma": _hits_of_lemma,
        "count": _hits_of_lemma,
        "documents": lambda row: table("lemmas_by_page", f"lemma={row['lemma']}", f"category={row['category']}", sort="-count"),
        "category": lambda row: table("lemmas", f"category={row['category']}"),
    },
    "categories": {
        "category": _hits_of_category,
        "count": _hits_of_category,
        "lemmas": lambda row: table("lemmas", f"category={row['category']}"),
        "documents": lambda row: table("categories_by_page", f"category={row['category']}", sort="-count"),
    },
    "unknown": {
        "word": _card,
        "start": _occurrence,
        "context": _occurrence,
        "nearest": lambda row: concordance(row["nearest"]),
    },
    "neologisms": {
        "word": _card,
        "count": lambda row: table("unknown", f"word={row['word']}"),
        "documents": lambda row: table("words_by_page", f"word={row['word']}", sort="-count"),
        "sites": lambda row: table("words_by_site", f"word={row['word']}", sort="-count"),
        "kind": lambda row: table("neologisms", f"kind={row['kind']}"),
    },
    "segments": {"segment": _sequence, "count": _sequence},
    "phrases": {"phrase": _phrase, "count": _phrase},
    "collocations": {
        "first": lambda row: concordance(of_word(row["first"])),
        "second": lambda row: concordance(of_word(row["second"])),
        "count": _near,
    },
    "collocations_by_pattern": {
        "first": lambda row: concordance(of_lemma(row["first"])),
        "second": lambda row: concordance(of_lemma(row["second"])),
        "count": lambda row: _near(row, of_lemma),
    },
    "category_pairs": {
        "first": lambda row: concordance(of_category(row["first"])),
        "second": lambda row: concordance(of_category(row["second"])),
        "count": _category_pair,
    },
    "regimes": {"word": lambda row: concordance(of_lemma(row["word"], row["category"])), "count": _regime},
    "words_by_site": {"word": _hits, "count": lambda row: concordance(of_word(row["word"]), f"host={row['host']}")},
    "words_by_page": {
        "word": _hits,
        "count": lambda row: concordance(of_word(row["word"]), f"document={row['document']}"),
    },
    "lemmas_by_page": {
        "lemma": _hits_of_lemma,
        "count": lambda row: concordance(of_lemma(row["lemma"], row["category"]), f"document={row['document']}"),
    },
    "lemmas_by_site": {
        "lemma": _hits_of_lemma,
        "count": lambda row: concordance(of_lemma(row["lemma"], row["category"]), f"host={row['host']}"),
    },
    "categories_by_page": {
        "category": _hits_of_category,
        "count": lambda row: concordance(of_category(row["category"]), f"document={row['document']}"),
    },
    "categories_by_site": {
        "category": _hits_of_category,
        "count": lambda row: concordance(of_category(row["category"]), f"host={row['host']}"),
    },
    "profiles": {"part": lambda row: "profiles?" + urlencode({"document": row["document"]})},
    "links": {
        "url": lambda row: table("links", f"url={row['url']}"),
        "anchor": lambda row: table("anchors", f"url={row['url']}"),
    },
    "anchors": {
        "url": lambda row: table("links", f"url={row['url']}"),
        "links": lambda row: table("links", f"url={row['url']}", f"anchor={row['anchor']}"),
    },
    "ranks": {
        "url": lambda row: "links?" + urlencode({"document": row["document"]}),
        "outlinks": lambda row: table("links", f"document={row['document']}"),
        "inlinks_own": lambda row: table("links", f"url={row['url']}", "own=true"),
        "inlinks_foreign": lambda row: table("links", f"url={row['url']}", "own=false"),
    },
    "languages": {"language": lambda row: table("languages", f"language={row['language']}", sort="-words")},
    "copies": {
        "copy_of": lambda row: document(row["copy_of"]),
        "original": lambda row: document(row["copy_of"]),
        "url": lambda row: document(row["document"]),
    },
}
