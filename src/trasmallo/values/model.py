"""The few values that flow from room to room: frozen, small, and the same in every process.

Bodies stay in the archive and are read through a `Locator`; nothing big travels.
Times are seconds since 1970 (UTC), sizes are bytes, offsets count characters of the document's text.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import msgspec

from trasmallo.values.access import Access


class Outcome(StrEnum):
    """How asking for a URL ended. `obtained` outcomes leave a record that can be read.

    Nobody asked for an `ENTRY`: a feed brought it, and it stands for the page of that address until that is obtained. What is
    `OFF_TOPIC` came and was not kept, by the user's choice; its links are followed.
    """

    FETCHED = "fetched"
    UNCHANGED = "unchanged"
    REDIRECTED = "redirected"
    MISSING = "missing"
    LOGIN = "log-in needed"
    HTTP_ERROR = "http error"
    ROBOTS = "refused by robots.txt"
    OUT_OF_SCOPE = "out of scope"
    PRIVATE = "private address"
    NO_HOST = "server does not exist"
    UNREACHABLE = "server refuses connections"
    TIMED_OUT = "timed out"
    TLS = "no secure connection"
    TOO_LARGE = "too large"
    BROKEN = "broken answer"
    NO_NETWORK = "no network"
    HOST_LIMIT = "limit of its host reached"
    BLOCKED = "blocked"
    CHALLENGE = "challenge page"
    SOFT_404 = "soft 404"
    EMPTY = "empty answer"
    LEFT_ALONE = "host left alone"
    ENTRY = "entry of a feed"
    OFF_TOPIC = "off topic"

    @classmethod
    def _missing_(cls, value: object) -> Outcome | None:
        """Events and archives of 0.1.0 call every failure of TLS a certificate that is not valid."""
        return cls.TLS if value == "certificate not valid" else None

    @property
    def obtained(self) -> bool:
        """Whether a body can be read for it."""
        return self in (Outcome.FETCHED, Outcome.UNCHANGED)

    @property
    def readable(self) -> bool:
        """Whether something is stored that can be read: the page itself, or what a feed says in its place."""
        return self.obtained or self is Outcome.ENTRY

    @property
    def failed(self) -> bool:
        """Whether it was asked for in vain: neither obtained nor redirected, not refused before, and not left out by choice."""
        return not (self.readable or self.refused or self in (Outcome.REDIRECTED, Outcome.OFF_TOPIC))

    @property
    def refused(self) -> bool:
        """Whether it was never asked for: robots.txt or the project's rules forbid it, or its host asked to be left alone."""
        return self in (Outcome.ROBOTS, Outcome.OUT_OF_SCOPE, Outcome.HOST_LIMIT, Outcome.LEFT_ALONE)


class Drop(StrEnum):
    """Why an obtained page gave no document to study."""

    FORMAT = "format not read"
    EMPTY = "no text"
    BROKEN = "could not be converted"
    TOO_SLOW = "took too long to read"
    TOO_BIG = "needed too much memory"
    NOINDEX = "asks not to be indexed"
    LANGUAGE = "in another language"
    COPY = "copy of another document"
    LISTING = "feed or sitemap, read for its links"
    DAMAGED = "damaged in the archive"


class Reached(StrEnum):
    """How a URL was come upon."""

    UNKNOWN = ""
    SEED = "start address"
    LINK = "link"
    REDIRECT = "redirect"
    SITEMAP = "sitemap"
    FEED = "feed"
    ROBOTS = "robots.txt"
    GUESS = "usual place"
    FORM = "form"
    FOLDER = "folder"
    INSIDE = "inside a file"
    PUSH = "push"
    IMPORT = "import"


def reached_as(text: str) -> Reached:
    """How a URL was come upon as a file says it; what a later version may say is not known here."""
    return Reached(text) if text in _REACHED else Reached.UNKNOWN


_REACHED = frozenset(Reached)


class Origin(msgspec.Struct, frozen=True, gc=False):
    """Where a URL comes from: the start address that led there, how the last step did, from which page, after how many.

    `seed` and `via` are "" and `depth` is None where nobody told, as in projects of earlier versions.
    """

    seed: str = ""
    reached: Reached = Reached.UNKNOWN
    via: str = ""
    depth: int | None = None


NO_ORIGIN = Origin()


