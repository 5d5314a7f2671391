"""Passes whose memory of what the last one saw was lost: the catalog tells what they miss."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.local_projects import LocalProject
from trasmallo.crawl.mail.imap import ImapState
from trasmallo.pipeline.local_sources import has_changes
from trasmallo.pipeline.recalled_files import recalled_letters, recalled_roots
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Fetch, Origin, Outcome, Reached


def letter(number: int) -> bytes:
    head = f"From: ana@example.org\nMessage-ID: <{number}@x>\nSubject: carta {number}\n"
    return (head + f"Content-Type: text/plain; charset=utf-8\n\nHola, carta número {number}.\n\n").encode()


def mailbox(*numbers: int) -> bytes:
    return b"".join(b"From ana@example.org Mon Jan  6 10:00:00 2020\n" + letter(number) for number in numbers)


def lose_memory(project: LocalProject) -> None:
    (project.folder / "store" / "sources.manifest").unlink()


@pytest.mark.parametrize("copy", [False, True])
def test_what_was_deleted_meanwhile_is_missed(tmp_path: Path, copy: bool) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("uno")
    (docs / "b.txt").write_text("dos")
    (docs / "box.mbox").write_bytes(mailbox(1, 2, 3))
    project = LocalProject(tmp_path / "p", str(docs), copy=copy)
    project.take()
    before = project.there()
    assert len(before) == 5
    lose_memory(project)
    (docs / "a.txt").unlink()
    (docs / "box.mbox").write_bytes(mailbox(1, 3))
    assert has_changes(project.config, project.folder)
    assert project.take().gone == 2
    left = {url: digest for url, digest in before.items() if not url.endswith(("a.txt", "mid=2@x"))}
    assert project.there() == left
    assert not has_changes(project.config, project.folder)
    assert project.take().documents == 0


@pytest.mark.parametrize("copy", [False, True])
def test_messages_of_a_maildir_are_missed_and_kept(tmp_path: Path, copy: bool) -> None:
    box = tmp_path / "Maildir"
    for name in ("cur", "new", "tmp"):
        (box / name).mkdir(parents=True)
    for number in range(3):
        (box / "cur" / f"{number}:2,S").write_bytes(letter(number))
    project = LocalProject(tmp_path / "p", f"maildir:{box}", copy=copy)
    project.take()
    lose_memory(project)
    (box / "cur" / "0:2,S").unlink()
    (box / "cur" / "1:2,S").rename(box / "cur" / "1:2,RS")
    project.take()
    assert sorted(url[-3:] for url in project.there()) == ["1@x", "2@x"]
    with Catalog(project.folder / "store" / "catalog", read_only=True) as catalog:
        found = recalled_roots(catalog, project.config.crawl.seeds)
    (root,) = found.values()
    assert sorted(Path(path).name for path in root.files) == ["1:2,RS", "2:2,S"]


def test_a_root_that_is_not_there_loses_nothing(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("uno")
    project = LocalProject(tmp_path / "p", str(docs))
    project.take()
    lose_memory(project)
    docs.rename(tmp_path / "away")
    assert [missing.files for missing in project.take().missing] == [1]
    assert len(project.there()) == 1


def test_letters_of_an_account_are_those_of_the_same_seed_that_are_there(tmp_path: Path) -> None:
    def row(url: str, outcome: Outcome = Outcome.FETCHED, seed: str = "imaps://a@h/INBOX") -> Fetch:
        return Fetch(url, 1.0, outcome, origin=Origin(seed, Reached.INSIDE))

    with Catalog(tmp_path / "catalog") as catalog:
        rows = [row("imaps://a@h/;mid=1"), row("imaps://a@h/;mid=1/;part=2"), row("imaps://a@h/;mid=2", Outcome.MISSING)]
        rows += [row("imaps://a@h/;mid=3", seed="imaps://a@h/Sent"), row("imaps://a@hh/;mid=4")]
        catalog.put_many(rows, "r")
        found = recalled_letters(catalog, "imaps://a@h", "imaps://a@h/INBOX")
    assert found == ["imaps://a@h/;mid=1", "imaps://a@h/;mid=1/;part=2"]


def test_the_state_of_an_account_is_never_half_believed(tmp_path: Path) -> None:
    path = tmp_path / "imap-1.json"
    state = ImapState(path)
    assert state.is_lost
    state.of("INBOX").messages[7] = ["imap://a@h/;mid=7"]
    state.save()
    whole = path.read_bytes()
    assert not ImapState(path).is_lost
    for place in range(len(whole)):
        path.write_bytes(whole[:place])
        assert ImapState(path).is_lost
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        found = ImapState(path)
        assert found.is_lost or found.folders == state.folders
