"""Targets for what is no page of the web: letters, archives, answers of mail servers, and files that people write or keep."""

from __future__ import annotations

import os
import re
import socket
import tarfile
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path

import msgspec

from fuzz.target import Target, lines, split
from support.sample_documents import GOOD
from trasmallo.clean.formats.mail_parts import list_attachments, without_attachments
from trasmallo.clean.formats.mail_zones import zones
from trasmallo.crawl.files.archives import read_members
from trasmallo.crawl.files.manifest import Manifest
from trasmallo.crawl.files.walker import FileState, WalkedFile
from trasmallo.crawl.mail.imap import FolderState, ImapAccount, ImapState, server_of
from trasmallo.crawl.mail.messages import find_messages, message_in, name_of
from trasmallo.crawl.marks import read_marks
from trasmallo.pipeline.topics import FILE_NAME as TOPICS
from trasmallo.pipeline.topics import read_topics
from trasmallo.project.jobs import answer_of, jobs_of
from trasmallo.project.scopes import read_scope, scope_text
from trasmallo.store.kept_queries import query_history, saved_queries
from trasmallo.store.line_groups import read_group, take_out_of
from trasmallo.store.rights import read_rights, rights_file
from trasmallo.store.subcorpora import FILE as SUBCORPORA
from trasmallo.store.subcorpora import Scope, save_scopes, saved_scopes
from trasmallo.study.category_patterns import compile_pattern
from trasmallo.study.entities import annotated_documents, decisions, own_kinds
from trasmallo.study.entities.compiled_lists import CompiledList, ListOptions
from trasmallo.study.entities.labelled_files import read_labelled
from trasmallo.values.local_addresses import message_address

_LARGEST = 1_000_000
_WORDS = ["La", "ministra", "Ana", "Pérez", "toma", "aspirinas", "de", "500", "mg", "en", "Soria"]
_SILENCE_S = 0.2
"""Seconds after which the server goes on though nobody asked: what it says may be what the client does not wait for."""
_MOST_PIECES = 30
_PATIENCE_S = 2.0
_TAGGED = re.compile(rb"[A-Z]{4}\d+")


@contextmanager
def _written(content: bytes, name: str = "a") -> Iterator[Path]:
    """A file with this content, alone in its folder."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        yield path


@contextmanager
def _caching_in(folder: Path) -> Iterator[None]:
    """Keep what is compiled of inputs out of the user's cache."""
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["XDG_CACHE_HOME"]
        else:
            os.environ["XDG_CACHE_HOME"] = before


def _letter(content: bytes) -> None:
    for place in list(find_messages(content))[:50]:
        letter = message_in(content, place)
        message_address("mbox:///a", name_of(letter))
        list_attachments(letter)
        list_attachments(without_attachments(letter))
    zones(content.decode("latin-1").split("\n"))


def _archive(content: bytes) -> None:
    for _ in read_members(content, _LARGEST):
        pass


