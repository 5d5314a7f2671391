"""A pass over the IMAP accounts that a project starts from: letters that are new, and those that are gone.

A server is another machine: its letters are kept in the archive as web pages are, so that reading them again asks nobody. A
letter has one address in whichever folders it lies, and is gone when it is in none.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from trasmallo.clean.formats.mail_parts import (
    MORE_PARTS,
    MOST_PARTS,
    has_more_parts,
    list_attachments,
    without_attachments,
)
from trasmallo.config import Config
from trasmallo.crawl.crawl_limits import limit_reached
from trasmallo.crawl.logins.credentials import logins_file, read_logins
from trasmallo.crawl.mail.imap import (
    FetchedMessage,
    FolderState,
    ImapAccount,
    ImapState,
    MailServer,
    WaitEnd,
    server_of,
    shown_name,
)
from trasmallo.crawl.mail.messages import name_of
from trasmallo.crawl.scope import Scope
from trasmallo.events import Emit, Failed, Fetched
from trasmallo.pipeline.keeper import Keeper
from trasmallo.pipeline.recalled_files import recalled_letters
from trasmallo.results.originals import owner
from trasmallo.store.catalog import Catalog
from trasmallo.values.access import Access
from trasmallo.values.errors import ProjectError
from trasmallo.values.local_addresses import message_address, part_address
from trasmallo.values.model import Failure, Fetch, Origin, Outcome, Reached, Response, Target

_LETTER = "message/rfc822"
_SCHEMES = ("imap:", "imaps:")
_SAVING = 10.0  # judgement: seconds between two notes of what was read
ACCOUNTS = "imap-*.json"
"""The files in the store that say what was read of accounts, each with a digest of its account in the place of the asterisk."""

_RECALLED = ""
"""Stands for a folder with letters that are in none, until all folders were looked at: those that only the catalog knows of,
since the state of an account was lost, and those that were missed by a pass that ended early."""


def mail_servers(config: Config) -> list[MailServer]:
    """The accounts that a project starts from."""
    return [server_of(seed) for seed in config.crawl.seeds if seed.startswith(_SCHEMES)]


def open_account(server: MailServer, folder: Path) -> ImapAccount:
    """Log in with what the user gave; raises ProjectError in one line."""
    login = read_logins(logins_file(folder)).get(server.host)
    if login is None:
        raise ProjectError(
            "there is no password for {user} at {host}",
            "give it with: trasmallo login {folder} {host} --basic {user}",
            user=server.user,
            host=server.host,
            folder=folder,
        )
    return ImapAccount(server._replace(user=login.user or server.user), login.secret)


def state_of(server: MailServer, folder: Path) -> ImapState:
    """What was read of an account before."""
    name = hashlib.sha256(account_address(server).encode()).hexdigest()[:16]
    return ImapState(folder / "store" / ACCOUNTS.replace("*", name))


def account_address(server: MailServer) -> str:
    """The address of an account without its folder: letters have theirs below it."""
    return server.seed[: server.seed.index("/", server.seed.index("//") + 2)] if server.folder else server.seed.rstrip("/")


def has_news(config: Config, folder: Path) -> bool:
    """Whether any account has other messages than were read; raises ProjectError for one that cannot be asked."""
    return any(_has_news(server, folder) for server in mail_servers(config))


def _has_news(server: MailServer, folder: Path) -> bool:
    account = open_account(server, folder)
    try:
        return _is_behind(account, state_of(server, folder))
    finally:
        account.close()


def _is_behind(account: ImapAccount, state: ImapState) -> bool:
    """Whether an account holds other letters, or folders with letters, than were read."""
    if state.is_lost or _RECALLED in state.folders:
        return True
    there = account.folders()
    if any(account.covers(name) and name not in there and known.messages for name, known in state.folders.items()):
        return True
    return any(_is_other(account, name, state.of(name)) for name in there)


def _is_other(account: ImapAccount, name: str, known: FolderState) -> bool:
    copy = FolderState(known.validity, known.highest, dict(known.messages))
    there, _ = account.changes(name, copy, 0)
    return there != copy.messages.keys()


class ServerPass:
    """One pass of a run over all accounts of a project in `folder`; `troubles` are those that could not be read."""

    def __init__(
        self, *, folder: Path, config: Config, keeper: Keeper, catalog: Catalog, emit: Emit, documents: int = 0
    ) -> None:
        """`documents` are those that the run has already: its limits count them."""
        self._folder, self._config, self._emit = folder, config, emit
        self._keeper, self._catalog = keeper, catalog
        self._documents, self._received, self._began = documents, 0, time.monotonic()
        self._saved = self._began
        self._refuses = Scope(config.crawl).drops
        self._largest = int(config.crawl.page_megabytes * 1_000_000)
        self._access = Access(uid=os.getuid(), gid=os.getgid(), mode=0o600, mailbox=owner(os.getuid()))
        self.troubles: list[ProjectError] = []
        self.ended = ""

    def take(self) -> None:
        """Take in what changed; letters are safe when it returns."""
        for server in mail_servers(self._config):
            try:
                self._take_account(server)
            except ProjectError as error:
                self.troubles.append(error)

    def _take_account(self, server: MailServer) -> None:
        state = state_of(server, self._folder)
        with state.locked():
            account = open_account(server, self._folder)
            if state.is_lost:
                state.of(_RECALLED).messages[0] = recalled_letters(self._catalog, account_address(server), server.seed)
            before, whole = _addresses(state), False
            try:
                for name in _drop_folders(state, account):
                    self._take_folder(server, account, name, state)
                whole = not self.ended
            finally:
                self._miss(before, server, state, whole=whole)
                state.save()
                account.close()

    def _miss(self, before: set[str], server: MailServer, state: ImapState, *, whole: bool) -> None:
        """Tell of what is in no folder any more; only when all were looked at, since a letter that was moved is in another."""
        state.folders.pop(_RECALLED, None)
        gone = sorted(before - _addresses(state))
        if whole:
            self._lose(gone, server)
        elif gone:
            state.of(_RECALLED).messages[0] = gone

    def _take_folder(self, server: MailServer, account: ImapAccount, name: str, state: ImapState) -> None:
        known = state.of(name)
        there, new = account.changes(name, known, self._largest)
        for uid in known.messages.keys() - there:
            del known.messages[uid]
        for messages in new:
            if self._is_over():
                return
            with self._keeper.together():
                kept = {message.uid: self._keep(message, server, name) for message in messages}
            known.messages |= kept
            known.highest = max(known.highest, *kept)
            self._save_now_and_then(state)

    def _save_now_and_then(self, state: ImapState) -> None:
        """So that a kill costs little: what is not written down is asked for again."""
        if time.monotonic() - self._saved > _SAVING:
            state.save()
            self._saved = time.monotonic()

    def _is_over(self) -> bool:
        crawl, seconds = self._config.crawl, time.monotonic() - self._began
        self.ended = limit_reached(crawl, crawl.pages or None, self._documents, self._received, seconds)
        return bool(self.ended)

    def _keep(self, message: FetchedMessage, server: MailServer, folder: str) -> list[str]:
        """Keep a letter and what is attached to it; their addresses."""
        account, via = account_address(server), f"{account_address(server)}/{quote(shown_name(folder))}"
        if message.content is None:
            address = f"{via}/;UID={message.uid}"
            self._fail(address, Outcome.TOO_LARGE, f"the letter has {message.size:,} bytes", server)
            return []
        url = message_address(account, name_of(message.content))
        documents = [(url, without_attachments(message.content), _LETTER, via)]
        documents += [(part_address(url, one.part), one.content, one.media, url) for one in list_attachments(message.content)]
        wanted = [each for each in documents if not self._refuses(each[0])]
        for each in wanted:
            self._store(*each, server)
        if has_more_parts(message.content):
            self._fail(part_address(url, str(MOST_PARTS + 1)), Outcome.BROKEN, MORE_PARTS, server)
        return [address for address, *_ in wanted]

    def _store(self, url: str, content: bytes, media: str, via: str, server: MailServer) -> None:
        answer = Response(
            url=url,
            at=time.time(),
            status=200,
            reason="OK",
            headers=(("Content-Type", media),),
            body=content,
            content=content,
            access=self._access,
        )
        fetch = self._keeper.keep(_target(url, server, via), answer, Outcome.FETCHED, "")
        self._documents, self._received = self._documents + 1, self._received + fetch.size
        self._emit(Fetched(url=url, status=200, size=fetch.size, media=media, digest=fetch.digest))

    def _lose(self, addresses: Iterable[str], server: MailServer) -> None:
        origin = Origin(server.seed, Reached.INSIDE)
        rows = [
            Fetch(url, time.time(), Outcome.MISSING, status=404, cause="it was deleted", origin=origin, access=self._access)
            for url in addresses
        ]
        self._keeper.keep_originals(rows)
        for row in rows:
            self._emit(Failed(url=row.url, outcome=row.outcome, cause=row.cause))

    def _fail(self, url: str, outcome: Outcome, cause: str, server: MailServer) -> None:
        failure = Failure(url, time.time(), outcome, cause)
        self._keeper.keep(_target(url, server, ""), failure, outcome, cause)
        self._emit(Failed(url=url, outcome=outcome, cause=cause))


def _target(url: str, server: MailServer, via: str) -> Target:
    return Target(url, seed=server.seed, reached=Reached.INSIDE, via=via)


def _addresses(state: ImapState) -> set[str]:
    """The addresses of all that lies in an account."""
    folders = state.folders.values()
    return {address for folder in folders for addresses in folder.messages.values() for address in addresses}


def _drop_folders(state: ImapState, account: ImapAccount) -> list[str]:
    """The folders that are there; those that are not there any more are forgotten."""
    there = account.folders()
    for name in [name for name in state.folders if name != _RECALLED and account.covers(name) and name not in there]:
        del state.folders[name]
    return there


def wait_for_mail(server: MailServer, folder: Path, seconds: float, ended: WaitEnd | None = None) -> bool:
    """Wait until a letter comes or goes in the account's folder, or its inbox; whether there is any news in any folder.

    What came since the last pass is noticed at once, whichever folder it lies in. `ended` cuts the wait short.
    """
    account = open_account(server, folder)
    try:
        return _is_behind(account, state_of(server, folder)) or account.idle(server.folder or "INBOX", seconds, ended=ended)
    finally:
        account.close()


def require_accounts(troubles: Iterable[ProjectError]) -> None:
    """Raise the first trouble with an account."""
    for trouble in troubles:
        raise trouble
