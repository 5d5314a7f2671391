"""What a person decided about words that nobody lists: one file for all runs of a project, to be edited by hand and shared.

`verdicts.tsv` in the project's folder has a line a word: the word, its verdict, when it was given, a note, and the edition of
the lexicon that it was given beside, apart by tabs. The last three may be missing, and a line that begins with `#` is a
comment. Of several lines about a word the last one counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from trasmallo.study.tokenise import key
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import UsageError, disk_errors
from trasmallo.values.folder_lock import locked
from trasmallo.values.spreadsheet_cells import neutral, restored

FILE_NAME = "verdicts.tsv"
ACCEPTED = "accepted"
VERDICTS = (ACCEPTED, "rejected", "typo", "name", "foreign", "later")
"""What a word may be: a new word of the language, not worth a look, misspelt, a proper name, foreign, or to be judged later."""

_HEAD = (
    f"# word\tverdict\twhen\tnote\tedition\n# A verdict is one of {', '.join(VERDICTS)}. The last line about a word counts.\n"
)
_LARGEST = 64 << 20
"""Bytes of a file of verdicts at most: what is larger was not meant as one. Judgement."""
_LONGEST = 1_000
"""Characters of a word, and of a note."""


class WordVerdict(msgspec.Struct, frozen=True):
    """The verdict on a word (`tokenise.key`); `when` is a time as ISO 8601 writes it, "" where a hand left it out.

    `edition` is that of the lexicon which lacked the word then (`unlisted.editions`).
    """

    word: str
    verdict: str
    when: str = ""
    note: str = ""
    edition: str = ""


def load(folder: Path) -> dict[str, WordVerdict]:
    """The verdicts of a project by word, those that were given last at the end; a project without the file has none."""
    path = folder / FILE_NAME
    return read(path) if path.exists() else {}


def read(path: Path, default: str = "") -> dict[str, WordVerdict]:
    """The verdicts in a file; `default` is that of words without one. Raises UsageError with the line and the repair."""
    found: dict[str, WordVerdict] = {}
    for _, verdict in _lines(path, default):
        if verdict is not None:
            found.pop(verdict.word, None)
            found[verdict.word] = verdict
    return found


def stamp(folder: Path) -> tuple[int, ...]:
    """Changes when the file does; (0,) while there is none."""
    try:
        found = (folder / FILE_NAME).stat()
    except OSError:
        return (0,)
    return found.st_mtime_ns, found.st_size, found.st_ino


def accepted(path: Path) -> frozenset[str]:
    """The words of a file that were accepted; none when there is no file."""
    found = read(path).values() if path.exists() else ()
    return frozenset(one.word for one in found if one.verdict == ACCEPTED)


def judge(folder: Path, words: Iterable[str], verdict: str, note: str = "", edition: str = "") -> list[WordVerdict]:
    """Give a verdict on words, or with "" take back what was said; the verdicts given, in the order of the words.

    Raises UsageError before anything is written when one of them cannot be a word.
    """
    if verdict and verdict not in VERDICTS:
        raise UsageError(
            "{verdict!r} is no verdict", "give one of {verdicts}", verdict=verdict[:60], verdicts=", ".join(VERDICTS)
        )
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    given = [
        WordVerdict(word=_checked(word), verdict=verdict, when=when, note=_checked_note(note), edition=edition)
        for word in dict.fromkeys(map(key, words))
    ]
    change(folder, {one.word: one if verdict else None for one in given})
    return given


def change(folder: Path, verdicts: Mapping[str, WordVerdict | None]) -> None:
    """Put verdicts in the place of those on the same words, None takes them out; comments and other lines stay as they are."""
    path = folder / FILE_NAME
    # A crawl may go on meanwhile: it has a lock of its own.
    with locked(folder), disk_errors(path):
        kept = _others(path, verdicts) if path.exists() else _HEAD
        write_whole(path, (kept + "".join(_written(one) for one in verdicts.values() if one is not None)).encode())


def write(verdicts: Iterable[WordVerdict]) -> str:
    """Verdicts as a file for others, in which no spreadsheet finds a formula; `import_verdicts` of a project reads it again."""
    return _HEAD + "".join(_written(_with_texts(one, neutral)) for one in verdicts)


def foreign(path: Path, default: str = "") -> dict[str, WordVerdict]:
    """The verdicts of a file that `write` made, or another program; see `read`."""
    found = (_with_texts(one, restored) for one in read(path, default).values())
    return {one.word: one for one in found}


def _with_texts(one: WordVerdict, change: Callable[[str], str]) -> WordVerdict:
    return msgspec.structs.replace(one, word=change(one.word), note=change(one.note), edition=change(one.edition))


def _others(path: Path, verdicts: Mapping[str, WordVerdict | None]) -> str:
    return "".join(f"{line}\n" for line, one in _lines(path) if one is None or one.word not in verdicts)


def _lines(path: Path, default: str = "") -> Iterator[tuple[str, WordVerdict | None]]:
    """Every line with its verdict, None for a comment or an empty one."""
    for number, raw in enumerate(_content(path).removeprefix(b"\xef\xbb\xbf").removesuffix(b"\n").split(b"\n"), 1):
        try:
            line = raw.decode("utf-8").rstrip("\r")
            yield line, _parsed(line, default)
        except UnicodeDecodeError:
            raise UsageError(
                "{path}, line {number}: not UTF-8 text", "save the file as UTF-8", path=path, number=number
            ) from None
        except UsageError as error:
            raise UsageError(
                "{path}, line {number}: {problem}", error.said.repair, path=path, number=number, problem=error.said.problem
            ) from None


def _parsed(line: str, default: str) -> WordVerdict | None:
    if not line.strip() or line.startswith("#"):
        return None
    word, verdict, when, note, edition = (*(field.strip() for field in line.split("\t", 4)), *[""] * 4)[:5]
    verdict = verdict.lower() or default
    if verdict not in VERDICTS:
        problem = "{verdict!r} is no verdict" if verdict else "no verdict on {word!r}"
        repair = "write a word, a tab and one of {verdicts}"
        raise UsageError(problem, repair, verdict=verdict[:60], word=word[:60], verdicts=", ".join(VERDICTS))
    return WordVerdict(word=_checked(key(word)), verdict=verdict, when=when, note=note, edition=edition)


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > _LARGEST:
            raise UsageError("{path} is too large for verdicts", "give a file of at most 64 MB, a word a line", path=path)
        return path.read_bytes()
    except OSError as error:
        raise UsageError(
            "cannot read {path} ({reason})", "give a text file, a word a line", path=path, reason=error.strerror
        ) from None


def _checked(word: str) -> str:
    if not word or not word.isprintable() or word.startswith("#") or len(word) > _LONGEST:
        raise UsageError(
            "{word!r} is no word",
            "write letters without tabs, at most {longest:,}, and no # in front of them",
            word=word[:60],
            longest=_LONGEST,
        )
    return word


def _checked_note(note: str) -> str:
    if not note.isprintable() or len(note) > _LONGEST:
        raise UsageError(
            "the note cannot be kept", "write at most {longest:,} characters on one line, without tabs", longest=_LONGEST
        )
    return note.strip()


def _written(one: WordVerdict) -> str:
    return "\t".join((one.word, one.verdict, one.when, one.note, one.edition)).rstrip("\t") + "\n"
