"""Groups whose links look arranged, planted in a made web of sites."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.graph.farms import Farm, FarmOptions, find_cycles, find_farms
from trasmallo.study.graph.graph import Graph

SITES = 400
Links = list[tuple[int, int]]


def made(seed: int = 5, answered: float = 0.15) -> Links:
    """Sites that link to about eight others, popular ones first; a share of the links is answered."""
    chance = np.random.default_rng(seed)
    sources, targets = chance.integers(0, SITES, 8 * SITES), (chance.random(8 * SITES) ** 3 * SITES).astype(int)
    links = list(zip(sources.tolist(), targets.tolist(), strict=True))
    return links + [(target, source) for source, target in links[: int(answered * len(links))]]


def farms(links: Links, options: FarmOptions | None = None) -> list[Farm]:
    return find_farms(Graph([source for source, _ in links], [target for _, target in links], SITES), options)


def members(found: list[Farm], kind: str) -> list[list[int]]:
    return [farm.members.tolist() for farm in found if farm.kind == kind]


def test_a_web_without_farms_has_none() -> None:
    assert all(farms(made(seed)) == [] for seed in range(5))


def test_all_who_link_to_all_are_a_farm() -> None:
    planted = list(range(300, 312))
    (found,) = farms(made() + list(permutations(planted, 2)))
    assert (found.kind, found.members.tolist()) == ("mutual", planted)
    assert found.density == 1
    assert 0.4 < found.inside < 0.8


def test_an_exchange_need_not_be_complete() -> None:
    chance, planted = np.random.default_rng(1), list(range(200, 230))
    pairs = [pair for pair in combinations(planted, 2) if chance.random() < 0.7]
    found = farms(made() + pairs + [(other, one) for one, other in pairs])
    assert members(found, "mutual") == [planted]


def test_many_that_push_the_same_few() -> None:
    planted, pushed = range(350, 370), range(100, 112)
    (found,) = farms(made() + [(site, target) for site in planted for target in pushed])
    assert found.kind == "alike"
    assert set(found.members.tolist()) <= set(planted)
    assert len(found.members) >= 4
    assert found.links >= 12


def test_what_everybody_links_to_makes_nobody_alike() -> None:
    links = [(site, target) for site in range(390) for target in range(390, 399)]
    assert farms(links) == []


def test_small_groups_are_none() -> None:
    assert farms(made() + list(permutations([300, 301, 302], 2))) == []
    assert members(farms(made() + list(permutations([300, 301, 302], 2)), FarmOptions(members=3)), "mutual") == [
        [300, 301, 302]
    ]


@pytest.mark.parametrize("links", [[], [(0, 0)] * 1_000, [(0, site) for site in range(SITES)]])
def test_webs_without_groups(links: Links) -> None:
    assert farms(links) == []


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=60))
def test_cycles_are_links_that_are_answered(links: Links) -> None:
    graph = Graph([source for source, _ in links], [target for _, target in links], 10)
    known = set(links)
    assert find_cycles(graph) == sorted((one, other) for one, other in known if one < other and (other, one) in known)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=90))
def test_any_web_can_be_looked_at(links: Links) -> None:
    found = find_farms(Graph([source for source, _ in links], [target for _, target in links], 10), FarmOptions(links=2))
    assert all(0 <= farm.density <= 1 and 0 <= farm.inside <= 1 and len(farm.members) >= 4 for farm in found)
