"""Words per CPU second of the tokeniser beside its peers, on one text, in one run.

`python benchmarks/tokenise.py [FILE]`: FILE is Spanish UTF-8 text; without it a text is made up.
Peers (spacy, sacremoses, syntok) are measured when they are installed.
"""

from __future__ import annotations

import importlib
import random
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from trasmallo.study import languages, stop_lists
from trasmallo.study.tokenise import columns, count_words, tokenise, words

Tokeniser = Callable[[str], Iterable[object]]


def made_up(size: int = 60_000) -> str:
    """Lines of 400 words whose frequencies fall as in a real text."""
    chance = random.Random(7)
    syllables = ["ca", "sa", "ción", "men", "te", "ra", "do", "pre", "lu", "ñi", "vé", "tro"]
    rare = ["".join(chance.choices(syllables, k=chance.randint(2, 5))) for _ in range(8_000)]
    common = sorted(stop_lists.standard("es").words)
    ends = ["", "", "", "", "", "", "", ",", ",", ".", ";", " (1.234,56 €)", ": «así»", "?", " http://example.org/a?b=1"]
    pieces = (chance.choice(common if chance.random() < 0.5 else rare) + chance.choice(ends) for _ in range(size))
    return "".join(piece + ("\n" if number % 400 == 399 else " ") for number, piece in enumerate(pieces))


def spacy_blank() -> Tokeniser:
    found: Tokeniser = importlib.import_module("spacy").blank("es").tokenizer
    return found


def sacremoses() -> Tokeniser:
    found: Tokeniser = importlib.import_module("sacremoses").MosesTokenizer(lang="es").tokenize
    return found


def syntok() -> Tokeniser:
    found: Tokeniser = importlib.import_module("syntok.tokenizer").Tokenizer().tokenize
    return found


def ours() -> dict[str, Tokeniser]:
    return {
        "trasmallo count": lambda line: count_words(line, "es"),
        "trasmallo words": lambda line: words(line, "es"),
        "trasmallo columns": lambda line: columns(line, "es").words,
        "trasmallo tokens": lambda line: tokenise(line, "es"),
    }


def seconds(tokeniser: Tokeniser, lines: list[str]) -> float:
    """The best of three passes."""
    passes = []
    for _ in range(3):
        began = time.process_time()
        for line in lines:
            for _token in tokeniser(line):
                pass
        passes.append(time.process_time() - began)
    return min(passes)


def main() -> None:
    text = Path(sys.argv[1]).read_text(encoding="utf-8") if len(sys.argv) > 1 else made_up()
    lines = text.splitlines()
    total = sum(sum(count_words(line, "es").values()) for line in lines)
    print(f"{total:,} words, {len(lines):,} lines, rules of {languages.choose('es')}; words per CPU second")
    tokenisers = ours()
    for name, make in (("spacy blank es", spacy_blank), ("sacremoses", sacremoses), ("syntok", syntok)):
        try:
            tokenisers[name] = make()
        except ImportError:
            print(f"{name:20} skipped: not installed")
    for name, tokeniser in tokenisers.items():
        print(f"{name:20} {total / seconds(tokeniser, lines):12,.0f}")


if __name__ == "__main__":
    main()
