"""Train the tagger of a language, cross-validate it, and write its model file.

    python training/tagger.py DATA [MODEL] [--language es] [--folds 5]

DATA is the folder of the treebanks, MODEL by default the file in the package; `--folds 0` skips the cross-validation.

1. Words: which categories each form had, which verbs are auxiliary.
2. Features of every word that may be more than one thing, made by the product's own functions.
3. Weights for each treebank's convention (loglinear.py); small ones are dropped, the others rounded to bytes.
4. Lemmas and features where the analyses alone would choose something else, per convention.
5. The same five times without a fifth of each treebank, tagged by the product as users will: that gives the figures.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from loglinear import Floats, fit, kept_features
from numpy.typing import NDArray
from treebanks import Gold, Sentence, read, without

from trasmallo.study.interned_forms import forms_of
from trasmallo.study.morphology import tagger_features
from trasmallo.study.morphology.analyser import Analyser, analyser
from trasmallo.study.morphology.lexical import Lexical, SeenInTraining
from trasmallo.study.morphology.reading_choice import ReadingChoice
from trasmallo.study.morphology.tagger import Tagger, beginnings
from trasmallo.study.morphology.tagger_model import FILE, Convention, Model, pack
from trasmallo.study.morphology.tags import Tags

TREEBANKS = {
    "es": {
        "ancora": ("ancora-dev", "UD_Spanish-AnCora, CC BY 4.0"),
        "gsd": ("gsd-dev", "UD_Spanish-GSD, CC BY-SA 4.0"),
    },
    "en": {"ewt": ("ewt-dev", "UD_English-EWT, CC BY-SA 4.0")},
}
_NAMES = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
CATEGORIES = tuple(_NAMES.split())
_FREQUENT = 40
_LEAST_SHARE = 0.003
_LEAST_AUXILIARY = 2
_LEAST_FEATURE = 2
_LEAST_WEIGHT = 0.11
# More would make the file larger and nothing better.
_SCALE_STEPS = 40
# A convention listens to the other treebanks a little, for what it never met itself. Calibrated by cross-validation.
_OWN_SHARE = 0.83
# A treebank's own annotation of a word counts so many times another's.
_OWN_WORD = 20
_PACKAGE = Path(__file__).resolve().parents[1] / "src" / "trasmallo" / "study" / "languages"

Banks = dict[str, list[Sentence]]


def learn_words(banks: Banks, tools: Analyser) -> SeenInTraining:
    """What the treebanks say of single forms; only what the analyses do not say already is kept."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    auxiliaries: Counter[str] = Counter()
    for gold in _tokens(banks):
        counts[gold.surface.lower()][gold.category] += 1
        auxiliaries[gold.lemma] += gold.category == "AUX"
    verbs = frozenset(lemma for lemma, times in auxiliaries.items() if times >= _LEAST_AUXILIARY)
    plain = Lexical(tools, SeenInTraining(auxiliaries=verbs))
    candidates, further = {}, {}
    for form, its in counts.items():
        if its.total() >= _FREQUENT:
            candidates[form] = tuple(sorted(c for c, times in its.items() if times >= 2 and times > _LEAST_SHARE * its.total()))
        else:
            listed = plain.describe(form, False).candidates
            if set(its) - set(listed):
                further[form] = tuple(sorted(set(its) - set(listed)))
    return SeenInTraining(candidates, further, verbs)


def _tokens(banks: Banks) -> Iterable[Gold]:
    return (gold for sentences in banks.values() for sentence in sentences for gold in sentence)


