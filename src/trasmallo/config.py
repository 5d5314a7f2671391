"""The project file `trasmallo.toml`: one struct a room, every key with its meaning beside it.

The structs are the only place where a key is written down: the commented file, the JSON schema, the reference in the docs and
the checks all come from them. An unknown key is an error that names the nearest known one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, get_args, get_type_hints

import msgspec
import xxhash
from msgspec import Meta

from trasmallo import plugins
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import ConfigError
from trasmallo.values.expectations import expected
from trasmallo.values.messages import Message
from trasmallo.values.nearest import nearest
from trasmallo.values.project_checks import (
    LANGUAGE,
    canonical_all,
    check_language,
    check_languages,
    check_secret,
    check_texts,
)
from trasmallo.values.urls import canonical

FILE_NAME = "trasmallo.toml"
METHODS = "trasmallo.methods"
_NAME = r"^[\w][\w .-]{0,63}$"
_PATTERNS = {
    _NAME: Message("at most 64 letters, digits, blanks, points, hyphens and underscores, with a letter or a digit first"),
    LANGUAGE: Message("the two or three small letters of a language, such as es or en"),
}
"""What the texts that match an expression are, in words."""

Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0)]
Trap = Literal[
    "length", "depth", "parameters", "repeats", "calendar", "session", "order", "combinations", "alike", "nothing-new"
]
Sequenced = Literal["words", "lemmas", "categories", "characters"]
Analysed = Literal["words", "lemmas", "neologisms", "segments", "collocations", "entities", "links", "search"]
ReadingChoice = Literal["split contractions", "old Spanish"]
Seconds = Annotated[float, Meta(ge=0)]
Line = Annotated[str, Meta(max_length=2_000)]
Texts = Annotated[tuple[str, ...], Meta(max_length=10_000)]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=False):
    """A table of the project file."""


class CrawlConfig(Section, frozen=True):
    """What to catch, and how politely."""

    seeds: Annotated[
        tuple[str, ...],
        Meta(
            description="Addresses to start from: of the web, folders (/home/ana/Documents, file://), mailboxes (mbox:PATH, "
            "maildir:PATH, imaps://user@host/folder)."
        ),
    ] = ()
    seeds_off: Annotated[tuple[str, ...], Meta(description="Addresses switched off for now.")] = ()
    scope: Annotated[
        Literal["host", "domain", "any"],
        Meta(description="Where links may lead: the seeds' hosts, their domains, or anywhere."),
    ] = "domain"
    exclude: Annotated[
        Texts, Meta(description="Never ask for an address that contains one of these texts, or ends in one that ends in $.")
    ] = ()
    include: Annotated[
        Texts, Meta(description="When not empty: only addresses that match one of these patterns (* is any text, $ the end).")
    ] = ()
    prefer: Annotated[
        Texts, Meta(description="Ask earlier for addresses that match one of these patterns (* is any text, $ the end).")
    ] = ()
    avoid: Annotated[
        Texts,
        Meta(description="Ask later, not never, for addresses that match one of these patterns (* is any text, $ the end)."),
    ] = ()
    private: Annotated[
        Texts,
        Meta(
            description="Private addresses that may be asked beside the seeds' own hosts and ports: host, host:port, "
            "*.intranet.example or a network such as 10.0.0.0/8; nothing that a public page leads to."
        ),
    ] = ()
    lines: Annotated[int, Meta(ge=1, le=2_000, description="Simultaneous downloads; 1 gives the same order in every run.")] = 5
    lines_per_host: Annotated[
        int,
        Meta(
            ge=1,
            le=50,
            description="Downloads at once from one host; more than 1 only where its owner agrees. A host whose robots.txt has "
            "a Crawl-delay, one in trouble and one with limits of its own are asked one at a time all the same.",
        ),
    ] = 1
    processes: Annotated[
        int,
        Meta(
            ge=0,
            le=8,
            description="Processes that crawl, each its share of the hosts; 0 is one a core, with 16 lines each, or for eight "
            "cores where pages are read meanwhile.",
        ),
    ] = 0
    delay: Annotated[Seconds, Meta(description="Seconds a host rests after each answer.")] = 1.0
    address_delay: Annotated[
        Seconds,
        Meta(description="Seconds between requests to one machine, whatever its hosts; never more than `delay`."),
    ] = 0.2
    longest_delay: Annotated[Seconds, Meta(description="Longest Crawl-delay of a robots.txt that is honoured, in seconds.")] = (
        60.0
    )
    pages: Annotated[Count, Meta(description="Stop after this many pages; 0 is no limit.")] = 0
    pages_per_host: Annotated[Count, Meta(description="At most this many pages of one host; 0 is no limit.")] = 0
    megabytes_per_host: Annotated[Count, Meta(description="At most this many megabytes of one host; 0 is no limit.")] = 0
    minutes_per_host: Annotated[
        Count, Meta(description="Ask a host no more this many minutes after its first answer of a session; 0 is no limit.")
    ] = 0
    depth: Annotated[int, Meta(ge=-1, description="Follow links this many steps from a seed; -1 is no limit.")] = -1
    harvest: Annotated[
        Share,
        Meta(description="Of a crawl with a topic: stop when less than this share of the last 200 pages is on topic; 0 never."),
    ] = 0.0
    topicality: Annotated[
        Share,
        Meta(
            description="Of a crawl with a topic: keep pages that are on topic with this probability at least, and of others "
            "only the address; their links are followed all the same. 0 keeps all."
        ),
    ] = 0.0
    megabytes: Annotated[Count, Meta(description="Stop after this many megabytes of answers; 0 is no limit.")] = 0
    minutes: Annotated[Count, Meta(description="Stop after this many minutes; 0 is no limit.")] = 0
    disk_megabytes: Annotated[
        Count, Meta(description="Stop when the project's folder takes this many megabytes of disk; 0 is no limit.")
    ] = 0
    free_megabytes: Annotated[Count, Meta(description="Stop when fewer megabytes are free on the project's disk.")] = 100
    page_megabytes: Annotated[float, Meta(gt=0, le=1_000, description="Largest page that is kept.")] = 10.0
    hidden_files: Annotated[bool, Meta(description="Of folders: read files and folders whose names begin with a point.")] = (
        False
    )
    linked_files: Annotated[bool, Meta(description="Of folders: follow symbolic links, each folder once.")] = False
    other_disks: Annotated[bool, Meta(description="Of folders: enter other disks and shares that are mounted below.")] = False
    render: Annotated[
        Literal["auto", "never", "always"],
        Meta(description="Run the scripts of pages in your Chromium: where pages need it (auto), never, or always."),
    ] = "auto"
    render_sites: Annotated[
        Texts,
        Meta(
            description='Rules for single sites, such as "example.org always" or "*.example.net never"; "example.org hash"'
            ' where what stands behind # is a page, and "example.org decline #no" for the button that declines its wall for'
            " consent."
        ),
    ] = ()
    forms: Annotated[
        Texts,
        Meta(
            description="Search forms that may be asked for what no link leads to: hosts such as example.org, or the addresses "
            "that forms lead to. Only forms that send by GET and are plainly a search."
        ),
    ] = ()
    form_requests: Annotated[Count, Meta(description="At most so many questions and pages of results for each form.")] = 1_000
    timeout: Annotated[float, Meta(gt=0, description="Seconds to wait for the first byte of an answer.")] = 30.0
    retries: Annotated[Count, Meta(description="How often a failed address is tried again, later.")] = 2
    retry_after: Annotated[
        Seconds, Meta(description="Seconds before the first of these tries; each next one waits twice as long.")
    ] = 60.0
    sitemaps: Annotated[
        bool, Meta(description="Read the sitemaps that robots.txt names, or else look at their usual places.")
    ] = True
    feeds: Annotated[bool, Meta(description="Follow the entries of feeds.")] = True
    entries: Annotated[
        bool, Meta(description="Read what feeds say of an entry as a document, unless the page that it leads to was obtained.")
    ] = True
    gone_after: Annotated[
        float,
        Meta(
            ge=0,
            le=8_760,
            description="Hours for which a page must have been missing, in two runs at least, before it counts as gone.",
        ),
    ] = 24.0
    probe_missing: Annotated[
        bool,
        Meta(
            description="Where answers give a reason, ask a host once for an address that cannot exist, so that pages which "
            "only say that nothing is there are recognised (soft 404)."
        ),
    ] = True
    traps_allowed: Annotated[
        tuple[Trap, ...],
        Meta(description="Signs of endless addresses that are no reason to refuse one: " + ", ".join(get_args(Trap)) + "."),
    ] = ()
    contact: Annotated[
        str, Meta(description="Web or e-mail address where the owner of a site reaches you; sent with every request.")
    ] = ""


class CleanConfig(Section, frozen=True):
    """How to make text out of a page."""

    method: Annotated[
        str,
        Meta(description="How the main content is found: " + ", ".join(plugins.own_names(METHODS)) + " (the whole page)."),
    ] = "best"
    favour: Annotated[Share, Meta(description="From 0 (leave out what is doubtful) to 1 (keep it).")] = 0.5
    headline: Annotated[bool, Meta(description="Count the headline beside the main content as part of it.")] = False
    noindex: Annotated[bool, Meta(description="Leave out pages that ask not to be indexed.")] = True
    languages: Annotated[
        Texts,
        Meta(description="Unless empty: the only languages to study, as codes such as es; others are left out and counted."),
    ] = ()
    copies: Annotated[Share, Meta(description="Leave out a document this similar to another; 0 keeps all copies.")] = 0.45
    seconds: Annotated[float, Meta(gt=0, description="Longest time for reading one document.")] = 30.0
    megabytes: Annotated[int, Meta(ge=256, description="Most memory of a process that reads documents.")] = 1_000
    workers: Annotated[
        Count, Meta(description="Processes that read documents; 0 is as many as have work, `agents` at most.")
    ] = 0


class StudyConfig(Section, frozen=True):
    """What to find out about the words."""

    stop: Annotated[
        str,
        Meta(
            max_length=4_000,
            description="Words left out of words, lemmas, unrecognised words, segments and collocations: none, standard (the "
            "language's), frequent:N (the N most frequent of the corpus), a file with a word or lemma:WORD a line, or "
            'shared:NAME (of all projects); several as "standard + own.txt".',
        ),
    ] = "none"
    only: Annotated[
        str,
        Meta(max_length=4_000, description='Unless "": a file with the only words to study, or several as "one.txt + b.txt".'),
    ] = ""
    known: Annotated[
        str,
        Meta(
            max_length=4_000,
            description='Unless "": words that count as known beside the lexicon: accepted (those of your verdicts), files or '
            'shared lists as in `stop`; several as "accepted + own.txt".',
        ),
    ] = ""
    kinds: Annotated[
        str,
        Meta(
            max_length=4_000,
            description="File beside this one with kinds of entities of your own, by lists and patterns (`trasmallo kinds` "
            'writes it); it need not be there, "" is none.',
        ),
    ] = "entities.toml"
    analyses: Annotated[
        tuple[Analysed, ...],
        Meta(
            description="What is found out in a run: " + ", ".join(get_args(Analysed)) + ". Without lemmas nothing is tagged, "
            "without neologisms no word is looked up; tables of the others are made when they are asked for."
        ),
    ] = get_args(Analysed)
    parts: Annotated[int, Meta(ge=1, le=100, description="Parts of a page in its growth profile.")] = 10
    code: Annotated[
        Literal["leave out", "study"],
        Meta(description="What becomes of code, commands, terminal output and paths: leave out of study, or study as prose."),
    ] = "leave out"
    morphology: Annotated[
        bool, Meta(description="Find lemma and category of each word in its context, and the words that nobody lists.")
    ] = True
    readings: Annotated[
        tuple[ReadingChoice, ...],
        Meta(
            description="How all readings of a word are told on the page of a document: split contractions (Spanish del is de "
            "with el behind it), old Spanish (agora, desta, dixo are read too). The lemma in context is not changed."
        ),
    ] = ()
    segments: Annotated[
        Literal["all", "closed", "maximal"],
        Meta(description="Which segments are listed: all, none that only occurs inside one longer, or none inside a longer."),
    ] = "all"
    segments_of: Annotated[
        tuple[Sequenced, ...],
        Meta(description="What segments are sequences of: " + ", ".join(get_args(Sequenced)) + "; one or more."),
    ] = ("words",)
    segment_words: Annotated[
        int, Meta(ge=1, le=20, description="Words, or what else they are made of, of the longest segments; 1 is no segments.")
    ] = 5
    segment_frequency: Annotated[int, Meta(ge=2, description="How often a segment occurs at least.")] = 3
    collocation_words: Annotated[
        int,
        Meta(
            ge=0,
            le=20,
            description="How many tokens after the first word of a collocation the second may stand; 0 is no collocations.",
        ),
    ] = 5
    collocation_frequency: Annotated[int, Meta(ge=2, description="How often a pair of words occurs at least.")] = 5


class StoreConfig(Section, frozen=True):
    """Where and how documents are kept."""

    megabytes: Annotated[int, Meta(ge=1, description="A WARC file is closed at this size and the next one begun.")] = 1_000
    copy: Annotated[
        bool, Meta(description="Keep every version of files and messages of this machine in the archive, as of web pages.")
    ] = False
    results: Annotated[
        Literal["together", "by address"],
        Meta(description="Tables of all documents together; or also a folder of results for each start address."),
    ] = "together"
    results_kept: Annotated[
        Count,
        Meta(description="Keep results of so many of the latest revisits and pushes, and of the last in each month; 0 is all."),
    ] = 24


class WebConfig(Section, frozen=True):
    """How others reach the app of this project."""

    public_address: Annotated[
        str,
        Meta(
            max_length=2_000,
            description="Address by which hubs of feeds reach `serve`, such as https://corpus.example.org; then it subscribes "
            'to feeds that offer it (WebSub). "" is nowhere.',
        ),
    ] = ""
    subscribe: Annotated[
        bool, Meta(description="Subscribe to feeds where there is a public address; false ends the subscriptions there are.")
    ] = True


class ClusterConfig(Section, frozen=True):
    """Machines that share the work; all empty is this machine alone."""

    frontier: Annotated[
        Line,
        Meta(
            description='Database of a crawl that other machines join, such as "postgresql://user@host/corpus", or several '
            "with blanks between them; passwords belong into ~/.pgpass or PGPASSWORD, not here.",
        ),
    ] = ""
    storage: Annotated[
        Line,
        Meta(
            description='Where a shared crawl keeps its WARC files: a folder that all machines see, or a bucket such as "s3://corpus/web".'
        ),
    ] = ""
    corpus: Annotated[Line, Meta(description='Ray cluster that cleans and studies, such as "ray://host:10001".')] = ""


class Config(Section, frozen=True):
    """A project: its name, its language, its processes, and one table for each room."""

    name: Annotated[str, Meta(pattern=_NAME, description="Name of the project; results are filed under it.")] = "corpus"
    language: Annotated[
        str, Meta(pattern=LANGUAGE, description="Language of pages that do not tell theirs and are too short to guess.")
    ] = "es"
    agents: Annotated[
        Count,
        Meta(description="Processes that work at once, each at what waits: reading, study, tables; 0 is one a core."),
    ] = 0
    crawl: CrawlConfig = CrawlConfig()
    clean: CleanConfig = CleanConfig()
    study: StudyConfig = StudyConfig()
    store: StoreConfig = StoreConfig()
    web: WebConfig = WebConfig()
    cluster: ClusterConfig = ClusterConfig()


def load(path: Path) -> Config:
    """The checked project file; raises ConfigError with the place and the repair."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(
            "there is no {path}", "make one with: trasmallo new {parent} URL", path=path, parent=path.parent
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError("{path} is not UTF-8 (byte {start})", "save it as UTF-8", path=path, start=error.start) from None
    except OSError as error:
        raise ConfigError(
            "cannot read {path} ({reason})", "check that it is a file you may read", path=path, reason=error.strerror
        ) from None
    return parse(text, str(path))


