from __future__ import annotations

from trasmallo.study.unlisted.word_sets import WordLevels, WordSet, pack


def test_a_set_has_its_words_and_hardly_any_other() -> None:
    words = [f"palabra{number}" for number in range(2_000)]
    found = WordSet(pack(words))
    assert all(word in found for word in words)
    others = [f"otra{number}" for number in range(5_000)]
    assert sum(word in found for word in others) < 200
    assert len(pack(words)) == 2_000


def test_an_empty_set_has_nothing() -> None:
    assert "casa" not in WordSet(b"")
    assert "casa" not in WordSet(pack(()))
    assert "\ud800" not in WordSet(pack(words := [f"casa{number}" for number in range(99)]))
    assert words[0] in WordSet(pack(words))


def test_levels_tell_how_far_in_a_word_is() -> None:
    levels = WordLevels([WordSet(pack(words)) for words in (["casa", "mesa", "que"], ["casa", "que"], ["que"])])
    assert [levels.of(word) for word in ("que", "casa", "mesa", "inodo")] == [3, 2, 1, 0]
    assert WordLevels().of("casa") == 0
