"""PageRank and HITS against scikit-network and networkx, and farms against those that were planted.

`python benchmarks/graph.py [--pages N] [--rounds N]`: a web of N pages with 9.5 links each is made from one seed: sites of very
different sizes, three quarters of the links inside the site, popular pages on both sides. All are given the same matrix in
memory; CPU seconds of one thread are the best of the rounds, and include what each makes of the matrix first. The L1 distance
is to a solution that was iterated to 1e-14. networkx judges at 10,000 pages.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import argparse
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse as sp

from trasmallo.study.graph.farms import FarmOptions, find_farms
from trasmallo.study.graph.graph import Graph
from trasmallo.study.graph.hits import hits
from trasmallo.study.graph.pagerank import PageRankOptions, pagerank

SEED = 20261116
LINKS = 9.5
JUDGED = 10_000
SITES = 2_000
FARMS = (5, 8, 15, 30, 60)


def made_web(pages: int) -> Any:
    """A matrix with a 1 for each link; a tenth more are drawn, since some pairs are drawn twice."""
    chance = np.random.default_rng(SEED)
    number = int(LINKS * pages * 1.12)
    sources = chance.integers(0, pages, number)
    ends = np.cumsum(np.minimum((chance.pareto(1.1, pages) + 1) * 5, pages // 20 + 1).astype(int))
    ends = np.append(ends[ends < pages], pages)
    starts = np.append(0, ends[:-1])
    site = np.searchsorted(ends, sources, "right")
    inside = starts[site] + (chance.random(number) ** 2.5 * (ends - starts)[site]).astype(int)
    popular = (chance.random(number) ** 6 * pages).astype(int) * 7_919 % pages
    targets = np.where(chance.random(number) < 0.75, inside, popular)
    matrix = sp.coo_matrix(
        (np.ones(number), (sources.astype(np.int32), targets.astype(np.int32))), shape=(pages, pages)
    ).tocsr()
    matrix.data[:] = 1
    return matrix


def reference(matrix: Any) -> np.ndarray:
    """PageRank by the textbook's iteration, far beyond what is asked for."""
    pages = matrix.shape[0]
    backwards = matrix.T.tocsr()
    share = 0.85 / np.maximum(np.diff(matrix.indptr), 1)
    values = np.full(pages, 1 / pages)
    change = 1.0
    while change > 1e-14:
        after = backwards @ (values * share)
        after += (1 - after.sum()) / pages
        change, values = np.abs(after - values).sum(), after
    return values


def measured(work: Callable[[], np.ndarray], rounds: int) -> tuple[float, np.ndarray]:
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        found = work()
        best = min(best, time.process_time() - began)
    return best, found


def told(name: str, work: Callable[[], np.ndarray], rounds: int, exact: np.ndarray) -> float:
    try:
        spent, found = measured(work, rounds)
    except ImportError as error:
        print(f"{name:52} not installed ({error.name})")
        return float("nan")
    print(f"{name:52} {spent:7.2f} CPU s   L1 {np.abs(found / found.sum() - exact).sum():.1e}")
    return spent


def of_scikit_network(matrix: Any, **options: Any) -> np.ndarray:
    found: np.ndarray = import_module("sknetwork.ranking").PageRank(**options).fit_predict(matrix)
    return found


def report_pagerank(matrix: Any, rounds: int) -> None:
    exact, graph = reference(matrix), Graph.of_matrix(matrix)
    loading, _ = measured(lambda: Graph.of_matrix(matrix).inlinks, rounds)
    print(f"PageRank, {matrix.shape[0]:,} pages, {matrix.nnz:,} links (by target in {loading:.2f} CPU s)")
    ours = told("trasmallo, 1e-6 promised", lambda: pagerank(graph).values, rounds, exact)
    told("trasmallo, by target first, 1e-6 promised", lambda: pagerank(Graph.of_matrix(matrix)).values, rounds, exact)
    same_stop = PageRankOptions(tolerance=1e-6 * 0.85 / 0.15)
    early = told("trasmallo, last change 1e-6", lambda: pagerank(graph, same_stop).values, rounds, exact)
    start = exact * np.random.default_rng(1).uniform(0.99, 1.01, len(exact))
    told("trasmallo, from ranks that are 1 % off", lambda: pagerank(graph, start=start).values, rounds, exact)
    try:
        limit = of_scikit_network(matrix, n_iter=1_000, tol=1e-14)
    except ImportError as error:
        print(f"scikit-network is not installed ({error.name})\n")
        return
    told("scikit-network, as it is (10 steps)", lambda: of_scikit_network(matrix), rounds, limit)
    peer = told("scikit-network, last change 1e-6", lambda: of_scikit_network(matrix, n_iter=1_000), rounds, limit)
    far = told("scikit-network, last change 1e-7", lambda: of_scikit_network(matrix, n_iter=1_000, tol=1e-7), rounds, limit)
    print(
        f"{peer / early:.1f} times as fast as scikit-network for the same last change, {far / ours:.1f} for about our distance"
    )
    print(
        f"(its distance is to its own limit, which is {np.abs(limit - exact).sum():.0e} from ours: it treats sinks otherwise)\n"
    )


