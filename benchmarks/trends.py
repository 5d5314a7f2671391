"""How often tests of trends see one where there is none, and where there is, on sites and months as a crawl brings them.

`python benchmarks/trends.py [--words 4000]`. Each row is a made corpus: so many sites and months, whose last month has so many
times the words of the first, a rate of occurrences per million words, and how bursty these are (the shape of a gamma
distribution that the rate of each cell is drawn from; smaller is burstier). `slope` is the growth of the logarithm of the rate
a month; the rows with 0 should print 5.0 or less, of which half are rises, the others as much as can be. Peers: Mann-Kendall
with correction for ties on the frequencies of months, as for corpora with equal periods, and the score of a Poisson regression.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from trasmallo.study.trends import FEWEST_CELLS, probabilities

SEED = 20261117
P = 0.05
BAR = 0.06
Values = NDArray[np.float64]


class Made(NamedTuple):
    """A made corpus."""

    sites: int
    months: int
    growing: float
    rate: float
    burst: float
    slope: float = 0.0


CORPORA = (
    Made(1, 24, 23.0, 10.0, 0.3),
    Made(20, 12, 0.0, 10.0, 0.3),
    Made(20, 24, 23.0, 1.0, 0.3),
    Made(20, 24, 23.0, 10.0, 0.3),
    Made(20, 24, 230.0, 3.0, 0.1),
    Made(100, 36, 35.0, 1.0, 0.1),
    Made(20, 24, 23.0, 10.0, 0.3, slope=0.1),
    Made(100, 36, 35.0, 1.0, 0.1, slope=0.1),
)


def draw(made: Made, words: int, chance: np.random.Generator) -> tuple[Values, Values, Values]:
    """The place in time and the words of each cell, and the occurrences of each word there."""
    place = np.repeat(np.arange(made.months), made.sites).astype(np.float64)
    sizes = chance.lognormal(8, 1, len(place)) * (1 + made.growing * place / (made.months - 1))
    sizes = np.maximum(sizes.round(), 50)
    expected = made.rate / 1e6 * sizes * np.exp(made.slope * (place - place.mean()))
    return place, sizes, chance.poisson(chance.gamma(made.burst, expected / made.burst, (words, len(place)))).astype(np.float64)


def score(place: Values, sizes: Values, counts: Values) -> tuple[Values, Values]:
    """Z of the generalised score test, as `study.trends` has it, and of a Poisson regression."""
    middle, cells = (sizes * place).sum() / sizes.sum(), len(place)
    share = counts.sum(1) / sizes.sum()
    rise = (counts * (place - middle)).sum(1)
    variance = cells / (cells - 2) * (((counts - share[:, None] * sizes) * (place - middle)) ** 2).sum(1)
    return rise / np.sqrt(np.maximum(variance, 1e-12)), rise / np.sqrt(share * (sizes * (place - middle) ** 2).sum())


def mann_kendall(made: Made, sizes: Values, counts: Values) -> Values:
    """Z of Mann-Kendall on the frequency of each month."""
    shape = (made.months, made.sites)
    rates = counts.reshape(len(counts), *shape).sum(2) / sizes.reshape(shape).sum(1)
    signs = sum(np.sign(rates[:, month + 1 :] - rates[:, [month]]).sum(1) for month in range(made.months))
    months = made.months
    ties = np.array([sum(n * (n - 1) * (2 * n + 5) for n in np.unique(row, return_counts=True)[1]) for row in rates])
    variance = (months * (months - 1) * (2 * months + 5) - ties) / 18
    return np.asarray((signs - np.sign(signs)) / np.sqrt(np.maximum(variance, 1e-12)))


def main() -> int:
    """Print the table; 1 when the product's test sees more than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=4_000)
    given = parser.parse_args()
    chance, good = np.random.default_rng(SEED), True
    print("                                              p < 0.05 in % of words, of which rises")
    print(
        f"{'sites':>5}{'months':>7}{'growing':>8}{'rate':>6}{'burst':>6}{'slope':>6}{'trasmallo':>16}{'Mann-Kendall':>16}{'Poisson':>16}"
    )
    for made in CORPORA:
        place, sizes, counts = draw(made, given.words, chance)
        counts = counts[(counts > 0).sum(1) >= FEWEST_CELLS]
        ours, poisson = score(place, sizes, counts)
        peers = [(z, 2 * ndtr(-np.abs(z))) for z in (mann_kendall(made, sizes, counts), poisson)]
        told = [(ours, probabilities(ours, np.full(len(ours), len(place) - 2.0))), *peers]
        shown = "".join(f"{100 * (p < P).mean():9.1f}{100 * ((p < P) & (z > 0)).mean():7.1f}" for z, p in told)
        print(
            f"{made.sites:5}{made.months:7}{made.growing + 1:8.0f}{made.rate:6.0f}{made.burst:6}{made.slope:6}{shown}",
            flush=True,
        )
        good &= bool(made.slope) or bool((told[0][1] < P).mean() <= BAR)
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
