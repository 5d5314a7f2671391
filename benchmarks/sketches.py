"""Word sketches: how fast their pairs are made, how many bytes they take, how long a question takes.

    python benchmarks/sketches.py PROJECT [--copies 20]

PROJECT is one of yours that has finished, in Spanish or English. Its texts are tagged once and written into a corpus so many
times, each time with other names of documents; the variety of its words stays that of one. Told are the tokens that all
relations together take a CPU second, bytes of the table for each token of the project itself, and the wall time of the sketches
of its most frequent verb, noun and adjective, when the table is there.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import msgspec

from trasmallo.config import StudyConfig
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.project.project import Project
from trasmallo.results.builders.counts import TokenSource
from trasmallo.results.builders.sketches import sketch_pairs
from trasmallo.results.builders.writing import write_columns
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.sketches import SketchQuestion, find_sketch
from trasmallo.store.tokens import Builder, Corpus, DocumentTokens
from trasmallo.study.morphology import tag_types
from trasmallo.study.sentences import cut


def tagged(project: Project) -> list[DocumentTokens]:
    """The texts of a project as tokens."""
    found = []
    for row in project.table("texts"):
        tokens = cut(str(row["text"]), project.config.language or "es")
        found.append(document_tokens("0" * 16, *tokens, tag_types(tokens, project.config.language or "es")))
    return found


def write_corpus(documents: list[DocumentTokens], copies: int, path: Path) -> Corpus:
    """A corpus of so many copies of some documents."""
    builder = Builder()
    for number in range(copies * len(documents)):
        builder.add(msgspec.structs.replace(documents[number % len(documents)], document=f"{number:016x}"))
    builder.write(path)
    return Corpus.open(path)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project")
    parser.add_argument("--copies", type=int, default=20)
    asked = parser.parse_args()
    project = Project.open(asked.project)
    with tempfile.TemporaryDirectory() as folder:
        corpus = write_corpus(tagged(project), asked.copies, Path(folder) / "tokens")
        began = time.process_time()
        built = sketch_pairs(TokenSource(corpus, StudyConfig(), home=project.config.language))
        rows = sum(len(batch[0]) for batch in built.batches)
        spent = time.process_time() - began
        print(f"{len(corpus):,} tokens, {rows:,} pairs: {spent:.1f} CPU s, {len(corpus) / spent:,.0f} tokens a CPU second")
        single = write_corpus(tagged(project), 1, Path(folder) / "single")
        write_columns(sketch_pairs(TokenSource(single, StudyConfig(), home=project.config.language)), Path(folder) / "pairs")
        print(f"{(Path(folder) / 'pairs').stat().st_size / len(single):.2f} bytes of the table a token")
    with project.tables() as tables:
        for category in ("VERB", "NOUN", "ADJ"):
            tell_question(tables, category)


def tell_question(tables: Tables, category: str) -> None:
    """Print how long the sketch of the most frequent lemma of a category takes, the best of three times."""
    (row,) = tables.ask("lemmas", Question((f"category={category}",), sort="-count", limit=1))
    times = []
    for _ in range(3):
        began = time.perf_counter()
        find_sketch(tables, SketchQuestion(word=row[0], category=category, number=20))
        times.append(time.perf_counter() - began)
    print(f"{row[0]} ({category}): {1000 * min(times):.0f} ms")


if __name__ == "__main__":
    main()
