"""Train the tagger of a language, cross-validate it, and write its model file.

    python training/tagger.py DATA [MODEL] [--language es] [--folds 5]

DATA is the folder of the treebanks, MODEL by default the file in the package; `--folds 0` skips the cross-validation.

1. Sentences of everyday language, made from the lexicon (everyday_sentences.py), beside those of the treebanks.
2. Words: which categories each form had, which verbs are auxiliary, which is the second verb of a form.
3. Features of every word that may be more than one thing, made by the product's own functions.
4. Weights for each treebank's convention and for everyday language (loglinear.py), the small ones dropped, rounded to bytes.
5. Lemmas and features where the analyses alone would choose something else, per convention.
6. The same five times without a fifth of each treebank, tagged by the product as users will: that gives the figures.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import itemgetter
from pathlib import Path

import numpy as np
from everyday_sentences import made
from loglinear import FITS, Floats, Words, fit, kept_features
from numpy.typing import NDArray
from treebanks import UNSURE, Gold, Sentence, read, without

from trasmallo.study.interned_forms import forms_of
from trasmallo.study.morphology import tagger_features
from trasmallo.study.morphology.analyser import Analyser, analyser
from trasmallo.study.morphology.lexical import SECOND_VERB, Lexical, SeenInTraining
from trasmallo.study.morphology.reading_choice import ReadingChoice, second_verb
from trasmallo.study.morphology.registers import is_everyday
from trasmallo.study.morphology.tagger import Tagger, beginnings
from trasmallo.study.morphology.tagger_model import FILE, Convention, Model, pack, verb_frequencies
from trasmallo.study.morphology.tags import Tags

TREEBANKS = {
    "es": {
        "ancora": ("ancora-dev", "UD_Spanish-AnCora, CC BY 4.0"),
        "gsd": ("gsd-dev", "UD_Spanish-GSD, CC BY-SA 4.0"),
    },
    "en": {"ewt": ("ewt-dev", "UD_English-EWT, CC BY-SA 4.0")},
}
"""Those whose conventions a model knows."""
FURTHER = {"es": {"coser": ("coser", "UD_Spanish-COSER, CC BY-SA 4.0")}, "en": {}}
"""Those that only teach the others: what they say is learnt where all agree, and in everyday language."""
MADE = "made"
"""The name of the sentences that `everyday_sentences` makes from the lexicon."""
_NAMES = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
CATEGORIES = (*_NAMES.split(), SECOND_VERB)
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
# How strongly weights are drawn to 0: those that all words share, a treebank's own, those of everyday language.
_RIDGE_SHARED, _RIDGE_OWN, _RIDGE_EVERYDAY = 0.5, 3.0, 0.3
_MADE_COUNTS = 1.0
"""How much a word of a made sentence counts beside one that somebody wrote."""
_MADE = {"es": 20_000, "en": 8_000}
"""Sentences that are made: of 12,000 Spanish ones less is learnt, with more the file grows towards a megabyte."""
_HOME = Path(__file__).resolve().parents[1]
_PACKAGE = _HOME / "src" / "trasmallo" / "study" / "languages"
_EVALUATION = _HOME / "tests" / "quality" / "everyday"

Banks = dict[str, list[Sentence]]


class Labels:
    """The labels of annotated words: their categories, and `SECOND_VERB` for the second verb of a form."""

    def __init__(self, banks: Banks, conventions: Sequence[str], tools: Analyser) -> None:
        self.tools = tools
        self.verbs = verb_frequencies(counted_convention(name, banks) for name in conventions)
        self._second = cache(lambda low: second_verb(tools.analyse(low), low, self.verbs))

    def of(self, gold: Gold) -> str:
        """The label of a word."""
        second = gold.category == "VERB" and gold.lemma == self._second(gold.surface.lower())
        return SECOND_VERB if second else gold.category


def learn_words(banks: Banks, tools: Analyser, labels: Labels) -> SeenInTraining:
    """What the treebanks say of single forms; only what the analyses do not say already is kept."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    auxiliaries: Counter[str] = Counter()
    in_made: set[tuple[str, str]] = set()
    for bank, gold in _tokens(banks):
        if gold.category != UNSURE:
            counts[gold.surface.lower()][labels.of(gold)] += 1
            auxiliaries[gold.lemma] += gold.category == "AUX"
            if bank == MADE:
                in_made.add((gold.surface.lower(), labels.of(gold)))
    verbs = frozenset(lemma for lemma, times in auxiliaries.items() if times >= _LEAST_AUXILIARY)
    plain = Lexical(tools, SeenInTraining(auxiliaries=verbs))
    candidates, further = {}, {}
    for form, its in counts.items():
        if its.total() >= _FREQUENT:
            least = _LEAST_SHARE * its.total()
            candidates[form] = tuple(sorted(c for c, times in its.items() if (form, c) in in_made or 2 <= times > least))
        else:
            listed = plain.describe(form, False).candidates
            if set(its) - set(listed):
                further[form] = tuple(sorted(set(its) - set(listed)))
    return SeenInTraining(candidates, further, verbs)


