"""The command that watches; `project/test_file_watch.py` has the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from support.command_line import Done, start
from trasmallo.cli.watch import _shown
from trasmallo.project.file_watch import WatchEvent
from trasmallo.project.project import Project


def test_a_project_of_the_web_alone_is_refused(finished: Project, trasmallo: Callable[..., Done]) -> None:
    done = trasmallo("watch", finished.folder)
    assert done.code == 2
    assert "starts from no folder or mailbox of this machine" in done.err


def test_what_happens_in_words() -> None:
    told = [
        WatchEvent(what="watching", path="/srv", manner="polling", cause="nfs tells nothing"),
        WatchEvent(what="taken", documents=1),
        WatchEvent(what="taken", documents=2_000),
        WatchEvent(what="missing", path="/srv"),
        WatchEvent(what="run"),
    ]
    assert [_shown(event) for event in told] == [
        "watching /srv by polling (nfs tells nothing)",
        "1 document changed, and can be searched",
        "2,000 documents changed, and can be searched",
        "/srv is not there; it is looked for from time to time",
        "a run takes in what changed",
    ]


def test_a_root_that_is_not_there_ends_with_code_1(tmp_path: Path, trasmallo: Callable[..., Done]) -> None:
    assert trasmallo("new", tmp_path / "p", tmp_path / "nowhere").code == 0
    done = trasmallo("run", tmp_path / "p", "--quiet")
    assert done.code == 1
    assert "is not there" in done.err


def test_json_is_an_object_a_line(tmp_path: Path, trasmallo: Callable[..., Done]) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("Las redes del puerto.", "utf-8")
    assert trasmallo("new", tmp_path / "p", tmp_path / "notes").code == 0
    assert trasmallo("run", tmp_path / "p", "--quiet").code == 0
    with start("watch", tmp_path / "p", "--no-runs", "--json") as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        process.terminate()
        process.communicate()
    assert told["what"] == "watching"
