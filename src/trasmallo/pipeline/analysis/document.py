"""One page's way from its record to its rows: read, clean, study. Runs in a worker process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, partial
from itertools import repeat

import msgspec
import numpy as np

from trasmallo.clean.copies.signatures import sign
from trasmallo.clean.read import read
from trasmallo.clean.sandbox import Sandbox
from trasmallo.config import CleanConfig, StudyConfig
from trasmallo.crawl.discover import kind_of
from trasmallo.crawl.discover.links import find_links
from trasmallo.crawl.outcomes import charset_in
from trasmallo.crawl.robots import page_directives
from trasmallo.pipeline.analysis.field_rows import field_rows
from trasmallo.pipeline.analysis.items import Item
from trasmallo.pipeline.analysis.link_rows import link_rows
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.results.originals import OWNER
from trasmallo.results.rows import LanguageRow, MeasureRow, MentionRow, PageRow, ProfileRow, TextRow, UnknownRow
from trasmallo.store.parts import document_id
from trasmallo.store.trec import SOURCE_DATE, SOURCE_ID, SOURCE_TITLE
from trasmallo.store.warc import WarcRecord
from trasmallo.study.code_spans import Span, blanked, find_code, is_prose, joined, read_spans, written
from trasmallo.study.detection import LanguageSpan, stretches
from trasmallo.study.document_measures import DocumentStudy, WordOptions, study_cut
from trasmallo.study.entities.found import found_in
from trasmallo.study.entities.linking import linked
from trasmallo.study.entities.own_finder import OwnFinder, fixed_finder
from trasmallo.study.entities.tagged_text import TaggedText
from trasmallo.study.factorising import Factorised
from trasmallo.study.language_detection import detect_language
from trasmallo.study.multilingual import MultilingualText, cut_stretches
from trasmallo.study.patterns import PUNCTUATION
from trasmallo.study.stop_lists import StopList
from trasmallo.study.tokenise import key
from trasmallo.study.word_lists import finds_entities, finds_lemmas, finds_unlisted, known, options_for
from trasmallo.values.access import access_text
from trasmallo.values.model import Document, Drop, Entity, Fetch, Field, Outcome, Page, Tagged
from trasmallo.values.urls import host

_LONGEST_TITLE = 1_000  # judgement: characters of a title that a table has room for
_LONGEST_TEXT = 2_500_000
"""Characters of a text that are studied; a book has a million. In JSON they fit in 16 MB, whatever they are."""

_TOLD = {SOURCE_ID.lower(): "docno", SOURCE_TITLE.lower(): "title", SOURCE_DATE.lower(): "date", OWNER.lower(): "owner"}
"""Fields that come from the headers of imported documents."""

Rows = dict[str, list[msgspec.Struct]]


def read_page(
    fetch: Fetch,
    record: WarcRecord,
    *,
    clean: CleanConfig,
    study: StudyConfig,
    language: str,
    agent: str,
    sandbox: Sandbox | None = None,
    was_read: Callable[[], None] = lambda: None,
) -> Rows:
    """The rows of one page for every table; `tokens` are the store's columns. `sandbox` is where formats are converted.

    `was_read` is called when the page has a text, before this is studied.
    """
    content = record.content()
    if content is None:
        return {"pages": [page_row(fetch, drop=Drop.TOO_BIG, cause="decompresses to more than 100 MB")]}
    kind = kind_of(fetch.media, content) if fetch.outcome is not Outcome.ENTRY else "entry"
    if kind in ("sitemap", "feed"):
        return {"pages": [page_row(fetch, drop=Drop.LISTING)]}
    page = read(
        content,
        url=fetch.url,
        media=fetch.media,
        http_charset=charset_in(record.header("Content-Type")),
        method=clean.method,
        favour=clean.favour,
        headline=clean.headline,
        find_links=partial(find_links, agent=agent) if kind == "page" else None,
        detect=detect_language,
        sandbox=sandbox,
    )
    if page.drop is not None:
        cause = page.cause or _cause_of(page.drop, fetch, clean)
        return {"pages": [page_row(fetch, page, drop=page.drop, cause=cause)]}
    directives = page_directives(page.directives, _robots_tags(record), agent)
    if clean.noindex and "noindex" in directives:
        return {"pages": [page_row(fetch, page, drop=Drop.NOINDEX)]}
    was_read()
    rows = study_page(fetch, with_source(page, record), study, language, clean.languages)
    if "texts" not in rows:
        return rows
    rows["links"] = link_rows(document_id(fetch.url), fetch.url, page.links, follow="nofollow" not in directives)
    return rows


def _cause_of(drop: Drop, fetch: Fetch, clean: CleanConfig) -> str:
    """Why a page is left out that does not say so itself; a browser's tree has no scripts that would tell."""
    if drop is Drop.TOO_BIG:
        return f"more than {clean.megabytes} MB"
    return "it shows nothing, though its scripts have run" if drop is Drop.EMPTY and fetch.cause.startswith("rendered") else ""


