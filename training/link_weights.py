"""Weights of the link models of a focus, from replays over a graph whose pages have known subjects, judged by folds.

    python training/link_weights.py PAGES.jsonl.zst TOPICS.json [--draws 1] [--topics N] [--folds 3] [--write]

PAGES has a page a line (title, text, links as target, anchor and context), TOPICS words and the numbers of relevant pages. Each
topic is replayed with and without marks, as `replay.py` does it. Of what waits at each fit the best addresses and some others
are examples; the latter count at most three times, so that the model is fitted where it decides. The weights of the first look
stay as they are. With --write the weights of all topics are put into `weights.toml`, else only figures are printed.

It takes some 3 CPU seconds for each replay, of which there are two a topic and draw, and a minute for the fits: examples are
taken from at most `_FITS` fits of a replay, so that 30 topics are 180,000 rows of 70 MB.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import zstandard
from numpy.typing import NDArray
from scipy.optimize import minimize

from trasmallo.crawl.focus import FocusModel, FocusSetup, SeenLink, SeenPage, Topic, link_scorer
from trasmallo.crawl.focus.notes import PageNote, note
from trasmallo.crawl.focus.weights import LINK_FEATURES
from trasmallo.study.languages import stopwords

Floats = NDArray[np.float64]
TABLES = {"links": 0, "links_with_marks": 20}
"""Tables of weights, and the marks that the user makes."""

_WEIGHTS_FILE = Path(link_scorer.__file__).with_name("weights.toml")
_BEST, _OTHERS, _HEAVIEST, _FITS = 60, 60, 3.0, 25
_RIDGE, _BUDGET, _STARTS, _AHEAD = 1e-3, 0.1, 3, 40


class Examples(NamedTuple):
    """Addresses that waited when the models were fitted: features, whether they are relevant, and how much each counts."""

    topic: int
    features: Floats
    relevant: Floats
    counts: Floats


class Replayed(NamedTuple):
    """One replay: its examples, and the share of relevant pages among as many as there are."""

    examples: list[Examples]
    harvest: float


def read_notes(path: Path, stop: frozenset[str]) -> list[PageNote]:
    """The pages of a graph as a focus notes them."""
    rows = (json.loads(line) for line in zstandard.decompress(path.read_bytes(), 1 << 30).decode().split("\n"))
    return [note(_seen(number, row), stop) for number, row in enumerate(row for row in rows if not row.get("hub"))]


def _seen(number: int, row: dict[str, Any]) -> SeenPage:
    links = []
    for target, anchor, context in row["links"]:
        before, _, after = context.partition("[]")
        links.append(SeenLink(f"id:{target}", anchor, before, after))
    return SeenPage(f"id:{number}", row["title"], row["text"], tuple(links))


class Replay:
    """A focused crawl of one topic over the graph."""

    def __init__(self, notes: list[PageNote], topic: dict[str, Any], number: int, draw: int, stop: frozenset[str]) -> None:
        self._notes, self._number = notes, number
        self._relevant = {f"id:{page}" for page in topic["pages"]}
        self._chance = np.random.default_rng(100 * draw + number)
        self._model = FocusModel(FocusSetup(topics=(Topic(name="topic", words=tuple(topic["words"].split())),), stop=stop))
        leading = [page for page in sorted(topic["pages"]) if len(notes[page].links) >= _STARTS]
        for page in self._chance.choice(leading, _STARTS, replace=False).tolist():
            self._model.restore(msgspec.structs.replace(notes[page], example=True))

    def run(self, marks: int) -> Replayed:
        """Crawl a tenth of the graph, or as many pages as are relevant."""
        wanted = max(int(_BUDGET * len(self._notes)), len(self._relevant))
        apart = wanted / _FITS  # pages between two fits that give examples
        said: dict[str, bool] = {}
        examples: list[Examples] = []
        hits: list[bool] = []
        waiting: list[str] = []
        while len(hits) < wanted:
            if self._model.is_due or not waiting:
                self._model.fit()
                if len(hits) >= apart * len(examples):
                    examples.append(self._examples())
                waiting = [url for url, _ in self._model.promising(_AHEAD)][::-1]
            if not waiting:
                break
            url = waiting.pop()
            hits.append(url in self._relevant)
            self._model.restore(self._notes[int(url.removeprefix("id:"))])
            if len(hits) <= marks:
                said[url] = hits[-1]
                self._model.mark(said)
        left = len(self._relevant) - _STARTS
        return Replayed(examples, sum(hits[:left]) / left)

    def _examples(self) -> Examples:
        scored, observed = self._model._scored[0], self._model.observed
        waiting = observed.waiting(len(scored.scores))
        ranked = waiting[np.argsort(-scored.scores[waiting], kind="stable")]
        best, rest = ranked[:_BEST], ranked[_BEST:]
        others = self._chance.choice(rest, min(_OTHERS, len(rest)), replace=False)
        chosen = np.concatenate([best, others]).astype(int)
        weight = min(_HEAVIEST, len(rest) / max(len(others), 1))
        counts = np.concatenate([np.ones(len(best)), np.full(len(others), weight)])
        relevant = np.array([observed.urls[number] in self._relevant for number in chosen.tolist()], float)
        return Examples(self._number, scored.features[chosen], relevant, counts)


def fit_weights(examples: Sequence[Examples]) -> Floats:
    """Logistic regression with a ridge over features of unit spread; the first feature is the bias."""
    rows = np.concatenate([each.features for each in examples])
    relevant = np.concatenate([each.relevant for each in examples])
    counts = np.concatenate([each.counts for each in examples])
    counts /= counts.sum()
    spread = rows.std(axis=0)
    spread[spread == 0] = 1.0
    scaled, ridge = rows / spread, np.full(rows.shape[1], _RIDGE)
    ridge[0] = 0.0

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = scaled @ weights
        errors = counts * (1 / (1 + np.exp(-scores)) - relevant)
        total = float((counts * (np.logaddexp(0, scores) - relevant * scores)).sum() + 0.5 * (ridge * weights**2).sum())
        return total, scaled.T @ errors + ridge * weights

    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return np.asarray(found.x / spread)


def replays(notes: list[PageNote], topics: list[dict[str, Any]], draws: int, marks: int) -> Iterator[Replayed]:
    """All topics, each with several draws of start pages, with the weights that count now."""
    stop = stopwords("en")
    for draw in range(draws):
        for number, topic in enumerate(topics):
            replayed = Replay(notes, topic, number, draw, stop).run(marks)
            print(
                f"{time.process_time():6.0f} CPU s: draw {draw}, {marks} marks, {topic['name']}: {replayed.harvest:.3f}",
                flush=True,
            )
            yield replayed


def by_folds(examples: Sequence[Examples], folds: int) -> float:
    """The share of relevant ones among the ten best, on topics that the weights were not fitted on."""
    shares = []
    for fold in range(folds):
        weights = fit_weights([each for each in examples if each.topic % folds != fold])
        for each in (each for each in examples if each.topic % folds == fold):
            best = np.argsort(-(each.features @ weights), kind="stable")[:10]
            shares.append(each.relevant[best].mean())
    return float(np.mean(shares))


def write_weights(table: str, weights: Floats) -> None:
    """Put the weights of a table into the file."""
    text = _WEIGHTS_FILE.read_text(encoding="utf-8")
    before, _, after = text.partition(f"[{table}]\n")
    _, parted, rest = after.partition("\n\n")
    lines = [f"{name} = {weight:.3f}" for name, weight in zip(LINK_FEATURES, weights.tolist(), strict=True)]
    _WEIGHTS_FILE.write_text(f"{before}[{table}]\n" + "\n".join(lines) + (parted + rest if parted else "\n"), encoding="utf-8")


def main() -> None:
    """Replay, fit, and print what the weights are worth."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("pages", type=Path)
    asked.add_argument("topics", type=Path)
    asked.add_argument("--draws", type=int, default=1)
    asked.add_argument("--topics", type=int, default=None, dest="most", help="the first topics only")
    asked.add_argument("--folds", type=int, default=3)
    asked.add_argument("--write", action="store_true")
    given = asked.parse_args()
    notes, topics = read_notes(given.pages, stopwords("en")), json.loads(given.topics.read_text(encoding="utf-8"))[: given.most]
    examples: dict[str, list[Examples]] = {}
    for table, marks in TABLES.items():
        replayed = list(replays(notes, topics, given.draws, marks))
        examples[table] = [example for each in replayed for example in each.examples]
        harvest = float(np.mean([each.harvest for each in replayed]))
        print(f"{table}: h@R {harvest:.3f} with the weights of now")
    examples["links"] = [each for some in examples.values() for each in some]
    for table, some in examples.items():
        print(f"{table}: {by_folds(some, given.folds):.3f} of the ten best are relevant, by folds")
    if given.write:
        for table, some in examples.items():
            write_weights(table, fit_weights(some))


if __name__ == "__main__":
    main()
