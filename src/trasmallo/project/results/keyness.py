"""Key words of a run against a reference: another project, a file of counts, or the frequencies of a language in general.

The words of the run are read one after the other; the reference is in memory, some 100 bytes a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from trasmallo import config
from trasmallo.errors import UsageError
from trasmallo.project import runs
from trasmallo.project.results.tables import Question, Tables
from trasmallo.study.measures.keyness import Key, Limits, Measure, keywords
from trasmallo.study.tokenise import key

_GENERAL = "wordfreq:"
_GENERAL_SIZE = 1e9
"""Words of a corpus as which the frequencies of a language are taken; wordfreq's are made of more."""

_LARGEST = 1 << 30


def find_keywords(
    tables: Tables, reference: str, *, measure: Measure = "log_likelihood", limits: Limits | None = None, number: int = 100
) -> list[Key]:
    """The words of a run that differ most from a reference; raises UsageError for one that cannot be read."""
    compared = read_reference(reference)
    words = tables.ask("words", Question(columns=("word", "count")))
    size = tables.total("words", "count")
    return keywords(iter(words), size, compared, measure=measure, limits=limits, number=number)


def read_reference(name: str) -> dict[str, float]:
    """How often each word occurs in a reference: a project's folder, `wordfreq:es`, or a file of words and counts."""
    if name.startswith(_GENERAL):
        return _general(name.removeprefix(_GENERAL))
    path = Path(name)
    if (path / config.FILE_NAME).exists():
        with Tables(runs.latest(path / "runs")) as tables:
            return {word: float(count) for word, count in tables.ask("words", Question(columns=("word", "count")))}
    return _from_file(path)


def _from_file(path: Path) -> dict[str, float]:
    return _added(_pairs(path))


def _pairs(path: Path) -> Iterator[tuple[str, float]]:
    for number, line in enumerate(_lines(path), 1):
        word, _, rest = line.rstrip("\r\n").rpartition("\t")
        if number == 1 and rest.strip() == "count":
            continue
        try:
            yield word, _positive(rest)
        except ValueError:
            raise UsageError(f"{path}, line {number}: not a word, a tab and a count", _HOW) from None


_HOW = "write a word, a tab and its count a line, as trasmallo list DIR words --columns word,count --format tsv --limit 0 does"


def _positive(text: str) -> float:
    value = float(text)
    if not 0 <= value < float("inf"):
        raise ValueError
    return value


def _lines(path: Path) -> Iterator[str]:
    try:
        if path.stat().st_size > _LARGEST:
            raise UsageError(f"{path} is larger than 1 GB", "give the counts of fewer words")
        with path.open(encoding="utf-8-sig") as file:
            yield from (line for line in file if line.strip())
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8", "save it as UTF-8") from None
    except OSError as error:
        raise UsageError(
            f"cannot read {path} ({error.strerror})", "give a project's folder, a file of counts, or wordfreq:CODE"
        ) from None


def _general(language: str) -> dict[str, float]:
    try:
        from wordfreq import available_languages, get_frequency_dict
    except ImportError:
        raise UsageError("wordfreq is not installed", "install it with: pip install 'trasmallo[reference]'") from None
    if language not in available_languages():
        raise UsageError(
            f"wordfreq has no frequencies for {language!r}", f"choose one of {', '.join(sorted(available_languages()))}"
        )
    return _added((word, share * _GENERAL_SIZE) for word, share in get_frequency_dict(language, "best").items())


def _added(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Counts under the keys of words; forms that differ in case or encoding are one."""
    found: dict[str, float] = {}
    for word, count in pairs:
        found[key(word)] = found.get(key(word), 0.0) + count
    return found
