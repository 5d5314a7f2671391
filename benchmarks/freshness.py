"""Revisits: mean age of a collection under the product's plan and others, and what a choice costs.

`python benchmarks/freshness.py [--budget 30 100] [--mode seen lm] [--pages 1000000]`. Three tables: the replay of real changes
(`bench/freshness` of the folder in TRASMALLO_SHARED; all of its policies, ours by `freshness_plug.py`), pages that change at
random at rates drawn from a gamma distribution, and memory and CPU seconds of choosing 1,000 of a million pages.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from trasmallo.crawl.revisit.planner import Planner

PEERS = ("uniform", "nutch-nosync", "bayes-site-age", "burst-age")
DRAWN = {"base": (0.2, 0.1), "tight": (0.2, 0.02), "fast": (2.0, 0.1)}
BEGIN = 20_000.0


def folder() -> Path:
    beside = Path(__file__).resolve().parents[2] / "shared"
    return Path(os.environ.get("TRASMALLO_SHARED", beside)) / "bench" / "freshness"


def _load(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Policy = _load("freshness_plug", Path(__file__).resolve().parent / "freshness_plug.py").Policy
"""What the replay calls; loaded by its place, since this folder holds names of modules that Python itself needs."""


def load_replay() -> ModuleType:
    return _load("freshness_replay", folder() / "replay.py")


def load_data(every: int = 1) -> dict[str, Any]:
    """The changes of every so many pages."""
    packed = np.load(folder() / "open.npz")
    data = {name: packed[name] for name in packed.files}
    begins, ends = data["ptr"][:-1][::every], data["ptr"][1:][::every]
    data["t"] = np.concatenate([data["t"][begin:end] for begin, end in zip(begins, ends, strict=True)])
    data["ptr"] = np.concatenate([[0], np.cumsum(ends - begins)])
    return data | {name: data[name][::every] for name in ("site", "birth", "death", "lm0")}


def replay_table(budgets: list[float], modes: list[str]) -> None:
    replay, data = load_replay(), load_data()
    for budget in budgets:
        for mode in modes:
            for name in (*PEERS, "trasmallo"):
                began = time.process_time()
                found = replay.run(data, Policy if name == "trasmallo" else replay.POL[name], budget, mode)
                print(
                    f"1/{budget:<5g}{mode:6}{name:16} age {found['age']:7.3f}   {time.process_time() - began:5.1f} s",
                    flush=True,
                )


def drawn(mean: float, budget: float, *, pages: int = 10_000, days: int = 180, ticks: int = 10, seed: int = 1) -> float:
    """Mean age from day 90 on of pages that change at rates of a gamma distribution, all of one site."""
    chance = np.random.default_rng(seed)
    rates = np.maximum(chance.gamma(0.5, mean / 0.5, pages), 1e-6)
    planner, last, ages, carry = Planner(), np.full(pages, BEGIN), [], 0.0
    planner.add(np.zeros(pages, int), last)
    first = last + chance.exponential(1 / rates)
    for tick in range(1, days * ticks + 1):
        now = BEGIN + tick / ticks
        if now > BEGIN + 90:
            ages.append(np.maximum(0, now - 0.5 / ticks - first).mean())
        carry += budget * pages / ticks
        chosen = planner.choose(now, int(carry))[0]
        carry -= int(carry)
        planner.learn(chosen, np.full(len(chosen), now), first[chosen] <= now)
        first[chosen] = now + chance.exponential(1 / rates[chosen])
    return float(np.mean(ages))


def measure_cost(pages: int) -> tuple[float, float, float]:
    """Bytes a page, CPU seconds of choosing 1,000, and of the same with priors learnt anew."""
    chance = np.random.default_rng(1)
    sites = np.minimum(chance.zipf(1.3, pages), pages // 50).astype(np.int64) - 1
    planner = Planner()
    planner.add(sites, BEGIN - chance.random(pages) * 60)
    for day in range(3):
        some = chance.choice(pages, pages // 10, replace=False)
        planner.learn(some, np.full(len(some), BEGIN + day), chance.random(len(some)) < 0.2)
    began = time.process_time()
    planner.choose(BEGIN + 3, 1_000)
    fitted = time.process_time() - began
    began = time.process_time()
    planner.choose(BEGIN + 3, 1_000)
    return planner.nbytes / pages, time.process_time() - began, fitted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, nargs="*", default=[100, 30, 10])
    parser.add_argument("--mode", nargs="*", default=["seen"])
    parser.add_argument("--drawn", nargs="*", choices=[*DRAWN], default=[*DRAWN])
    parser.add_argument("--pages", type=int, default=1_000_000)
    given = parser.parse_args()
    size, chosen, fitted = measure_cost(given.pages)
    print(f"{given.pages:,} pages: {size:.1f} bytes each; 1,000 chosen in {chosen:.2f} CPU s, {fitted:.2f} with new priors")
    if given.budget and folder().is_dir():
        replay_table(given.budget, given.mode)
    for name in given.drawn:
        print(f"drawn {name:6} age {drawn(*DRAWN[name]):7.3f}", flush=True)


if __name__ == "__main__":
    main()
