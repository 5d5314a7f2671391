"""Reading of a document by its format's reader, and what became of it."""

from __future__ import annotations

from functools import partial

import msgspec

from trasmallo.clean.formats.html_builder import TOO_MUCH, HtmlBuilder, TooMuchMarkup, Unreadable
from trasmallo.clean.formats.registry import format_of
from trasmallo.values.model import Drop, Field

_MAX_CAUSE = 300
"""Characters of a cause. Judgement: it is a line in a table."""


class Converted(msgspec.Struct, frozen=True, kw_only=True):
    """A document as HTML, and how its characters were read.

    With a `drop` there is no HTML and `cause` says why, ending with the `repair` where there is one; without a drop `cause`
    says what was lost, "" for nothing.
    `bare` says that the document is all content: what is no web page has no menus around it. `is_page` says that it came as
    a web page. `fields` are the named parts that its format tells: who wrote a letter, and to whom.
    """

    html: str = ""
    charset: str = ""
    charset_from: str = ""
    drop: Drop | None = None
    cause: str = ""
    repair: str = ""
    bare: bool = False
    is_page: bool = False
    fields: tuple[Field, ...] = ()


def read_as(media: str, content: bytes, page: HtmlBuilder) -> None:
    """Write a document to a page; raises Unreadable when it cannot be read."""
    found = format_of(media)
    if found is None:
        raise Unreadable(f"{media} is not read")
    found.reader(content, page)


def render(media: str, content: bytes, http_charset: str = "", name: str = "") -> Converted:
    """A document of a media type that is read, as HTML; whatever goes wrong comes back as a value.

    Only MemoryError is raised, since who asks knows how much there was.
    """
    page = HtmlBuilder(http_charset, name)
    try:
        read_as(media, content, page)
    except TooMuchMarkup:
        page.lose(TOO_MUCH)
    except Unreadable as refused:
        page.lose(str(refused), refused.repair)
    except MemoryError:
        raise
    except RecursionError:
        page.lose("it is nested too deep")
    except Exception as error:  # A document may do anything to a parser.
        page.lose(f"{type(error).__name__}: {error}")
    return _outcome(page, content, media)


def _outcome(page: HtmlBuilder, content: bytes, media: str) -> Converted:
    cause, known = "; ".join(page.losses)[:_MAX_CAUSE], format_of(media)
    made = partial(Converted, charset=page.charset, charset_from=page.charset_from)
    if known is not None and (known.light or not page.empty):
        is_page = page.whole is not None
        bare = not is_page and not known.holds_pages
        return made(html=page.document(), cause=cause, bare=bare, is_page=is_page, fields=tuple(page.fields))
    if cause:
        return made(drop=Drop.BROKEN, cause=cause, repair=page.repair)
    shown = f"nothing to read in {len(content)} bytes of {media}" if content else "the file is empty"
    return made(drop=Drop.EMPTY, cause=shown)
