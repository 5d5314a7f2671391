"""A document named on the command line: a file, `-` for standard input, or a URL."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from trasmallo.study.language_detection import detect_language
from trasmallo.values.errors import DocumentError, UrlError, disk_errors
from trasmallo.values.language_tags import primary
from trasmallo.values.model import Drop, Failure, Outcome, RawDocument, Response

if TYPE_CHECKING:
    from trasmallo.clean.convert import Converted
    from trasmallo.clean.read import Extraction
    from trasmallo.clean.slicing.related_words import Related
    from trasmallo.clean.slicing.sliced import Filter, Main, SlicedPage
    from trasmallo.clean.slicing.writing import View
    from trasmallo.study.languages.parts import Split
    from trasmallo.values.drawing import Drawing

_LARGEST = 100_000_000  # judgement: bytes; as for pages that are stored
_MOST_HOPS = 10  # judgement: browsers give up at 20


def extract_from(name: str, *, method: str = "best", favour: float = 0.5, headline: bool = False) -> Extraction:
    """The main content of a named document; raises DocumentError when it has none to give."""
    from trasmallo.clean.read import extract

    source = load(name)
    found = extract(
        source.content,
        source.url or None,
        method,
        favour,
        headline=headline,
        media=source.media,
        charset=source.charset,
        name=source.name,
        detect=detect_language,
        load=_beside(name),
    )
    if found.drop is not None:
        raise _refused(name, found.drop, found.cause, found.repair)
    return found


def convert_from(name: str) -> Converted:
    """A named document as HTML with its structure; raises DocumentError when it cannot be converted."""
    from trasmallo.clean.convert import convert

    source = load(name)
    found = convert(source.content, media=source.media, http_charset=source.charset, name=source.name)
    if found.drop is not None:
        raise _refused(name, found.drop, found.cause, found.repair)
    return found


def splitter_for(language: str, text: str, reference: str = "") -> Split:
    """Who splits the words of a text; `reference` as for key words, else wordfreq if installed, and the text's own words.

    Raises UsageError for a reference that cannot be read.
    """
    from trasmallo.study import compounds

    if not compounds.needs_frequencies(language):
        return compounds.splitter(language, {})
    chosen = reference or (f"wordfreq:{primary(language)}" if find_spec("wordfreq") else "")
    if not chosen:
        return compounds.splitter(language, compounds.Frequencies(language, {}, text))
    from trasmallo.results.keyness import read_reference

    return compounds.splitter(language, compounds.Frequencies(language, read_reference(chosen), text))


def slice_from(
    name: str,
    steps: Sequence[Filter],
    view: View,
    *,
    main: Main = "",
    mark: bool = False,
    language: str = "",
    related: Related | None = None,
) -> SlicedPage:
    """A named document filtered by one step after the other; raises DocumentError when it cannot be read."""
    from trasmallo.clean.slicing.sliced import SlicedPage, arrange, read_source
    from trasmallo.study.morphology import tag_many

    source = load(name)
    hints = {"media": source.media, "charset": source.charset, "name": source.name}
    frames = _beside(name)
    page = read_source(
        source.content, source.url, language, **hints,
        detect=detect_language, related=related, load=frames, read_lemmas=tag_many,
    )  # fmt: skip
    if page.drop is not None:
        raise _refused(name, page.drop, page.cause, page.repair)
    return SlicedPage(page, arrange(steps, main), view, mark=mark)


def _beside(name: str) -> Callable[[str], str]:
    """Who gives the pages in a document's frames: files beside a file, pages of the same site; "" for one that is not there."""
    folder = Path(name).resolve().parent

    def load_page(address: str) -> str:
        place = address if "://" in address else str((folder / unquote(address.partition("?")[0])).resolve())
        if "://" not in place and not Path(place).is_relative_to(folder):
            return ""
        try:
            source = load(place)
        except (DocumentError, UrlError):
            return ""
        return convert(source.content, media=source.media, http_charset=source.charset, name=source.name).html

    from trasmallo.clean.convert import convert

    return load_page


