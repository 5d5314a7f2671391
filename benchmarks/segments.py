"""Token columns and segments: a made corpus is written in parts, merged, and searched for segments and collocations.

`python benchmarks/segments.py [--tokens N] [--slice N] [--peers PYTHON]`: each step runs in a process of its own and tells its
CPU seconds and its largest resident memory. Words fall as Zipf's law says, a twentieth of the tokens are in planted phrases,
and everything comes from one seed. PYTHON is an interpreter that has scikit-learn or NLTK, this one when not given; they are
given a slice of the corpus, which we count in the same run, since the whole of it does not fit into their memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from trasmallo.store.tokens import SENTENCE, Builder, Corpus, DocumentTokens, merge
from trasmallo.study import collocations, segments
from trasmallo.study.sequence_bounds import Bounds
from trasmallo.values.model import Tagged

SEED = 20261116
VOCABULARY = 500_000
PHRASES = 20_000
DOCUMENT = 1_000
PART = 250
"""Documents of a part."""
LONGEST = 6
LEAST = 20
CATEGORIES = [f"C{number}" for number in range(17)]


def numbers(tokens: int) -> np.ndarray:
    """The corpus as numbers: Zipf and Mandelbrot's law, and phrases of two to seven words, some of them very frequent."""
    chance = np.random.default_rng(SEED)
    ends = np.cumsum(1 / (np.arange(VOCABULARY) + 2.7))
    made = np.searchsorted(ends / ends[-1], chance.random(tokens)).astype(np.uint32)
    phrases = [chance.integers(0, VOCABULARY // 4, chance.integers(2, 8)) for _ in range(PHRASES)]
    which = np.minimum(chance.pareto(1.0, tokens // 100) * 10, PHRASES - 1).astype(int)
    places = chance.integers(0, max(tokens - 10, 1), len(which))
    for place, number in zip(places.tolist(), which.tolist(), strict=True):
        made[place : place + len(phrases[number])] = phrases[number]
    return made


def write_parts(folder: Path, tokens: int) -> dict[str, Any]:
    """What worker processes do with the tokens of their documents; the strings are there before the clock starts."""
    words, made = np.array([f"palabra{number}" for number in range(VOCABULARY)], dtype=object), numbers(tokens)
    chance, spent = np.random.default_rng(SEED + 1), 0.0
    for part, begin in enumerate(range(0, tokens, DOCUMENT * PART)):
        documents = []
        for start in range(begin, min(begin + DOCUMENT * PART, tokens), DOCUMENT):
            found = words[made[start : start + DOCUMENT]].tolist()
            lemmas = words[made[start : start + DOCUMENT] // 2 * 2].tolist()
            categories = [CATEGORIES[number % 17] for number in made[start : start + DOCUMENT].tolist()]
            ends = np.cumsum([len(word) + 1 for word in found])
            starts = np.concatenate(([0], ends[:-1]))
            flags = (chance.random(len(found)) < 0.05).astype(np.uint8) * SENTENCE
            documents.append(
                DocumentTokens(
                    f"{start:016x}",
                    "es",
                    list(map(Tagged, found, lemmas, categories)),
                    np.arange(len(found)),
                    flags.tobytes(),
                    starts.tolist(),
                    (ends - 1).tolist(),
                )
            )
        began = time.process_time()
        builder = Builder()
        for document in documents:
            builder.add(document)
        builder.write(folder / f"part-{part}")
        spent += time.process_time() - began
    return {"cpu": spent, "note": f"{tokens / spent / 1e6:.2f} M tokens a CPU s, strings to {part + 1} files"}


def merge_parts(folder: Path, tokens: int) -> dict[str, Any]:
    began = time.process_time()
    merge(sorted(folder.glob("part-*")), folder / "tokens")
    spent = time.process_time() - began
    size = (folder / "tokens").stat().st_size
    columns = sum(
        Corpus.open(folder / "tokens")._sections.array(f"token.{name}").nbytes
        for name in ("low", "high", "category", "flags", "step")
    )
    return {
        "cpu": spent,
        "note": f"{columns / tokens:.2f} bytes a token in columns, {size / tokens:.2f} with lexicons and tables",
    }


def bounds_of(corpus: Corpus) -> Bounds:
    return Bounds(corpus.documents.bounds, corpus.sentences)


def find_segments(folder: Path, tokens: int) -> dict[str, Any]:
    corpus = Corpus.open(folder / "tokens")
    began = time.process_time()
    found = list(
        segments.find_segments(
            corpus.word, bounds_of(corpus), segments.SegmentOptions(2, LONGEST, LEAST), sorting=segments.Sorting(folder)
        )
    )
    spent = time.process_time() - began
    return {
        "cpu": spent,
        "note": f"{sum(len(one.first) for one in found):,} segments, {tokens / spent / 1e6:.1f} M tokens a CPU s",
    }


def find_collocations(folder: Path, tokens: int) -> dict[str, Any]:
    """Lemmas in windows of five, without the hundred most frequent, as with a list of stop words."""
    corpus = Corpus.open(folder / "tokens")
    allowed = np.arange(len(corpus.lemmas)) >= 100
    options = collocations.CollocationOptions(collocations.CollocationWindow(5, 5), LEAST, allowed=allowed)
    began = time.process_time()
    found = _measured(collocations.find_collocations(corpus.lemma, bounds_of(corpus), options, folder))
    spent = time.process_time() - began
    return {"cpu": spent, "note": f"{found:,} pairs, {tokens / spent / 1e6:.1f} M tokens a CPU s"}


def _measured(found: Iterable[collocations.Pairs]) -> int:
    """How many pairs there are; all of them are measured."""
    return sum(len(some.measures().log_dice) for some in found)


STEPS: dict[str, Callable[[Path, int], dict[str, Any]]] = {
    "write parts": write_parts,
    "merge them": merge_parts,
    f"segments 2-{LONGEST}, frequency {LEAST}": find_segments,
    "collocations 5+5, 7 measures": find_collocations,
}

PEERS = """
import json, resource, sys, time
from collections import Counter
lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
longest, least, name = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
def sklearn():
    from sklearn.feature_extraction.text import CountVectorizer
    began = time.process_time()
    counts = CountVectorizer(ngram_range=(2, longest), token_pattern=r"\\S+", lowercase=False).fit_transform(lines).sum(axis=0)
    return began, int((counts >= least).sum())
def nltk():
    from nltk.util import ngrams
    began = time.process_time()
    found = 0
    for length in range(2, longest + 1):
        counts = Counter(gram for line in lines for gram in ngrams(line.split(), length))
        found += sum(count >= least for count in counts.values())
    return began, found
def nltk_collocations():
    from nltk.collocations import BigramAssocMeasures, BigramCollocationFinder
    began = time.process_time()
    finder = BigramCollocationFinder.from_documents([line.split() for line in lines])
    finder.apply_freq_filter(least)
    return began, len(finder.score_ngrams(BigramAssocMeasures.likelihood_ratio))
try:
    began, found = {"scikit-learn": sklearn, "NLTK": nltk, "NLTK collocations": nltk_collocations}[name]()
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000
    print(json.dumps({"cpu": time.process_time() - began, "found": found, "peak": peak}))
except ImportError as error:
    print(json.dumps({"skipped": str(error).splitlines()[0]}))
"""


def report_peers(tokens: int, python: str, folder: Path) -> None:
    """The same slice, sentence by sentence, counted by everybody."""
    made = numbers(tokens)
    cuts = np.flatnonzero(np.random.default_rng(SEED).random(tokens) < 0.05)
    text = folder / "slice.txt"
    text.write_text("\n".join(" ".join(map(str, line.tolist())) for line in np.split(made, cuts) if len(line)), "utf-8")
    bounds = Bounds(np.array([0, tokens]), cuts)
    ours = {"segments": _timed(lambda: list(segments.find_segments(made, bounds, segments.SegmentOptions(2, LONGEST, LEAST))))}
    found = sum(len(one.first) for one in segments.find_segments(made, bounds, segments.SegmentOptions(2, LONGEST, LEAST)))
    pairs = collocations.CollocationOptions(collocations.CollocationWindow(0, 1), LEAST)
    ours["collocations"] = _timed(lambda: _measured(collocations.find_collocations(made, bounds, pairs)))
    print(f"\n{tokens:,} tokens; neighbours for collocations")
    print(f"{'trasmallo segments':22} {ours['segments']:8.2f} CPU s {found:10,} found")
    print(f"{'trasmallo collocations':22} {ours['collocations']:8.2f} CPU s")
    for name in ("scikit-learn", "NLTK", "NLTK collocations"):
        command = [python, "-c", PEERS, str(text), str(LONGEST), str(LEAST), name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        said = json.loads(done.stdout) if done.stdout else {"skipped": (done.stderr.splitlines() or ["it died"])[-1]}
        if "skipped" in said:
            print(f"{name:22} skipped: {said['skipped']}")
            continue
        ratio = said["cpu"] / ours["collocations" if "collocations" in name else "segments"]
        print(
            f"{name:22} {said['cpu']:8.2f} CPU s {said['found']:10,} found, {said['peak']:,.0f} MB more, {ratio:.0f} times ours"
        )


def _timed(work: Callable[[], Any]) -> float:
    """CPU seconds, the best of three."""
    passes = []
    for _ in range(3):
        began = time.process_time()
        work()
        passes.append(time.process_time() - began)
    return min(passes)


def main() -> None:
    parser = argparse.ArgumentParser(description="Token columns, segments, collocations")
    parser.add_argument("--tokens", type=int, default=30_000_000)
    parser.add_argument("--slice", type=int, default=500_000)
    parser.add_argument("--peers", default=sys.executable)
    parser.add_argument("--step", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        said = STEPS[arguments.step[0]](Path(arguments.step[1]), arguments.tokens)
        print(json.dumps(said | {"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000}))
        return
    with tempfile.TemporaryDirectory() as folder:
        print(f"{arguments.tokens:,} tokens\n{'':30} {'CPU s':>8} {'peak MB':>9}")
        for step in STEPS:
            command = [sys.executable, __file__, "--tokens", str(arguments.tokens), "--step", step, folder]
            said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            print(f"{step:30} {said['cpu']:8.1f} {said['peak']:9,.0f}  {said['note']}", flush=True)
        report_peers(arguments.slice, arguments.peers, Path(folder))


if __name__ == "__main__":
    main()