def with_source(page: Page, record: WarcRecord) -> Page:
    """A page with what the collection that it was imported from knew of it; its own title is better."""
    told = [Field(_TOLD[name.lower()], _decoded(text)) for name, text in record.headers if name.lower() in _TOLD]
    if not told:
        return page
    title = page.title or next((field.text for field in told if field.name == "title"), "")
    return msgspec.structs.replace(page, title=title, fields=(*told, *page.fields))


def _decoded(header: str) -> str:
    """The text of a header, whose bytes may be UTF-8."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header


def page_row(fetch: Fetch, page: Page | None = None, *, drop: str = "", cause: str = "") -> PageRow:
    """The row of a page that is not studied, or not yet."""
    title, language, charset = (page.title[:_LONGEST_TITLE], page.language, page.charset) if page else ("", "", "")
    return PageRow(
        document=document_id(fetch.url),
        url=fetch.url,
        host=host(fetch.url),
        at=fetch.at or None,
        title=title,
        language=language,
        charset=charset,
        media=fetch.media,
        size=fetch.size,
        digest=fetch.digest,
        drop=drop,
        cause=cause,
        seed=fetch.origin.seed,
        reached=fetch.origin.reached,
        via=fetch.origin.via,
        depth=fetch.origin.depth,
        access=access_text(fetch.access),
    )


def dropped_row(item: Item, drop: str, cause: str) -> PageRow:
    """The row of a page that could not be read, or of a document that could not be studied again."""
    if isinstance(item, Fetch):
        return page_row(item, drop=drop, cause=cause)
    return msgspec.structs.replace(item.page, drop=drop, cause=cause)


def study_page(fetch: Fetch, page: Page, study: StudyConfig, language: str, wanted: Collection[str] = ()) -> Rows:
    """The rows of a page that has become a document, but for its links; `language` is that of pages that tell none.

    One in another language than those that are `wanted`, where there are some, is only a row of `pages` that says so.
    """
    row, text = page_row(fetch, page), page.main_text[:_LONGEST_TEXT]
    code = written(span for span in _code_of(page, text) if span[1] <= len(text))
    rows = study_text(row, TextRow(row.document, text, sign(text), page.language, code), study, language, wanted)
    if "texts" in rows:
        rows["fields"] = field_rows(row.document, page)
    return rows


def _code_of(page: Page, text: str) -> list[Span]:
    """Where the main content is code: what its markup calls so, unless it is prose after all, and what shows itself to be."""
    marked = ((one.tag, one.start, one.end) for one in page.main_code)
    found = [(start, end) for tag, start, end in marked if tag != "pre" or not is_prose(text[start:end])]
    return joined([*found, *find_code(text)])


def study_text(page: PageRow, text: TextRow, study: StudyConfig, language: str, wanted: Collection[str] = ()) -> Rows:
    """The rows of a document that has been read, for every table but those of its links and fields."""
    usual = text.own_language or language
    prose = blanked(text.text, read_spans(text.code)) if text.code and study.code == "leave out" else text.text
    parts = stretches(prose, detect_language, usual)
    document = Document(
        id=page.document, url=page.url, at=page.at or 0.0, title=page.title, language=_most(parts, usual), text=prose
    )
    if wanted and document.language not in wanted:
        left_out = msgspec.structs.replace(page, language=document.language, drop=Drop.LANGUAGE, cause=document.language)
        return {"pages": [left_out]}
    mixed = cut_stretches(prose, parts, document.language)
    spoken = _stretches_of(mixed)
    options = {language: options_for(language, study) for language in dict(spoken)}
    tagged = mixed.tag() if finds_lemmas(study) else None
    studied = study_cut(document, mixed.whole, [(options[language], length) for language, length in spoken], tagged)
    row = msgspec.structs.replace(
        page,
        language=document.language,
        words=studied.richness.words,
        types=studied.richness.types,
        hapax=studied.richness.hapax,
        sentences=studied.sentences,
    )
    return {
        "pages": [row],
        "texts": [text],
        "profiles": [ProfileRow(document.id, number, part.words, part.new) for number, part in enumerate(studied.profile, 1)],
        "tokens": [document_tokens(document.id, *mixed.whole, tagged, spoken)],
        "languages": _languages(document, mixed),
        "unknown": _unknown(document, mixed, tagged, options, known(study), language) if finds_unlisted(study) else [],
        "mentions": _mentions(document, mixed, tagged, study.kinds) if tagged is not None and finds_entities(study) else [],
        "measures": [_measures(studied)],
    }


def _most(parts: list[LanguageSpan], told: str) -> str:
    """The language of a document: what its page told, unless more than half of its text is in another one."""
    sizes: Counter[str] = Counter()
    for part in parts:
        sizes[part.language] += part.end - part.start
    (first, size) = sizes.most_common(1)[0] if sizes else (told, 0)
    return first if 2 * size > sizes.total() else told


def _stretches_of(mixed: MultilingualText) -> list[tuple[str, int]]:
    return [(section.language, len(section.cut.tokens)) for section in mixed.sections]


def _languages(document: Document, mixed: MultilingualText) -> list[msgspec.Struct]:
    """What a document has of each language."""
    found: dict[str, list[int]] = {}
    for language, _, (tokens, _) in mixed.sections:
        counts = found.setdefault(language, [0, 0, 0])
        counts[0] += sum(map(bool, map(str.strip, tokens.text.split("\n"))))
        counts[1] += len(tokens) - tokens.kinds.count(PUNCTUATION)
        counts[2] += len(tokens.text)
    return [LanguageRow(document.id, language, *counts) for language, counts in found.items()]


def _unknown(
    document: Document,
    mixed: MultilingualText,
    tagged: Factorised[Tagged] | None,
    options: Mapping[str, WordOptions],
    listed: StopList,
    home: str,
) -> list[msgspec.Struct]:
    """Words that nobody lists, `listed` by the user included, and that the project's lists leave, each in its language."""
    rows: list[UnknownRow] = []
    for language, starts, found in mixed.unrecognised(home):
        about = (found.contexts, repeat(language), found.written, found.signs)
        columns = (found.words, found.kinds, found.nearest, starts.tolist(), *about)
        # By place, since columns become rows: a row a word of the corpus that nobody lists.
        rows += map(UnknownRow, repeat(document.id), *columns)
    if not listed and all(one.stop is None and one.only is None for one in options.values()):
        return list(rows)
    lemmas = [row.word for row in rows]
    if tagged is not None:
        starts = np.asarray(mixed.whole.tokens.starts, np.int64)
        readings = tagged.rows[np.searchsorted(starts, [row.start for row in rows])].tolist()
        lemmas = [key(tagged.values[reading].lemma) for reading in readings]
    pairs = zip(rows, lemmas, strict=True)
    return [row for row, lemma in pairs if not listed.lists(row.word, lemma) and options[row.language].wants(row.word, lemma)]


