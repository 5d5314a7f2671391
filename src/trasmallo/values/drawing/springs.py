"""Places for the nodes of a small graph, so that neighbours are near and nobody stands on another.

Fruchterman and Reingold, Graph Drawing by Force-directed Placement (1991), from a spiral instead of places drawn by chance, so
that the same graph always looks the same. Time grows with the square of the nodes: made for at most some hundred.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

STEPS = 160  # judgement: nodes hardly move after it
_HOLD = 2.0
"""How strongly the middle holds every node: else pieces that nothing joins fly apart, and shrink to dots on the sheet."""
_GOLDEN = 2.399963229728653  # the golden angle in radians
_MOST = 500  # judgement: nodes; the forces take the square of their number


def spread(number: int, edges: Sequence[tuple[int, int]], centre: int = -1) -> list[tuple[float, float]]:
    """A place between 0 and 1 from left to right and from top to bottom for each node; `centre` stays in the middle."""
    if number > _MOST:
        raise ValueError(f"a graph of {number} nodes cannot be read")
    turn = np.arange(number) * _GOLDEN
    reach = np.sqrt((np.arange(number) + 0.5) / max(number, 1)) / 2
    places = np.stack((reach * np.cos(turn), reach * np.sin(turn)), axis=1)
    if 0 <= centre < number:
        places[centre] = 0
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    length = 1 / np.sqrt(max(number, 1))
    for step in range(STEPS):
        moves = _pushes(places, length) - _pulls(places, ends, length) - _HOLD * places
        size = np.linalg.norm(moves, axis=1, keepdims=True)
        places += moves / np.maximum(size, 1e-9) * np.minimum(size, 0.1 * (1 - step / STEPS))
        if 0 <= centre < number:
            places -= places[centre]
    return _fitted(places)


def _pushes(places: NDArray[np.float64], length: float) -> NDArray[np.float64]:
    apart = places[:, None, :] - places[None, :, :]
    square = np.maximum((apart**2).sum(axis=2, keepdims=True), 1e-6)
    pushes: NDArray[np.float64] = (apart * (length**2 / square)).sum(axis=1)
    return pushes


def _pulls(places: NDArray[np.float64], ends: NDArray[np.int64], length: float) -> NDArray[np.float64]:
    pulls = np.zeros_like(places)
    if len(ends):
        apart = places[ends[:, 0]] - places[ends[:, 1]]
        force = apart * np.linalg.norm(apart, axis=1, keepdims=True) / length
        np.add.at(pulls, ends[:, 0], force)
        np.add.at(pulls, ends[:, 1], -force)
    return pulls


def _fitted(places: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Places stretched to the whole sheet."""
    if not len(places):
        return []
    low, high = places.min(axis=0), places.max(axis=0)
    shares = np.where(high > low, (places - low) / np.where(high > low, high - low, 1), 0.5)
    return [(float(x), float(y)) for x, y in shares]
