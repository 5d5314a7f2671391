"""Every page keeps the start address that led to it, how it was reached, from where and at what depth, through all doors."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from support.command_line import Done
from trasmallo import config, config_text
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.values.model import Reached
from trasmallo.values.urls import host

Command = Callable[..., Done]


def test_pages_tell_the_way_to_them(finished: Project, site: Site) -> None:
    pages = {str(row["url"]): row for row in finished.table("pages")}
    seeds = set(finished.config.crawl.seeds)
    assert {row["seed"] for row in pages.values()} == seeds
    for url, row in pages.items():
        assert (row["reached"] == Reached.SEED) == (url in seeds)
        if row["reached"] == Reached.SEED:
            assert (row["seed"], row["via"], row["depth"]) == (url, "", 0)
        if row["reached"] == Reached.LINK and row["via"] in pages:
            before = pages[str(row["via"])]
            assert (row["seed"], row["depth"]) == (before["seed"], int(str(before["depth"])) + 1)
    assert {Reached.LINK, Reached.SITEMAP} <= {row["reached"] for row in pages.values()}


def test_a_start_address_is_a_filter_everywhere(finished: Project, trasmallo: Command) -> None:
    seed = finished.config.crawl.seeds[0]
    own = {row["document"] for row in finished.table("pages", where=[f"seed={seed}", "drop="])}
    others = {row["document"] for row in finished.table("pages", where=[f"seed!={seed}", "drop="])}
    assert own
    assert others
    for table in ("words_by_page", "unknown", "links", "profiles", "fields"):
        found = {row["document"] for row in finished.table(table, where=[f"seed={seed}"])}
        assert found, table
        assert not found & others, table
    with finished.concordance() as concordance:
        from trasmallo.results.concordance.concordance import Options

        hits = concordance.find("la", Options(where=(f"seed={seed}",), limit=1_000))
        assert {hit.document for hit in hits.hits} <= own
        assert 0 < hits.total < concordance.find("la").total
    every = {hit.document for hit in finished.find_every("la")}
    assert {hit.document for hit in finished.find_every(f"la seed:{seed}")} == every & own
    listed = trasmallo("list", finished.folder, "pages", "--where", "reached=link", "--where", "depth=1", "--json").rows()
    assert listed
    assert all(row["seed"] and row["via"] for row in listed)


def test_by_choice_each_address_has_a_folder_of_results(finished: Project, tmp_path: Path, trasmallo: Command) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(finished.folder, folder)
    project = Project.open(folder)
    seed = project.config.crawl.seeds[0]
    refused = trasmallo("list", folder, "words", "--address", seed)
    assert refused.code == 2
    assert 'results = "by address" in [store]' in refused.refusal()
    store = msgspec.structs.replace(project.config.store, results="by address")
    config_text.write(msgspec.structs.replace(project.config, store=store), folder / config.FILE_NAME)
    project = Project.open(folder)
    project.study()
    words = project.table("words", address=seed)
    counted = project.table("words_by_page", where=[f"seed={seed}"])
    assert sum(int(str(row["count"])) for row in words) == sum(int(str(row["count"])) for row in counted) > 0
    assert len(words) < len(project.table("words"))
    shown = trasmallo("list", folder, "words", "--address", seed, "--json", "--limit", "3").rows()
    assert shown == words[:3]
    assert not list(project.check())


@pytest.mark.parametrize("host_only", [True, False])
def test_what_waits_tells_its_way(trasmallo: Command, site: Site, tmp_path: Path, host_only: bool) -> None:
    trasmallo("new", tmp_path / "p", *site.seeds)
    trasmallo("crawl", site.seeds[0], "--into", tmp_path / "p", "--pages", "3", "--delay", "0", "--quiet")
    at = ("--host", site.seeds[0].rstrip("/")) if host_only else ()
    seen = trasmallo("pending", tmp_path / "p", *at, "--json").rows()
    assert seen
    for waiting in seen:
        assert host(waiting["seed"]) in {host(seed) for seed in site.seeds}
        assert waiting["reached"] in set(Reached)
        assert waiting["depth"] >= 0
