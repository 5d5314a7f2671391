"""Passes over an account of a real server (dovecot)."""

from __future__ import annotations

import imaplib
import itertools
import os
import random
import shutil
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from support import dovecot
from support.dovecot import PASSWORD, USER, Dovecot, letter
from support.local_projects import LocalProject
from trasmallo.crawl.logins.credentials import Login, logins_file, write_logins
from trasmallo.crawl.mail.imap import server_of
from trasmallo.pipeline.keeper import Keeper
from trasmallo.pipeline.mail_servers import (
    ACCOUNTS,
    ServerPass,
    account_address,
    has_news,
    mail_servers,
    require_accounts,
    wait_for_mail,
)
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.errors import ProjectError
from trasmallo.values.local_addresses import message_address
from trasmallo.values.model import Outcome

FOLDERS = ("", "Uno", "Dos")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Dovecot]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with dovecot.running() as running:
        yield running


def give_password(project: LocalProject) -> None:
    project.folder.mkdir(exist_ok=True)
    write_logins(logins_file(project.folder), {"127.0.0.1": Login(host="127.0.0.1", kind="basic", user=USER, secret=PASSWORD)})


def take(project: LocalProject) -> ServerPass:
    store = project.folder / "store"
    with Archive(store / "archive", software="test") as archive, Catalog(store / "catalog") as catalog:
        keeper = Keeper(archive, catalog, "run", lambda _fetch: None)
        made = ServerPass(
            folder=project.folder, config=project.config, keeper=keeper, catalog=catalog, emit=project.events.append
        )
        made.take()
        return made


def test_letters_come_move_and_go(server: Dovecot, tmp_path: Path) -> None:
    project = LocalProject(tmp_path / "p", server.seed)
    give_password(project)
    first = server.deliver(letter(1, "uno"))
    server.deliver(letter(2, "dos"))
    assert has_news(project.config, project.folder)
    take(project)
    one, two = (message_address(server.seed, f"{number}@example.org") for number in (1, 2))
    assert set(project.there()) == {one, two}
    assert not has_news(project.config, project.folder)
    server.deliver(letter(1, "uno"), "Archivo")
    next(path for path in first.parent.parent.rglob(first.name + "*")).unlink()
    take(project)
    assert set(project.there()) == {one, two}, "a letter that lies in another folder now is the same"
    for path in [*server.maildir.rglob("*.test*")]:
        path.unlink()
    take(project)
    assert project.there() == {}
    assert {row.outcome for row in project.state().values()} == {Outcome.MISSING}
    assert not wait_for_mail(server_of(server.seed), project.folder, 0.2)


def test_a_moved_letter_is_not_said_to_be_gone_and_a_folder_that_is_removed_takes_its_letters(
    server: Dovecot, tmp_path: Path
) -> None:
    project = LocalProject(tmp_path / "p", server.seed)
    give_password(project)
    moved = server.deliver(letter(1, "uno"))
    server.deliver(letter(2, "dos"), "A&APE-o")
    take(project)
    two = message_address(server.seed, "2@example.org")
    assert project.state()[two].origin.via == f"{server.seed}/A%C3%B1o"
    server.deliver(letter(1, "uno"), "Zeta")
    next(path for path in moved.parent.parent.rglob(moved.name + "*")).unlink()
    take(project)
    assert all(row.outcome is not Outcome.MISSING for row in project.rows())
    shutil.rmtree(server.maildir / ".A&APE-o")
    assert has_news(project.config, project.folder)
    take(project)
    assert project.state()[two].outcome is Outcome.MISSING
    assert not has_news(project.config, project.folder)


def test_limits_are_those_of_sites_and_the_rest_comes_later(server: Dovecot, tmp_path: Path) -> None:
    project = LocalProject(tmp_path / "p", server.seed, pages=60)
    give_password(project)
    for number in range(130):
        server.deliver(letter(number, f"texto {number}"))
    assert "the limit of 60 pages" in take(project).ended
    assert len(project.there()) == 100, "what is fetched together is kept together"
    assert not take(project).ended
    assert len(project.there()) == 130


def test_a_letter_that_goes_while_a_limit_ends_the_pass_is_told_by_the_next(server: Dovecot, tmp_path: Path) -> None:
    project = LocalProject(tmp_path / "p", server.seed, pages=60)
    give_password(project)
    gone = server.deliver(letter(0, "una"))
    take(project)
    next(path for path in gone.parent.parent.rglob(gone.name + "*")).unlink()
    for number in range(1, 131):
        server.deliver(letter(number, f"texto {number}"))
    address = message_address(server.seed, "0@example.org")
    assert take(project).ended
    assert project.state()[address].outcome is not Outcome.MISSING
    assert has_news(project.config, project.folder)
    assert not take(project).ended
    assert project.state()[address].outcome is Outcome.MISSING
    assert not has_news(project.config, project.folder)