class Examples:
    """The words of treebanks that may be more than one thing, with their features."""

    def __init__(self, banks: Banks, tools: Analyser, seen: SeenInTraining) -> None:
        lexical = Lexical(tools, seen)
        features, allowed, gold, bank = [], [], [], []
        for number, sentences in enumerate(banks.values()):
            for sentence in sentences:
                made = self._sentence(sentence, lexical)
                features.append(made[0])
                allowed.append(made[1])
                gold.append(made[2])
                bank.append(np.full(len(made[2]), number))
        self.features = np.concatenate(features)
        self.allowed = np.concatenate(allowed)
        self.gold = np.concatenate(gold)
        self.bank = np.concatenate(bank)

    @staticmethod
    def _sentence(sentence: Sentence, lexical: Lexical) -> tuple[NDArray[np.uint32], NDArray[np.bool_], NDArray[np.int64]]:
        words = [gold.surface for gold in sentence]
        firsts = beginnings(forms_of(words), [(0, len(words))]).tolist()
        described = [lexical.describe(word, first) for word, first in zip(words, firsts, strict=True)]
        reach = tagger_features.REACH
        hashes = np.zeros((len(words) + 2 * reach, len(tagger_features.CLUES)), np.uint32)
        hashes[reach : reach + len(words)] = tagger_features.hashed([word.clues for word in described])
        useful = [
            place
            for place, (word, gold) in enumerate(zip(described, sentence, strict=True))
            if len(word.candidates) > 1 and gold.category in word.candidates
        ]
        at = np.array(useful, np.int64) + reach
        bounds = zip((0, *tagger_features.NEAR), tagger_features.BOUNDS, tagger_features.BOUNDS[1:], strict=False)
        alone = tagger_features.alone(hashes)
        around = [alone[at + offset, begin:end] for offset, begin, end in bounds]
        features = np.concatenate([*around, tagger_features.combined(tagger_features.shared(hashes), at).T], axis=1)
        allowed = np.array([[c in described[place].candidates for c in CATEGORIES] for place in useful], bool).reshape(
            -1, len(CATEGORIES)
        )
        return features, allowed, np.array([CATEGORIES.index(sentence[place].category) for place in useful], np.int64)


def train(banks: Banks, tools: Analyser, tags: Tags, made_from: str) -> Model:
    """A model from treebanks, the first one's convention as default."""
    seen = learn_words(banks, tools)
    examples = Examples(banks, tools, seen)
    keys = kept_features(examples.features, _LEAST_FEATURE)
    weights = mixed(fit(examples.features, keys, examples.allowed, examples.gold, examples.bank))
    frequent, openers = frequent_words(banks)
    used = np.abs(weights).max(axis=(0, 2)) > _LEAST_WEIGHT
    scale = float(np.abs(weights).max()) / _SCALE_STEPS
    return Model(
        made_from=made_from,
        categories=CATEGORIES,
        scale=scale,
        keys=keys[used].tobytes(),
        candidates=dict(seen.candidates),
        further=dict(seen.further),
        auxiliaries=seen.auxiliaries,
        conventions={
            name: learn_convention(name, banks, _bytes(weights[number][used], scale), tools, tags)
            for number, name in enumerate(banks)
        },
        frequent=frequent,
        openers=openers,
    )