def _refused(name: str, drop: Drop, cause: str, repair: str) -> DocumentError:
    """What was wrong with a document; a cause ends with its repair where there is one."""
    problem = cause.removesuffix(f": {repair}")
    shown = f" ({problem})" if problem else ""
    return DocumentError(
        "{name}: {drop}{shown}", repair or "give a document in a format that trasmallo reads", name=name, drop=drop, shown=shown
    )


def save_picture(drawing: Drawing, name: str) -> None:
    """Write a drawing, as SVG or PNG by the end of the name; raises UsageError for another."""
    from trasmallo.values.drawing import encode

    path = Path(name)
    content = encode(drawing, path.suffix)
    with disk_errors(path):
        path.write_bytes(content)


def load(name: str) -> RawDocument:
    """Read a document; raises DocumentError with the repair."""
    if name == "-":
        return _checked(RawDocument(sys.stdin.buffer.read(_LARGEST + 1)), "standard input")
    if "://" in name:
        return asyncio.run(_fetch(name))
    return _from_file(Path(name))


def _from_file(path: Path) -> RawDocument:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise DocumentError(
            "cannot read {path} ({reason})", "give a file, a URL, or - for standard input", path=path, reason=error.strerror
        ) from None
    return _checked(RawDocument(content, name=path.name), str(path))


def _checked(source: RawDocument, name: str) -> RawDocument:
    if len(source.content) > _LARGEST:
        raise DocumentError(
            "{name} is larger than {largest} MB", "give a smaller document", name=name, largest=_LARGEST // 1_000_000
        )
    return source


async def _fetch(name: str) -> RawDocument:
    """A page as the crawler would fetch it: robots.txt obeyed, redirects followed, private addresses only when named."""
    from trasmallo.clean.read import url_name
    from trasmallo.crawl.fetch import Fetcher
    from trasmallo.crawl.outcomes import charset_of, media_of
    from trasmallo.values.private_places import place_of
    from trasmallo.values.software import SOFTWARE
    from trasmallo.values.urls import canonical

    url = canonical(name)
    fetcher = Fetcher(SOFTWARE, private=(place_of(url),))
    try:
        answer = await _follow(fetcher, url)
    finally:
        await fetcher.close()
    return RawDocument(answer.content, answer.url, media_of(answer), charset_of(answer), url_name(answer.url))


async def _follow(fetcher: object, url: str) -> Response:
    from trasmallo.crawl.fetch import Fetcher, is_private
    from trasmallo.crawl.judgement import judge
    from trasmallo.crawl.local_crawl import AGENT
    from trasmallo.crawl.outcomes import location_of, outcome_of
    from trasmallo.crawl.robots_rules import RobotsRules
    from trasmallo.values.urls import host_key

    assert isinstance(fetcher, Fetcher)
    rules = RobotsRules(fetcher, AGENT)
    public = False
    for _ in range(_MOST_HOPS):
        robots = rules.known(host_key(url), time.time()) or await rules.ask(host_key(url), from_public=public)
        if robots.failure is not None:
            raise _not_obtained(url, robots.failure.outcome, robots.failure.cause)
        verdict = robots.verdict(url, AGENT)
        if not verdict.allowed:
            raise DocumentError(
                "{url} may not be fetched ({cause})",
                "save the page with your browser and give the file",
                url=url,
                cause=verdict.cause,
            )
        answer = await fetcher.get(url, from_public=public)
        outcome, cause = judge(answer)
        if outcome not in (Outcome.BLOCKED, Outcome.CHALLENGE):
            outcome, cause = outcome_of(answer)  # whoever asks for a log-in or an empty page by its address means it
        if isinstance(answer, Failure) or not (outcome.obtained or location_of(answer)):
            raise _not_obtained(url, outcome, cause)
        if outcome.obtained:
            return answer
        public = public or not (answer.address and is_private(answer.address))
        url = location_of(answer)
    raise DocumentError("{url} redirects in circles", "give the address of the page itself", url=url)


def _not_obtained(url: str, outcome: Outcome, cause: str) -> DocumentError:
    offline = outcome is Outcome.NO_NETWORK
    return DocumentError(
        "{url} was not obtained ({outcome}, {cause})",
        "connect this machine to the network, or give a file" if offline else "check the address or try again later",
        url=url,
        outcome=outcome,
        cause=cause,
    )
