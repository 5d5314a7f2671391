"""What a project's crawl is about: its topics and marks, and how well it keeps to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from trasmallo.crawl.focus.topic import Example, Mark, Topic, standing
from trasmallo.crawl.focus.words import words_of
from trasmallo.crawl.focus_report import FocusReport, add_reports, read_report
from trasmallo.crawl.marks import FILE_NAME as MARKS
from trasmallo.crawl.marks import MOST_MARKS, add_mark, read_marks
from trasmallo.pipeline.topics import read_topics, stop_words, write_topics
from trasmallo.store import run_folders
from trasmallo.values.errors import UsageError
from trasmallo.values.urls import canonical

if TYPE_CHECKING:
    from trasmallo.project.queries import Queries

_MOST_TOPICS = 20  # judgement: each is a model of its own
_MOST_EXAMPLES = 50  # judgement: what more of them would teach is little
_LONGEST_EXAMPLE = 20_000  # characters that are read, see `focus.words`
_MOST_WORDS = 200  # judgement: words that a person types
_TERMS = 25  # judgement: terms that a person reads
_FOUND = 10  # judgement: the best hits of a search say what it is about


class TopicShown(msgspec.Struct, frozen=True, kw_only=True):
    """A topic: its words, where its documents are from, the terms that make it, and what a user should know of it."""

    name: str
    words: tuple[str, ...]
    examples: tuple[str, ...]
    terms: tuple[str, ...]
    notes: tuple[str, ...] = ()


class Marked(msgspec.Struct, frozen=True, kw_only=True):
    """A mark that was made: what is said of the page now, and what was said before (None: nothing)."""

    url: str
    on_topic: bool | None
    before: bool | None
    marks: int
    process: int = 0


def set_topic(project: Queries, words: Sequence[str], like: Sequence[str], search: str, name: str) -> TopicShown:
    """Say what the crawl is about; a topic of the same name is replaced."""
    if not (words or like or search):
        raise UsageError("a topic needs words, documents or a search", "give some words, --like DOC or --search QUERY")
    if len(words) > _MOST_WORDS:
        raise UsageError("a topic has at most {most} words", "give a document with --like instead", most=_MOST_WORDS)
    examples = [_example(document) for document in like[:_MOST_EXAMPLES]]
    if search:
        examples += _found(project, search)
    topic = Topic(name=name, words=tuple(words), examples=tuple(examples[:_MOST_EXAMPLES]))
    kept = [each for each in read_topics(project.folder) if each.name != name]
    if len(kept) >= _MOST_TOPICS:
        raise UsageError("a project has at most {most} topics", "remove one with --remove NAME", most=_MOST_TOPICS)
    write_topics(project.folder, [*kept, topic])
    return _shown(topic, project.config.language)


def remove_topic(project: Queries, name: str) -> None:
    """Forget a topic; without one the crawl is not focused any more."""
    topics = read_topics(project.folder)
    if name not in {topic.name for topic in topics}:
        raise UsageError(
            "there is no topic {name!r}", "see them with: trasmallo topic {folder}", name=name, folder=project.folder
        )
    write_topics(project.folder, [topic for topic in topics if topic.name != name])


def topics(project: Queries) -> list[TopicShown]:
    """The topics of a project."""
    return [_shown(topic, project.config.language) for topic in read_topics(project.home)]


def mark(project: Queries, url: str, *, on_topic: bool | None, process: int) -> Marked:
    """Say whether a page is on topic, or take back what was said; a crawl that runs takes it up within a second."""
    address = canonical(url)
    path = project.folder / MARKS
    before = standing(list(read_marks(path)))
    if len(before) >= MOST_MARKS and address not in before:
        raise UsageError(
            "there are {most} marks already",
            "take some back with: trasmallo mark {folder} URL none",
            most=MOST_MARKS,
            folder=project.folder,
        )
    if before.get(address) != on_topic:
        add_mark(path, address, on_topic=on_topic)
    number = len(before) + (on_topic is not None) - (address in before)
    return Marked(url=address, on_topic=on_topic, before=before.get(address), marks=number, process=process)


def marks(project: Queries) -> list[Mark]:
    """The marks that count."""
    found = standing(list(read_marks(project.home / MARKS)))
    return [Mark(url=url, on_topic=on_topic) for url, on_topic in found.items()]


def report(project: Queries) -> FocusReport:
    """How well the latest crawl keeps to its topics."""
    crawls = [run for run in run_folders.find(project.runs) if run.manifest.kind in run_folders.QUEUED]
    return add_reports([read_report(folder) for folder in crawls[-1].frontiers] if crawls else [])


def _example(document: str) -> Example:
    from trasmallo.pipeline.documents import extract_from

    found = extract_from(document)
    if not words_of(found.text):
        raise UsageError("{document} has no words", "give a document with text", document=document[:200])
    return Example(source=document, title=found.title or "", text=found.text[:_LONGEST_EXAMPLE])


def _found(project: Queries, query: str) -> list[Example]:
    hits = project.find(query, limit=_FOUND).hits
    if not hits:
        raise UsageError(
            "{query!r} finds nothing in the collection", "try other words, or give documents with --like", query=query[:200]
        )
    return [Example(source=hit.url, title=hit.title, text=project.cached(hit.document).text[:_LONGEST_EXAMPLE]) for hit in hits]


def _shown(topic: Topic, language: str) -> TopicShown:
    stop = stop_words(language)
    said = [word for word in words_of(" ".join(topic.words)) if word not in stop]
    counts: Counter[str] = Counter()
    for example in topic.examples:
        counts.update(set(words_of(f"{example.title} {example.text}")) - stop)
        counts.update(dict.fromkeys(set(words_of(example.title)) - stop, 2))
    often = [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    terms = dict.fromkeys([*said, *often])
    return TopicShown(
        name=topic.name,
        words=topic.words,
        examples=tuple(example.source for example in topic.examples),
        terms=tuple(terms)[:_TERMS],
        notes=tuple(_notes(topic, said)),
    )


def _notes(topic: Topic, said: Sequence[str]) -> Iterable[str]:
    if topic.words and not said:
        yield "all its words are function words, which say nothing"
    if len(said) == 1 and not topic.examples:
        yield f"one word may mean several things: add others, or a document with --like, or mark pages (`{said[0]}`)"