def frequent_words(banks: Banks) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words that the treebanks have more than once inside sentences, and those that begin some."""
    inside: Counter[str] = Counter()
    first: Counter[str] = Counter()
    for sentence in (sentence for sentences in banks.values() for sentence in sentences):
        words = [gold.surface for gold in sentence]
        begins = int(beginnings(forms_of(words), [(0, len(words))]).sum())
        first.update(words[:begins])
        inside.update(words[begins:])
    return tuple(tuple(sorted(word for word, times in counts.items() if times > 1)) for counts in (inside, first))  # type: ignore[return-value]


def mixed(weights: Floats) -> Floats:
    """Each treebank's weights with a share of the others' mean."""
    if len(weights) == 1:
        return weights
    others = (weights.sum(axis=0) - weights) / (len(weights) - 1)
    found: Floats = _OWN_SHARE * weights + (1 - _OWN_SHARE) * others
    return found


def _bytes(weights: Floats, scale: float) -> bytes:
    rounded = np.round(np.where(np.abs(weights) > _LEAST_WEIGHT / 2, weights, 0) / scale)
    return rounded.astype(np.int8).tobytes()


def learn_convention(name: str, banks: Banks, weights: bytes, tools: Analyser, tags: Tags) -> Convention:
    """Lemmas and features as one treebank writes them; the others fill its gaps."""
    lemmas: dict[str, Counter[str]] = defaultdict(Counter)
    features: dict[str, Counter[str]] = defaultdict(Counter)
    frequencies: Counter[str] = Counter()
    bundles: Counter[str] = Counter()
    for bank, sentences in banks.items():
        weight = _OWN_WORD if bank == name else 1
        for gold in (gold for sentence in sentences for gold in sentence):
            key = f"{gold.surface.lower()} {gold.category}"
            lemmas[key][gold.lemma] += weight
            features[key][gold.features] += weight if bank == name else 0
            frequencies[f"{gold.lemma} {gold.category}"] += weight
            bundles[f"{gold.category} {gold.features}"] += weight
    plain = Convention(weights, {}, {}, _over(frequencies, 1), _over(bundles, 1))
    choice = ReadingChoice(plain, tools, tags)
    return Convention(
        weights, _surprises(lemmas, choice, "lemma"), _surprises(features, choice, "features"), plain.frequencies, plain.bundles
    )


def _over(counts: Counter[str], least: int) -> dict[str, int]:
    return {key: times for key, times in sorted(counts.items()) if times > least}


def _surprises(seen: dict[str, Counter[str]], choice: ReadingChoice, what: str) -> dict[str, str]:
    """What most tokens of a form and category have, where the analyses alone would choose otherwise."""
    found = {}
    for key, values in sorted(seen.items()):
        form, category = key.rsplit(" ", 1)
        (value, times), total = values.most_common(1)[0], values.total()
        if (
            category != "PROPN"
            and times > total / 2
            and times > 1
            and getattr(choice.choose(form, category), what).lower() != value.lower()
        ):
            found[key] = value
    return found


def score(tagger: Tagger, sentences: list[Sentence]) -> tuple[int, int, int, int]:
    """Words counted, and those with the right category, lemma (in lower case) and features."""
    counted = categories = lemmas = features = 0
    for sentence in sentences:
        for gold, found in zip(sentence, tagger.tag([gold.surface for gold in sentence]), strict=True):
            if gold.parts == 1 and gold.category not in ("PUNCT", "SYM"):
                counted += 1
                categories += found.category == gold.category
                lemmas += found.lemma.lower() == gold.lemma
                features += found.category == gold.category and found.features == gold.features
    return counted, categories, lemmas, features


def cross_validate(banks: Banks, tools: Analyser, tags: Tags, folds: int) -> None:
    """Print what models say of the fifth that they have not seen: convention, treebank, category, lemma, all features."""
    totals: dict[tuple[str, str], NDArray[np.int64]] = defaultdict(lambda: np.zeros(4, np.int64))
    for fold in range(folds):
        parts = {name: without(sentences, fold, folds) for name, sentences in banks.items()}
        model = train({name: kept for name, (kept, _) in parts.items()}, tools, tags, "a fold")
        for convention in banks:
            tagger = Tagger(model, convention, tools, tags)
            for name, (_, held) in parts.items():
                found = np.array(score(tagger, held))
                totals[convention, name] += found
                _show(f"fold {fold}", convention, name, found)
    for (convention, name), found in totals.items():
        _show("all", convention, name, found)


def _show(what: str, convention: str, name: str, found: NDArray[np.int64]) -> None:
    shares = " ".join(f"{share:6.2f}" for share in 100 * found[1:] / found[0])
    sys.stdout.write(f"{what:8} {convention:8} {name:8} {found[0]:7} {shares}\n")
    sys.stdout.flush()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("model", type=Path, nargs="?")
    parser.add_argument("--language", default="es", choices=TREEBANKS)
    parser.add_argument("--folds", type=int, default=5)
    given = parser.parse_args()
    files = {name: given.data / f"{file}.tsv.gz" for name, (file, _) in TREEBANKS[given.language].items()}
    banks = {name: read(path) for name, path in files.items()}
    tools, tags = analyser(given.language), Tags(given.language)
    if given.folds:
        cross_validate(banks, tools, tags, given.folds)
    digests = {name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for name, path in files.items()}
    made_from = "; ".join(f"{text} ({digests[name]})" for name, (_, text) in TREEBANKS[given.language].items())
    target = given.model or _PACKAGE / given.language / FILE
    target.write_bytes(pack(train(banks, tools, tags, made_from)))


if __name__ == "__main__":
    main()