def _mail_server(content: bytes) -> None:
    """A server that says what the input says, a piece after each line of the client; TAG is the tag of that line."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        speaking = threading.Thread(target=_speak, args=(listening, content.split(b"\n---\n")[:_MOST_PIECES]))
        speaking.start()
        try:
            _ask_everything(port)
        finally:
            speaking.join()


def _speak(listening: socket.socket, pieces: Sequence[bytes]) -> None:
    listening.settimeout(_PATIENCE_S)
    connection, _ = listening.accept()
    with connection:
        connection.settimeout(_SILENCE_S)
        tag = b""
        for piece in pieces:
            try:
                connection.sendall(piece.replace(b"\n", b"\r\n").replace(b"TAG", tag) + b"\r\n")
                said = _TAGGED.match(_line(connection))
                tag = said[0] if said else tag
            except TimeoutError:
                continue
            except OSError:
                return


def _line(connection: socket.socket) -> bytes:
    """What the client says up to the end of a line; raises TimeoutError where it says nothing."""
    said = connection.recv(65_536)
    while said and not said.endswith(b"\n"):
        more = connection.recv(65_536)
        said = said + more if more else b""
    return said


def _ask_everything(port: int) -> None:
    account = ImapAccount(server_of(f"imap://ana@127.0.0.1:{port}"), "s")
    try:
        for folder in account.folders()[:3]:
            _, new = account.changes(folder, FolderState(messages={}), _LARGEST)
            list(new)
    finally:
        account.close()


def _entity_list(content: bytes) -> None:
    with _written(content) as path, _caching_in(path.parent):
        for options in (ListOptions(), ListOptions(case=True, accents=True, inflected=True)):
            found = CompiledList(path, options, "es")
            for match in found.find(_WORDS, [word.lower() for word in _WORDS], gendered=True):
                found.value(match.entry)


def _own_kinds(content: bytes) -> None:
    with _written(content, own_kinds.FILE_NAME) as path:
        (path.parent / "drugs.txt").write_text("aspirina\n")
        own_kinds.rules(own_kinds.load(path))


def _decisions(content: bytes) -> None:
    with _written(content, decisions.FILE_NAME) as path:
        decisions.resolved(decisions.load(path.parent))


def _annotation(content: bytes) -> None:
    with _written(content) as path:
        annotated_documents.read(path)


def _labelled(content: bytes) -> None:
    for ending in ("conll", "xml"):
        with _written(content, f"a.{ending}") as path:
            read_labelled(path)


def _subcorpora(content: bytes) -> None:
    with _written(content, SUBCORPORA) as path:
        for scope in saved_scopes(path.parent).values():
            scope_text(scope)


def _scope(content: bytes) -> None:
    found = read_scope(content.decode("utf-8", "replace"), Path("/nonexistent"))
    scope_text(found)


def _topics(content: bytes) -> None:
    with _written(content, TOPICS) as path:
        read_topics(path.parent)
        list(read_marks(path))


def _rights(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rights_file(Path(folder) / "catalog").write_bytes(content)
        read_rights(Path(folder))


def _kept(read: Callable[[Path], object]) -> Callable[[bytes], None]:
    def run(content: bytes) -> None:
        with _written(content) as path:
            read(path)

    return run


@cache
def _saved() -> dict[str, bytes]:
    """Files as the program writes them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save_scopes(folder, {"a": Scope(languages=("es",), where=("words>3",))})
        manifest = Manifest(folder / "m")
        manifest.root("file:///a").files["/a/b"] = WalkedFile("/a/b", 1, 2, 3, 4, FileState.DOCUMENT)
        manifest.save()
        state = ImapState(folder / "i")
        state.of("INBOX").messages[7] = ["imap://a@h/;mid=7"]
        state.save()
        return {path.name: path.read_bytes() for path in folder.iterdir()}


def _tar(packing: str) -> bytes:
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode=f"w:{packing}") as archive:  # type: ignore[call-overload]
        entry = tarfile.TarInfo("a/b.txt")
        entry.size = 4
        archive.addfile(entry, BytesIO(b"hola"))
    return packed.getvalue()


_SEVEN_ZIPS = [path.read_bytes() for path in sorted((Path(__file__).parents[1] / "golden" / "archives").glob("*.7z"))]

_IMAP = b"\n---\n".join(
    (
        b"* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready",
        b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\nTAG OK x",
        b"+ ",
        b"TAG OK in",
        b'* LIST (\\HasNoChildren) "/" INBOX\n* LIST (\\Noselect) "/" {3}\nabc\nTAG OK x',
        b"* 2 EXISTS\n* OK [UIDVALIDITY 7] v\nTAG OK [READ-ONLY] s",
        b"* SEARCH 1 2\nTAG OK x",
        b"* 1 FETCH (UID 1 RFC822.SIZE 11)\n* 2 FETCH (UID 2 RFC822.SIZE 11)\nTAG OK x",
        b"* 1 FETCH (UID 1 BODY[] {11}\nA: b\n\nhol)\nTAG OK x",
        b"* BYE\nTAG OK x",
    )
)
_MAIL_WORDS = split("From From: Message-ID: > On -- wrote: boundary= =?utf-8?B?")
_IMAP_WORDS = split("TAG OK NO BAD {99999999999} {0} * ( ) \\ LIST FETCH UID --- + BYE")
_OLD_ACCOUNT = b'{"INBOX": {"validity": 1, "highest": 2, "messages": {"7": ["a"]}}}'
_DECISIONS = "merge\tPER\tA. Pérez\tAna Pérez\t2026\nblock\tLOC\tSoria\nsplit\tORG\tx\ty\n"
_LABELLED = (
    "Ana B-PER\nPérez I-PER\nvive O\n\n",
    '<doc><p>Ana <name type="PER">Pérez</name> vive en <placeName>Soria</placeName>.</p></doc>',
)
_KINDS = (
    '[[list]]\nkind = "DRUG"\nfile = "drugs.txt"\ninflected = true\n'
    '[[pattern]]\nkind = "DOSE"\npattern = \'[ent="QUANTITY"]+\'\nbefore = \'[ent="DRUG"] "de"\'\nscore = 0.5\n'
)
_TOPICS = ('[{"name": "t", "words": ["casa", "puerta"]}]', '{"url": "http://a.es/", "on_topic": true, "at": 1.5}\n')
_QUERIES = (
    '{"name":"casas","query":"casa","options":{"not_in":["a"],"in_group":"b","reverse":true,"sample":7},"hits":4}\n'
    '{"query":"[lemma=\\"casa\\"]","scope":"site=a.es","when":"2026-01-02T03:04:05Z"}\n'
)
_LINE_GROUP = (
    '{"url":"http://a.es/","document":"0f","start":3,"end":7,"hit":"casa","left":"la ","right":" y","digest":"d"}\n'
    '{"url":"http://b.es/","document":"1f","start":0,"end":4,"hit":"casa","left":"","right":"","digest":"d","query":"casa"}\n'
)
_JOB = (
    '{"number":1,"kind":"compare","options":{"by":"lemma","number":3},"scope":"words>5","began":1.5,"process":1}',
    '{"done":1,"total":4,"ended":2.5,"error":"x: y"}',
    '{"digest":"0123456789abcdef","answer":{"rows":[{"word":"casa","count":3}]}}',
)
_RIGHTS = '["file:///a",{"uid":1,"gid":1,"mode":384,"acl":["user:5:r--"]}]\n["file:///b",null]\n'


