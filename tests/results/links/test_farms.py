"""Farms of sites and cycles of pages, from links as workers write them."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

from support import linked_run as web
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.rows import LinkRow
from trasmallo.results.tables.links import FarmRow

SITES = [f"http://s{number}.es/" for number in range(6)]


def farms(tmp_path: Path, links: list[LinkRow], pages: list[str]) -> list[FarmRow]:
    run = web.start(tmp_path)
    web.write(run, "1", [web.page(url) for url in pages], links)
    with Tables(run) as tables:
        found = [FarmRow(**dict(zip(FarmRow.__struct_fields__, row, strict=True))) for row in tables.ask("farms")]
    compile_tables(run)
    with Tables(run) as tables:
        assert [FarmRow(**dict(zip(FarmRow.__struct_fields__, row, strict=True))) for row in tables.ask("farms")] == found
    return found


def test_sites_that_all_link_to_each_other(tmp_path: Path) -> None:
    links = [web.link(one + "socios", other) for one, other in permutations(SITES, 2)]
    found = farms(tmp_path, links, [site + "socios" for site in SITES])
    assert {(row.farm, row.kind, row.members, row.density) for row in found} == {(1, "mutual", 6, 1.0)}
    assert [row.member for row in found] == [f"s{number}.es" for number in range(6)]


def test_links_that_count_for_nothing_make_no_farm(tmp_path: Path) -> None:
    links = [web.link(one, other, aside="nofollow") for one, other in permutations(SITES, 2)]
    assert farms(tmp_path, links, SITES) == []


def test_the_pages_of_a_site_are_no_farm(tmp_path: Path) -> None:
    pages = [f"http://a.es/{number}" for number in range(8)]
    assert farms(tmp_path, [web.link(one, other) for one, other in permutations(pages, 2)], pages) == []


def test_a_post_and_its_trackback(tmp_path: Path) -> None:
    one, other = "http://a.es/nota", "http://b.es/respuesta"
    homes = ["http://a.es/", "http://b.es/"]
    links = [web.link(*pair) for pair in ((one, other), (other, one), tuple(homes), tuple(reversed(homes)))]
    found = farms(tmp_path, links, [one, other, *homes])
    assert [(row.kind, row.member) for row in found] == [("cycle", one), ("cycle", other)]


def test_a_corpus_without_pages(tmp_path: Path) -> None:
    assert farms(tmp_path, [], []) == []
