"""What hubs pushed, kept until a run takes it in."""

from __future__ import annotations

from pathlib import Path

from trasmallo.store.foreign import read_foreign
from trasmallo.store.pushed import FOLDER, files_of, forget_pushes, keep_push, pushed_parts, pushes
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
