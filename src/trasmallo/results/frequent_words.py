"""The most frequent words of a run: for a list, or to be left out of its tables."""

from __future__ import annotations

from collections import Counter

import msgspec

from trasmallo.config import StudyConfig
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.store.run_folders import Run
from trasmallo.study import stop_lists
from trasmallo.study.document_measures import count
from trasmallo.study.word_lists import frequent
from trasmallo.values.errors import disk_errors

FIELDS = {"text": ("words", "word"), "titles": ("pages", "title"), "anchors": ("links", "anchor")}
"""Parts of documents whose most frequent words can be asked for: table and column."""


def most_frequent(tables: Tables, number: int, field: str = "text") -> stop_lists.StopList:
    """The most frequent words of a run's texts, titles or anchors (textbook, 4.3.3); copies are not counted in texts."""
    table, column = FIELDS[field]
    if field == "text":
        return stop_lists.make(_most(tables, number))
    counts: Counter[str] = Counter()
    for (text,) in tables.ask(table, Question(columns=(column,))):
        counts.update(count(text))
    return stop_lists.most_frequent(counts, number)


def find_frequent(run: Run, study: StudyConfig) -> None:
    """Write down as many of the most frequent words of a run as are wished; the tables of the whole corpus leave them out."""
    path = run.folder / "frequent.jsonl"
    path.unlink(missing_ok=True)
    number = frequent(study)
    if not number:
        return
    with Tables(run, study) as tables, disk_errors(path):
        words = _most(tables, number)
        path.write_bytes(b"".join(msgspec.json.encode({"word": word}) + b"\n" for word in words))


def _most(tables: Tables, number: int) -> list[str]:
    """The most frequent words of all languages together."""
    tables.prepare("words")
    found = tables.select("SELECT word FROM words GROUP BY word ORDER BY sum(count) DESC, word LIMIT ?", [number])
    return [str(word) for (word,) in found]