def _tokens(banks: Banks) -> Iterable[tuple[str, Gold]]:
    return ((bank, gold) for bank, sentences in banks.items() for sentence in sentences for gold in sentence)


class Examples:
    """The words of treebanks that may be more than one thing, with their features."""

    def __init__(self, banks: Banks, tools: Analyser, seen: SeenInTraining, labels: Labels) -> None:
        self._lexical = Lexical(tools, seen)
        self._labels = labels
        features, allowed, gold, blocks, counts = [], [], [], [], []
        for number, (name, sentences) in enumerate(banks.items()):
            for sentence in sentences:
                found = self._sentence(sentence)
                features.append(found[0])
                allowed.append(found[1])
                gold.append(found[2])
                everyday = 1 + len(banks) if is_everyday([one.surface for one in sentence]) else -1
                blocks.append(np.tile([0, 1 + number, everyday], (len(found[2]), 1)))
                counts.append(np.full(len(found[2]), _MADE_COUNTS if name == MADE else 1, np.float32))
        several = (features, allowed, gold, blocks, counts)
        self.words = Words(*(np.concatenate(column) for column in several))
        self.ridges = [_RIDGE_SHARED, *[_RIDGE_OWN] * len(banks), _RIDGE_EVERYDAY]

    def _sentence(self, sentence: Sentence) -> tuple[NDArray[np.uint32], NDArray[np.bool_], NDArray[np.int64]]:
        words = [gold.surface for gold in sentence]
        firsts = beginnings(forms_of(words), [(0, len(words))]).tolist()
        described = [self._lexical.describe(word, first) for word, first in zip(words, firsts, strict=True)]
        reach = tagger_features.REACH
        hashes = np.zeros((len(words) + 2 * reach, len(tagger_features.CLUES)), np.uint32)
        hashes[reach : reach + len(words)] = tagger_features.hashed([word.clues for word in described])
        labels = [self._labels.of(gold) for gold in sentence]
        useful = [
            place
            for place, (word, label) in enumerate(zip(described, labels, strict=True))
            if len(word.candidates) > 1 and label in word.candidates
        ]
        at = np.array(useful, np.int64) + reach
        bounds = zip((0, *tagger_features.NEAR), tagger_features.BOUNDS, tagger_features.BOUNDS[1:], strict=False)
        alone = tagger_features.alone(hashes)
        around = [alone[at + offset, begin:end] for offset, begin, end in bounds]
        features = np.concatenate([*around, tagger_features.combined(tagger_features.shared(hashes), at).T], axis=1)
        allowed = np.array([[c in described[place].candidates for c in CATEGORIES] for place in useful], bool).reshape(
            -1, len(CATEGORIES)
        )
        return features, allowed, np.array([CATEGORIES.index(labels[place]) for place in useful], np.int64)


def train(banks: Banks, conventions: Sequence[str], tools: Analyser, tags: Tags, made_from: str, fits: int = FITS) -> Model:
    """A model from treebanks that knows the conventions of some of them, the first one's as default."""
    labels = Labels(banks, conventions, tools)
    seen = learn_words(banks, tools, labels)
    examples = Examples(banks, tools, seen, labels)
    keys = kept_features(examples.words.features, _LEAST_FEATURE)
    blocks = fit(examples.words, keys, examples.ridges, fits)
    weights, everyday = mixed(blocks[0] + blocks[[1 + list(banks).index(name) for name in conventions]]), blocks[-1]
    frequent, openers = frequent_words({name: banks[name] for name in conventions})
    used = np.maximum(np.abs(weights).max(axis=(0, 2)), np.abs(everyday).max(axis=1)) > _LEAST_WEIGHT
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
            name: learn_convention(name, banks, _bytes(weights[number][used], scale), labels, tags)
            for number, name in enumerate(conventions)
        },
        frequent=frequent,
        openers=openers,
        everyday=_bytes(everyday[used], scale),
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


