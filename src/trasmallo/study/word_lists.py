"""The lists of words of a project: which words its tables leave out, to which its analysis is restricted, which are known.

Files are sought beside the project file, so `../lists/own.txt` is shared by all projects of a folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, reduce
from operator import or_
from pathlib import Path

import msgspec
import xxhash

from trasmallo.config import StudyConfig, digest_of
from trasmallo.study import stop_lists, verdicts
from trasmallo.study.document_measures import WordOptions
from trasmallo.study.entities import own_kinds
from trasmallo.values.errors import UsageError

_FILE = re.compile(r"[\w][\w .-]{0,80}\.txt")


class ListCard(msgspec.Struct, frozen=True):
    """A list of words beside the project file or shared by all projects, how many it has, and as what it is used.

    That is stop, only, known, several of them, or "".
    """

    name: str
    words: int
    used: str
    error: str = ""


def find_lists(folder: Path, study: StudyConfig | None) -> list[ListCard]:
    """The lists beside a project file, then those that all projects share, as `shared:NAME`."""
    used = {kind: stop_lists.parse(getattr(study, kind), folder).files for kind in ("stop", "only", "known")} if study else {}
    paths = {path.name: path for path in sorted(folder.glob("*.txt"))}
    paths |= {stop_lists.SHARED + name: stop_lists.shared_path(name) for name in stop_lists.shared_names()}
    return [_card(name, path, [kind for kind, files in used.items() if str(path) in files]) for name, path in paths.items()]


def _card(name: str, path: Path, kinds: list[str]) -> ListCard:
    try:
        return ListCard(name, len(stop_lists.load(path)), " ".join(kinds))
    except UsageError as error:
        return ListCard(name, 0, " ".join(kinds), str(error))


def list_path(folder: Path, name: str) -> Path:
    """Where a list is: beside the project file, or shared:NAME; raises UsageError for a name that would lead elsewhere."""
    if name.startswith(stop_lists.SHARED):
        return stop_lists.shared_path(name.removeprefix(stop_lists.SHARED))
    if not _FILE.fullmatch(name):
        raise UsageError(
            "{name!r} is no name for a list", "write one like own.txt, with letters, digits and hyphens", name=name[:80]
        )
    return folder / name


def read_list(path: Path) -> list[str]:
    """The lines of a list: its words in alphabetical order, then its lemmas."""
    return stop_lists.load(path).lines()


def standard_words(language: str) -> list[str]:
    """The function words of a language; raises UsageError where none are written down."""
    words = sorted(stop_lists.standard(language.strip()).words)
    if not words:
        raise UsageError(
            "there are no standard words of {language!r}", "trasmallo languages tells which have some", language=language[:20]
        )
    return words


def write_list(path: Path, words: Iterable[str]) -> int:
    """Save a list; how many words it has."""
    made = stop_lists.make(words)
    stop_lists.save(made, path)
    return len(made)


def resolve_lists(study: StudyConfig, folder: Path) -> StudyConfig:
    """The section with whole paths instead of names of files; raises UsageError for a list that cannot be read.

    A worker process can then read them wherever it runs.
    """
    lists = [stop_lists.parse(text, folder.resolve()) for text in (study.stop, study.only, _named(study.known))]
    if lists[2].standard or lists[2].frequent:
        raise UsageError("`known` in [study] takes no standard or frequent words", "name files, or accepted")
    for file in (file for parts in lists for file in parts.files):
        _words(Path(file))
    left_out, looked_for, known = map(_written, lists)
    kinds = kinds_path(study, folder)
    if kinds:
        own_kinds.load(Path(kinds))
    return msgspec.structs.replace(study, stop=left_out or "none", only=looked_for, known=known, kinds=kinds)


def kinds_path(study: StudyConfig, folder: Path) -> str:
    """Where the file with kinds of a user's own is, "" where there is none."""
    path = folder.resolve() / study.kinds
    return str(path) if study.kinds and own_kinds.is_there(path) else ""


def options_for(language: str, study: StudyConfig) -> WordOptions:
    """How a document in a language is studied under a section with whole paths."""
    none = Path()
    only = stop_lists.build(stop_lists.parse(study.only, none), language)
    return WordOptions(study.parts, stop_lists.build(stop_lists.parse(study.stop, none), language), only)


def known(study: StudyConfig) -> stop_lists.StopList:
    """The words and lemmas that such a section takes for known beside the lexicon; files are read once a process."""
    return _known(stop_lists.parse(study.known, Path()).files)


def needs_lexicon(study: StudyConfig) -> bool:
    """Whether words are tagged or looked up."""
    return finds_lemmas(study) or finds_unlisted(study)


def finds_lemmas(study: StudyConfig) -> bool:
    """Whether each word is given its lemma and category in its context: asked for, or needed by a list of lemmas."""
    return study.morphology and ("lemmas" in study.analyses or _have_lemmas(study))


def finds_unlisted(study: StudyConfig) -> bool:
    """Whether words that nobody lists are looked for."""
    return study.morphology and "neologisms" in study.analyses


def finds_entities(study: StudyConfig) -> bool:
    """Whether names, dates and quantities are looked for: asked for, and words are tagged."""
    return finds_lemmas(study) and "entities" in study.analyses


def _have_lemmas(study: StudyConfig) -> bool:
    """Whether a list names a lemma."""
    options = options_for("", study)
    return any(one is not None and one.lemmas for one in (options.stop, options.only, known(study)))


def frequent(study: StudyConfig) -> int:
    """How many of the most frequent words the tables of the whole corpus leave out."""
    return stop_lists.parse(study.stop, Path()).frequent


def digest(study: StudyConfig, folder: Path) -> str:
    """Changes when the section or the words of a list do; a list that cannot be read counts as empty."""
    plain = digest_of(study) + own_kinds.digest(Path(kinds_path(study, folder) or study.kinds))
    texts = (study.stop, study.only, _named(study.known))
    files = [Path(file) for text in texts for file in stop_lists.parse(text, folder.resolve()).files]
    if not files:
        return plain
    contents = ["\n".join(_lines_or_none(file)).encode() for file in files]
    return xxhash.xxh3_64_hexdigest("".join([plain, *map(xxhash.xxh3_64_hexdigest, contents)]).encode())


def _named(known: str) -> str:
    """`accepted` stands for the project's own file of verdicts."""
    return " + ".join(verdicts.FILE_NAME if part.strip() == verdicts.ACCEPTED else part for part in known.split(" + "))


def _words(file: Path) -> stop_lists.StopList:
    """The words of a list, or those that were accepted in a file of verdicts."""
    accepted = file.name == verdicts.FILE_NAME
    return stop_lists.StopList(verdicts.accepted(file)) if accepted else stop_lists.load(file)


def _lines_or_none(file: Path) -> list[str]:
    try:
        return _words(file).lines()
    except UsageError:
        return []


@cache
def _known(files: tuple[str, ...]) -> stop_lists.StopList:
    return reduce(or_, (_words(Path(file)) for file in files), stop_lists.StopList())


def _written(parts: stop_lists.StopListParts) -> str:
    names = ["standard"] * parts.standard + [f"frequent:{parts.frequent}"] * bool(parts.frequent)
    return " + ".join([*names, *parts.files])
