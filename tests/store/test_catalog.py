from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.store.catalog import Catalog
from trasmallo.store.catalog_rows import sha1_text
from trasmallo.store.key_value_tables import KeyValueTables
from trasmallo.values.errors import StoreError, StoreTooNew, UrlError
from trasmallo.values.model import Fetch, Locator, Outcome

URLS = [
    "http://a/",
    "http://a/b",
    "http://a/b/",
    "http://a/b?c=%C3%A9",
    "http://a:8080/",
    "http://xn--caf-dma.es/%00",
    "http://b/" + "x" * 8000,
]
DIGESTS = ["", sha1_text(b"\1" * 20), sha1_text(b"\1" * 8 + b"\2" * 12), "sha256:" + "0" * 64]
PLACES = [None, Locator("a.warc.gz", 0, 100), Locator("b.warc.gz", 1 << 33, 100)]
RUNS = ["first", "second", ""]
FETCHES = st.builds(
    Fetch,
    url=st.sampled_from(URLS),
    at=st.integers(0, 9).map(float),
    outcome=st.sampled_from([Outcome.FETCHED, Outcome.TIMED_OUT]),
    media=st.sampled_from(["", "text/html", "x" * 100]),
    digest=st.sampled_from(DIGESTS),
    locator=st.sampled_from(PLACES),
    cause=st.sampled_from(["", "slow"]),
)
Puts = list[tuple[list[Fetch], str]]


class Model:
    """The catalog as a plain list of what was put."""

    def __init__(self, puts: Puts) -> None:
        self.log = [(fetch, run) for fetches, run in puts for fetch in fetches]

    def versions(self, url: str) -> list[Fetch]:
        by_time = {fetch.at: fetch for fetch, _ in self.log if fetch.url == url}
        return [by_time[at] for at in sorted(by_time, reverse=True)]

    def at(self, url: str, when: float) -> Fetch | None:
        return next((fetch for fetch in self.versions(url) if fetch.at <= when), None)

    def with_digest(self, digest: str) -> Fetch | None:
        return next((fetch for fetch, _ in self.log if digest and fetch.digest == digest and fetch.locator), None)

    def of_run(self, run: str) -> list[Fetch]:
        counted: dict[str, tuple[int, Fetch]] = {}
        for place, (fetch, name) in enumerate(self.log):
            if name == run and not (fetch.url in counted and counted[fetch.url][1].outcome.obtained):
                counted[fetch.url] = place, fetch
        return [fetch for _, fetch in sorted(counted.values(), key=lambda each: each[0])]


def check(catalog: Catalog, model: Model) -> None:
    urls = sorted({fetch.url for fetch, _ in model.log}, key=str.encode)
    assert list(catalog.urls()) == urls
    assert list(catalog.urls("http://a/b")) == [url for url in urls if url.startswith("http://a/b")]
    assert catalog.count == len(model.log)
    for url in URLS:
        versions = model.versions(url)
        assert list(catalog.versions(url)) == versions
        assert catalog.latest(url) == (versions[0] if versions else None)
        for when in (-1.0, 0.0, 4.5, 9.0, 1e12):
            assert catalog.at(url, when) == model.at(url, when)
    for digest in DIGESTS:
        assert catalog.with_digest(digest) == model.with_digest(digest)
    for run in (*RUNS, "none"):
        pages = model.of_run(run)
        assert list(catalog.of_run(run)) == pages
        outcomes = [page.outcome for page in pages]
        assert catalog.outcomes(run) == {outcome: outcomes.count(outcome) for outcome in set(outcomes)}


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(st.lists(FETCHES, max_size=6), st.sampled_from(RUNS)), min_size=2, max_size=6))
def test_reads_are_those_of_a_plain_list(tmp_path_factory: pytest.TempPathFactory, puts: Puts) -> None:
    folder = tmp_path_factory.mktemp("catalog")
    with Catalog(folder) as catalog:
        for fetches, run in puts:
            catalog.put_many(fetches, run)
        check(catalog, Model(puts))
        with Catalog(folder, read_only=True) as reader:
            check(reader, Model(puts))
    with Catalog(folder) as catalog:
        check(catalog, Model(puts))


def page(number: int, **fields: object) -> Fetch:
    digest = sha1_text(number.to_bytes(20, "big"))
    place = Locator(f"{number // 1000}.warc.gz", number, 10)
    values = {"status": 200, "media": "text/html", "digest": digest, "locator": place, **fields}
    return Fetch(f"http://h{number % 7}.test/{number}", float(number), Outcome.FETCHED, **values)  # type: ignore[arg-type]