def _queries(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in ("saved", "history"):
            path = Path(folder) / "queries" / f"{name}.jsonl"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        for query in [*saved_queries(Path(folder)), *query_history(Path(folder))]:
            assert query.flags is not None
            hash(query.asked)


def _line_group(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "line-groups" / "a.jsonl"
        path.parent.mkdir()
        path.write_bytes(content)
        take_out_of(Path(folder), "a", [one.place for one in read_group(Path(folder), "a")][:1])


def _job(content: bytes) -> None:
    """Each file of a job in turn as the input, beside sound ones."""
    sound = {"job.json": b'{"kind":"laws"}', "progress.json": b'{"done":1}', "answer.json": b'{"answer":1}'}
    for damaged in sound:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "jobs" / "1"
            place.mkdir(parents=True)
            for name, good in sound.items():
                (place / name).write_bytes(content if name == damaged else good)
            for state in jobs_of(Path(folder)):
                assert state.seconds >= 0
                answer_of(Path(folder), state.job.number)


def local_targets() -> list[Target]:
    """Those targets."""
    saved = _saved()
    return [
        Target("letter", _letter, [GOOD["mbox"], GOOD["eml"]], _MAIL_WORDS),
        Target("seven-zip", _archive, _SEVEN_ZIPS),
        Target("archive", _archive, [GOOD["zip"], *(_tar(packing) for packing in ("", "gz", "bz2", "xz"))]),
        Target("mail-server", _mail_server, [_IMAP], _IMAP_WORDS),
        Target("entity-list", _entity_list, lines("aspirina\tN02BA01\nAna Pérez\n# x\n", "la ministra\nel doctor\n"), [b"\t"]),
        Target("own-kinds", _own_kinds, lines(_KINDS), split("[[list]] [[pattern]] kind = pattern = verifies = [ent= ] { }")),
        Target(
            "decisions",
            _decisions,
            lines(_DECISIONS),
            [b"\t"],
        ),
        Target(
            "annotation",
            _annotation,
            lines('{"document": "0123456789abcdef", "digest": "d", "spans": [{"start": 0, "end": 3, "kind": "PER"}]}'),
        ),
        Target("labelled", _labelled, lines(*_LABELLED), split("B-PER I-PER O <name </name> type= <!ENTITY &a; -DOCSTART-")),
        Target("subcorpora", _subcorpora, [saved["subcorpora.json"]]),
        Target(
            "scope",
            _scope,
            lines("language=es,en site=.example.org since=2025-01 until=2026-02-03", "words>100 title~casa 'url=a b'"),
            split("language= site= start= since= until= >= != ~ ' \" , ."),
        ),
        Target("topics", _topics, lines(*_TOPICS)),
        Target("queries", _queries, lines(_QUERIES), split('"options": "scope": "hits": "name": [] null true -1')),
        Target("line-group", _line_group, lines(_LINE_GROUP), split('"start": "end": "hit": null [] -1')),
        Target("job", _job, lines(*_JOB), split('"kind": "options": "began": "ended": "error": "answer": null 1e999 []')),
        Target("rights", _rights, lines(_RIGHTS), split('"mode": "acl": user::r-- mask::rwx null []')),
        Target("files-manifest", _kept(Manifest), [saved["m"], msgspec.msgpack.encode({"version": 1, "roots": {}})]),
        Target(
            "mail-account",
            _kept(ImapState),
            [saved["i"], _OLD_ACCOUNT],
        ),
        Target(
            "category-pattern",
            lambda content: compile_pattern(content.decode("utf-8", "replace"), ["NOUN", "ADJ", "VERB", "DET"]),
            lines("NOUN ADJ*", "(DET|NUM)? NOUN (ADP DET? NOUN)+", "VERB NOUN | DET+"),
            split("NOUN ADJ ( ) | * + ? . { } 1,99 ^ $"),
        ),
    ]
