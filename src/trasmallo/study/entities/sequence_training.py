"""Training of log-linear sequence models with python-crfsuite, which only training needs.

L-BFGS with both penalties; then the weights are rounded to bytes and those that round to nothing are dropped, so that a model
is a small file that the product reads by itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from trasmallo.study.entities.model_files import SequenceModel
from trasmallo.study.entities.word_features import Common, attributes
from trasmallo.values.errors import UsageError

_SETTINGS = {"c1": 0.1, "c2": 0.1, "max_iterations": 80, "feature.possible_transitions": 1}
"""Penalties and rounds of the training. Judgement: the usual ones for names."""
_LARGEST_BYTE = 127  # by definition
_LARGEST_WEIGHT = 5.0
"""Weights beyond it are cut, so that the small ones are told apart. Judgement: some ten in a model are larger."""


def train(
    sentences: Sequence[Sequence[tuple[str, str]]],
    tags: Sequence[Sequence[str]],
    common: Common,
    *,
    language: str,
    made_from: str,
    least: float = 0.02,
) -> SequenceModel:
    """A model of sentences of words with labels (BIO). Weights below `least` are dropped.

    Raises UsageError where python-crfsuite is not installed.
    """
    try:
        import pycrfsuite
    except ImportError:
        raise UsageError(
            "python-crfsuite is not installed", "pip install 'trasmallo[entities]', or choose --method hmm"
        ) from None
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params(_SETTINGS)
    for sentence, of in zip(sentences, tags, strict=True):
        trainer.append(attributes([word for word, _ in sentence], of, common), [label for _, label in sentence])
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model")
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        learnt = tagger.info()
        tagger.close()
    return _packed(learnt.state_features, learnt.transitions, (language, made_from), least)


def _packed(
    states: dict[tuple[str, str], float], moves: dict[tuple[str, str], float], about: tuple[str, str], least: float
) -> SequenceModel:
    labels = tuple(sorted({"O", *(label for _, label in states), *(label for pair in moves for label in pair)}))
    names = sorted({name for (name, _), weight in states.items() if abs(weight) >= least})
    rows, columns = {name: row for row, name in enumerate(names)}, {label: row for row, label in enumerate(labels)}
    weights = np.zeros((len(names), len(labels)), np.float32)
    for (name, label), weight in states.items():
        if name in rows:
            weights[rows[name], columns[label]] = weight
    scale = min(float(np.abs(weights).max() or 1.0), _LARGEST_WEIGHT) / _LARGEST_BYTE
    rounded = np.rint(np.clip(weights / scale, -_LARGEST_BYTE, _LARGEST_BYTE)).astype(np.int8)
    kept = np.flatnonzero(rounded.any(axis=1))
    transitions = np.zeros((len(labels), len(labels)), np.float64)
    for (before, after), weight in moves.items():
        transitions[columns[before], columns[after]] = weight
    return SequenceModel(
        language=about[0],
        made_from=about[1],
        labels=labels,
        attributes=tuple(names[row] for row in kept),
        weights=rounded[kept].tobytes(),
        scale=scale,
        transitions=tuple(tuple(row) for row in transitions.tolist()),
    )
