"""Train the classifier of the method `best`, cross-validate it by site, and write its model file.

    python training/blocks.py DATA [MODEL]

DATA is the folder of the five public sets (`*.jsonl.zst`), MODEL by default the file in the package. Needs catboost and
zstandard, which the product does not. Everything is seeded: the same data, numpy and catboost give the same model.

1. Each block of each page gets a label: the share of it that is main content (labels.py).
2. Words of names and of texts get values (words.py); a page sees those of other sites only.
3. The first stage is fitted five times, each time without a fifth of the sites, whose pages it then scores.
4. The second stage learns from such scores of unseen sites. It is fitted five times too, which gives the figures, with the
   trees evaluated as the product does; then both stages are fitted on all pages.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from catboost import CatBoostClassifier  # type: ignore[import-untyped]
from labels import FULL, SETS, Sample, digest, load
from numpy.typing import NDArray
from words import Table, name_values, phrase_values

from trasmallo.clean.content.best import MODEL, threshold
from trasmallo.clean.content.features import Blocks, FeatureTables, Floats, describe, describe_again
from trasmallo.clean.content.outline import Names, Outline
from trasmallo.clean.content.texts import Phrases
from trasmallo.clean.content.trees import Arrays, Trees, pack

SEED = 1
FOLDS = 5
# Each page weighs the same; small sets weigh more, so that all conventions are heard.
WEIGHT = {"scrapinghub": 3.0, "cleanportaleval": 3.0, "daniel": 1.0, "wcxb": 1.0, "trafilatura": 1.5}
ROWS = 120_000
# A small set moves by a hundredth from one draw of rows to another: the mean of several draws moves less.
DRAWS = 2
TREES, DEPTH = 160, 6
# Pages whose gold is not made of the page's blocks teach nothing.
_CREDIBLE = 0.7
_LEAST_VALUE = {"name": 0.05, "phrase": 0.15}
_PACKAGE = Path(__file__).resolve().parents[1] / "src" / "trasmallo" / "clean" / "content"


def fold_of(site: str) -> int:
    """Which fifth of the sites a site belongs to, by its name alone."""
    return int(hashlib.md5(("f" + site).encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS


def tables_of(samples: list[Sample]) -> tuple[Table, Table]:
    """The values of words in names and in texts, from pages with full gold."""
    full = [sample for sample in samples if sample.gold is not None]
    unread = Names(lambda _word: 0.0)
    names = Table((sample.site, name_values(sample, Outline(sample.page, sample.layout, unread))) for sample in full)
    return names, Table((sample.site, phrase_values(sample)) for sample in full)


def describe_all(samples: list[Sample], names: Table, phrases: Table) -> None:
    """Give each page the features of the first stage, words valued without its own site."""
    tables: dict[str, FeatureTables] = {}
    for sample in samples:
        if sample.site not in tables:
            tables[sample.site] = FeatureTables(Names(names.without(sample.site)), Phrases(phrases.without(sample.site)))
        sample.blocks = Blocks(sample.page, sample.layout, tables[sample.site])
        sample.first = describe(sample.blocks)


def _weights(sample: Sample) -> Floats:
    weight = (np.minimum(sample.size, 150) + 2.0) * (sample.label >= 0)
    normed: Floats = weight / max(weight.sum(), 1e-9) * WEIGHT[sample.name]
    return normed


def credible(sample: Sample) -> bool:
    """Whether the labels of a page reach its gold."""
    return sample.gold is None or page_f1(sample, sample.label >= 0.5) >= _CREDIBLE


def draw(weight: Floats, count: int, seed: int) -> tuple[NDArray[np.int64], Floats]:
    """About `count` of the rows, heavy ones all, light ones by chance, and the weights that make up for those left out."""
    low, high = 0.0, float(weight.max())
    for _ in range(50):
        limit = (low + high) / 2
        low, high = (limit, high) if np.minimum(weight / limit, 1).sum() > count else (low, limit)
    chance = np.minimum(weight / high, 1)
    drawn = np.flatnonzero(np.random.default_rng(seed).random(len(weight)) < chance)
    return drawn, weight[drawn] / chance[drawn] / high


def fit(samples: list[Sample], stage: str) -> Arrays:
    """The mean of boosted models of blocks, whose labels are shares, each from another draw of rows."""
    found = [export(_fit(samples, stage, SEED + number)) for number in range(DRAWS)]
    return {
        "feature": np.hstack([arrays["feature"] for arrays in found]),
        "threshold": np.hstack([arrays["threshold"] for arrays in found]),
        "leaf": (np.vstack([arrays["leaf"] for arrays in found]).astype(np.float32) / DRAWS).astype(np.float16),
        "bias": np.mean([arrays["bias"] for arrays in found], axis=0),
    }


def _fit(samples: list[Sample], stage: str, seed: int) -> Any:
    chosen = [sample for sample in samples if credible(sample)]
    label, weight = np.concatenate([s.label for s in chosen]), np.concatenate([_weights(s) for s in chosen])
    drawn, weight = draw(weight, ROWS, seed)
    rows = np.hstack([getattr(sample, stage) for sample in chosen]).T[drawn]
    model = CatBoostClassifier(
        loss_function="CrossEntropy", iterations=TREES, depth=DEPTH, learning_rate=0.1, l2_leaf_reg=3.0, random_seed=seed,
        border_count=48, rsm=0.5, bootstrap_type="Bernoulli", subsample=0.7, thread_count=2, verbose=0,
        allow_writing_files=False,
    )  # fmt: skip
    return model.fit(rows, label[drawn], sample_weight=weight)


def export(model: Any) -> Arrays:
    """The trees of a model as arrays for `Trees`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        found = json.loads(path.read_text())
    trees = found["oblivious_trees"]
    feature, threshold_ = np.zeros((DEPTH, len(trees)), np.uint8), np.full((DEPTH, len(trees)), np.inf, np.float32)
    leaf = np.zeros((len(trees), 1 << DEPTH), np.float32)
    for number, tree in enumerate(trees):
        for level, split in enumerate(tree["splits"]):
            feature[level, number], threshold_[level, number] = split["float_feature_index"], split["border"]
        leaf[number, : len(tree["leaf_values"])] = tree["leaf_values"]
    scale, bias = found["scale_and_bias"]
    return {
        "feature": feature,
        "threshold": threshold_,
        "leaf": (leaf * scale).astype(np.float16),
        "bias": np.array(np.ravel(bias)[:1], np.float64),
    }