class Target(msgspec.Struct, frozen=True):
    """A URL to ask for, found on the page `via` ("" for a seed); a lower `priority` goes first; `hops` are redirects so far.

    `from_public` when that page is public: then it may lead to nothing on a private address. `seed` is the start address from
    which links led to it, `reached` how the last step did.
    """

    url: str
    depth: int = 0
    priority: int = 0
    via: str = ""
    hops: int = 0
    from_public: bool = False
    seed: str = ""
    reached: Reached = Reached.UNKNOWN

    @property
    def origin(self) -> Origin:
        """Where it comes from, as rows tell it."""
        return Origin(self.seed, self.reached, self.via, self.depth) if self.reached else NO_ORIGIN


def seed_target(url: str) -> Target:
    """A start address to ask for."""
    return Target(url, seed=url, reached=Reached.SEED)


class Locator(NamedTuple):
    """Where a record lies in the archive: file name, byte offset and length of its gzip member.

    What stays where it is has a locator of its own kind (`results.originals`).
    """

    file: str
    offset: int
    length: int


class Fetch(msgspec.Struct, frozen=True):
    """One asking for a URL: what came of it, and where the answer is kept.

    `status` is 0 when no answer came; `media` is the bare type ("text/html"), "" when unknown;
    `digest` is "sha1:BASE32" of the payload as WARC writes it, "" without one; `locator` is None when nothing was stored.
    `origin` is that of the asking, not of the page: a later run may come upon it otherwise. `etag` and `modified` are the
    validators that the server gave with it (ETag and Last-Modified, as sent), "" without. `access` says who may read it, None
    when everybody may.
    """

    url: str
    at: float
    outcome: Outcome
    status: int = 0
    media: str = ""
    digest: str = ""
    size: int = 0
    locator: Locator | None = None
    location: str = ""
    cause: str = ""
    origin: Origin = NO_ORIGIN
    etag: str = ""
    modified: str = ""
    access: Access | None = None

    @property
    def received(self) -> int:
        """Bytes of the body that came; an answer that says "as before" has none, though `size` is that of the page."""
        return 0 if self.outcome is Outcome.UNCHANGED else self.size


class Response(msgspec.Struct, frozen=True):
    """An answer as it came from the network, on its way to the archive.

    `body` is the payload as sent, without transfer coding (chunks) but still compressed when the server compressed it: that is
    what WARC keeps. `content` is the same decompressed. `headers` are as sent, in order; `request` is the request's head.
    `access` says who may read it, None when everybody may.
    """

    url: str
    at: float
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    content: bytes
    request: bytes = b""
    address: str = ""
    access: Access | None = None

    def header(self, name: str) -> str:
        """The first value of a header, "" without one."""
        name = name.lower()
        for key, value in self.headers:  # not a generator: several headers of every answer are asked for
            if key.lower() == name:
                return value
        return ""


class RenderedPage(Response, frozen=True, kw_only=True):
    """A page after its scripts have run: its body is the tree that a browser made, as HTML in UTF-8.

    `source` is what the server sent, `received` what its scripts were sent meanwhile.
    """

    source: Response
    received: tuple[Response, ...] = ()


class Failure(msgspec.Struct, frozen=True):
    """Asking for a URL brought no answer that can be kept; `cause` says why in words, `access` who may hear of it."""

    url: str
    at: float
    outcome: Outcome
    cause: str
    access: Access | None = None


class Link(msgspec.Struct, frozen=True):
    """A link of a page, resolved and canonical. `rel` holds its words in lower case, `place` says where it stands.

    `place` is "" in the text, else menu, comments, trackback or unseen; only whoever asked for anchors is told.
    """

    url: str
    anchor: str = ""
    rel: tuple[str, ...] = ()
    tag: str = "a"
    place: str = ""


class PageLinks(msgspec.Struct, frozen=True):
    """Where a page leads and what it asks of robots.

    `links` are in the order of the page, one for each URL, without style sheets, icons and hints. `directives` are names and
    contents of its meta elements for robots, as `crawl.robots.page_directives` takes them.
    """

    links: tuple[Link, ...] = ()
    directives: tuple[tuple[str, str], ...] = ()


class Block(msgspec.Struct, frozen=True):
    """A stretch of the page's text. `path` names its node; `main` says that it belongs to the main content.

    `role` is main, comments, related, menu or other; "" where nobody asked.
    """

    start: int
    end: int
    tag: str
    path: str
    main: bool
    role: str = ""


class CodeSpan(msgspec.Struct, frozen=True):
    """A stretch of the page's text that its markup calls code; `tag` is code, or pre when it is only preformatted."""

    start: int
    end: int
    tag: str


