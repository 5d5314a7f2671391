"""The index of a run, while it grows and when it is finished."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from trasmallo.config import Config
from trasmallo.events import Event, Indexing, Warned
from trasmallo.pipeline.duplicates import write_copies
from trasmallo.pipeline.staleness import start_run
from trasmallo.results import registry
from trasmallo.results.database.tables import Tables
from trasmallo.results.registry import FromFile, FromParts
from trasmallo.results.rows import CopyRow, FieldRow, GoneRow, LinkRow, PageRow, TextRow
from trasmallo.results.search.indexing import (
    FINISHED,
    LIVE,
    PARTS,
    LiveIndex,
    boost_of,
    build_index,
    build_index_part,
    forget_index_parts,
    index_gap,
    parts_of,
    tell_index_gap,
)
from trasmallo.store import digests
from trasmallo.store.carried import carry_over
from trasmallo.store.index.asking import Manner
from trasmallo.store.index.folder import Stamp, read_stamp, why_unusable, write_stamp
from trasmallo.store.index.searcher import FoundHits, Searcher
from trasmallo.store.parts import document_id, merge_parts, write_part
from trasmallo.store.run_folders import Run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return start_run(tmp_path, Config(), "crawl", "trasmallo/0")


def arrive(run: Run, name: str, texts: dict[str, str], links: tuple[tuple[str, str, str], ...] = (), **fields: str) -> None:
    """A part of pages: their texts by name, links as (from, to, anchor), and fields that each of them has."""
    ids = {url: document_id(f"http://a.es/{url}") for url in texts}
    write_part(
        run.parts,
        name,
        {
            "pages": [PageRow(ids[u], f"http://a.es/{u}", "a.es", 86_400.0, u, "es", "", "text/html", 1, "") for u in texts],
            "texts": [TextRow(ids[url], text, "") for url, text in texts.items()],
            "fields": [FieldRow(ids[url], name, text) for url in texts for name, text in fields.items()],
            "links": [LinkRow(document_id(f"http://a.es/{a}"), f"http://a.es/{b}", said, "") for a, b, said in links],
        },
    )


def find(folder: Path, query: str, manner: Manner | None = None) -> FoundHits:
    searcher = Searcher(folder)
    return searcher.search(searcher.ask(query, manner))


def build(run: Run, cause: str = "") -> list[Event]:
    told: list[Event] = []
    with Tables(run) as tables:
        build_index(run, tables, told.append, cause)
    return told


def test_parts_are_found_as_they_come_and_once_when_merged(run: Run) -> None:
    live = LiveIndex(run, run.folder / LIVE)
    assert live.look() == 0
    assert not (run.folder / LIVE).exists()
    for number in range(4):
        arrive(run, f"0000000{number + 1}-1", {f"p{number}": "una vela blanca"}, heading="Regata")
        assert live.look() == 1
    merge_parts(run.parts, most=2)
    assert live.look() == 0
    live.close()
    assert find(run.folder / LIVE, "vela").total == 4
    assert find(run.folder / LIVE, "heading:regata").total == 4


def test_what_a_crash_kept_from_the_stamp_is_not_taken_twice(run: Run) -> None:
    arrive(run, "00000001-1", {"uno": "una vela"})
    first = LiveIndex(run, run.folder / LIVE)
    first.look()
    first.close()
    write_stamp(run.folder / LIVE, Stamp(documents=1))
    arrive(run, "00000002-1", {"dos": "otra vela"})
    second = LiveIndex(run, run.folder / LIVE)
    assert second.look() == 1
    second.close()
    assert find(run.folder / LIVE, "vela").total == 2


@pytest.mark.parametrize("damage", ["stamp.json", "meta.json"])
def test_a_damaged_index_is_made_again_from_the_parts(run: Run, damage: str) -> None:
    arrive(run, "00000001-1", {"uno": "una vela"})
    first = LiveIndex(run, run.folder / LIVE)
    first.look()
    first.close()
    (run.folder / LIVE / damage).write_text("rubbish")
    arrive(run, "00000002-1", {"dos": "otra vela"})
    second = LiveIndex(run, run.folder / LIVE)
    second.look()
    second.look()
    second.close()
    assert find(run.folder / LIVE, "vela").total == 2


def test_an_index_that_is_removed_under_a_run_is_begun_again(run: Run) -> None:
    live = LiveIndex(run, run.folder / LIVE)
    for number in range(3):
        arrive(run, f"0000000{number + 1}-1", {f"p{number}": "una vela"})
        live.look()
        if number == 0:
            shutil.rmtree(run.folder / LIVE)
    live.look()
    other = LiveIndex(run, run.folder / LIVE)
    assert other.look() == 0, "another program's index is left to it"
    live.close()
    assert find(run.folder / LIVE, "vela").total == 3


def test_a_finished_index_knows_anchors_and_copies(run: Run) -> None:
    texts = {"uno": "una vela", "dos": "un motor", "tres": "una vela"}
    links = (("uno", "dos", "barco ruidoso"), ("tres", "dos", "pincha aquí"), ("uno", "fuera", "nadie"))
    arrive(run, "00000001-1", texts, links, day="2024-05-06", group="socios")
    ids = {name: document_id(f"http://a.es/{name}") for name in texts}
    write_copies(run, [CopyRow(ids["tres"], "http://a.es/tres", ids["uno"], "http://a.es/uno", 1.0)])
    told = build(run)
    assert told == [Indexing(done=3, total=3)]
    everything = Manner(groups=None)
    assert find(run.folder / FINISHED, "vela").total == 0
    (original,) = find(run.folder / FINISHED, "vela", everything).hits
    assert (original.document.copies, original.document.day) == (1, 20240506)
    assert find(run.folder / FINISHED, "anchor:ruidoso", Manner(groups=("socios",))).total == 1
    assert find(run.folder / FINISHED, "anchor:pincha", everything).total == 0, "idle anchors say nothing"
    stamp = read_stamp(run.folder / FINISHED)
    assert stamp is not None
    assert stamp.whole
    assert build(run) == [], "somebody else has built it"
    assert build(run, "damaged") != []


def test_the_live_index_gives_way_to_the_finished_one(run: Run) -> None:
    arrive(run, "00000001-1", {"uno": "una vela"})
    live = LiveIndex(run, run.folder / LIVE)
    live.look()
    live.close()
    build(run)
    assert not (run.folder / LIVE).exists()
    assert find(run.folder / FINISHED, "vela").total == 1


def test_parts_of_a_page() -> None:
    fields = [("og:title", "A"), ("title", "A"), ("heading", "B"), ("heading", "C"), ("depth", "2"), ("generator", "x")]
    assert dict(parts_of(fields, ["aquí", "aquí"])) == {"title": "A", "heading": "B . C", "anchor": "aquí"}


def test_links_lift_and_depth_lowers_a_little() -> None:
    assert boost_of(0, 0) == 1
    assert 1.1 < boost_of(100, 0) < 1.25
    assert boost_of(0, 50) == boost_of(0, 5) == pytest.approx(0.95)


def test_every_document_of_many_is_in_the_index(run: Run) -> None:
    """More than are indexed at a time, and no round number of them."""
    for part in range(4):
        arrive(run, f"0000000{part + 1}-1", {f"p{part}-{number}": "una vela" for number in range(401)})
    told = build(run, "many")
    assert [event.done for event in told if isinstance(event, Indexing)] == [500, 1000, 1500, 1604]
    assert find(run.folder / FINISHED, "vela").total == 1604
    with Tables(run) as tables:
        assert index_gap(run.folder / FINISHED, tables) is None


def test_a_document_that_the_index_lacks_is_told_in_one_line(run: Run) -> None:
    arrive(run, "00000001-1", {"uno": "una vela", "dos": "otra vela"})
    build(run, "made")
    arrive(run, "00000002-1", {"tres": "tercera vela"})
    told: list[Event] = []
    with Tables(run) as tables:
        tell_index_gap(run, tables, told.append)
    (warning,) = told
    assert isinstance(warning, Warned)
    lacks = "the search index lacks 1 of 3 documents, such as http://a.es/tres; "
    assert warning.message == lacks + "rebuild it from the archive with: trasmallo repair DIR"


def test_an_index_of_documents_that_are_gone_is_told(run: Run) -> None:
    arrive(run, "00000001-1", {"uno": "una vela"})
    arrive(run, "00000002-1", {"dos": "otra vela"})
    build(run, "made")
    shutil.rmtree(run.parts / "00000002-1")
    with Tables(run) as tables:
        assert index_gap(run.folder / FINISHED, tables) == "the search index holds 2 documents and the tables 1"


def finish(run: Run) -> None:
    """Keep what the pages of a run tell, and its index, as at its end."""
    with Tables(run) as tables:
        for name in registry.made_by(FromParts, FromFile):
            tables.compile(name)
    digests.seal(run.folder, run.folder.glob("*.parquet"))
    build(run, "made")


def test_an_index_that_is_added_to_takes_in_what_differs(run: Run, tmp_path: Path) -> None:
    arrive(run, "00000001-1", {f"p{number}": f"vela número{number}" for number in range(100)})
    finish(run)
    later = start_run(tmp_path / "later", Config(), "revisit", "trasmallo/0")
    carry_over(run, later, registry.made_by(FromParts), FINISHED)
    arrive(later, "00000001-1", {"p0": "un remo"}, (("p0", "p5", "ancla nueva"),))
    gone = GoneRow(document_id("http://a.es/p9"), "http://a.es/p9", 0.0, 0.0)
    (later.folder / "gone.jsonl").write_bytes(msgspec.json.encode(gone))
    told = build(later, "added")
    assert told == [Indexing(done=2, total=2, cause="added")], "the page that was read, and the one that it links to"
    assert find(later.folder / FINISHED, "vela").total == 98
    assert [find(later.folder / FINISHED, query).total for query in ("remo", "anchor:ancla", "número0", "número9")] == [
        1,
        1,
        0,
        0,
    ]
    stamp = read_stamp(later.folder / FINISHED)
    assert stamp is not None
    assert (stamp.documents, stamp.removed, stamp.whole) == (99, 3, True)
    assert find(run.folder / FINISHED, "vela").total == 100, "the other stays as it is"
    assert why_unusable(run.folder / FINISHED) == ""
    with Tables(later) as tables:
        assert index_gap(later.folder / FINISHED, tables) is None


def test_an_index_of_which_much_was_removed_is_built_whole(run: Run, tmp_path: Path) -> None:
    arrive(run, "00000001-1", {f"p{number}": "vela" for number in range(30)})
    finish(run)
    later = start_run(tmp_path / "later", Config(), "revisit", "trasmallo/0")
    carry_over(run, later, registry.made_by(FromParts), FINISHED)
    arrive(later, "00000001-1", {"p0": "remo", "p1": "remo"})
    assert build(later, "added") == [Indexing(done=30, total=30, cause="added")]
    stamp = read_stamp(later.folder / FINISHED)
    assert stamp is not None
    assert stamp.removed == 0


def test_an_index_made_by_parts_answers_as_one_made_at_once(run: Run) -> None:
    texts = {f"d{number}": f"la casa {'grande ' * (number % 3)}del mar {number}" for number in range(40)}
    arrive(run, "1", texts, (("d1", "d2", "el puerto"), ("d3", "d2", "casa vieja")), heading="aviso")
    build(run)
    questions = ("casa", "grande mar", "puerto", '"casa grande"', "aviso")
    whole = [find(run.folder / FINISHED, question) for question in questions]
    with Tables(run) as tables:
        for number in range(3):
            build_index_part(run, tables, lambda _event: None, number, 3)
        held = [Searcher(run.folder / PARTS / f"{number:04d}").documents for number in range(3)]
    assert (sum(held), min(held) > 0) == (40, True)
    (run.folder / PARTS / "0009.draft").mkdir()
    build(run, "again")
    assert [find(run.folder / FINISHED, question) for question in questions] == whole
    assert why_unusable(run.folder / FINISHED) == ""
    assert not (run.folder / PARTS).exists()


def test_parts_that_a_kill_left_are_forgotten(run: Run) -> None:
    (run.folder / PARTS / "0000").mkdir(parents=True)
    forget_index_parts(run)
    assert not (run.folder / PARTS).exists()
