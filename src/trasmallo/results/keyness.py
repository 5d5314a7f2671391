"""Key words of a run against a reference: another project, a file of counts, or the frequencies of a language in general.

The words of the run are read one after the other; the reference is in memory, some 100 bytes a word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal

from trasmallo import config
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.reference import added, general_shares
from trasmallo.store import run_folders
from trasmallo.store.pushed import pushed_rights
from trasmallo.store.rights import is_restricted
from trasmallo.store.run_folders import Run
from trasmallo.study.measures.keyness import Key, KeynessLimits, Measure, keywords
from trasmallo.study.tokenise import key
from trasmallo.values.errors import UsageError
from trasmallo.values.spreadsheet_cells import restored

_GENERAL = "wordfreq:"
_GENERAL_SIZE = 1e9
"""Words of a corpus as which the frequencies of a language are taken; wordfreq's are made of more."""

_LARGEST = 1 << 30
"""Bytes of the largest file of counts. Judgement: some 50 million words, all of which are held in memory."""


By = Literal["word", "lemma", "category"]
ResultsIn = Callable[[Path], Run]
"""Who finds the results in a project's folder."""

_TABLES: dict[By, str] = {"word": "words", "lemma": "lemmas", "category": "categories"}


def find_keywords(
    tables: Tables,
    reference: str,
    *,
    by: By = "word",
    measure: Measure = "log_likelihood",
    limits: KeynessLimits | None = None,
    number: int = 100,
    results_in: ResultsIn | None = None,
) -> list[Key]:
    """The words, lemmas or categories of a run that differ most from a reference; UsageError for one that cannot be read.

    `results_in` finds what the asker may read of another project.
    """
    compared = read_reference(reference, by, results_in)
    counts = counts_of(tables, by)
    size = tables.total(_TABLES[by], "count")
    return keywords(counts, size, compared, measure=measure, limits=limits, number=number)


def read_reference(name: str, by: By = "word", results_in: ResultsIn | None = None) -> dict[str, float]:
    """How often each word (lemma, category) occurs in a reference: a project's folder, a file of counts, `wordfreq:es`.

    Without `results_in` a project must be one that everybody may read.
    """
    if name.startswith(_GENERAL):
        if by != "word":
            raise UsageError(
                "wordfreq knows words and no {tables}",
                "compare with a project's folder or a file of counts",
                tables=_TABLES[by],
            )
        shares = general_shares(name.removeprefix(_GENERAL))
        return {word: share * _GENERAL_SIZE for word, share in shares.items()}
    path = Path(name)
    if (path / config.FILE_NAME).exists():
        with Tables((results_in or _public_results)(path), config.load(path / config.FILE_NAME).study) as tables:
            return {word: float(count) for word, count in counts_of(tables, by)}
    return _added(_pairs(path), by)


def _public_results(project: Path) -> Run:
    if is_restricted(project / "store") or pushed_rights(project):
        problem = "{path} has documents that not everybody may read"
        raise UsageError(problem, "give a file of counts", path=project)
    return run_folders.current(project / "runs")


def counts_of(tables: Tables, by: By) -> Iterator[tuple[str, int]]:
    """How often a run has each word, lemma or category; one counts in all its languages and categories together."""
    pairs = iter(tables.ask(_TABLES[by], Question(columns=(by, "count"))))
    yield from pairs if by == "category" else ((word, int(count)) for word, count in _added(pairs, by).items())


def _pairs(path: Path) -> Iterator[tuple[str, float]]:
    for number, line in enumerate(_lines(path), 1):
        word, _, rest = line.rstrip("\r\n").rpartition("\t")
        if number == 1 and rest.strip() == "count":
            continue
        try:
            yield restored(word), _positive(rest)
        except ValueError:
            raise UsageError("{path}, line {number}: not a word, a tab and a count", _HOW, path=path, number=number) from None


_HOW = "write a word, a tab and its count a line, as trasmallo list DIR words --columns word,count --format tsv --limit 0 does"


def _positive(text: str) -> float:
    value = float(text)
    if not 0 <= value < float("inf"):
        raise ValueError
    return value


def _lines(path: Path) -> Iterator[str]:
    try:
        if path.stat().st_size > _LARGEST:
            raise UsageError("{path} is larger than 1 GB", "give the counts of fewer words", path=path)
        with path.open(encoding="utf-8-sig") as file:
            yield from (line for line in file if line.strip())
    except UnicodeDecodeError:
        raise UsageError("{path} is not UTF-8", "save it as UTF-8", path=path) from None
    except OSError as error:
        raise UsageError(
            "cannot read {path} ({reason})",
            "give a project's folder, a file of counts, or wordfreq:CODE",
            path=path,
            reason=error.strerror,
        ) from None


def _added(pairs: Iterable[tuple[str, float]], by: By) -> dict[str, float]:
    """Counts under the keys of words and lemmas, so that forms that differ in case or encoding are one; categories as named."""
    return added(pairs if by == "category" else ((key(word), count) for word, count in pairs))
