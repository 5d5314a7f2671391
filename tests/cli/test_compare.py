"""trasmallo compare."""

from __future__ import annotations

import json
from pathlib import Path

from support.command_line import call
from support.warc_answers import answer, files_of
from trasmallo.project.project import Project
from trasmallo.store.archive import Archive


def test_two_projects_side_by_side(tmp_path: Path) -> None:
    for name, text in (("one", "la galera navega despacio. "), ("two", "el dron vuela deprisa. ")):
        project = Project.new(tmp_path / name, ["http://a.es/"])
        with Archive(tmp_path / f"warc-{name}", software="t/0") as archive:
            archive.append(answer(body=f"<html lang=es><p>{text * 30}</p></html>".encode(), url="http://a.es/"))
        project.import_file(files_of(tmp_path / f"warc-{name}")[0])
    done = call("compare", str(tmp_path / "one"), "--with", str(tmp_path / "two"), "--json")
    found = json.loads(done.out)
    assert {one["word"] for one in found["vanished"]} == {"el", "dron", "vuela", "deprisa"}
    shown = call("compare", str(tmp_path / "one"), "--with", str(tmp_path / "two"))
    assert shown.code == 0
    assert "Vanished" in shown.out
    assert shown.out.splitlines()[0].startswith("one-")
    assert " compared with two-" in shown.out.splitlines()[0]
    alone = call("compare", str(tmp_path / "one"))
    assert (alone.code, "there is no run before one-" in alone.err) == (2, True)
    missing = call("compare", str(tmp_path / "one"), "--with-run", "nothing")
    assert (missing.code, "there is no run 'nothing'" in missing.err) == (2, True)
