"""What the keys of a project file mean in other languages than English, which their structs have: see the JSON.

A text is found by its key as people write it (`crawl.seeds`), that of a section by `[crawl]`, that of the whole file by "".
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec


@cache
def setting_texts(language: str) -> Mapping[str, str]:
    """The texts in a language by key; none where they are in English alone."""
    path = Path(__file__).with_name(f"setting_texts.{language}.json")
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.exists() else {}
