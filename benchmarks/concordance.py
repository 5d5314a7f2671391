"""Concordance: a made corpus is merged with positions by type, and asked what corpus linguists ask.

`python benchmarks/concordance.py [--tokens N] [--folder DIR]`: words of syllables fall as Zipf's law says, every word has a
lemma and a category, and everything comes from one seed. Each query runs in a process that has opened the corpus; its time is
the median of seven runs to the exact count and the first 20 lines with their words, lemmas and categories, in CPU ms, and the
first run is told beside it. The peer is a scan of the same columns with numpy, which is what a concordance without positions
does. DIR keeps the corpus for the next time.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from trasmallo.store.tokens import SENTENCE, Builder, Corpus, DocumentTokens, merge
from trasmallo.study.query.evaluation import QueriedCorpus, search
from trasmallo.study.query.hits import NO_HITS
from trasmallo.study.query.parsing import parse
from trasmallo.values.model import Tagged

SEED = 20261116
VOCABULARY = 500_000
DOCUMENT = 1_000
PART = 250
SHOWN = 20
SYLLABLES = [
    "ca",
    "sa",
    "de",
    "re",
    "ha",
    "cer",
    "ma",
    "ra",
    "bo",
    "lu",
    "gui",
    "pes",
    "tra",
    "mo",
    "lo",
    "ñan",
    "dú",
    "cas",
    "ti",
    "llo",
    "pre",
    "gun",
    "ta",
    "ver",
    "du",
    "ro",
    "mi",
    "lá",
    "sol",
    "viento",
]
ENDINGS = ["ción", "mente", "s", "o", "a", "ar", "ado", "es", "ito", "dad"]
SHARES = {"ADP": 15, "DET": 14, "PUNCT": 12, "NOUN": 18, "VERB": 11, "ADJ": 6, "ADV": 5, "PRON": 6, "CCONJ": 4, "PROPN": 9}
FUNCTION = ["ADP", "DET", "PUNCT", "CCONJ", "PRON", "ADV"]
QUERIES = {
    "one rare word": '[word="RARE"]',
    "rare word and gap": '[word="RARE"] []{0,3} [pos="NOUN"] within s',
    "rare lemma after a frequent word": '[pos="DET"] [lemma="LEMMA"]',
    "lemma, gap, noun": '[lemma="COMMON"] []{0,3} [pos="NOUN"] within s',
    "adjective and noun": '[pos="ADJ"] [pos="NOUN"]',
    "adjective and noun in a sentence": '[pos="ADJ"] [pos="NOUN"] within s',
    "expression, ending": '[word=".*ción"]',
    "expression, beginning": '[word="pre.*"]',
    "expression, inside": '[word=".*viento.*"]',
    "any case and accents": '[word="castillo"%cd]',
    "catastrophic expression": '[word="(a*)*b"]',
    "two nouns that are the same": '1:[pos="NOUN"] [pos="ADP"] 2:[pos="NOUN"] & 1.lemma = 2.lemma',
    "noun phrase": '[pos="DET"] [pos="ADJ"]{0,2} [pos="NOUN"] within s',
}
BARS = {"one rare word": 5, "rare word and gap": 5, "rare lemma after a frequent word": 5, "adjective and noun": 60}
BARS |= {"expression, ending": 60, "expression, beginning": 60, "expression, inside": 60, "any case and accents": 60}


def vocabulary() -> tuple[list[str], list[str], list[str]]:
    """Words, lemmas and categories by rank; among the most frequent are those of closed classes."""
    chance = np.random.default_rng(SEED)
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        lengths = chance.integers(1, 5, 10_000).tolist()
        picked = chance.integers(0, len(SYLLABLES), (10_000, 4)).tolist()
        ends = chance.integers(0, 3 * len(ENDINGS), 10_000).tolist()
        for length, syllables, end in zip(lengths, picked, ends, strict=True):
            ending = ENDINGS[end] if end < len(ENDINGS) else ""
            words["".join(SYLLABLES[one] for one in syllables[:length]) + ending] = None
    listed = list(words)[:VOCABULARY]
    closed = chance.choice(FUNCTION, 60, p=np.array([SHARES[name] for name in FUNCTION]) / sum(SHARES[n] for n in FUNCTION))
    open_names = ["NOUN", "VERB", "ADJ", "PROPN"]
    weights = np.array([SHARES[name] for name in open_names], dtype=float)
    rest = chance.choice(open_names, VOCABULARY - 60, p=weights / weights.sum())
    lemmas = [listed[number // 3 * 3] for number in range(VOCABULARY)]
    return listed, lemmas, [*closed.tolist(), *rest.tolist()]


def documents(tokens: int) -> Iterator[DocumentTokens]:
    """The corpus document by document."""
    words, lemmas, categories = (np.array(column, dtype=object) for column in vocabulary())
    readings = list(map(Tagged, words, lemmas, categories))
    chance = np.random.default_rng(SEED + 1)
    ends = np.cumsum(1 / (np.arange(VOCABULARY) + 2.7))
    for start in range(0, tokens, DOCUMENT):
        size = min(DOCUMENT, tokens - start)
        ranks = np.searchsorted(ends / ends[-1], chance.random(size))
        found = words[ranks].tolist()
        stops = np.cumsum([len(word) + 1 for word in found])
        flags = (chance.random(size) < 0.05).astype(np.uint8) * SENTENCE
        yield DocumentTokens(
            f"{start:016x}",
            "es",
            readings,
            ranks,
            flags.tobytes(),
            [0, *stops[:-1].tolist()],
            (stops - 1).tolist(),
        )


def write_parts(folder: Path, tokens: int) -> dict[str, Any]:
    builder, part = Builder(), 0
    for document in documents(tokens):
        builder.add(document)
        if len(builder) == PART:
            builder.write(folder / f"part-{part}")
            builder, part = Builder(), part + 1
    if len(builder):
        builder.write(folder / f"part-{part}")
    return {}


def merge_parts(folder: Path, tokens: int) -> dict[str, Any]:
    began = time.process_time()
    merge(sorted(folder.glob("part-*")), folder / "tokens", positions=True)
    spent = time.process_time() - began
    sections = Corpus.open(folder / "tokens")._sections
    names = ("token.low", "token.high", "token.category", "token.flags", "token.step", "position.token")
    columns = sum(sections.array(name).nbytes for name in names if name in sections)
    return {"cpu": spent, "columns": columns / tokens, "file": (folder / "tokens").stat().st_size / tokens}


class NoPages:
    """Pages are the tables' own affair; here only tokens are measured."""

    def select(self, _sql: str, values: list[list[str]]) -> list[tuple[Any, ...]]:
        """A page for each document."""
        return [(document, "", "", "", 0.0) for document in values[0]]


