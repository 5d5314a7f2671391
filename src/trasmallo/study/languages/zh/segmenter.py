"""Words in runs of Chinese characters, found by jieba (the extra `cjk`)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable


def segmenter() -> Callable[[str], Iterable[str]]:
    """Who cuts a run into words."""
    import jieba

    jieba.setLogLevel("ERROR")
    cutter = jieba.Tokenizer()
    # It would read its dictionary from a file in the common temporary folder, where anybody may have put it.
    with tempfile.TemporaryDirectory() as folder:
        cutter.tmp_dir = folder
        cutter.initialize()
    return lambda run: cutter.cut(run)
