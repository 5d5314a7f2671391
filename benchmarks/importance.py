"""What it costs a crawl to put addresses in order: CPU a page with importance and without, in turns, and what of it is ranking.

    python benchmarks/importance.py --web FOLDER [--pairs 4]

The test web is started beforehand; FOLDER holds its `site/`. Each crawl is a process of its own with one crawling process, all
pages, and no waits. Without importance every address has the same priority, so that depth and arrival decide; what the queue
itself costs is in both. The time inside of the ranker is taken in the same crawl, so that a busy machine does not matter to it.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trasmallo import Project
from trasmallo.crawl.importance import Importance
from trasmallo.values.model import Response, Target

LINES = 50


class Unranked(Importance):
    """Every address alike."""

    def rank(
        self, _page: Target, _answer: Response | None, found: Sequence[Target], _stated: Mapping[str, float]
    ) -> Sequence[Target]:
        """What was found, as it was found."""
        return found


def crawl(web: Path, how: str) -> None:
    """Crawl everything, and print CPU a page, and the share inside of the ranker."""
    from trasmallo.crawl import rankers

    spent = [0.0]
    if how == "without":
        vars(rankers)["Importance"] = Unranked
    for name in ("rank", "moves"):
        owner = vars(rankers)["Importance"]
        setattr(owner, name, _timed(getattr(owner, name), spent))
    seeds = (web / "site" / "seeds.txt").read_text().split()
    with tempfile.TemporaryDirectory(prefix="importance-") as folder:
        project = Project.new(
            Path(folder) / "p",
            seeds,
            lines=LINES,
            processes=1,
            delay=0.0,
            address_delay=0.0,
            private=["127.0.0.0/8"],
            scope="any",
            render="never",
        )
        began = time.process_time()
        project.crawl()
        cpu = time.process_time() - began
        pages = project.status().outcomes["fetched"]
    print(json.dumps({"pages": pages, "cpu": cpu, "ranking": spent[0]}))


def _timed(work: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    def timed(*given: Any) -> Any:
        began = time.thread_time()
        try:
            return work(*given)
        finally:
            spent[0] += time.thread_time() - began

    return timed


def main() -> None:
    """Measure pairs in turns."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--web", type=Path, required=True)
    asked.add_argument("--pairs", type=int, default=4)
    asked.add_argument("--how", choices=("with", "without"), help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.how:
        crawl(given.web, given.how)
        return
    ratios, shares = [], []
    print("| pair | pages | CPU ms a page, without | with | ranking, share of a page |\n| --- | --- | --- | --- | --- |")
    for pair in range(given.pairs):
        order = ("with", "without") if pair % 2 else ("without", "with")
        found = {how: _measured(given.web, how) for how in order}
        per_page = {how: 1_000 * one["cpu"] / one["pages"] for how, one in found.items()}
        ratios.append(per_page["with"] / per_page["without"] - 1)
        shares.append((found["with"]["ranking"] - found["without"]["ranking"]) / found["with"]["cpu"])
        cells = f"{found['with']['pages']:,} | {per_page['without']:.3f} | {per_page['with']:.3f} | {shares[-1]:.2%}"
        print(f"| {pair + 1} | {cells} |", flush=True)
    error = float(np.std(ratios, ddof=1)) / math.sqrt(len(ratios)) if len(ratios) > 1 else math.nan
    print(f"\nwith importance {np.mean(ratios):+.2%} ± {error:.2%} CPU a page; inside of the ranker {np.mean(shares):.2%}")


def _measured(web: Path, how: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--web", str(web), "--how", how]
    found: dict[str, float] = json.loads(subprocess.check_output(command).splitlines()[-1])
    return found


if __name__ == "__main__":
    main()
