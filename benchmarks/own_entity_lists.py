"""Lists of a million names: compiling, loading and looking up, in CPU seconds and megabytes of memory.

python benchmarks/own_entity_lists.py [NAMES]
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from trasmallo.study.entities.compiled_lists import CompiledList, ListOptions
from trasmallo.study.tokenise import columns

_SYLLABLES = ["ba", "ce", "di", "fo", "gu", "la", "me", "ni", "pos", "ru", "san", "ta", "ve", "zo"]
_LOOKED_UP = 20_000  # words of the text


def make_names(number: int) -> list[str]:
    """Names of one to three made words, always the same."""
    chance = random.Random(1)
    return [
        " ".join("".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4))).capitalize() for _ in range(chance.randint(1, 3)))
        for _ in range(number)
    ]


def load_and_look_up(path: Path) -> None:
    """Print the CPU seconds of loading and of a look at each word of a text, and the memory that was taken."""
    start = time.process_time()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    names = CompiledList(path, ListOptions(), "es")
    loaded = time.process_time() - start
    words = columns(" ".join(make_names(_LOOKED_UP // 2)), "es").words
    start = time.process_time()
    found = sum(1 for _ in names.find(words, words))
    looked = time.process_time() - start
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{len(names):,} names | {loaded:.2f} s | {memory:.0f} MB | {len(words) / looked:,.0f} words/s, {found:,} found")


def main(number: int = 1_000_000) -> None:
    """Compile in one process, load in another."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "names.txt"
        path.write_text("\n".join(make_names(number)), "utf-8")
        for turn in ("compiled and loaded", "loaded"):
            print(turn, end=": ", flush=True)
            subprocess.run([sys.executable, __file__, "--load", str(path)], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--load"]:
        load_and_look_up(Path(sys.argv[2]))
    else:
        main(*map(int, sys.argv[1:2]))
