"""An account of a real server (dovecot): what is new, moved and deleted, without a change to any letter."""

from __future__ import annotations

import imaplib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support import dovecot
from support.dovecot import PASSWORD, USER, Dovecot, letter
from trasmallo.crawl.mail.imap import FolderState, ImapAccount, ImapState, MailServer, WaitEnd, server_of, shown_name
from trasmallo.values.errors import ProjectBusy, ProjectError

_FOR_EVER = 100_000.0


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with dovecot.running() as running:
        yield running


@pytest.fixture
def account(server: Dovecot) -> Iterator[ImapAccount]:
    opened = ImapAccount(server_of(server.seed), PASSWORD)
    yield opened
    opened.close()


def changes(account: ImapAccount, folder: str, known: FolderState, largest: int = 10_000) -> list[bytes | None]:
    there, new = account.changes(folder, known, largest)
    found = [message for messages in new for message in messages]
    known.messages |= {message.uid: [] for message in found}
    for uid in known.messages.keys() - there:
        del known.messages[uid]
    known.highest = max([known.highest, *known.messages])
    return [message.content for message in found]


def owner(server: Dovecot) -> imaplib.IMAP4:
    """The account as its owner's mail program has it, which may write."""
    connection = imaplib.IMAP4("127.0.0.1", server.port)
    connection.login(USER, PASSWORD)
    return connection


def test_addresses_of_accounts() -> None:
    seed = "imaps://ana%40example.org@mail.example.org:1993/Work%20mail"
    assert server_of(seed) == MailServer(seed, True, "ana@example.org", "mail.example.org", 1993, "Work mail")
    assert (server_of("imap://ana@h").port, server_of("imaps://ana@h").port) == (143, 993)


def test_only_what_is_new_is_fetched_and_nothing_is_marked_as_read(server: Dovecot, account: ImapAccount) -> None:
    for number in range(3):
        server.deliver(letter(number, f"texto {number}"), "Uno")
    known = FolderState(messages={})
    assert changes(account, "Uno", known) == [letter(number, f"texto {number}") for number in range(3)]
    assert changes(account, "Uno", known) == []
    server.deliver(letter(3, "otro"), "Uno")
    assert changes(account, "Uno", known) == [letter(3, "otro")]
    mine = owner(server)
    mine.select("Uno", readonly=True)
    assert mine.search(None, "SEEN")[1] == [b""]
    mine.logout()


def test_deleted_letters_and_a_folder_that_was_made_again(server: Dovecot, account: ImapAccount) -> None:
    server.deliver(letter(10, "uno"), "Dos")
    server.deliver(letter(11, "dos"), "Dos")
    known = FolderState(messages={})
    changes(account, "Dos", known)
    mine = owner(server)
    mine.select("Dos")
    mine.store("1", "+FLAGS", "\\Deleted")
    mine.expunge()
    assert changes(account, "Dos", known) == []
    assert len(known.messages) == 1
    known.validity -= 1
    assert changes(account, "Dos", known) == [letter(11, "dos")]
    mine.logout()


def test_a_letter_that_is_too_large_is_not_fetched(server: Dovecot, account: ImapAccount) -> None:
    server.deliver(letter(20, "x" * 50_000), "Tres")
    assert changes(account, "Tres", FolderState(messages={})) == [None]


def test_folders(server: Dovecot, account: ImapAccount) -> None:
    server.deliver(letter(30, "x"), "Cuatro.Dentro")
    assert {"INBOX", "Cuatro.Dentro"} <= set(account.folders())
    narrow = ImapAccount(server_of(server.seed + "/Cuatro"), PASSWORD)
    assert narrow.folders() == ["Cuatro.Dentro"]
    narrow.close()


def test_a_wrong_password_is_one_try_and_one_line(server: Dovecot) -> None:
    with pytest.raises(ProjectError, match="does not let ana in: give the password again with: trasmallo login") as told:
        ImapAccount(server_of(server.seed), "falsch")
    assert "falsch" not in str(told.value)


def test_nobody_answers() -> None:
    with pytest.raises(ProjectError, match="cannot be read"):
        ImapAccount(server_of("imap://ana@127.0.0.1:9"), "x")


def test_a_letter_that_comes_wakes_who_waits(server: Dovecot, account: ImapAccount) -> None:
    server.deliver(letter(40, "uno"))
    assert not account.idle("INBOX", 0.2)
    coming = threading.Timer(0.5, server.deliver, (letter(41, "dos"),))
    coming.start()
    assert account.idle("INBOX", 60)
    coming.join()


@pytest.mark.parametrize("tells", [True, False])
def test_a_wait_is_cut_short_from_another_thread_and_those_that_begin_later_too(
    account: ImapAccount, monkeypatch: pytest.MonkeyPatch, tells: bool
) -> None:
    if not tells:
        monkeypatch.setattr(account._connection, "capabilities", ())
    ended = WaitEnd()
    ending = threading.Timer(0.3, ended.set)
    ending.start()
    assert not account.idle("INBOX", _FOR_EVER, _FOR_EVER, ended=ended)
    ending.join()
    assert not account.idle("INBOX", _FOR_EVER, _FOR_EVER, ended=ended)
    assert account.folders(), "the connection goes on"
    ended.close()