@cache
def _own_finder(path: str) -> Callable[[str], OwnFinder | None]:
    """What finds the kinds of a user's file, as it was when this process first met it."""
    return fixed_finder(path)


def _mentions(document: Document, mixed: MultilingualText, tagged: Factorised[Tagged], kinds: str) -> list[msgspec.Struct]:
    """Names, dates and quantities, each section by the rules and the model of its language, and by the user's own `kinds`."""
    found: list[tuple[Entity, str]] = []
    for section, readings in zip(mixed.sections, _of_sections(mixed, tagged), strict=True):
        text = TaggedText(section.cut.tokens.text, section.cut, readings, section.language)
        for one in found_in(text, own=_own_finder(kinds)(section.language)):
            placed = msgspec.structs.replace(one, start=one.start + section.start, end=one.end + section.start)
            found.append((placed, section.language))
    names = linked([one for one, _ in found])
    return [
        MentionRow(
            document=document.id,
            text=one.text,
            entity=name,
            kind=one.kind,
            start=one.start,
            end=one.end,
            value=one.value,
            source=one.source,
            score=one.score,
            language=language,
        )
        for (one, language), name in zip(found, names, strict=True)
    ]


def _of_sections(mixed: MultilingualText, tagged: Factorised[Tagged]) -> Iterator[list[Tagged]]:
    """The readings of each section."""
    spread, begin = tagged.spread(), 0
    for section in mixed.sections:
        size = len(section.cut.tokens)
        yield spread[begin : begin + size]
        begin += size


def _measures(studied: DocumentStudy) -> MeasureRow:
    rich, readable = studied.richness, studied.readability
    return MeasureRow(
        document=studied.id,
        type_token_ratio=rich.type_token_ratio,
        guiraud=rich.guiraud,
        herdan=rich.herdan,
        yule=rich.yule,
        hapax_ratio=rich.hapax_ratio,
        mattr=rich.mattr,
        mtld=rich.mtld,
        syllables=readable.syllables,
        fernandez_huerta=readable.fernandez_huerta,
        szigriszt=readable.szigriszt,
        gutierrez=readable.gutierrez,
        flesch=readable.flesch,
        kincaid=readable.kincaid,
    )


def _robots_tags(record: WarcRecord) -> list[str]:
    return [value for name, value in record.headers if name.lower() == "x-robots-tag"]