def test_thousands_of_rows_after_compaction(tmp_path: Path) -> None:
    pages = [page(number) for number in range(1500)]
    with Catalog(tmp_path) as catalog:
        catalog.put_many(pages[:1000], "run")
        catalog.compact()
        catalog.put_many(pages[1000:], "run")
        catalog.sync()
        assert list(catalog.of_run("run")) == pages
        assert catalog.outcomes("run") == {Outcome.FETCHED: 1500}
        assert all(catalog.with_digest(page.digest) == page for page in pages[::50])
        assert sum(1 for _ in catalog.urls("http://h3.test/")) == len([p for p in pages if p.url.startswith("http://h3.")])


def test_what_comes_again_as_it_was_stays_the_version_that_it_is(tmp_path: Path) -> None:
    first, same, other, back = (
        msgspec.structs.replace(page(1), at=100.0 + day, digest=sha1_text(letter * 20))
        for day, letter in enumerate([b"A", b"A", b"B", b"A"])
    )
    with Catalog(tmp_path) as catalog:
        for run, fetch in zip("wxyz", (first, same, other, back), strict=True):
            catalog.put_many([fetch], run)
        assert list(catalog.of_runs("wx")) == [first]
        assert list(catalog.of_runs("wxy")) == [other]
        assert list(catalog.of_runs("wxyz")) == [back]


def test_the_last_place_of_a_writer_is_found_from_the_newest_rows(tmp_path: Path) -> None:
    with Catalog(tmp_path) as catalog:
        assert catalog.last_place(lambda _file: True) is None
        places = [Locator("a.warc.gz", offset, 10) for offset in (10, 30, 20)] + [None]
        catalog.put_many((page(number, locator=place) for number, place in enumerate(places)), "run")
        catalog.put_many((page(number, locator=Locator("b.warc.gz", number, 10)) for number in range(4, 900)), "run")
        assert catalog.last_place(lambda file: file == "a.warc.gz") == Locator("a.warc.gz", 30, 10)
        assert catalog.last_place(lambda file: file == "b.warc.gz") == Locator("b.warc.gz", 899, 10)
        assert catalog.last_place(lambda file: file == "c.warc.gz") is None


def test_a_batch_with_a_bad_url_writes_nothing(tmp_path: Path) -> None:
    bad = Fetch("http://a/\0", 1.0, Outcome.FETCHED)
    with Catalog(tmp_path) as catalog:
        with pytest.raises(UrlError):
            catalog.put_many([page(1), bad], "lost")
        assert catalog.count == 0 and catalog.latest(page(1).url) is None
        catalog.put(page(2, media="image/png"), "kept")
    with Catalog(tmp_path) as catalog:
        assert list(catalog.of_run("kept")) == [page(2, media="image/png")]
        assert list(catalog.of_run("lost")) == []


def test_servers_that_invent_media_types_cannot_fill_the_names(tmp_path: Path) -> None:
    pages = [page(number, media=f"x/{number}") for number in range(1500)]
    with Catalog(tmp_path) as catalog:
        catalog.put_many(pages, "run")
        assert list(catalog.of_run("run")) == pages
    tables = KeyValueTables(tmp_path, [], read_only=True)
    assert len(list(tables.scan("names"))) == 1000 + 2 + 1
    tables.close()


def test_families_are_added_and_kept_by_versions_that_do_not_know_them(tmp_path: Path) -> None:
    with Catalog(tmp_path) as catalog:
        catalog.put(page(1), "run")
        catalog.family("rank").put(page(1).url, "pagerank", b"0.5")
        assert catalog.family("rank").get(page(1).url, "pagerank") == b"0.5"
    tables = KeyValueTables(tmp_path, [])
    tables.create("something later")
    tables.close()
    with Catalog(tmp_path) as catalog:
        assert catalog.families() == ["rank"]
        catalog.put(page(2), "run")
        assert catalog.family("rank").row(page(1).url) == {"pagerank": b"0.5"}
    tables = KeyValueTables(tmp_path, [], read_only=True)
    assert "something later" in tables.names()
    tables.close()


def test_a_catalog_of_a_later_format_is_refused_and_left_alone(tmp_path: Path) -> None:
    Catalog(tmp_path).close()
    tables = KeyValueTables(tmp_path, ["meta"])
    batch = tables.batch()
    batch.put(b"format", b"2", tables.handle("meta"))
    tables.write(batch)
    tables.close()
    for read_only in (False, True):
        with pytest.raises(StoreTooNew, match="later version"):
            Catalog(tmp_path, read_only=read_only)