def trees_of(arrays: Arrays) -> Trees:
    """The trees as the product evaluates them."""
    return Trees(arrays["feature"], arrays["threshold"], arrays["leaf"], float(arrays["bias"][0]))


def score_unseen(samples: list[Sample], stage: str) -> list[Floats]:
    """The score of each page's blocks by a model that saw no page of its fold."""
    scores: dict[int, Floats] = {}
    for fold in range(FOLDS):
        model = trees_of(fit([sample for sample in samples if fold_of(sample.site) != fold], stage))
        scores.update({n: model(getattr(s, stage)) for n, s in enumerate(samples) if fold_of(s.site) == fold})
    return [scores[number] for number in range(len(samples))]


def page_f1(sample: Sample, keep: NDArray[np.bool_]) -> float:
    """F1 of the words of the kept blocks."""
    assert sample.gold is not None
    found: Counter[str] = Counter()
    for number in np.flatnonzero(keep):
        found.update(sample.bags[number])
    return 2 * (found & sample.gold).total() / max(1, found.total() + sample.gold.total())


def figures(samples: list[Sample], scores: list[Floats]) -> dict[str, float]:
    """F1 of each set, the mean of the four with full gold, and that of the segments."""
    f1: dict[str, list[float]] = defaultdict(list)
    segments: Counter[str] = Counter()
    for sample, score in zip(samples, scores, strict=True):
        keep = score >= threshold(score, sample.size.tolist(), 0.5)
        if sample.gold is not None:
            f1[sample.name].append(page_f1(sample, keep))
        else:
            text = "\n".join(text for text, kept in zip(sample.texts(), keep, strict=True) if kept)
            hits = sum(segment in text for segment in sample.wanted)
            wrong = sum(segment in text for segment in sample.unwanted)
            segments.update(hit=hits, all=hits + len(sample.wanted) + wrong)
    reached = {name: sum(f1[name]) / len(f1[name]) for name in FULL if f1[name]}
    reached["macro"] = sum(reached.values()) / len(reached)
    reached["trafilatura"] = 2 * segments["hit"] / max(1, segments["all"])
    return {name: round(value, 4) for name, value in reached.items()}


def _words(name: str, values: dict[str, float]) -> Arrays:
    """Words as one text and their values in 32nds."""
    words = sorted(values)
    return {
        f"{name}_words": np.frombuffer("\n".join(words).encode(), np.uint8),
        f"{name}_values": np.array([round(values[word] * 32) for word in words], np.int8),
    }


def learn(samples: list[Sample]) -> tuple[Arrays, dict[str, Any]]:
    """The arrays of the model, and the figures on sites that it did not see."""
    names, phrases = tables_of(samples)
    describe_all(samples, names, phrases)
    first = score_unseen(samples, "first")
    for sample, score in zip(samples, first, strict=True):
        assert sample.first is not None
        sample.second = describe_again(sample.blocks, sample.first, score)
    arrays = _words("name", names.values(_LEAST_VALUE["name"])) | _words("phrase", phrases.values(_LEAST_VALUE["phrase"]))
    for stage in ("first", "second"):
        arrays |= {f"{stage}_{part}": array for part, array in fit(samples, stage).items()}
    second = score_unseen(samples, "second")
    return arrays, {"first stage": figures(samples, first), "both stages": figures(samples, second)}


def write(folder: Path, model: Path) -> None:
    """Train on a folder and write the model file."""
    samples = list(load(folder))
    arrays, reached = learn(samples)
    header = {
        "made by": "training/blocks.py",
        "seed": SEED,
        "pages": len(samples),
        "sites": len({sample.site for sample in samples}),
        "data sha256": {name: digest(folder / f"{name}.jsonl.zst") for name in SETS},
        "F1 cross-validated by site": reached,
    }
    model.write_bytes(pack(header, arrays))
    print(json.dumps(reached, indent=1))
    print(f"{model}: {model.stat().st_size:,} bytes")


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("model", type=Path, nargs="?", default=_PACKAGE / MODEL)
    arguments = parser.parse_args()
    write(arguments.data, arguments.model)


if __name__ == "__main__":
    main()
