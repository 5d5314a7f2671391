from __future__ import annotations

from support.small_lexicon import small
from trasmallo.study.morphology.analysis_cache import AnalysisCache


def test_a_word_is_analysed_once() -> None:
    memory = AnalysisCache(small())
    assert memory.analyse("casa") is memory.analyse("casa")
    assert memory.analyse("casa") == small().analyse("casa")
    assert (memory.missed, len(memory)) == (1, 1)


def test_words_in_use_are_kept_and_others_forgotten() -> None:
    memory = AnalysisCache(small(), size=3)
    for number in range(20):
        memory.analyse("casa")
        memory.analyse(f"palabra{number}")
    assert len(memory) <= 6
    assert memory.missed == 21


def test_very_long_words_are_not_kept() -> None:
    memory = AnalysisCache(small())
    memory.analyse("a" * 1000)
    assert len(memory) == 0


def test_guesses_pass_through() -> None:
    assert AnalysisCache(small()).guess("flumbos", "NOUN") == small().guess("flumbos", "NOUN")