def parse(text: str, source: str = FILE_NAME) -> Config:
    """The checked configuration in a text; `source` is its name in messages."""
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Beside broken lines: numbers of thousands of digits, lists in lists in lists.
        raise ConfigError("{source} is not valid TOML ({error})", "mend that line", source=source, error=error) from None
    return build(values, source)


def build(values: Mapping[str, object], source: str = FILE_NAME) -> Config:
    """The checked configuration of plain values."""
    for key, known in _unknown_keys(values):
        meant = nearest(key.rpartition(".")[2], known)
        raise ConfigError("{source}: unknown key `{key}`", "did you mean `{meant}`?", source=source, key=key, meant=meant)
    if key := next(_with_zero_bytes(values), ""):
        raise ConfigError(
            "{source}: `{key}` has a zero byte", "take it out: no file or address has one", source=source, key=key
        )
    try:
        config = msgspec.convert(values, decodable(Config))
    except msgspec.ValidationError as error:
        raise _unfit(str(error), source) from None
    method = config.clean.method
    if method not in plugins.own_names(METHODS) and method not in (choices := plugins.names(METHODS)):
        raise _misfit(source, "clean.method", Message("one of {choices}", choices=", ".join(choices)))
    check_language(config.language, source)
    check_languages(config.clean.languages, source)
    for key in ("exclude", "include", "private", "render_sites"):
        check_texts(key, getattr(config.crawl, key), source)
    check_secret(config.cluster.frontier, source)
    return msgspec.structs.replace(config, crawl=_checked_crawl(config.crawl), web=_checked_web(config.web, source))


