"""Rows that a run writes: for each page into its parts, and for each copy that was found; a struct a table.

A table is born as JSON lines and ends as Parquet; its columns are the fields of its struct. Rows hold texts and numbers only,
so the garbage collector need not look at them: there are many. Rows of tables that are made of others are in `results.tables`.
"""

from __future__ import annotations

import msgspec


class PageRow(msgspec.Struct, frozen=True, gc=False):
    """One obtained page. `drop` says why it gave no document ("" when it did); `at` is in seconds since 1970.

    `seed` is the start address that led to it, `reached` how (`values.model.Reached`), `via` the page it was found on, `depth`
    how many links away from the seed; "" and None where nobody told, of `at` too. `access` says who may read it
    (`values.access`), "" when everybody may.
    """

    document: str
    url: str
    host: str
    at: float | None
    title: str
    language: str
    charset: str
    media: str
    size: int
    digest: str
    words: int = 0
    types: int = 0
    hapax: int = 0
    sentences: int = 0
    drop: str = ""
    cause: str = ""
    seed: str = ""
    reached: str = ""
    via: str = ""
    depth: int | None = None
    access: str = ""


class EntryRow(msgspec.Struct, frozen=True, gc=False):
    """An entry of a feed, as it was last told at `at`; `document` is that of its page, or of the entry where there is none."""

    title: str
    url: str
    feed: str
    author: str
    published: float | None
    updated: float | None
    id: str
    at: float
    document: str


class GoneRow(msgspec.Struct, frozen=True, gc=False):
    """A page that is no longer there: when it was last obtained, and since when it is not found; seconds since 1970.

    `cause` is "" for one that its server no longer has, else why it is left out.
    """

    document: str
    url: str
    at: float
    since: float
    cause: str = ""


class TextRow(msgspec.Struct, frozen=True, gc=False):
    """The main text of a document and the fingerprint that finds its copies (MinHash in hex).

    `own_language` is "" when the page did not show its language, so that the project's was taken. `code` are the stretches of
    the text that are code, as "12-40 90-95".
    """

    document: str
    text: str
    signature: str
    own_language: str = ""
    code: str = ""


class ProfileRow(msgspec.Struct, frozen=True, gc=False):
    """A part of a document, how many words it has, and how many of them are new there."""

    document: str
    part: int
    words: int
    new: int


class MeasureRow(msgspec.Struct, frozen=True, gc=False):
    """How rich and how readable a document is; empty where a measure is not made for its language or size."""

    document: str
    type_token_ratio: float
    guiraud: float
    herdan: float
    yule: float
    hapax_ratio: float
    mattr: float
    mtld: float | None
    syllables: int | None
    fernandez_huerta: float | None
    szigriszt: float | None
    gutierrez: float | None
    flesch: float | None
    kincaid: float | None


class LanguageRow(msgspec.Struct, frozen=True, gc=False):
    """What a document has in a language: blocks with text, words, characters."""

    document: str
    language: str
    blocks: int
    words: int
    characters: int


class LinkRow(msgspec.Struct, frozen=True, gc=False):
    """A link of a document. `site` is the registered domain it leads to, `own` whether that is the document's own.

    `place` is where it stands (`crawl.discover.places`), `aside` why it counts neither for ranks nor for anchors: nofollow,
    comments, trackback or unseen; "" when it counts.
    """

    document: str
    url: str
    anchor: str
    rel: str
    site: str = ""
    own: bool = False
    place: str = ""
    aside: str = ""


class FieldRow(msgspec.Struct, frozen=True, gc=False):
    """A named part of a page: title, heading, emphasis, address (its words), depth, day, comments, or a meta element's name."""

    document: str
    name: str
    text: str


class UnknownRow(msgspec.Struct, frozen=True, gc=False):
    """An occurrence of a word that nobody lists: its kind, the word that a misspelling stands for, and its surroundings.

    `word` is what it counts under, in small letters, `written` as it stands there; `language` is that of its block, in whose
    lexicon it was looked for; `signs` are the bits of what stands around it (`study.unlisted.signs`).
    """

    document: str
    word: str
    kind: str
    nearest: str
    start: int
    context: str
    language: str = ""
    written: str = ""
    signs: int = 0


class MentionRow(msgspec.Struct, frozen=True, gc=False):
    """A name, date or quantity where it stands in a document; `entity` is the fullest name that the document has for it.

    `kind`, `value`, `source` and `score` are those of `values.model.Entity`.
    """

    document: str
    text: str
    entity: str
    kind: str
    start: int
    end: int
    value: str
    source: str
    score: float
    language: str = ""


class CopyRow(msgspec.Struct, frozen=True):
    """A document left out because `copy_of` says the same; `original` is that one's URL."""

    document: str
    url: str
    copy_of: str
    original: str
    similarity: float
