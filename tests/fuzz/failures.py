"""Inputs that once failed, each with what was told: the tests run them again for ever."""

from __future__ import annotations

import hashlib
import re

from fuzz.targets import HERE

_FOLDERS = re.compile(r'(?<=File ")(?:[^"]*?/(?=(?:trasmallo|fuzz)/)|[^"]*/(?=[^"/]+"))')


def keep(name: str, content: bytes, told: str) -> str:
    """Store an input and its story under the target's name; gives the name of its file."""
    folder = HERE / "failures" / name
    folder.mkdir(parents=True, exist_ok=True)
    stem = hashlib.sha256(content).hexdigest()[:12]
    (folder / f"{stem}.bin").write_bytes(content)
    (folder / f"{stem}.txt").write_text(_FOLDERS.sub("", told), encoding="utf-8")
    return f"{name}/{stem}.bin"
