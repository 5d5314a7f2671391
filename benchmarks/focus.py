"""Cost of a focus: pages noted and judged and links scored a CPU second, and memory, with the window full.

Quality is measured by a replay over a real graph: `replay.py PAGES TOPICS --plug focus_plug:Strategy` (see docs/benchmarks.md).
"""

from __future__ import annotations

import random
import time
import tracemalloc

import msgspec

from trasmallo.crawl.focus import FocusModel, FocusSetup, SeenLink, SeenPage, Topic
from trasmallo.crawl.focus.notes import PageNote, note

PAGES, LINKS, WORDS = 3_000, 45, 800


def made(number: int, chance: random.Random) -> SeenPage:
    words = [f"palabra{min(int(chance.expovariate(0.001)), 30_000)}" for _ in range(WORDS)]
    links = tuple(
        SeenLink(f"https://a.example/{chance.randrange(20_000)}", " ".join(chance.sample(words, 2)), words[0], words[1])
        for _ in range(LINKS)
    )
    text = " ".join("".join(letter if letter.isalpha() else "abcdefghij"[int(letter)] for letter in word) for word in words)
    return SeenPage(f"https://a.example/{number}", words[0], text, links, example=number < 3)


def main() -> None:
    chance = random.Random(7)
    pages = [made(number, chance) for number in range(PAGES)]
    began = time.process_time()
    notes = [msgspec.msgpack.encode(note(page)) for page in pages]
    noting = time.process_time() - began
    tracemalloc.start()
    model = FocusModel(FocusSetup(topics=(Topic(name="topic", words=("palabra",)),)))
    for each in notes:
        model.restore(msgspec.msgpack.decode(each, type=PageNote))
    own = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    began = time.process_time()
    model.fit()
    fitting = time.process_time() - began
    links = len(model.observed.columns().sources)
    print("| what | figure |\n| --- | --- |")
    print(f"| pages noted and judged a CPU second | {len(model.observed.pages) / (fitting + noting):,.0f} |")
    print(f"| links scored a CPU second | {links / fitting:,.0f} |")
    print(f"| one fit of {len(model.observed.pages):,} pages and {links:,} links, CPU seconds | {fitting:.2f} |")
    print(f"| memory of the window, MB | {own / 1e6:.0f} |")


if __name__ == "__main__":
    main()
