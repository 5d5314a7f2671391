from __future__ import annotations

from support.small_lexicon import small
from trasmallo.study.morphology.reading_options import ReadingOptions, split_readings, with_options
from trasmallo.values.model import Analysis

ANALYSE = small().analyse


def told(word: str, **options: bool) -> list[tuple[str, str, tuple[str, ...]]]:
    found = with_options(ANALYSE, "es", ReadingOptions(**options))(word)
    return [(one.lemma, one.category, one.clitics) for one in found]


def test_without_options_nothing_changes() -> None:
    assert with_options(ANALYSE, "es", ReadingOptions()) is ANALYSE


def test_a_contraction_is_split() -> None:
    assert told("Al", split_contractions=True) == [("a", "ADP", ("el",))]
    assert ("al", "ADP", ()) in told("al", old_spanish=True)
    assert told("casa", split_contractions=True) == told("casa", old_spanish=True)
    assert split_readings([Analysis("al", "ADP")], "al", "es")[0].clitics == ("el",)
    assert split_readings([Analysis("al", "ADP")], "al", "en")[0].clitics == ()


def test_old_words_are_read_too() -> None:
    assert told("desta", old_spanish=True) == [("de", "ADP", ("esta",))]
    assert ("hacer", "VERB", ()) in told("fazer", old_spanish=True)
    assert told("fazer")[0][:2] == ("fazer", "NOUN")


def test_the_names_of_the_project_file() -> None:
    assert ReadingOptions.chosen(["old Spanish"]) == ReadingOptions(old_spanish=True)
    assert ReadingOptions.chosen(["split contractions"]) == ReadingOptions(split_contractions=True)
