"""Near copies: quality on a made set, signatures per CPU second beside datatrove and datasketch, and all pairs of a million.

`python benchmarks/copies.py [--texts FILE] [--peers PYTHON] [--million]`: FILE holds a JSON string a line, texts to be edited
instead of made-up ones; PYTHON is an interpreter that has datatrove (with spaCy) or datasketch, this one when not given.

The set has copies with edits (words, paragraphs, beginnings, ends, frames) and hard negatives: pages made from one form, with
one frame that is 40 % of their words, or with a long quotation from another. One half is for tuning, the other is reported.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from trasmallo.clean.copies import METHODS, minhash
from trasmallo.clean.read import extract

Words = list[str]
Edit = Callable[[random.Random, Words, Words], Words]
SEED = 20261116
ORIGINALS = 1_200
SPEED = 1_500
MILLION = 1_000_000


class Copies(NamedTuple):
    """Texts, what each was made by, and the pairs that are copies."""

    texts: list[str]
    kinds: list[str]
    truth: set[tuple[int, int]]


# What is done to a copy. The second argument are the original's words, the third any words.


def substituted(share: float) -> Edit:
    def edit(chance: random.Random, words: Words, any_words: Words) -> Words:
        return [chance.choice(any_words) if chance.random() < share else word for word in words]

    return edit


def inserted_and_deleted(share: float) -> Edit:
    def edit(chance: random.Random, words: Words, any_words: Words) -> Words:
        kept = (word for word in words if chance.random() >= share / 2)
        return [
            piece for word in kept for piece in ([chance.choice(any_words), word] if chance.random() < share / 2 else [word])
        ]

    return edit


def block_replaced(share: float) -> Edit:
    def edit(chance: random.Random, words: Words, any_words: Words) -> Words:
        size = int(len(words) * share)
        start = chance.randrange(len(words) - size)
        return [*words[:start], *chance.choices(any_words, k=size), *words[start + size :]]

    return edit


def cut(share: float) -> Edit:
    def edit(chance: random.Random, words: Words, any_words: Words) -> Words:  # noqa: ARG001 - an edit like the others
        size = int(len(words) * share)
        return words[size:] if chance.random() < 0.5 else words[: len(words) - size]

    return edit


def framed(share: float) -> Edit:
    def edit(chance: random.Random, words: Words, any_words: Words) -> Words:
        half = int(len(words) * share / 2)
        return [*chance.choices(any_words, k=half), *words, *chance.choices(any_words, k=half)]

    return edit


def paragraphs_moved(chance: random.Random, words: Words, any_words: Words) -> Words:  # noqa: ARG001
    pieces = [words[start : start + 40] for start in range(0, len(words), 40)]
    chance.shuffle(pieces)
    return [word for piece in pieces for word in piece]


def dressed_otherwise(chance: random.Random, words: Words, any_words: Words) -> Words:  # noqa: ARG001
    """Another layout and other punctuation, and capitals."""
    marks = ["", "", ",", ".", "\n\n", " —", "!"]
    return [(word.upper() if chance.random() < 0.2 else word) + chance.choice(marks) for word in words]


EDITS: dict[str, Edit] = {
    "words 1 %": substituted(0.01),
    "words 5 %": substituted(0.05),
    "in and out 2 %": inserted_and_deleted(0.02),
    "block 10 %": block_replaced(0.1),
    "block 20 %": block_replaced(0.2),
    "cut 10 %": cut(0.1),
    "cut 25 %": cut(0.25),
    "moved": paragraphs_moved,
    "frame 10 %": framed(0.1),
    "frame 25 %": framed(0.25),
    "dressed": dressed_otherwise,
}


def demo_texts() -> Iterator[str]:
    """The pages that ship with the program, without their heads."""
    folders = [resources.files("trasmallo.demo").joinpath("pages")]
    while folders:
        for entry in sorted(folders.pop().iterdir(), key=lambda entry: entry.name):
            if entry.is_dir():
                folders.append(entry)
            elif entry.name.endswith(".md"):
                yield entry.read_text("utf-8").partition("\n\n")[2]


def made_up(number: int, chance: random.Random) -> list[Words]:
    """Texts of 60 to 1,500 words: each word follows the one before as it does somewhere in the shipped pages."""
    source = [word for text in demo_texts() for word in re.findall(r"\w+[.,;:?!]?", text)]
    following: dict[str, Words] = {}
    for word, after in pairwise(source):
        following.setdefault(word, []).append(after)
    found = []
    for _ in range(number):
        words = [chance.choice(source)]
        for _ in range(int(min(1_500, max(60, chance.lognormvariate(5.5, 0.7))))):
            # Now and then a name or number of its own, as real texts have.
            fresh = chance.random() < 0.1
            words.append(f"n{chance.randrange(10**6)}" if fresh else chance.choice(following.get(words[-1]) or source))
        found.append(words)
    return found


def make_set(originals: list[Words], chance: random.Random) -> Copies:
    """Half of the originals get a copy each; the rest become hard negatives."""
    any_words = [word for words in originals for word in words]
    made = Copies([" ".join(words) for words in originals], ["original"] * len(originals), set())
    names = list(EDITS)
    half = len(originals) // 2
    for number, words in enumerate(originals[:half]):
        name = names[number % len(names)]
        made.truth.add((number, len(made.texts)))
        _add(made, EDITS[name](chance, words, any_words), name)
    frames = [chance.choices(any_words, k=150) for _ in range(5)]
    for number, words in enumerate(originals[half:]):
        _add(made, *_hard_negative(number, words, frames, originals[number], chance, any_words))
    _add_pages(made, originals[half : half + 80], chance, any_words)
    return made


def _add(made: Copies, words: Words, kind: str) -> None:
    made.texts.append(" ".join(words))
    made.kinds.append(kind)


def _hard_negative(
    number: int, words: Words, frames: list[Words], other: Words, chance: random.Random, any_words: Words
) -> tuple[Words, str]:
    """A text that shares much with others but says something else; its own words are drawn anew."""
    own = chance.choices(any_words, k=max(40, len(words)))
    frame = frames[number % len(frames)]
    if number % 3 == 0:
        return [*frame[: len(own) * 2 // 3], *own[: max(40, min(len(own), 225))]], "same frame, 40 %"
    if number % 3 == 1:
        return [word if place % 7 < 4 else own[place % len(own)] for place, word in enumerate(frame)], "same form"
    return [*own, *other[: len(own) // 2]], "quotation"


def _add_pages(made: Copies, originals: list[Words], chance: random.Random, any_words: Words) -> None:
    """Pages in the frame of a site: an article in two sites is a copy, two articles of one site are not, menus or no menus."""
    sites = [_site(chance, any_words) for _ in range(4)]
    for number, words in enumerate(originals):
        fresh = chance.choices(any_words, k=max(120, len(words)))
        made.truth.add((len(made.texts), len(made.texts) + 1))
        for site in (sites[number % 4], sites[(number + 1) % 4]):
            made.texts.append(extract(_page(site, fresh)).text)
            made.kinds.append("page in another site")


def _site(chance: random.Random, any_words: Words) -> tuple[str, str]:
    menu = "".join(f'<li><a href="/{place}">{" ".join(chance.choices(any_words, k=3))}</a></li>' for place in range(80))
    footer = "".join(f'<a href="/f{place}">{" ".join(chance.choices(any_words, k=4))}</a> ' for place in range(40))
    return f"<nav><ul>{menu}</ul></nav>", f"<footer>{footer}</footer>"


def _page(site: tuple[str, str], words: Words) -> str:
    text = "".join(f"<p>{' '.join(words[start : start + 60])}.</p>" for start in range(0, len(words), 60))
    return f"<html><body>{site[0]}<div><article>{text}</article></div>{site[1]}</body></html>"


class Quality(NamedTuple):
    """How well a method found the pairs of a set."""

    f1: float
    precision: float
    recall: float
    missed: dict[str, int]
    wrong: dict[str, int]


def score(made: Copies, method: str, least: float, signed: Any = None) -> Quality:
    """Of signatures alone: what a project keeps."""
    chosen = METHODS[method]
    pairs = chosen.pairs(chosen.sign(made.texts) if signed is None else signed, least)
    found = set(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))
    right = len(found & made.truth)
    precision, recall = right / max(1, len(found)), right / len(made.truth)
    missed = _tally(made.kinds[second] for _, second in made.truth - found)
    wrong = _tally(made.kinds[second] for _, second in found - made.truth)
    return Quality(2 * right / max(1, len(found) + len(made.truth)), precision, recall, missed, wrong)


def _tally(kinds: Iterable[str]) -> dict[str, int]:
    listed = list(kinds)
    return {kind: listed.count(kind) for kind in sorted(set(listed))}


def halves(originals: list[Words], seed: int = SEED) -> tuple[Copies, Copies]:
    """The set for tuning and the set that is reported: other texts, other edits."""
    middle = len(originals) // 2
    return make_set(originals[:middle], random.Random(seed)), make_set(originals[middle:], random.Random(seed + 1))


def report_quality(originals: list[Words]) -> None:
    tuning, held = halves(originals)
    print(f"{len(held.texts):,} texts, {len(held.truth):,} pairs of copies in the reported half")
    print(f"{'method':12} {'F1 at the best threshold of the other half':44} {'F1 as shipped':>14} precision recall")
    for method in ("minhash", "simhash", "fingerprint"):
        best = max(_steps(), key=lambda least: (score(tuning, method, least, _signed(tuning, method)).f1, -abs(least - 0.5)))
        tuned, shipped = score(held, method, best), score(held, method, METHODS[method].least)
        label = f"{tuned.f1:.4f} at {best:.2f}"
        print(f"{method:12} {label:44} {shipped.f1:14.4f} {shipped.precision:9.4f} {shipped.recall:6.4f}", end="  ")
        print(f"missed {shipped.missed}, wrong {shipped.wrong}")


def _steps() -> list[float]:
    return [step / 50 for step in range(10, 46)]


_SIGNED: dict[tuple[int, str], Any] = {}


def _signed(made: Copies, method: str) -> Any:
    """Signed once for all thresholds."""
    key = (id(made), method)
    if key not in _SIGNED:
        _SIGNED[key] = METHODS[method].sign(made.texts)
    return _SIGNED[key]


PEERS = """
import json, sys, time
texts = json.load(sys.stdin)
def cpu(name, function):
    function(texts[:20])
    began = time.process_time()
    function(texts)
    print(json.dumps([name, len(texts) / (time.process_time() - began)]))