def digest_of(section: Section) -> str:
    """Changes when a value of the section does: what was made under another digest is stale."""
    return xxhash.xxh3_64_hexdigest(msgspec.json.encode(section, order="deterministic"))


def sections(config: Config) -> list[tuple[str, Section]]:
    """The tables of a configuration by their names."""
    return [(name, value) for name in config.__struct_fields__ if isinstance(value := getattr(config, name), Section)]


def _with_zero_bytes(values: object, place: str = "") -> Iterator[str]:
    """Keys whose texts have a zero byte, which ends texts for the system and is an error for Python."""
    if isinstance(values, Mapping):
        for name, value in values.items():
            yield from _with_zero_bytes(value, f"{place}.{name}".lstrip("."))
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from _with_zero_bytes(value, place)
    elif isinstance(values, str) and "\0" in values:
        yield place


def _unknown_keys(values: Mapping[str, object]) -> Iterator[tuple[str, set[str]]]:
    tables = {name: set(type(section).__struct_fields__) for name, section in sections(Config())}
    for key, value in values.items():
        if key not in Config.__struct_fields__:
            yield key, set(Config.__struct_fields__)
        elif key in tables and isinstance(value, Mapping):
            yield from ((f"{key}.{inner}", tables[key]) for inner in value if inner not in tables[key])