class Field(msgspec.Struct, frozen=True):
    """A named part of a page: title, heading, emphasis, description, keywords..."""

    name: str
    text: str


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A document after cleaning. `text` is the whole page, `blocks` point into it; `charset_from` says who named `charset`.

    `links` and `directives` are those of `PageLinks`; a document that is no web page has none. `code` points into the text.
    `day` is the one it states it is from, in ISO 8601, "" when it states none.
    """

    url: str
    title: str = ""
    language: str = ""
    charset: str = ""
    charset_from: str = ""
    text: str = ""
    blocks: tuple[Block, ...] = ()
    code: tuple[CodeSpan, ...] = ()
    fields: tuple[Field, ...] = ()
    links: tuple[Link, ...] = ()
    directives: tuple[tuple[str, str], ...] = ()
    day: str = ""
    drop: Drop | None = None
    cause: str = ""

    @property
    def main_text(self) -> str:
        """The main content, a line a block."""
        return "\n".join(self.text[block.start : block.end] for block in self.blocks if block.main)

    @property
    def main_code(self) -> list[CodeSpan]:
        """The code of the main content, which the spans point into."""
        found, waiting, before = [], list(reversed(self.code)), 0
        for block in self.blocks:
            while waiting and waiting[-1].start < block.end:
                one = waiting.pop()
                if block.main:
                    shift = before - block.start
                    found.append(CodeSpan(start=one.start + shift, end=one.end + shift, tag=one.tag))
            before += block.end - block.start + 1 if block.main else 0
        return found


PREPARED = "application/vnd.trasmallo.document"
"""Media type of a `PreparedText` in JSON, as imported texts are stored."""


class PreparedText(msgspec.Struct, frozen=True):
    """A text that was cleaned before it came here: all of it is main content, a paragraph a line."""

    text: str
    title: str = ""
    language: str = ""


class Document(msgspec.Struct, frozen=True):
    """A text worth studying. `id` is the digest of its URL in hex; `copy_of` is the id of the document it copies, or ""."""

    id: str
    url: str
    at: float
    title: str
    language: str
    text: str
    copy_of: str = ""


class Token(msgspec.Struct, frozen=True):
    """A word or sign of a text, `text[start:end]`; `kind` is alphabetic, alphanumeric, number, other or punctuation."""

    word: str
    start: int
    end: int
    kind: str


class Analysis(msgspec.Struct, frozen=True, gc=False):
    """One reading of a word: `category` is UPOS, `features` are UD's ("Gender=Fem|Number=Sing", "" when there are none).

    Readings that differ in features alone are one, with the values side by side ("Person=1,3"); `tag` keeps the lexicon's own
    tags apart by blanks, "" when it has none. `prefix` is what was cut off in front, `clitics` the pronouns cut off behind.
    `by` says where it comes from: lexicon, rule (the word is made from known ones) or guess.
    """

    lemma: str
    category: str
    features: str = ""
    prefix: str = ""
    clitics: tuple[str, ...] = ()
    by: str = "lexicon"
    tag: str = ""


class AnalysedToken(msgspec.Struct, frozen=True):
    """A token with its readings: all of them, or the one that it has in its context.

    `parts` are those of a German compound or of an Arabic word with affixes, () when it has none.
    """

    word: str
    start: int
    end: int
    kind: str
    analyses: tuple[Analysis, ...]
    parts: tuple[str, ...] = ()


class Tagged(msgspec.Struct, frozen=True, gc=False):
    """A word in its context, with one reading. `start` and `end` are offsets in the text, -1 when a list of words was given."""

    word: str
    lemma: str
    category: str
    features: str = ""
    clitics: tuple[str, ...] = ()
    start: int = -1
    end: int = -1


class RawDocument(msgspec.Struct, frozen=True):
    """The bytes of a document and what is known of them; `url` is "" for a file, `media` and `charset` when nobody told.

    `name` is the file's, or the last part of the URL.
    """

    content: bytes
    url: str = ""
    media: str = ""
    charset: str = ""
    name: str = ""


class Entity(msgspec.Struct, frozen=True, gc=False):
    """Something that a text names: a person, a place, a date... `start` and `end` count characters, or words of a list.

    `kind` is PER, LOC, ORG, MISC, DATE, TIME, QUANTITY, MONEY, PERCENT, ADDRESS, EMAIL, PHONE, ID, or one of a user's own.
    `value` is the normalised form of what has one (ISO dates, SI units, currency codes), else "". `source` tells who found it:
    human, list, pattern, rule or model; `score` is how sure it is, from 0 to 1.
    """

    text: str
    kind: str
    start: int
    end: int
    value: str = ""
    source: str = "model"
    score: float = 1.0
