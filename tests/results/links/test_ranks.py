"""Ranks of documents."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from support import linked_run as web
from trasmallo.results.database.tables import Tables
from trasmallo.results.links import ranks
from trasmallo.results.rows import LinkRow
from trasmallo.results.tables.links import RankRow
from trasmallo.store.parts import document_id
from trasmallo.store.run_cache import make_cache
from trasmallo.store.run_folders import Run

A, B, C, D = "http://a.es/", "http://www.a.es/b", "http://c.es/", "http://d.es/"


def table(run: Run) -> dict[str, RankRow]:
    with Tables(run) as tables:
        answer = tables.ask("ranks")
        assert answer.columns == RankRow.__struct_fields__
        return {row[0]: RankRow(**dict(zip(answer.columns, row, strict=True))) for row in answer}


def ranked(tmp_path: Path, *links: LinkRow) -> dict[str, RankRow]:
    run = web.start(tmp_path)
    web.write(run, "1", [web.page(url) for url in (A, B, C, D)], links)
    return table(run)


def test_links_from_the_own_site_and_others_are_counted_apart(tmp_path: Path) -> None:
    found = ranked(tmp_path, web.link(A, B), web.link(C, B), web.link(D, B), web.link(D, B), web.link(D, "http://z.es/"))
    assert (found[B].inlinks_own, found[B].inlinks_foreign) == (1, 2)
    assert (found[D].outlinks, found[D].dangling) == (1, 1)
    assert found[B].document == document_id(B)


def test_the_textbooks_web(tmp_path: Path) -> None:
    found = ranked(tmp_path, web.link(A, B), web.link(A, C), web.link(B, C), web.link(C, A))
    value = {url: found[url].pagerank for url in (A, B, C, D)}
    assert value[C] == pytest.approx(0.15 / 4 + 0.85 * (value[A] / 2 + value[B] + value[D] / 4), abs=1e-6)
    assert sum(value.values()) == pytest.approx(1)


@pytest.mark.parametrize("aside", ["nofollow", "comments", "trackback", "unseen"])
def test_what_is_set_aside_counts_for_nothing(tmp_path: Path, aside: str) -> None:
    found = ranked(tmp_path, web.link(A, C), web.link(B, D, aside=aside), web.link(C, D, aside=aside))
    assert found[D].inlinks_foreign == 0
    assert found[D].pagerank < found[C].pagerank
    assert found[D].authority == 0


def test_links_to_oneself_are_no_links(tmp_path: Path) -> None:
    found = ranked(tmp_path, *[web.link(A, A)] * 1_000)
    assert [row.pagerank for row in found.values()] == pytest.approx([0.25] * 4)
    assert found[A].outlinks == found[A].inlinks_own == 0


def test_copies_and_redirects_are_folded(tmp_path: Path) -> None:
    run = web.start(tmp_path)
    web.copy(run, {D: B})
    web.redirect(run, {"http://corto.es/": D})
    web.write(run, "1", [web.page(url) for url in (A, B, C, D)], [web.link(C, "http://corto.es/"), web.link(D, A)])
    found = table(run)
    assert set(found) == {A, B, C}
    assert found[B].inlinks_foreign == 1
    assert found[A].inlinks_own + found[A].inlinks_foreign == 0


def test_hubs_and_authorities(tmp_path: Path) -> None:
    found = ranked(tmp_path, web.link(A, C), web.link(A, D), web.link(B, C))
    assert max(found.values(), key=lambda row: row.hub).url == A
    assert max(found.values(), key=lambda row: row.authority).url == C


def chance_links(number: int, seed: int) -> list[LinkRow]:
    chance = np.random.default_rng(seed)
    pages = [f"http://s{page % 20}.es/{page}" for page in range(200)]
    ends = zip(chance.integers(0, 200, number).tolist(), (chance.random(number) ** 2 * 200).astype(int).tolist(), strict=True)
    return [web.link(pages[one], pages[other]) for one, other in ends]


def test_ranks_go_on_from_those_that_are_known(tmp_path: Path) -> None:
    run = web.start(tmp_path)
    web.write(run, "1", [web.page(f"http://s{page % 20}.es/{page}") for page in range(200)], chance_links(800, 1))
    with Tables(run) as tables:
        cold = ranks.rank_again(tables.connection, run, ranks.read_web(tables.connection, run).graph)
    web.write(run, "2", [web.page("http://nueva.es/")], chance_links(10, 2))
    with Tables(run) as tables:
        graph = ranks.read_web(tables.connection, run).graph
        warm = ranks.rank_again(tables.connection, run, graph)
        again = ranks.rank_again(tables.connection, run, graph)
    ranks.forget_ranks(run)
    with Tables(run) as tables:
        fresh = ranks.rank_again(tables.connection, run, ranks.read_web(tables.connection, run).graph)
    assert again.steps < warm.steps < fresh.steps
    assert cold.steps > again.steps
    assert np.abs(warm.values - fresh.values).sum() <= 2e-6


@pytest.mark.parametrize("content", [b"", b"no array", b"\x93NUMPY\x01\x00"])
def test_a_damaged_start_is_no_start(tmp_path: Path, content: bytes) -> None:
    run = web.start(tmp_path)
    web.write(run, "1", [web.page(A), web.page(B)], [web.link(A, B)])
    make_cache(run)
    ranks.previous_ranks(run).write_bytes(content)
    assert table(run)[B].pagerank > 0.5


def test_menus_can_be_set_aside_and_sites_be_alone(tmp_path: Path) -> None:
    run = web.start(tmp_path)
    links = [web.link(A, B, place="menu"), web.link(A, C), web.link(B, A)]
    web.write(run, "1", [web.page(url) for url in (A, B, C)], links)
    with Tables(run) as tables:
        whole = ranks.read_web(tables.connection, run)
        assert whole.graph.links == 3
        assert whole.foreign.links == 1
        assert ranks.read_web(tables.connection, run, without=("menu",)).graph.links == 2
