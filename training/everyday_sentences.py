"""Makes sentences of everyday language from the lexicon, with lemmas and categories, for the tagger to learn from.

Treebanks are news and encyclopedias: of a hundred finite verbs two are in the first person singular. A grammar
(`everyday/es.txt`) and words by class (`everyday/es-words.txt`) give statements, questions, commands and talk in all persons;
the forms and their readings are the lexicon's, in Spanish above all those that may be several things.
A part is copied as people write in forums: no capitals, accents or opening signs.
No sentence is kept that shares three words around a word that is judged with a file of sentences for evaluation.
"""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

import english_words
import spanish_words
from treebanks import UNSURE, Gold, Sentence

from trasmallo.study.morphology.analyser import analyser

HERE = Path(__file__).resolve().parent / "everyday"
_IN_FORUMS = 0.4
"""Share of the sentences that are written as in forums."""
_SEED = 19
_TOKEN = re.compile(r"<[^>]*>|[(){}|]|[^\s(){}|]+")
_PLAIN = str.maketrans("áéíóúü", "aeiouu")
_WORD = re.compile(r"\w+")
_MOST_TRIES = 20
_LANGUAGES = {"es": spanish_words, "en": english_words}
Context = spanish_words.Context | english_words.Context
_CONTRACTIONS = {("a", "el"): "al", ("de", "el"): "del"}

Node = str | list[list["Node"]]
"""A token of an expansion, or several expansions of which one is chosen."""


class Grammar:
    """The rules of a language: names, and for each its expansions with their weights."""

    def __init__(self, path: Path) -> None:
        self.rules: dict[str, tuple[list[list[Node]], list[float]]] = {}
        for line in path.read_text("utf-8").splitlines():
            if line and not line.startswith("#"):
                head, expansion = line.split("\t")
                name, weight = head.split()
                expansions, weights = self.rules.setdefault(name, ([], []))
                expansions.append(_parsed(iter(_TOKEN.findall(expansion)), "")[0])
                weights.append(float(weight))


def _parsed(tokens: Iterator[str], end: str) -> list[list[Node]]:
    """The alternatives up to a closing bracket; braces are kept as tokens around what they hold."""
    alternatives: list[list[Node]] = [[]]
    for sign in tokens:
        if sign == end:
            break
        if sign == "(":
            alternatives[-1].append(_parsed(tokens, ")"))
        elif sign == "|":
            alternatives.append([])
        else:
            alternatives[-1].append(sign)
    return alternatives


class Maker:
    """Makes sentences; the same ones for the same chance."""

    def __init__(self, code: str, known: Mapping[str, int], chance: random.Random) -> None:
        self._grammar = Grammar(HERE / f"{code}.txt")
        self._chance = chance
        self._language = _LANGUAGES[code]
        self._words = self._language.WordChoice(HERE / f"{code}-words.txt", code, known, chance)

    def sentence(self) -> Sentence:
        """One more sentence, its first word capitalised; [] when a form that it needs is not listed."""
        found = _contracted(self._rule("S", self._language.Context(self._chance)))
        if any(not gold.surface for gold in found):
            return []
        first = next((place for place, gold in enumerate(found) if gold.surface[0].isalpha()), 0)
        found[first] = found[first]._replace(surface=found[first].surface[0].upper() + found[first].surface[1:])
        return found

    def _rule(self, name: str, context: Context) -> Sentence:
        expansions, weights = self._grammar.rules[name]
        return self._expand(self._chance.choices(expansions, weights)[0], context)

    def _expand(self, nodes: list[Node], context: Context) -> Sentence:
        found: Sentence = []
        outer: list[Context] = []
        for node in nodes:
            if isinstance(node, list):
                found += self._expand(self._chance.choice(node), context)
            elif node == "{":
                outer.append(context)
                context = self._language.Context(self._chance)
            elif node == "}":
                context = outer.pop()
            elif node.startswith("@"):
                context.set_person(node[1:])
            else:
                found += self._token(node, context)
        return found

    def _token(self, token: str, context: Context) -> Sentence:
        if token.startswith("<"):
            name, *arguments = token[1:-1].split()
            if name in self._grammar.rules:
                return self._rule(name, context)
            return self._words.slot(name, arguments, context)
        surface, _, rest = token.partition("/")
        category, _, lemma = rest.partition("/")
        return [Gold(surface, lemma, category or "PUNCT", "", 1)]


