from __future__ import annotations

from trasmallo.study.morphology.readings_of_rules import analysis, beginning, changed
from trasmallo.study.morphology.tables import SetReading
from trasmallo.values.model import Analysis

READING = SetReading(cut=1, add="", category="NOUN", features="Number=Plur", clitics=(), by="lexicon", tag="NCFP000")


def test_a_reading_becomes_an_analysis() -> None:
    assert analysis("casas", READING) == Analysis("casa", "NOUN", "Number=Plur", by="rule", tag="NCFP000")
    assert changed(analysis("casas", READING), "", "X").features == ""


def test_one_of_several_tags_is_enough() -> None:
    assert beginning("V|N")("AQ0MS00 NCMS000")
    assert not beginning("V")("NCMS000")
    assert not beginning("")("NCMS000")