def test_letters_that_are_large_together_come_in_several_groups(server: Dovecot, account: ImapAccount) -> None:
    for number in range(5):
        server.deliver(letter(50 + number, "x" * 6_000_000), "Grande")
    _, new = account.changes("Grande", FolderState(messages={}), 10_000_000)
    assert [len(messages) for messages in new] == [3, 2]


def test_flags_wake_nobody_and_what_goes_does(server: Dovecot, account: ImapAccount) -> None:
    server.deliver(letter(60, "uno"), "Cinco")
    mine = owner(server)
    mine.select("Cinco")
    marking = threading.Timer(0.3, mine.store, ("1", "+FLAGS", "\\Seen"))
    marking.start()
    assert not account.idle("Cinco", 1.5)
    marking.join()
    mine.store("1", "+FLAGS", "\\Deleted")
    deleting = threading.Timer(0.3, mine.expunge)
    deleting.start()
    assert account.idle("Cinco", 60)
    deleting.join()
    mine.logout()


def test_names_of_folders_with_letters_of_their_own(server: Dovecot) -> None:
    mine = owner(server)
    for name in ("A&APE-adidos", "A&APE-adidos.Dentro", "Uno &- Otro", "&zzzz-"):
        mine.create(f'"{name}"')
    mine.logout()
    account = ImapAccount(server_of(server.seed + "/Añadidos"), PASSWORD)
    assert set(account.folders()) == {"A&APE-adidos", "A&APE-adidos.Dentro"}
    account.close()
    assert [shown_name(name) for name in ("A&APE-adidos", "Uno &- Otro", "x&IKw-", "&bad")] == [
        "Añadidos",
        "Uno & Otro",
        "x€",
        "&bad",
    ]


class ToldServer:
    """A server that says what it is told to say, whatever it is asked: `answers` by the command."""

    def __init__(self, **answers: str) -> None:
        self._answers = answers
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.seed = f"imap://ana@127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        with connection, connection.makefile("rwb") as lines:
            lines.write(b"* OK hello\r\n")
            lines.flush()
            idle = ""
            for line in lines:
                tag, _, said = line.decode().strip().partition(" ")
                command = said.split(" ")[0]
                idle = tag if command == "IDLE" else idle
                tag = idle if tag == "DONE" else tag
                answer = self._answers.get(command, "")
                if answer == "close":
                    return
                lines.write(f"{answer}{tag} OK done\r\n".encode() if not answer.endswith("+") else answer[:-1].encode())
                lines.flush()

    def close(self) -> None:
        self._listener.close()
        self._thread.join(20)


@contextmanager
def told_server(**answers: str) -> Iterator[ImapAccount]:
    server = ToldServer(**answers)
    account = ImapAccount(server_of(server.seed), "x")
    try:
        yield account
    finally:
        account.close()
        server.close()


def test_a_server_that_closes_while_it_is_waited_for_is_an_error_and_no_news() -> None:
    with (
        told_server(CAPABILITY="* CAPABILITY IMAP4rev1 IDLE\r\n", IDLE="close") as account,
        pytest.raises(ProjectError, match="closed"),
    ):
        account.idle("INBOX", 60)


def test_several_lines_at_once_wake_who_waits() -> None:
    said = "+ idling\r\n* OK still here\r\n* 1 FETCH (FLAGS (\\Seen))\r\n* 5 EXISTS\r\n+"
    with told_server(CAPABILITY="* CAPABILITY IMAP4rev1 IDLE\r\n", IDLE=said) as account:
        began = time.monotonic()
        assert account.idle("INBOX", 60)
        assert time.monotonic() - began < 50


def test_a_server_without_idle_is_asked_from_time_to_time() -> None:
    with told_server(CAPABILITY="* CAPABILITY IMAP4rev1\r\n", EXAMINE="* 4 EXISTS\r\n", NOOP="* 5 EXISTS\r\n") as account:
        assert account.idle("INBOX", 60, polling=0.05)
    with told_server(CAPABILITY="* CAPABILITY IMAP4rev1\r\n", EXAMINE="* 4 EXISTS\r\n") as account:
        assert not account.idle("INBOX", 0.2, polling=0.05)


def test_a_name_of_a_folder_as_a_literal() -> None:
    with told_server(
        CAPABILITY="* CAPABILITY IMAP4rev1\r\n", LIST='* LIST () "/" {6}\r\na "b" \r\n* LIST () "/" INBOX\r\n'
    ) as account:
        assert account.folders() == ['a "b"', "INBOX"]


def test_what_was_read_is_remembered_for_its_owner_alone(tmp_path: Path) -> None:
    state = ImapState(tmp_path / "imap.json")
    state.of("INBOX").messages[7] = ["imap://a/;mid=x"]
    state.save()
    assert ImapState(tmp_path / "imap.json").of("INBOX").messages == {7: ["imap://a/;mid=x"]}
    assert (tmp_path / "imap.json").stat().st_mode & 0o077 == 0
    with state.locked(), pytest.raises(ProjectBusy), ImapState(tmp_path / "imap.json").locked():
        pass