def report_hits(matrix: Any, rounds: int) -> None:
    def peer() -> np.ndarray:
        found = import_module("sknetwork.ranking").HITS().fit(matrix)
        authorities: np.ndarray = found.scores_col_
        return authorities

    graph = Graph.of_matrix(matrix)
    exact = np.full(matrix.shape[0], 1 / matrix.shape[0])
    for _ in range(40):
        exact = graph.by_target @ (graph.by_source @ exact)
        exact /= exact.sum()
    print("HITS, the same web: authorities")
    ours = told("trasmallo", lambda: hits(graph).authorities, rounds, exact)
    theirs = told("scikit-network", peer, rounds, exact)
    print(f"{theirs / ours:.1f} times as fast as scikit-network\n")


def report_networkx() -> None:
    matrix = made_web(JUDGED)
    try:
        networkx = import_module("networkx")
    except ImportError as error:
        print(f"networkx is not installed ({error.name})\n")
        return
    peer = networkx.from_scipy_sparse_array(matrix, create_using=networkx.DiGraph)
    ranks = networkx.pagerank(peer, tol=1e-14, max_iter=1_000)
    hubs, authorities = networkx.hits(peer, tol=1e-12)
    graph = Graph.of_matrix(matrix)
    found = hits(graph)
    print(f"Distance (L1) to networkx, {JUDGED:,} pages, {matrix.nnz:,} links")
    pairs = {
        "PageRank": (pagerank(graph).values, ranks),
        "hubs": (found.hubs, hubs),
        "authorities": (found.authorities, authorities),
    }
    for name, (ours, theirs) in pairs.items():
        print(f"{name:52} {np.abs(ours - np.array([theirs[page] for page in range(JUDGED)])).sum():.1e}")
    print()


def web_of_sites(seed: int) -> tuple[list[np.ndarray], list[np.ndarray], np.random.Generator]:
    """Sites with a dozen links each, a third of them inside a topic of forty sites, some of them answered."""
    chance = np.random.default_rng(seed)
    number = 12 * SITES
    sources, targets = chance.integers(0, SITES, number), (chance.random(number) ** 3 * SITES).astype(int)
    near = chance.random(number) < 0.3
    targets = np.where(near, sources // 40 * 40 + chance.integers(0, 40, number), targets)
    answered = number * 15 // 100
    return [sources, targets[:answered]], [targets, sources[:answered]], chance


def planted(kind: str, strength: float, seed: int) -> tuple[Graph, list[set[int]]]:
    """A web with a farm of each size: mutual ones with this share of their pairs, alike ones with so many other links."""
    sources, targets, chance = web_of_sites(seed)
    farms = [chance.choice(SITES, size, replace=False) for size in FARMS]
    if kind == "alike":
        kept = [~np.isin(part, np.concatenate(farms)) for part in sources]
        sources = [part[keep] for part, keep in zip(sources, kept, strict=True)]
        targets = [part[keep] for part, keep in zip(targets, kept, strict=True)]
    for farm in farms:
        if kind == "mutual":
            one, other = (farm[ends] for ends in np.triu_indices(len(farm), 1))
            chosen = chance.random(len(one)) < strength
            sources += [one[chosen], other[chosen]]
            targets += [other[chosen], one[chosen]]
        else:
            pushed = chance.choice(SITES, 12, replace=False)
            sources += [np.repeat(farm, 12), np.repeat(farm, int(strength))]
            targets += [np.tile(pushed, len(farm)), chance.integers(0, SITES, len(farm) * int(strength))]
    return Graph(np.concatenate(sources), np.concatenate(targets), SITES), [set(farm.tolist()) for farm in farms]


def report_farms() -> None:
    print(f"Farms of {', '.join(map(str, FARMS))} among {SITES:,} sites, five webs: members found, groups that are none")
    for kind, strengths in (("mutual", (0.4, 0.5, 0.7, 0.85, 1.0)), ("alike", (0, 2, 4, 8))):
        for strength in strengths:
            shares, false = [], 0
            for seed in range(5):
                graph, farms = planted(kind, strength, seed)
                found = [set(farm.members.tolist()) for farm in find_farms(graph, FarmOptions()) if farm.kind == kind]
                shares += [max((len(farm & group) / len(farm) for group in found), default=0) for farm in farms]
                false += sum(max(len(group & farm) for farm in farms) < len(group) / 2 for group in found)
            what = f"of {strength:.0%} of their pairs" if kind == "mutual" else f"beside {strength} other links"
            print(f"{kind:7} {what:44} {np.mean(shares):6.0%} {false:4}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    matrix = made_web(options.pages)
    report_pagerank(matrix, options.rounds)
    report_hits(matrix, options.rounds)
    report_networkx()
    report_farms()


if __name__ == "__main__":
    main()