def _contracted(sentence: Sentence) -> Sentence:
    """A sentence with the contractions that two of its words are written as."""
    found: Sentence = []
    for gold in sentence:
        written = _CONTRACTIONS.get((found[-1].surface, gold.surface)) if found and gold.category == "DET" else None
        if written:
            found[-1] = found[-1]._replace(surface=written)
        else:
            found.append(gold)
    return found


def in_forums(sentence: Sentence, chance: random.Random) -> Sentence:
    """A sentence as it is written in forums: no capitals, accents or opening signs, and no point at the end."""
    commas = chance.random() < 0.5
    kept = [gold for gold in sentence if gold.surface not in ("¿", "¡", "—") and (commas or gold.surface != ",")]
    if (kept and kept[-1].surface in (".", "!")) or (kept and kept[-1].surface == "?" and chance.random() < 0.3):
        kept.pop()
    return [gold._replace(surface=gold.surface.lower().translate(_PLAIN)) for gold in kept]


class Evaluation:
    """Sentences that are kept for judging: what must not be learnt from."""

    def __init__(self, files: Iterable[Path]) -> None:
        self._runs: set[tuple[str, ...]] = set()
        for path in files:
            with path.open(encoding="utf-8") as file:
                for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                    self._runs.update(_runs_around(row["sentence"], row["word"]))

    def has(self, sentence: Sentence) -> bool:
        """Whether a sentence shares three words around a judged one, or is as short and the same."""
        words = _plain_words(" ".join(gold.surface for gold in sentence))
        runs = {tuple(words[place : place + 3]) for place in range(len(words) - 2)} or {tuple(words)}
        return not self._runs.isdisjoint(runs)


def _runs_around(sentence: str, word: str) -> Iterator[tuple[str, ...]]:
    words, target = _plain_words(sentence), _plain_words(word)[0]
    if len(words) < 3:
        yield tuple(words)
    for place in range(len(words) - 2):
        run = tuple(words[place : place + 3])
        if target in run:
            yield run


def _plain_words(text: str) -> list[str]:
    return _WORD.findall(text.lower().translate(_PLAIN))


class Checks:
    """Whether the analyses allow what a made sentence says of its words."""

    def __init__(self, code: str) -> None:
        self._analyse: Callable[[str], list] = analyser(code).analyse  # type: ignore[type-arg]

    @cached_property
    def _known(self) -> dict[tuple[str, str, str], bool]:
        return {}

    def allow(self, sentence: Sentence) -> bool:
        """True when every word with a lemma has it among its analyses."""
        return all(self._allows(gold) for gold in sentence if gold.lemma and gold.category not in (UNSURE, "PROPN", "DET"))

    def _allows(self, gold: Gold) -> bool:
        key = (gold.surface.lower(), gold.lemma, gold.category)
        if key not in self._known:
            self._known[key] = any(found.lemma == gold.lemma for found in self._analyse(gold.surface.lower()))
        return self._known[key]


def made(code: str, number: int, evaluation: Iterable[Path], known: Mapping[str, int]) -> list[Sentence]:
    """So many different sentences of a language; `known` counts "lemma category" in treebanks: words that are in use."""
    chance = random.Random(_SEED)
    maker, kept_apart, checks = Maker(code, known, chance), Evaluation(evaluation), Checks(code)
    found: dict[tuple[str, ...], Sentence] = {}
    for _ in range(_MOST_TRIES * number):
        if len(found) >= number:
            break
        sentence = maker.sentence()
        if sentence and checks.allow(sentence) and not kept_apart.has(sentence):
            written = in_forums(sentence, chance) if chance.random() < _IN_FORUMS else sentence
            found[tuple(gold.surface for gold in written)] = written
    return [sentence for sentence in found.values() if sentence]