def counted_convention(name: str, banks: Banks) -> Convention:
    """How often one treebank has lemmas and features; the others fill its gaps. What was made says nothing of frequency."""
    frequencies: Counter[str] = Counter()
    bundles: Counter[str] = Counter()
    for bank, sentences in banks.items():
        weight = {name: _OWN_WORD, MADE: 0}.get(bank, 1)
        for gold in (gold for sentence in sentences for gold in sentence):
            frequencies[f"{gold.lemma} {gold.category}"] += weight
            bundles[f"{gold.category} {gold.features}"] += weight
    return Convention(b"", {}, {}, _over(frequencies, 1), _over(bundles, 1))


def learn_convention(name: str, banks: Banks, weights: bytes, labels: Labels, tags: Tags) -> Convention:
    """Lemmas and features as one treebank writes them; the others fill its gaps."""
    lemmas: dict[str, Counter[str]] = defaultdict(Counter)
    features: dict[str, Counter[str]] = defaultdict(Counter)
    for bank, sentences in banks.items():
        weight = _OWN_WORD if bank == name else 1
        for gold in (gold for sentence in sentences for gold in sentence if gold.category != UNSURE):
            key = f"{gold.surface.lower()} {labels.of(gold)}"
            if gold.lemma:
                lemmas[key][gold.lemma] += weight
            features[key][gold.features] += weight if bank == name else 0
    plain = counted_convention(name, banks)
    choice = ReadingChoice(plain, labels.tools, tags, labels.verbs)
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
        (value, times), total = max(values.items(), key=itemgetter(1)), values.total()
        if (
            category != "PROPN"
            and times > 1
            and times > total / 2
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


def with_made(banks: Banks, language: str, number: int, evaluation: Sequence[Path]) -> Banks:
    """The treebanks, and so many sentences that are made from the lexicon; words that the treebanks have come more often."""
    known = Counter(f"{gold.lemma} {gold.category}" for _, gold in _tokens(banks))
    return banks | {MADE: made(language, number, evaluation, known)}


def cross_validate(banks: Banks, trained: Callable[[Banks], Model], tools: Analyser, tags: Tags, folds: int) -> None:
    """Print what models say of the fifth that they have not seen: convention, treebank, category, lemma, all features."""
    totals: dict[tuple[str, str], NDArray[np.int64]] = defaultdict(lambda: np.zeros(4, np.int64))
    for fold in range(folds):
        parts = {name: without(sentences, fold, folds) for name, sentences in banks.items()}
        model = trained({name: kept for name, (kept, _) in parts.items()})
        for convention in model.conventions:
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
    parser.add_argument("--made", type=int, help="sentences that are made from the lexicon (20,000, of English 8,000)")
    given = parser.parse_args()
    number = _MADE[given.language] if given.made is None else given.made
    known = TREEBANKS[given.language] | FURTHER[given.language]
    files = {name: given.data / f"{file}.tsv.gz" for name, (file, _) in known.items()}
    banks = {name: read(path) for name, path in files.items()}
    tools, tags = analyser(given.language), Tags(given.language)
    evaluation = [*given.data.glob("everyday*.tsv"), *_EVALUATION.glob(f"{given.language}-*.tsv")]

    def trained(some: Banks, made_from: str = "a fold") -> Model:
        conventions = tuple(TREEBANKS[given.language])
        return train(with_made(some, given.language, number, evaluation), conventions, tools, tags, made_from)

    if given.folds:
        cross_validate(banks, trained, tools, tags, given.folds)
    digests = {name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for name, path in files.items()}
    made_from = "; ".join(f"{text} ({digests[name]})" for name, (_, text) in known.items())
    target = given.model or _PACKAGE / given.language / FILE
    target.write_bytes(pack(trained(banks, made_from)))


if __name__ == "__main__":
    main()
