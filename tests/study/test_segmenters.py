from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator

import pytest

from trasmallo.study import segmenters
from trasmallo.study.segmenters import _apart, _in_pieces, find
from trasmallo.study.tokenise import columns, count_words, words


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Which packages there are is found out anew."""
    find.cache_clear()
    yield
    find.cache_clear()


def test_other_languages_have_none() -> None:
    assert find("es") is find("und") is find("") is None


@pytest.mark.parametrize(("language", "package"), [("zh", "jieba"), ("ja", "fugashi"), ("ko", "kiwipiepy")])
def test_without_its_package_a_run_is_cut_into_bigrams(monkeypatch: pytest.MonkeyPatch, language: str, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    assert find(language) is None
    assert list(words("旱灾在中国", language)) == ["旱灾", "灾在", "在中", "中国"]


CASES = [
    ("zh-CN", "jieba", "旱灾在中国造成的影响", ["旱灾", "在", "中国", "造成", "的", "影响"]),
    ("ja", "fugashi", "中国における旱魃の影響", ["中国", "に", "おけ", "る", "旱魃", "の", "影響"]),
    ("ko", "kiwipiepy", "나는 학교에 갔다", ["나", "는", "학교", "에", "갔", "다"]),
]


@pytest.mark.parametrize(("language", "package", "text", "found"), CASES)
def test_with_its_package_into_words(language: str, package: str, text: str, found: list[str]) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    cut = columns(f"¡{text}! 2024", language)
    assert cut.words == ["¡", *found, "!", "2024"]
    assert [cut.text[start:end] for start, end in zip(cut.starts, cut.ends, strict=True)] == cut.words
    assert list(words(text, language)) == found
    assert count_words(text, language) == {word: found.count(word) for word in found}


def test_long_runs_are_seen_in_pieces() -> None:
    seen: list[int] = []

    def halves(run: str) -> list[tuple[int, int]]:
        seen.append(len(run))
        return [(0, len(run) // 2), (len(run) // 2, len(run))]

    spans = _in_pieces("字" * 4_500, halves)
    assert seen == [2_000, 2_000, 500]
    assert spans[0] == (0, 1_000)
    assert spans[-1] == (4_250, 4_500)


def test_places_that_overlap_or_leave_gaps_are_put_right() -> None:
    assert _apart([(5, 6), (2, 4), (2, 3), (0, 1), (5, 6), (6, 6)], 8) == [(0, 1), (1, 2), (2, 3), (3, 5), (5, 6), (6, 8)]


def test_the_three_languages_are_known() -> None:
    assert set(segmenters._LANGUAGES) == {"zh", "ja", "ko"}
