"""Raw pages leave a project as WARC and enter another one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from support.killing import results
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.archive import records
from trasmallo.store.catalog import Catalog

Command = Callable[..., Done]


@pytest.fixture(scope="module")
def exported(finished: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "warc"
    finished.export("warc", folder)
    return folder


def test_others_accept_what_we_export(exported: Path) -> None:
    files = sorted(exported.glob("*.warc.gz"))
    assert files
    checked = subprocess.run([sys.executable, "-m", "warcio.cli", "check", "-v", *map(str, files)], capture_output=True)
    assert checked.returncode == 0, checked.stdout
    assert b"FAIL" not in checked.stdout


def test_every_address_of_the_run_is_exported(finished: Project, exported: Path) -> None:
    with Catalog(finished.store / "catalog", read_only=True) as catalog:
        stored = {fetch.url for fetch in catalog.of_run(run_folders.latest(finished.runs).name) if fetch.locator}
    found = [record for _, record in records(exported, verify=True) if record.kind == "response"]
    assert {record.url for record in found if not record.url.endswith("/robots.txt")} == stored
    assert len({record.id for record in found}) == len(found)


def test_an_import_gives_the_same_results(finished: Project, exported: Path, tmp_path: Path, trasmallo: Command) -> None:
    (file,) = exported.glob("*.warc.gz")
    done = trasmallo("import", file, "--into", tmp_path / "again", "--json")
    assert (done.code, done.err, done.value()["state"]) == (0, "", "finished")
    assert results(Project.open(tmp_path / "again")) == results(finished)


def test_exported_texts_give_the_same_answers(finished: Project, tmp_path: Path, trasmallo: Command) -> None:
    out = tmp_path / "demo.conllu"
    assert trasmallo("export", finished.folder, "--as", "conllu", "-o", out, "--quiet") == Done(0, "", "")
    assert trasmallo("import", out, "--into", tmp_path / "again", "--quiet") == Done(0, "", "")
    again = Project.open(tmp_path / "again")
    for table in ("words", "lemmas", "segments", "collocations"):
        assert again.table(table) == finished.table(table)
    columns = {"columns": ["document", "url", "title", "language", "words", "types", "sentences"], "where": ["drop="]}
    assert again.table("pages", **columns) == finished.table("pages", **columns)


def test_some_pages_leave_and_come_back_from_a_folder(finished: Project, tmp_path: Path, trasmallo: Command) -> None:
    exported = trasmallo("export", finished.folder, "--as", "warc", "-o", tmp_path / "en", "--where", "language=en", "--json")
    english = finished.table("pages", where=["language=en"])
    assert exported.value() == {"file": str(tmp_path / "en"), "answers": len(english)}
    assert trasmallo("import", tmp_path / "en", "--into", tmp_path / "again", "--quiet") == Done(0, "", "")
    again = Project.open(tmp_path / "again").table("pages")
    imported = {"at": 0.0, "seed": "", "reached": "import", "via": "", "depth": 0}  # the way of this asking, not of that one
    assert [row | {"at": 0.0} for row in again] == [row | imported for row in english]
    assert [row["at"] for row in again] == pytest.approx([row["at"] for row in english], abs=1e-6)


def test_a_truncated_file_is_read_up_to_the_damage(
    finished: Project, exported: Path, tmp_path: Path, trasmallo: Command
) -> None:
    (file,) = exported.glob("*.warc.gz")
    torn = tmp_path / "torn.warc.gz"
    torn.write_bytes(file.read_bytes()[: file.stat().st_size // 6])
    done = trasmallo("import", torn, "--into", tmp_path / "part", "--quiet")
    (line,) = done.err.splitlines()
    assert (done.code, done.out) == (0, "")
    assert line.startswith(f"trasmallo: {torn} is damaged at byte ")
    assert line.endswith("get the file again; all before the damage was read")
    before = {row[0] for row in results(finished)["pages"]}
    found = {row[0] for row in results(Project.open(tmp_path / "part"))["pages"]}
    assert found
    assert found < before


def test_a_second_run_shares_payloads_and_is_exported_whole(unfinished: Project, tmp_path: Path) -> None:
    unfinished.crawl()
    size = sum(path.stat().st_size for path in (unfinished.store / "archive").iterdir())
    unfinished.crawl(new=True)
    first, second = (run.name for run in run_folders.find(unfinished.runs))
    assert sum(path.stat().st_size for path in (unfinished.store / "archive").iterdir()) < 1.7 * size
    unfinished.export("warc", tmp_path / "second")
    with Catalog(unfinished.store / "catalog", read_only=True) as catalog:
        before, after = ({fetch.url: fetch.digest for fetch in catalog.of_run(run)} for run in (first, second))
    exported = {
        record.url: record.digest for _, record in records(tmp_path / "second", verify=True) if record.kind == "response"
    }
    assert before == after
    assert {url: exported[url] for url, digest in after.items() if digest} == {url: d for url, d in after.items() if d}
