"""Keywords of the facade's verbs: the keys of the project file that win over it, and the check of what a script hands in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypedDict, TypeVar

import msgspec

from trasmallo.config import Analysed, ReadingChoice, Sequenced, Trap
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import UsageError

Struct = TypeVar("Struct", bound=msgspec.Struct)


class CrawlOptions(TypedDict, total=False):
    """Keys of [crawl] but for `seeds`, as keywords; `config.CrawlConfig` says what they mean."""

    seeds_off: Sequence[str]
    scope: Literal["host", "domain", "any"]
    exclude: Sequence[str]
    include: Sequence[str]
    prefer: Sequence[str]
    avoid: Sequence[str]
    private: Sequence[str]
    lines: int
    lines_per_host: int
    processes: int
    delay: float
    address_delay: float
    longest_delay: float
    pages: int
    pages_per_host: int
    megabytes_per_host: int
    minutes_per_host: int
    depth: int
    harvest: float
    topicality: float
    megabytes: int
    minutes: int
    disk_megabytes: int
    free_megabytes: int
    page_megabytes: float
    render: Literal["auto", "never", "always"]
    render_sites: Sequence[str]
    hidden_files: bool
    linked_files: bool
    other_disks: bool
    forms: Sequence[str]
    form_requests: int
    timeout: float
    retries: int
    retry_after: float
    sitemaps: bool
    feeds: bool
    entries: bool
    gone_after: float
    probe_missing: bool
    traps_allowed: Sequence[Trap]
    contact: str


class StudyOptions(TypedDict, total=False):
    """Keys of [study] as keywords; `config.StudyConfig` says what they mean."""

    stop: str
    only: str
    known: str
    kinds: str
    analyses: Sequence[Analysed]
    parts: int
    code: Literal["leave out", "study"]
    morphology: bool
    readings: Sequence[ReadingChoice]
    segments: Literal["all", "closed", "maximal"]
    segments_of: Sequence[Sequenced]
    segment_words: int
    segment_frequency: int
    collocation_words: int
    collocation_frequency: int


def checked(kind: type[Struct], **values: object) -> Struct:
    """A struct of what a script hands in; raises UsageError that names the keyword and what it must be."""
    try:
        return msgspec.convert(values, decodable(kind))
    except msgspec.ValidationError as error:
        found = re.fullmatch(r"(.*) - at `\$\.?([^`]*)`", str(error))
        what, place = (found[1], found[2]) if found else (str(error), "")
        wanted, _, given = what.removeprefix("Expected ").partition(", got ")
        problem = "`{place}` cannot be {given}" if given else "`{place}` does not fit ({what})"
        how, wanted = "give {wanted}" if given else "give another value", wanted.replace("array", "list")
        raise UsageError(problem, how, wanted=wanted, place=place, given=given, what=what) from None
