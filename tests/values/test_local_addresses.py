from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.values.errors import UrlError
from trasmallo.values.local_addresses import (
    LocalPlace,
    canonical_seed,
    document_addresses,
    file_address,
    folder_of,
    is_local,
    member_address,
    message_address,
    part_address,
    place_of,
)


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("/srv/notes", "file:///srv/notes"),
        ("/srv/notes/", "file:///srv/notes"),
        ("/srv/a;b ñ", "file:///srv/a%3Bb%20%C3%B1"),
        ("file:///srv/%C3%B1", "file:///srv/%C3%B1"),
        ("file://localhost/srv", "file:///srv"),
        ("mbox:/srv/old.mbox", "mbox:///srv/old.mbox"),
        ("maildir:///srv/Maildir", "maildir:///srv/Maildir"),
        ("imaps://ana@Mail.example.org/INBOX/", "imaps://ana@mail.example.org/INBOX"),
        ("imap://127.0.0.1:1143", "imap://127.0.0.1:1143"),
        ("https://Example.org", "https://example.org/"),
    ],
)
def test_what_is_typed_gets_one_form(typed: str, address: str) -> None:
    assert canonical_seed(typed) == address
    assert canonical_seed(address) == address


@pytest.mark.parametrize(
    "typed", ["Documents", "file://server/share", "file:", "imaps://ana:secret@h/", "imaps://", "ftp://h/x"]
)
def test_what_names_nothing_is_refused(typed: str) -> None:
    with pytest.raises(UrlError):
        canonical_seed(typed)


def test_a_path_from_home_and_from_here(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    monkeypatch.chdir(str(tmp_path))
    assert canonical_seed("~/Documents") == "file:///home/ana/Documents"
    assert canonical_seed("./x") == f"file://{os.path.realpath(str(tmp_path))}/x"


@given(st.binary(min_size=1, max_size=80).filter(lambda name: b"\0" not in name))
def test_any_octets_of_a_path_come_back(name: bytes) -> None:
    path = "/" + os.fsdecode(name).lstrip("/")
    address = file_address(path)
    assert address.isascii()
    assert place_of(address) == LocalPlace("file", path)


@given(st.text(min_size=1, max_size=60), st.text(alphabet="0123456789", min_size=1, max_size=3))
def test_what_is_inside_comes_back(name: str, part: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        return
    assert place_of(member_address("file:///a.zip", name)).member == name
    letter = place_of(part_address(message_address("maildir:///m", name), part))
    assert (letter.path, letter.message, letter.part) == ("/m", name, part)


def test_folders_of_files_members_and_letters() -> None:
    assert folder_of("file:///srv/a/b.txt") == "/srv/a"
    assert folder_of(member_address("file:///srv/a.zip", "x/y")) == "/srv"
    assert folder_of(message_address("maildir:///srv/Mail", "1@x")) == "/srv/Mail"
    assert folder_of("https://example.org/x") == ""


def test_the_web_is_not_local() -> None:
    assert [is_local(url) for url in ("file:///x", "imaps://a@h", "http://x/", "https://x/")] == [True, True, False, False]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("/a/b.txt", ("file:///a/b.txt",)),
        ("file:///a/old.zip/;member=c d.txt", ("file:///a/old.zip/;member=c d.txt",)),
        ("maildir:///m/;mid=1@h/;part=2", ("maildir:///m/;mid=1@h/;part=2",)),
        ("HTTPS://Example.org/a#b", ("https://example.org/a#b", "https://example.org/a")),
        ("https://example.org", ("https://example.org/",)),
    ],
)
def test_addresses_that_a_document_may_have(typed: str, found: tuple[str, ...]) -> None:
    assert document_addresses(typed) == found


@pytest.mark.parametrize("typed", ["sftp://ana@host/docs", "smb://host/share", "SFTP://host/", "davs://host/files"])
def test_file_servers_are_mounted(typed: str) -> None:
    with pytest.raises(UrlError, match="mount it as a folder"):
        canonical_seed(typed)
