"""Bad input and bad luck: one line that ends with the repair, the right exit code, and nothing stored is lost."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from support.command_line import Done, call, hurried, start
from support.killing import check_acknowledged, results
from trasmallo.config import FILE_NAME
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.values.model import Drop

Command = Callable[..., Done]


@pytest.fixture
def copy(finished: Project, tmp_path: Path) -> Project:
    """The finished project, moved to another folder and free to be damaged."""
    shutil.copytree(finished.folder, tmp_path / "copy")
    return Project.open(tmp_path / "copy")


def test_a_project_can_be_moved(copy: Project, finished: Project) -> None:
    assert results(copy) == results(finished)


@pytest.mark.parametrize(
    ("text", "problem", "repair"),
    [
        (None, "there is no ", "make one with: trasmallo new {folder} URL"),
        ("name = ", "is not valid TOML", "mend that line"),
        ("[crawl]\ndelai = 1", "unknown key `crawl.delai`", "did you mean `delay`?"),
        ("[crawl]\nlines = 0", "the value of `crawl.lines` does not fit", "it must be a whole number of at least 1"),
        ('[crawl]\nseeds = ["nonsense"]', "nonsense", ""),
    ],
)
@pytest.mark.parametrize("verb", ["run", "status", "clean"])
def test_a_missing_or_broken_project_file(
    tmp_path: Path, trasmallo: Command, text: str | None, problem: str, repair: str, verb: str
) -> None:
    if text is not None:
        (tmp_path / FILE_NAME).write_text(text)
    done = trasmallo(verb, tmp_path)
    assert done.code == 2
    assert problem in done.refusal()
    assert done.refusal().endswith(repair.format(folder=tmp_path))


@pytest.mark.parametrize("url", ["nonsense", "ftp://a.es/", "http://", "http://a b/"])
def test_a_url_that_is_none(tmp_path: Path, trasmallo: Command, url: str) -> None:
    for arguments in (["new", tmp_path / "p", url], ["crawl", url, "--into", tmp_path / "p"]):
        done = trasmallo(*arguments)
        assert done.code == 2
        assert ": " in done.refusal()
    assert not (tmp_path / "p").exists(), "nothing is left behind"


def test_a_folder_without_permission(copy: Project) -> None:
    before = results(copy)
    for path in [copy.folder, *copy.folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    done = call("run", copy.folder, "--new", preexec_fn=_give_up_power)
    assert done.code == 1
    assert "no permission to write" in done.refusal()
    assert done.refusal().endswith("give yourself write permission there or choose another folder")
    for path in [copy.folder, *copy.folder.rglob("*")]:
        path.chmod(0o755)
    assert results(copy) == before


def _give_up_power() -> None:
    """Root may write everywhere, unless that right is dropped: PR_CAPBSET_DROP of CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
    libc = ctypes.CDLL(None)
    for capability in (1, 2):
        libc.prctl(24, capability, 0, 0, 0)


def test_a_store_from_a_later_version(copy: Project, trasmallo: Command) -> None:
    stamp = copy.store / "archive" / "format"
    stamp.write_text("99\n")
    refused = trasmallo("run", copy.folder, "--new")
    assert refused.code == 1
    assert "was written by a later version of trasmallo (format 99" in refused.refusal()
    assert refused.refusal().endswith("update trasmallo")
    stamp.write_text("1\n")
    run = run_folders.latest(copy.runs)
    run.manifest.version = 99
    run.save()
    refused = trasmallo("status", copy.folder, "--json")
    assert refused.code == 1
    error = msgspec.json.decode(refused.refusal())["error"]
    assert error["kind"] == "StoreTooNew"
    assert error["repair"] == f"install that version, or move {run.folder} away and run again"
    shutil.move(run.folder, copy.folder / "away")
    assert Project.open(copy.folder, pages=1).run().state == "finished", "the repair repairs"


def test_a_truncated_archive_costs_only_what_was_in_it(copy: Project, finished: Project) -> None:
    (file,) = (copy.store / "archive").glob("*.warc.gz")
    os.truncate(file, file.stat().st_size * 2 // 3)
    assert copy.clean(accept_loss=True).state == "finished"
    lost = [incident for incident in copy.incidents() if incident.what == Drop.DAMAGED]
    assert lost
    assert all(f"{file} is damaged at byte " in incident.cause for incident in lost)
    kept = {row[0]: row for row in results(copy)["pages"] if row[-2] != Drop.DAMAGED}
    assert len(kept) + len(lost) == len(results(finished)["pages"])
    assert len(kept) > len(lost) > 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 24 MB: a real one, in memory."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_project_at_its_limit_of_disk_stops_and_goes_on_when_it_is_raised(
    tmp_path: Path, site: Site, finished: Project
) -> None:
    project = hurried(tmp_path / "project", site.seeds, delay=0.3, disk_megabytes=1)
    # What is obtained alone reaches the limit: readers may be slower than the crawl.
    (project.folder / "ballast").write_bytes(bytes(800_000))
    done = call("run", project.folder, "--json")
    (line,) = done.err.splitlines()
    ended = f"{project.folder} has reached its limit of 1 megabytes on disk"
    assert line == f"trasmallo: {ended}: raise `disk_megabytes`, and run the same command again"
    assert (done.code, done.value()["state"], done.value()["ended"]) == (0, "stopped", ended)
    assert done.value()["pages"] < finished.summary().pages
    assert ("crawl ended", ended) in [(row.what, row.cause) for row in project.incidents()]
    assert call("run", project.folder, "--quiet", "--disk-megabytes", 0, "--delay", 0) == Done(0, "", "")
    assert len(run_folders.find(project.runs)) == 1
    assert results(project) == results(finished)
    assert project.status().ended == ""


def test_a_full_disk_stops_the_run_and_a_free_one_resumes_it(small_disk: Path, site: Site, finished: Project) -> None:
    project = hurried(small_disk / "project", site.seeds, free_megabytes=0)
    free = shutil.disk_usage(small_disk).free
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(free - 250_000))
    done = call("run", project.folder, "--quiet")
    assert done.code == 1
    assert "is full" in done.refusal()
    assert done.refusal().endswith("free some space and run the same command again; nothing stored is lost")
    ballast.unlink()
    check_acknowledged(project)
    assert call("run", project.folder, "--quiet") == Done(0, "", "")
    assert len(run_folders.find(project.runs)) == 1
    assert results(project) == results(finished)


def test_a_reader_that_leaves_is_no_error(finished: Project) -> None:
    with start("list", finished.folder, "words_by_page", "--limit", "0", "--format", "csv") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "word,count,capitalised,language,code,document\n"
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_ctrl_c_outside_a_run_is_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    # Opening our end waits until the program has opened its own.
    with start("text", tmp_path / "pipe") as process, (tmp_path / "pipe").open("wb"):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert err == "trasmallo: interrupted: give the same command again to go on\n"
