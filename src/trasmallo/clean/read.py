"""From the bytes of a document to a page: decode, convert, see, find the main content.

`read` is what a crawl runs in its workers, `extract` what a person calls on one page. A document's misfortune comes back as a
value; only wrong arguments raise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from copy import copy
from functools import cached_property, partial
from typing import TYPE_CHECKING

import msgspec

from trasmallo.clean import markdown, markup
from trasmallo.clean.code_marks import find_code
from trasmallo.clean.content import cnr
from trasmallo.clean.content.headline import add_headline
from trasmallo.clean.content.marking import RankedBlock, mark
from trasmallo.clean.content.menus import find_menus
from trasmallo.clean.content.registry import FindMain, method_named
from trasmallo.clean.content.roles import ROLES, find_comments, find_roles, speaks_of_comments
from trasmallo.clean.convert import Converted, convert, convert_page
from trasmallo.clean.dom import fields_of, language_of, see, title_of
from trasmallo.clean.embedded import open_embedded
from trasmallo.clean.flat import FlatPage
from trasmallo.clean.formats.mail_zones import keep_new_text
from trasmallo.clean.frames import LoadPage, no_page, open_frames
from trasmallo.clean.layout import Layout
from trasmallo.clean.metadata import Metadata, day_of, metadata_of
from trasmallo.clean.nonsense import nonsense
from trasmallo.clean.sandbox import Sandbox
from trasmallo.values import urls
from trasmallo.values.arguments import check_texts, check_type
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Block, Drop, Field, Page, PageLinks

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

    from trasmallo.values.drawing import Drawing

    FindLinks = Callable[[LexborHTMLParser, str, str], PageLinks]
    """From the tree of a page (parsed with scripting), its URL and its encoding to its links."""

TRUNCATED = "the page is too large to be read to its end"
"""Why the end of a page is missing (`flat.MAX_CHARACTERS`, `flat.MAX_NODES`)."""

_BY_SCRIPTS = "it shows nothing until its scripts have run"
_MAX_CAUSE = 300
"""Characters of a cause. Judgement: it is a line in a table."""


DetectLanguage = Callable[[str], str]
"""From a text to its language as an ISO 639-1 code, "" for none."""


def no_language(_text: str) -> str:
    """Nobody tells the language of a text."""
    return ""


def read(
    content: bytes,
    *,
    url: str,
    media: str = "",
    http_charset: str = "",
    method: str = "best",
    favour: float = 0.5,
    headline: bool = False,
    find_links: FindLinks | None = None,
    detect: DetectLanguage = no_language,
    sandbox: Sandbox | None = None,
) -> Page:
    """The page that a document holds; never raises for a document, whose `drop` and `cause` say what was wrong with it.

    `method` is one of `content.registry`; what is no web page has no menus around it and is all main content. With `headline`
    the headline beside the main content belongs to it. `find_links` is asked for the links of a web page, `detect` for the
    language of a document that does not tell its own; `sandbox` is as for `convert`.
    """
    find, converted = _finder(method, headline), Converted()
    try:
        converted = convert(content, media=media, http_charset=http_charset, name=url_name(url), sandbox=sandbox)
        page = _page_or_frames(converted, url, keep_new_text if converted.bare else find, favour, find_links)
        return page if page.language or page.drop else msgspec.structs.replace(page, language=detect(page.main_text))
    except MemoryError:
        return _dropped(converted, url, Drop.TOO_BIG)
    except Exception as error:  # A document may do anything to a parser; the crawl goes on.
        return _dropped(converted, url, Drop.BROKEN, f"{type(error).__name__}: {error}")


def _finder(method: str, headline: bool) -> FindMain:
    """Who finds the main content, with its headline where that is wanted."""
    find = method_named(method).find
    return partial(_find_with_headline, find) if headline else find


def _find_with_headline(find: FindMain, page: FlatPage, layout: Layout, *, favour: float) -> list[bool]:
    return add_headline(page, layout, find(page, layout, favour=favour))


def url_name(url: str) -> str:
    """The last segment of a URL's path, which may end as a file name does."""
    return url.partition("#")[0].partition("?")[0].rpartition("/")[2]


def _dropped(converted: Converted, url: str, drop: Drop, cause: str = "", *, title: str = "", language: str = "") -> Page:
    return Page(
        url=url,
        title=title,
        language=language,
        charset=converted.charset,
        charset_from=converted.charset_from,
        drop=drop,
        cause=cause[:_MAX_CAUSE],
    )


