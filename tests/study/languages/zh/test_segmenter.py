from __future__ import annotations

import pytest

from trasmallo.study.languages.zh.segmenter import segmenter


def test_the_words_are_the_run() -> None:
    pytest.importorskip("jieba")
    words = list(segmenter()("旱灾在中国"))
    assert "中国" in words
    assert "".join(words) == "旱灾在中国"
