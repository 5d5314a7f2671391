from __future__ import annotations

import pytest

from trasmallo.study.languages.ja.segmenter import segmenter


def test_the_words_are_the_run() -> None:
    pytest.importorskip("fugashi")
    words = list(segmenter()("中国における"))
    assert words[0] == "中国"
    assert "".join(words) == "中国における"
