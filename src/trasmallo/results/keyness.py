"""Key words of a run against a reference: another project, a file of counts, or the frequencies of a language in general.

`general:es` are those that trasmallo brings (Spanish and English), `wordfreq:es` those of that package where it is installed.

The words of the run are read one after the other; the reference is in memory, some 100 bytes a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from trasmallo import config
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.reference import added, general_shares, own_shares
from trasmallo.store import run_folders
from trasmallo.store.pushed import pushed_rights
from trasmallo.store.rights import is_restricted
from trasmallo.store.run_folders import Run
from trasmallo.study.measures.keyness import Key, KeynessLimits, Measure, keywords
from trasmallo.study.tokenise import key
from trasmallo.values.errors import UsageError
from trasmallo.values.spreadsheet_cells import restored

_DIGIT = re.compile(r"\d")

OWN, WORDFREQ = "general:", "wordfreq:"
"""How the names of references begin that are a language in general."""

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
    counts = comparable_counts(tables, by, reference)
    size = sum(counts.values())
    return with_documents(tables, by, keywords(counts.items(), size, compared, measure=measure, limits=limits, number=number))


def comparable_counts(tables: Tables, by: By, reference: str) -> dict[str, int]:
    """How often a run has what can be compared with a reference.

    With a language in general these are its words in that language alone, without those with digits, which it does not list.
    """
    if not is_general(reference):
        return dict(counts_of(tables, by))
    language = reference.partition(":")[2]
    counts = counts_of(tables, by, (f"language={language}",))
    return {word: count for word, count in counts if not _DIGIT.search(word)}


def with_documents(tables: Tables, by: By, keys: Iterable[Key]) -> list[Key]:
    """Words with how many documents have them; of one in two languages or categories, those of the one that has more."""
    found = {one.word: one for one in keys}
    spread = dict.fromkeys(found, 0)
    for word, documents in tables.ask(_TABLES[by], Question(columns=(by, "documents"))) if found else ():
        name = word if by == "category" else key(word)
        if name in spread:
            spread[name] = max(spread[name], int(documents))
    return [msgspec.structs.replace(one, documents=spread[name]) for name, one in found.items()]


def read_reference(name: str, by: By = "word", results_in: ResultsIn | None = None) -> dict[str, float]:
    """How often each word (lemma, category) occurs in a reference: a project's folder, a file of counts, `general:es`.

    Without `results_in` a project must be one that everybody may read.
    """
    if is_general(name):
        return _in_general(name, by)
    path = Path(name)
    if (path / config.FILE_NAME).exists():
        with Tables((results_in or _public_results)(path), config.load(path / config.FILE_NAME).study) as tables:
            return {word: float(count) for word, count in counts_of(tables, by)}
    return _added(_pairs(path), by)


def is_reference(name: str) -> bool:
    """Whether something to compare with is no project: a language in general, or a file of counts."""
    return is_general(name) or Path(name).is_file()


def is_general(name: str) -> bool:
    """Whether a reference is a language in general."""
    return name.startswith((OWN, WORDFREQ))


def _in_general(name: str, by: By) -> dict[str, float]:
    """The words of a language as if counted in a corpus that has the rarest of them once.

    So a word that the list does not have counts less than the rarest of it, and no more is read into its absence.
    """
    if by != "word":
        raise UsageError(
            "{name} knows words and no {tables}",
            "compare words, or compare with a project's folder or a file of counts",
            name=name[:40],
            tables=_TABLES[by],
        )
    kind, _, language = name.partition(":")
    shares = own_shares(language) if kind + ":" == OWN else general_shares(language)
    rarest = min(shares.values())
    return {word: share / rarest for word, share in shares.items()}


def _public_results(project: Path) -> Run:
    if is_restricted(project / "store") or pushed_rights(project):
        problem = "{path} has documents that not everybody may read"
        raise UsageError(problem, "give a file of counts", path=project)
    return run_folders.current(project / "runs")


def counts_of(tables: Tables, by: By, where: tuple[str, ...] = ()) -> Iterator[tuple[str, int]]:
    """How often a run has each word, lemma or category; one counts in all its languages and categories together.

    `where` are conditions on the rows of the table.
    """
    pairs = iter(tables.ask(_TABLES[by], Question(where, columns=(by, "count"))))
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
            "give a project's folder, a file of counts, general:CODE or wordfreq:CODE",
            path=path,
            reason=error.strerror,
        ) from None


def _added(pairs: Iterable[tuple[str, float]], by: By) -> dict[str, float]:
    """Counts under the keys of words and lemmas, so that forms that differ in case or encoding are one; categories as named."""
    return added(pairs if by == "category" else ((key(word), count) for word, count in pairs))