def test_a_reader_cannot_write_and_needs_a_catalog(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="crawl or import"):
        Catalog(tmp_path, read_only=True)
    Catalog(tmp_path).close()
    with Catalog(tmp_path, read_only=True) as reader:
        assert reader.latest("http://a/") is None
        assert reader.family("rank").row("http://a/") == {}
        with pytest.raises(ValueError, match="reading only"):
            reader.put(page(1), "run")


WRITER = """
import sys
from pathlib import Path
from trasmallo.values.model import Fetch, Locator, Outcome
from trasmallo.store.catalog import Catalog
with Catalog(Path(sys.argv[1])) as catalog:
    number = catalog.count
    while True:
        fetches = []
        for number in range(number + 1, number + 1 + int(sys.argv[2])):
            fetches.append(Fetch(f"http://a/{number}", float(number), Outcome.FETCHED, 200, f"x/{number}", "", number,
                                 Locator(f"{number}.warc.gz", number, 1)))
        catalog.put_many(fetches, f"run {number % 3}")
        print(number, flush=True)
        if sys.argv[3] == "asked":
            sys.stdin.readline()
"""


@pytest.fixture
def start_writer(tmp_path: Path) -> Iterator[type[subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []

    def start(batch: int, mode: str) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", WRITER, str(tmp_path), str(batch), mode]
        started.append(subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start  # type: ignore[misc]
    for process in started:
        process.kill()
        process.communicate()


def test_nothing_acknowledged_is_missing_after_kill(tmp_path: Path, start_writer: type[subprocess.Popen[str]]) -> None:
    for batch, wait in ((1, 50), (7, 300), (500, 20)):
        writer: subprocess.Popen[str] = start_writer(batch, "free")  # type: ignore[call-overload]
        assert writer.stdout
        lines = [writer.stdout.readline() for _ in range(wait)]
        writer.kill()
        lines += writer.stdout.readlines()
        acknowledged = max(int(line) for line in lines if line.endswith("\n"))
        with Catalog(tmp_path) as catalog:
            assert catalog.count >= acknowledged
            assert sum(1 for _ in catalog.urls()) == catalog.count
            for number in (*range(1, catalog.count, 13), acknowledged, catalog.count):
                fetch = catalog.latest(f"http://a/{number}")
                assert fetch and fetch.locator == Locator(f"{number}.warc.gz", number, 1) and fetch.media == f"x/{number}"
            assert sum(catalog.outcomes(f"run {run}")[Outcome.FETCHED] for run in range(3)) == catalog.count


def test_a_second_process_reads_while_the_first_writes(tmp_path: Path, start_writer: type[subprocess.Popen[str]]) -> None:
    writer: subprocess.Popen[str] = start_writer(10, "asked")  # type: ignore[call-overload]
    assert writer.stdin and writer.stdout
    assert int(writer.stdout.readline()) == 10
    with Catalog(tmp_path, read_only=True) as reader:
        for step in count(1):
            assert reader.count == len(list(reader.urls())) == 10 * step
            assert reader.at(f"http://a/{10 * step}", 1e9) == reader.latest(f"http://a/{10 * step}")
            assert len(list(reader.of_run(f"run {10 * step % 3}"))) % 10 == 0
            if step == 5:
                break
            writer.stdin.write("\n")
            writer.stdin.flush()
            assert int(writer.stdout.readline()) == 10 * step + 10
            assert reader.latest(f"http://a/{10 * step + 10}") is None
            reader.refresh()


def test_a_reader_finds_families_made_after_it_opened(tmp_path: Path) -> None:
    with Catalog(tmp_path) as writer, Catalog(tmp_path, read_only=True) as reader:
        writer.family("topic").put("http://a/", "main", b"chess")
        assert reader.family("topic").row("http://a/") == {}
        reader.refresh()
        assert reader.family("topic").row("http://a/") == {"main": b"chess"}


@given(st.lists(FETCHES, max_size=12))
@settings(max_examples=20, deadline=None)
def test_rows_of_media_types_are_found_without_the_others(
    tmp_path_factory: pytest.TempPathFactory, fetches: list[Fetch]
) -> None:
    with Catalog(tmp_path_factory.mktemp("catalog")) as catalog:
        catalog.put_many(fetches, "run")
        for wanted in ("", "text/html", "x" * 100):
            found = list(catalog.all_of_run("run", wanted.__eq__))
            assert found == [fetch for fetch in catalog.all_of_run("run") if fetch.media == wanted]