def ask(source: QueriedCorpus, text: str) -> int:
    """The exact count, with the first lines made."""
    from trasmallo.results.concordance.lines import Context, Lines  # brings DuckDB, which merging does without

    total, first = 0, NO_HITS
    for hits in search(parse(text), source):
        total += len(hits)
        first = hits.only(slice(0, SHOWN)) if not len(first) else first
    lines = Lines(source.columns, NoPages(), ["1", "2"][: len(first.labels)], Context())  # type: ignore[arg-type]
    assert len(list(lines.lines(first))) == min(total, SHOWN) or len(first) < SHOWN
    return total


def scanned(corpus: Corpus, text: str) -> float:
    """CPU ms of reading a whole column for it, the least that is needed without positions."""
    began = time.process_time()
    wanted = QueriedCorpus(corpus).conditions.wanted(parse(text).pattern.condition)  # type: ignore[union-attr]
    for begin in range(0, len(corpus), 1 << 20):
        np.flatnonzero(wanted.mask[corpus.types(slice(begin, begin + (1 << 20)))])
    return 1e3 * (time.process_time() - began)


def run_queries(folder: Path, _tokens: int) -> dict[str, Any]:
    corpus = Corpus.open(folder / "tokens")
    source = QueriedCorpus(corpus)
    counts = corpus.words.counts
    rare = corpus.words[int(np.searchsorted(-counts.astype(np.int64), -10))]
    common = corpus.words[int(np.searchsorted(-counts.astype(np.int64), -int(len(corpus) / 20_000)))]
    lemma = corpus.lemmas[int(np.searchsorted(-corpus.lemmas.counts.astype(np.int64), -10))]
    common_lemma = corpus.lemmas[int(corpus.lemma[np.flatnonzero(corpus.word[:5_000_000] == corpus.words.find(common))[:1]][0])]
    rows = {}
    for name, text in QUERIES.items():
        text = text.replace("RARE", rare).replace("LEMMA", lemma).replace("COMMON", common_lemma)
        times = []
        for _ in range(7):
            began = time.process_time()
            total = ask(source, text)
            times.append(1e3 * (time.process_time() - began))
        rows[name] = {"query": text, "hits": total, "first": times[0], "ms": statistics.median(times)}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    rows["one rare word"]["scan"] = scanned(corpus, rows["one rare word"]["query"])
    rows["expression, ending"]["scan"] = scanned(corpus, rows["expression, ending"]["query"])
    return {"rows": rows, "peak": before}


STEPS = {"write": write_parts, "merge": merge_parts, "ask": run_queries}


def step(name: str, folder: Path, tokens: int) -> dict[str, Any]:
    command = [sys.executable, __file__, "--tokens", str(tokens), "--step", name, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def report(folder: Path, tokens: int) -> None:
    if not list(folder.glob("part-*")):
        step("write", folder, tokens)
    made = step("merge", folder, tokens)
    print(f"{tokens:,} tokens, {VOCABULARY:,} words")
    print(f"index: {tokens / made['cpu'] / 1e6:.2f} M tokens a CPU s (bar 1), peak {made['peak']:,.0f} MB")
    print(f"size: {made['columns']:.2f} bytes a token with positions, {made['file']:.2f} with lexicons (bar 12)")
    asked = step("ask", folder, tokens)
    print(f"queries: peak {asked['peak']:,.0f} MB (bar 300)\n")
    print(f"{'':34} {'hits':>10} {'CPU ms':>8} {'bar':>5} {'first':>7} {'scan':>7}  query")
    for name, row in asked["rows"].items():
        scan = f"{row['scan']:7.0f}" if "scan" in row else " " * 7
        print(
            f"{name:34} {row['hits']:10,} {row['ms']:8.1f} {BARS.get(name, ''):>5} {row['first']:7.1f} {scan}  {row['query']}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Corpus queries")
    parser.add_argument("--tokens", type=int, default=30_000_000)
    parser.add_argument("--folder", type=Path, help="where the corpus is made and kept")
    parser.add_argument("--step", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        said = STEPS[arguments.step[0]](Path(arguments.step[1]), arguments.tokens)
        print(json.dumps({"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000} | said))
    elif arguments.folder:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        report(arguments.folder, arguments.tokens)
    else:
        with tempfile.TemporaryDirectory() as folder:
            report(Path(folder), arguments.tokens)


if __name__ == "__main__":
    main()