def _unfit(message: str, source: str) -> ConfigError:
    """The error for msgspec's "Expected `int`, got `str` - at `$.crawl.lines`"."""
    found = re.fullmatch(r"(.*) - at `\$\.?([^`]*)`", message)
    what, place = (found[1], found[2]) if found else (message, "")
    section, _, name = place.rpartition(".")
    if what.startswith("Invalid enum value"):
        return _misfit(source, place, Message("one of {choices}", choices=", ".join(_choices(section, name))))
    return _misfit(source, place or "the file", expected(what, _PATTERNS))


def _misfit(source: str, place: str, wanted: Message) -> ConfigError:
    problem = "{source}: the value of `{place}` does not fit"
    return ConfigError(problem, "it must be {wanted}", source=source, place=place, wanted=wanted)


def _choices(section: str, name: str) -> list[str]:
    struct = type(getattr(Config(), section)) if section else Config
    key, several, _ = name.partition("[")
    literal = get_args(get_type_hints(struct, include_extras=True)[key])[0]
    literal = get_args(literal)[0] if several else literal
    return [str(choice) for choice in get_args(literal)]


def _checked_crawl(crawl: CrawlConfig) -> CrawlConfig:
    return msgspec.structs.replace(crawl, seeds=canonical_all(crawl.seeds), seeds_off=canonical_all(crawl.seeds_off))


def _checked_web(web: WebConfig, source: str) -> WebConfig:
    if not web.public_address:
        return web
    if "?" in web.public_address or "#" in web.public_address:
        raise _misfit(source, "web.public_address", Message("an address without ? and #"))
    return msgspec.structs.replace(web, public_address=canonical(web.public_address).rstrip("/"))
