from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator

import pytest

from trasmallo.study import languages
from trasmallo.study.segmenters import find
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


def test_long_runs_are_seen_in_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def halves(run: str) -> list[str]:
        seen.append(len(run))
        return [run[: len(run) // 2], run[len(run) // 2 :]]

    class Halving:
        def segmenter(self) -> Callable[[str], list[str]]:
            return halves

    chinese = languages.find("zh")
    monkeypatch.setitem(vars(chinese), "segmenting", Halving())
    segment = find("zh")
    assert segment is not None
    spans = segment("字" * 4_500)
    assert seen == [2_000, 2_000, 500]
    assert (spans[0], spans[-1]) == ((0, 1_000), (4_250, 4_500))


def test_the_three_languages_are_known() -> None:
    assert {language.code for language in languages.known() if language.segmenting} == {"zh", "ja", "ko"}