def _page_or_frames(converted: Converted, url: str, find: FindMain, favour: float, find_links: FindLinks | None) -> Page:
    """The page, or what its frames hold; only of those in a `srcdoc`, since the pages of others are documents themselves."""
    seen = see(converted.html)
    page = _page(converted, url, seen, find, favour, find_links)
    if converted.is_page and (held := open_embedded(converted.html, page.main_text)) is not converted.html:
        # Its scripts hold the text as data, which is read instead of running them.
        return _page(msgspec.structs.replace(converted, html=held), url, see(held), find, favour, find_links)
    opened = open_frames(converted.html, url) if seen[0].holds_frames else converted.html
    if opened is converted.html:
        return page
    other = _page(msgspec.structs.replace(converted, html=opened), url, see(opened), find, favour, find_links)
    return other if _frames_hold_more(page.text, page.main_text, other.text) else page


def _frames_hold_more(text: str, main_text: str, opened: str) -> bool:
    """Whether frames hold more than the main content without them: then it stands in one of them."""
    return len(opened) - len(text) > len(main_text)


def _page(
    converted: Converted,
    url: str,
    seen: tuple[FlatPage, Layout],
    find: FindMain,
    favour: float,
    find_links: FindLinks | None,
) -> Page:
    if converted.drop is not None:
        return _dropped(converted, url, converted.drop, converted.cause)
    flat, layout = seen
    title, language = title_of(flat), language_of(flat)
    if not len(layout):
        cause = _BY_SCRIPTS if "<script" in converted.html else ""
        return _dropped(converted, url, Drop.EMPTY, cause, title=title, language=language)
    if cause := nonsense(layout.text):
        return _dropped(converted, url, Drop.BROKEN, cause)
    main = find(flat, layout, favour=favour)
    found = _links(flat, url, converted, find_links)
    return Page(
        url=url,
        title=title,
        language=language,
        charset=converted.charset,
        charset_from=converted.charset_from,
        text=layout.text,
        blocks=mark(flat, layout, main, find_comments(flat, layout, main) if speaks_of_comments(flat) else ()),
        code=find_code(flat, layout),
        fields=(*converted.fields, *fields_of(flat)),
        links=found.links,
        directives=found.directives,
        day=day_of(flat, url),
        cause=converted.cause or (TRUNCATED if flat.truncated else ""),
    )


def _links(flat: FlatPage, url: str, converted: Converted, find_links: FindLinks | None) -> PageLinks:
    if find_links is None or flat.tree is None or not converted.is_page:
        return PageLinks()
    # A page in ASCII is UTF-8 to a crawler, whatever its label: what it spells as `&ntilde;` is asked for in UTF-8.
    return find_links(flat.tree, url, "utf-8" if converted.html.isascii() else converted.charset)


