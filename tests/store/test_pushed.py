"""What hubs pushed, kept until a run takes it in."""

from __future__ import annotations

from pathlib import Path

from trasmallo.results.rows import PageRow
from trasmallo.store.foreign import read_foreign
from trasmallo.store.pushed import (
    FOLDER,
    early_parts,
    files_of,
    forget_early,
    forget_pushes,
    gone_in,
    keep_early,
    keep_push,
    pushed_parts,
    pushed_rights,
    pushes,
)
from trasmallo.values.access import Access, access_text
from trasmallo.values.model import Response


def test_pushes_are_kept_whole_and_in_order(tmp_path: Path) -> None:
    assert pushes(tmp_path) == []
    kept = []
    for body in (b"<feed/>", b"<rss/>"):
        headers = (("Content-Type", "application/xml"),)
        answer = Response(url="http://a.es/f", at=1e9, status=200, reason="OK", headers=headers, body=body, content=body)
        kept.append(keep_push(tmp_path, answer, {"pages": []}))
    (tmp_path / FOLDER / "1-2.draft").mkdir()
    assert pushes(tmp_path) == kept
    assert [path.parent for path in pushed_parts(tmp_path).values()] == kept
    (file,) = files_of(kept[1])
    (found,) = read_foreign(file)
    assert isinstance(found, Response)
    assert (found.url, found.content) == ("http://a.es/f", b"<rss/>")
    forget_pushes(kept[:1])
    assert pushes(tmp_path) == kept[1:]


def test_what_changed_is_kept_until_a_run_has_taken_it_in(tmp_path: Path) -> None:
    first = keep_early(tmp_path, {"pages": []}, ["00" * 8])
    assert list(early_parts(tmp_path).values()) == [first / "part"]
    assert gone_in(first / "part") == ["00" * 8]
    assert pushes(tmp_path) == []
    forget_early(tmp_path, int(first.name[:20]) / 1e9 - 1)
    assert list(early_parts(tmp_path)) == [first.name]
    forget_early(tmp_path, int(first.name[:20]) / 1e9 + 1)
    assert early_parts(tmp_path) == {}


def test_pushes_tell_who_may_read_them(tmp_path: Path) -> None:
    secret = Access(uid=7, gid=7, mode=0o600)
    answer = Response(url="file:///f", at=1e9, status=200, reason="OK", headers=(), body=b"x", content=b"x")
    rows = [_row("file:///a", access_text(secret)), _row("file:///b", "")]
    keep_push(tmp_path, answer, {"pages": rows})
    assert pushed_rights(tmp_path) == {"file:///a": secret}


def _row(url: str, access: str) -> PageRow:
    return PageRow(url[-1], url, "", 1.0, "", "es", "utf-8", "text/plain", 1, "", access=access)