def test_who_waits_is_told_of_what_came_before_in_any_folder(server: Dovecot, tmp_path: Path) -> None:
    project = LocalProject(tmp_path / "p", server.seed)
    give_password(project)
    server.deliver(letter(1, "uno"), "Otra")
    take(project)
    assert not wait_for_mail(server_of(server.seed), project.folder, 0.2)
    server.deliver(letter(2, "dos"), "Otra")
    assert wait_for_mail(server_of(server.seed), project.folder, 60)


class Mailbox:
    """The account as its owner's mail program changes it, by chance."""

    def __init__(self, server: Dovecot) -> None:
        self.chance, self.server, self.numbers = random.Random(23), server, itertools.count()
        self.connection = imaplib.IMAP4("127.0.0.1", server.port)
        self.connection.login(USER, PASSWORD)

    def deliver(self, number: int) -> None:
        for _ in range(number):
            self.server.deliver(letter(next(self.numbers), "texto"), self.chance.choice(FOLDERS))

    def change(self) -> None:
        """Some letters come, and in one folder some are marked, moved, copied or deleted."""
        self.deliver(self.chance.randrange(5))
        _, (count,) = self.connection.select(self.chance.choice(FOLDERS) or "INBOX")
        if int(count or b"0"):
            some = ",".join({str(self.chance.randint(1, int(count or b"0"))) for _ in range(3)})
            what = self.chance.choice(["mark", "move", "copy", "delete", "delete"])
            if what == "mark":
                self.connection.store(some, "+FLAGS", self.chance.choice(["\\Seen", "\\Flagged"]))
            elif what == "delete":
                self.connection.store(some, "+FLAGS", "\\Deleted")
            else:
                self.connection._simple_command(what.upper(), some, self.chance.choice(FOLDERS) or "INBOX")
        self.connection.close()

    def there(self) -> tuple[set[str], list[bytes]]:
        """The names of all letters, and the flags that each has."""
        names, flags = set[str](), list[bytes]()
        for folder in FOLDERS:
            self.connection.select(folder or "INBOX", readonly=True)
            _, found = self.connection.fetch("1:*", "(FLAGS BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])")
            pairs = [each for each in found if isinstance(each, tuple)]
            names |= {header.decode().partition("<")[2].partition(">")[0] for _, header in pairs}
            flags += sorted(line.replace(b"\\Recent", b"") for line, _ in pairs)
        return names, flags


def test_an_account_that_changes_by_chance_is_known_as_it_is(server: Dovecot, tmp_path: Path) -> None:
    """`TRASMALLO_MAIL_LETTERS=10000 TRASMALLO_MAIL_OPERATIONS=1000` has as many letters and changes."""
    project, mailbox = LocalProject(tmp_path / "p", server.seed), Mailbox(server)
    give_password(project)
    mailbox.deliver(int(os.environ.get("TRASMALLO_MAIL_LETTERS", "60")))
    for number in range(int(os.environ.get("TRASMALLO_MAIL_OPERATIONS", "40"))):
        mailbox.change()
        if number % 10 == 0:
            names, flags = mailbox.there()
            take(project)
            assert set(project.there()) == {message_address(server.seed, name) for name in names}
            assert mailbox.there()[1] == flags, "nothing is marked"
    mailbox.connection.logout()


@pytest.mark.parametrize("loss", ["missing", "damaged"])
def test_an_account_whose_state_was_lost_misses_what_was_deleted(server: Dovecot, tmp_path: Path, loss: str) -> None:
    project = LocalProject(tmp_path / "p", server.seed)
    give_password(project)
    first = server.deliver(letter(1, "uno"))
    server.deliver(letter(2, "dos"))
    take(project)
    (state,) = (project.folder / "store").glob(ACCOUNTS)
    state.unlink() if loss == "missing" else state.write_bytes(state.read_bytes()[:-9])
    next(path for path in first.parent.parent.rglob(first.name + "*")).unlink()
    assert has_news(project.config, project.folder)
    take(project)
    assert set(project.there()) == {message_address(server.seed, "2@example.org")}
    assert not has_news(project.config, project.folder)


def test_attachments_are_documents_of_their_letter(server: Dovecot, tmp_path: Path) -> None:
    project = LocalProject(tmp_path / "p", server.seed)
    give_password(project)
    message = EmailMessage()
    message["Message-ID"] = "<7@x>"
    message.set_content("Hola")
    message.add_attachment(b"uno", maintype="application", subtype="octet-stream", filename="a.txt")
    server.deliver(message.as_bytes())
    take(project)
    whole, part = sorted(project.state().values(), key=lambda row: len(row.url))
    assert part.origin.via == whole.url
    assert (part.size, part.media) == (3, "text/plain")
    assert whole.access is not None
    assert whole.access.mailbox


def test_without_a_password_it_says_how_to_give_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    project = LocalProject(tmp_path / "p", "imaps://ana@mail.example.org/INBOX", "/srv")
    with pytest.raises(ProjectError, match="trasmallo login .* mail.example.org --basic ana"):
        require_accounts(take(project).troubles)
    [server] = mail_servers(project.config)
    assert account_address(server) == "imaps://ana@mail.example.org"
