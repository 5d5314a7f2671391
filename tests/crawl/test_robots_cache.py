"""What a run was told by robots.txt files is found again by the next session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from trasmallo.crawl.robots_cache import RobotsCache
from trasmallo.pipeline.keeper import Keeper
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Response

HOST = "http://a.es"


def answer(body: bytes, at: float = 1.0) -> Response:
    return Response(HOST + "/robots.txt", at, 200, "OK", (("Content-Type", "text/plain"),), body, body)


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    with Archive(tmp_path / "archive", software="x") as archive, Catalog(tmp_path / "catalog") as catalog:
        yield Keeper(archive, catalog, "run", lambda _fetch: None)


def test_the_last_answer_is_recalled_once(keeper: Keeper, tmp_path: Path) -> None:
    with RobotsCache(tmp_path / "rules", keeper) as evidence:
        assert evidence.recall(HOST) is None
        evidence.keep(HOST, answer(b"Disallow: /old"))
        evidence.keep(HOST, answer(b"Disallow: /new", at=2.0))
        assert evidence.recall(HOST) is None, "what this session asked for is known already"
    with RobotsCache(tmp_path / "rules", keeper) as evidence:
        assert evidence.recall(HOST) == answer(b"Disallow: /new", at=2.0)
        assert evidence.recall(HOST) is None
        assert evidence.recall("http://b.es") is None


def test_torn_and_strange_lines_are_passed_over(keeper: Keeper, tmp_path: Path) -> None:
    path = tmp_path / "rules"
    with RobotsCache(path, keeper) as evidence:
        evidence.keep(HOST, answer(b"one"))
    whole = path.read_bytes()
    path.write_bytes(b'\xff\n["x"]\n' + whole + b'["http://b.es",["tras')
    with RobotsCache(path, keeper) as evidence:
        evidence.keep("http://c.es", answer(b"three"))
    with RobotsCache(path, keeper) as evidence:
        assert [bool(evidence.recall(host)) for host in (HOST, "http://b.es", "http://c.es")] == [True, False, True]


def test_a_record_that_is_gone_means_asking_again(keeper: Keeper, tmp_path: Path) -> None:
    path = tmp_path / "rules"
    path.write_bytes(b'["http://a.es",["gone.warc.gz",0,10]]\n')
    with RobotsCache(path, keeper) as evidence:
        assert evidence.recall(HOST) is None


def test_only_so_many_hosts_are_remembered(keeper: Keeper, tmp_path: Path) -> None:
    with RobotsCache(tmp_path / "rules", keeper) as evidence:
        for number in range(3):
            evidence.keep(f"http://{number}.es", answer(b""))
    with RobotsCache(tmp_path / "rules", keeper, most=2) as evidence:
        assert [bool(evidence.recall(f"http://{number}.es")) for number in range(3)] == [False, True, True]