class Extraction:
    """The main content of one page: its `text` and `title`, and on demand its blocks, fields and markup.

    `drop` and `cause` say why there is no text, None and "" when there is; `repair` what a reader can do, "" for nothing.
    A page that is too large is read up to some point: then `truncated` is True and `cause` says so. `holds_frames` says whether
    frames may have been left closed whose pages are in it.
    """

    def __init__(self, converted: Converted, url: str | None, find: FindMain, favour: float, detect: DetectLanguage) -> None:
        self.url = url
        self._detect = detect
        self.drop, self.cause, self.repair = converted.drop, converted.cause, converted.repair
        self.charset = converted.charset
        self._flat, self._layout = see(converted.html) if converted.drop is None else (FlatPage(), Layout(frozenset()))
        self.holds_frames = self._flat.holds_frames
        # A text that somebody has decoded is taken at his word.
        if converted.charset and (cause := nonsense(self._layout.text)):
            self.drop, self.cause = Drop.BROKEN, cause
            self._flat, self._layout = FlatPage(), Layout(frozenset())
        self._main = find(self._flat, self._layout, favour=favour)
        self.truncated = self._flat.truncated
        if self.truncated:
            self.cause = self.cause or TRUNCATED
        if not len(self._layout):
            self.drop = self.drop or Drop.EMPTY

    @cached_property
    def text(self) -> str:
        """The main content, a line a block."""
        return self._text_of(self._main)

    def _text_of(self, flags: Iterable[bool]) -> str:
        return "\n".join(self._layout.block_text(number) for number, flag in enumerate(flags) if flag)

    @cached_property
    def page_text(self) -> str:
        """The whole text of the page, to which the offsets of `blocks` refer."""
        return self._layout.text

    @cached_property
    def title(self) -> str:
        """The page's title, "" without one."""
        return title_of(self._flat)

    @cached_property
    def language(self) -> str:
        """The language the page says it is in, else the most probable one."""
        return language_of(self._flat) or self._detect(self.text)

    @cached_property
    def metadata(self) -> Metadata:
        """Title, author, date, site, language and licence, as far as the page gives them."""
        found = metadata_of(self._flat, self.url or "")
        return found if found.language else msgspec.structs.replace(found, language=self.language)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks of the page with their roles; those with `main` make the text."""
        return mark(self._flat, self._layout, self._main, find_roles(self._flat, self._layout, self._main))

    def take(self, role: str) -> Extraction:
        """The same page with the blocks of one role as its text; raises UsageError for an unknown role."""
        if role not in ROLES:
            raise UsageError("unknown role {role!r}", "choose one of {roles}", role=role, roles=", ".join(ROLES))
        flags = [block.role == role for block in self.blocks]
        taken = copy(self)
        for made in ("text", "markdown", "html"):
            taken.__dict__.pop(made, None)
        taken._main = flags
        return taken

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Title, meta fields, headings and emphasis."""
        return fields_of(self._flat)

    def ranked_blocks(self, count: int, *, favour: float = 0.5) -> list[RankedBlock]:
        """Up to `count` blocks by the chars-nodes ratio, the main one first, each found without those before it."""
        return self._ranked(cnr.find_blocks(self._flat, self._layout.hidden, count, favour=favour))

    def menus(self, count: int, *, favour: float = 0.5) -> list[RankedBlock]:
        """Up to `count` menus by the hyperlink-node ratio, the one with most links first."""
        return self._ranked(find_menus(self._flat, self._layout, count, favour=favour))

    def _ranked(self, found: Iterable[cnr.RatioBlock]) -> list[RankedBlock]:
        """The found blocks with their text, without that of the blocks before them."""
        flat, layout, paths = self._flat, self._layout, self._flat.paths()
        ranked: list[RankedBlock] = []
        told = [False] * len(layout)
        for rank, (node, ratio, size) in enumerate(found, 1):
            inside = cnr.within(flat, layout, node)
            text = self._text_of(here and not before for here, before in zip(inside, told, strict=True))
            told = [here or before for here, before in zip(inside, told, strict=True)]
            found_block = RankedBlock(
                rank=rank, ratio=round(ratio, 3), size=size, tag=flat.tag[node], path=paths[node], text=text
            )
            ranked.append(found_block)
        return ranked

    def picture(self, *names: str, favour: float = 0.5) -> Drawing:
        """The named pictures of the page on one sheet, all without names; raises UsageError for an unknown name."""
        from trasmallo.clean.pictures import draw
        from trasmallo.clean.pictures.panels import Subject

        return draw(Subject(self._flat, self._layout, favour), names, self.url or self.title)

    @cached_property
    def html(self) -> str:
        """The main content as markup without anything that runs, loads or styles."""
        return markup.to_html(self._flat, self._layout, self._main, self._resolve)

    @cached_property
    def markdown(self) -> str:
        """The main content as Markdown."""
        return markdown.to_markdown(self._flat, self._layout, self._main, self._resolve)

    def _resolve(self, href: str) -> str | None:
        if not href or href.startswith("#"):
            return None
        return urls.resolve(self.url or href, href)


def extract(
    html: str | bytes,
    url: str | None = None,
    method: str = "best",
    favour: float = 0.5,
    *,
    headline: bool = False,
    media: str = "",
    charset: str = "",
    name: str = "",
    detect: DetectLanguage = no_language,
    load: LoadPage = no_page,
) -> Extraction:
    """The main content of a page; `favour` goes from 0 (precision) to 1 (recall), `url` makes its links absolute.

    With `headline` the `h1` that stands beside the main content belongs to it. A page whose frames hold more than it has
    itself, such as a frameset, is read with them: those with a `srcdoc`, and those of the same site as far as `load` gives
    their HTML by their addresses ("" for one that is not at hand).

    Bytes may be of any format that `convert` reads; `media` and `charset` are what an HTTP header says of them, and the
    ending of the file `name` is a hint where they leave the format open. `detect` tells the language of a page that does not.
    Raises UsageError for an unknown method, a favour out of range or an argument of a wrong type.
    """
    check_type("html", html, (str, bytes), "the page as a text or as bytes")
    check_type("favour", favour, (int, float), "a number from 0 (precision) to 1 (recall)")
    check_texts(url=url or "", method=method, media=media, charset=charset, name=name)
    method_named(method)
    if math.isnan(favour) or not 0 <= favour <= 1:
        raise UsageError("favour {favour} is out of range", "give a number from 0 (precision) to 1 (recall)", favour=favour)
    name = name or url_name(url or "")
    converted = convert_page(html, media=media, http_charset=charset, name=name)
    find = keep_new_text if converted.bare and method == "best" else _finder(method, headline)
    found = Extraction(converted, url, find, favour, detect)
    is_page = converted.is_page or isinstance(html, str)
    if is_page and (held := open_embedded(converted.html, found.text)) is not converted.html:
        return Extraction(msgspec.structs.replace(converted, html=held), url, find, favour, detect)
    may_open = found.holds_frames or load is not no_page
    opened = open_frames(converted.html, url or "", load) if may_open else converted.html
    if opened is converted.html:
        return found
    other = Extraction(msgspec.structs.replace(converted, html=opened), url, find, favour, detect)
    return other if _frames_hold_more(found.page_text, found.text, other.page_text) else found