def datatrove():
    from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupSignature
    from datatrove.utils.typeshelper import Languages
    step = MinhashDedupSignature("datatrove-signatures", MinhashConfig(), language=Languages.spanish)
    return lambda texts: [step.get_signature(step.get_shingles(text)) for text in texts]
def datasketch():
    import re
    from datasketch import MinHash
    def sign(text):
        words = re.findall(r"\\w+", text.lower())
        signature = MinHash(num_perm=128)
        signature.update_batch([" ".join(words[n : n + 5]).encode() for n in range(max(1, len(words) - 4))])
    return lambda texts: [sign(text) for text in texts]
for name, make in (("datatrove", datatrove), ("datasketch", datasketch)):
    try:
        cpu(name, make())
    except ImportError as error:
        print(json.dumps([name, str(error).splitlines()[0]]))
"""


def report_speed(texts: list[str], python: str) -> None:
    words = sum(len(text.split()) for text in texts) / len(texts)
    print(f"signatures of {len(texts):,} texts of {words:.0f} words; texts per CPU second")
    for name, method in METHODS.items():
        size = _bytes(method.sign(texts)) / len(texts)
        print(f"{'trasmallo ' + name:22} {len(texts) / _best_of_three(method.sign, texts):10,.0f}  {size:6.0f} bytes each")
    done = subprocess.run([python, "-c", PEERS], input=json.dumps(texts), capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        name, rate = json.loads(line)
        print(f"{name:22} {rate:10,.0f}" if isinstance(rate, float) else f"{name:22} skipped: {rate}")
    if done.returncode:
        print("peers failed:", (done.stderr.strip().splitlines() or ["no message"])[-1])


def _bytes(signed: Any) -> int:
    return int(sum(part.nbytes for part in signed) if isinstance(signed, tuple) else signed.nbytes)


def _best_of_three(sign: Callable[[list[str]], Any], texts: list[str]) -> float:
    passes = []
    for _ in range(3):
        began = time.process_time()
        sign(texts)
        passes.append(time.process_time() - began)
    return min(passes)


def report_million() -> None:
    """All pairs of a million signatures, a tenth of them copies with 45 to 100 % of their minima in common."""
    chance = np.random.default_rng(SEED)
    signed = np.zeros(MILLION, dtype=minhash.SIGNATURE)
    signed["exact"] = chance.integers(0, 2**63, (MILLION, 2))
    signed["words"] = 300
    for start in range(0, MILLION, 100_000):
        signed["minima"][start : start + 100_000] = chance.integers(0, 65536, (100_000, minhash.MINIMA), dtype=np.uint16)
    sources = chance.integers(0, MILLION * 9 // 10, MILLION // 10)
    _plant(signed, sources, chance)
    alike = minhash.estimate(signed, sources, np.arange(MILLION * 9 // 10, MILLION)) >= METHODS["minhash"].least
    began = time.process_time()
    pairs = minhash.all_pairs(signed, METHODS["minhash"].least)
    spent = time.process_time() - began
    found = set(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))
    wanted = zip(sources[alike].tolist(), (np.flatnonzero(alike) + MILLION * 9 // 10).tolist(), strict=True)
    recall = sum(pair in found for pair in wanted) / int(alike.sum())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"all pairs of {MILLION:,} signatures: {spent:.1f} CPU s, peak {peak:,.0f} MB of the whole process", end=", ")
    print(f"{len(found):,} pairs, {100 * recall:.2f} % of those planted above the threshold")


def _plant(signed: Any, sources: Any, chance: np.random.Generator) -> None:
    first = MILLION * 9 // 10
    for start in range(0, len(sources), 10_000):
        copied = signed["minima"][sources[start : start + 10_000]]
        share = np.linspace(0.45, 1.0, len(copied))[:, None]
        fresh = chance.random(copied.shape) > share
        copied[fresh] = chance.integers(0, 65536, int(fresh.sum()), dtype=np.uint16)
        signed["minima"][first + start : first + start + len(copied)] = copied


def main() -> None:
    parser = argparse.ArgumentParser(description="Near copies: quality, speed, all pairs of a million")
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--peers", default=sys.executable)
    parser.add_argument("--million", action="store_true", help="only that")
    arguments = parser.parse_args()
    report_million()
    if arguments.million:
        return
    chance = random.Random(SEED)
    if arguments.texts:
        lines = (json.loads(line).split() for line in arguments.texts.read_text("utf-8").splitlines())
        originals = [words for words in lines if 60 <= len(words) <= 3_000][: 2 * ORIGINALS]
        chance.shuffle(originals)
    else:
        originals = made_up(2 * ORIGINALS, chance)
    report_quality(originals)
    report_speed([" ".join(words) for words in originals[:SPEED]], arguments.peers)


if __name__ == "__main__":
    main()
