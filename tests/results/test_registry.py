"""Tables are entries of a registry, ours and those of plug-ins."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name

import httpx
import pytest

from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.results import registry
from trasmallo.results.cells import Rows
from trasmallo.results.database.neologisms import SEEN
from trasmallo.results.database.tables import Tables
from trasmallo.results.registry import FromLinks, FromTables, FromTokens, OnDemand, all_tables, find, groups, leading_first
from trasmallo.store import run_folders
from trasmallo.values.errors import UsageError
from trasmallo.web import cell_links, openapi, words
from trasmallo.web.app import build
from trasmallo.web.guard import AppDoor
from trasmallo.web.views import all_pages

TOY = """
import msgspec
from trasmallo.results.cells import ConcordanceCell
from trasmallo.results.registry import FromTables, FromTokens, Table, Wording

class InitialRow(msgspec.Struct):
    "How many words of the corpus begin with a letter."
    letter: str
    words: int

class LengthRow(msgspec.Struct):
    "How many tokens have so many letters."
    length: int
    tokens: int

def length_rows(source):
    yield LengthRow(1, len(source.corpus))

TABLES = (
    Table(
        name="initials",
        title=Wording(en="Initials", es="Iniciales"),
        about=Wording(en="How many words begin with each letter.", es="Cuántas palabras empiezan por cada letra."),
        group="words",
        row=InitialRow,
        made=FromTables("SELECT word[1] AS letter, count(*) AS words FROM words GROUP BY ALL", needs=("words",)),
        order="words DESC, letter",
        links={"letter": ConcordanceCell("$letter")},
        columns={"letter": Wording(en="letter", es="letra")},
    ),
    Table(
        name="lengths",
        title=Wording(en="Lengths", es="Longitudes"),
        about=Wording(en="Tokens by length.", es="Palabras por longitud."),
        group="toys",
        row=LengthRow,
        made=FromTokens("toy_tables:length_rows"),
        order="length",
    ),
)
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package with two tables."""
    about = tmp_path / "toy-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[trasmallo.tables]\ntoys = toy_tables:TABLES\n")
    (tmp_path / "toy_tables.py").write_text(TOY)
    monkeypatch.syspath_prepend(tmp_path)
    caches = (registry.all_tables, words.texts)
    for cached in caches:
        cached.cache_clear()
    yield tmp_path
    sys.modules.pop("toy_tables", None)
    for cached in caches:
        cached.cache_clear()


def test_a_table_of_a_plug_in_is_everywhere(toy: Path, finished: Project) -> None:
    assert "initials" in groups()["words"]
    assert groups()["others"] == ("lengths",)
    rows = finished.table("initials")
    assert sum(int(str(row["words"])) for row in rows) == len(finished.table("words"))
    assert finished.table("lengths")[0]["tokens"] > 1_000
    assert finished.export("csv", toy / "initials.csv", table="initials") == len(rows)
    assert (toy / "initials.csv").read_text(encoding="utf-8").startswith("letter,words\n")
    told = json.dumps(openapi.describe(all_pages()))
    assert "InitialRow" in told
    assert '"initials"' in told
    assert words.Words("es").named("table", "initials") == "Iniciales"
    assert words.Words("es").named("column", "letter") == "letra"
    assert cell_links.address("initials", "letter", {"letter": "a", "words": 3}) == "concordance?query=a"


def test_a_table_of_a_plug_in_is_in_the_help(toy: Path) -> None:
    command = [sys.executable, "-m", "trasmallo", "list", "--help"]
    paths = ":".join([str(toy), str(Path(registry.__file__).parents[2])])
    told = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": paths, "COLUMNS": "200"})
    assert "initials" in told.stdout
    assert "Others: lengths." in told.stdout


def test_a_table_of_a_plug_in_has_a_page(toy: Path, finished: Project) -> None:
    assert toy.exists()
    token, host = "a-token-that-only-the-tests-know-0123456789", "127.0.0.1:7470"
    app = build(Workspace([finished.folder.parent]), AppDoor(token, frozenset({host})))

    async def ask() -> httpx.Response:
        headers = {"Accept-Language": "es", "Accept": "text/html"}
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}", headers=headers) as client:
            await client.get(f"/?token={token}")
            return await client.get(f"/p/{finished.folder.name}/tables/initials")

    page = asyncio.run(ask())
    assert page.status_code == 200
    assert "Cuántas palabras empiezan por cada letra." in page.text
    assert "letra" in page.text


def test_every_entry_says_what_its_table_has(finished: Project) -> None:
    with Tables(run_folders.latest(finished.runs)) as tables:
        for name, table in all_tables().items():
            judged = (*(SEEN if name == "neologisms" else ()), "verdict") if table.judged else ()
            assert tables.columns_of(name) == leading_first((*table.types, *judged)), name
            assert table.about.en.endswith(".")
            assert table.about.es.endswith(".")
            assert table.group in registry.GROUPS


def test_what_makes_a_table_is_there() -> None:
    for table in all_tables().values():
        match table.made:
            case FromTokens(build=place) | FromLinks(make=place):
                assert callable(resolve_name(place))
            case OnDemand(make=place, needs=needs):
                assert callable(resolve_name(place))
                assert {*needs} <= all_tables().keys()
            case FromTables(needs=needs):
                assert {*needs} <= all_tables().keys()
        assert all(link.table in all_tables() for link in table.links.values() if isinstance(link, Rows))
        assert {*table.links} <= {*table.types}


def test_a_misspelt_name_gets_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'words'"):
        find("wrods")


def test_rows_begin_with_what_names_them() -> None:
    assert leading_first(("document", "host", "url", "digest", "title", "words")) == (
        "title", "url", "host", "words", "document", "digest",
    )  # fmt: skip
    assert leading_first(("word", "count")) == ("word", "count")
    for name, table in all_tables().items():
        shown = table.on_screen(tuple(table.types))
        assert not set(shown) & {"document", "digest", "signature"}, name
        assert set(shown) <= {*table.types, "title", *(["verdict"] if table.judged else [])}, name
